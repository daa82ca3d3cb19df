// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "scenario_sections.hpp"
#include "weir/core/pfc/port_speeds.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/units.hpp"

namespace weir::scenario_sections {
namespace {

using Plan = TopologyPlan;

constexpr auto max_nodes = static_cast<std::int64_t>(max_switches);
constexpr auto max_ports = static_cast<std::int64_t>(ArrivalArbiter::max_ports);
constexpr std::uint64_t max_hosts = 65'536;
constexpr std::uint64_t max_links = 262'144;  // between switches

// "6:1" as 6 and 1.
std::pair<std::uint64_t, std::uint64_t> to_ratio(const Node& value) {
  const std::string text = to_text(value);
  const std::size_t colon = text.find(':');
  const auto down = parse_count(std::string_view{text}.substr(0, colon));
  const auto up = colon == std::string::npos
                      ? std::nullopt
                      : parse_count(std::string_view{text}.substr(colon + 1));
  constexpr std::uint64_t most = 1000;
  if (!down || !up || *down == 0 || *up == 0 || *down > most || *up > most)
    value.fail("must be a ratio such as \"3:1\"");
  return {*down, *up};
}

/// The keys of [topology] that several kinds share.
struct Request {
  TableReader& reader;
  Plan& plan;
  std::optional<BitRate> host_rate, link_rate;
  Picoseconds delay;

  [[nodiscard]] std::uint32_t count(const char* key, const char* what, std::int64_t most) {
    return static_cast<std::uint32_t>(reader.get(key, integer_from(1, most), what));
  }
  [[nodiscard]] std::uint32_t count_or(const char* key, std::uint32_t otherwise) {
    return reader.get_or(key, integer_from(1, max_ports), otherwise);
  }
  // Number of `from` (rate from_rate) for `to` ports of rate to_rate at this ratio.
  [[nodiscard]] std::uint32_t in_ratio(const Node& ratio, std::uint32_t to,
                                       std::optional<BitRate> from_rate,
                                       std::optional<BitRate> to_rate) const {
    if (from_rate.has_value() != to_rate.has_value())
      ratio.fail("needs the rates of both sides, or of none where they are the same");
    const auto [down, up] = to_ratio(ratio);
    const std::uint64_t bits = to * down * (to_rate ? to_rate->count() : 1);
    const std::uint64_t part = up * (from_rate ? from_rate->count() : 1);
    if (bits % part != 0)
      ratio.fail("leads to no whole number of ports: " + std::to_string(bits) + " / " +
                 std::to_string(part));
    return static_cast<std::uint32_t>(bits / part);
  }
  // `hosts`, or the number that `oversubscription` allows for `uplinks`.
  [[nodiscard]] std::uint32_t hosts(std::uint32_t uplinks) {
    const Node* const ratio = reader.find("oversubscription");
    const Node* const hosts = reader.find("hosts");
    if (ratio == nullptr) return count("hosts", "hosts at each switch that has any", max_ports);
    std::uint32_t number = 0;
    const bool known = reader.good();
    reader.attempt([&] {
      if (hosts != nullptr) hosts->fail("must not be given with oversubscription, which gives it");
      if (known) number = in_ratio(*ratio, uplinks, host_rate, link_rate);
    });
    return number;
  }
  // Before they are made. Errors: FileError at [topology].
  void check_counts(std::uint64_t switches, std::uint64_t all_hosts, std::uint64_t links) const {
    const auto check = [&](std::uint64_t count, std::uint64_t most, const char* what) {
      if (most < count)
        plan.node->fail("makes " + std::to_string(count) + what + "; at most " +
                        std::to_string(most));
    };
    check(switches, static_cast<std::uint64_t>(max_nodes), " switches");
    check(all_hosts, max_hosts, " hosts");
    check(links, max_links, " links between switches");
  }
  void add_hosts(std::size_t node, std::uint32_t number) const {
    for (std::uint32_t h = 0; h < number; ++h)
      plan.hosts.push_back({plan.switches[node].name + "h" + std::to_string(h), node, h});
  }
  void add_switches(const char* prefix, std::uint32_t number, std::size_t tier) const {
    for (std::uint32_t i = 0; i < number; ++i)
      plan.switches.push_back({prefix + std::to_string(i), tier});
  }
};

// T0 with hosts T0h0, T0h1 ... at ports 0, 1 ...
void plan_star(Request& request) {
  const std::uint32_t hosts = request.count("hosts", "the number of hosts", max_ports);
  if (!request.reader.good()) return;
  request.plan.tiers = {{nullptr, {{0, hosts, request.host_rate}}, hosts}};
  request.add_switches("T", 1, 0);
  request.add_hosts(0, hosts);
}

// T0, T1 ... in a circle: hosts at the first ports, then the next switch, then the one before. Two
// switches have one link.
void plan_ring(Request& request) {
  const auto number = static_cast<std::uint32_t>(
      request.reader.get("switches", integer_from(2, max_nodes), "the number of switches"));
  const std::uint32_t hosts = request.count("hosts", "hosts at each switch", max_ports);
  if (!request.reader.good()) return;
  const std::uint32_t links = number == 2 ? 1 : 2;
  request.plan.tiers = {
      {nullptr, {{0, hosts, request.host_rate}, {hosts, links, request.link_rate}}, hosts + links}};
  request.check_counts(number, std::uint64_t{number} * hosts, number);
  request.add_switches("T", number, 0);
  for (std::uint32_t i = 0; i < number; ++i) request.add_hosts(i, hosts);
  for (std::uint32_t i = 0; i < (number == 2 ? 1 : number); ++i)
    request.plan.links.push_back({i, (i + 1) % number, hosts, hosts + links - 1, request.delay});
}

// Leaves L0 ... with hosts L0h0 ..., each linked to all spines S0 ...
void plan_leaf_spine(Request& request) {
  const std::uint32_t leaves = request.count("leaves", "the number of leaves", max_nodes);
  const std::uint32_t spines = request.count("spines", "the number of spines", max_ports);
  const std::uint32_t links = request.count_or("links", 1);  // between a leaf and a spine
  const std::uint32_t hosts = request.hosts(spines * links);
  request.plan.tiers = {
      {request.reader.find("leaf"),
       {{0, hosts, request.host_rate}, {hosts, spines * links, request.link_rate}},
       hosts + spines * links},
      {request.reader.find("spine"), {{0, leaves * links, request.link_rate}}, leaves * links}};
  if (!request.reader.good()) return;
  request.check_counts(std::uint64_t{leaves} + spines, std::uint64_t{leaves} * hosts,
                       std::uint64_t{leaves} * spines * links);
  request.add_switches("L", leaves, 0);
  request.add_switches("S", spines, 1);
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    request.add_hosts(leaf, hosts);
    for (std::uint32_t spine = 0; spine < spines; ++spine)
      for (std::uint32_t k = 0; k < links; ++k)
        request.plan.links.push_back(
            {leaf, leaves + spine, hosts + spine * links + k, leaf * links + k, request.delay});
  }
}

/// A Clos of three tiers. Leaf j of a podset has spines j x spines_per_leaf ... (modulo spines).
struct Clos {
  std::uint32_t podsets, tors, leaves, spines, spines_per_leaf, hosts;

