// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// A value for each of the times of a series.
struct SeriesColumn {
  std::string_view name;
  bool is_flag{false};  ///< 0 or 1.
  std::vector<std::int64_t> values;
};

/// What was recorded under one name in the course of a run. Columns:
///   priority group, pool  private, shared, headroom, threshold (T; of a pool B), xoff (1: paused,
///                         by itself or its port), in cells
///   egress queue          waiting (q), min, max (of its WRED profile), in cells; marked: packets
///                         so far
///   rates                 peer (index of the host), connection (of those to it), rate_bps (R_C),
///                         target_bps (R_T), alpha_ppm, cnps so far: those of connections that
///                         begin at a host
struct Series {
  std::string name;  ///< As requested.
  std::vector<SeriesColumn> columns;
};

/// Records the first step of the switch in each period of `every`; rates where [monitor] finds them
/// changed.
///
/// Names are those of the waveform: `tor.port[0].pg[3]`, `tor.pool[lossless].domain[0]`,
/// `tor.port[3].queue[3]`; and `h3.rate[incast]`, of a traffic entry.
///
/// Units:   picoseconds, cells. All series of a switch have the same times.
/// Range:   `every` = 0 records each step. A period without a step has no entry: nothing changes in
/// it.
/// Errors:  ConfigError (key "series") when a name is not in the scenario, the queue has no WRED
///          profile, or the scenario no [monitor] that samples the rates.
/// Timing:  one call per step; work once per period.
class SeriesRecorder final : public Observer {
 public:
  SeriesRecorder(const Scenario& scenario, const std::vector<std::string>& names,
                 Picoseconds every);

  [[nodiscard]] bool wants_details() const override { return !series_.empty(); }
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override;
  void rate_sample(const RateSample& sample, Picoseconds time) override;

  /// In the order of the names.
  [[nodiscard]] const std::vector<Series>& series() const noexcept { return series_; }
  /// Times of the series of that name.
  [[nodiscard]] const std::vector<std::uint64_t>& times_of(std::size_t series) const noexcept {
    return switches_[places_[series].at].times;
  }

 private:
  /// Connections of a traffic entry that begin at a host.
  struct Sender {
    std::string host;
    std::size_t flow{0};
  };
  struct Place {
    std::size_t at{0};  // into switches_
    std::variant<PgIndex, PoolIndex, QueueIndex, Sender> index;
  };
  struct SwitchTimes {
    std::string name;  // of rates: as requested, which no switch is called
    Picoseconds next;
    std::vector<std::uint64_t> times;
  };

  [[nodiscard]] Place place_of(const Scenario& scenario, const std::string& name);
  [[nodiscard]] Place place_in_switch(const SwitchSpec& spec, const std::string& name);
  [[nodiscard]] Place place_of_rates(const Scenario& scenario, const std::string& name);
  [[nodiscard]] std::size_t times_at(const std::string& switch_name);
  [[nodiscard]] static std::vector<SeriesColumn> columns_of(const Place& place);
  static void add(Series& series, const Place& place, const Mmu& mmu, Cycle now);

  const Picoseconds every_;
  std::vector<Series> series_;
  std::vector<Place> places_;  // of each series
  std::vector<SwitchTimes> switches_;
};

}  // namespace weir
