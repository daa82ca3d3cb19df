// SPDX-License-Identifier: Apache-2.0
// The defaults that the page of scenarios shows are those of the program: a run with one of them
// written has the same results.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/config_files.hpp"
#include "support/key_page.hpp"
#include "support/program.hpp"

namespace weir::scenario_defaults_test {
namespace {

using test::KeyRow;

class ScenarioDefaults : public test::InFolder {
 protected:
  ScenarioDefaults() {
    std::ofstream{at("sizes.csv")} << "message_bytes,cdf_percent\n3000,100\n";
    std::ofstream file{at("s.toml")};
    file << text_;
    file.close();
    plain_ = summary_with("");
  }

  // summary.json of a short run; `set` is KEY=VALUE.
  [[nodiscard]] std::string summary_with(const std::string& set) const {
    const test::Outcome run = test::limited_program(
        "run '" + at("s.toml") + "' --quiet --no-report --events drops --out '" + at("out") + "'" +
        (set.empty() ? "" : " --set '" + set + "'"));
    EXPECT_EQ(run.exit_code, 0) << set << "\n" << run.text;
    return test::text_of(at("out") + "/summary.json");
  }
  // Whether the file has the key already.
  [[nodiscard]] bool writes(const std::string& key) const {
    return text_.find("\n" + key + " = ") != std::string::npos;
  }
  // Writes the default of each row in each of the tables; the number of those that were compared.
  std::size_t compare(const std::string& heading, const std::vector<std::string>& tables) const {
    std::size_t compared = 0;
    for (const KeyRow& row : page_.rows(heading)) {
      const std::string value = row.default_value();
      if (value.empty()) continue;
      for (const std::string& table : tables) {
        if (!takes(row, table)) continue;
        const std::string set = table + "." + row.keys.front() + "=" + value;
        EXPECT_EQ(summary_with(set), plain_) << set;
        ++compared;
      }
    }
    return compared;
  }

 private:
  // A source takes the keys of all kinds, and those of its own.
  [[nodiscard]] bool takes(const KeyRow& row, const std::string& table) const {
    if (table.rfind("traffic.", 0) != 0) return !writes(row.keys.front());
    if (row.keys.front() == "dcqcn") return false;  // which needs another control than the default
    const std::string kind = table.substr(8);
    return row.cells.size() > 3 && (row.cells[3].rfind("all", 0) == 0 ||
                                    row.cells[3].find("`" + kind + "`") != std::string::npos);
  }
  [[nodiscard]] static std::string source(const std::string& kind, const std::string& more = "") {
    return "[[traffic]]\nname = '" + kind + "'\nkind = '" + kind +
           "'\nfrom = 'h[0-1]'\nto = 'h2'\npriority = 3\n" + more;
  }

  const test::KeyPage page_{"scenario-format.md"};
  const std::string text_ =
      "[scenario]\nname = 'defaults'\nuntil = '60 us'\nseed = 5\n" +
      test::mixed_chip_text(4, "switch.tor.") + test::hosts_text(3) + source("constant") +
      source("poisson", "rate = '1 Gbps'\n") + source("incast", "burst = '20 kB'\n") +
      source("on_off", "on_time = '1 us'\noff_time = '1 us'\n") +
      source("messages", "sizes = 'sizes.csv'\nrate = '1 Gbps'\n") +
      source("rdma", "message = '5 kB'\n") +
      "[[traffic]]\nname = 'controlled'\nkind = 'rdma'\nfrom = 'h0'\nto = 'h2'\npriority = 4\n"
      "message = '5 kB'\ncontrol = 'dcqcn'\ndcqcn = 'd'\n"
      "[dcqcn.d]\n[nic.n]\nhosts = 'h2'\nmemory = '1 MB'\n[watchdog.w]\n"
      "[monitor]\nperiod = '20 us'\n"
      "[pingmesh]\nfrom = 'h[0-2]'\npriorities = [3]\n";
  std::string plain_;
};

TEST_F(ScenarioDefaults, OfThePageChangeNothingWhereTheyAreWritten) {
  EXPECT_GE(compare("`[scenario]`", {"scenario"}), 2U);
  EXPECT_GE(compare("`[hosts]`", {"hosts"}), 4U);
  EXPECT_GE(compare("`[[traffic]]`", {"traffic.constant", "traffic.poisson", "traffic.incast",
                                      "traffic.on_off", "traffic.messages", "traffic.rdma"}),
            40U);
  EXPECT_GE(compare("`[dcqcn.NAME]`", {"dcqcn.d"}), 10U);
  EXPECT_GE(compare("`[nic.NAME]`", {"nic.n"}), 6U);
  EXPECT_GE(compare("`[watchdog.NAME]`", {"watchdog.w"}), 3U);
  EXPECT_GE(compare("`[pingmesh]`", {"pingmesh"}), 4U);
}

}  // namespace
}  // namespace weir::scenario_defaults_test
