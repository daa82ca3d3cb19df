// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "output/interrupt.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "size_search.hpp"
#include "sweep/sweep_engine.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_progress.hpp"
#include "sweep/sweep_report.hpp"
#include "text/exit_codes.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/sweep/sweep.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"
#include "weir/trace/sweep/sweep_analysis.hpp"
#include "weir/trace/sweep/sweep_database.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct SizeOptions {
  std::string file;
  std::string out, pictures;
  unsigned jobs{0};
  bool json{false}, quiet{false};
};

constexpr const char* size_about =
    "Find the smallest memory that meets a goal, by bisection over the model";
constexpr const char* size_footer =
    R"(SWEEP.toml has a [goal] and a table [size] with key, from, to and step (docs/reference/sweeps.md).
For each combination of scenarios, workloads, axes and samples, weir size finds the smallest value
of the key with which every seed meets the goal; the value one step below is run as well, and misses
it. Where from itself meets the goal, there is no value below: the answer is "from or less". The
answer also shows how much each other key changes that value, with all else equal, without the
settings that from suffices for.

--out writes all runs of the search to sweep.sqlite, one row a run, and report.html: sizes,
heat-maps, Pareto front and sensitivity of the runs, and the table of all runs.

Examples:
  weir size memory_star16_dt_trident2
  weir size S.toml --out /tmp/s --pictures /tmp/s-pictures
  weir size S.toml --json | jq '.sizes[].smallest')";

Json inputs_of(const Sweep& sweep, std::uint64_t combination) {
  const SweepPoint point = sweep_point(sweep, combination * seeds_of(sweep));
  Json inputs{{"scenario", sweep.scenarios[point.scenario].name}};
  if (!sweep.workloads.empty()) inputs["workload"] = sweep.workloads[point.workload].name;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i)
    inputs[sweep.axes[i].name] = sweep.axes[i].values[point.values[i]].text;
  return inputs;
}

// Place of each value of an axis: as listed; of a sampled one from the least to the greatest.
std::vector<std::size_t> places_of(const SweepAxis& axis) {
  std::vector<std::size_t> order(axis.values.size()), places(axis.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (axis.sampled)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return axis.values[a].magnitude < axis.values[b].magnitude;
    });
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  return places;
}

// How much each key moves the answer, counted in steps of [size].
struct Sensitivity {
  std::vector<SweepInput> inputs;
  std::vector<SweepEffect> effects;
};

Sensitivity sensitivity_of(const Sweep& sweep, const std::vector<SizeAnswer>& answers) {
  Sensitivity result;
  SweepInput scenarios{"scenario", {}, false}, workloads{"workload", {}, false};
  for (const SweepScenario& scenario : sweep.scenarios) scenarios.levels.push_back(scenario.name);
  for (const SweepWorkload& workload : sweep.workloads) workloads.levels.push_back(workload.name);
  result.inputs = {scenarios, workloads};
  std::vector<std::vector<std::size_t>> places;
  for (const SweepAxis& axis : sweep.axes) {
    places.push_back(places_of(axis));
    SweepInput input{axis.name, std::vector<std::string>(axis.values.size()), axis.sampled};
    for (std::size_t i = 0; i < axis.values.size(); ++i)
      input.levels[places.back()[i]] = axis.values[i].text;
    result.inputs.push_back(std::move(input));
  }
  std::vector<std::vector<std::size_t>> levels;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const SweepPoint point = sweep_point(sweep, i * seeds_of(sweep));
    levels.push_back({point.scenario, point.workload});
    for (std::size_t axis = 0; axis < places.size(); ++axis)
      levels.back().push_back(places[axis][point.values[axis]]);
  }
  result.effects = effects_of(result.inputs, levels, [&](std::size_t i) {
    const std::optional<std::size_t> edge = answers[i].edge();
    return edge ? std::optional<std::uint64_t>{*edge} : std::nullopt;
  });
  // A key without two sizes to compare has no effect that is known: it is not shown.
  result.effects.erase(
      std::remove_if(result.effects.begin(), result.effects.end(),
                     [](const SweepEffect& effect) { return effect.settings == 0; }),
      result.effects.end());
  return result;
}

