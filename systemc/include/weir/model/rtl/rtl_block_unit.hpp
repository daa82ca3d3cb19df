// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/units.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/rtl/rtl_block_library.hpp"
#include "weir/model/rtl/rtl_wave.hpp"

namespace weir {

class Agenda;

/// A block of a running MMU that is Verilated RTL (use_rtl_block()): its outputs decide, and each
/// is compared with that of the core in every cycle; of a block that is combinational or has a
/// clock of its own, at every call.
class RtlBlockUnit {
 public:
  virtual ~RtlBlockUnit() = default;
  /// What it threw, once it has: the kernel passes on the words alone.
  [[nodiscard]] virtual const std::optional<RtlDifference>& difference() const = 0;
  /// Its instances, for a waveform.
  [[nodiscard]] virtual std::vector<RtlWave*> waves() = 0;
  /// The block.
  [[nodiscard]] virtual std::string block() const = 0;
  /// The time of its MMU, before the first step: for a block whose calls do not say it.
  virtual void follow(const Agenda&) {}
  /// Outputs compared so far.
  [[nodiscard]] virtual std::uint64_t compared() const = 0;
  /// The run is over at `end`: compares what is left. Errors: RtlDifference.
  virtual void finish(Picoseconds end) = 0;
};

/// Puts the RTL of `library` into the place of the block that it was built from, in every switch.
///
/// Errors: ConfigError when that is not a block which can be replaced by RTL, or `blocks` has one
///         in its place already. Those of a library that does not fit a chip come when the
///         network is made.
void use_rtl_block(MmuBlocks& blocks, const RtlBlockLibrary& library);

/// The blocks that can be replaced.
[[nodiscard]] std::vector<std::string> rtl_block_names();

}  // namespace weir
