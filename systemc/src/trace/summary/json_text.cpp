// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace weir {

void JsonText::append_after_flush(std::string_view text) {
  flush();
  if (buffer_.size() < text.size())
    pass_on(text);
  else
    append(text);
}

void JsonText::put(std::string_view value) {
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return ' ' <= c && c <= '~' && c != '"' && c != '\\';
  });
  if (plain) {
    append('"');
    append(value);
    append('"');
    return;
  }
  // A name that is no UTF-8 must not end a run that is over.
  append(nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace weir
