// SPDX-License-Identifier: Apache-2.0
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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
#include "sweep/sweep_plan.hpp"
#include "sweep/sweep_progress.hpp"
#include "sweep/sweep_report.hpp"
#include "text/counted.hpp"
#include "text/exit_codes.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/config/sweep/sweep.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"
#include "weir/core/version.hpp"
#include "weir/trace/sweep/sweep_database.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t many_points = 100'000;
// A number that is negative would be read as one above it.
constexpr std::uint64_t max_point = std::numeric_limits<std::int64_t>::max();

struct SweepOptions {
  std::string file, out, csv, pictures;
  std::string engine{local_engine};
  unsigned jobs{0}, tasks{0};
  bool resume{false}, yes{false}, dry_run{false}, quiet{false}, json{false};
  bool plan{false}, collect{false};
  std::string point;  // of a planned sweep: "I/N"
  std::optional<std::uint64_t> print_run, run;
  std::string attempt;  // of a task of a job array
  std::uint64_t task{0};
  std::set<std::string> given;  // names of the options that the user typed
};

constexpr const char* sweep_about = "Run a scenario many times, with keys that change";
constexpr const char* sweep_footer =
    R"(The result folder holds sweep.sqlite, a row a run with every input and every figure, report.html
(which settings meet the goal, Pareto front, sensitivity, heat-maps, table) and run.json
(docs/reference/sweeps.md). Rows are written as runs finish; after Ctrl-C or a crash, --resume runs
the points that are missing. A run that fails is a row with its error. Same sweep, same version of
SQLite: same bytes in sweep.sqlite, whatever the engine and the number of jobs.

With any other scheduler, --plan writes the plan, each of N tasks runs its share with --point I/N,
and --collect makes the results.

Examples:
  weir sweep alpha_star16_dt_trident2 --csv /tmp/alpha.csv
  weir sweep S.toml --jobs 8 --out /tmp/s --resume
  weir sweep S.toml --engine slurm --tasks 200 --out /shared/s
  weir sweep S.toml --plan --out /shared/s
  weir sweep S.toml --point 17/200 --out /shared/s
  weir sweep S.toml --collect --out /shared/s)";

fs::path folder_of(const Sweep& sweep, const SweepOptions& options) {
  return options.out.empty() ? fs::path{"results"} / sweep.name : fs::path{options.out};
}

// No file that the sweep reads may be overwritten by one that it writes.
void check_files(const Sweep& sweep, const SweepOptions& options) {
  FileRoles roles = roles_of_sweep(sweep, folder_of(sweep, options));
  if (!options.csv.empty()) roles.writes("--csv", options.csv);
}

void check_points(const Sweep& sweep, const SweepOptions& options) {
  if (sweep.points <= many_points || options.yes) return;
  throw FileError{{sweep.file.string(), 0},
                  "sweep",
                  format_quantity(sweep.points) + " points",
                  "more than " + format_quantity(many_points) + " points need --yes"};
}

// At most one of --plan, --point and --collect, and no option that it would ignore.
void check_together(const SweepOptions& options) {
  struct Way {
    std::string_view name;
    std::vector<std::string> without;
  };
  static const std::array<Way, 3> ways{
      {{"--plan",
        {"--point", "--collect", "--resume", "--engine", "--jobs", "--tasks", "--csv", "--pictures",
         "--print-run", "--run"}},
       {"--point",
        {"--collect", "--resume", "--engine", "--tasks", "--csv", "--pictures", "--print-run",
         "--run", "--yes", "--dry-run", "--json"}},
       {"--collect",
        {"--resume", "--engine", "--jobs", "--tasks", "--print-run", "--run", "--dry-run"}}}};
  for (const Way& way : ways) {
    if (options.given.count(std::string{way.name}) == 0) continue;
    for (const std::string& other : way.without)
      if (options.given.count(other) != 0)
        throw ConfigError(std::string{way.name}, other, "cannot be given together");
  }
  if (options.given.count("--tasks") != 0 && options.engine == local_engine)
    throw ConfigError(
        "--tasks", std::to_string(options.tasks),
        fmt::format("has no effect with the engine {}; name another with --engine", local_engine));
}

// Tasks on other machines read the sweep file themselves.
void check_is_file(const SweepOptions& options) {
  const std::string way = options.engine != local_engine ? "--engine " + options.engine
                          : options.plan                 ? "--plan"
                          : !options.point.empty()       ? "--point"
                          : options.collect              ? "--collect"
                                                         : "";
  if (options.file != "-" || way.empty()) return;
  throw ConfigError("SWEEP", "\"-\"", "must be a file with " + way + ": its tasks read it");
}

