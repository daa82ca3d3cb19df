// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace weir {
namespace {

// A number that fits into std::int64_t, the type of the numbers of put_list().
bool is_number(const JsonValue& value) {
  return value.kind() == JsonValue::Kind::number && value.number() >> 63 == 0;
}

}  // namespace

void JsonText::append_after_flush(std::string_view text) {
  flush();
  if (buffer_.size() < text.size())
    pass_on(text);
  else
    append(text);
}

bool is_plain_json(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return ' ' <= c && c <= '~' && c != '"' && c != '\\'; });
}

void JsonText::put(std::string_view value) {
  if (is_plain_json(value)) {
    append('"');
    append(value);
    append('"');
    return;
  }
  // A name that is not UTF-8 must not raise an error after the end of the run.
  append(nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void JsonText::put(const JsonValue& value) {
  switch (value.kind()) {
    case JsonValue::Kind::null:
      return append("null");
    case JsonValue::Kind::flag:
      return put(value.flag());
    case JsonValue::Kind::number:
      return put(value.number());
    case JsonValue::Kind::negative:
      return put(value.negative());
    case JsonValue::Kind::text:
      return put(value.text());
    case JsonValue::Kind::list:
      if (std::all_of(value.begin(), value.end(), is_number)) {
        return put_list<1>(value.begin(), value.end(), [](const JsonValue& element, auto&& put) {
          put(static_cast<std::int64_t>(element.number()));
        });
      }
      return enclose('[', ']', [&] {
        for (const JsonValue& element : value) add_element(element);
      });
    case JsonValue::Kind::object:
      return enclose('{', '}', [&] {
        for (const JsonValue& member : value) add_member(member);
      });
  }
}

}  // namespace weir
