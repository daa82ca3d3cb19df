// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <future>
#include <optional>

#include "output/interrupt.hpp"
#include "sink_table.hpp"
#include "text/format.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/rtl_wave.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

/// As written on the command line; empty: not given.
struct WaveArguments {
  std::string file, window, trigger, before, after, scope;
};

void add_wave_options(CLI::App& command, const SinkRow& row, WaveArguments& arguments) {
  command.add_option(row.option, arguments.file, row.help)->type_name(row.value);
  command.add_option("--wave-window", arguments.window, "Only this part of the run")
      ->type_name("A..B");
  std::string triggers;
  for (const WaveTriggerRow& trigger : wave_triggers)
    triggers += fmt::format("{}{} ({})", triggers.empty() ? "" : ", ", trigger.about, trigger.name);
  command.add_option("--wave-trigger", arguments.trigger, "Only around the " + triggers)
      ->type_name("EVENT");
  command
      .add_option(
          "--wave-before", arguments.before,
          fmt::format("Time before the trigger ({})", format_quantity(WaveOptions{}.before)))
      ->type_name("TIME");
  command
      .add_option("--wave-after", arguments.after,
                  fmt::format("Time after the trigger ({})", format_quantity(WaveOptions{}.after)))
      ->type_name("TIME");
  command
      .add_option("--wave-scope", arguments.scope,
                  "Only signals whose name matches, such as 'tor.port[3].*'")
      ->type_name("PATTERN");
}

Picoseconds time_of(const char* option, const std::string& text) {
  const std::optional<Picoseconds> time = parse_time(text);
  if (!time) throw ConfigError(option, text, std::string{legal::time});
  return *time;
}

void set_window(WaveOptions& options, const std::string& window) {
  const std::size_t dots = window.find("..");
  if (dots == std::string::npos)
    throw ConfigError("--wave-window", window, "must be two times such as \"100 us..1 ms\"");
  options.from = time_of("--wave-window", window.substr(0, dots));
  options.to = time_of("--wave-window", window.substr(dots + 2));
  if (*options.to <= options.from)
    throw ConfigError("--wave-window", window, "must end after it begins");
}

void set_trigger(WaveOptions& options, const WaveArguments& arguments, bool compared) {
  if (!arguments.window.empty())
    throw ConfigError("--wave-window", arguments.window, "excludes --wave-trigger");
  options.trigger = wave_trigger(arguments.trigger);
  if (options.trigger == WaveTrigger::mismatch && !compared)
    throw ConfigError("--wave-trigger", arguments.trigger, "needs --backend lockstep or --block");
}

void refuse_without(const std::string& needed, const char* option, const std::string& value,
                    const char* what) {
  if (needed.empty() && !value.empty()) throw ConfigError(option, value, what);
}

void check_together(const WaveArguments& arguments) {
  constexpr const char* needs_wave = "needs --wave";
  constexpr const char* needs_trigger = "needs --wave-trigger";
  refuse_without(arguments.file, "--wave-window", arguments.window, needs_wave);
  refuse_without(arguments.file, "--wave-trigger", arguments.trigger, needs_wave);
  refuse_without(arguments.file, "--wave-scope", arguments.scope, needs_wave);
  refuse_without(arguments.trigger, "--wave-before", arguments.before, needs_trigger);
  refuse_without(arguments.trigger, "--wave-after", arguments.after, needs_trigger);
}

WaveOptions wave_options(const WaveArguments& arguments, bool compared) {
  WaveOptions options;
  options.file = arguments.file;
  options.scope = arguments.scope;
  if (!arguments.trigger.empty()) set_trigger(options, arguments, compared);
  if (!arguments.window.empty()) set_window(options, arguments.window);
  if (!arguments.before.empty()) options.before = time_of("--wave-before", arguments.before);
  if (!arguments.after.empty()) options.after = time_of("--wave-after", arguments.after);
  return options;
}

