// SPDX-License-Identifier: Apache-2.0
// scripts/incidents runs every row of GROUND_TRUTH 1 and 2, with scenarios that there are and that
// check something; the pages of docs/guide/incidents tell each of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace weir {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" +"), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

struct Incident {
  std::vector<std::string> rows;
  std::string scenario;
};

// The lines of the table: rows | scenario | ... | ...
std::vector<Incident> runs() {
  std::istringstream script{text_of("scripts/check/incidents")};
  std::vector<Incident> list;
  bool inside = false;
  for (std::string line; std::getline(script, line);) {
    if (line == "table='") inside = true;
    if (line == "'") inside = false;
    const std::size_t first = line.find('|');
    if (!inside || first == std::string::npos) continue;
    Incident run;
    std::istringstream rows{trimmed(line.substr(0, first))};
    for (std::string row; std::getline(rows, row, ',');) run.rows.push_back(row);
    run.scenario = trimmed(line.substr(first + 1, line.find('|', first + 1) - first - 1));
    list.push_back(run);
  }
  return list;
}

TEST(IncidentsDocument, EveryRowOfTheGroundTruthIsRun) {
  std::set<std::string> rows;
  for (const Incident& run : runs()) rows.insert(run.rows.begin(), run.rows.end());
  const std::set<std::string> wanted{"L1", "L2", "L3", "L4", "L5", "L6", "L7", "L9", "L10", "L12",
                                     "F1", "F2", "F3", "F4", "F5", "P1", "P2", "P3", "P4",  "P6",
                                     "W1", "W2", "W3", "W4", "T1", "T2", "T3", "T4", "T6",  "T8"};
  EXPECT_EQ(rows, wanted);
}

TEST(IncidentsDocument, EveryScenarioChecksSomethingAndStandsOnAPage) {
  std::string pages;
  for (const auto& entry : std::filesystem::directory_iterator{"docs/guide/incidents"})
    if (entry.path().extension() == ".md") pages += text_of(entry.path());
  EXPECT_GT(runs().size(), 30U);
  for (const Incident& run : runs()) {
    const std::string scenario = text_of("vectors/scenarios/" + run.scenario + ".toml");
    EXPECT_NE(scenario.find("\n[expect]\n"), std::string::npos) << run.scenario;
    // Pages shorten a family of names: `..._to_cpu`.
    const std::string family = run.scenario.substr(0, run.scenario.find('_', 5));
    EXPECT_NE(pages.find(family), std::string::npos) << run.scenario;
  }
}

}  // namespace
}  // namespace weir
