// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "scenario_sections.hpp"

namespace weir::scenario_sections {
namespace {

constexpr Picoseconds default_per_metre{5000};
constexpr std::uint64_t millimetres_per_metre = 1000;

Picoseconds cable_delay(Millimetres length, Picoseconds per_metre) {
  const std::uint64_t product = length.count() * per_metre.count();
  return Picoseconds{(product + millimetres_per_metre - 1) / millimetres_per_metre};
}

BitRate rate_of(const LinkEnd& end, const Scenario& scenario) {
  return end.is_host ? scenario.hosts[end.node].rate
                     : scenario.switches[end.node].chip.ports[end.port.count()].rate;
}

bool is_same(const LinkEnd& a, const LinkEnd& b) {
  return a.is_host == b.is_host && a.node == b.node && (a.is_host || a.port == b.port);
}

void check_free(const LinkEnd& end, const LinkEnd& peer, const Node& place,
                const Scenario& scenario) {
  for (const LinkSpec& link : scenario.links) {
    for (const auto& [here, there] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
      if (!is_same(here, end)) continue;
      const std::string other = name_of(there, scenario);
      if (peer.is_host)
        place.fail("host " + scenario.hosts[peer.node].name + " is at port " +
                   std::to_string(end.port.count()) + ", where " + other + " is already");
      place.fail("at " + name_of(end, scenario) + " there is " + other + " already");
    }
  }
}

void read_link(const Node& node, Scenario& scenario) {
  TableReader reader{node};
  const auto port = [&](const Node& value) { return to_port(value, scenario); };
  constexpr const char* legal = "a port of a switch such as \"T0.port[2]\"";
  LinkSpec link;
  link.a = reader.get("a", port, legal);
  link.b = reader.get("b", port, legal);
  if (link.a.node == link.b.node) reader.find("b")->fail("is a port of the same switch");
  const std::optional<Picoseconds> delay = read_delay(reader);
  if (!delay) node.fail_missing("cable", "a length such as \"100 m\", or delay");
  link.delay = *delay;
  reader.finish();
  add_link(link, node, scenario);
}

}  // namespace

std::optional<Picoseconds> read_delay(TableReader& reader, const std::string& prefix) {
  const Node* const cable = reader.find(prefix + "cable");
  const Node* const delay = reader.find(prefix + "delay");
  const Picoseconds per_metre = reader.get_or("delay_per_metre", to_time, default_per_metre);
  if (cable != nullptr && delay != nullptr) {
    delay->fail("must not be given with " + prefix + "cable, whose length gives the delay");
  }
  if (delay != nullptr) return to_time(*delay);
  if (cable == nullptr) return std::nullopt;
  const Millimetres length = to_length(*cable);
  if (length > Millimetres{1'000'000'000} || per_metre > Picoseconds{1'000'000'000}) {
    cable->fail("must be at most \"1000 km\" of at most \"1 ms\" per metre");
  }
  return cable_delay(length, per_metre);
}

LinkEnd to_port(const Node& value, const Scenario& scenario) {
  constexpr std::string_view middle = ".port[";
  const std::string text = to_text(value);
  const std::size_t at = text.find(middle);
  if (at == std::string::npos || text.back() != ']')
    value.fail("must be a port of a switch such as \"" + scenario.switches.front().name +
               ".port[0]\"");
  const std::size_t node = switch_named(value, text.substr(0, at), scenario);
  const std::size_t number = at + middle.size();
  const auto port = parse_count(std::string_view{text}.substr(number, text.size() - number - 1));
  const std::size_t ports = scenario.switches[node].chip.ports.size();
  if (!port || ports <= *port)
    value.fail("the ports of " + scenario.switches[node].name + " are port[0] to port[" +
               std::to_string(ports - 1) + "]");
  return {false, node, PortId{static_cast<std::uint16_t>(*port)}};
}

std::string name_of(const LinkEnd& end, const Scenario& scenario) {
  if (end.is_host) return scenario.hosts[end.node].name;
  return scenario.switches[end.node].name + ".port[" + std::to_string(end.port.count()) + "]";
}

void add_link(const LinkSpec& link, const Node& place, Scenario& scenario) {
  check_free(link.a, link.b, place, scenario);
  check_free(link.b, link.a, place, scenario);
  const BitRate a = rate_of(link.a, scenario), b = rate_of(link.b, scenario);
  if (a != b)
    place.fail("both ends of a link need the same rate, but " + name_of(link.a, scenario) +
               " has " + std::to_string(a.count()) + " bps and " + name_of(link.b, scenario) +
               " has " + std::to_string(b.count()) + " bps");
  scenario.links.push_back(link);
}

void read_links(TableReader& document, const TopologyPlan& plan, Scenario& scenario) {
  for (const TopologyPlan::Link& link : plan.links) {
    const auto end = [](std::size_t node, std::uint32_t port) {
      return LinkEnd{false, node, PortId{static_cast<std::uint16_t>(port)}};
    };
    add_link({end(link.a, link.a_port), end(link.b, link.b_port), link.delay}, *plan.node,
             scenario);
  }
  const Node* const list = document.find("link");
  if (list == nullptr) return;
  if (!list->is_array()) list->fail("must be a list of tables: [[link]]");
  for (const Node& node : list->children) read_link(node, scenario);
}

}  // namespace weir::scenario_sections