class WaveSink final : public Sink {
 public:
  WaveSink(CLI::App& command, const SinkRow& row) { add_wave_options(command, row, arguments_); }

  void plan(FileRoles& roles, const fs::path& out, bool compared) override {
    check_together(arguments_);
    // A comparison without a waveform keeps the last of what happens, for the one around a
    // difference.
    only_with_trigger_ = compared && arguments_.file.empty();
    if (only_with_trigger_) {
      arguments_.file = out.lexically_normal().string() + ".difference.fst";
      arguments_.trigger = "mismatch";
    }
    if (arguments_.file.empty()) return;
    options_ = wave_options(arguments_, compared);
    if (only_with_trigger_) options_->named_by = NamedBy::program;
    compared_ = compared;
    roles.writes("--wave", options_->file);
    roles.writes("--wave", save_file());
  }
  [[nodiscard]] bool records_steps() const override { return options_.has_value(); }
  void open(const SinkRun& run) override {
    if (!options_) return;
    options_->file = run.folder.place_of(arguments_.file);
    if (options_->file != arguments_.file && compared_)
      throw ConfigError("--wave", arguments_.file,
                        "must be outside the result folder with --backend lockstep or --block: a "
                        "difference leaves a waveform and no results");
    std::vector<RtlWave*> rtl;
    for (std::size_t i = 0; i < run.network.switch_count(); ++i)
      for (RtlWave* const wave : run.network.switch_at(i).mmu.rtl_waves()) rtl.push_back(wave);
    with_rtl_ = !rtl.empty();
    // An RTL waveform has begun by then, so it must be completed.
    if (!with_rtl_) options_->interrupted = [] { return interrupt_signal() != 0; };
    wave_.emplace(*options_, run.network.scenario(), rtl);
    run.network.watch(*wave_);
  }
  std::string mismatch(Picoseconds time, Picoseconds end) override {
    if (!wave_) return {};
    wave_->mismatch(time);
    wave_->finish(end);
    return wave_->triggered() ? "; waveform: " + options_->file.string()
                              : "; the trigger of the waveform never came";
  }
  // The last block of an FST, and the names for GTKWave. The summary may read an RTL, of which only
  // one thread may ask.
  void simulated(Picoseconds end, const std::shared_future<void>& checked) override {
    if (wave_ && !with_rtl_) finish_after(end, checked);
  }
  void start_finish(SinkEnd& end) override {
    if (wave_ && with_rtl_) finish_after(end.summary.time, {});
  }
  void finish(SinkEnd& end) override {
    if (!wave_) return;
    finished_.get();
    const Picoseconds run_end = end.summary.time;
    if (run_end < options_->from)
      end.notes.push_back(fmt::format("the window of the waveform begins after the run ends ({})",
                                      format_quantity(run_end)));
    if (wave_->triggered()) return;
    if (!only_with_trigger_) {
      end.notes.emplace_back("the trigger of the waveform never came");
      return;
    }
    std::error_code ignored;
    fs::remove(options_->file, ignored);
    fs::remove(save_file(), ignored);
  }

 private:
  void finish_after(Picoseconds end, const std::shared_future<void>& checked) {
    finished_ = std::async(std::launch::async, [this, end, checked] {
      wave_->finish(end, [&checked] {
        if (checked.valid()) checked.get();
      });
    });
  }
  [[nodiscard]] fs::path save_file() const {
    return fs::path{options_->file}.replace_extension(".gtkw");
  }

  WaveArguments arguments_;
  bool only_with_trigger_{false}, compared_{false}, with_rtl_{false};
  std::optional<WaveOptions> options_;
  std::optional<WaveRecorder> wave_;
  std::future<void> finished_;  // after what it works on: its end waits
};

}  // namespace

std::unique_ptr<Sink> make_wave_sink(CLI::App& command, const SinkRow& row) {
  return std::make_unique<WaveSink>(command, row);
}

}  // namespace weir
