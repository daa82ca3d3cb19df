// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "output_file.hpp"
#include "report_commands.hpp"
#include "report_page.hpp"
#include "sweep_report.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string folder, out, pictures;
};

constexpr const char* about = "Make report.html of a run, or of a sweep, from its result folder";
constexpr const char* footer =
    R"(The page is one file and loads nothing from anywhere (docs/report.md). `weir run` makes it, too.

Example:
  weir report results/incast_star16_dt_trident2)";

int report(const ReportOptions& options) {
  const fs::path folder{options.folder};
  const fs::path out = options.out.empty() ? folder / "report.html" : fs::path{options.out};
  if (fs::exists(folder / "sweep.sqlite")) {
    write_sweep_report(folder / "sweep.sqlite", out, options.pictures);
    fmt::print("{}\n", out.string());
    return 0;
  }
  if (!options.pictures.empty())
    throw ConfigError("--pictures", options.pictures, "must stand beside the folder of a sweep");
  const std::string summary = read_result(folder, "summary.json");
  const std::string data = read_result(folder, "report.json");
  std::string page;
  try {
    page = report_page(summary, data);
  } catch (const ModelError& error) {
    throw ConfigError("DIR", options.folder,
                      std::string{"holds no results of this version: "} + error.what());
  }
  write_output("--out", out, page);
  fmt::print("{}\n", out.string());
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", about);
  command->footer(footer);
  const auto options = std::make_shared<ReportOptions>();
  command->add_option("DIR", options->folder, "Result folder of weir run or weir sweep")
      ->required();
  command->add_option("--out", options->out, "The page (default: report.html in the folder)")
      ->type_name("FILE.html");
  command
      ->add_option("--pictures", options->pictures,
                   "Of a sweep: write the charts as SVG files into this folder, too")
      ->type_name("DIR");
  command->callback([options, &exit_code] { exit_code = report(*options); });
}

}  // namespace weir
