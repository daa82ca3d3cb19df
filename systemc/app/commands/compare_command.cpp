// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "comparison.hpp"
#include "output/result_files.hpp"
#include "output/screen.hpp"
#include "sinks/sink_table.hpp"
#include "text/json_document.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/result_names.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CompareOptions {
  std::string a, b, html;
  std::size_t max_figures{20};
  bool json{false};
};

constexpr const char* compare_about =
    "Compare two runs: what differs in configuration and in results";
constexpr const char* compare_footer =
    R"(Reads summary.json and report.json of both folders. Exit code 0, whether they differ or not.

Example:
  weir compare results/before results/after --html compare.html)";

ComparedRun run_of(const std::string& folder) {
  ComparedRun run{folder, read_result(folder, result_names::summary, made_by_run), {}};
  std::error_code ignored;
  if (fs::exists(fs::path{folder} / result_names::report_data, ignored))
    run.report_json = read_result(folder, result_names::report_data, made_by_run);
  return run;
}

void check_page(const CompareOptions& options) {
  if (options.html.empty()) return;
  FileRoles roles;
  for (const fs::path folder : {options.a, options.b}) keep_results(roles, folder, "");
  roles.writes("--html", options.html);
}

// The parts of report.json that only the page shows may be what no run writes.
std::string page_of(const RunComparison& comparison, const ComparedRun& a, const ComparedRun& b) {
  return use_results(a.folder + ", " + b.folder, [&] { return comparison_page(comparison, a, b); });
}

// An absent value, as of a figure that one run does not have, is null.
Json or_null(const std::string& text) { return text.empty() ? Json{} : Json(text); }

Json to_json(const std::vector<FigureDifference>& figures, std::size_t max_figures) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(max_figures, figures.size()); ++i)
    list.push_back({{"name", figures[i].name},
                    {"a", or_null(figures[i].a)},
                    {"b", or_null(figures[i].b)},
                    {"change", or_null(figures[i].change)}});
  return list;
}

std::string to_json(const RunComparison& comparison, std::size_t max_figures) {
  Json settings = Json::array();
  for (const SettingDifference& setting : comparison.settings)
    settings.push_back({{"key", setting.key},
                        {"a", setting.a_source.empty() ? Json{} : Json(setting.a)},
                        {"a_source", or_null(setting.a_source)},
                        {"b", setting.b_source.empty() ? Json{} : Json(setting.b)},
                        {"b_source", or_null(setting.b_source)}});
  const Json json{{"a", comparison.a_heading},
                  {"b", comparison.b_heading},
                  {"settings_known", comparison.settings_known},
                  {"settings", settings},
                  {"totals", to_json(comparison.totals, comparison.totals.size())},
                  {"verdicts", to_json(comparison.verdicts, comparison.verdicts.size())},
                  {"checked", to_json(comparison.checked, comparison.checked.size())},
                  {"others", to_json(comparison.others, max_figures)},
                  {"other_differences", comparison.others.size()},
                  {"compared_figures", comparison.figures}};
  return json_document(json, 2);
}

int run(const CompareOptions& options) {
  check_page(options);
  const ComparedRun a = run_of(options.a), b = run_of(options.b);
  const RunComparison comparison = compare(a, b);
  if (!options.html.empty()) write_file("--html", options.html, page_of(comparison, a, b));
  if (options.json)
    print_json(to_json(comparison, options.max_figures));
  else
    print("{}", to_text(comparison, options.max_figures));
  return 0;
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("compare", compare_about);
  command->footer(compare_footer);
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("DIR_A", options->a, "Result folder of weir run")->required();
  command->add_option("DIR_B", options->b, "Another one")->required();
  command->add_option("--html", options->html, "Write it as a page, too")->type_name("FILE.html");
  command
      ->add_option("--max-figures", options->max_figures,
                   fmt::format("Figures of ports and queues to show ({})", options->max_figures))
      ->check(whole_number(1, 1'000'000));
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace weir
