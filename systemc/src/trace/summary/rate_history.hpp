// SPDX-License-Identifier: Apache-2.0
// Rates of connections over time: from the samples of a monitor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/trace/summary/bounded_series.hpp"

namespace weir {

/// R_C of each connection with rate control, as [monitor] samples it; without one it stays empty.
///
/// Units: Mbit/s, rounded down.
class RateHistory {
 public:
  struct Connection {
    std::string name;           ///< "h3, incast": its host and traffic entry.
    std::string receiver;       ///< The host that it ends at.
    std::uint32_t at_start{0};  ///< Before the first sample it sends at the line rate.
    std::uint64_t cnps{0};      ///< So far.
    std::size_t series{0};
  };

  explicit RateHistory(const Scenario& scenario);

  void sample(const RateSample& sample, Picoseconds time);

  /// Those with the most CNPs: 8 of each of the 8 receivers that come first so.
  [[nodiscard]] std::vector<const Connection*> busiest() const;
  /// R_C of each of them.
  [[nodiscard]] std::vector<std::vector<SeriesPoint>> points_of_busiest() const;
  [[nodiscard]] Picoseconds bucket_width() const noexcept { return series_.width(); }

 private:
  // By host, traffic entry, peer, and number among those to this peer.
  using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint16_t>;

  [[nodiscard]] Connection& connection_of(const RateSample& sample);

  const Scenario& scenario_;
  BoundedSeries series_;
  std::map<Key, std::size_t> places_;    // into connections_
  std::vector<Connection> connections_;  // in the order of their first samples
};

}  // namespace weir
