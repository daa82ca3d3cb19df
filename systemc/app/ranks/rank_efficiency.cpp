// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_efficiency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "text/format.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/units.hpp"

namespace weir {
namespace {

using Clock = std::chrono::steady_clock;

// A packet through one switch, with everything that is recorded by default
// (docs/measurements/performance.md).
constexpr double hop_seconds = 600e-9;
constexpr double worth_it = 0.6;
constexpr std::size_t ways_looked_at = 32;  // of a traffic entry

// Switches from the one of each host, which is 1 itself, by distance.
class Distances {
 public:
  explicit Distances(const Scenario& scenario)
      : peers_(scenario.switches.size()), switch_of_(scenario.hosts.size(), 0) {
    for (const LinkSpec& link : scenario.links) {
      if (link.a.is_host && !link.b.is_host) switch_of_[link.a.node] = link.b.node;
      if (link.b.is_host && !link.a.is_host) switch_of_[link.b.node] = link.a.node;
      if (link.a.is_host || link.b.is_host) continue;
      peers_[link.a.node].push_back(link.b.node);
      peers_[link.b.node].push_back(link.a.node);
    }
  }
  [[nodiscard]] std::size_t between(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> distance(peers_.size(), 0), order{switch_of_[from]};
    distance[order.front()] = 1;
    for (std::size_t next = 0; next < order.size() && distance[switch_of_[to]] == 0; ++next)
      for (const std::size_t peer : peers_[order[next]]) {
        if (distance[peer] != 0) continue;
        distance[peer] = distance[order[next]] + 1;
        order.push_back(peer);
      }
    return distance[switch_of_[to]];
  }

 private:
  std::vector<std::vector<std::size_t>> peers_;
  std::vector<std::size_t> switch_of_;
};

double packets_a_second(const Scenario& scenario, const TrafficSpec& traffic, std::size_t sender) {
  const BitRate line = scenario.hosts[traffic.from[sender]].rate;
  const BitRate rate = traffic.rate == BitRate{} ? line : std::min(line, traffic.rate);
  const double bits = 8.0 * static_cast<double>((traffic.packet + slot_overhead_bytes).count());
  const double on = static_cast<double>(traffic.on_time.count());
  const double off = static_cast<double>(traffic.off_time.count());
  const double share = on == 0 ? 1 : on / (on + off);
  return static_cast<double>(rate.count()) * share / bits;
}

// Of one exchange and one reduction, the shortest of some: what others do to the machine apart.
double sync_seconds(NetworkRank& rank) {
  constexpr int rounds = 50;
  double shortest = 1;
  for (int i = 0; i < rounds; ++i) {
    const Clock::time_point start = Clock::now();
    rank.meet();
    static_cast<void>(rank.transport().least(0));
    shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return shortest;
}

}  // namespace

double hops_a_second(const Scenario& scenario) {
  const Distances distances{scenario};
  double sum = 0;
  for (const TrafficSpec& traffic : scenario.traffic) {
    if (traffic.from.empty() || traffic.to.empty()) continue;
    const std::size_t step = std::max<std::size_t>(1, traffic.from.size() / ways_looked_at);
    double hops = 0, ways = 0;
    for (std::size_t i = 0; i < traffic.from.size(); i += step, ways += 1)
      hops += static_cast<double>(
          distances.between(traffic.from[i], traffic.to[i % traffic.to.size()]));
    for (std::size_t i = 0; i < traffic.from.size(); ++i)
      sum += packets_a_second(scenario, traffic, i) * hops / ways;
  }
  return sum;
}

std::string predicted_efficiency(NetworkRank& rank, const Scenario& scenario) {
  const double sync = sync_seconds(rank);
  const double window =
      static_cast<double>(rank.lookahead().count()) / static_cast<double>(picoseconds_per_second);
  const auto ranks = static_cast<double>(rank.partition().ranks);
  const double hops = hops_a_second(scenario) * window / ranks;
  const double work = hops * hop_seconds;
  const double efficiency = work / (work + sync);
  const std::string text = fmt::format(
      "weir: {} ranks, windows of {}: {:.0f} hops a window and rank, {:.1f} us, against "
      "{:.1f} us for a sync: predicted efficiency {:.0f} %",
      rank.partition().ranks, format_quantity(rank.lookahead()), hops, work * 1e6, sync * 1e6,
      efficiency * 100);
  if (worth_it <= efficiency) return text;
  return text + "\nweir: warning: most of the time of the ranks goes to waiting: use fewer of them";
}

}  // namespace weir