std::string distance_of(const Sweep& sweep, double steps) {
  return sweep.size->distances[static_cast<std::size_t>(std::llround(steps))];
}

Json json_of(const Sweep& sweep, const Sensitivity& sensitivity) {
  Json list = Json::array();
  for (const SweepEffect& effect : sensitivity.effects) {
    const SweepInput& input = sensitivity.inputs[effect.input];
    Json entry{{"key", input.name}, {"settings", effect.settings}};
    if (effect.rank_correlation) {
      entry["rank_correlation"] = *effect.rank_correlation;
    } else {
      entry["average_swing"] = distance_of(sweep, effect.average_swing);
      entry["largest_swing"] = distance_of(sweep, static_cast<double>(effect.largest_swing));
    }
    entry["min_at"] = input.levels[effect.lowest];
    entry["max_at"] = input.levels[effect.highest];
    list.push_back(std::move(entry));
  }
  return list;
}

void print_text(const Sweep& sweep, const Sensitivity& sensitivity) {
  if (sensitivity.effects.empty()) return;
  print("how much each key alone changes it\n");
  for (const SweepEffect& effect : sensitivity.effects) {
    const SweepInput& input = sensitivity.inputs[effect.input];
    if (!effect.rank_correlation && effect.largest_swing == 0) {
      print("  {}: not at all\n", input.name);
      continue;
    }
    const std::string swing =
        effect.rank_correlation
            ? fmt::format("rank correlation {:+.2f}", *effect.rank_correlation)
            : fmt::format("{} on average, {} at most", distance_of(sweep, effect.average_swing),
                          distance_of(sweep, static_cast<double>(effect.largest_swing)));
    print("  {}: {} (least at {}, greatest at {}; {})\n", input.name, swing,
          input.levels[effect.lowest], input.levels[effect.highest],
          fmt::format(effect.rank_correlation ? "{} samples"
                      : effect.settings == 1  ? "{} setting of the others"
                                              : "{} settings of the others",
                      effect.settings));
  }
}

void print_answers_json(const Sweep& sweep, const std::vector<SizeAnswer>& answers) {
  Json sizes = Json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Json entry{{"inputs", inputs_of(sweep, i)},
               {"smallest", nullptr},
               {"at_lower_bound", answers[i].at_lower_bound()},
               {"runs", answers[i].runs.size()}};
    if (answers[i].value) entry["smallest"] = sweep.size->values[*answers[i].value].text;
    if (!answers[i].value && !answers[i].error.empty()) entry["error"] = answers[i].error;
    sizes.push_back(std::move(entry));
  }
  const Json json{{"sweep", sweep.name},
                  {"key", sweep.size->name},
                  {"sizes", sizes},
                  {"sensitivity", json_of(sweep, sensitivity_of(sweep, answers))}};
  print_json(json_document(json, 2));
}

std::string size_text(const Sweep& sweep, const SizeAnswer& answer) {
  const std::vector<SweepValue>& values = sweep.size->values;
  return format_found(values[answer.value.value_or(values.size() - 1)].text, answer.value,
                      answer.error.empty());
}

void print_text(const Sweep& sweep, const std::vector<SizeAnswer>& answers) {
  print("{}: smallest {} that meets the goal\n", printable_line(sweep.name),
        printable_line(sweep.size->name));
  std::map<std::string, std::uint64_t> errors;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    std::string inputs;
    const Json table = inputs_of(sweep, i);
    for (const auto& [name, value] : table.items())
      inputs += (inputs.empty() ? "" : ", ") + name + " " + value.get<std::string>();
    const SizeAnswer& answer = answers[i];
    print("  {:<18} {}  ({} {})\n", printable_line(size_text(sweep, answer)),
          printable_line(inputs), answer.runs.size(), answer.runs.size() == 1 ? "run" : "runs");
    if (!answer.error.empty()) ++errors[answer.error];
  }
  if (std::any_of(answers.begin(), answers.end(),
                  [](const SizeAnswer& answer) { return answer.at_lower_bound(); }))
    print("or less: from meets the goal, and smaller values were not run\n");
  for (const auto& [error, times] : errors)
    print("no run for {} of them: {}\n", format_quantity(times), printable_line(error));
  print_text(sweep, sensitivity_of(sweep, answers));
}

