// SPDX-License-Identifier: Apache-2.0
// scripts/check/incidents runs every row of sections 1 and 2 of docs/design/published-rows.md, with
// scenarios that exist and contain checks; a page of docs/guide/incidents names each of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace weir::incidents_document_test {
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

// The ids in the first column of the tables of sections 1 and 2.
std::set<std::string> published_rows() {
  const std::string page = text_of("docs/design/published-rows.md");
  const std::size_t begin = page.find("\n## 1. "), end = page.find("\n## 3. ");
  if (begin == std::string::npos || end == std::string::npos) return {};
  const std::string sections = page.substr(begin, end - begin);
  const std::regex cell{R"(\n\| ([A-Z][0-9]+(?:, [A-Z][0-9]+)*) \|)"}, id{"[A-Z][0-9]+"};
  std::set<std::string> rows;
  for (std::sregex_iterator row{sections.begin(), sections.end(), cell}, last; row != last; ++row) {
    const std::string ids = (*row)[1].str();
    for (std::sregex_iterator at{ids.begin(), ids.end(), id}; at != last; ++at)
      rows.insert(at->str());
  }
  return rows;
}

TEST(IncidentsDocument, EveryPublishedRowIsRun) {
  std::set<std::string> rows;
  for (const Incident& run : runs()) rows.insert(run.rows.begin(), run.rows.end());
  const std::set<std::string> wanted = published_rows();
  EXPECT_GE(wanted.size(), 30U) << "the tables of docs/design/published-rows.md were not read";
  EXPECT_EQ(rows, wanted);
}

TEST(IncidentsDocument, EveryScenarioChecksSomethingAndIsOnAPage) {
  std::string pages;
  for (const auto& entry : std::filesystem::directory_iterator{"docs/guide/incidents"})
    if (entry.path().extension() == ".md") pages += text_of(entry.path());
  EXPECT_GT(runs().size(), 30U);
  for (const Incident& run : runs()) {
    const std::string scenario = text_of("vectors/scenarios/" + run.scenario + ".toml");
    EXPECT_NE(scenario.find("\n[expect]\n"), std::string::npos) << run.scenario;
    // Pages abbreviate a family of names: `..._to_cpu`.
    const std::string family = run.scenario.substr(0, run.scenario.find('_', 5));
    EXPECT_NE(pages.find(family), std::string::npos) << run.scenario;
  }
}

}  // namespace
}  // namespace weir::incidents_document_test
