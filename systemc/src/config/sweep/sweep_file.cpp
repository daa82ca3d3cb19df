// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "sweep_sections.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/sweep/sweep.hpp"
#include "weir/config/sweep/sweep_values.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t max_seeds = 1'000'000;
constexpr std::uint64_t max_points = 1'000'000'000'000;
// Each axis and each figure is a column of the results, of which SQLite takes 2,000.
constexpr std::size_t max_tables = 1'000;
constexpr std::size_t max_settings = 10'000;  // each is searched in the scenario

const std::vector<Node>& tables_of(const Node& list) {
  const std::vector<Node>& tables = list_of_tables(list);
  if (max_tables < tables.size())
    tables[max_tables].fail("is one table too many: there may be " + std::to_string(max_tables));
  return tables;
}

std::vector<SweepSetting> to_settings(const Node& table) {
  if (!table.is_table()) table.fail("must be a table of keys as for --set, in quotes, and values");
  if (max_settings < table.children.size())
    table.children[max_settings].fail("is one key too many: a table may set " +
                                      std::to_string(max_settings));
  std::vector<SweepSetting> settings;
  for (const Node& child : table.children)
    settings.push_back({to_sweep_key(child, child.name), to_sweep_value(child)});
  return settings;
}

std::vector<std::uint64_t> to_seeds(const Node& value) {
  std::vector<std::uint64_t> seeds;
  if (!value.is_array()) {
    const auto count = static_cast<std::uint64_t>(to_integer(value, 1, max_seeds));
    for (std::uint64_t seed = 1; seed <= count; ++seed) seeds.push_back(seed);
    return seeds;
  }
  if (value.children.empty()) value.fail("must name at least one seed");
  std::set<std::uint64_t> seen;
  for (const Node& child : value.children) {
    seeds.push_back(
        static_cast<std::uint64_t>(to_integer(child, 0, std::numeric_limits<std::int64_t>::max())));
    if (!seen.insert(seeds.back()).second) child.fail("is listed twice");
  }
  return seeds;
}

SweepScenario scenario_at(const Node& file, const fs::path& folder) {
  SweepScenario scenario;
  scenario.file = folder / to_text(file);
  scenario.name = scenario.file.stem().string();
  scenario.origin = file.origin;
  // A missing file is an error of the sweep file.
  static_cast<void>(read_text(scenario.file, file.origin, file.path));
  return scenario;
}

void add_scenario(Sweep& sweep, SweepScenario scenario, const Node& where) {
  for (const SweepScenario& other : sweep.scenarios)
    if (other.name == scenario.name)
      where.fail("two scenarios are called " + scenario.name + "; give one a name of its own");
  sweep.scenarios.push_back(std::move(scenario));
}

void read_scenarios(TableReader& head, TableReader& document, const fs::path& folder,
                    Sweep& sweep) {
  if (const Node* const list = head.find("scenarios")) {
    if (!list->is_array()) {
      add_scenario(sweep, scenario_at(*list, folder), *list);
    } else {
      for (const Node& file : list->children) add_scenario(sweep, scenario_at(file, folder), file);
    }
  }
  if (const Node* const list = document.find("scenario")) {
    for (const Node& table : tables_of(*list)) {
      document.attempt([&] {
        TableReader reader = document.table(table);
        const Node* const file = reader.find("file");
        if (file == nullptr) table.fail_missing("file", "the scenario file");
        SweepScenario scenario = scenario_at(*file, folder);
        scenario.name = reader.get_or("name", to_folder_name, scenario.name);
        scenario.set = reader.get_or("set", to_settings, scenario.set);
        reader.finish();
        add_scenario(sweep, std::move(scenario), table);
      });
    }
  }
  if (sweep.scenarios.empty() && document.good())
    head.node().fail_missing("scenarios", "one or more scenario files, or [[scenario]]");
}

