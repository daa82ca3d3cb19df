// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/scenario_file.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "scenario_sections.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/scenario/metrics.hpp"

namespace weir {
namespace {

void read_head(TableReader& document, Scenario& scenario) {
  const Node* const node = document.find("scenario");
  if (node == nullptr) document.node().fail_missing("scenario", "the table [scenario]");
  TableReader reader = document.table(*node);
  scenario.name = reader.get("name", to_folder_name, "what the scenario is called");
  scenario.description = reader.get_or("description", to_text, std::string{});
  scenario.until = reader.get("until", to_positive_time, "how long to run, such as \"2 ms\"");
  scenario.warm_up = reader.get_or("warm_up", to_time, Picoseconds{0});
  if (!reader.good()) scenario.until = std::max(scenario.until, Picoseconds{1});
  if (reader.good() && scenario.until <= scenario.warm_up)
    reader.attempt([&] { reader.find("warm_up")->fail("must be shorter than until"); });
  scenario.seed = reader.get_or("seed", integer_from(0, std::numeric_limits<std::int64_t>::max()),
                                scenario.seed);
  constexpr std::array<std::pair<const char*, bool>, 2> stops{{{"end", false}, {"deadlock", true}}};
  scenario.stop_on_deadlock = reader.get_or(
      "stop_on", [&](const Node& value) { return to_choice(value, stops); }, false);
  reader.finish();
}

void read_expectations(TableReader& document, Scenario& scenario) {
  const Node* const node = document.find("expect");
  if (node == nullptr) return;
  if (!node->is_table()) node->fail("must be a table of metrics");
  const auto add = [&](const Node& line) {
    document.attempt([&] { scenario.expect.push_back(to_expectation(line)); });
  };
  for (const Node& line : node->children) {
    if (!line.is_array()) {
      add(line);
      continue;
    }
    for (Node bound : line.children) {
      bound.name = line.name;
      add(bound);
    }
  }
}

void give_addresses(Scenario& scenario) {
  const AddressPlan plan = plan_addresses(scenario);
  for (std::size_t i = 0; i < scenario.hosts.size(); ++i) scenario.hosts[i].address = plan.hosts[i];
}

// Clocks count in parts of a picosecond; twice the time of the run must fit in 64 bits.
void check_end(TableReader& document, const Scenario& scenario) {
  for (const SwitchSpec& node : scenario.switches) {
    const std::uint64_t most = max_moment.count() / node.chip.clock.denominator();
    if (scenario.until.count() <= most) continue;
    document.find("scenario")
        ->find("until")
        ->fail(fmt::format(
            "must be at most \"{} s\", because the clock of switch {} has a period of {}",
            most / picoseconds_per_second, node.name, format_period(node.chip.clock)));
  }
}

// What another command reads.
void check_is_scenario(const Node& document) {
  if (document.find("scenario") != nullptr && document.find("scenario")->is_table()) {
    if (document.find("sweep") == nullptr) return;
    document.fail("is a sweep file, not a scenario: weir sweep runs it");
  }
  if (document.find("sweep") != nullptr)
    document.fail("is a sweep file, not a scenario: weir sweep runs it");
  if (document.find("chip") != nullptr)
    document.fail("is a chip file, not a scenario: name it in one, [switch.NAME] file = \"...\"");
}

// Each part needs those before it: without them its errors would be consequences of theirs.
void read_network(TableReader& reader, const scenario_sections::TopologyPlan& plan,
                  const std::filesystem::path& folder, ErrorList& errors, Scenario& scenario) {
  using namespace scenario_sections;
  const std::size_t errors_before = errors.size();
  const bool switches =
      reader.attempt([&] { read_switches(reader, plan, folder, errors, scenario); });
  const bool ports = std::all_of(scenario.switches.begin(), scenario.switches.end(),
                                 [](const SwitchSpec& node) { return !node.chip.ports.empty(); });
  if (!switches || !ports) return;
  bool hosts = false;
  reader.attempt([&] { hosts = read_hosts(reader, plan, scenario); });
  if (!hosts) return;
  if (!reader.attempt([&] { read_links(reader, plan, scenario); })) return;
  // What looks into the chips, as at their lossless classes, needs them and their links whole.
  const bool whole = errors.size() == errors_before;
  reader.attempt([&] { check_end(reader, scenario); });
  give_addresses(scenario);
  reader.attempt([&] { read_routes(reader, scenario); });
  reader.attempt([&] { read_dcqcn(reader, scenario); });
  reader.attempt([&] { read_traffic(reader, folder, scenario); });
  reader.attempt([&] { read_monitor(reader, scenario); });
  reader.attempt([&] { read_pingmesh(reader, scenario); });
  if (!whole) return;
  reader.attempt([&] { read_nics(reader, scenario); });
  reader.attempt([&] { read_faults(reader, scenario); });
  reader.attempt([&] { read_desired(reader, plan, folder, scenario); });
  reader.attempt([&] { read_watchdogs(reader, scenario); });
}

// Paths below `node`, which is at `path`, that end with `tail`.
void find_paths(const Node& node, const std::string& path, const std::string& tail,
                std::vector<std::string>& found) {
  const std::string end = "." + tail;
  const bool ends =
      end.size() < path.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  if (ends && node.origin.file != "--set") found.push_back(path);
  for (const Node& child : node.children)
    if (node.is_table())
      find_paths(child, path.empty() ? child.name : path + "." + child.name, tail, found);
}

// The keys of a scenario, or of the chips of its switches, that end like a key of --set.
std::string longer_key(const Node& unknown, const Node& document,
                       const std::filesystem::path& folder) {
  if (unknown.origin.file != "--set") return {};
  const Node* leaf = &unknown;
  while (leaf->is_table() && leaf->children.size() == 1) leaf = &leaf->children.front();
  std::vector<std::string> found;
  find_paths(document, "", leaf->path, found);
  const auto look_into = [&](const Node* table, const std::string& path) {
    const Node* const file = table == nullptr ? nullptr : table->find("file");
    if (file == nullptr) return;
    ErrorList reported;  // by the reader of the chip
    reported.attempt(
        [&] { find_paths(read_document(folder / to_text(*file)), path, leaf->path, found); });
  };
  look_into(document.find("switches"), "switches");
  if (const Node* const group = document.find("switch"))
    for (const Node& node : group->children) look_into(&node, "switch." + node.name);
  constexpr std::size_t shown = 3;
  if (shown < found.size()) found.resize(shown);
  std::string text;
  for (const std::string& path : found) text += (text.empty() ? "" : " or ") + path;
  return text;
}

// A reader that gave up has not asked for the tables after it.
void name_sections(TableReader& reader) {
  for (const char* const name :
       {"scenario", "topology", "switches", "switch", "hosts", "host", "link", "ecmp", "route",
        "traffic", "dcqcn", "nic", "fault", "desired", "monitor", "pingmesh", "watchdog", "expect"})
    static_cast<void>(reader.find(name));
}

}  // namespace

Picoseconds scenario_sections::to_watchdog_time(const Node& value) {
  constexpr Picoseconds hour{3600 * picoseconds_per_second};
  const Picoseconds time = to_time(value);
  if (time == Picoseconds{} || hour < time)
    value.fail("must be more than 0 and at most \"3600 s\"");
  return time;
}

Picoseconds scenario_sections::to_time_after(const Node& value, Picoseconds begin,
                                             const char* key) {
  const Picoseconds time = to_time(value);
  if (time <= begin) value.fail(std::string{"must be later than "} + key);
  return time;
}

Scenario load_scenario(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides) {
  Node document = read_document(file);
  apply_overrides(document, overrides);
  const std::filesystem::path folder = file.parent_path();
  check_is_scenario(document);
  Scenario scenario;
  ErrorList errors;
  TableReader reader{document, errors};
  reader.attempt([&] { read_head(reader, scenario); });
  scenario_sections::TopologyPlan plan;
  const std::size_t before = errors.size();
  reader.attempt([&] { plan = scenario_sections::read_topology(reader); });
  if (errors.size() == before) read_network(reader, plan, folder, errors, scenario);
  reader.attempt([&] { read_expectations(reader, scenario); });
  if (!reader.good()) name_sections(reader);
  reader.finish([&](const Node& unknown) { return longer_key(unknown, document, folder); });
  errors.check();
  return scenario;
}

}  // namespace weir
