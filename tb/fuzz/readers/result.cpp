// SPDX-License-Identifier: Apache-2.0
// The result folder of a run: its files, each after a line "== NAME"; summary.json is the first.
// What is in "other" is a second run that it is compared with; without it, it is compared with
// itself.
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "commands/comparison.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "html/report_page.hpp"
#include "output/result_files.hpp"
#include "weir/trace/summary/result_folder.hpp"

namespace weir::fuzz {
namespace {

// No program is started for each input.
std::optional<GraphLayout> no_layout(const GraphShape&) { return std::nullopt; }

namespace fs = std::filesystem;

constexpr std::size_t max_figures = 20;

std::optional<ComparedRun> run_of(const fs::path& folder) {
  ComparedRun run{folder.string(), {}, {}};
  const bool read = taken([&] {
    run.summary_json = read_result(folder, "summary.json", made_by_run);
    std::error_code ignored;
    if (fs::exists(folder / "report.json", ignored))
      run.report_json = read_result(folder, "report.json", made_by_run);
  });
  return read ? std::optional{run} : std::nullopt;
}

// A page throws ModelError for what no run writes; its command makes exit code 2 of that.
template <class F>
void make_page(F&& make) {
  try {
    static_cast<void>(taken([&] {
      const std::string page = make();
      require(page.find("</html>") != std::string::npos, "a page without an end");
    }));
  } catch (const ModelError& refused) {
    check_message(refused.what());
  }
}

void check_comparison(const ComparedRun& a, const ComparedRun& b) {
  std::optional<RunComparison> comparison;
  if (!taken([&] { comparison = compare(a, b); })) return;
  require(!to_text(*comparison, max_figures).empty(), "a comparison that says nothing");
  make_page([&] { return comparison_page(*comparison, a, b); });
}

}  // namespace

void read_result_folder(std::string_view input) {
  const fs::path folder = Scratch::folder().folder_of(
      "result", files_of(input, {"summary.json", "report.json", "run.json", "other/summary.json",
                                 "other/report.json"}));
  // A run that would replace it: it is looked at, and stays.
  static_cast<void>(taken([&] {
    const ResultFolder replacing{folder, {"summary.json", "report.json", "run.json"}};
  }));
  require(fs::is_directory(folder), "a folder that was looked at is gone");
  const std::optional<ComparedRun> run = run_of(folder);
  if (!run) return;
  if (!run->report_json.empty())
    make_page([&] { return report_page(run->summary_json, run->report_json, no_layout); });
  std::optional<ComparedRun> other = *run;
  std::error_code ignored;
  if (fs::exists(folder / "other", ignored)) other = run_of(folder / "other");
  if (other) check_comparison(*run, *other);
}

}  // namespace weir::fuzz