void read_workloads(TableReader& document, Sweep& sweep) {
  const Node* const list = document.find("workload");
  if (list == nullptr) return;
  for (const Node& table : tables_of(*list)) {
    TableReader reader = document.table(table);
    SweepWorkload workload;
    workload.name = reader.get("name", to_folder_name, "what the workload is called");
    workload.set = reader.get("set", to_settings, "the keys that make it, { \"KEY\" = VALUE }");
    reader.finish();
    for (const SweepWorkload& other : sweep.workloads)
      if (reader.good() && other.name == workload.name)
        reader.attempt([&] { table.fail("two workloads are called " + workload.name); });
    sweep.workloads.push_back(std::move(workload));
  }
}

std::vector<SweepValue> listed_values(const Node& list) {
  if (!list.is_array()) list.fail("must be a list of values");
  if (list.children.empty()) list.fail("is empty: must have at least one value");
  std::vector<SweepValue> values;
  std::set<std::string> seen;
  for (const Node& child : list.children) {
    values.push_back(to_sweep_value(child));
    if (!seen.insert(values.back().toml).second) child.fail("is listed twice");
  }
  if (values.size() > max_sweep_values)
    list.fail("is too long: an axis has at most " + std::to_string(max_sweep_values) + " values");
  return values;
}

// The options of an axis; `keys` gets those that one of them sets.
std::vector<SweepValue> to_options(TableReader& document, const Node& list,
                                   std::vector<std::string>& keys) {
  std::vector<SweepValue> options;
  for (const Node& table : tables_of(list)) {
    TableReader reader = document.table(table);
    const auto name = reader.get("name", to_folder_name, "what the option is called");
    SweepValue option = text_sweep_value(name, table);
    option.is_option = true;
    option.set = reader.get("set", to_settings, "the keys that make it, { \"KEY\" = VALUE }");
    reader.finish();
    for (const SweepValue& other : options)
      if (reader.good() && other.text == name)
        reader.attempt([&] { table.fail("two options are called " + name); });
    for (const SweepSetting& setting : option.set)
      if (std::find(keys.begin(), keys.end(), setting.key) == keys.end())
        keys.push_back(setting.key);
    options.push_back(std::move(option));
  }
  if (options.empty()) list.fail("is empty: must have at least one option");
  return options;
}

constexpr std::pair<std::string_view, bool> spacings[] = {{"linear", false}, {"log", true}};
constexpr std::pair<std::string_view, bool> samplings[] = {{"latin_hypercube", true}};

// The values of an axis, in one of four forms.
void read_range(TableReader& reader, std::uint64_t sample_seed, Sweep& sweep, SweepAxis& axis) {
  const SweepRange range{reader};
  const Node* const step = reader.find("step");
  const Node* const factor = reader.find("factor");
  const Node* const steps = reader.find("steps");
  axis.sampled = reader.get_or(
      "sample", [](const Node& value) { return to_choice(value, samplings); }, false);
  const Node* const spacing = reader.find("spacing");
  const bool log = spacing != nullptr && to_choice(*spacing, spacings);
  const int ways = (step != nullptr) + (factor != nullptr) + (steps != nullptr) + axis.sampled;
  if (ways != 1)
    reader.node().fail("must have exactly one of step, factor, steps and sample with from and to");
  if (spacing != nullptr && (step != nullptr || factor != nullptr))
    spacing->fail("must not be given with step or factor, which already give the spacing");
  if (step != nullptr) axis.values = range.by_step(*step);
  if (factor != nullptr) axis.values = range.by_factor(*factor);
  if (steps != nullptr) axis.values = range.in_steps(*steps, log);
  if (!axis.sampled) return;
  if (sweep.samples == 0)
    reader.node().fail("is sampled: [sweep] needs samples, how many there are");
  if (axis.keys.empty()) return;  // they were refused; the first one draws
  axis.values = range.latin_hypercube(sweep.samples, sample_seed, axis.keys.front(), log);
}

