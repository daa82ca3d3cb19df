// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "weir/config/files/file_roles.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/ranks/rank_message.hpp"
#include "weir/trace/summary/history.hpp"
#include "weir/trace/summary/result_folder.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The run that a sink writes about.
struct SinkRun {
  const std::filesystem::path& scenario_file;
  const std::vector<std::string>& overrides;
  Network& network;
  const std::string& backend;  ///< As --backend names it.
  const ResultFolder& folder;
  bool quiet;
};

/// How it ended.
struct SinkEnd {
  const Summary& summary;
  const ResultFolder& folder;
  bool keeps_json;                     ///< Whether summary.json is wanted as a text, too.
  std::vector<std::string> notes{};    ///< What the user should know, a line each.
  FirstThresholds first_thresholds{};  ///< Of a run with a report.
  std::string summary_json{};          ///< With keeps_json: set by the sink of summary.json.
  /// summary_json and the files of the report, while other threads make them from the members
  /// above. They are the last members, so they are destroyed first, which waits for the threads.
  std::future<std::string> summary_json_to_come{};
  std::future<void> report_to_come{};
};

/// Something that `weir run` writes. It holds its options, which its maker adds to the command.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Settles what is to be written, before anything is made: names the files that are not in every
  /// result folder. `out`: the result folder. `compared`: RTL is compared with the core.
  /// Errors: ConfigError, naming the option.
  virtual void plan(FileRoles& /*roles*/, const std::filesystem::path& /*out*/, bool /*compared*/) {
  }
  /// Whether the first rank sees every step of all MMUs. Range: after plan().
  [[nodiscard]] virtual bool records_steps() const { return false; }
  /// Makes the files and watches the network. Errors: ConfigError, naming the option.
  virtual void open(const SinkRun&) {}

  // Of a network over ranks: the first one open()s. The others record what happens at their own
  // switches where a sink can put such parts together; after the run the first reads them, rank by
  // rank.
  virtual void open_part(Network&) {}
  virtual void write_part(RankMessage&) {}
  virtual void read_part(RankReader&) {}

  /// RTL and core disagree since `time` and the run is over at `end`: completes what shows it.
  /// Returns what the user should know of it.
  virtual std::string mismatch(Picoseconds /*time*/, Picoseconds /*end*/) { return {}; }
  /// The simulation is over at `end`: starts what needs no summary, in a thread of its own. No file
  /// gets its name before `checked`: it throws when the books of the run do not balance.
  virtual void simulated(Picoseconds /*end*/, const std::shared_future<void>& /*checked*/) {}
  /// Starts what may go on during finish() of the other sinks, in a thread of its own.
  virtual void start_finish(SinkEnd&) {}
  /// Completes the files. Errors: ModelError when one cannot be written.
  virtual void finish(SinkEnd&) = 0;
};

}  // namespace weir