// A plan whose results are not in the database yet is dropped only when the user says so.
void check_plan_is_free(const SweepFolder& folder, const SweepPlan& plan,
                        const SweepOptions& options) {
  if (!plan.exists() || options.collect || options.resume || options.yes) return;
  throw ConfigError("--out", folder.path().string(),
                    "holds a planned sweep: --collect makes its results from what its tasks wrote, "
                    "--resume also runs the missing points here, --yes drops it");
}

// Continues or removes the earlier results of the folder, as the options say; an error without
// them.
void make_room(const Sweep& sweep, const SweepFolder& folder, const SweepPlan& plan,
               const std::string& digest, const SweepOptions& options) {
  if (options.collect || (options.resume && plan.exists())) {
    plan.check();
    plan.check_outcomes();
  }
  if (!fs::exists(fs::symlink_status(folder.database()))) {
    check_plan_is_free(folder, plan, options);
    if (plan.exists() && !options.collect && !options.resume) folder.clear();
    return;
  }
  if (options.resume || options.collect) {
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
                  {"engine", options.collect ? "plan" : options.engine},
                  {"jobs", jobs},
                  {"points", sweep.points},
                  {"finished_points", end.counts.rows},
                  {"points_found_at_start", end.at_start},
                  {"failed_points", end.counts.failed},
                  {"wall_seconds", end.seconds},
                  {"run_processor_seconds", end.cost.runs},
                  {"engine_processor_seconds", end.cost.engine}};
  return json_document(json, 2);
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
  print_json(json_document(json, 2));
}

void print_finish(const Sweep& sweep, const SweepOptions& options, const fs::path& folder,
                  const Finish& end) {
  const SweepDatabase::Counts& counts = end.counts;
  print("{}: {} of {}", printable_line(sweep.name), format_quantity(counts.rows),
        counted(sweep.points, "point"));
  if (end.at_start != 0) print(", {} of them from before", format_quantity(end.at_start));
  print("; {} failed, {} missed [expect]", format_quantity(counts.failed),
        format_quantity(counts.expect_missed));
  if (!sweep.goal.empty()) print(", {} met [goal]", format_quantity(counts.goal_met));
  print("\n");
  for (const auto& [error, times] : end.errors)
    print("  {} x {}\n", format_quantity(times), printable_line(error));
  const std::uint64_t ran = counts.rows - end.at_start;
  if (options.collect)
    print("collected {} in {:.2f} s", format_quantity(ran), end.seconds);
  else
    print("ran in {:.2f} s, {:.1f} points/s", end.seconds, static_cast<double>(ran) / end.seconds);
  if (!options.collect && options.engine == local_engine && end.cost.runs > 0)
    print(", engine {:.1f} % of the runs", 100 * end.cost.engine / end.cost.runs);
  print("; results in {}\n", folder.string());
}

// A task has the processor that its scheduler gave it.
unsigned jobs_of(const SweepOptions& options) {
  if (options.jobs != 0) return options.jobs;
  return options.point.empty() ? std::max(std::thread::hardware_concurrency(), 1U) : 1U;
}

SweepCost run_points(const Sweep& sweep, const SweepOptions& options, const SweepFolder& folder,
                     const SweepPlan& plan, SweepDatabase& database, std::uint64_t& at_start) {
  std::vector<std::uint64_t> finished = database.finished();
  at_start = finished.size();
  PendingPoints pending{sweep.points, std::move(finished), SweepShare{}};
  SweepProgress progress{
      options.quiet ? ProgressLine::Style::none : ProgressLine::style_of_stderr(), sweep.points,
      at_start};
  const auto ended = [&](const SweepOutcome& outcome) {
    database.add(sweep_point(sweep, outcome.point), outcome);
    progress.add(!outcome.ran());
  };
  const auto stop = [&] {
    progress.update();
    return interrupt_signal() != 0;
  };
  if (plan.exists()) plan.collect({sweep, pending, ended, stop});
  if (options.collect) return {};
  PendingPoints rest{sweep.points, database.finished(), SweepShare{}};
  const SweepWork work{sweep, rest, ended, stop};
  if (options.engine == local_engine) return run_local(work, jobs_of(options));
  return run_array(*array_scheduler(options.engine), work,
                   {fs::absolute(folder.path()), options.tasks, options.jobs});
}

