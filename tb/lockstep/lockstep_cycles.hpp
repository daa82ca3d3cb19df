// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace weir::test {

/// Cycles of a test: `normal` times WEIR_LOCKSTEP_TIMES; "1/10": a tenth.
inline std::uint64_t lockstep_cycles(std::uint64_t normal) {
  const char* times = std::getenv("WEIR_LOCKSTEP_TIMES");
  if (times == nullptr) return normal;
  char* end = nullptr;
  const std::uint64_t more = normal * std::strtoull(times, &end, 10);
  return *end == '/' ? more / std::strtoull(end + 1, nullptr, 10) : more;
}

/// Cycles of a round: `normal`, or a quarter where WEIR_LOCKSTEP_TIMES is a fraction, so that the
/// run covers more chips.
inline std::uint64_t lockstep_round(std::uint64_t normal) {
  const char* times = std::getenv("WEIR_LOCKSTEP_TIMES");
  return times != nullptr && std::strchr(times, '/') != nullptr ? normal / 4 : normal;
}

/// Number of the first round of a campaign, WEIR_LOCKSTEP_FIRST, to run rounds that earlier
/// campaigns did not.
inline std::uint64_t lockstep_first_round() {
  const char* first = std::getenv("WEIR_LOCKSTEP_FIRST");
  return first == nullptr ? 0 : std::strtoull(first, nullptr, 10);
}

}  // namespace weir::test
