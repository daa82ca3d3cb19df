// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "weir/model/rtl/rtl_mmu.hpp"

namespace weir {

/// The pins of weir_mmu, a row for each cycle, for other simulators (vectors/mmu/README.md): hex,
/// as they are before the edge that ends the cycle; empty for 0. What counts only with a valid
/// bit is 0 in the lanes and ports without, and empty where no valid bit is set.
class PinTable {
 public:
  /// Writes the lines above the rows. `out` and `rtl` are borrowed.
  PinTable(std::ostream& out, const RtlMmu& rtl);

  /// Range: all pins settled.
  void take(std::uint64_t cycle);

 private:
  struct Column {
    RtlPin pin;
    RtlPin valid;          ///< With `slots` bits.
    std::size_t slots{0};  ///< 0: counts always.
    std::size_t width{0};  ///< Bits of a slot.
  };

  void add(MmuPin pin, const RtlMmu& rtl);
  [[nodiscard]] bool counts(const Column& column) const;

  std::ostream& out_;
  std::vector<Column> columns_;
};

}  // namespace weir
