// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "scenario_sections.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/headroom/cable.hpp"

namespace weir::scenario_sections {
namespace {

Picoseconds to_delay_per_metre(const Node& value) {
  const Picoseconds time = to_time(value);
  static_assert(min_delay_per_metre == Picoseconds{3'336} &&
                max_delay_per_metre == Picoseconds{100'000});
  if (time < min_delay_per_metre || max_delay_per_metre < time)
    value.fail("must be from \"3.336 ns\" to \"100 ns\"");
  return time;
}

BitRate rate_of(const LinkEnd& end, const Scenario& scenario) {
  return end.is_host ? scenario.hosts[end.node].rate
                     : scenario.switches[end.node].chip.ports[end.port.count()].rate;
}

// One number for each place where a cable may end.
std::uint64_t place_of(const LinkEnd& end) {
  constexpr unsigned port_bits = 16;
  const std::uint64_t node = std::uint64_t{end.node} << 1 | (end.is_host ? 1U : 0U);
  return node << port_bits | (end.is_host ? 0U : end.port.count());
}

void read_link(const TableReader& document, const Node& node, const Scenario& scenario,
               Cabling& cabling) {
  TableReader reader = document.table(node);
  const auto port = [&](const Node& value) { return to_port(value, scenario); };
  constexpr const char* legal = "a port of a switch such as \"T0.port[2]\"";
  LinkSpec link;
  link.a = reader.get("a", port, legal);
  link.b = reader.get("b", port, legal);
  reader.attempt([&] {
    const std::optional<Picoseconds> delay = read_delay(reader);
    if (!delay) node.fail_missing("cable", "a length such as \"100 m\", or delay");
    link.delay = *delay;
  });
  reader.finish();
  if (!reader.good()) return;
  if (link.a.node == link.b.node) reader.find("b")->fail("is a port of the same switch");
  cabling.add(link, node);
}

}  // namespace

std::optional<Picoseconds> read_delay(TableReader& reader, const std::string& prefix) {
  const Node* const cable = reader.find(prefix + "cable");
  const Node* const delay = reader.find(prefix + "delay");
  const Picoseconds per_metre =
      reader.get_or("delay_per_metre", to_delay_per_metre, usual_delay_per_metre);
  if (cable != nullptr && delay != nullptr) {
    delay->fail("must not be given with " + prefix + "cable, whose length gives the delay");
  }
  if (delay != nullptr) return to_duration(*delay);
  if (cable == nullptr) return std::nullopt;
  return propagation_delay(to_cable(*cable), per_metre);
}

LinkEnd to_port(const Node& value, const Scenario& scenario) {
  const std::string text = to_text(value);
  const auto parts = parse_port_name(text);
  if (!parts)
    value.fail("must be a port of a switch such as \"" +
               port_name(scenario.switches.front().name, PortId{0}) + "\"");
  const std::size_t node = switch_named(value, std::string{parts->node}, scenario);
  const auto port = parse_count(parts->number);
  const std::size_t ports = scenario.switches[node].chip.ports.size();
  if (!port || ports <= *port)
    value.fail("the ports of " + scenario.switches[node].name + " are port[0] to port[" +
               std::to_string(ports - 1) + "]");
  return {false, node, PortId{static_cast<std::uint16_t>(*port)}};
}

std::string name_of(const LinkEnd& end, const Scenario& scenario) {
  if (end.is_host) return scenario.hosts[end.node].name;
  return port_name(scenario, end);
}

Cabling::Cabling(Scenario& scenario) : scenario_{scenario} {
  for (std::size_t i = 0; i < scenario.links.size(); ++i) take(i);
}

void Cabling::add(const LinkSpec& link, const Node& place) {
  check_free(link.a, link.b, place);
  check_free(link.b, link.a, place);
  const BitRate a = rate_of(link.a, scenario_), b = rate_of(link.b, scenario_);
  if (a != b)
    place.fail("both ends of a link need the same rate, but " + name_of(link.a, scenario_) +
               " has " + std::to_string(a.count()) + " bps and " + name_of(link.b, scenario_) +
               " has " + std::to_string(b.count()) + " bps");
  scenario_.links.push_back(link);
  take(scenario_.links.size() - 1);
}

void Cabling::check_free(const LinkEnd& end, const LinkEnd& peer, const Node& place) const {
  const auto taken = links_.find(place_of(end));
  if (taken == links_.end()) return;
  const LinkSpec& link = scenario_.links[taken->second];
  const std::string other = name_of(place_of(link.a) == place_of(end) ? link.b : link.a, scenario_);
  if (peer.is_host)
    place.fail("host " + scenario_.hosts[peer.node].name + " is at port " +
               std::to_string(end.port.count()) + ", where " + other + " is already");
  place.fail("at " + name_of(end, scenario_) + " there is " + other + " already");
}

void Cabling::take(std::size_t link) {
  links_.emplace(place_of(scenario_.links[link].a), link);
  links_.emplace(place_of(scenario_.links[link].b), link);
}

void read_links(TableReader& document, const TopologyPlan& plan, Scenario& scenario) {
  Cabling cabling{scenario};
  for (const TopologyPlan::Link& link : plan.links) {
    const auto end = [](std::size_t node, std::uint32_t port) {
      return LinkEnd{false, node, PortId{static_cast<std::uint16_t>(port)}};
    };
    cabling.add({end(link.a, link.a_port), end(link.b, link.b_port), link.delay}, *plan.node);
  }
  for (const Node& node : document.tables("link"))
    document.attempt([&] { read_link(document, node, scenario, cabling); });
}

}  // namespace weir::scenario_sections

namespace weir {

std::string port_name(const Scenario& scenario, const LinkEnd& end) {
  return port_name(scenario.switches[end.node].name, end.port);
}

}  // namespace weir
