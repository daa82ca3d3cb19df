// SPDX-License-Identifier: Apache-2.0
#include "run_traces.hpp"

#include <optional>
#include <vector>

#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"
#include "weir/trace/events/capture.hpp"
#include "weir/trace/events/timeline.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

Picoseconds time_of(const char* option, const std::string& text) {
  const std::optional<Picoseconds> time = parse_time(text);
  if (!time) throw ConfigError(option, text, std::string{legal::time});
  return *time;
}

void set_window(WaveOptions& options, const TraceArguments& arguments) {
  const std::string& window = arguments.wave_window;
  const std::size_t dots = window.find("..");
  if (dots == std::string::npos)
    throw ConfigError("--wave-window", window, "must be two times such as \"100 us..1 ms\"");
  options.from = time_of("--wave-window", window.substr(0, dots));
  options.to = time_of("--wave-window", window.substr(dots + 2));
  if (*options.to <= options.from)
    throw ConfigError("--wave-window", window, "must end after it begins");
}

void refuse_without(const std::string& needed, const char* option, const std::string& value,
                    const char* what) {
  if (needed.empty() && !value.empty()) throw ConfigError(option, value, what);
}

std::optional<WaveOptions> wave_options(const TraceArguments& arguments, BackendKind backend) {
  const std::string& file = arguments.wave;
  constexpr const char* needs_wave = "needs --wave";
  refuse_without(file, "--wave-window", arguments.wave_window, needs_wave);
  refuse_without(file, "--wave-trigger", arguments.wave_trigger, needs_wave);
  refuse_without(file, "--wave-scope", arguments.wave_scope, needs_wave);
  refuse_without(arguments.wave_trigger, "--wave-before", arguments.wave_before,
                 "needs --wave-trigger");
  refuse_without(arguments.wave_trigger, "--wave-after", arguments.wave_after,
                 "needs --wave-trigger");
  if (file.empty()) return std::nullopt;
  WaveOptions options;
  options.file = file;
  options.scope = arguments.wave_scope;
  if (!arguments.wave_trigger.empty()) {
    if (!arguments.wave_window.empty())
      throw ConfigError("--wave-window", arguments.wave_window,
                        "cannot stand beside --wave-trigger");
    options.trigger = wave_trigger(arguments.wave_trigger);
    if (options.trigger == WaveTrigger::mismatch && backend != BackendKind::lockstep)
      throw ConfigError("--wave-trigger", arguments.wave_trigger, "needs --backend lockstep");
  }
  if (!arguments.wave_window.empty()) set_window(options, arguments);
  if (!arguments.wave_before.empty())
    options.before = time_of("--wave-before", arguments.wave_before);
  if (!arguments.wave_after.empty()) options.after = time_of("--wave-after", arguments.wave_after);
  return options;
}

}  // namespace

EventDetail event_detail(const TraceArguments& arguments) {
  if (arguments.events == "all") return EventDetail::all;
  return arguments.events == "drops" ? EventDetail::drops : EventDetail::pfc;
}

void add_trace_options(CLI::App& command, TraceArguments& arguments) {
  command
      .add_option(
          "--wave", arguments.wave,
          "Waveform (docs/guide/waveforms.md); with --backend rtl or lockstep the RTL's own "
          "signals stand in it, too")
      ->type_name("F.fst|F.vcd");
  command.add_option("--wave-window", arguments.wave_window, "Only this part of the run")
      ->type_name("A..B");
  command
      .add_option(
          "--wave-trigger", arguments.wave_trigger,
          "Only around the first drop (first_drop), XOFF (first_xoff), deadlock (deadlock), act of "
          "a watchdog (watchdog), or difference of RTL and core (mismatch)")
      ->type_name("EVENT");
  command.add_option("--wave-before", arguments.wave_before, "Time before the trigger (10 us)")
      ->type_name("TIME");
  command.add_option("--wave-after", arguments.wave_after, "Time after the trigger (10 us)")
      ->type_name("TIME");
  command
      .add_option("--wave-scope", arguments.wave_scope,
                  "Only names like this, such as 'tor.port[3].*'")
      ->type_name("PATTERN");
  arguments.pcap_option =
      command
          .add_option("--pcap", arguments.pcap,
                      "Capture PFC frames as pcapng (default: pfc.pcapng in the result folder)")
          ->expected(0, 1)
          ->type_name("FILE");
  command.add_option("--pcap-frames", arguments.pcap_frames, "Frames to capture (pfc)")
      ->type_name("pfc|all|port:NAME");
  command
      .add_option("--events", arguments.events,
                  "Rows of events.sqlite: drops; PFC frames too; or every verdict too (pfc)")
      ->check(CLI::IsMember({"drops", "pfc", "all"}));
  command.add_option("--timeline", arguments.timeline, "Pauses as a trace for Perfetto or Chrome")
      ->type_name("FILE.json");
}

