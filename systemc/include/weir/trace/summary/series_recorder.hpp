// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Cells held by one priority group, or one pool of a memory domain, in the course of a run.
struct Series {
  std::string name;  ///< As requested.
  std::vector<std::uint32_t> private_cells, shared, headroom;
  std::vector<std::uint32_t> threshold;  ///< T; of a pool: B.
  std::vector<std::uint8_t> xoff;        ///< 1: paused, by itself or its port.
};

/// Records the first step of the switch in each period of `every`.
///
/// Names are those of the waveform: `tor.port[0].pg[3]`, `tor.pool[lossless].domain[0]`.
///
/// Units:   picoseconds, cells. All series of a switch have the same times.
/// Range:   `every` = 0 records each step. A period without a step has no entry: nothing changes in
/// it.
/// Errors:  ConfigError (key "series") when a name is not in the scenario.
/// Timing:  one call per step; work once per period.
class SeriesRecorder final : public Observer {
 public:
  SeriesRecorder(const Scenario& scenario, const std::vector<std::string>& names,
                 Picoseconds every);

  [[nodiscard]] bool wants_details() const override { return !series_.empty(); }
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override;

  /// In the order of the names.
  [[nodiscard]] const std::vector<Series>& series() const noexcept { return series_; }
  /// Times of the series of that name.
  [[nodiscard]] const std::vector<std::uint64_t>& times_of(std::size_t series) const noexcept {
    return switches_[places_[series].at].times;
  }

 private:
  struct Place {
    std::size_t at{0};  // into switches_
    std::variant<PgIndex, PoolIndex> index;
  };
  struct SwitchTimes {
    std::string name;
    Picoseconds next;
    std::vector<std::uint64_t> times;
  };

  [[nodiscard]] Place place_of(const Scenario& scenario, const std::string& name);
  [[nodiscard]] std::size_t times_at(const std::string& switch_name);
  static void add(Series& series, const Place& place, const Mmu& mmu, Cycle now);

  const Picoseconds every_;
  std::vector<Series> series_;
  std::vector<Place> places_;  // of each series
  std::vector<SwitchTimes> switches_;
};

}  // namespace weir
