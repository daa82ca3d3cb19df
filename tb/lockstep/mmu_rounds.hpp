// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/mmu_lockstep.hpp"

namespace weir::test {

inline RtlShape mmu_shape(unsigned ports, unsigned domains, unsigned lanes, unsigned copies) {
  RtlShape shape;
  shape.ports = ports;
  shape.domains = domains;
  shape.lanes = lanes;
  shape.copies = copies;
  return shape;
}

/// Corners first, then rounds: each is another chip, and starts with a reset in the middle of the
/// one before. A run of less than `cycles`, or of later rounds, leaves the corners out; the former
/// need not reach every functional point. Returns the first difference, or the reason why the
/// comparison is worthless; empty: neither. A chip of corners has no WRED profile.
template <class Model>
std::string mmu_complaints(const RtlShape& shape, std::uint64_t cycles,
                           std::uint64_t cycles_a_round) {
  const std::uint64_t all = lockstep_cycles(cycles), first = lockstep_first_round();
  MmuLockstep<Model> lockstep{shape};
  const std::string difference = difference_in([&] {
    if (first == 0 && all >= cycles && shape.wred_profiles == 0) lockstep.corners();
    const std::uint64_t end = lockstep.cycles() + all;
    for (std::uint64_t n = 0; lockstep.cycles() < end; ++n)
      lockstep.round(shape.ports * 10 + shape.lanes, first + n, lockstep_round(cycles_a_round));
  });
  if (!difference.empty()) return difference;
  return all < cycles ? lockstep.board().short_run_complaints() : lockstep.board().complaints();
}

}  // namespace weir::test
