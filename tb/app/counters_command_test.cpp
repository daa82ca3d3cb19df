// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir counters shows what summary.json holds.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace weir::test::counters_command_test {
namespace {

using Json = nlohmann::json;

class CountersCommand : public InFolder {
 protected:
  void SetUp() override {
    const Outcome run =
        shell(program() + " run incast_star16_dt_trident2 --quiet --out " + at("out"));
    ASSERT_EQ(run.exit_code, 0) << run.text;
    summary_ = Json::parse(text_of(at("out") + "/summary.json"), nullptr, false);
  }
  [[nodiscard]] Outcome counters(const std::string& options) const {
    return shell(program() + " counters " + at("out") + " " + options);
  }
  Json summary_;
};

TEST_F(CountersCommand, EveryPortHasTheFiguresOfTheSummary) {
  const Json tables = Json::parse(counters("--json").text, nullptr, false);
  ASSERT_EQ(tables.size(), 4U);
  std::uint64_t sent = 0, watermark = 0;
  const Json& ports = summary_["switches"][0]["ports"];
  ASSERT_EQ(tables[0]["ports"].size(), ports.size());
  for (const Json& port : ports) {
    const std::string name = "tor.port[" + port["port"].dump() + "]";
    for (const Json& entry : port["priorities"]) {
      const std::size_t n = entry["priority"];
      const auto sum = [&](const char* a, const char* b) {
        return entry[a].get<std::uint64_t>() + entry[b].get<std::uint64_t>();
      };
      EXPECT_EQ(tables[0]["ports"][name][n], sum("pauses_received", "resumes_received")) << name;
      EXPECT_EQ(tables[1]["ports"][name][n], sum("pauses_sent", "resumes_sent")) << name;
      sent += tables[1]["ports"][name][n].get<std::uint64_t>();
    }
    for (const Json& group : port["priority_groups"]) {
      const std::size_t n = group["pg"];
      const Json& sai = group["sai"];
      EXPECT_EQ(tables[2]["ports"][name][n],
                sai["SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"]);
      EXPECT_EQ(tables[3]["ports"][name][n],
                sai["SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES"]);
      watermark += tables[3]["ports"][name][n].get<std::uint64_t>();
    }
  }
  EXPECT_GT(sent, 0U);
  EXPECT_GT(watermark, 0U);
}

TEST_F(CountersCommand, TheTextIsThatOfASwitch) {
  const Outcome pfc = counters("--table pfc");
  EXPECT_EQ(pfc.exit_code, 0) << pfc.text;
  for (const char* const words : {"show pfc counters\n", "Port Rx", "Port Tx", "PFC3", "PFC7"})
    EXPECT_TRUE(pfc.says(words)) << pfc.text;
  EXPECT_FALSE(pfc.says("watermark")) << "one table alone";
  EXPECT_TRUE(counters("").says("show priority-group watermark headroom\n"));
  EXPECT_TRUE(counters("--table shared").says("PG3"));
}

// As pfcstat and watermarkstat of sonic-utilities print it.
TEST_F(CountersCommand, EveryCharacterIsWhereASwitchPrintsIt) {
  std::ofstream{at("out") + "/summary.json"} << R"({"switches": [{"name": "tor", "ports": [
    {"port": 0, "priorities": [{"priority": 3, "pauses_received": 1234567, "resumes_received": 0,
      "pauses_sent": 5, "resumes_sent": 6}],
     "priority_groups": [{"pg": 7, "sai": {
      "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES": 1234567,
      "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES": 0}}]},
    {"port": 10, "priorities": [], "priority_groups": []}]}]})";
  EXPECT_EQ(counters("--table pfc").text,
            "show pfc counters\n"
            "     Port Rx    PFC0    PFC1    PFC2       PFC3    PFC4    PFC5    PFC6    PFC7\n"
            "------------  ------  ------  ------  ---------  ------  ------  ------  ------\n"
            " tor.port[0]       0       0       0  1,234,567       0       0       0       0\n"
            "tor.port[10]       0       0       0          0       0       0       0       0\n"
            "\n"
            "     Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
            "------------  ------  ------  ------  ------  ------  ------  ------  ------\n"
            " tor.port[0]       0       0       0      11       0       0       0       0\n"
            "tor.port[10]       0       0       0       0       0       0       0       0\n");
  EXPECT_EQ(counters("--table shared").text,
            "show priority-group watermark shared\n"
            "Ingress shared pool occupancy per PG:\n"
            "        Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6      PG7\n"
            "------------  -----  -----  -----  -----  -----  -----  -----  -------\n"
            " tor.port[0]      0      0      0      0      0      0      0  1234567\n"
            "tor.port[10]      0      0      0      0      0      0      0        0\n");
  EXPECT_TRUE(counters("--table headroom").says("Ingress headroom per PG:\n"));
}

TEST_F(CountersCommand, WhatIsNoResultFolderIsRefused) {
  const Outcome none = shell(program() + " counters " + at("none"));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(none.says(at("none") + ": does not exist; must be a result folder of weir run"))
      << none.text;
  EXPECT_EQ(counters("--table acl").exit_code, 2);
  shell("echo '{\"switches\": [{}]}' > " + at("out") + "/summary.json");
  const Outcome other = counters("");
  EXPECT_EQ(other.exit_code, 2) << other.text;
  EXPECT_TRUE(other.says("DIR = " + at("out") +
                         "/summary.json: must hold results of this version: key 'ports' not found"))
      << other.text;
}

}  // namespace
}  // namespace weir::test::counters_command_test
