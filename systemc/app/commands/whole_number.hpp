// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace weir {

/// Seeds of a scenario file have the same range.
constexpr std::uint64_t max_seed = std::numeric_limits<std::int64_t>::max();

/// A decimal integer. CLI11 reads a leading 0 as octal, and wraps a negative number of an unsigned
/// option; both are none here.
inline std::optional<std::uint64_t> decimal_integer(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, number);
  const bool decimal =
      error == std::errc{} && read_to == end && (text.front() != '0' || text == "0");
  return decimal ? std::optional{number} : std::nullopt;
}

/// Check of an option that is an integer from `low` to `high`, in decimal.
inline CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const std::string range = fmt::format("{} to {}", low, high);
  const auto refusal = [low, high, range](const std::string& text) {
    const std::optional<std::uint64_t> number = decimal_integer(text);
    if (number && low <= *number && *number <= high) return std::string{};
    return fmt::format("{}: must be a decimal integer from {}", text, range);
  };
  return CLI::Validator{refusal, range};
}

/// The same where what takes the value knows its range.
inline CLI::Validator whole_number() {
  static constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const auto refusal = [](const std::string& text) {
    const std::optional<std::uint64_t> number = decimal_integer(text);
    if (number && *number <= most) return std::string{};
    return fmt::format("{}: must be a decimal integer, and at most {}", text, most);
  };
  return CLI::Validator{refusal, ""};
}

}  // namespace weir
