// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>

#include "scenario_sections.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/format/names.hpp"
#include "weir/core/tables/flow_hash.hpp"

namespace weir::scenario_sections {
namespace {

constexpr std::uint8_t host_length = 32;

// "10.0.3.0/24", "10.0.3.1", a host, or a switch, which means its hosts.
Ipv4Prefix to_destination(const Node& value, const Scenario& scenario) {
  const std::string text = to_text(value);
  if (const auto prefix = parse_ipv4_prefix(text)) return *prefix;
  if (const auto address = parse_ipv4(text)) return {*address, host_length};
  for (const HostSpec& host : scenario.hosts)
    if (host.name == text) return {host.address, host_length};
  const AddressPlan plan = plan_addresses(scenario);
  for (std::size_t i = 0; i < scenario.switches.size(); ++i) {
    if (scenario.switches[i].name != text) continue;
    if (!plan.subnets[i]) value.fail("no host is connected to this switch");
    return *plan.subnets[i];
  }
  value.fail(
      "must be a prefix such as \"10.0.3.0/24\" (host bits are 0), an address, a host, or a switch "
      "(all its hosts)");
}

// Ports of `node` that lead to one of the neighbours named.
std::vector<PortId> ports_towards(const Node& via, std::size_t node, const Scenario& scenario) {
  std::vector<PortId> ports;
  for (const std::string& name : to_names(via)) {
    const std::size_t before = ports.size();
    for (const LinkSpec& link : scenario.links) {
      for (const auto& [here, there] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
        if (here.is_host || here.node != node) continue;
        const std::string& peer =
            there.is_host ? scenario.hosts[there.node].name : scenario.switches[there.node].name;
        if (peer == name) ports.push_back(here.port);
      }
    }
    if (ports.size() == before)
      via.fail("no link leads from " + scenario.switches[node].name + " to " + name);
  }
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return ports;
}

void read_times(TableReader& reader, const Scenario& scenario, RouteSpec& route) {
  route.from = reader.get_or("from", to_time, Picoseconds{0});
  const Node* const until = reader.find("until");
  if (const Node* const from = reader.find("from"))
    if (scenario.until <= route.from) from->fail("must be before the end of the run");
  if (until != nullptr) route.until = to_time_after(*until, route.from, "from");
}

void read_route(const TableReader& document, const Node& node, Scenario& scenario) {
  TableReader reader = document.table(node);
  reader.require("switch", "the switch that has the route");
  const Node* const switches = reader.find("switch");
  RouteSpec route;
  route.to = reader.get(
      "to", [&](const Node& value) { return to_destination(value, scenario); },
      "a prefix such as \"10.0.3.0/24\", a host or a switch");
  const Node* const via = reader.find("via");
  const Node* const ports = reader.find("ports");
  reader.attempt([&] {
    if (via != nullptr && ports != nullptr) ports->fail("must not be given with via");
    if (via == nullptr && ports == nullptr)
      node.fail_missing("via", "the next switches or hosts, or \"discard\"; or ports");
  });
  reader.attempt([&] { read_times(reader, scenario, route); });
  reader.finish();
  if (!reader.good()) return;
  const bool discards = via != nullptr && via->kind == Node::Kind::text && via->text == "discard";
  for (const std::string& name : to_names(*switches)) {
    route.node = switch_named(*switches, name, scenario);
    if (!discards)
      route.ports = via != nullptr ? ports_towards(*via, route.node, scenario)
                                   : to_ports(*ports, route.node, scenario);
    scenario.routes.push_back(route);
  }
}

std::string to_flow_hash(const Node& value) {
  std::vector<std::string> names;
  for (const FlowHash& row : flow_hashes()) names.emplace_back(row.name);
  std::string name = to_text(value);
  if (find_flow_hash(name) == nullptr) value.fail("must be one of " + joined(names));
  return name;
}

void read_ecmp(const TableReader& document, const Node& node, EcmpSpec& ecmp) {
  TableReader reader = document.table(node);
  reader.set("hash", to_flow_hash, ecmp.hash);
  reader.set("seed", integer_from(0, std::numeric_limits<std::uint32_t>::max()), ecmp.seed);
  reader.finish();
}

// Frames are routed by address, so no two hosts may have the same.
void check_addresses(const Node& document, const Scenario& scenario) {
  std::map<Ipv4, const HostSpec*> owners;
  for (const HostSpec& host : scenario.hosts) {
    const auto [other, fresh] = owners.emplace(host.address, &host);
    if (fresh) continue;
    // At least one of the two is written in the file, because derived addresses differ.
    const Node* const tables = document.find("host");
    const Node* table = tables == nullptr ? nullptr : tables->find(host.name);
    if (table == nullptr || table->find("address") == nullptr)
      table = tables->find(other->second->name);
    table->find("address")->fail("is the address of " + other->second->name + " and of " +
                                 host.name);
  }
}

}  // namespace

void read_routes(TableReader& document, Scenario& scenario) {
  document.attempt([&] { check_addresses(document.node(), scenario); });
  if (const Node* const ecmp = document.find("ecmp"))
    document.attempt([&] { read_ecmp(document, *ecmp, scenario.ecmp); });
  for (const Node& node : document.tables("route"))
    document.attempt([&] { read_route(document, node, scenario); });
}

}  // namespace weir::scenario_sections
