// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/core/units.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// What the parts of one port share, of a switch or of a host. It owns nothing, like ModelContext.
struct PortContext {
  const ModelContext& model;
  const std::string& node;  ///< The switch or host, as observers see it.
  PortId port;
  BitRate rate;
  PortCounters& counters;
};

}  // namespace weir
