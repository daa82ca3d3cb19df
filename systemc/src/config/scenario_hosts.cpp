// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "scenario_sections.hpp"
#include "weir/core/chip.hpp"

namespace weir::scenario_sections {
namespace {

constexpr Picoseconds default_per_metre{5000};
constexpr std::uint64_t millimetres_per_metre = 1000;

// A host as the tables say it; unset is what a default may still fill.
struct HostDraft {
  std::string name;
  const Node* node{nullptr};  // where messages about it point to
  std::optional<std::uint64_t> port;
  std::optional<Picoseconds> delay;
  std::optional<bool> obeys_pfc;
  std::optional<Picoseconds> response;
};

Picoseconds cable_delay(Millimetres length, Picoseconds per_metre) {
  const std::uint64_t product = length.count() * per_metre.count();
  return Picoseconds{(product + millimetres_per_metre - 1) / millimetres_per_metre};
}

// Keys that [hosts] and [host.NAME] share; those written go into `draft`.
void read_common(TableReader& reader, const Scenario& scenario, HostDraft& draft) {
  const Node* const tor = reader.find("switch");
  if (tor != nullptr && to_text(*tor) != scenario.switches.front().name) {
    tor->fail("there is no such switch, it is called " + scenario.switches.front().name);
  }
  const Node* const cable = reader.find("cable");
  const Node* const delay = reader.find("delay");
  const Picoseconds per_metre = reader.get_or("delay_per_metre", to_time, default_per_metre);
  if (cable != nullptr && delay != nullptr) {
    delay->fail("must not stand beside cable, from whose length the delay follows");
  }
  if (delay != nullptr) draft.delay = to_time(*delay);
  if (cable != nullptr) {
    const Millimetres length = to_length(*cable);
    if (length > Millimetres{1'000'000'000} || per_metre > Picoseconds{1'000'000'000}) {
      cable->fail("must be at most \"1000 km\" of at most \"1 ms\" per metre");
    }
    draft.delay = cable_delay(length, per_metre);
  }
  if (const Node* const obeys = reader.find("obeys_pfc")) draft.obeys_pfc = to_boolean(*obeys);
  if (const Node* const response = reader.find("response")) draft.response = to_time(*response);
}

// [hosts]: h0 at port first_port, h1 at the next ...
std::vector<HostDraft> read_star(const Node& node, const Scenario& scenario) {
  const auto ports = static_cast<std::int64_t>(scenario.switches.front().chip.ports.size());
  TableReader reader{node};
  const auto count = reader.get("count", integer_from(1, ports), "the number of hosts");
  const auto first = reader.get_or("first_port", integer_from(0, ports - count), std::int64_t{0});
  const auto prefix = reader.get_or("prefix", to_text, std::string{"h"});
  HostDraft common;
  common.node = &node;
  read_common(reader, scenario, common);
  reader.finish();
  std::vector<HostDraft> drafts;
  for (std::int64_t i = 0; i < count; ++i) {
    drafts.push_back(common);
    drafts.back().name = prefix + std::to_string(i);
    drafts.back().port = static_cast<std::uint64_t>(first + i);
  }
  return drafts;
}

// [host.NAME]: changes a host of [hosts], or adds one.
void read_host(const Node& node, const Scenario& scenario, std::vector<HostDraft>& drafts) {
  const auto ports = static_cast<std::int64_t>(scenario.switches.front().chip.ports.size());
  HostDraft* draft = nullptr;
  for (HostDraft& known : drafts) {
    if (known.name == node.name) draft = &known;
  }
  if (draft == nullptr) {
    drafts.emplace_back();
    draft = &drafts.back();
    draft->name = node.name;
  }
  draft->node = &node;
  TableReader reader{node};
  if (const Node* const port = reader.find("port")) {
    draft->port = static_cast<std::uint64_t>(to_integer(*port, 0, ports - 1));
  }
  read_common(reader, scenario, *draft);
  reader.finish();
}

void connect(const HostDraft& draft, Scenario& scenario) {
  if (!draft.port) draft.node->fail_missing("port", "the port of the switch it is connected to");
  if (!draft.delay) draft.node->fail_missing("cable", "a length such as \"100 m\", or delay");
  const PortId port{static_cast<std::uint16_t>(*draft.port)};
  for (const LinkSpec& link : scenario.links) {
    if (link.b.port != port) continue;
    draft.node->fail("host " + draft.name + " is at port " + std::to_string(port.count()) +
                     ", where " + scenario.hosts[link.a.node].name + " is already");
  }
  const BitRate rate = scenario.switches.front().chip.ports[port.count()].rate;
  HostSpec host;
  host.name = draft.name;
  host.rate = rate;
  host.obeys_pfc = draft.obeys_pfc.value_or(true);
  host.response = draft.response.value_or(quanta_time(response_limit(rate), rate));
  scenario.links.push_back(
      {{true, scenario.hosts.size(), PortId{0}}, {false, 0, port}, *draft.delay});
  scenario.hosts.push_back(std::move(host));
}

}  // namespace

void read_hosts(TableReader& document, Scenario& scenario) {
  std::vector<HostDraft> drafts;
  const Node* const star = document.find("hosts");
  if (star != nullptr) drafts = read_star(*star, scenario);
  const Node* const group = document.find("host");
  if (group != nullptr) {
    if (!group->is_table()) group->fail("must be tables, [host.NAME]");
    for (const Node& node : group->children) read_host(node, scenario, drafts);
  }
  if (drafts.empty()) document.node().fail_missing("hosts", "[hosts], or tables [host.NAME]");
  for (const HostDraft& draft : drafts) connect(draft, scenario);
}

}  // namespace weir::scenario_sections
