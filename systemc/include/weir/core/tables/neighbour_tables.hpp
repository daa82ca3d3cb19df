// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/chip.hpp"
#include "weir/core/tables/ageing_table.hpp"
#include "weir/core/tables/ipv4.hpp"
#include "weir/core/units.hpp"

namespace weir {

struct MacAddressTag {
  static constexpr const char* suffix = "";
};
using MacAddress = Quantity<MacAddressTag, std::uint64_t>;  ///< 48 bits, the first octet highest.

/// What the two tables of a switch contain about a destination.
enum class NeighbourState : std::uint8_t {
  reachable,   ///< IP to MAC, and MAC to port.
  incomplete,  ///< IP to MAC, but no port: the host has been silent for the MAC timeout.
  unknown,     ///< No ARP entry: the host did not answer an ARP request.
};

struct Neighbour {
  NeighbourState state{NeighbourState::unknown};
  PortId port;  ///< Port of the host; only where it is reachable.
};

/// The ARP table (IP to MAC, kept by the processor) and the MAC table (MAC to port, learned by the
/// hardware from received frames), with a timeout each.
///
/// Errors:  none. Timing: calls in the order of their times.
/// Source:  [RDMA16] section 4.2: timeouts of 4 h and 5 min make an entry incomplete.
class NeighbourTables {
 public:
  explicit NeighbourTables(const NeighbourSettings& settings) noexcept
      : arp_{settings.arp_timeout}, mac_{settings.mac_timeout} {}

  /// A frame from `mac` came in at `port`.
  void heard(MacAddress mac, PortId port, Picoseconds now) { mac_.refresh(mac, port, now); }

  /// The host has answered an ARP request, or announced itself: its answer is a frame, too.
  void answered(Ipv4 ip, MacAddress mac, PortId port, Picoseconds now) {
    arp_.refresh(ip, mac, now);
    mac_.refresh(mac, port, now);
  }

  /// The host has not answered, so its entry is removed.
  void no_answer(Ipv4 ip) { arp_.erase(ip); }

  /// Sets the tables for a host that was silent before time 0 just long enough that its MAC entry
  /// has expired.
  void forgotten(Ipv4 ip, MacAddress mac) {
    arp_.refresh_until(ip, mac, saturating_subtract(arp_.timeout(), mac_.timeout()));
  }

  [[nodiscard]] Neighbour find(Ipv4 ip, Picoseconds now) const {
    const auto mac = arp_.find(ip, now);
    if (!mac) return {NeighbourState::unknown, PortId{}};
    const auto port = mac_.find(*mac, now);
    if (!port) return {NeighbourState::incomplete, PortId{}};
    return {NeighbourState::reachable, *port};
  }

  [[nodiscard]] const AgeingTable<Ipv4, MacAddress>& arp() const noexcept { return arp_; }
  [[nodiscard]] const AgeingTable<MacAddress, PortId>& mac() const noexcept { return mac_; }

 private:
  AgeingTable<Ipv4, MacAddress> arp_;
  AgeingTable<MacAddress, PortId> mac_;
};

}  // namespace weir