void check_axis_name(const Sweep& sweep, const SweepAxis& axis, const Node& table) {
  for (const SweepAxis& other : sweep.axes) {
    if (other.name == axis.name) table.fail("two axes are called " + axis.name);
    for (const std::string& key : axis.keys)
      if (std::find(other.keys.begin(), other.keys.end(), key) != other.keys.end())
        table.fail("the key " + key + " has an axis already");
  }
  for (const std::string& key : axis.keys) {
    if (key == "scenario.seed" && !sweep.seeds.empty())
      table.fail("the key scenario.seed has seeds of [sweep] already");
    for (const SweepWorkload& workload : sweep.workloads)
      for (const SweepSetting& setting : workload.set)
        if (setting.key == key)
          table.fail("the key " + key + " belongs to workload " + workload.name + " already");
  }
}

void read_axes(TableReader& document, std::uint64_t sample_seed, Sweep& sweep) {
  const Node* const list = document.find("axis");
  if (list == nullptr) return;
  for (const Node& table : tables_of(*list)) {
    TableReader reader = document.table(table);
    SweepAxis axis;
    document.attempt([&] {
      if (const Node* const options = reader.find("option")) {
        axis.name = reader.get("name", to_folder_name, "what the options are called together");
        axis.values = to_options(document, *options, axis.keys);
        check_axis_name(sweep, axis, table);
        return reader.finish();
      }
      axis.keys = reader.get("key", to_sweep_keys,
                             "the key, as for --set, or a list of keys; or [[axis.option]]");
      axis.name = reader.get_or("name", to_folder_name, axis.keys.empty() ? "" : axis.keys.front());
      reader.attempt([&] { check_axis_name(sweep, axis, table); });
      if (reader.find("values") == nullptr)
        read_range(reader, sample_seed, sweep, axis);
      else
        axis.values = reader.get_or("values", listed_values, axis.values);
      reader.finish();
    });
    sweep.axes.push_back(std::move(axis));
  }
}

// Whole number of points. Errors: FileError when it exceeds what a file of results can hold.
std::uint64_t count_points(const Sweep& sweep, const Node& head) {
  std::uint64_t points = 1;
  const auto cross = [&](std::uint64_t count) {
    if (count > max_points / points)
      head.fail("makes more than " + std::to_string(max_points) + " points");
    points *= count;
  };
  cross(sweep.scenarios.size());
  cross(std::max<std::size_t>(sweep.workloads.size(), 1));
  for (const SweepAxis& axis : sweep.axes)
    if (!axis.sampled) cross(axis.values.size());
  cross(std::max<std::uint64_t>(sweep.samples, 1));
  cross(std::max<std::size_t>(sweep.seeds.size(), 1));
  return points;
}

// What another command reads.
void check_is_sweep(const Node& root) {
  if (root.find("sweep") != nullptr) return;
  const Node* const scenario = root.find("scenario");
  if (scenario != nullptr && scenario->is_table())
    root.fail("is a scenario file, not a sweep: weir run runs it");
  if (root.find("chip") != nullptr)
    root.fail("is a chip file, not a sweep: a sweep names scenarios");
}

}  // namespace

