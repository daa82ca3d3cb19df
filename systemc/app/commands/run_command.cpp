// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "commands/command_line.hpp"
#include "output/interrupt.hpp"
#include "output/progress.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "sinks/sink_table.hpp"
#include "text/format.hpp"
#include "text/summary_text.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/version.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/measurement.hpp"
#include "weir/trace/summary/result_folder.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

using Sinks = std::vector<std::unique_ptr<Sink>>;

struct RunOptions {
  std::string scenario;
  std::string out;
  std::vector<std::string> overrides;
  std::string until;
  std::optional<std::uint64_t> seed;
  std::string backend{"model"}, rtl;
  std::vector<std::string> blocks;  ///< Libraries.
  Sinks sinks;                      ///< With their own options.
  bool json{false}, quiet{false};
};

constexpr const char* run_about = "Run a scenario: summary on the screen, results in a folder";
constexpr const char* run_footer =
    R"(The result folder holds summary.json, report.html, events.sqlite and run.json (docs/reference/results.md).
Same scenario and seed: same bytes in all but run.json. Ctrl-C ends the run early; the
results until then are written.

Exit codes: 0 good (also when a deadlock stopped it), 1 an [expect] of the scenario failed, 2 usage or configuration, 3 model error,
130 ended by Ctrl-C (143 by SIGTERM, 129 by SIGHUP).

Examples:
  weir run incast_star16_dt_trident2
  weir run S.toml --until "10 ms" --seed 7 --out /tmp/seed7
  weir run S.toml --set switch.tor.profile.lossless.alpha=1/16 --set traffic.incast.packet="1500 B"
  weir run S.toml --json --quiet | jq .totals)";

std::vector<std::string> overrides_of(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (!options.until.empty()) {
    const std::optional<Picoseconds> until = parse_time(options.until);
    if (!until || *until == Picoseconds{0})
      throw ConfigError("--until", options.until, std::string{legal::time} + ", above zero");
    overrides.push_back("scenario.until=" + options.until);
  }
  if (options.seed) overrides.push_back("scenario.seed=" + std::to_string(*options.seed));
  return overrides;
}

std::uint64_t delivered_packets(const Network& network) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.host_count(); ++i)
    for (const PortCounters::ByPriority& counts : network.host(i).counters().priority)
      sum += counts.rx_packets;
  return sum;
}

// Runs in slices of some twentieth of a second, for the progress line; a signal ends a slice within
// milliseconds. Where the slices end does not matter to the results.
void run_to_the_end(Network& network, Progress& progress) {
  constexpr std::chrono::milliseconds slice_length{50};
  Picoseconds slice{1'000'000};
  const Picoseconds end = network.scenario().until;
  network.interrupt_when([] { return interrupt_signal() != 0; });
  while (!network.stopped() && network.now() < end && interrupt_signal() == 0) {
    const Clock::time_point start = Clock::now();
    // Near the end of time the sum could wrap.
    network.run_until(end - network.now() < slice ? end : network.now() + slice);
    const auto taken = Clock::now() - start;
    if (taken < slice_length / 2 && slice < end) slice = slice * 2;
    if (slice_length * 2 < taken && Picoseconds{1} < slice) slice = Picoseconds{slice.count() / 2};
    progress.update(network.now(), delivered_packets(network));
  }
}

