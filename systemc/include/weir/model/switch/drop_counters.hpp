// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"
#include "weir/model/switch/mac_drop.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// The counters that a drop counts in; nullptr: in none of this kind.
struct DropCounters {
  std::uint64_t PortCounters::*of_port;
  std::uint64_t PortCounters::ByPriority::*of_priority;
};

/// The one table of them.
[[nodiscard]] constexpr DropCounters counters_of(MacDrop reason) noexcept {
  using Port = PortCounters;
  using Class = PortCounters::ByPriority;
  switch (reason) {
    case MacDrop::oversize:
      return {&Port::oversize, &Class::mac_drops};
    case MacDrop::no_route:
      return {&Port::no_route, &Class::mac_drops};
    case MacDrop::port_fifo:
      return {&Port::port_fifo_drops, &Class::mac_drops};
    case MacDrop::ttl:
      return {&Port::ttl_expired, &Class::mac_drops};
    case MacDrop::incomplete_arp:
      return {&Port::incomplete_arp, &Class::mac_drops};
    case MacDrop::no_neighbour:
      return {&Port::no_neighbour, &Class::mac_drops};
    case MacDrop::cpu_queue:
      return {&Port::cpu_queue, &Class::mac_drops};
    case MacDrop::stray_copy:
      return {nullptr, &Class::stray_copies};
    case MacDrop::dead_host:
      return {&Port::dead_host, nullptr};
    case MacDrop::watchdog:
      return {&Port::watchdog_drops, &Class::mac_drops};
    case MacDrop::nic_buffer:
    case MacDrop::wrong_host:
      return {nullptr, &Class::mac_drops};
    case MacDrop::watchdog_egress:
      return {&Port::watchdog_drops, &Class::watchdog_egress_drops};
  }
  return {nullptr, nullptr};
}

/// A frame of this priority is dropped at the port of `counters`.
inline void count_drop(PortCounters& counters, MacDrop reason, Priority priority) noexcept {
  const DropCounters counts = counters_of(reason);
  if (counts.of_port != nullptr) ++(counters.*counts.of_port);
  if (counts.of_priority != nullptr) ++(counters.priority[priority.count()].*counts.of_priority);
}

}  // namespace weir
