// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A switch under attack on its headroom: chip, cables, and the phases of the attack.
struct AttackSetting {
  Chip chip;                ///< The chip as it is, its headroom included.
  Picoseconds propagation;  ///< Propagation time of every cable, one way.
  /// The last bit of the frames that trigger XOFF comes in so long after a clock edge; 1 ps: the
  /// edge was just missed. Range: below the clock period.
  Picoseconds after_edge{1};
  /// The reverse frame begins so long before the PFC frame is requested. Range: at most `admit` +
  /// `pfc` cycles; 0 lets the PFC frame go first.
  Picoseconds before_request{1};
};

/// A lossless priority group under attack, and what came of it.
struct AttackedPg {
  PortId port;
  Priority pg;
  /// At the peer: from the first moment at which a frame may follow the one that triggers XOFF
  /// until the pause takes effect.
  Picoseconds window;
  Cells peak;              ///< Most headroom in use.
  std::uint64_t drops{0};  ///< Lossless packets refused.
};

struct AttackResult {
  std::vector<AttackedPg> pgs;       ///< One a port; ports that help or drain have none.
  std::uint64_t port_fifo_drops{0};  ///< Frames dropped before the MMU.
};

/// One attack on all ports at once, on the SystemC model; the simulation decides everything.
///
/// 1. A largest frame of another class waits in every transmitter, which is stopped.
/// 2. Every port fills one of its lossless PGs (they take turns among the port's) to just below
///    XOFF; the egress port does not transmit, so nothing leaves.
/// 3. Other PGs of the same pool then take so much that T falls below what those hold. They do
///    not react: T is evaluated at a PG's own steps.
/// 4. The frame that triggers XOFF, of the largest size, comes in at all ports at once.
/// 5. The reverse frame of step 1 begins just before the PFC frame is requested.
/// 6. The peers, which respond as slowly as PortSetting::response allows, fill `windows[i]` with
/// the
///    sequence of legal frames that takes the most cells, begin a largest frame in its last
///    picosecond, and have more to send. Without `windows` they send nothing more: so the windows
///    are measured that are then filled.
///
/// This is the one elaboration of the process (see run_in_child).
/// Errors:  ConfigError when the chip has no lossless PG or fewer than two ports in a domain;
///          ModelError when the model does not pause a peer.
[[nodiscard]] AttackResult run_attack(const AttackSetting& setting,
                                      const std::vector<Picoseconds>& windows = {});

/// A result as text, for its way out of a child process, and back.
[[nodiscard]] std::string to_text(const AttackResult& result);
[[nodiscard]] AttackResult attack_result_from(const std::string& text);

/// Both steps of an attack, each in a process of its own: the windows are measured, then filled.
[[nodiscard]] AttackResult attack(const AttackSetting& setting);

/// `chip` with `headroom` cells for every lossless PG, dedicated, and memory for it.
[[nodiscard]] Chip with_headroom(Chip chip, Cells headroom);

}  // namespace weir