std::string run_json(const RunOptions& options, const ResultFolder& folder, const Summary& summary,
                     const std::vector<std::string>& notes, double seconds) {
  const auto packets = static_cast<double>(summary.totals.delivered_packets);
  const nlohmann::ordered_json json{
      {"version", version},
      {"backend", options.backend},
      {"command", command_line()},
      {"scenario_file",
       options.scenario == "-" ? "-" : fs::absolute(options.scenario).lexically_normal().string()},
      {"result_folder", folder.target().string()},
      {"files", folder.files()},
      {"notes", notes},
      {"interrupted", summary.interrupted},
      {"wall_seconds", seconds},
      {"packets_per_second", packets / seconds}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int exit_code_of(const Summary& summary, bool gave_up) {
  if (summary.interrupted || gave_up) return 128 + interrupt_signal();
  return summary.all_met() ? 0 : 1;
}

MmuBackend backend_of(const RunOptions& options) {
  if (!options.blocks.empty() && options.backend != "model")
    throw ConfigError("--block", options.blocks.front(),
                      "needs --backend model: the RTL of the whole has blocks of its own");
  if (options.backend == "rtl") return {BackendKind::rtl, options.rtl};
  if (options.backend == "lockstep") return {BackendKind::lockstep, options.rtl};
  if (!options.rtl.empty())
    throw ConfigError("--rtl", options.rtl, "needs --backend rtl or lockstep");
  MmuBackend backend;
  for (const std::string& path : options.blocks)
    use_rtl_block(backend.blocks, RtlBlockLibrary{path});
  return backend;
}

// How much of each block was compared, for the user: a block that nothing reached shows no fault.
std::vector<std::string> compared_blocks(const Network& network) {
  std::map<std::string, std::uint64_t> sums;
  for (std::size_t i = 0; i < network.switch_count(); ++i)
    for (const RtlBlockUnit* const block : network.switch_at(i).mmu.rtl_blocks())
      sums[block->block()] += block->compared();
  std::vector<std::string> lines;
  for (const auto& [name, sum] : sums)
    lines.push_back(
        sum == 0 ? fmt::format("{}: nothing was compared: the run never reached it", name)
                 : fmt::format("{}: {} outputs compared with the core, no difference", name, sum));
  return lines;
}

// A run neither overwrites what it reads nor one of its outputs by another.
void plan_files(const RunOptions& options, const fs::path& out,
                const std::vector<std::string>& overrides) {
  FileRoles roles;
  for (const fs::path& file : files_of_document(options.scenario, overrides)) roles.reads(file);
  if (!options.rtl.empty()) roles.reads(options.rtl);
  for (const std::string& block : options.blocks) roles.reads(block);
  for (const std::string& file : files_of_sinks()) roles.writes("--out", out / file);
  for (const std::unique_ptr<Sink>& sink : options.sinks)
    sink->plan(roles, out, options.backend == "lockstep" || !options.blocks.empty());
}

// Simulates, with the progress line; a difference of RTL and core completes what shows it.
void simulate(Network& network, bool quiet, const Sinks& sinks) {
  try {
    Progress progress{quiet ? ProgressLine::Style::none : ProgressLine::style_of_stderr(),
                      network.scenario().until};
    run_to_the_end(network, progress);
    network.finish();
  } catch (const RtlDifference& difference) {
    std::string text = difference.what();
    for (const std::unique_ptr<Sink>& sink : sinks)
      text += sink->mismatch(difference.time(), network.now());
    throw ModelError(text);
  }
}

// Completes the files. A pipe that is given up after a signal does not keep others from being
// written; true when there is one, of which the user and run.json know.
bool finish_files(const Sinks& sinks, SinkEnd& end) {
  std::vector<std::string> given_up;
  for (const std::unique_ptr<Sink>& sink : sinks) {
    try {
      sink->finish(end);
    } catch (const OutputGivenUp& stuck) {
      given_up.emplace_back(stuck.what());
    }
  }
  for (const std::string& text : given_up) {
    print(stderr, "weir: {}\n", text);
    end.notes.push_back(text);
  }
  return !given_up.empty();
}

void print_summary(const RunOptions& options, const SinkEnd& end,
                   const std::vector<std::string>& blocks, const fs::path& out, double seconds) {
  if (options.json) {
    print_json(end.summary_json);
    return;
  }
  const Summary& summary = end.summary;
  const std::string compared = blocks.empty() ? "" : fmt::format("{}\n", fmt::join(blocks, "\n"));
  print("{}\n{}ran in {:.2f} s, {} packets/s; results in {}\n",
        to_text(summary, end.first_thresholds), compared, seconds,
        format_quantity(static_cast<std::uint64_t>(
            static_cast<double>(summary.totals.delivered_packets) / seconds)),
        out.string());
}

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

int run(RunOptions& options) {
  options.scenario = file_or_preset("SCENARIO", options.scenario, {presets::scenarios}).string();
  const std::vector<std::string> overrides = overrides_of(options);
  const Scenario scenario = load_scenario(options.scenario, overrides);
  const fs::path out =
      options.out.empty() ? fs::path{"results"} / scenario.name : fs::path{options.out};
  const MmuBackend backend = backend_of(options);
  plan_files(options, out, overrides);
  // What takes seconds comes before the first file: a signal ends the program at once.
  auto made = std::make_unique<Network>(scenario, 0, backend);
  Network& network = *made;
  const Measurement measurement{network};
  network.elaborate();
  catch_interrupts();  // from here on an interrupt must leave no half-written folder
  auto to_the_files = std::make_unique<const PipesWithoutReaderFail>();
  ResultFolder folder{out, files_of_sinks()};
  const SinkRun sink_run{options.scenario, overrides, network,
                         options.backend,  folder,    options.quiet};
  // Those of an error go before the network that they watch.
  auto opened = std::make_unique<const Sinks>(std::move(options.sinks));
  const Sinks& sinks = *opened;
  try {
    for (const std::unique_ptr<Sink>& sink : sinks) sink->open(sink_run);
  } catch (const WaveInterrupted&) {  // nothing is simulated: earlier results stay
    opened.reset();
    leave_to_the_end(std::move(made));
    return 128 + interrupt_signal();
  }

  const Clock::time_point start = Clock::now();
  simulate(network, options.quiet, sinks);
  const std::shared_future<void> checked =
      std::async(std::launch::async, [&] { check_conservation(network); }).share();
  for (const std::unique_ptr<Sink>& sink : sinks) sink->simulated(time_reached(network), checked);
  auto summed_up = std::make_unique<const Summary>(measurement.summary());
  checked.get();
  const Summary& summary = *summed_up;
  SinkEnd end{summary, folder, options.json};
  for (const std::unique_ptr<Sink>& sink : sinks) sink->start_finish(end);
  const bool gave_up = finish_files(sinks, end);
  const std::vector<std::string> blocks = compared_blocks(network);
  end.notes.insert(end.notes.end(), blocks.begin(), blocks.end());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  folder.add_file("run.json", run_json(options, folder, summary, end.notes, seconds));
  folder.commit();
  to_the_files.reset();
  print_summary(options, end, blocks, out, seconds);
  const int code = exit_code_of(summary, gave_up);
  leave_to_the_end(std::move(opened));
  leave_to_the_end(std::move(summed_up));
  leave_to_the_end(std::move(made));
  return code;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", run_about);
  command->footer(run_footer);
  const auto options = std::make_shared<RunOptions>();
  command
      ->add_option("SCENARIO", options->scenario,
                   "Scenario file (docs/reference/scenario-format.md) or preset; - is stdin")
      ->required();
  command
      ->add_option("--out", options->out,
                   "Result folder; an earlier one is replaced (default: results/<scenario name>)")
      ->type_name("DIR");
  command
      ->add_option("--set", options->overrides,
                   "Override any key of the scenario or of the files it names; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--until", options->until, "Simulated time to run, such as \"2 ms\"")
      ->type_name("TIME");
  command->add_option("--seed", options->seed, "Seed of all random draws")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{std::numeric_limits<std::int64_t>::max()}))
      ->type_name("N");
  command
      ->add_option("--backend", options->backend,
                   "What decides: the model, the RTL, or both, compared at every step")
      ->check(CLI::IsMember({"model", "rtl", "lockstep"}));
  command
      ->add_option("--rtl", options->rtl,
                   "Library with the RTL, made by scripts/rtl/make-backend (default: that of weir)")
      ->type_name("LIB.so");
  command
      ->add_option(
          "--block", options->blocks,
          "Library with the RTL of one block, made by scripts/rtl/make-backend --block: it "
          "decides in the place of that block alone, and is compared with the core in "
          "every cycle; may be repeated")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  for (const SinkRow& row : sink_table()) options->sinks.push_back(row.make(*command, row));
  command->add_flag("--json", options->json, "Print summary.json instead of the summary");
  command->add_flag("--quiet", options->quiet,
                    "No progress and no warnings on stderr (run.json has them); the summary is "
                    "printed");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace weir
