// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>

namespace weir::test {

/// Cycles of a test: `normal`, or as many times more as WEIR_LOCKSTEP_TIMES says.
inline std::uint64_t lockstep_cycles(std::uint64_t normal) {
  const char* times = std::getenv("WEIR_LOCKSTEP_TIMES");
  return times == nullptr ? normal : normal * std::strtoull(times, nullptr, 10);
}

/// Number of the first round of a campaign, WEIR_LOCKSTEP_FIRST: rounds not seen before.
inline std::uint64_t lockstep_first_round() {
  const char* first = std::getenv("WEIR_LOCKSTEP_FIRST");
  return first == nullptr ? 0 : std::strtoull(first, nullptr, 10);
}

}  // namespace weir::test
