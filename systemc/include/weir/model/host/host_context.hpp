// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/tables/neighbour_tables.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/network/port_context.hpp"

namespace weir {

/// Tasks of a host: all its parts are one actor, so what happens to a host at one moment has one
/// order, this one (among tasks of one rank).
struct HostTask {
  enum : std::uint32_t {
    death,
    restart,
    send,
    pfc,
    delivery,
    reboot,
    timeout,
    pipeline = 16,  ///< From here on those of the NicReceiver.
  };
};

/// What the parts of one host share. It owns nothing, like ModelContext.
struct HostContext {
  PortContext port;
  HostId id;
  MacAddress mac;  ///< Address of the host's port.
  Agenda::ActorId actor;
};

}  // namespace weir
