// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "sink_table.hpp"
#include "weir/core/errors.hpp"
#include "weir/trace/events/capture.hpp"

namespace weir {
namespace {

class CaptureSink final : public Sink {
 public:
  CaptureSink(CLI::App& command, const SinkRow& row)
      : option_{command.add_option(row.option, file_, row.help)}, file_name_{row.files.front()} {
    option_->expected(0, 1)->type_name(row.value);
    command.add_option("--pcap-frames", frames_, "Frames to capture (pfc)")
        ->type_name("pfc|all|port:NAME");
  }
  void plan(FileRoles& roles, const std::filesystem::path& out, bool) override {
    if (option_->count() == 0) {
      if (!frames_.empty()) throw ConfigError("--pcap-frames", frames_, "needs --pcap");
      return;
    }
    if (file_.empty()) file_ = (out / file_name_).string();
    if (file_ != out / file_name_) roles.writes("--pcap", file_);  // else every run claims it
  }
  void open(const SinkRun& run) override {
    if (option_->count() == 0) return;
    const Scenario& scenario = run.network.scenario();
    capture_.emplace(run.folder.place_of(file_), capture_filter(frames_, scenario), scenario);
    run.network.watch(*capture_);
  }
  void finish(SinkEnd& end) override {
    if (capture_) capture_->finish(end.summary.time);
  }

 private:
  std::string file_, frames_;
  CLI::Option* const option_;
  const std::string file_name_;
  std::optional<Capture> capture_;
};

}  // namespace

std::unique_ptr<Sink> make_capture_sink(CLI::App& command, const SinkRow& row) {
  return std::make_unique<CaptureSink>(command, row);
}

}  // namespace weir