// The rows are stored by now: not an error of the configuration.
void write_pages(const Sweep& sweep, const SweepOptions& options, const SweepFolder& folder,
                 const Finish& end) {
  try {
    write_file("--out", folder.path() / result_names::run,
               run_json(sweep, options, jobs_of(options), end), NamedBy::program);
    if (end.counts.rows == sweep.points)  // the page reads run.json
      write_sweep_report({folder.database()}, folder.page(), NamedBy::program, options.pictures);
  } catch (const ConfigError& error) {
    throw ModelError(error.what());
  }
}

// The points for which no task has left a result.
std::string missing_text(const Sweep& sweep, const std::vector<std::uint64_t>& finished) {
  constexpr std::size_t shown = 8;
  PendingPoints missing{sweep.points, finished, SweepShare{}};
  std::string list;
  for (std::size_t i = 0; i < shown; ++i)
    if (const auto point = missing.next()) list += (i == 0 ? "" : ", ") + std::to_string(*point);
  if (missing.next()) list += " ...";
  const std::uint64_t count = sweep.points - finished.size();
  return fmt::format(
      "no result of {}: {}. Point P is in task P mod N + 1 of N: start it again with "
      "--point, then --collect; or run what is missing here with --resume\n",
      counted(count, "point"), list);
}

// False when the sweep is interrupted by a signal; the rows are in the database.
bool write_csv(const fs::path& database, OutputFile& csv) {
  export_sweep_csv(database, csv);
  try {
    csv.commit();
  } catch (const OutputGivenUp& stuck) {
    print(stderr, "weir: {}\n", stuck.what());
    return false;
  }
  return true;
}

int finish(const Sweep& sweep, const SweepOptions& options, const SweepFolder& folder,
           SweepDatabase& database, std::optional<OutputFile>& csv, Finish end) {
  end.counts = database.counts();
  end.errors = database.errors(5);
  const std::vector<std::uint64_t> finished = database.finished();
  const bool complete = end.counts.rows == sweep.points;
  database.close(complete && end.at_start != sweep.points);
  const bool has_csv = !csv || write_csv(folder.database(), *csv);
  write_pages(sweep, options, folder, end);
  if (options.json)
    print_finish_json(sweep, options, folder.path(), jobs_of(options), end);
  else
    print_finish(sweep, options, folder.path(), end);
  if (complete && !has_csv) return 128 + interrupt_signal();
  if (complete) return end.counts.failed == 0 ? 0 : 1;
  std::FILE* const screen = options.json ? stderr : stdout;
  if (interrupt_signal() != 0) {
    print(screen, "interrupted; go on with --resume\n");
    return 128 + interrupt_signal();
  }
  if (options.collect) {
    print(screen, "{}", missing_text(sweep, finished));
    return 1;
  }
  print(screen, "{} without a result: tasks ended early (see {}); go on with --resume\n",
        counted(sweep.points - end.counts.rows, "point"),
        (folder.path() / options.engine).string());
  return 1;
}

// The run of one point as a command of its own, without the name of the program.
std::vector<std::string> arguments_of_point(const Sweep& sweep, std::uint64_t index,
                                            const SweepOptions& options, const char* option) {
  if (sweep.points <= index)
    throw ConfigError(option, std::to_string(index),
                      "must be below " + format_quantity(sweep.points) + ", the number of points");
  const SweepPoint point = sweep_point(sweep, index);
  std::vector<std::string> words{"run", sweep.scenarios[point.scenario].file.string()};
  for (const std::string& setting : overrides_of(sweep, point))
    words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), {"--out", point_folder(folder_of(sweep, options), index).string()});
  return words;
}

int print_run(const Sweep& sweep, const SweepOptions& options) {
  std::string text = "weir";
  for (const std::string& word :
       arguments_of_point(sweep, *options.print_run, options, "--print-run"))
    text += " " + (word.rfind("--", 0) == 0 ? word : quoted_for_shell(word));
  print("{}\n", text);
  return 0;
}

