// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <systemc>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "commands/command_line.hpp"
#include "output/interrupt.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "sweep/sweep_engine.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_progress.hpp"
#include "sweep/sweep_report.hpp"
#include "text/format.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/sweep/sweep.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"
#include "weir/core/version.hpp"
#include "weir/trace/sweep/sweep_database.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t many_points = 100'000;

struct SweepOptions {
  std::string file, out, csv, pictures;
  std::string engine{"local"};
  unsigned jobs{0}, tasks{0};
  bool resume{false}, yes{false}, dry_run{false}, quiet{false}, json{false};
  std::optional<std::uint64_t> print_run;
  std::string attempt;  // of a task of a job array
  std::uint64_t task{0};
};

constexpr const char* sweep_about = "Run a scenario many times, with keys that change";
constexpr const char* sweep_footer =
    R"(The result folder holds sweep.sqlite, a row a run with every input and every figure, report.html (which
settings meet the goal, Pareto front, sensitivity, heat-maps, table) and run.json (docs/reference/sweeps.md). Rows are written as runs finish; after Ctrl-C or a crash, --resume
runs the points that are missing. A run that fails is a row with its error. Same sweep: same bytes in
sweep.sqlite, whatever the engine and the number of jobs.

Exit codes: 0 every point ran, 1 some did not (their rows say why), 2 usage or configuration, and
then nothing is written, 3 model error, 130 ended by Ctrl-C (143 by SIGTERM).

Examples:
  weir sweep vectors/sweeps/alpha_star16_dt_trident2.toml --csv /tmp/alpha.csv
  weir sweep S.toml --jobs 8 --out /tmp/s --resume
  weir sweep S.toml --engine slurm --tasks 200 --out /shared/s)";

fs::path folder_of(const Sweep& sweep, const SweepOptions& options) {
  return options.out.empty() ? fs::path{"results"} / sweep.name : fs::path{options.out};
}

// What the sweep reads is not to be overwritten by what it writes.
void check_files(const Sweep& sweep, const SweepOptions& options) {
  if (options.csv.empty()) return;
  FileRoles roles;
  roles.reads(sweep.file);
  for (const SweepScenario& scenario : sweep.scenarios)
    for (const fs::path& file : files_of_document(scenario.file, {})) roles.reads(file);
  for (const char* const file : {"sweep.sqlite", "report.html", "run.json"})
    roles.writes("--out", folder_of(sweep, options) / file);
  roles.writes("--csv", options.csv);
}

void check_points(const Sweep& sweep, const SweepOptions& options) {
  if (sweep.points <= many_points || options.yes) return;
  throw FileError{{sweep.file.string(), 0},
                  "sweep",
                  format_quantity(sweep.points) + " points",
                  "more than " + format_quantity(many_points) + " points need --yes"};
}

// Earlier results of the folder are continued, or go away.
void make_room(const Sweep& sweep, const SweepFolder& folder, const std::string& digest,
               const SweepOptions& options) {
  if (!fs::exists(fs::symlink_status(folder.database()))) return;
  if (options.resume) {
    if (SweepDatabase::may_resume(folder.database(), sweep, digest)) return;
  } else if (!options.yes) {
    const SweepDatabase::Found found = SweepDatabase::look_at(folder.database());
    if (!found.complete && found.rows != 0)
      throw ConfigError("--out", folder.path().string(),
                        "holds " + format_quantity(found.rows) + " of " +
                            format_quantity(found.points) +
                            " points of a sweep; go on with --resume, or drop them with --yes");
  }
  folder.clear();
}

struct Finish {
  SweepDatabase::Counts counts;
  std::vector<std::pair<std::string, std::uint64_t>> errors;
  std::uint64_t at_start{0};
  SweepCost cost;
  double seconds{0};
};

