// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "scenario_sections.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/scenario/host_dscp.hpp"

namespace weir::scenario_sections {
namespace {

constexpr std::uint64_t max_ping_pairs = 1'048'576;

enum class Pairing : std::uint8_t { all, paired };

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs all_pairs(const Node& to, const std::vector<std::size_t>& from,
                const std::vector<std::size_t>& list) {
  Pairs pairs;
  for (const std::size_t a : from)
    for (const std::size_t b : list)
      if (a != b) pairs.emplace_back(a, b);
  if (pairs.empty()) to.fail("a host does not probe itself: name another one");
  return pairs;
}

Pairs one_to_one(const Node& to, const std::vector<std::size_t>& from,
                 const std::vector<std::size_t>& list) {
  if (from.size() != list.size())
    to.fail("must be as many hosts as from, which are " + std::to_string(from.size()) +
            "; here are " + std::to_string(list.size()));
  Pairs pairs;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == list[i]) to.fail("a host does not probe itself");
    pairs.emplace_back(from[i], list[i]);
  }
  return pairs;
}

Pairs pairs_of(const Node& place, Pairing pairing, const std::vector<std::size_t>& from,
               const std::vector<std::size_t>& to) {
  if (pairing == Pairing::all && max_ping_pairs / from.size() < to.size())
    place.fail("makes " + std::to_string(std::uint64_t{from.size()} * to.size()) +
               " pairs; at most " + std::to_string(max_ping_pairs));
  Pairs pairs = pairing == Pairing::all ? all_pairs(place, from, to) : one_to_one(place, from, to);
  Pairs sorted = pairs;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    place.fail("must name each pair once");
  return pairs;
}

// The first keys that are read: the pairs follow from all of them.
void read_pairs(TableReader& reader, const Scenario& scenario, PingmeshSpec& spec) {
  constexpr std::array<std::pair<const char*, Pairing>, 2> pairings{
      {{"all", Pairing::all}, {"paired", Pairing::paired}}};
  const HostIndex index{scenario};
  const auto hosts = [&](const Node& value) { return index.hosts_in(value); };
  const auto from = reader.get("from", hosts, "the servers that probe, such as \"h[0-15]\"");
  const auto to = reader.get_or("to", hosts, from);
  const auto pairing = reader.get_or(
      "pairs", [&](const Node& value) { return to_choice(value, pairings); }, Pairing::all);
  if (!reader.good()) return;
  const Node& place = reader.find("to") == nullptr ? *reader.find("from") : *reader.find("to");
  reader.attempt([&] { spec.pairs = pairs_of(place, pairing, from, to); });
}

void read_classes(TableReader& reader, PingmeshSpec& spec) {
  const auto classes = [](const Node& value) { return to_some_numbers(value, priorities); };
  for (const std::uint32_t priority :
       reader.get("priorities", classes, "the classes to probe in, such as [3] or [1, 3]"))
    spec.classes.emplace_back(static_cast<std::uint8_t>(priority));
}

// The switch of each host can recognise the class of its probes and answers.
void require_classes(TableReader& reader, const Scenario& scenario, const PingmeshSpec& spec) {
  const Node* const place = reader.find("priorities");
  if (place == nullptr) return;  // it was refused
  const HostDscp dscps{scenario};
  for (const Priority priority : spec.classes)
    for (const auto& [from, to] : spec.pairs)
      for (const std::size_t host : {from, to})
        if (!dscps.can_mean(host, priority))
          place->fail("class " + std::to_string(priority.count()) +
                      " has no DSCP at the switch of " + scenario.hosts[host].name +
                      ": name one in [classify.dscp] of its chip");
}

void read_times(TableReader& reader, const Scenario& scenario, PingmeshSpec& spec) {
  constexpr Picoseconds usual_interval{1'000'000'000}, usual_timeout{10'000'000'000};
  spec.interval = reader.get_or("interval", to_positive_duration, usual_interval);
  spec.timeout = reader.get_or("timeout", to_positive_duration, usual_timeout);
  spec.turnaround = reader.get_or("turnaround", to_duration, Picoseconds{});
  spec.start = reader.get_or("start", to_time, Picoseconds{});
  reader.set(
      "stop", [&](const Node& value) { return to_time_after(value, spec.start, "start"); },
      spec.stop);
  if (!reader.good()) return;  // the number of probes follows from all keys
  constexpr std::uint64_t most = 100'000'000;
  const std::uint64_t rounds = scenario.until.count() / spec.interval.count() + 1;
  if (most / rounds < spec.pairs.size() * spec.classes.size())
    reader.attempt([&] {
      reader.node().fail(
          "must not send more than 100,000,000 probes: fewer pairs or a longer "
          "interval");
    });
}

// Every look visits each class of both ports of every link.
void check_samples(const Node& value, Picoseconds period, const Scenario& scenario) {
  constexpr std::uint64_t most = 10'000'000'000;
  const std::uint64_t places = scenario.links.size() * 2 * priorities;
  const std::uint64_t looks = scenario.until.count() / period.count() + 1;
  if (places == 0 || looks <= most / places) return;
  const std::uint64_t least = scenario.until.count() / (most / places) + 1;
  value.fail("must be at least \"" + std::to_string(least) + " ps\": a look at the " +
             std::to_string(places) + " classes of all ports every period makes at most " +
             std::to_string(most) + " samples");
}

}  // namespace

void read_desired(TableReader& document, const TopologyPlan& plan,
                  const std::filesystem::path& folder, Scenario& scenario) {
  std::vector<DesiredChip>& desired = scenario.monitor.desired;
  std::set<std::size_t> seen;
  for (const Node& block : document.tables("desired"))
    document.attempt([&] {
      if (!block.is_table()) block.fail("must be a table [[desired]]");
      for (const std::size_t node : switches_in(block.find("names"), scenario)) {
        if (!seen.insert(node).second)
          block.fail("is about " + scenario.switches[node].name + " a second time");
        document.attempt([&] {
          desired.push_back({node, chip_with(document, plan, node, block, folder, scenario)});
        });
      }
    });
  std::sort(desired.begin(), desired.end(), [&](const DesiredChip& a, const DesiredChip& b) {
    return natural_less(scenario.switches[a.node].name, scenario.switches[b.node].name);
  });
}

void read_monitor(TableReader& document, Scenario& scenario) {
  const Node* const node = document.find("monitor");
  if (node == nullptr) return;
  TableReader reader = document.table(*node);
  const Picoseconds period =
      reader.get("period", to_positive_duration, "how often to look, such as \"100 us\"");
  reader.finish();
  if (!reader.good()) return;
  check_samples(*reader.find("period"), period, scenario);
  scenario.monitor.period = period;
}

void read_pingmesh(TableReader& document, Scenario& scenario) {
  const Node* const node = document.find("pingmesh");
  if (node == nullptr) return;
  TableReader reader = document.table(*node);
  PingmeshSpec spec;
  read_pairs(reader, scenario, spec);
  read_classes(reader, spec);
  require_classes(reader, scenario, spec);
  spec.packet = read_packet(reader, spec.packet, scenario);
  read_times(reader, scenario, spec);
  reader.finish();
  if (reader.good()) scenario.pingmesh = std::move(spec);
}

}  // namespace weir::scenario_sections