// This program with `words`; its exit code. A signal is for it, too: it keeps what there is.
int run_program(std::vector<std::string> words) {
  catch_interrupts();
  std::string program = "/proc/self/exe";
  std::vector<char*> arguments{program.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
    throw ModelError("weir sweep --run: no process could be started");
  constexpr std::chrono::milliseconds between_looks{10};
  int status = 0;
  bool forwarded = false;
  while (waitpid(child, &status, WNOHANG) != child) {
    if (!forwarded && interrupt_signal() != 0) {
      kill(child, interrupt_signal());
      forwarded = true;
    }
    std::this_thread::sleep_for(between_looks);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Runs a point of a finished sweep again, with all results of a run; the page of the sweep links to
// them.
int run_point(const Sweep& sweep, const SweepOptions& options) {
  const std::vector<std::string> words = arguments_of_point(sweep, *options.run, options, "--run");
  SweepFolder folder{folder_of(sweep, options)};
  std::error_code ignored;
  const bool is_there = fs::exists(folder.database(), ignored);
  if (!is_there || SweepDatabase::look_at(folder.database()).digest != sweep_digest(sweep)) {
    folder.abandon();
    throw ConfigError("--out", folder.path().string(),
                      is_there ? "holds the results of another sweep"
                               : "holds no results of this sweep; run it first, without --run");
  }
  const fs::path own = point_folder(folder.path(), *options.run);
  for (const fs::path& place : {own.parent_path(), own}) free_name_of_folder(place);
  const int exit_code = run_program(words);
  if (exit_code <= 1)
    write_sweep_report({folder.database()}, folder.page(), NamedBy::program, options.pictures);
  return exit_code;
}

void print_count(const Sweep& sweep, const SweepOptions& options) {
  if (options.json)
    print_json(json_document(Json{{"name", sweep.name}, {"points", sweep.points}}, 2));
  else
    print("{}: {}\n", printable_line(sweep.name), counted(sweep.points, "point"));
}

// Leaves the plan, and says how to go on.
int plan_sweep(const Sweep& sweep, const SweepOptions& options) {
  const std::string digest = sweep_digest(sweep);
  SweepFolder folder{folder_of(sweep, options)};
  const SweepPlan plan{sweep, digest, folder.path()};
  try {
    make_room(sweep, folder, plan, digest, options);
    plan.write();
  } catch (const ConfigError&) {
    folder.abandon();
    throw;
  }
  print_count(sweep, options);
  if (options.json) return 0;
  const std::string command = "weir sweep " + quoted_for_shell(options.file) + " --out " +
                              quoted_for_shell(folder.path().string());
  print("start N tasks, I from 1 to N, N at most {}:\n  {} --point I/N\nthen:\n  {} --collect\n",
        sweep.points, command, command);
  return 0;
}

// A task of a planned sweep. Points that fail are results: its scheduler has no reason to start it
// again.
int run_task(const Sweep& sweep, const SweepOptions& options) {
  const SweepShare share = parse_share(options.point, sweep.points);
  const SweepPlan plan{sweep, sweep_digest(sweep), folder_of(sweep, options)};
  plan.check();
  catch_interrupts();
  const bool whole = plan.run(share, jobs_of(options), [] { return interrupt_signal() != 0; });
  if (!whole) return 128 + interrupt_signal();
  if (!options.quiet)
    print("{}: task {} of {} has all its points\n", printable_line(sweep.name),
          format_quantity(share.number), format_quantity(share.of));
  return 0;
}

// Runs the points, or collects them, in the folder of the results.
int run_in_folder(const Sweep& sweep, const SweepOptions& options) {
  const std::string digest = sweep_digest(sweep);
  // A place for the CSV file that fails at the end of a long sweep is better refused before it.
  std::optional<OutputFile> csv;
  if (!options.csv.empty()) csv.emplace("--csv", options.csv);
  SweepFolder folder{folder_of(sweep, options)};
  const SweepPlan plan{sweep, digest, folder.path()};
  try {
    make_room(sweep, folder, plan, digest, options);
  } catch (const ConfigError&) {
    folder.abandon();
    throw;
  }
  catch_interrupts();  // from here on an interrupt could leave incomplete files
  const Clock::time_point start = Clock::now();
  const bool is_new = !fs::exists(folder.database());
  std::optional<SweepDatabase> database;
  Finish end;
  try {
    database.emplace(folder.database(), sweep, digest);
    end.cost = run_points(sweep, options, folder, plan, *database, end.at_start);
  } catch (const ConfigError&) {  // refused before the first point: leave no folder
    const bool empty = (database ? database->counts().rows == 0 : is_new) && !plan.exists();
    database.reset();
    if (empty) folder.clear();
    if (empty) folder.abandon();
    throw;
  }
  end.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const bool complete = database->counts().rows == sweep.points;
  const int exit_code = finish(sweep, options, folder, *database, csv, std::move(end));
  if (complete) plan.forget_outcomes();
  return exit_code;
}

int run_sweep(const SweepOptions& options) {
  check_together(options);
  check_is_file(options);
  const Sweep sweep = load_sweep(file_or_preset("SWEEP", options.file, {presets::sweeps}));
  if (!options.attempt.empty()) return run_array_task(sweep, options.attempt, options.task);
  if (options.print_run) return print_run(sweep, options);
  if (options.run) return run_point(sweep, options);
  if (!options.point.empty()) return run_task(sweep, options);
  check_points(sweep, options);
  static_cast<void>(sweep_columns(sweep));
  check_files(sweep, options);
  check_pictures(options.pictures);
  if (const ArrayScheduler* const scheduler = array_scheduler(options.engine))
    check_scheduler(*scheduler);
  check_sweep(sweep);
  if (options.dry_run) {
    print_count(sweep, options);
    return 0;
  }
  return options.plan ? plan_sweep(sweep, options) : run_in_folder(sweep, options);
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names{std::string{local_engine}};
  for (const ArrayScheduler& scheduler : array_schedulers()) names.emplace_back(scheduler.engine);
  return names;
}

void add_options(CLI::App& command, SweepOptions& options) {
  command.add_option("SWEEP", options.file, "Sweep file (docs/reference/sweeps.md)")->required();
  command
      .add_option("--out", options.out,
                  "Result folder; an earlier complete one is replaced (default: results/<name>)")
      ->type_name("DIR");
  command
      .add_option("--engine", options.engine,
                  "What runs the points: child processes, or a job array of Slurm or Grid Engine")
      ->check(CLI::IsMember(engine_names()));
  command
      .add_option("--jobs", options.jobs,
                  "Runs at a time (default: one a processor; a job array: as many as are granted)")
      ->check(whole_number(1, max_jobs))
      ->type_name("N");
  command
      .add_option(
          "--tasks", options.tasks,
          fmt::format("Tasks of the job array, which share the points (default: at most {})",
                      usual_tasks))
      ->check(whole_number(1, max_tasks))
      ->type_name("N");
  command.add_flag("--resume", options.resume, "Go on with the results in the folder");
  command.add_flag("--plan", options.plan,
                   "Check the sweep and leave a plan for tasks of any scheduler; run none");
  command
      .add_option("--point", options.point,
                  "As task I of N, from 1, of a planned sweep: run its share of the points")
      ->type_name("I/N");
  command.add_flag("--collect", options.collect,
                   "Make the results of a planned sweep from what its tasks wrote");
  command.add_option("--csv", options.csv, "Write the table of runs as CSV, too")
      ->type_name("FILE");
  command
      .add_option("--pictures", options.pictures,
                  "Write the charts of report.html as SVG files into this folder, too")
      ->type_name("DIR");
  command.add_flag("--yes", options.yes,
                   "Confirm: run more than " + format_quantity(many_points) +
                       " points, or replace an unfinished sweep");
  command.add_flag("--dry-run", options.dry_run, "Check the sweep, count its points, run none");
  command
      .add_option("--print-run", options.print_run,
                  "Print the command that runs this point by itself, with a report; run none")
      ->check(whole_number(0, max_point))
      ->type_name("POINT");
  command
      .add_option(
          "--run", options.run,
          "Run this point of a finished sweep by itself, with a report to which the page of "
          "the sweep leads")
      ->check(whole_number(0, max_point))
      ->type_name("POINT");
  command.add_flag("--quiet", options.quiet,
                   "No progress on stderr; the closing lines are printed");
  command.add_flag("--json", options.json, "Print JSON instead of the closing lines");
  // What a task of a job array is started with.
  command.add_option("--array-attempt", options.attempt, "")->group("");
  command.add_option("--array-task", options.task, "")->group("");
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("sweep", sweep_about);
  command->footer(
      with_exit_codes(sweep_footer, {"every point ran", "some did not (their rows say why)",
                                     "usage or configuration; nothing is written", interrupted}));
  const auto options = std::make_shared<SweepOptions>();
  add_options(*command, *options);
  command->callback([options, command, &exit_code] {
    for (const CLI::Option* const option : command->get_options())
      if (option->count() != 0) options->given.insert(option->get_name());
    exit_code = run_sweep(*options);
  });
}

}  // namespace weir
