// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace weir {

/// Seeds of a scenario file have the same range.
constexpr std::uint64_t max_seed = std::numeric_limits<std::int64_t>::max();

/// Check of an option that is an integer from `low` to `high`, in decimal. CLI11 reads a leading 0
/// as octal, and wraps a negative number of an unsigned option; both are refused.
inline CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const std::string range = fmt::format("{} to {}", low, high);
  const auto refusal = [low, high, range](const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [read_to, error] = std::from_chars(text.data(), end, number);
    const bool decimal =
        error == std::errc{} && read_to == end && (text.front() != '0' || text == "0");
    if (decimal && low <= number && number <= high) return std::string{};
    return fmt::format("{}: must be a decimal integer from {}", text, range);
  };
  return CLI::Validator{refusal, range};
}

}  // namespace weir
