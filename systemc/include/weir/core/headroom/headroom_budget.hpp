// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// The settings of a chip that decide how much memory headroom takes.
struct HeadroomPlan {
  Bytes memory;
  std::uint32_t ports{32};
  std::uint32_t classes{2};           ///< Lossless priority groups of a port.
  Bytes headroom;                     ///< eta: of one priority group.
  Bytes private_buffer;               ///< phi: of one priority group.
  std::uint32_t oversubscription{2};  ///< Of a shared headroom pool; SONiC's usual 2.

  /// Throws ConfigError (key, value, legal values) when a value is out of range.
  void check() const;
};

/// Memory that one arrangement of the headroom takes.
struct HeadroomShare {
  Bytes per_port;
  Bytes chip;
  std::uint32_t share_ppm{0};  ///< Of the memory, rounded to the nearest 1e-6; above 1e6: too much.
  Bytes left;                  ///< Memory minus headroom and private: for DT. 0 when none is left.
};

/// The arrangements for comparison.
struct HeadroomBudget {
  HeadroomShare dedicated;  ///< Each PG its own: classes x ports x eta.
  HeadroomShare pool;       ///< Shared pool: dedicated / oversubscription, rounded up.
  HeadroomShare insurance;  ///< DSH: one eta a port, the rest inside the shared segment [DSH].
};

[[nodiscard]] HeadroomBudget headroom_budget(const HeadroomPlan& plan);

/// A number of bytes that need not be an integer.
struct ByteFraction {
  std::uint64_t numerator{0}, denominator{1};
  [[nodiscard]] Bytes rounded_down() const noexcept { return Bytes{numerator / denominator}; }
  /// Tenths of a byte, to the nearest.
  [[nodiscard]] std::uint64_t tenths() const noexcept {
    return (numerator * 20 + denominator) / (2 * denominator);
  }
};

/// Thresholds of a switch that runs DCQCN. Source: [DCQCN] section 4; all eight priorities pause.
struct DcqcnThresholds {
  /// PFC threshold of a queue that is the same for all: at most (B - 8 n t_flight) / (8 n).
  ByteFraction static_pfc;
  /// ECN threshold for the PFC threshold beta (B - 8 n t_flight - s) / 8: below beta (B - 8 n
  /// t_flight) / (8 n (beta + 1)), so that marking starts before pausing.
  ByteFraction ecn;
};

/// Range: the thresholds are zero where the headroom of all queues takes the whole memory.
/// Units: `flight` is the headroom t_flight of one port and priority; 22.4 kB in the paper.
[[nodiscard]] DcqcnThresholds dcqcn_thresholds(Bytes memory, std::uint32_t ports, Bytes flight,
                                               std::uint32_t beta);

/// The PFC threshold of [DCQCN] while `shared` bytes are in use: beta (B - 8 n t_flight - s) / 8.
[[nodiscard]] ByteFraction dcqcn_pfc_threshold(Bytes memory, std::uint32_t ports, Bytes flight,
                                               std::uint32_t beta, Bytes shared);

}  // namespace weir
