// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Writes a trace for Perfetto or chrome://tracing: a process for each node, a track for each port
/// and class.
///
/// Slices: "XOFF", as long as the level of a priority group; "PAUSE sent", a PFC frame on the wire;
/// "paused", from the response time after a PAUSE until XON or expiry. An arrow leads from a PAUSE
/// to the port that it paused, so congestion can be followed upstream. A deadlock is a mark across
/// all tracks.
///
/// The same run gives the same bytes.
///
/// Units:   microseconds with six decimals, as the format requires: exact picoseconds.
/// Errors:  ConfigError (key "--timeline") when the file cannot be made; ModelError from finish()
///          when it cannot be written.
/// Timing:  works only for PFC frames and changes of a level.
/// Source:  Trace Event Format, JSON object form.
class Timeline final : public Observer {
 public:
  Timeline(const std::filesystem::path& file, const Scenario& scenario);
  ~Timeline() override;

  /// Completes the file after the run; call it once. `time`: end of the simulated time.
  void finish(Picoseconds time);

  void level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
             Picoseconds time) override;
  void pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                Picoseconds time) override;
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                    Picoseconds time) override;
  void deadlock(const DeadlockReport& report, Picoseconds found) override;
  void queue_sample(const QueueSample& sample, Picoseconds time) override;

 private:
  class Tracks;
  std::unique_ptr<Tracks> tracks_;
};

}  // namespace weir
