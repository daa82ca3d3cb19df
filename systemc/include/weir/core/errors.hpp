// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace weir {

/// A configuration that cannot be used. Thrown while configuring, never per packet. The core names
/// key, value and legal values; weir::config adds file and line.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string key, std::string value, std::string legal)
      : std::runtime_error{key + " = " + value + ": " + legal},
        key_{std::move(key)},
        value_{std::move(value)},
        legal_{std::move(legal)} {}

  [[nodiscard]] const std::string& key() const noexcept { return key_; }      ///< Dotted path.
  [[nodiscard]] const std::string& value() const noexcept { return value_; }  ///< As written.
  [[nodiscard]] const std::string& legal() const noexcept { return legal_; }  ///< Legal values.

 private:
  std::string key_, value_, legal_;
};

/// Throws a ConfigError about `key` unless low <= value <= high; `unit` follows each number.
inline void check_range(const std::string& key, std::uint64_t value, std::uint64_t low,
                        std::uint64_t high, const std::string& unit = "") {
  if (value >= low && value <= high) return;
  throw ConfigError{key, std::to_string(value) + unit,
                    "must be from " + std::to_string(low) + " to " + std::to_string(high) + unit};
}

/// A broken invariant of the model itself: exit code 3, in every build type.
class ModelError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace weir
