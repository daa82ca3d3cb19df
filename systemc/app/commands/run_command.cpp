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
#include "ranks/rank_launch.hpp"
#include "ranks/rank_run.hpp"
#include "run_parts.hpp"
#include "sinks/sink_table.hpp"
#include "text/exit_codes.hpp"
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
#include "whole_number.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* run_about = "Run a scenario: summary on the screen, results in a folder";
constexpr const char* run_footer =
    R"(The result folder holds {}:
those that the options ask for (docs/reference/results.md).
Same scenario and seed: same bytes in summary.json, report.json and pfc.pcapng on every machine; in
events.sqlite and report.html where the versions of SQLite and Graphviz are the same. Ctrl-C ends
the run early; the results until then are written.

Examples:
  weir run incast_star16_dt_trident2
  weir run S.toml --until "10 ms" --seed 7 --out /tmp/seed7
  weir run S.toml --set switch.tor.profile.lossless.alpha=1/16 --set traffic.incast.packet="1500 B"
  weir run S.toml --json --quiet | jq .totals)";

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

MmuBackend backend_of(const RunOptions& options) {
  const BackendKind kind = options.backend_kind();
  if (!options.blocks.empty() && kind != BackendKind::model)
    throw ConfigError("--block", options.blocks.front(),
                      "needs --backend model: the RTL of the whole has blocks of its own");
  if (kind != BackendKind::model) return {kind, options.rtl};
  if (!options.rtl.empty())
    throw ConfigError("--rtl", options.rtl, "needs --backend rtl or lockstep");
  MmuBackend backend;
  for (const std::string& path : options.blocks)
    use_rtl_block(backend.blocks, RtlBlockLibrary{path});
  return backend;
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

int run_alone(RunOptions& options, const RunPlan& plan) {
  const MmuBackend backend = backend_of(options);
  // What takes seconds comes before the first file: a signal ends the program at once.
  auto made = std::make_unique<Network>(plan.scenario, 0, backend);
  Network& network = *made;
  const Measurement measurement{network};
  network.elaborate();
  catch_interrupts();  // from here on an interrupt must leave no half-written folder
  auto to_the_files = std::make_unique<const PipesWithoutReaderFail>();
  ResultFolder folder{plan.out, files_of_sinks()};
  const SinkRun sink_run{options.scenario, plan.overrides, network,
                         options.backend,  folder,         options.quiet};
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
  const RunEnd end{options, network, sinks, *summed_up, folder, start, interrupt_signal()};
  const std::unique_ptr<const RunReport> report = write_results(end);
  to_the_files.reset();
  print_summary(end, *report);
  leave_to_the_end(std::move(opened));
  leave_to_the_end(std::move(summed_up));
  leave_to_the_end(std::move(made));
  return report->exit_code;
}

int run(RunOptions& options) {
  const RankWish ranks = rank_wish_of(options.ranks);
  if (ranks == RankWish::join) return run_as_rank(options, run_alone);
  const RunPlan plan = plan_run(options);
  if (ranks == RankWish::start) return start_ranks(options, plan);
  return run_alone(options, plan);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", run_about);
  command->footer(
      with_exit_codes(fmt::format(run_footer, fmt::join(files_of_sinks(), ", ")),
                      {"good (also when a deadlock stopped it)",
                       "an [expect] of the scenario failed", ExitCodes{}.refused, interrupted}));
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
      ->check(whole_number(0, max_seed))
      ->type_name("N");
  command
      ->add_option("--backend", options->backend,
                   "What decides: the model, the RTL, or both, compared at every step")
      ->check(CLI::IsMember(backend_names));
  command
      ->add_option("--rtl", options->rtl,
                   "Library with the RTL, made by scripts/rtl/make-backend of the source tree "
                   "(default: that of weir)")
      ->type_name("LIB.so");
  command
      ->add_option(
          "--block", options->blocks,
          "Library with the RTL of one block, made by scripts/rtl/make-backend --block of the "
          "source tree: it decides in the place of that block alone, and is compared with the "
          "core in every cycle; may be repeated")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--ranks", options->ranks,
          "Run the network in N processes on this machine, with the same results (needs "
          "MPI, docs/guide/ranks.md); mpi: be one of those that mpirun or srun has started")
      ->type_name("N|mpi");
  for (const SinkRow& row : sink_table()) options->sinks.push_back(row.make(*command, row));
  command->add_flag("--json", options->json, "Print summary.json instead of the summary");
  command->add_flag("--quiet", options->quiet,
                    "No progress and no warnings on stderr (run.json has them); the summary is "
                    "printed");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace weir