Sweep load_sweep(const fs::path& file) {
  const Node root = read_document(file);
  check_is_sweep(root);
  ErrorList errors;
  TableReader document{root, errors};
  const Node* const node = document.find("sweep");
  if (node == nullptr) root.fail_missing("sweep", "the table [sweep]");
  TableReader head = document.table(*node);
  Sweep sweep;
  sweep.file = file;
  sweep.name = head.get("name", to_folder_name, "what the sweep is called");
  sweep.description = head.get_or("description", to_text, std::string{});
  sweep.seeds = head.get_or("seeds", to_seeds, sweep.seeds);
  sweep.samples = head.get_or(
      "samples", integer_from(1, static_cast<std::int64_t>(max_sweep_values)), std::uint64_t{0});
  const std::uint64_t sample_seed = head.get_or(
      "sample_seed", integer_from(0, std::numeric_limits<std::int64_t>::max()), std::uint64_t{1});
  document.attempt([&] { read_scenarios(head, document, file.parent_path(), sweep); });
  head.finish();
  document.set("set", to_settings, sweep.set);
  document.attempt([&] { read_workloads(document, sweep); });
  document.attempt([&] { read_axes(document, sample_seed, sweep); });
  document.attempt([&] { read_figures(document, sweep); });
  document.attempt([&] { read_goal(document, sweep); });
  document.attempt([&] { read_pareto(document, sweep); });
  document.attempt([&] { read_size(document, sweep); });
  for (const char* const key : {"scenario", "workload", "axis", "figure", "goal", "pareto", "size"})
    if (!document.good()) static_cast<void>(document.find(key));
  document.finish();
  errors.check();
  const bool sampled = std::any_of(sweep.axes.begin(), sweep.axes.end(),
                                   [](const SweepAxis& axis) { return axis.sampled; });
  if (sweep.samples != 0 && !sampled)
    node->find("samples")->fail("needs an axis with sample = \"latin_hypercube\"");
  sweep.points = count_points(sweep, *node);
  return sweep;
}

SweepPoint sweep_point(const Sweep& sweep, std::uint64_t index) {
  SweepPoint point;
  point.index = index;
  point.values.resize(sweep.axes.size());
  const auto take = [&index](std::uint64_t count) {
    const std::uint64_t digit = count == 0 ? 0 : index % count;
    index = count == 0 ? index : index / count;
    return static_cast<std::size_t>(digit);
  };
  const std::size_t seed = take(sweep.seeds.size());
  if (!sweep.seeds.empty()) point.seed = sweep.seeds[seed];
  const std::size_t sample = take(sweep.samples);
  for (std::size_t i = sweep.axes.size(); i-- != 0;)
    point.values[i] = sweep.axes[i].sampled ? sample : take(sweep.axes[i].values.size());
  point.workload = take(sweep.workloads.size());
  point.scenario = take(sweep.scenarios.size());
  return point;
}

Sweep size_search(const Sweep& sweep) {
  Sweep search = sweep;
  search.searched = true;
  search.axes.push_back({sweep.size->name, sweep.size->keys, sweep.size->values, false});
  search.points *= sweep.size->values.size();
  return search;
}

std::uint64_t size_search_point(const Sweep& sweep, std::uint64_t index,
                                std::size_t value) noexcept {
  // Seeds and samples change faster than the last axis.
  const std::uint64_t fast =
      std::max<std::uint64_t>(sweep.seeds.size(), 1) * std::max<std::uint64_t>(sweep.samples, 1);
  return (index / fast * sweep.size->values.size() + value) * fast + index % fast;
}

std::vector<SweepSetting> settings_of(const SweepAxis& axis, const SweepValue& value) {
  if (value.is_option) return value.set;
  std::vector<SweepSetting> settings;
  for (const std::string& key : axis.keys) settings.push_back({key, value});
  return settings;
}

std::vector<std::string> overrides_of(const Sweep& sweep, const SweepPoint& point) {
  std::vector<std::string> overrides;
  const auto add = [&](const std::vector<SweepSetting>& settings) {
    for (const SweepSetting& setting : settings)
      overrides.push_back(setting.key + "=" + setting.value.toml);
  };
  add(sweep.set);
  add(sweep.scenarios[point.scenario].set);
  if (!sweep.workloads.empty()) add(sweep.workloads[point.workload].set);
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    const SweepValue& value = sweep.axes[i].values[point.values[i]];
    add(settings_of(sweep.axes[i], value));
  }
  if (point.seed) overrides.push_back("scenario.seed=" + std::to_string(*point.seed));
  return overrides;
}

}  // namespace weir
