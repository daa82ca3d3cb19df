// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace weir {

/// Why a frame was dropped outside the MMU's own reasons.
enum class MacDrop : std::uint8_t {
  oversize,         ///< Longer than the chip's mtu.
  no_route,         ///< No route for its destination, or one that discards.
  port_fifo,        ///< The port FIFO was full.
  ttl,              ///< Its TTL has reached 0.
  incomplete_arp,   ///< Lossless, and the MAC table does not know the destination (option 3).
  no_neighbour,     ///< The destination does not answer ARP requests.
  cpu_queue,        ///< The processor's queue was full.
  stray_copy,       ///< A flooded copy at the head of a queue where its address does not match.
  dead_host,        ///< It came to a host that is dead.
  watchdog,         ///< Lossless mode is off at the port it came from.
  nic_buffer,       ///< A NIC's receive buffer was full, or was lost in a reboot.
  wrong_host,       ///< A route has led it to a host that its address does not name.
  watchdog_egress,  ///< Lossless mode is off at its egress port: dropped after the MMU.
};

/// The name of a reason in the table of drops.
[[nodiscard]] constexpr std::string_view to_string(MacDrop reason) noexcept {
  switch (reason) {
    case MacDrop::oversize:
      return "oversize";
    case MacDrop::no_route:
      return "no_route";
    case MacDrop::port_fifo:
      return "port_fifo";
    case MacDrop::ttl:
      return "ttl";
    case MacDrop::incomplete_arp:
      return "incomplete_arp";
    case MacDrop::no_neighbour:
      return "no_neighbour";
    case MacDrop::cpu_queue:
      return "cpu_queue";
    case MacDrop::stray_copy:
      return "stray_copy";
    case MacDrop::dead_host:
      return "dead_host";
    case MacDrop::watchdog:
      return "watchdog";
    case MacDrop::nic_buffer:
      return "nic_buffer";
    case MacDrop::wrong_host:
      return "wrong_host";
    case MacDrop::watchdog_egress:
      return "watchdog_egress";
  }
  return "unknown";
}

}  // namespace weir
