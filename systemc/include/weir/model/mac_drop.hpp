// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

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
  watchdog_egress,  ///< As `watchdog`, at the port it was to leave through: behind the MMU.
};

}  // namespace weir
