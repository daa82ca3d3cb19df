// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "weir/config/files/file_roles.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/events/event_database.hpp"
#include "weir/trace/summary/result_folder.hpp"

namespace weir {

/// What `weir run` is to record besides the result folder, as written on the command line.
struct TraceArguments {
  std::string wave, wave_window, wave_trigger, wave_before, wave_after, wave_scope;
  const CLI::Option* pcap_option{nullptr};
  std::string pcap;  ///< Empty: in the result folder.
  std::string pcap_frames, timeline, events{"pfc"};
  bool wave_is_own_idea{false};  ///< Nobody asked: the waveform stays only if its trigger comes.
};

/// What --events asks for.
[[nodiscard]] EventDetail event_detail(const TraceArguments& arguments);

void add_trace_options(CLI::App& command, TraceArguments& arguments);

/// Names what the traces of a run write. Errors: ConfigError when that is read or written twice.
void claim_trace_files(FileRoles& roles, const TraceArguments& arguments,
                       const std::filesystem::path& folder);

/// The observers that a command line asks for.
class RunTraces {
 public:
  /// Watches `network`, the signals of its RTL too.
  /// Errors: ConfigError, naming the option.
  RunTraces(const TraceArguments& arguments, const ResultFolder& folder, Network& network,
            BackendKind backend);
  ~RunTraces();

  /// RTL and core disagree since `time`, the run is over: completes the waveform. Returns what the
  /// user should know of it.
  [[nodiscard]] std::string mismatch(Picoseconds time, Picoseconds end);
  /// Completes the files. `time`: how far the run came. Returns what the user should know, a
  /// line each.
  std::vector<std::string> finish(Picoseconds time);

 private:
  class Files;
  std::unique_ptr<Files> files_;
};

}  // namespace weir
