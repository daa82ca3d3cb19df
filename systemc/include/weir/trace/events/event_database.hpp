// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Contents of an event database.
enum class EventDetail : std::uint8_t {
  drops,  ///< Dropped packets.
  pfc,    ///< Also PFC frames and XOFF levels.
  all,    ///< Also every verdict of the MMU, with the departure of the packet.
};

/// Writes events to an SQLite file: PFC frames, XOFF levels, drops, optionally every verdict, and
/// the ports they name.
/// Tables and columns: docs/reference/results.md.
///
/// The same run gives the same bytes: fixed page size, no journal, no time stamps, rows in the
/// order of the observer's calls.
///
/// Errors:  ModelError when the file cannot be written.
/// Timing:  nothing per packet unless it is dropped, or `all` is asked for; rows go out in batches
///          of one transaction, indexes grow with them: the end takes as long after any run.
class EventDatabase final : public Observer {
 public:
  /// `file` must not exist yet. `scenario` is the one that will run.
  EventDatabase(const std::filesystem::path& file, const Scenario& scenario,
                EventDetail detail = EventDetail::pfc);
  ~EventDatabase() override;

  /// Completes the file after the run; call it once. `time`: end of the simulated time.
  void finish(Picoseconds time);

  [[nodiscard]] bool wants_verdicts() const override { return detail_ == EventDetail::all; }
  [[nodiscard]] bool wants_details() const override { return detail_ == EventDetail::all; }
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
  void probe(const PingResult& probe) override;
  void drift(const DriftReport& report) override;

 private:
  class Tables;
  const EventDetail detail_;
  std::unique_ptr<Tables> tables_;
};

/// Name of a watchdog event in the table of watchdogs.
[[nodiscard]] std::string_view to_string(WatchdogEvent event) noexcept;

}  // namespace weir
