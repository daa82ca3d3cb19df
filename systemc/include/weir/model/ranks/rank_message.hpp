// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/errors.hpp"
#include "weir/model/ranks/rank_transport.hpp"

namespace weir {

/// Writes values into a message, one after the other, as memory has them.
class RankWriter {
 public:
  explicit RankWriter(RankMessage& message) noexcept : message_{message} {}

  template <class T>
  void raw(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* const bytes = reinterpret_cast<const char*>(&value);
    message_.insert(message_.end(), bytes, bytes + sizeof value);
  }
  template <class A, class B>
  void raw(const std::pair<A, B>& value) {
    raw(value.first);
    raw(value.second);
  }
  /// A vector or a map of such values.
  template <class Values>
  void list(const Values& values) {
    raw(static_cast<std::uint64_t>(values.size()));
    for (const auto& value : values) raw(value);
  }
  void text(std::string_view value) {
    raw(static_cast<std::uint64_t>(value.size()));
    message_.insert(message_.end(), value.begin(), value.end());
  }

 private:
  RankMessage& message_;
};

/// Reads them again. Errors: ModelError when the message ends too early.
class RankReader {
 public:
  explicit RankReader(const RankMessage& message) noexcept
      : at_{message.data()}, end_{message.data() + message.size()} {}

  [[nodiscard]] bool done() const noexcept { return at_ == end_; }
  [[nodiscard]] const char* at() const noexcept { return at_; }
  template <class T>
  [[nodiscard]] T raw() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value);
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> list() {
    std::vector<T> values;
    for (auto left = raw<std::uint64_t>(); left != 0; --left) values.push_back(raw<T>());
    return values;
  }
  template <class A, class B>
  [[nodiscard]] std::vector<std::pair<A, B>> pairs() {
    std::vector<std::pair<A, B>> values;
    for (auto left = raw<std::uint64_t>(); left != 0; --left) {
      const A first = raw<A>();
      values.emplace_back(first, raw<B>());
    }
    return values;
  }
  [[nodiscard]] std::string text() {
    const auto size = raw<std::uint64_t>();
    return {take(size), size};
  }
  void skip(std::size_t bytes) { take(bytes); }

 private:
  const char* take(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes)
      throw ModelError("ranks: a message ends too early");
    return (at_ += bytes) - bytes;
  }

  const char* at_;
  const char* end_;
};

}  // namespace weir
