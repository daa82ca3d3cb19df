// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/port_context.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// What the parts of one switch share. It owns nothing, like ModelContext; chip, counters and name
/// outlive the parts.
struct SwitchContext {
  const ModelContext& model;
  const Chip& chip;
  std::vector<PortCounters>& counters;  ///< By port.
  const std::string& name;              ///< The switch, as observers see it.
  bool through_interfaces{false};       ///< As MmuBlocks says.

  [[nodiscard]] PortContext port(PortId id) const {
    return {model, name, id, chip.ports[id.count()].rate, counters[id.count()]};
  }
};

}  // namespace weir