// Where results go: what an earlier search or sweep has left there is removed.
std::unique_ptr<SweepFolder> folder_of(const Sweep& sweep, const SizeOptions& options) {
  if (!options.pictures.empty() && options.out.empty())
    throw ConfigError("--pictures", options.pictures, "needs --out");
  check_pictures(options.pictures);
  if (options.out.empty()) return nullptr;
  static_cast<void>(roles_of_sweep(sweep, options.out));
  auto folder = std::make_unique<SweepFolder>(options.out);
  const SweepDatabase::Found found = SweepDatabase::look_at(folder->database());
  if (!found.complete && found.rows != 0)
    throw ConfigError("--out", options.out, "holds a sweep that is not complete; name another");
  return folder;
}

void write_results(const Sweep& sweep, const Sweep& search, const std::vector<SizeAnswer>& answers,
                   const SweepFolder& folder, const std::string& pictures) {
  folder.clear();
  SweepDatabase database{folder.database(), search, "size " + sweep_digest(sweep)};
  for (const SizeAnswer& answer : answers)
    for (const SweepOutcome& run : answer.runs) database.add(sweep_point(search, run.point), run);
  database.close(true);
  write_sweep_report({folder.database()}, folder.page(), NamedBy::program, pictures);
}

Sweep checked(const std::string& file) {
  Sweep sweep = load_sweep(file_or_preset("SWEEP", file, {presets::sweeps}));
  if (!sweep.size)
    throw FileError{
        {sweep.file.string(), 0}, "size", "", "is missing: [size] with key, from, to, step"};
  if (sweep.goal.empty())
    throw FileError{{sweep.file.string(), 0}, "goal", "", "is missing: what the size has to meet"};
  check_sweep(sweep);
  return sweep;
}

int size(const SizeOptions& options) {
  const Sweep sweep = checked(options.file);
  const Sweep search = size_search(sweep);
  static_cast<void>(sweep_columns(search));
  const std::unique_ptr<SweepFolder> folder = folder_of(sweep, options);
  catch_interrupts();
  SweepProgress progress{
      options.quiet ? ProgressLine::Style::none : ProgressLine::style_of_stderr(),
      sweep.points / seeds_of(sweep), 0};
  const unsigned all = std::max(std::thread::hardware_concurrency(), 1U);
  const std::vector<SizeAnswer> answers = find_sizes(
      sweep, search, options.jobs != 0 ? options.jobs : all,
      [&](const SizeAnswer& answer) { progress.add(!answer.value); },
      [&] {
        progress.update();
        return interrupt_signal() != 0;
      });
  if (interrupt_signal() != 0) {
    if (folder) folder->abandon();
    return 128 + interrupt_signal();
  }
  if (folder) write_results(sweep, search, answers, *folder, options.pictures);
  options.json ? print_answers_json(sweep, answers) : print_text(sweep, answers);
  const bool found = std::all_of(answers.begin(), answers.end(),
                                 [](const SizeAnswer& answer) { return answer.value.has_value(); });
  return found ? 0 : 1;
}

}  // namespace

void add_size_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("size", size_about);
  command->footer(with_exit_codes(
      size_footer, {"every combination has its size", "a combination meets the goal with no value",
                    ExitCodes{}.refused, interrupted}));
  const auto options = std::make_shared<SizeOptions>();
  command->add_option("SWEEP", options->file, "Sweep file with [goal] and [size]")->required();
  command->add_option("--jobs", options->jobs, "Runs at a time (default: one a processor)")
      ->check(whole_number(1, max_jobs))
      ->type_name("N");
  command->add_option("--out", options->out, "Result folder: all runs, and the page")
      ->type_name("DIR");
  command
      ->add_option("--pictures", options->pictures,
                   "Write the charts of report.html as SVG files into this folder, too")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--quiet", options->quiet, "No progress on stderr; the sizes are printed");
  command->callback([options, &exit_code] { exit_code = size(*options); });
}

}  // namespace weir
