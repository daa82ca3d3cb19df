// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/units.hpp"

namespace weir {

// What registers show and change of the PFC blocks. The register map needs no more of them, and so
// no SystemC.

/// What registers show and change of the PFC generator.
struct PfcGeneratorRegisters {
  virtual ~PfcGeneratorRegisters() = default;
  /// Value of all PAUSE frames that start from now on.
  virtual void set_quanta(Quanta quanta) = 0;
  [[nodiscard]] virtual Quanta quanta() const = 0;
};

/// What registers show and change of the PFC receiver.
struct PfcReceiverRegisters {
  virtual ~PfcReceiverRegisters() = default;
  [[nodiscard]] virtual PauseTimes pause_times(PortId port, Priority priority,
                                               Picoseconds now) const = 0;
  /// Restarts pause_times() of all ports from zero at `now`.
  virtual void clear_times(Picoseconds now) = 0;
};

}  // namespace weir
