// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Contents of an event database.
enum class EventDetail : std::uint8_t {
  drops,  ///< Dropped packets.
  pfc,    ///< Also PFC frames and XOFF levels.
  all,    ///< Also every verdict of the MMU, with the departure of the packet.
};

/// A database that would be larger than this leaves out the middle of a run, by default.
constexpr Bytes default_events_limit{1'000'000'000};
/// The least that makes sense: rows are written, and left out, by batches of some hundred kB.
constexpr Bytes min_events_limit{16'000'000};

/// What a database leaves out: rows of events whose time is after `after` and not after `until`.
struct EventsLeftOut {
  Picoseconds after, until;
  std::uint64_t rows{0};  ///< Rows in all tables.
};

/// Writes events to an SQLite file: PFC frames, XOFF levels, drops, optionally every verdict, and
/// the ports they name.
/// Tables and columns: docs/reference/results.md.
///
/// The same run gives the same bytes: fixed page size, no journal, no time stamps, rows in the
/// order of the observer's calls.
///
/// Past a limit of its size the file keeps the first and the last events: one interval between them
/// is left out of all tables but those of findings (deadlocks, drifts). The table `left_out` says
/// so.
///
/// Errors:  ModelError when the file cannot be written.
/// Timing:  nothing per packet unless it is dropped, or `all` is asked for; rows go out in batches
///          of one transaction, indexes grow with them: the end takes as long after any run.
class EventDatabase final : public Observer {
 public:
  /// `file` must not exist yet. `scenario` is the one that will run.
  EventDatabase(const std::filesystem::path& file, const Scenario& scenario,
                EventDetail detail = EventDetail::pfc, Bytes limit = default_events_limit);
  ~EventDatabase() override;

  /// Completes the file after the run; call it once. `time`: end of the simulated time.
  void finish(Picoseconds time);
  /// None: every event of the run is in the file. Range: after finish().
  [[nodiscard]] const std::optional<EventsLeftOut>& left_out() const noexcept { return left_out_; }

  [[nodiscard]] bool wants_verdicts() const override { return detail_ == EventDetail::all; }
  [[nodiscard]] bool wants_details() const override { return detail_ == EventDetail::all; }
  [[nodiscard]] bool wants_steps() const override { return false; }
  void verdict(const std::string& switch_name, const Frame&, const Verdict&,
               Picoseconds time) override;
  void frame_started(const std::string& node, PortId, const Frame&, Picoseconds start) override;
  void refused(const std::string& switch_name, const Frame&, const Verdict&,
               Picoseconds time) override;
  void mac_drop(const std::string& switch_name, const Frame&, PortId, MacDrop,
                Picoseconds time) override;
  void watchdog(const std::string& node, PortId, std::uint8_t classes, WatchdogEvent,
                Picoseconds time) override;
  void level(const std::string& switch_name, PortId, Priority pg, bool xoff,
             Picoseconds time) override;
  void pfc_sent(const std::string& node, PortId, const PfcFrame&, Picoseconds time) override;
  void pfc_received(const std::string& node, PortId, const PfcFrame&, Picoseconds time) override;
  void deadlock(const DeadlockReport& report, Picoseconds found) override;
  void port_sample(const PortSample& sample, Picoseconds time) override;
  void pool_sample(const PoolSample& sample, Picoseconds time) override;
  void queue_sample(const QueueSample& sample, Picoseconds time) override;
  void rate_sample(const RateSample& sample, Picoseconds time) override;
  void probe(const PingResult& probe) override;
  void drift(const DriftReport& report) override;

 private:
  class Tables;
  const EventDetail detail_;
  std::unique_ptr<Tables> tables_;
  std::optional<EventsLeftOut> left_out_;
};

/// Name of a watchdog event in the table of watchdogs.
[[nodiscard]] std::string_view to_string(WatchdogEvent event) noexcept;

}  // namespace weir
