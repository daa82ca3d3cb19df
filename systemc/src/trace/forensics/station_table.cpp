// SPDX-License-Identifier: Apache-2.0
#include "forensics/station_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/config/format/node.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/pfc/port_speeds.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"

namespace weir {
namespace {

constexpr std::size_t max_stations = 131'072;  // a network of 16,384 hosts has half as many

// A number of the comment of an interface: " key=digits"; at most a second.
std::optional<Picoseconds> time_in(const std::string& comment, const std::string& key) {
  std::size_t at = comment.find(" " + key + "=");
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t value = 0;
  for (at += key.size() + 2; at < comment.size() && '0' <= comment[at] && comment[at] <= '9'; ++at)
    value = std::min(picoseconds_per_second,
                     value * 10 + static_cast<std::uint64_t>(comment[at] - '0'));
  return Picoseconds{value};
}

// The period of the clock of a chip; none: not given, or not legal.
std::optional<ClockPeriod> clock_in(const std::string& comment) {
  constexpr std::string_view key = " clock_ps=";
  const std::size_t at = comment.find(key);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view rest = std::string_view{comment}.substr(at + key.size());
  const auto clock = parse_parts(rest.substr(0, rest.find(' ')));
  return clock && is_legal_clock(*clock) ? clock : std::nullopt;
}

// "weir delay_ps=... peer=NAME", where the name goes on to the end (capture.hpp).
void read_comment(const std::string& comment, TappedInterface& interface) {
  if (comment.rfind("weir ", 0) != 0) return;
  const std::size_t peer = comment.find(" peer=");
  const std::string times = comment.substr(0, peer);
  if (peer != std::string::npos) interface.peer = comment.substr(peer + 6);
  interface.delay = time_in(times, "delay_ps");
  interface.response = time_in(times, "response_ps");
  interface.clock = clock_in(times);
  interface.node = node_of_end(interface.name);
}

std::string address_text(std::uint64_t address) {
  std::string text;
  for (int k = 5; k >= 0; --k)
    text += fmt::format("{:02x}{}", address >> 8 * k & 0xffU, k == 0 ? "" : ":");
  return text;
}

}  // namespace

std::size_t StationTable::add(const std::filesystem::path& file, const std::string& label,
                              const CaptureInterface& interface, std::size_t number, bool several) {
  TappedInterface tapped;
  tapped.file = file.string();
  tapped.name = interface.name;
  tapped.rate = interface.rate;
  tapped.node = label;
  read_comment(interface.comment, tapped);
  by_name_.emplace(std::pair{tapped.file, interface.name}, interfaces_.size());
  if (tapped.name.empty())
    tapped.name = number == 0 ? label : fmt::format("{}#{}", label, number);
  else if (several)
    tapped.name = label + ":" + tapped.name;
  if (several && tapped.node != label) tapped.node = label + ":" + tapped.node;
  if (ArrivalArbiter::max_ports < ++ports_of_node_[tapped.node])
    throw ConfigError("CAPTURE", tapped.file,
                      "must not have more than " + std::to_string(ArrivalArbiter::max_ports) +
                          " interfaces of one node");
  interfaces_.push_back(std::move(tapped));
  return interfaces_.size() - 1;
}

std::size_t StationTable::at(const Key& key, std::string name, std::string node,
                             std::size_t interface) {
  const auto [place, is_new] = by_key_.emplace(key, stations_.size());
  if (!is_new) return place->second;
  if (stations_.size() == max_stations)
    throw ConfigError("CAPTURE", interfaces_[interface].file,
                      "must not show more than " + std::to_string(max_stations / 2) + " links");
  PfcStation station;
  station.name = std::move(name);
  station.node = std::move(node);
  station.peer = stations_.size();
  stations_.push_back(std::move(station));
  interface_of_.push_back(interface);
  return place->second;
}

void StationTable::pair(std::size_t a, std::size_t b) {
  stations_[a].peer = b;
  stations_[b].peer = a;
}

std::size_t StationTable::station(std::size_t number, bool outbound) {
  const TappedInterface& tapped = interfaces_[number];
  const auto peer = by_name_.find({tapped.file, tapped.peer});
  const bool both = !tapped.peer.empty() && peer != by_name_.end() && peer->second != number;
  const std::size_t port = at({number, Side::port, 0}, tapped.name, tapped.node, number);
  const std::string far = "other end of " + tapped.name;
  std::size_t other = 0;
  if (both) {
    const TappedInterface& there = interfaces_[peer->second];
    other = at({peer->second, Side::port, 0}, there.name, there.node, peer->second);
  } else {
    other = at({number, Side::other_end, 0}, far, far, number);
  }
  pair(port, other);
  return outbound ? port : other;
}

std::size_t StationTable::station_of(std::size_t number, std::uint64_t address) {
  const TappedInterface& tapped = interfaces_[number];
  const std::string name = address_text(address);
  const std::string far = "other end of " + name;
  const std::size_t here = at({number, Side::address, address}, name, tapped.node + name, number);
  const std::size_t there = at({number, Side::other_end_of_address, address}, far, far, number);
  pair(here, there);
  return here;
}

std::optional<std::size_t> StationTable::known(std::size_t number, std::uint64_t address) const {
  const auto found = by_key_.find({number, Side::address, address});
  if (found == by_key_.end()) return std::nullopt;
  return found->second;
}

bool StationTable::has_other_ports(std::size_t station) const {
  const auto ports = ports_of_node_.find(stations_[station].node);
  return ports != ports_of_node_.end() && ports->second > 1;
}

// Some cards and tools write if_speed = 0 where they do not know it.
BitRate StationTable::rate_of(const TappedInterface& tapped) const {
  if (tapped.rate && *tapped.rate != BitRate{}) {
    if (!is_port_rate(*tapped.rate))
      throw FileError(Origin{tapped.file, 0}, tapped.name + ".if_speed",
                      std::to_string(tapped.rate->count()), legal_port_rates());
    return *tapped.rate;
  }
  if (!assumptions_.rate)
    throw ConfigError("--rate", "none",
                      "must be given: " + tapped.file +
                          (tapped.rate ? " says if_speed = 0 for " + tapped.name
                                       : " does not say the speed of " + tapped.name));
  if (!is_port_rate(*assumptions_.rate))
    throw ConfigError("--rate", std::to_string(assumptions_.rate->count()) + " bps",
                      legal_port_rates());
  return *assumptions_.rate;
}

void StationTable::need_rate(std::size_t number) {
  PfcStation& station = stations_[number];
  if (station.rate != BitRate{}) return;
  const TappedInterface& tapped = interfaces_[interface_of_[number]];
  const BitRate rate = rate_of(tapped);
  station.rate = rate;
  const PortSpeed* const speed = find_port_speed(rate);
  std::optional<Picoseconds> response = tapped.response;
  if (!response && assumptions_.response) response = response_at(*assumptions_.response, rate);
  if (!response && speed == nullptr)
    throw ConfigError("--response", "none", unknown_response(rate));
  station.limit = speed != nullptr ? quanta_time(speed->response, rate) : *response;
  station.response = response ? *response : station.limit;
  station.delay = tapped.delay ? *tapped.delay : assumptions_.delay.value_or(Picoseconds{});
  station.clock = tapped.clock;
}

}  // namespace weir
