// SPDX-License-Identifier: Apache-2.0
#include "sink_table.hpp"

#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "file_sink.hpp"
#include "html/report_page.hpp"
#include "weir/config/chip/configured_values.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/trace/events/timeline.hpp"
#include "weir/trace/summary/history.hpp"
#include "weir/trace/summary/report_text.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir {

// Makers of sinks that have a source of their own; nothing else calls them.
[[nodiscard]] std::unique_ptr<Sink> make_event_sink(CLI::App& command, const SinkRow& row);
[[nodiscard]] std::unique_ptr<Sink> make_wave_sink(CLI::App& command, const SinkRow& row);
[[nodiscard]] std::unique_ptr<Sink> make_capture_sink(CLI::App& command, const SinkRow& row);
[[nodiscard]] std::unique_ptr<Sink> make_log_sink(CLI::App& command, const SinkRow& row);

namespace {

/// What the report needs, recorded while the run goes on, and its page.
class ReportSink final : public Sink {
 public:
  ReportSink(CLI::App& command, const SinkRow& row) : files_{row.files} {
    CLI::Option* const off = command.add_flag(row.option, off_, row.help);
    command
        .add_flag("--report-queues", queues_,
                  "Follow every egress queue in the report: depth over time, and bursts absorbed")
        ->excludes(off);
  }
  void open(const SinkRun& run) override {
    if (off_) return;
    configuration_ = configured_values(run.scenario_file, run.overrides);
    make_history(run.network).watch(run.network);
  }
  void open_part(Network& network) override {
    if (!off_) make_history(network).watch_part(network);
  }
  void write_part(RankMessage& message) override {
    if (history_) history_->write_part(*network_, message);
  }
  void read_part(RankReader& message) override {
    if (history_) history_->read_part(*network_, message);
  }
  // Both files are made while the others are.
  void start_finish(SinkEnd& end) override {
    if (!history_) return;
    end.first_thresholds = history_->first_thresholds();
    end.report_to_come = std::async(
        std::launch::async,
        [this, &summary = end.summary, &folder = end.folder] { write_files(summary, folder); });
  }
  void finish(SinkEnd& end) override {
    if (history_) end.report_to_come.get();
  }

 private:
  History& make_history(Network& network) {
    network_ = &network;
    return history_.emplace(network.scenario(),
                            queues_ ? History::Queues::all : History::Queues::with_profiles);
  }
  void write_files(const Summary& summary, const ResultFolder& folder) {
    const ReportText report = history_->finish(summary, configuration_);
    folder.add_file(files_[0],
                    [&](const OutputFolder::TextSink& write) { write_json(report, write); });
    folder.add_file(files_[1], [&](const OutputFolder::TextSink& write) {
      write_report_page(to_page_tree(summary, max_table_rows, page_counters()), report,
                        lay_out_by_dot, write);
    });
  }

  const std::vector<std::string> files_;
  bool off_{false}, queues_{false};
  std::vector<ConfiguredValue> configuration_;
  Network* network_{nullptr};
  std::optional<History> history_;
};

class SummarySink final : public Sink {
 public:
  SummarySink(CLI::App&, const SinkRow& row) : file_{row.files.front()} {}
  // Of thousands of hosts it is tens of MB, as much work as all other files.
  void start_finish(SinkEnd& end) override {
    end.summary_json_to_come =
        std::async(std::launch::async,
                   [this, &summary = end.summary, &folder = end.folder, keeps = end.keeps_json] {
                     std::string kept;
                     folder.add_file(file_, [&](const OutputFolder::TextSink& write) {
                       write_json(summary, [&](std::string_view text) {
                         write(text);
                         if (keeps) kept += text;
                       });
                     });
                     return kept;
                   });
  }
  void finish(SinkEnd& end) override { end.summary_json = end.summary_json_to_come.get(); }

 private:
  const std::string file_;
};

}  // namespace

const std::vector<SinkRow>& sink_table() {
  static const std::vector<SinkRow> table{
      {"events",
       "--events",
       "drops|pfc|all",
       "Rows of events.sqlite: drops; drops and PFC frames; these and every verdict (default: pfc)",
       {result_names::events},
       make_event_sink},
      {"wave",
       "--wave",
       "F.fst|F.vcd",
       "Waveform (docs/guide/waveforms.md); with --backend rtl or lockstep it holds the RTL's own "
       "signals, too",
       {},
       make_wave_sink},
      {"capture",
       "--pcap",
       "FILE",
       "Capture PFC frames as pcapng (default: pfc.pcapng in the result folder); FILE.pcap: as "
       "pcap",
       {result_names::capture},
       make_capture_sink},
      {"timeline",
       "--timeline",
       "FILE.json",
       "Pauses as a trace for Perfetto or Chrome",
       {},
       make_sink<FileSink<Timeline>>},
      {"report",
       "--no-report",
       "",
       "No report.html, and no recording for it",
       {result_names::report_data, result_names::page},
       make_sink<ReportSink>},
      {"log",
       "--log-file",
       "FILE",
       "Log into this file instead of on the screen",
       {},
       make_log_sink},
      {"summary", nullptr, "", "", {result_names::summary}, make_sink<SummarySink>},
  };
  return table;
}

std::vector<std::string> files_of_sinks() {
  std::vector<std::string> files{result_names::run};
  for (const SinkRow& row : sink_table())
    files.insert(files.end(), row.files.begin(), row.files.end());
  return files;
}

void keep_results(FileRoles& roles, const std::filesystem::path& folder, std::string_view own) {
  for (const std::string& file : files_of_sinks())
    if (file != own) roles.reads(folder / file);
}

}  // namespace weir
