// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenario_sections.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/format/names.hpp"
#include "weir/core/chip.hpp"

namespace weir::scenario_sections {
namespace {

// A host as written in the tables: what is a key of its own, and what it takes to connect it.
struct HostDraft : HostSpec {
  const Node* node{nullptr};  // place for messages about it
  std::optional<std::size_t> at_switch;
  std::optional<std::uint64_t> port;
  std::optional<Picoseconds> delay;
  std::optional<ResponseTime> own_response;  // by default that of the port's speed
};

// Keys that [hosts] and [host.NAME] share; sets the written ones in `draft`.
void read_common(TableReader& reader, const Scenario& scenario, HostDraft& draft) {
  if (const Node* const at = reader.find("switch"))  // all others follow from it
    draft.at_switch = switch_named(*at, to_text(*at), scenario);
  std::optional<Picoseconds> delay = Picoseconds{};  // a refused one is there nevertheless
  reader.attempt([&] { delay = read_delay(reader); });
  if (delay) draft.delay = delay;
  reader.set("obeys_pfc", to_boolean, draft.obeys_pfc);
  reader.set("response", to_response, draft.own_response);
}

// With several switches a host must name its switch.
std::size_t switch_of(const HostDraft& draft, const Scenario& scenario) {
  if (draft.at_switch) return *draft.at_switch;
  if (scenario.switches.size() == 1) return 0;
  draft.node->fail_missing("switch", "the switch it is connected to");
}

std::int64_t port_count(const HostDraft& draft, const Scenario& scenario) {
  const std::size_t node = switch_of(draft, scenario);
  return static_cast<std::int64_t>(scenario.switches[node].chip.ports.size());
}

// [hosts]: h0 at port first_port, h1 at the next ...
std::vector<HostDraft> read_star(TableReader reader, const Scenario& scenario) {
  const Node& node = reader.node();
  HostDraft common;
  common.node = &node;
  read_common(reader, scenario, common);
  const std::int64_t ports = port_count(common, scenario);
  const auto count = reader.get("count", integer_from(1, ports), "the number of hosts");
  const auto first = reader.get_or("first_port", integer_from(0, ports - count), std::int64_t{0});
  const auto prefix = reader.get_or("prefix", to_text, std::string{"h"});
  reader.finish();
  if (count == 0) return {};  // it was refused
  const Node* const written = reader.find("prefix");
  check_name(written == nullptr ? node : *written, "host", prefix + std::to_string(count - 1));
  std::vector<HostDraft> drafts;
  for (std::int64_t i = 0; i < count; ++i) {
    drafts.push_back(common);
    drafts.back().name = prefix + std::to_string(i);
    drafts.back().port = static_cast<std::uint64_t>(first + i);
  }
  return drafts;
}

// The hosts of a topology; [hosts] contains their common settings.
std::vector<HostDraft> read_planned(const TableReader& document, const TopologyPlan& plan,
                                    const Scenario& scenario) {
  const Node* const node = document.node().find("hosts");
  HostDraft common;
  common.node = plan.node;
  if (node != nullptr) {
    for (const char* key : {"count", "first_port", "prefix", "switch"})
      if (const Node* const value = node->find(key)) value->fail("follows from [topology]");
    TableReader reader = document.table(*node);
    common.node = node;
    read_common(reader, scenario, common);
    reader.finish();
  }
  std::vector<HostDraft> drafts;
  for (const TopologyPlan::Host& host : plan.hosts) {
    drafts.push_back(common);
    drafts.back().name = host.name;
    drafts.back().at_switch = host.node;
    drafts.back().port = host.port;
  }
  return drafts;
}

// When the host is dead, and when it is restarted.
void read_death(TableReader& reader, HostDraft& draft) {
  const Node* const from = reader.find("dead_from");
  const Node* const until = reader.find("dead_until");
  if (from == nullptr) {
    if (until != nullptr) until->fail("needs dead_from");
    return;
  }
  draft.dead_from = to_time(*from);
  if (until != nullptr) draft.dead_until = to_time_after(*until, *draft.dead_from, "dead_from");
}

// [host.NAME]: changes an existing host, or adds one.
void read_host(TableReader reader, const Scenario& scenario, HostDraft& draft) {
  const Node& node = reader.node();
  draft.name = node.name;
  draft.node = &node;
  read_common(reader, scenario, draft);
  if (const Node* const port = reader.find("port"))
    draft.port = static_cast<std::uint64_t>(to_integer(*port, 0, port_count(draft, scenario) - 1));
  const auto address = [](const Node& value) {
    const auto parsed = parse_ipv4(to_text(value));
    if (!parsed || *parsed == Ipv4{}) value.fail("must be an address such as \"10.0.3.1\"");
    return *parsed;
  };
  reader.set("address", address, draft.address);
  read_death(reader, draft);
  reader.finish();
}

// Of the host's own MAC: as it says, or the limit of the port's speed. A host that does not obey
// PFC needs none.
Picoseconds response_of(const HostDraft& draft, BitRate rate) {
  if (draft.own_response) return response_at(*draft.own_response, rate);
  const PortSpeed* const speed = find_port_speed(rate);
  if (speed != nullptr) return quanta_time(speed->response, rate);
  if (!draft.obeys_pfc) return Picoseconds{};
  const bool planned = draft.node->path == "topology";  // [hosts] is where it belongs
  throw FileError{draft.node->origin, planned ? "hosts.response" : draft.node->path_of("response"),
                  "", "is missing: it " + unknown_response(rate)};
}

// Tables [host.NAME]; false: one of them was refused.
bool read_own(TableReader& document, const Node& group, const Scenario& scenario,
              std::vector<HostDraft>& drafts) {
  const std::vector<Node>& tables = tables_by_name(group);
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < drafts.size(); ++i) known.emplace(drafts[i].name, i);
  bool good = true;
  for (const Node& node : tables) {
    good = document.attempt([&] {
      check_name(node, "host", node.name);
      const auto [place, fresh] = known.emplace(node.name, drafts.size());
      if (fresh) drafts.emplace_back();
      read_host(document.table(node), scenario, drafts[place->second]);
    }) && good;
  }
  return good;
}

void connect(const HostDraft& draft, Cabling& cabling, Scenario& scenario) {
  if (!draft.port) draft.node->fail_missing("port", "the port of the switch it is connected to");
  if (!draft.delay) draft.node->fail_missing("cable", "a length such as \"100 m\", or delay");
  const PortId port{static_cast<std::uint16_t>(*draft.port)};
  const std::size_t node = switch_of(draft, scenario);
  const BitRate rate = scenario.switches[node].chip.ports[port.count()].rate;
  HostSpec& host = scenario.hosts.emplace_back(draft);  // its keys
  host.rate = rate;
  host.response = response_of(draft, rate);
  cabling.add({{true, scenario.hosts.size() - 1, PortId{0}}, {false, node, port}, *draft.delay},
              *draft.node);
}

// Modules, results and routes are found by name, so names must be unique.
void check_names(const std::vector<HostDraft>& drafts, const Scenario& scenario) {
  std::set<std::string> names;
  for (const SwitchSpec& node : scenario.switches) names.insert(node.name);
  for (const HostDraft& draft : drafts)
    if (!names.insert(draft.name).second)
      draft.node->fail("there is a switch or host " + draft.name + " already");
}

}  // namespace

bool read_hosts(TableReader& document, const TopologyPlan& plan, Scenario& scenario) {
  std::vector<HostDraft> drafts;
  bool complete = true;
  const Node* const common = document.find("hosts");
  if (plan.node != nullptr) {
    drafts = read_planned(document, plan, scenario);
  } else if (common != nullptr) {
    drafts = read_star(document.table(*common), scenario);
    complete = !drafts.empty();
  }
  const Node* const group = document.find("host");
  if (group != nullptr) complete = read_own(document, *group, scenario, drafts) && complete;
  if (!complete) return false;
  if (drafts.empty()) document.node().fail_missing("hosts", "[hosts], or tables [host.NAME]");
  check_names(drafts, scenario);
  Cabling cabling{scenario};
  for (const HostDraft& draft : drafts) connect(draft, cabling, scenario);
  return true;
}

// Links of hosts are the first, in the order of the hosts: see connect().
const LinkEnd& port_of_host(std::size_t host, const Scenario& scenario) {
  return scenario.links[host].b;
}

}  // namespace weir::scenario_sections
