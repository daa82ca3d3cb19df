// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "output/result_files.hpp"
#include "output/screen.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/core/printable.hpp"
#include "weir/core/units.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* all_tables = "all";

struct CountersOptions {
  std::string folder, table{all_tables};
  bool json{false};
};

constexpr const char* counters_about =
    "Show the counters of a run as SONiC shows those of a switch: PFC, priority-group watermarks";
constexpr const char* counters_footer =
    R"(pfc: "show pfc counters", frames that enable the class, XON included. shared, headroom: "show priority-group
watermark shared" and "headroom", in bytes. The figures are those of summary.json.

Examples:
  weir counters results/incast_star16_dt_trident2
  weir counters results/incast_star16_dt_trident2 --table pfc --json)";

using PerPriority = std::array<std::uint64_t, priorities>;

/// One table of a switch's command line.
struct Table {
  std::string name, command, title, corner, column;
  std::vector<std::pair<std::string, PerPriority>> rows;  // by port
};

// Of each entry of a list of the port that has a number: its column and value.
PerPriority row_of(const Json& port, const char* list, const char* number,
                   const std::function<std::uint64_t(const Json&)>& value) {
  PerPriority row{};
  for (const Json& entry : port.at(list)) {
    const auto at = entry.at(number).get<std::size_t>();
    if (at < row.size()) row[at] = value(entry);
  }
  return row;
}

std::function<std::uint64_t(const Json&)> sum_of(const char* a, const char* b) {
  return [=](const Json& entry) {
    return entry.at(a).get<std::uint64_t>() + entry.at(b).get<std::uint64_t>();
  };
}

std::function<std::uint64_t(const Json&)> statistic(const char* name) {
  return [=](const Json& entry) { return entry.at("sai").at(name).get<std::uint64_t>(); };
}

std::vector<Table> empty_tables() {
  return {{"pfc", "show pfc counters", "", "Port Rx", "PFC", {}},
          {"pfc", "show pfc counters", "", "Port Tx", "PFC", {}},
          {"shared",
           "show priority-group watermark shared",
           "Ingress shared pool occupancy per PG:",
           "Port",
           "PG",
           {}},
          {"headroom",
           "show priority-group watermark headroom",
           "Ingress headroom per PG:",
           "Port",
           "PG",
           {}}};
}

std::vector<std::string> table_names() {
  std::vector<std::string> names{all_tables};
  for (const Table& table : empty_tables())
    if (names.back() != table.name) names.push_back(table.name);
  return names;
}

std::vector<Table> tables_of(const Json& summary) {
  std::vector<Table> tables = empty_tables();
  for (const Json& node : summary.at("switches"))
    for (const Json& port : node.at("ports")) {
      const std::string name =
          port_name(node.at("name").get<std::string>(), port.at("port").get<std::uint64_t>());
      const auto add = [&](std::size_t table, const PerPriority& row) {
        tables[table].rows.emplace_back(name, row);
      };
      add(0, row_of(port, "priorities", "priority", sum_of("pauses_received", "resumes_received")));
      add(1, row_of(port, "priorities", "priority", sum_of("pauses_sent", "resumes_sent")));
      add(2, row_of(port, "priority_groups", "pg",
                    statistic("SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES")));
      add(3, row_of(port, "priority_groups", "pg",
                    statistic("SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES")));
    }
  return tables;
}

// Columns as the commands of a switch lay them out: right-aligned, two spaces between them, and a
// heading has two more than its letters.
std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths;
  for (const std::string& heading : lines.front()) widths.push_back(heading.size() + 2);
  for (const auto& line : lines)
    for (std::size_t n = 0; n < line.size(); ++n) widths[n] = std::max(widths[n], line[n].size());
  std::string text, rule;
  for (const std::size_t width : widths)
    rule += (rule.empty() ? "" : "  ") + std::string(width, '-');
  for (const auto& line : lines) {
    for (std::size_t n = 0; n < line.size(); ++n)
      text += fmt::format("{}{:>{}}", n == 0 ? "" : "  ", line[n], widths[n]);
    text += "\n";
    if (&line == &lines.front()) text += rule + "\n";
  }
  return text;
}

std::string text_of(const Table& table) {
  std::vector<std::vector<std::string>> lines{{table.corner}};
  for (std::size_t n = 0; n < priorities; ++n)
    lines.front().push_back(table.column + std::to_string(n));
  for (const auto& [port, row] : table.rows) {
    lines.push_back({printable_line(port)});
    for (const std::uint64_t value : row)
      lines.back().push_back(table.name == "pfc" ? format_quantity(value) : std::to_string(value));
  }
  return (table.title.empty() ? "" : table.title + "\n") + aligned(lines);
}

Json json_of(const Table& table) {
  Json rows = Json::object();
  for (const auto& [port, row] : table.rows) rows[port] = row;
  return {{"table", table.name},
          {"command", table.command},
          {"direction", table.corner == "Port Rx"   ? Json("rx")
                        : table.corner == "Port Tx" ? Json("tx")
                                                    : Json{}},
          {"ports", std::move(rows)}};
}

std::vector<Table> read_tables(const CountersOptions& options) {
  const std::string summary = read_result(options.folder, result_names::summary, made_by_run);
  const std::filesystem::path file = std::filesystem::path{options.folder} / result_names::summary;
  return use_results(file.string(), [&] { return tables_of(Json::parse(summary)); });
}

void show_counters(const CountersOptions& options) {
  Json list = Json::array();
  std::string before;
  for (const Table& table : read_tables(options)) {
    if (options.table != all_tables && options.table != table.name) continue;
    if (options.json) {
      list.push_back(json_of(table));
      continue;
    }
    if (!before.empty()) print("\n");
    if (table.command != before) print("{}\n", table.command);
    before = table.command;
    print("{}", text_of(table));
  }
  if (options.json) print_json(json_document(list, 1));
}

}  // namespace

void add_counters_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("counters", counters_about);
  command->footer(counters_footer);
  const auto options = std::make_shared<CountersOptions>();
  command->add_option("DIR", options->folder, "Result folder of weir run")->required();
  command->add_option("--table", options->table, fmt::format("Which of them ({})", all_tables))
      ->check(CLI::IsMember(table_names()));
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &exit_code] {
    show_counters(*options);
    exit_code = 0;
  });
}

}  // namespace weir
