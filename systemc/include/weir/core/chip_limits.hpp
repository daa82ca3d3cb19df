// SPDX-License-Identifier: Apache-2.0
// Usual values of a chip, and the ranges that chip files, registers and command lines share.
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

inline constexpr Bytes usual_cell{208}, max_cell{65535};
inline constexpr Bytes usual_mtu{9216}, max_mtu{65535};  ///< The least is `min_frame_bytes`.

inline constexpr std::uint32_t max_domains = 256;  ///< DomainId holds their numbers.
inline constexpr std::uint32_t max_lanes = 1024;   ///< Per memory domain.
/// Greatest size of a port FIFO and of the processor's queue, in frames.
inline constexpr std::uint32_t max_port_fifo = 1U << 20;

inline constexpr Picoseconds min_clock{100}, max_clock{10'000};  ///< Periods of 10 GHz and 100 MHz.

/// The most cells of a pool, a limit or a count; weir_pkg::LimitW bits hold it.
inline constexpr Cells max_cells_counted{1U << 24};

/// Greatest n of an alpha n/2^m; the least is 1.
inline constexpr std::uint32_t max_alpha_numerator = 65535;
inline constexpr std::uint8_t max_alpha_shift = 16;  ///< Greatest m of an alpha n/2^m.

inline constexpr std::uint32_t max_dwrr_weight = 65535;  ///< The least is 1.

inline constexpr Quanta max_quanta{65535};  ///< Greatest value of a PAUSE frame; 0 is XON.

}  // namespace weir
