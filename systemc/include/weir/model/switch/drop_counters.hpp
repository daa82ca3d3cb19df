// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"
#include "weir/model/switch/mac_drop.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// The counter of the port as a whole that has what is dropped for a reason; nullptr: none has.
[[nodiscard]] constexpr std::uint64_t PortCounters::*counter_of(MacDrop reason) noexcept {
  switch (reason) {
    case MacDrop::oversize:
      return &PortCounters::oversize;
    case MacDrop::no_route:
      return &PortCounters::no_route;
    case MacDrop::port_fifo:
      return &PortCounters::fifo_overrun;
    case MacDrop::ttl:
      return &PortCounters::ttl_expired;
    case MacDrop::incomplete_arp:
      return &PortCounters::incomplete_arp;
    case MacDrop::no_neighbour:
      return &PortCounters::no_neighbour;
    case MacDrop::cpu_queue:
      return &PortCounters::cpu_queue;
    case MacDrop::dead_host:
      return &PortCounters::dead_host;
    case MacDrop::watchdog:
    case MacDrop::watchdog_egress:
      return &PortCounters::watchdog_drops;
    case MacDrop::stray_copy:
    case MacDrop::nic_buffer:
    case MacDrop::wrong_host:
      break;
  }
  return nullptr;
}

/// The counter by priority that has what is dropped for a reason; nullptr: none has.
[[nodiscard]] constexpr std::uint64_t PortCounters::ByPriority::*class_counter_of(
    MacDrop reason) noexcept {
  switch (reason) {
    case MacDrop::stray_copy:
      return &PortCounters::ByPriority::stray_copies;
    case MacDrop::watchdog_egress:
      return &PortCounters::ByPriority::watchdog_egress_drops;
    case MacDrop::oversize:
    case MacDrop::no_route:
    case MacDrop::port_fifo:
    case MacDrop::ttl:
    case MacDrop::incomplete_arp:
    case MacDrop::no_neighbour:
    case MacDrop::cpu_queue:
    case MacDrop::watchdog:
    case MacDrop::nic_buffer:
    case MacDrop::wrong_host:
      return &PortCounters::ByPriority::mac_drops;
    case MacDrop::dead_host:
      break;
  }
  return nullptr;
}

/// A frame of this priority is dropped at the port of `counters`.
inline void count_drop(PortCounters& counters, MacDrop reason, Priority priority) noexcept {
  if (const auto counter = counter_of(reason)) ++(counters.*counter);
  if (const auto counter = class_counter_of(reason))
    ++(counters.priority[priority.count()].*counter);
}

}  // namespace weir
