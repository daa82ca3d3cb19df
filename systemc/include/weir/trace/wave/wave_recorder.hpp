// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/files/output_file.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/rtl/rtl_wave.hpp"

namespace weir {

/// The event around which a waveform is written.
enum class WaveTrigger : std::uint8_t {
  none,
  first_drop,
  first_xoff,
  deadlock,
  watchdog,  ///< The first action of a watchdog.
  mismatch,  ///< RTL and core disagree; the run ends there.
};

/// The triggers by name, with the text for the help.
struct WaveTriggerRow {
  std::string_view name;
  WaveTrigger trigger;
  std::string_view about;
};
inline constexpr std::array<WaveTriggerRow, 5> wave_triggers{
    {{"first_drop", WaveTrigger::first_drop, "first drop"},
     {"first_xoff", WaveTrigger::first_xoff, "first XOFF"},
     {"deadlock", WaveTrigger::deadlock, "first deadlock"},
     {"watchdog", WaveTrigger::watchdog, "first act of a watchdog"},
     {"mismatch", WaveTrigger::mismatch, "first difference of RTL and core"}}};
/// The trigger of that name. Errors: ConfigError (key "--wave-trigger") for any other.
[[nodiscard]] WaveTrigger wave_trigger(std::string_view name);

/// Ends the making of a WaveRecorder whose user wants the end.
class WaveInterrupted : public std::runtime_error {
 public:
  WaveInterrupted() : std::runtime_error{"interrupted while the waveform was made"} {}
};

struct WaveOptions {
  std::filesystem::path file;  ///< *.fst or *.vcd; with a list for GTKWave, *.gtkw.
  NamedBy named_by{NamedBy::user};
  std::string scope;  ///< Pattern of full names with `*` and `?`; empty: all.
  Picoseconds from;   ///< Window; without a trigger.
  std::optional<Picoseconds> to;
  WaveTrigger trigger{WaveTrigger::none};
  Picoseconds before{10'000'000}, after{10'000'000};  ///< Around the trigger.
  /// Asked while names are declared, which takes a second for thousands of hosts; none: never.
  std::function<bool()> interrupted{};
};

/// Writes a waveform of a run: names, values and times in docs/guide/waveforms.md.
///
/// The simulation only records events, some tens of bytes per packet; a separate thread keeps the
/// state and writes it. With a trigger the time before it is kept in a bounded buffer.
///
/// The same run gives the same bytes.
///
/// Errors:  ConfigError when the file cannot be made or the scope holds nothing; ModelError from
///          finish() when it cannot be written.
/// Range:   one agenda.
class WaveRecorder final : public Observer {
 public:
  /// `rtl`: RTL whose signals are shown (RtlWave::wave_path()); it must live until finish().
  WaveRecorder(const WaveOptions& options, const Scenario& scenario,
               const std::vector<RtlWave*>& rtl = {});
  ~WaveRecorder() override;

  /// RTL and core disagree since `time`: only finish() may follow.
  void mismatch(Picoseconds time);

  /// Completes both files after the run; call it once. `time`: end of the simulated time.
  /// `may_stay` is called when everything is written, before the files have their names; when it
  /// throws, they are not made.
  void finish(Picoseconds time, const std::function<void()>& may_stay = {});
  /// After finish(): whether the trigger came. True without one.
  [[nodiscard]] bool triggered() const noexcept;

  [[nodiscard]] bool wants_verdicts() const override { return true; }
  [[nodiscard]] bool wants_details() const override { return true; }
  void verdict(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds visible) override;
  void copy_queued(const std::string& switch_name, const Frame& copy, Picoseconds visible) override;
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override;
  void waiting(const std::string& switch_name, QueueIndex queue, Cells q,
               Picoseconds time) override;
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override;
  void mac_drop(const std::string& switch_name, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override;
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                    Picoseconds time) override;
  void deadlock(const DeadlockReport& report, Picoseconds found) override;
  void watchdog(const std::string& node, PortId port, std::uint8_t classes, WatchdogEvent event,
                Picoseconds time) override;

 private:
  class Recording;
  std::unique_ptr<Recording> recording_;
};

}  // namespace weir
