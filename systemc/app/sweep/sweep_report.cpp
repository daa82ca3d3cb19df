// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.hpp"

#include <cstdint>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "commands/command_line.hpp"
#include "html/sweep_page.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/regular_file.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/trace/sweep/sweep_table.hpp"

namespace weir {
namespace fs = std::filesystem;
namespace {

// Typed in the result folder, so that the page is the same wherever that is. A search by `weir
// size`, and a sweep file that is gone, have none.
std::string run_command_of(const fs::path& folder) {
  constexpr std::uintmax_t most = std::uintmax_t{1} << 20;
  std::string text;
  try {
    text = read_regular_file(folder / result_names::run, most);
  } catch (const std::exception&) {  // what is in its place names no sweep
    return "";
  }
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("sweep_file") || !json.at("sweep_file").is_string())
    return "";
  const std::string sweep = json.at("sweep_file").get<std::string>();
  std::error_code ignored;
  if (!fs::is_regular_file(sweep, ignored)) return "";
  return "weir sweep " + quoted_for_shell(sweep) + " --out . --run";
}

// The pages of points are found by their names alone.
std::map<std::uint64_t, std::string> pages_of(const fs::path& folder, const SweepTable& table,
                                              const fs::path& page) {
  std::map<std::uint64_t, std::string> pages;
  std::error_code ignored;
  const fs::path base = fs::absolute(page).lexically_normal().parent_path();
  for (const SweepCase& entry : table.cases) {
    const fs::path own = point_folder(folder, entry.point) / result_names::page;
    if (!fs::is_regular_file(own, ignored)) continue;
    pages[entry.point] =
        fs::absolute(own).lexically_normal().lexically_relative(base).generic_string();
  }
  return pages;
}

}  // namespace

fs::path point_folder(const fs::path& folder, std::uint64_t point) {
  return folder / result_names::points / std::to_string(point);
}

void check_pictures(const fs::path& pictures) {
  std::error_code error;
  if (!pictures.empty() && fs::exists(pictures, error) && !fs::is_directory(pictures, error))
    throw ConfigError("--pictures", pictures.string(), "must be a folder, this is a file");
}

void write_sweep_report(const std::vector<fs::path>& databases, const fs::path& page, NamedBy by,
                        const fs::path& pictures) {
  std::vector<SweepTable> tables;
  for (const fs::path& database : databases) {
    SweepTable& table = tables.emplace_back(read_sweep_table(database));
    table.run_command = run_command_of(database.parent_path());
    table.pages = pages_of(database.parent_path(), table, page);
  }
  const SweepPage made = make_sweep_page(tables);
  write_file("--out", page, made.html, by);
  if (pictures.empty()) return;
  std::error_code error;
  fs::create_directories(pictures, error);
  for (const auto& [name, svg] : made.pictures)
    write_file("--pictures", pictures / (name + ".svg"), svg, NamedBy::program);
}

}  // namespace weir
