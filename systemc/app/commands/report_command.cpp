// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "html/report_page.hpp"
#include "output/result_files.hpp"
#include "output/screen.hpp"
#include "sinks/sink_table.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_report.hpp"
#include "text/json_document.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ReportOptions {
  std::vector<std::string> folders;
  std::string out, pictures;
  bool json{false};
};

constexpr const char* report_about =
    "Make report.html of a run, or of a sweep, from its result folder";
constexpr const char* report_footer =
    R"(The page is one file that needs no other file and no network (docs/guide/report.md). weir run makes it, too.

Several sweeps are chapters of one page, which then needs --out.

Examples:
  weir report results/incast_star16_dt_trident2
  weir report results/policies_lossless results/policies_lossy --out /tmp/bake-off.html)";

bool is_sweep(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(folder / result_names::sweep, ignored));
}

void print_page(const fs::path& page, const ReportOptions& options) {
  const Json json{{"folders", options.folders}, {"page", page.string()}};
  if (options.json)
    print_json(json_document(json, 2));
  else
    print("{}\n", page.string());
}

NamedBy page_named_by(const ReportOptions& options) {
  return options.out.empty() ? NamedBy::program : NamedBy::user;
}

int report_sweeps(const ReportOptions& options) {
  std::vector<fs::path> databases;
  for (const std::string& folder : options.folders) {
    if (!is_sweep(folder))
      throw ConfigError("DIR", folder, "must be the folder of a sweep, as the others are");
    databases.push_back(fs::path{folder} / result_names::sweep);
  }
  if (1 < databases.size() && options.out.empty())
    throw ConfigError("--out", "none", "must say where the page of several sweeps goes");
  const fs::path out = options.out.empty() ? fs::path{options.folders.front()} / result_names::page
                                           : fs::path{options.out};
  check_pictures(options.pictures);
  FileRoles roles;
  for (const std::string& folder : options.folders)
    keep_sweep(roles, folder, options.folders.size() == 1 ? result_names::page : "");
  roles.writes("--out", out);
  write_sweep_report(databases, out, page_named_by(options), options.pictures);
  print_page(out, options);
  return 0;
}

int report(const ReportOptions& options) {
  for (const std::string& each : options.folders) check_result_folder(each, made_by_any);
  const fs::path folder{options.folders.front()};
  if (1 < options.folders.size() || is_sweep(folder)) return report_sweeps(options);
  const fs::path out = options.out.empty() ? folder / result_names::page : fs::path{options.out};
  if (!options.pictures.empty())
    throw ConfigError("--pictures", options.pictures, "needs the folder of a sweep");
  FileRoles roles;
  keep_results(roles, folder, result_names::page);
  roles.writes("--out", out);
  const std::string summary = read_result(folder, result_names::summary, made_by_any);
  const std::string data = read_result(folder, result_names::report_data, made_by_any);
  const std::string page =
      use_results(folder.string(), [&] { return report_page(summary, data, lay_out_by_dot); });
  write_file("--out", out, page, page_named_by(options));
  print_page(out, options);
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", report_about);
  command->footer(report_footer);
  const auto options = std::make_shared<ReportOptions>();
  command
      ->add_option("DIR", options->folders,
                   "Result folder of weir run, weir sweep or weir size; or several sweeps")
      ->required();
  command->add_option("--out", options->out, "The page (default: report.html in the folder)")
      ->type_name("FILE.html");
  command
      ->add_option("--pictures", options->pictures,
                   "Of a sweep: write the charts as SVG files into this folder, too")
      ->type_name("DIR");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &exit_code] { exit_code = report(*options); });
}

}  // namespace weir
