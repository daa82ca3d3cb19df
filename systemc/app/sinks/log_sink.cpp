// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "run_log.hpp"
#include "sink_table.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

class LogSink final : public Sink {
 public:
  LogSink(CLI::App& command, const SinkRow& row) {
    add_log_level(command, arguments_);
    command.add_option(row.option, arguments_.file, row.help)->type_name(row.value);
  }
  void plan(FileRoles& roles, const std::filesystem::path&, bool) override {
    if (!arguments_.file.empty()) roles.writes("--log-file", arguments_.file);
  }
  void open(const SinkRun& run) override {
    if (!arguments_.file.empty()) arguments_.file = run.folder.place_of(arguments_.file).string();
    log_.emplace(arguments_, run.quiet);
    run.network.watch(*log_);
    const Scenario& scenario = run.network.scenario();
    log_->line(LogLevel::info, Picoseconds{0},
               fmt::format("{}: {} to run, seed {}, backend {}", scenario.name,
                           format_quantity(scenario.until), scenario.seed, run.backend));
  }
  void finish(SinkEnd& end) override {
    const Summary& summary = end.summary;
    const auto line = [&](LogLevel level, const std::string& text) {
      log_->line(level, summary.time, text);
    };
    for (const std::string& note : end.notes) line(LogLevel::warning, note);
    if (summary.interrupted)
      line(LogLevel::warning,
           fmt::format("interrupted; {} were asked for", format_quantity(summary.until)));
    for (const ExpectationResult& result : summary.expect)
      if (!result.met && !summary.interrupted)
        line(LogLevel::info, fmt::format("expected {} {}, measured {}", result.expectation.metric,
                                         result.expectation.text, result.measured));
    line(LogLevel::info, fmt::format("the end: {} packets delivered, {} dropped, {} pauses sent",
                                     format_quantity(summary.totals.delivered_packets),
                                     format_quantity(summary.totals.drops()),
                                     format_quantity(summary.totals.classes.pauses_sent)));
    log_->finish();
  }

 private:
  LogArguments arguments_;
  std::optional<RunLog> log_;
};

}  // namespace

std::unique_ptr<Sink> make_log_sink(CLI::App& command, const SinkRow& row) {
  return std::make_unique<LogSink>(command, row);
}

}  // namespace weir
