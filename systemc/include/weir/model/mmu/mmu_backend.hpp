// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "weir/core/errors.hpp"
#include "weir/core/units.hpp"
#include "weir/model/mmu/mmu_blocks.hpp"

namespace weir {

/// What decides in a running scenario.
enum class BackendKind : std::uint8_t {
  model,     ///< The core.
  rtl,       ///< The Verilated weir_mmu.
  lockstep,  ///< Both, compared at every verdict and state bit.
};

struct MmuBackend {
  BackendKind kind{BackendKind::model};
  std::string library;  ///< Of the RTL; empty: the one that came with the program.
  MmuBlocks blocks{};   ///< Of the model. Range: built-in ones with BackendKind::rtl.
};

/// RTL and core disagree: where, what, both values. The run is over.
class RtlDifference : public ModelError {
 public:
  RtlDifference(const std::string& text, Picoseconds time) : ModelError{text}, time_{time} {}
  /// The clock edge at which it was seen.
  [[nodiscard]] Picoseconds time() const noexcept { return time_; }

 private:
  Picoseconds time_;
};

}  // namespace weir