void claim_trace_files(FileRoles& roles, const TraceArguments& arguments, const fs::path& folder) {
  if (!arguments.wave.empty()) {
    roles.writes("--wave", arguments.wave);
    roles.writes("--wave", fs::path{arguments.wave}.replace_extension(".gtkw"));
  }
  if (arguments.pcap_option->count() != 0)
    roles.writes("--pcap",
                 arguments.pcap.empty() ? folder / "pfc.pcapng" : fs::path{arguments.pcap});
  if (!arguments.timeline.empty()) roles.writes("--timeline", arguments.timeline);
}

class RunTraces::Files {
 public:
  Files(const TraceArguments& arguments, const ResultFolder& folder, Network& network,
        BackendKind backend)
      : only_with_trigger_{arguments.wave_is_own_idea} {
    open(arguments, folder, network, backend);
  }
  std::string mismatch(Picoseconds time, Picoseconds end) {
    if (!wave_) return {};
    wave_->mismatch(time);
    wave_->finish(end);
    return wave_->triggered() ? "; waveform: " + wave_file_.string()
                              : "; the trigger of the waveform never came";
  }
  std::vector<std::string> finish(Picoseconds time) {
    std::vector<std::string> notes;
    if (wave_) {
      wave_->finish(time);
      if (!wave_->triggered() && !only_with_trigger_)
        notes.emplace_back("the trigger of the waveform never came");
      if (!wave_->triggered() && only_with_trigger_) remove_wave();
    }
    if (pcap_) pcap_->finish(time);
    if (timeline_) timeline_->finish(time);
    return notes;
  }

 private:
  void open(const TraceArguments& arguments, const ResultFolder& folder, Network& network,
            BackendKind backend) {
    const Scenario& scenario = network.scenario();
    if (auto options = wave_options(arguments, backend)) {
      std::vector<RtlWave*> rtl;
      for (std::size_t i = 0; i < network.switch_count(); ++i)
        if (network.switch_at(i).mmu.rtl) rtl.push_back(network.switch_at(i).mmu.rtl.get());
      options->file = folder.place_of(options->file);
      if (options->file != arguments.wave && backend == BackendKind::lockstep)
        throw ConfigError("--wave", arguments.wave,
                          "must be outside the result folder with --backend lockstep: a difference "
                          "leaves a waveform and no results");
      wave_file_ = options->file;
      wave_.emplace(*options, scenario, rtl);
      network.watch(*wave_);
    }
    if (arguments.pcap_option->count() != 0) {
      const CaptureFilter filter = capture_filter(arguments.pcap_frames, scenario);
      const fs::path file =
          arguments.pcap.empty() ? folder.path_of("pfc.pcapng") : folder.place_of(arguments.pcap);
      pcap_.emplace(file, filter, scenario);
      network.watch(*pcap_);
    } else if (!arguments.pcap_frames.empty()) {
      throw ConfigError("--pcap-frames", arguments.pcap_frames, "needs --pcap");
    }
    if (arguments.timeline.empty()) return;
    timeline_.emplace(folder.place_of(arguments.timeline), scenario);
    network.watch(*timeline_);
  }
  void remove_wave() const {
    std::error_code ignored;
    fs::remove(wave_file_, ignored);
    fs::remove(fs::path{wave_file_}.replace_extension(".gtkw"), ignored);
  }

  const bool only_with_trigger_;
  fs::path wave_file_;
  std::optional<WaveRecorder> wave_;
  std::optional<Capture> pcap_;
  std::optional<Timeline> timeline_;
};

RunTraces::RunTraces(const TraceArguments& arguments, const ResultFolder& folder, Network& network,
                     BackendKind backend)
    : files_{std::make_unique<Files>(arguments, folder, network, backend)} {}

RunTraces::~RunTraces() = default;

std::string RunTraces::mismatch(Picoseconds time, Picoseconds end) {
  return files_->mismatch(time, end);
}

std::vector<std::string> RunTraces::finish(Picoseconds time) { return files_->finish(time); }

}  // namespace weir
