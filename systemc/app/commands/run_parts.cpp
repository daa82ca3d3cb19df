// SPDX-License-Identifier: Apache-2.0
#include "run_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "commands/command_line.hpp"
#include "output/interrupt.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "sinks/sink_table.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "text/summary_text.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/error_list.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/version.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

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

// An error of what --until says names the option, not the key that it sets.
FileError as_typed(const FileError& error) {
  const bool typed = error.origin().file == "--set" && error.key() == "scenario.until";
  return typed ? FileError{Origin{}, "--until", error.value(), error.legal()} : error;
}

Scenario load_scenario_of(const RunOptions& options, const std::vector<std::string>& overrides) {
  if (options.until.empty()) return load_scenario(options.scenario, overrides);
  try {
    return load_scenario(options.scenario, overrides);
  } catch (const FileErrors& several) {
    std::vector<FileError> errors;
    for (const FileError& error : several.errors()) errors.push_back(as_typed(error));
    throw FileErrors{std::move(errors), several.left_out()};
  } catch (const FileError& error) {
    throw as_typed(error);
  }
}

std::string run_json(const RunEnd& run, const std::vector<std::string>& notes, double seconds) {
  const auto& [options, network, sinks, summary, folder, start, signal] = run;
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
  return json_document(json, 2);
}

// What is given up was given up after a signal, which may come when the simulation is over.
int exit_code_of(const RunEnd& run, bool gave_up) {
  if (run.summary.interrupted || gave_up)
    return 128 + (run.signal != 0 ? run.signal : interrupt_signal());
  return run.summary.all_met() ? 0 : 1;
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
    sink->plan(roles, out,
               options.backend_kind() == BackendKind::lockstep || !options.blocks.empty());
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

}  // namespace

BackendKind RunOptions::backend_kind() const {
  return std::find_if(backend_names.begin(), backend_names.end(),
                      [this](const auto& row) { return row.first == backend; })
      ->second;
}

RunPlan plan_run(RunOptions& options) {
  options.scenario = file_or_preset("SCENARIO", options.scenario, {presets::scenarios}).string();
  const std::vector<std::string> overrides = overrides_of(options);
  const Scenario scenario = load_scenario_of(options, overrides);
  const fs::path out =
      options.out.empty() ? fs::path{"results"} / scenario.name : fs::path{options.out};
  plan_files(options, out, overrides);
  return {overrides, scenario, out};
}

std::unique_ptr<RunReport> write_results(const RunEnd& run) {
  auto report =
      std::make_unique<RunReport>(RunReport{{run.summary, run.folder, run.options.json}, {}, 0, 0});
  SinkEnd& end = report->end;
  for (const std::unique_ptr<Sink>& sink : run.sinks) sink->start_finish(end);
  const bool gave_up = finish_files(run.sinks, end);
  report->blocks = compared_blocks(run.network);
  end.notes.insert(end.notes.end(), report->blocks.begin(), report->blocks.end());
  report->seconds = std::chrono::duration<double>(Clock::now() - run.start).count();
  run.folder.add_file(result_names::run, run_json(run, end.notes, report->seconds));
  run.folder.commit();
  report->exit_code = exit_code_of(run, gave_up);
  return report;
}

void print_summary(const RunEnd& run, const RunReport& report) {
  const SinkEnd& end = report.end;
  if (run.options.json) {
    print_json(end.summary_json);
    return;
  }
  const std::string compared =
      report.blocks.empty() ? "" : fmt::format("{}\n", fmt::join(report.blocks, "\n"));
  print("{}\n{}ran in {:.2f} s, {} packets/s; results in {}\n",
        to_text(run.summary, end.first_thresholds), compared, report.seconds,
        format_quantity(static_cast<std::uint64_t>(
            static_cast<double>(run.summary.totals.delivered_packets) / report.seconds)),
        run.folder.target().string());
}

}  // namespace weir
