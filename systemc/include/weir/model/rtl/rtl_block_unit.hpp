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
  /// The difference that it threw; none: none so far. The kernel passes on only the text.
  [[nodiscard]] virtual const std::optional<RtlDifference>& difference() const = 0;
  /// Its instances of the RTL, for a waveform.
  [[nodiscard]] virtual std::vector<RtlWave*> waves() = 0;
  /// Name of the block.
  [[nodiscard]] virtual std::string block() const = 0;
  /// Takes the agenda of its MMU before the first step, for a block whose calls carry no time.
  virtual void follow(const Agenda&) {}
  /// Outputs compared so far.
  [[nodiscard]] virtual std::uint64_t compared() const = 0;
  /// The run is over at `end`: compares what is left. Errors: RtlDifference.
  virtual void finish(Picoseconds end) = 0;
};

/// Puts the RTL of `library` into the place of the block that it was built from, in every switch.
///
/// Errors: ConfigError when the block cannot be replaced by RTL, or `blocks` already replaces it. A
///         library that does not fit a chip is refused when the network is made.
void use_rtl_block(MmuBlocks& blocks, const RtlBlockLibrary& library);

/// Names of the blocks that RTL can replace.
[[nodiscard]] std::vector<std::string> rtl_block_names();

}  // namespace weir
