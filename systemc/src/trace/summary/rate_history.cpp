// SPDX-License-Identifier: Apache-2.0
#include "summary/rate_history.hpp"

#include <algorithm>
#include <utility>

#include "weir/trace/summary/report_shape.hpp"

namespace weir {
namespace {

constexpr std::size_t points_kept = 1U << 16;  // in memory: 1 MiB
constexpr std::uint64_t mbps = 1'000'000;

}  // namespace

RateHistory::RateHistory(const Scenario& scenario)
    : scenario_{scenario}, series_{scenario.until, points_kept} {}

RateHistory::Connection& RateHistory::connection_of(const RateSample& sample) {
  const ConnectionRate& rate = sample.rate;
  const auto [place, is_new] =
      places_.emplace(Key{sample.host, rate.flow, rate.peer, rate.connection}, connections_.size());
  if (is_new) {
    const TrafficSpec& traffic = scenario_.traffic[rate.flow];
    const auto host = std::find_if(scenario_.hosts.begin(), scenario_.hosts.end(),
                                   [&](const HostSpec& spec) { return spec.name == sample.host; });
    std::string name = sample.host + ", " + traffic.name;
    if (traffic.connections != 1) name += ", connection " + std::to_string(rate.connection);
    connections_.push_back({std::move(name), sample.peer,
                            static_cast<std::uint32_t>(host->rate.count() / mbps), 0,
                            series_.add(1)});
  }
  return connections_[place->second];
}

void RateHistory::sample(const RateSample& sample, Picoseconds time) {
  Connection& connection = connection_of(sample);
  connection.cnps = sample.rate.cnps;
  series_.move_to(time);
  series_.set(connection.series, static_cast<std::uint32_t>(sample.rate.rate.count() / mbps));
}

std::vector<const RateHistory::Connection*> RateHistory::busiest() const {
  std::vector<const Connection*> ranked, shown;
  for (const Connection& connection : connections_) ranked.push_back(&connection);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Connection* a, const Connection* b) { return b->cnps < a->cnps; });
  std::map<std::string, std::size_t> by_receiver;
  for (const Connection* const connection : ranked) {
    const bool known = by_receiver.count(connection->receiver) != 0;
    if (!known && by_receiver.size() == rate_receivers) continue;
    if (++by_receiver[connection->receiver] <= rates_of_receiver) shown.push_back(connection);
  }
  return shown;
}

std::vector<std::vector<SeriesPoint>> RateHistory::points_of_busiest() const {
  std::vector<std::vector<SeriesPoint>> points;
  for (const Connection* const connection : busiest())
    points.push_back(series_.points(connection->series, 0));
  return points;
}

}  // namespace weir
