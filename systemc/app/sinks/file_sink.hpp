// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sink.hpp"
#include "sink_table.hpp"

namespace weir {

/// Makes the sink of a row, one that takes its option and its files from it.
template <class SinkKind>
[[nodiscard]] std::unique_ptr<Sink> make_sink(CLI::App& command, const SinkRow& row) {
  return std::make_unique<SinkKind>(command, row);
}

/// An observer that is made of a file and the scenario, and completed by finish(time); its option
/// says where the file is.
template <class Trace>
class FileSink final : public Sink {
 public:
  FileSink(CLI::App& command, const SinkRow& row) : option_{row.option} {
    command.add_option(row.option, file_, row.help)->type_name(row.value);
  }
  void plan(FileRoles& roles, const std::filesystem::path&, bool) override {
    if (!file_.empty()) roles.writes(option_, file_);
  }
  void open(const SinkRun& run) override {
    if (file_.empty()) return;
    trace_.emplace(run.folder.place_of(file_), run.network.scenario());
    run.network.watch(*trace_);
  }
  void finish(SinkEnd& end) override {
    if (trace_) trace_->finish(end.summary.time);
  }

 private:
  const std::string option_;
  std::string file_;
  std::optional<Trace> trace_;
};

}  // namespace weir
