// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinks/sink.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/result_folder.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

using Sinks = std::vector<std::unique_ptr<Sink>>;

/// What --backend takes.
inline constexpr std::array<std::pair<const char*, BackendKind>, 3> backend_names{
    {{"model", BackendKind::model},
     {"rtl", BackendKind::rtl},
     {"lockstep", BackendKind::lockstep}}};

struct RunOptions {
  std::string scenario;
  std::string out;
  std::vector<std::string> overrides;
  std::string until;
  std::optional<std::uint64_t> seed;
  std::string backend{backend_names.front().first}, rtl;
  std::vector<std::string> blocks;  ///< Libraries.
  std::string ranks;                ///< A number, or "mpi"; empty: one process.
  Sinks sinks;                      ///< With their own options.
  bool json{false}, quiet{false};

  /// Range: `backend` is one of backend_names, as CLI11 has checked.
  [[nodiscard]] BackendKind backend_kind() const;
};

/// What `weir run` takes from its options before it makes a network.
struct RunPlan {
  std::vector<std::string> overrides;
  Scenario scenario;
  std::filesystem::path out;
};

/// Reads the scenario, and checks that files are not named twice. Errors: ConfigError.
[[nodiscard]] RunPlan plan_run(RunOptions& options);

/// A run whose summary is there.
struct RunEnd {
  const RunOptions& options;
  const Network& network;
  const Sinks& sinks;
  const Summary& summary;
  ResultFolder& folder;
  std::chrono::steady_clock::time_point start;
  int signal;  ///< Number of the signal that interrupted the run; 0: none.
};

/// Completes the files and puts the folder in its place. Returns what print_summary() needs.
struct RunReport {
  SinkEnd end;
  std::vector<std::string> blocks;
  double seconds;
  int exit_code;
};
[[nodiscard]] std::unique_ptr<RunReport> write_results(const RunEnd& run);
void print_summary(const RunEnd& run, const RunReport& report);

// SystemC looks for each module, port and export that goes in a list of all: seconds for thousands
// of hosts, after the results are written; a summary is some hundred thousand pieces of memory, and
// so are the names in a waveform. The end of the process takes all of it at once.
template <class Large>
void leave_to_the_end(std::unique_ptr<Large> large) {
  [[maybe_unused]] static const Large* const left = large.release();  // not lost: reachable
}

// A pipe among the outputs whose reader ends is a failed write, which is named; on the screen
// it is the end of interest.
class PipesWithoutReaderFail {
 public:
  PipesWithoutReaderFail() : before_{std::signal(SIGPIPE, SIG_IGN)} {}
  ~PipesWithoutReaderFail() { std::signal(SIGPIPE, before_); }
  PipesWithoutReaderFail(const PipesWithoutReaderFail&) = delete;
  PipesWithoutReaderFail& operator=(const PipesWithoutReaderFail&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace weir
