// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "weir/core/tables/flow_hash.hpp"
#include "weir/core/tables/ipv4.hpp"
#include "weir/core/tables/route_table.hpp"
#include "weir/model/interfaces.hpp"

namespace weir {

/// Forwarding of a switch by destination address: longest prefix, equal-cost ports by a hash of the
/// five fields that identify a flow, TTL.
///
/// The routes are made into one table by host and time, so a packet costs the same however many
/// there are; nothing is hashed where there is no choice.
///
/// Timing:  what holds when the last bit of a frame comes in decides. Routes change at times that
///          are known from the start, so the answer does not depend on when it is asked for.
/// Source:  docs/design/contract.md, 5; core/tables/route_table.hpp, core/tables/flow_hash.hpp.
class Forwarding final : public sc_core::sc_module, public ForwardingIf {
 public:
  /// Addresses of all hosts, by HostId; the switches of a network share them.
  using Addresses = std::shared_ptr<const std::vector<Ipv4>>;

  explicit Forwarding(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {}

  /// `routes` of this switch; its hash and seed choose among equal-cost ports.
  void configure(const RouteTable& routes, Addresses addresses, const FlowHash& hash,
                 std::uint32_t seed);
  /// Frames for `host` leave through `port`, at all times.
  void add_route(HostId host, PortId port);

  [[nodiscard]] Decision forward(Frame& frame, Picoseconds last_bit) override {
    if (frame.ttl <= 1) {
      frame.ttl = 0;
      return {true, MacDrop::ttl, {}};
    }
    --frame.ttl;
    const std::vector<std::uint32_t>& way =
        epochs_.size() == 1 ? epochs_.front().way : way_at(last_bit);
    const std::uint32_t entry = frame.destination < way.size() ? way[frame.destination] : none;
    if (entry < first_group) return {false, {}, PortId{static_cast<std::uint16_t>(entry)}};
    if (entry == none) return {true, MacDrop::no_route, {}};
    return {false, {}, choose(groups_[entry - first_group], frame)};
  }

  /// forward() where nothing is to be decided: no choice among several ports, no other routes at
  /// another time, no end of the TTL. Otherwise no_port, and the frame stays as it is.
  [[nodiscard]] std::uint32_t forward_plain(Frame& frame) const noexcept {
    if (frame.ttl <= 1 || epochs_.begin() + 1 != epochs_.end()) return no_port;
    const std::vector<std::uint32_t>& way = epochs_.front().way;
    if (way.size() <= frame.destination) return no_port;
    const std::uint32_t entry = way[frame.destination];
    if (first_group <= entry) return no_port;
    --frame.ttl;
    return entry;
  }
  static constexpr std::uint32_t no_port = ~std::uint32_t{0};

 private:
  // An entry is a port, or first_group plus the index of a group, or none.
  static constexpr std::uint32_t first_group = 0x1'0000, none = no_port;

  struct Epoch {
    Picoseconds from;
    std::vector<std::uint32_t> way;  // by host
  };

  [[nodiscard]] std::uint32_t entry_for(const std::vector<PortId>& ports);
  [[nodiscard]] const std::vector<std::uint32_t>& way_at(Picoseconds time) const noexcept;
  [[nodiscard]] PortId choose(const std::vector<PortId>& ports, const Frame& frame) const noexcept;

  std::vector<Epoch> epochs_{1};
  std::vector<std::vector<PortId>> groups_;
  Addresses addresses_;
  const FlowHash* hash_{&flow_hashes().front()};
  std::uint32_t seed_{0};
};

}  // namespace weir
