// SPDX-License-Identifier: Apache-2.0
#include "traffic.hpp"

#include <string>

#include "weir/model/frame.hpp"

namespace weir::bench {
namespace {

constexpr BitRate rate{100'000'000'000};

}  // namespace

Picoseconds packet_slot(const Traffic& traffic) {
  return slot_time(traffic.packet.count(), byte_time(rate));
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
  profile.threshold = {"dynamic", Alpha{1, 3}, Cells{0}};
  profile.xon_offset = Cells{12};
  chip.profiles = {profile};
  chip.profile_of_pg.assign(traffic.ports * priorities, 0);
  chip.profile_of_queue.assign(traffic.ports * priorities, std::nullopt);
  chip.lanes = default_lanes(chip);
  return chip;
}

Scenario scenario_for(const Traffic& traffic, Picoseconds until) {
  Scenario scenario;
  scenario.until = until;
  scenario.switches = {{"switch", chip_for(traffic)}};
  TrafficSpec spec;
  spec.name = std::string{traffic.name};
  spec.kind = traffic.incast ? TrafficKind::incast : TrafficKind::constant;
  spec.priority = lossless_class;
  spec.packet = traffic.packet;
  spec.stagger =
      traffic.incast ? Picoseconds{0} : Picoseconds{packet_slot(traffic).count() / traffic.ports};
  for (std::uint16_t i = 0; i < traffic.ports; ++i) {
    HostSpec host;
    host.name = "host" + std::to_string(i);
    host.rate = rate;
    host.response = quanta_time(response_limit(rate), rate);
    scenario.hosts.push_back(host);
    scenario.links.push_back({{true, i, PortId{0}}, {false, 0, PortId{i}}, cable_delay});
    if (traffic.incast && i == 0) continue;
    spec.from.push_back(i);
    if (!traffic.incast) spec.to.push_back(destination(traffic, i));
  }
  if (traffic.incast) spec.to = {0};
  scenario.traffic = {spec};
  return scenario;
}

}  // namespace weir::bench
