// SPDX-License-Identifier: Apache-2.0
// docs/guide/storm.md: its queries, on the results of the storm that it runs and of a deadlock,
// find what the page says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace weir::test::storm_document_test {
namespace {

namespace fs = std::filesystem;

// The SQL blocks of the page, in its order.
std::vector<std::string> queries() {
  std::istringstream page{text_of("docs/guide/storm.md")};
  std::vector<std::string> found;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```sql") {
      inside = true;
      found.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += line + "\n";
    }
  }
  return found;
}

class StormDocument : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-storm-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The answer to a query on the events of a scenario.
  [[nodiscard]] std::string ask(const std::string& scenario, const std::string& query) const {
    const fs::path results = folder_ / scenario, sql = folder_ / "query.sql";
    if (!fs::exists(results)) {
      const Outcome run = shell(program() + " run vectors/scenarios/" + scenario +
                                ".toml --quiet --no-report --out " + results.string());
      EXPECT_EQ(run.exit_code, 0) << run.text;
    }
    std::ofstream{sql} << query;
    const Outcome answer =
        shell("sqlite3 " + (results / "events.sqlite").string() + " <" + sql.string());
    EXPECT_EQ(answer.exit_code, 0) << answer.text;
    return answer.text;
  }

  fs::path folder_;
};

TEST_F(StormDocument, ItsQueriesFindTheOriginTheSpreadAndTheCircle) {
  const std::vector<std::string> asked = queries();
  ASSERT_EQ(asked.size(), 3U);
  const std::string storm = "storm_clos4_dt_no_watchdog";
  EXPECT_EQ(ask(storm, asked[0]), "T0h0|0|3|1000000|36\nT0h0|0|4|1000000|36\n");
  EXPECT_EQ(ask(storm, asked[1])
                .rfind("T0h0|0|3|36|1000000\nT0h0|0|4|36|1000000\nT0|2|3|36|1135886\n", 0),
            0U);
  EXPECT_EQ(ask(storm, asked[2]), "") << "a storm is no deadlock";
  EXPECT_NE(ask("loop_ring2_dt_trident2", asked[2]), "");
}

TEST_F(StormDocument, TheSummaryNamesTheSameOrigin) {
  const Outcome run = shell(
      program() + " run vectors/scenarios/storm_clos4_dt_no_watchdog.toml --no-report --out " +
      (folder_ / "storm").string() + " 2>&1");
  EXPECT_TRUE(run.says("\nbegan       T0h0: 1 port, classes 3, 4, after 1 ms\n")) << run.text;
  EXPECT_FALSE(run.says("\nbegan       T0:")) << run.text;
  EXPECT_TRUE(run.says("\n1 host sent PAUSE\n  T0h0           at T0.port[0]")) << run.text;
  const std::string json = text_of(folder_ / "storm/summary.json");
  const std::size_t at = json.find("\"pause_origins\": [");
  ASSERT_NE(at, std::string::npos);
  const std::string list = json.substr(at, json.find(']', at) - at);
  EXPECT_NE(list.find("\"node\": \"T0h0\""), std::string::npos) << list;
  EXPECT_NE(list.find("\"first_ps\": 1000000000,\n      \"pauses\": 36"), std::string::npos)
      << list;
  EXPECT_EQ(list.find("\"node\": \"T0\""), std::string::npos) << list;
}

TEST_F(StormDocument, ItShowsTheAnswer) {
  const std::string page = text_of("docs/guide/storm.md");
  for (const std::string row :
       {"T0h0  0     3      1000000   36", "T0h0  0     4      1000000   36"})
    EXPECT_NE(page.find("\n" + row + "\n"), std::string::npos) << row;
}

}  // namespace
}  // namespace weir::test::storm_document_test
