// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/json_tree.hpp"

#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "json_text.hpp"
#include "json_tree_writer.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

// Hands what a parser meets to a JsonTreeWriter.
class TreeReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] JsonTree tree() && { return std::move(writer_).tree(); }

  bool null() override {
    writer_.put_null(next());
    return true;
  }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t, const string_t& written) override {
    throw ModelError(written + " is not an integer");
  }
  bool string(string_t& value) override { return put(std::string_view{value}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(JsonValue::Kind::object); }
  bool end_array() override { return close(JsonValue::Kind::list); }
  bool key(string_t& name) override {
    next_ = writer_.named(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    throw ModelError(e.what());
  }

 private:
  struct Container {
    JsonValue value;
    std::size_t open;
  };

  [[nodiscard]] JsonValue next() { return std::exchange(next_, {}); }
  template <class T>
  bool put(T value) {
    writer_.put(next(), value);
    return true;
  }
  bool open() {
    containers_.push_back({next(), writer_.open()});
    return true;
  }
  bool close(JsonValue::Kind kind) {
    writer_.close(containers_.back().value, kind, containers_.back().open);
    containers_.pop_back();
    return true;
  }

  JsonTreeWriter writer_;
  JsonValue next_;  // with its name, where it has one
  std::vector<Container> containers_;
};

template <class T>
[[nodiscard]] T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(count * sizeof(T), alignof(T)));
}

// What a text is after it was written as JSON and read again: no other bytes than UTF-8.
std::string as_read(std::string_view text) {
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
      .get<std::string>();
}

}  // namespace

void JsonValue::fail(const char* what) const {
  throw ModelError(std::string{key()} + (key_size_ == 0 ? "a value is " : " is ") + what);
}
void JsonValue::fail_without(std::string_view key) {
  throw ModelError("there is no " + std::string{key});
}
void JsonValue::fail_without(std::size_t index) {
  throw ModelError("a list has no element " + std::to_string(index));
}

JsonTree JsonTree::parse(std::string_view text) {
  TreeReader reader;
  nlohmann::json::sax_parse(text, &reader);
  return std::move(reader).tree();
}

const char* JsonTreeWriter::copied(std::string_view text) {
  if (text.empty()) return "";
  char* const copy = room<char>(*tree_.memory_, text.size());
  std::memcpy(copy, text.data(), text.size());
  return copy;
}

void JsonTreeWriter::put(JsonValue value, std::string_view text) {
  if (is_plain_json(text)) {
    value.text_ = copied(text);
    value.size_ = static_cast<std::uint32_t>(text.size());
  } else {
    const std::string read = as_read(text);
    value.text_ = copied(read);
    value.size_ = static_cast<std::uint32_t>(read.size());
  }
  value.kind_ = JsonValue::Kind::text;
  open_.push_back(value);
}

void JsonTreeWriter::close(JsonValue value, JsonValue::Kind kind, std::size_t open) {
  const std::size_t count = open_.size() - open;
  value.kind_ = kind;
  value.size_ = static_cast<std::uint32_t>(count);
  value.values_ = nullptr;
  if (count != 0) {
    JsonValue* const values = room<JsonValue>(*tree_.memory_, count);
    std::uninitialized_copy(open_.begin() + static_cast<std::ptrdiff_t>(open), open_.end(), values);
    value.values_ = values;
    open_.resize(open);
  }
  open_.push_back(value);
}

JsonTree JsonTreeWriter::tree() && {
  tree_.root_ = open_.front();
  return std::move(tree_);
}

std::string to_text(const JsonValue& value) { return JsonText{JsonLayout::compact}.value(value); }

}  // namespace weir
