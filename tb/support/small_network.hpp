// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/chip.hpp"

namespace weir::test {

constexpr std::uint64_t giga = 1'000'000'000;
[[nodiscard]] constexpr BitRate gbps(std::uint64_t rate) { return BitRate{rate * giga}; }
[[nodiscard]] constexpr Picoseconds ps(std::uint64_t count) { return Picoseconds{count}; }
[[nodiscard]] constexpr Picoseconds ns(std::uint64_t count) { return Picoseconds{count * 1000}; }
[[nodiscard]] constexpr Picoseconds us(std::uint64_t count) { return ns(count * 1000); }

/// A chip for tests of the model: `ports` ports of one speed, one domain, 208 B cells, 1 GHz.
/// Priority 3 is lossless (alpha 1/8, 6 cells private, headroom for a frame of any length), others
/// are not.
[[nodiscard]] inline Chip small_chip(std::size_t ports, BitRate rate) {
  Chip chip;
  chip.name = "small";
  chip.ports.resize(ports);
  for (PortSetting& port : chip.ports) {
    port.rate = rate;
    port.response = quanta_time(response_limit(rate), rate);
  }
  chip.ingress_pools = {{"pool", Cells{40000}, Cells{0}, true}};
  Profile lossless;
  lossless.name = "lossless";
  lossless.lossless = true;
  lossless.private_cells = Cells{6};
  lossless.headroom = Cells{2000};
  lossless.threshold = {Policy::dynamic, Alpha{1, 3}, Cells{}, {}};
  lossless.xon_offset = Cells{12};
  Profile lossy;
  lossy.name = "lossy";
  lossy.threshold = {Policy::fixed, Alpha{}, Cells{40000}, {}};
  chip.profiles = {lossless, lossy};
  for (std::size_t pg = 0; pg < ports * priorities; ++pg)
    chip.profile_of_pg.push_back(pg % priorities == 3 ? ProfileIndex{0} : ProfileIndex{1});
  chip.profile_of_queue.resize(ports * priorities);
  chip.lanes = default_lanes(chip);
  return chip;
}

/// One switch "sw" with a host "h<i>" on every port, over cables of `delay`; no traffic yet.
[[nodiscard]] inline Scenario star(const Chip& chip, Picoseconds delay, Picoseconds until) {
  Scenario scenario;
  scenario.until = until;
  scenario.switches.push_back({"sw", chip});
  for (std::size_t i = 0; i < chip.ports.size(); ++i) {
    HostSpec host;
    host.name = "h" + std::to_string(i);
    host.rate = chip.ports[i].rate;
    host.response = chip.ports[i].response;
    scenario.hosts.push_back(host);
    LinkSpec link;
    link.a = {true, i, PortId{0}};
    link.b = {false, 0, PortId{static_cast<std::uint16_t>(i)}};
    link.delay = delay;
    scenario.links.push_back(link);
  }
  return scenario;
}

/// A packet of a replay: `length` bytes of `priority` from host `from` to host `to` at `time`.
[[nodiscard]] inline ReplayPacket packet(Picoseconds time, std::uint64_t length,
                                         std::uint8_t priority, std::size_t from, std::size_t to) {
  return {time, Bytes{length}, Priority{priority}, from, to};
}

/// Exactly these packets.
[[nodiscard]] inline TrafficSpec replay(const std::vector<ReplayPacket>& packets,
                                        std::size_t hosts) {
  TrafficSpec traffic;
  traffic.name = "replay";
  traffic.kind = TrafficKind::replay;
  for (std::size_t host = 0; host < hosts; ++host) traffic.from.push_back(host);
  traffic.to = {0};
  traffic.replay = packets;
  return traffic;
}

/// Packets of `length` bytes from `from` to `to` as fast as the port allows.
[[nodiscard]] inline TrafficSpec flood(const std::string& name, std::size_t from, std::size_t to,
                                       std::uint8_t priority, std::uint64_t length) {
  TrafficSpec traffic;
  traffic.name = name;
  traffic.from = {from};
  traffic.to = {to};
  traffic.priority = Priority{priority};
  traffic.packet = Bytes{length};
  return traffic;
}

}  // namespace weir::test
