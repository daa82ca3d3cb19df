// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/observer.hpp"

namespace weir {
class LinkPeriods;

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
///   sending wire          busy_ps: time that frames took of the period, preamble and gap
///                         included; load_ppm: the same as a share of the period, rounded down
///   class of a wire       paused_ps: time of the period in which no frame of the class might
///                         start; paused: 1 if that was so when the period began
struct Series {
  std::string name;  ///< Name as requested.
  std::vector<SeriesColumn> columns;
};

/// Records the first step of the switch in each period of `every`; each period of wires and their
/// classes; rates where [monitor] finds them changed.
///
/// Names are those of the waveform: `tor.port[0].pg[3]`, `tor.port[3].queue[3]`; wires
/// `tor.port[3].tx`, `h3.tx`; classes `tor.port[3].tx.pause[3]`, `h3.tx.pause[3]`; pools
/// `tor.pool[lossless].domain[0]`, or as the waveform has them
/// `tor.mmu.ingress_accounting.domain[0].lossless`; and `h3.rate[incast]`, of a traffic entry.
///
/// Units:   picoseconds, cells. All series of a switch have the same times, and all of wires and
///          classes: the beginnings of the periods.
/// Range:   `every` = 0 records each step. A period without a step has no entry: nothing changes in
///          it.
/// Errors:  ConfigError (key "series") when a name is not in the scenario, the queue has no WRED
///          profile, or the scenario no [monitor] that samples the rates; (key "every") when a
///          wire or a class has no period, or more than 10^8.
/// Timing:  one call per step; work once per period.
class SeriesRecorder final : public Observer {
 public:
  SeriesRecorder(const Scenario& scenario, const std::vector<std::string>& names,
                 Picoseconds every);
  ~SeriesRecorder() override;

  /// Names that are legal for the scenario, to show one: "tor.port[0].pg[3], ...".
  [[nodiscard]] static std::string examples(const Scenario& scenario);

  [[nodiscard]] bool wants_details() const override { return !series_.empty(); }
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override;
  void rate_sample(const RateSample& sample, Picoseconds time) override;
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override;
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                    Picoseconds time) override;
  /// The run is over; series of wires and classes are complete then.
  void finish(Picoseconds time);

  /// In the order of the names.
  [[nodiscard]] const std::vector<Series>& series() const noexcept { return series_; }
  /// Times of the series of that name.
  [[nodiscard]] const std::vector<std::uint64_t>& times_of(std::size_t series) const noexcept {
    return times_[places_[series].at].times;
  }

 private:
  /// A name, of which the parts are taken from the front.
  struct Name;
  /// Connections of a traffic entry that begin at a host.
  struct Sender {
    std::string host;
    std::size_t flow{0};
  };
  /// What a link end does in each period.
  struct Periods {
    std::size_t number{0};  // of LinkPeriods
    bool is_wire{false};    // otherwise a class of it
  };
  struct Place {
    std::size_t at{0};  // into times_
    std::variant<PgIndex, PoolIndex, QueueIndex, Sender, Periods> index;
  };
  struct Times {
    std::string
        name;  // a switch; of rates: as requested, of wires: empty, which no switch is called
    Picoseconds next;
    std::vector<std::uint64_t> times;
  };

  [[nodiscard]] Place place_of(const Scenario& scenario, const std::string& text);
  [[nodiscard]] Place place_of_pool(const SwitchSpec& spec, Name& name);
  [[nodiscard]] Place place_at_port(const SwitchSpec& spec, Name& name);
  [[nodiscard]] Place place_of_queue(const SwitchSpec& spec, PortId port, Name& name);
  [[nodiscard]] Place place_at_host(const HostSpec& spec, Name& name);
  [[nodiscard]] Place place_of_rates(const HostSpec& spec, const Name& name,
                                     const std::string& traffic);
  /// The wire, or a class of it.
  [[nodiscard]] Place place_of_link(const std::string& node, PortId port, Name& name);
  [[nodiscard]] LinkPeriods& periods_for(const Name& name);
  [[nodiscard]] std::size_t times_at(const std::string& name);
  [[nodiscard]] static std::vector<SeriesColumn> columns_of(const Place& place);
  static void add(Series& series, const Place& place, const Mmu& mmu, Cycle now);

  const Picoseconds every_;
  std::unique_ptr<LinkPeriods> periods_;  // none: no wire or class of one is watched
  std::vector<Series> series_;
  std::vector<Place> places_;  // of each series
  std::vector<Times> times_;
};

}  // namespace weir