  [[nodiscard]] std::uint32_t all_tors() const { return podsets * tors; }
  [[nodiscard]] std::uint32_t all_leaves() const { return podsets * leaves; }
  // Links between a spine and a podset.
  [[nodiscard]] std::uint32_t links_per_podset() const { return leaves * spines_per_leaf / spines; }
};

Clos read_clos(Request& request, std::optional<BitRate> spine_rate) {
  Clos clos{};
  clos.podsets = request.count("podsets", "the number of podsets", max_nodes);
  clos.tors = request.count("tors", "ToRs in each podset", max_ports);
  clos.leaves = request.count("leaves", "leaves in each podset", max_ports);
  clos.spines = request.count("spines", "the number of spines", max_nodes);
  clos.hosts = request.hosts(clos.leaves);
  const Node* const ratio = request.reader.find("leaf_oversubscription");
  const Node* const each = request.reader.find("spines_per_leaf");
  if (ratio != nullptr && each != nullptr)
    request.reader.attempt(
        [&] { each->fail("must not be given with leaf_oversubscription, which gives it"); });
  if (!request.reader.good()) return clos;
  if (ratio != nullptr) {
    // The ratio seen from above: ports up for the ports down.
    const auto [down, up] = to_ratio(*ratio);
    const std::uint64_t bits =
        clos.tors * up * (request.link_rate && spine_rate ? request.link_rate->count() : 1);
    const std::uint64_t part = down * (request.link_rate && spine_rate ? spine_rate->count() : 1);
    if (bits % part != 0) ratio->fail("leads to no whole number of spines at a leaf");
    clos.spines_per_leaf = static_cast<std::uint32_t>(bits / part);
  } else {
    clos.spines_per_leaf =
        request.count_or("spines_per_leaf", std::max(1U, clos.spines / clos.leaves));
    if (!request.reader.good()) return clos;
  }
  const Node* const place = ratio != nullptr  ? ratio
                            : each != nullptr ? each
                                              : &request.reader.node();
  if (clos.spines < clos.spines_per_leaf || clos.leaves * clos.spines_per_leaf % clos.spines != 0)
    place->fail("the " + std::to_string(clos.leaves) + " leaves of a podset with " +
                std::to_string(clos.spines_per_leaf) + " spines each do not spread evenly over " +
                std::to_string(clos.spines) + " spines");
  return clos;
}

void link_podset(const Request& request, const Clos& clos, std::uint32_t podset,
                 Picoseconds spine_delay) {
  const std::uint32_t first_tor = podset * clos.tors;
  const std::uint32_t first_leaf = clos.all_tors() + podset * clos.leaves;
  const std::uint32_t first_spine = clos.all_tors() + clos.all_leaves();
  for (std::uint32_t tor = 0; tor < clos.tors; ++tor)
    for (std::uint32_t leaf = 0; leaf < clos.leaves; ++leaf)
      request.plan.links.push_back(
          {first_tor + tor, first_leaf + leaf, clos.hosts + leaf, tor, request.delay});
  for (std::uint32_t up = 0; up < clos.leaves * clos.spines_per_leaf; ++up) {
    const std::uint32_t spine_port = podset * clos.links_per_podset() + up / clos.spines;
    request.plan.links.push_back({first_leaf + up / clos.spines_per_leaf,
                                  first_spine + up % clos.spines,
                                  clos.tors + up % clos.spines_per_leaf, spine_port, spine_delay});
  }
}

// ToRs T0 ... with hosts T0h0 ..., leaves L0 ... and spines S0 ...; those of podset 0 come first.
void plan_clos(Request& request) {
  TableReader& reader = request.reader;
  std::optional<BitRate> spine_rate = request.link_rate;
  reader.set("spine_rate", to_port_rate, spine_rate);
  Picoseconds spine_delay = request.delay;
  reader.attempt([&] { spine_delay = read_delay(reader, "spine_").value_or(request.delay); });
  for (const char* const tier : {"tor", "leaf", "spine"}) static_cast<void>(reader.find(tier));
  const Clos clos = read_clos(request, spine_rate);
  if (!reader.good()) return;
  request.plan.tiers = {
      {reader.find("tor"),
       {{0, clos.hosts, request.host_rate}, {clos.hosts, clos.leaves, request.link_rate}},
       clos.hosts + clos.leaves},
      {reader.find("leaf"),
       {{0, clos.tors, request.link_rate}, {clos.tors, clos.spines_per_leaf, spine_rate}},
       clos.tors + clos.spines_per_leaf},
      {reader.find("spine"),
       {{0, clos.podsets * clos.links_per_podset(), spine_rate}},
       clos.podsets * clos.links_per_podset()}};
  request.check_counts(std::uint64_t{clos.all_tors()} + clos.all_leaves() + clos.spines,
                       std::uint64_t{clos.all_tors()} * clos.hosts,
                       std::uint64_t{clos.podsets} * clos.leaves *
                           (std::uint64_t{clos.tors} + clos.spines_per_leaf));
  request.add_switches("T", clos.all_tors(), 0);
  request.add_switches("L", clos.all_leaves(), 1);
  request.add_switches("S", clos.spines, 2);
  for (std::uint32_t tor = 0; tor < clos.all_tors(); ++tor) request.add_hosts(tor, clos.hosts);
  for (std::uint32_t podset = 0; podset < clos.podsets; ++podset)
    link_podset(request, clos, podset, spine_delay);
}

Picoseconds delay_of_links(TableReader& reader) {
  const std::optional<Picoseconds> delay = read_delay(reader);
  if (!delay)
    reader.node().fail_missing("cable",
                               "of the links between switches: a length such as "
                               "\"100 m\", or delay");
  return *delay;
}

void check_tiers(const Plan& plan) {
  for (const Plan::Tier& tier : plan.tiers)
    if (tier.chip != nullptr && !tier.chip->is_table())
      tier.chip->fail("must be a table: what the chips of this tier have");
}

}  // namespace

TopologyPlan read_topology(TableReader& document) {
  constexpr std::array<std::pair<const char*, void (*)(Request&)>, 4> kinds{
      {{"star", plan_star},
       {"ring", plan_ring},
       {"leaf_spine", plan_leaf_spine},
       {"clos", plan_clos}}};
  TopologyPlan plan;
  plan.node = document.find("topology");
  if (plan.node == nullptr) return plan;
  TableReader reader = document.table(*plan.node);
  const auto make = reader.get(
      "kind", [&](const Node& value) { return to_choice(value, kinds); }, one_of(kinds));
  if (make == nullptr) return plan;  // refused, and with it what the other keys are
  Request request{reader, plan, {}, {}, {}};
  reader.set("host_rate", to_port_rate, request.host_rate);
  if (make != plan_star) {
    reader.set("link_rate", to_port_rate, request.link_rate);
    reader.attempt([&] { request.delay = delay_of_links(reader); });
  }
  reader.attempt([&] { make(request); });
  reader.finish();
  if (reader.good()) check_tiers(plan);
  return plan;
}

}  // namespace weir::scenario_sections
