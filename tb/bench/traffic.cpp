// SPDX-License-Identifier: Apache-2.0
#include "traffic.hpp"

#include <string>

#include "weir/model/network/frame.hpp"

namespace weir::bench {
namespace {

constexpr BitRate rate{100'000'000'000};

}  // namespace

Picoseconds packet_slot(const Traffic& traffic) {
  const Picoseconds slot = slot_time(traffic.packet.count(), byte_time(rate));
  return Picoseconds{slot.count() * 100 / traffic.load_percent};
}

Picoseconds time_for(const Traffic& traffic, std::uint64_t packets) {
  const std::uint64_t busy_ports = traffic.incast ? 1 : traffic.ports;
  return packet_slot(traffic) * ((packets + busy_ports - 1) / busy_ports);
}

Chip chip_for(const Traffic& traffic) {
  Chip chip;
  chip.name = "bench";
  const Picoseconds response = quanta_time(response_limit(rate), rate);
  chip.ports.assign(traffic.ports, PortSetting{rate, DomainId{0}, response});
  const Cells shared{1376U * traffic.ports};
  chip.ingress_pools = {{"lossless", shared, Cells{0}, true}};
  Profile profile;
  profile.name = "lossless";
  profile.lossless = true;
  profile.private_cells = Cells{6};
  profile.headroom = Cells{600};
  profile.threshold = {traffic.policy, Alpha{1, 3}, Cells{0}, Alpha{1, 1}};
  profile.xon_offset = Cells{12};
  chip.profiles = {profile};
  chip.profile_of_pg.assign(traffic.ports * priorities, ProfileIndex{0});
  chip.profile_of_queue.assign(traffic.ports * priorities, std::nullopt);
  chip.lanes = default_lanes(chip);
  return chip;
}

namespace {

PortId port(std::size_t number) { return PortId{static_cast<std::uint16_t>(number)}; }

// Switch and port of a host.
LinkEnd place_of(const Traffic& traffic, std::size_t host) {
  if (traffic.leaves == 0) return {false, 0, port(host)};
  const std::size_t hosts = traffic.ports / traffic.leaves;
  return {false, host / hosts, port(host % hosts)};
}

// Leaves with hosts at their first ports, and a link from each to each spine.
void add_leaf_spine(const Traffic& traffic, Scenario& scenario) {
  const std::size_t spines = traffic.ports / traffic.leaves;
  Traffic one = traffic;
  one.ports = static_cast<std::uint16_t>(2 * spines);
  for (std::size_t leaf = 0; leaf < traffic.leaves; ++leaf)
    scenario.switches.push_back({"leaf" + std::to_string(leaf), chip_for(one)});
  one.ports = traffic.leaves;
  for (std::size_t spine = 0; spine < spines; ++spine) {
    scenario.switches.push_back({"spine" + std::to_string(spine), chip_for(one)});
    for (std::size_t leaf = 0; leaf < traffic.leaves; ++leaf)
      scenario.links.push_back({{false, leaf, port(spines + spine)},
                                {false, traffic.leaves + spine, port(leaf)},
                                cable_delay});
  }
}

}  // namespace

Scenario scenario_for(const Traffic& traffic, Picoseconds until) {
  Scenario scenario;
  scenario.until = until;
  if (traffic.leaves == 0)
    scenario.switches = {{"switch", chip_for(traffic)}};
  else
    add_leaf_spine(traffic, scenario);
  TrafficSpec spec;
  spec.name = std::string{traffic.name};
  spec.kind = traffic.incast ? TrafficKind::incast : TrafficKind::constant;
  spec.priority = lossless_class;
  spec.packet = traffic.packet;
  spec.connections = traffic.leaves == 0 ? 1 : 8;
  if (traffic.load_percent != 100) spec.rate = BitRate{rate.count() / 100 * traffic.load_percent};
  spec.stagger =
      traffic.incast ? Picoseconds{0} : Picoseconds{packet_slot(traffic).count() / traffic.ports};
  for (std::uint16_t i = 0; i < traffic.ports; ++i) {
    HostSpec host;
    host.name = "host" + std::to_string(i);
    host.rate = rate;
    host.response = quanta_time(response_limit(rate), rate);
    scenario.hosts.push_back(host);
    scenario.links.push_back({{true, i, PortId{0}}, place_of(traffic, i), cable_delay});
    if (traffic.incast && i == 0) continue;
    spec.from.push_back(i);
    if (!traffic.incast) spec.to.push_back(destination(traffic, i));
  }
  if (traffic.incast) spec.to = {0};
  scenario.traffic = {spec};
  return scenario;
}

}  // namespace weir::bench