std::string run_json(const Sweep& sweep, const SweepOptions& options, unsigned jobs,
                     const Finish& end) {
  const Json json{{"version", version},
                  {"command", command_line()},
                  {"sweep_file", fs::absolute(sweep.file).lexically_normal().string()},
                  {"engine", options.engine},
                  {"jobs", jobs},
                  {"points", sweep.points},
                  {"finished_points", end.counts.rows},
                  {"points_found_at_start", end.at_start},
                  {"failed_points", end.counts.failed},
                  {"wall_seconds", end.seconds},
                  {"run_processor_seconds", end.cost.runs},
                  {"engine_processor_seconds", end.cost.engine}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// run.json, and what the screen also says.
void print_finish_json(const Sweep& sweep, const SweepOptions& options, const fs::path& folder,
                       unsigned jobs, const Finish& end) {
  Json json = Json::parse(run_json(sweep, options, jobs, end));
  json["expect_missed"] = end.counts.expect_missed;
  json["goal_met"] = sweep.goal.empty() ? Json{} : Json(end.counts.goal_met);
  json["errors"] = Json::array();
  for (const auto& [error, times] : end.errors)
    json["errors"].push_back({{"error", error}, {"points", times}});
  json["result_folder"] = folder.string();
  print_json(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void print_finish(const Sweep& sweep, const SweepOptions& options, const fs::path& folder,
                  const Finish& end) {
  const SweepDatabase::Counts& counts = end.counts;
  print("{}: {} of {} points", printable_line(sweep.name), format_quantity(counts.rows),
        format_quantity(sweep.points));
  if (end.at_start != 0) print(", {} of them from before", format_quantity(end.at_start));
  print("; {} failed, {} missed [expect]", format_quantity(counts.failed),
        format_quantity(counts.expect_missed));
  if (!sweep.goal.empty()) print(", {} met [goal]", format_quantity(counts.goal_met));
  print("\n");
  for (const auto& [error, times] : end.errors)
    print("  {} x {}\n", format_quantity(times), printable_line(error));
  const std::uint64_t ran = counts.rows - end.at_start;
  print("ran in {:.2f} s, {:.1f} points/s", end.seconds, static_cast<double>(ran) / end.seconds);
  if (options.engine == "local" && end.cost.runs > 0)
    print(", engine {:.1f} % of the runs", 100 * end.cost.engine / end.cost.runs);
  print("; results in {}\n", folder.string());
}

unsigned jobs_of(const SweepOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(std::thread::hardware_concurrency(), 1U);
}

SweepCost run_points(const Sweep& sweep, const SweepOptions& options, const SweepFolder& folder,
                     SweepDatabase& database, std::uint64_t& at_start) {
  std::vector<std::uint64_t> finished = database.finished();
  at_start = finished.size();
  PendingPoints pending{sweep.points, std::move(finished)};
  SweepProgress progress{
      options.quiet ? ProgressLine::Style::none : ProgressLine::style_of_stderr(), sweep.points,
      at_start};
  const SweepWork work{sweep, pending,
                       [&](const SweepOutcome& outcome) {
                         database.add(sweep_point(sweep, outcome.point), outcome);
                         progress.add(!outcome.ran());
                       },
                       [&] {
                         progress.update();
                         return interrupt_signal() != 0;
                       }};
  if (options.engine == "local") return run_local(work, jobs_of(options));
  return run_slurm(work, {fs::absolute(folder.path()), options.tasks, options.jobs});
}

// The rows are safe by now: no reason to call the configuration bad.
void write_pages(const Sweep& sweep, const SweepOptions& options, const SweepFolder& folder,
                 const Finish& end) {
  try {
    if (end.counts.rows == sweep.points)
      write_sweep_report({folder.database()}, folder.page(), options.pictures);
    write_file("--out", folder.path() / "run.json",
               run_json(sweep, options, jobs_of(options), end));
  } catch (const ConfigError& error) {
    throw ModelError(error.what());
  }
}

int finish(const Sweep& sweep, const SweepOptions& options, const SweepFolder& folder,
           SweepDatabase& database, std::optional<OutputFile>& csv, Finish end) {
  end.counts = database.counts();
  end.errors = database.errors(5);
  const bool complete = end.counts.rows == sweep.points;
  database.close(complete && end.at_start != sweep.points);
  if (csv) {
    export_sweep_csv(folder.database(), *csv);
    csv->commit();
  }
  write_pages(sweep, options, folder, end);
  if (options.json)
    print_finish_json(sweep, options, folder.path(), jobs_of(options), end);
  else
    print_finish(sweep, options, folder.path(), end);
  if (complete) return end.counts.failed == 0 ? 0 : 1;
  std::FILE* const screen = options.json ? stderr : stdout;
  if (interrupt_signal() != 0) {
    print(screen, "interrupted; go on with --resume\n");
    return 128 + interrupt_signal();
  }
  print(screen, "{} points have no result: their tasks ended early (see {}); go on with --resume\n",
        format_quantity(sweep.points - end.counts.rows), (folder.path() / "slurm").string());
  return 1;
}

// The run of one point as a command of its own.
int print_run(const Sweep& sweep, std::uint64_t index) {
  if (sweep.points <= index)
    throw ConfigError("--print-run", std::to_string(index),
                      "must be below " + format_quantity(sweep.points) + ", the number of points");
  const SweepPoint point = sweep_point(sweep, index);
  std::string text = "weir run " + quoted_for_shell(sweep.scenarios[point.scenario].file.string());
  for (const std::string& setting : overrides_of(sweep, point))
    text += " --set " + quoted_for_shell(setting);
  text += " --out " + quoted_for_shell("results/" + sweep.name + "-" + std::to_string(index));
  print("{}\n", text);
  return 0;
}

int run_sweep(const SweepOptions& options) {
  const Sweep sweep = load_sweep(file_or_preset("SWEEP", options.file, {presets::sweeps}));
  if (!options.attempt.empty()) return run_slurm_task(sweep, options.attempt, options.task);
  if (options.print_run) return print_run(sweep, *options.print_run);
  check_points(sweep, options);
  static_cast<void>(sweep_columns(sweep));
  check_files(sweep, options);
  if (!options.pictures.empty() && fs::exists(options.pictures) &&
      !fs::is_directory(options.pictures))
    throw ConfigError("--pictures", options.pictures, "must be a folder, this is a file");
  if (options.engine == "slurm") {
    if (options.file == "-")
      throw ConfigError("SWEEP", "\"-\"", "must be a file with --engine slurm: its tasks read it");
    check_slurm();
  }
  check_sweep(sweep);
  if (options.dry_run) {
    if (options.json)
      print_json(Json{{"name", sweep.name}, {"points", sweep.points}}.dump(2) + "\n");
    else
      print("{}: {} points\n", printable_line(sweep.name), format_quantity(sweep.points));
    return 0;
  }
  const std::string digest = sweep_digest(sweep);
  // A place for the CSV file that fails at the end of a long sweep is better refused before it.
  std::optional<OutputFile> csv;
  if (!options.csv.empty()) csv.emplace("--csv", options.csv);
  SweepFolder folder{folder_of(sweep, options)};
  make_room(sweep, folder, digest, options);
  catch_interrupts();  // from here on something could be left half-way
  const Clock::time_point start = Clock::now();
  const bool is_new = !fs::exists(folder.database());
  std::optional<SweepDatabase> database;
  Finish end;
  try {
    database.emplace(folder.database(), sweep, digest);
    end.cost = run_points(sweep, options, folder, *database, end.at_start);
  } catch (const ConfigError&) {  // refused before the first point: as if it had never been started
    const bool empty = database ? database->counts().rows == 0 : is_new;
    database.reset();
    if (empty) folder.clear();
    if (empty) folder.abandon();
    throw;
  }
  end.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return finish(sweep, options, folder, *database, csv, std::move(end));
}

void add_options(CLI::App& command, SweepOptions& options) {
  command.add_option("SWEEP", options.file, "Sweep file (docs/reference/sweeps.md)")->required();
  command
      .add_option("--out", options.out,
                  "Result folder; an earlier complete one is replaced (default: results/<name>)")
      ->type_name("DIR");
  command
      .add_option("--engine", options.engine,
                  "What runs the points: child processes, or a Slurm job array")
      ->check(CLI::IsMember({"local", "slurm"}));
  command
      .add_option("--jobs", options.jobs,
                  "Runs at a time (default: one a processor; slurm: as many as it grants)")
      ->check(CLI::Range(1U, 4096U))
      ->type_name("N");
  command
      .add_option("--tasks", options.tasks,
                  "Tasks of the job array, which share the points (default: at most 1000)")
      ->check(CLI::Range(1U, 1'000'000U))
      ->type_name("N");
  command.add_flag("--resume", options.resume, "Go on with the results in the folder");
  command.add_option("--csv", options.csv, "Write the table of runs as CSV, too")
      ->type_name("FILE");
  command
      .add_option("--pictures", options.pictures,
                  "Write the charts of report.html as SVG files into this folder, too")
      ->type_name("DIR");
  command.add_flag("--yes", options.yes,
                   "Confirm: run more than 100,000 points, or replace an unfinished sweep");
  command.add_flag("--dry-run", options.dry_run, "Check the sweep, count its points, run none");
  command
      .add_option("--print-run", options.print_run,
                  "Print the command that runs this point by itself, with a report; run none")
      ->type_name("POINT");
  command.add_flag("--quiet", options.quiet, "No progress");
  command.add_flag("--json", options.json, "Print JSON instead of the closing lines");
  // What a task of a job array is started with.
  command.add_option("--slurm-attempt", options.attempt, "")->group("");
  command.add_option("--slurm-task", options.task, "")->group("");
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("sweep", sweep_about);
  command->footer(sweep_footer);
  const auto options = std::make_shared<SweepOptions>();
  add_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = run_sweep(*options); });
}

}  // namespace weir
