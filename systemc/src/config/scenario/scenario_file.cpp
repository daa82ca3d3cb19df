// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/scenario_file.hpp"

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
  TableReader reader{*node};
  scenario.name = reader.get("name", to_folder_name, "what the scenario is called");
  scenario.description = reader.get_or("description", to_text, std::string{});
  scenario.until = reader.get("until", to_positive_time, "how long to run, such as \"2 ms\"");
  scenario.warm_up = reader.get_or("warm_up", to_time, Picoseconds{0});
  if (scenario.until <= scenario.warm_up)
    reader.find("warm_up")->fail("must be shorter than until");
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
  for (const Node& line : node->children) {
    if (!line.is_array()) {
      scenario.expect.push_back(to_expectation(line));
      continue;
    }
    for (Node bound : line.children) {
      bound.name = line.name;
      scenario.expect.push_back(to_expectation(bound));
    }
  }
}

void give_addresses(Scenario& scenario) {
  const AddressPlan plan = plan_addresses(scenario);
  for (std::size_t i = 0; i < scenario.hosts.size(); ++i) scenario.hosts[i].address = plan.hosts[i];
}

}  // namespace

Picoseconds scenario_sections::to_watchdog_time(const Node& value) {
  constexpr Picoseconds hour{3'600'000'000'000'000};
  const Picoseconds time = to_time(value);
  if (time == Picoseconds{} || hour < time)
    value.fail("must be more than 0 and at most \"3600 s\"");
  return time;
}

Scenario load_scenario(const std::filesystem::path& file,
                       const std::vector<std::string>& overrides) {
  Node document = read_document(file);
  apply_overrides(document, overrides);
  const std::filesystem::path folder = file.parent_path();
  Scenario scenario;
  TableReader reader{document};
  read_head(reader, scenario);
  const scenario_sections::TopologyPlan plan = scenario_sections::read_topology(reader);
  scenario_sections::read_switches(reader, plan, folder, scenario);
  scenario_sections::read_hosts(reader, plan, scenario);
  scenario_sections::read_links(reader, plan, scenario);
  give_addresses(scenario);
  scenario_sections::read_routes(reader, scenario);
  scenario_sections::read_dcqcn(reader, scenario);
  scenario_sections::read_traffic(reader, folder, scenario);
  scenario_sections::read_nics(reader, scenario);
  scenario_sections::read_faults(reader, scenario);
  scenario_sections::read_desired(reader, plan, folder, scenario);
  scenario_sections::read_monitor(reader, scenario);
  scenario_sections::read_pingmesh(reader, scenario);
  scenario_sections::read_watchdogs(reader, scenario);
  read_expectations(reader, scenario);
  reader.finish();
  return scenario;
}

}  // namespace weir
