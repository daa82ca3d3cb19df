// SPDX-License-Identifier: Apache-2.0
// Drives the built program: scenarios decided by the core, by the RTL, and by both in lockstep give
// the same bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"
#include "weir/config/chip/chip_file.hpp"

namespace weir::test::backend_command_test {
namespace {

class BackendCommand : public InFolder {
 protected:
  [[nodiscard]] Outcome run(const std::string& scenario, const std::string& backend,
                            const std::string& options) const {
    return shell(program() + " run " + scenario + " --quiet --no-report --out " + at(backend) +
                 " --backend " + backend + " " + options);
  }

  // `happens`: metrics that are not 0, so that the run has what it is for. `rtl`: options that name
  // the library, if it is not that of the program.
  void expect_same(const std::string& name, const std::string& options,
                   const std::vector<std::string>& happens, const std::string& rtl = {}) const {
    expect_same_of("vectors/scenarios/" + name + ".toml", options, rtl);
    for (const std::string& metric : happens)
      EXPECT_GT(total_of(text_of(at("model/summary.json")), metric), 0U) << metric;
  }
  void expect_same_of(const std::string& scenario, const std::string& options,
                      const std::string& rtl) const {
    const Outcome model = run(scenario, "model", options);
    ASSERT_LE(model.exit_code, 1) << model.text;  // 1: an [expect] for the whole run
    const std::string expected = text_of(at("model/summary.json"));
    EXPECT_NE(expected.find("\"delivered_packets\""), std::string::npos) << "an empty summary";
    EXPECT_EQ(expected.find("\"delivered_packets\": 0,"), std::string::npos) << "nothing arrived";
    for (const char* const backend : {"rtl", "lockstep"}) {
      const Outcome outcome = run(scenario, backend, options + " " + rtl);
      EXPECT_EQ(outcome.exit_code, model.exit_code) << outcome.text;
      EXPECT_EQ(text_of(at(std::string{backend} + "/summary.json")), expected)
          << backend << " says something else";
    }
  }
  // Of the whole network, which comes first in a summary; 0 where there is no such metric.
  static unsigned long long total_of(const std::string& summary, const std::string& metric) {
    const std::size_t place = summary.find("\"" + metric + "\": ");
    return place == std::string::npos ? 0 : std::stoull(summary.substr(place + metric.size() + 4));
  }
};

TEST_F(BackendCommand, AnIncastWithPausesGivesTheSameBytesWithModelRtlAndLockstep) {
  expect_same("incast_star16_dt_trident2",
              "--until '80 us' --set switch.tor.profile.lossless.alpha=1/64",
              {"pauses_sent", "peak_headroom_cells"});
}

TEST_F(BackendCommand, AClockOfAFractionOfAPicosecondGivesTheSameBytes) {
  expect_same("incast_star4_dt_late_xoff",
              "--until '60 us' --set switch.tor.chip.clock='1.35 GHz' "
              "--set switch.tor.chip.lanes=1 --set switch.tor.chip.ports=4 --set hosts.count=4 "
              "--set traffic.incast.from='h[0-2]' --set traffic.incast.to=h3",
              {"pauses_sent", "resumes_sent"}, "--rtl " + rtl_library("l1"));
}

TEST_F(BackendCommand, ALossyMixWithDropsGivesTheSameBytesWithModelRtlAndLockstep) {
  expect_same("lossy_mix_star8_dt_trident2",
              "--until '60 us' --set switch.tor.queue.lossy.alpha=1/16", {"lossy_drops"});
}

// 8 hosts at 60 % of 100G need no more than the two lanes that the library has.
TEST_F(BackendCommand, ASharedHeadroomPoolGivesTheSameBytesWithModelRtlAndLockstep) {
  expect_same("websearch_star8_dt_trident3", "--until '60 us' --set switch.tor.chip.lanes=2",
              {"peak_shared_cells"});
}

TEST_F(BackendCommand, OneLaneGivesTheSameBytes) {
  expect_same("incast_star4_dt_late_xoff",
              "--until '100 us' --set switch.tor.chip.lanes=1 --set switch.tor.chip.ports=4 "
              "--set hosts.count=4 --set traffic.incast.from='h[0-2]' --set traffic.incast.to=h3",
              {"pauses_sent", "resumes_sent"}, "--rtl " + rtl_library("l1"));
}

TEST_F(BackendCommand, FourLanesGiveTheSameBytes) {
  const Chip chip = load_chip("vectors/cosim/eight_ports_four_lanes.toml");
  const auto set = [](const std::string& key, std::uint32_t cycles) {
    return " --set switch.tor.chip." + key + "='" + std::to_string(cycles) + " cycles'";
  };
  expect_same("incast_star4_dt_late_xoff",
              "--until '100 us' --set switch.tor.chip.lanes=4" + set("admit", chip.admit_latency) +
                  set("pfc", chip.pfc_latency) + set("threshold_lag", chip.threshold_lag),
              {"lossless_drops", "pauses_sent", "resumes_sent"}, "--rtl " + rtl_library("l4"));
}

TEST_F(BackendCommand, AChipThatTheRtlCannotHoldLeavesNoFile) {
  const Outcome outcome = run("vectors/scenarios/incast_star16_dt_trident2.toml", "lockstep",
                              "--rtl " + rtl_library("l4"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("scripts/rtl/make-backend --lanes 2 --ports 32")) << outcome.text;
  EXPECT_FALSE(std::filesystem::exists(at("lockstep"))) << "a result folder of a run that was none";
}

// Rows E1 and E2 of docs/design/published-rows.md with a pause of 30 us in the place of 300 us, and
// E2 with a tenth of its packets; the same marks at the same packets.
TEST_F(BackendCommand, MarksAtDequeueAndAtEnqueueAreTheSame) {
  struct Row {
    const char* name;
    std::vector<std::pair<std::string, std::string>> replaced;
    const char* packets;
  };
  for (const Row& row :
       {Row{"paused_star2_dt_marks_at_dequeue", {}, "200"},
        Row{"paused_star2_dt_marks_at_enqueue", {}, "200"},
        Row{"paused_star2_dt_marks_on_a_line",
            {{"2010 kB", "201 kB"}, {"500 kB", "50 kB"}, {"2000 kB", "200 kB"}, {"5 %", "50 %"}},
            "201"}}) {
    std::string text = text_of("vectors/scenarios/" + std::string{row.name} + ".toml");
    text.erase(text.find("[expect]"));  // of the whole row
    auto replaced = row.replaced;
    replaced.emplace_back("at = \"300 us\"", "at = \"30 us\"");
    for (const auto& [from, to] : replaced) {
      ASSERT_NE(text.find(from), std::string::npos) << from;
      text.replace(text.find(from), from.size(), to);
    }
    std::ofstream{at("marks.toml")} << text;
    expect_same_of(at("marks.toml"), "--set switch.tor.chip.lanes=2 --until '55 us'",
                   "--rtl " + rtl_library("marks"));
    const std::string summary = text_of(at("model/summary.json"));
    EXPECT_NE(summary.find(std::string{"\"delivered_packets\": "} + row.packets + ","),
              std::string::npos)
        << row.name << ": not all packets were delivered";
    EXPECT_EQ(summary.find("\"ecn_marked_packets\": 0,"), std::string::npos)
        << row.name << ": nothing was marked";
  }
}

// A network whose queues mark at enqueue and at dequeue and drop what is not ECT, in two domains.
TEST_F(BackendCommand, EarlyDropsAreTheSame) {
  std::string text = "[scenario]\nname = \"drops\"\nuntil = \"30 us\"\n[switch.tor]\nfile = \"" +
                     std::filesystem::absolute("vectors/cosim/four_ports_marking.toml").string() +
                     "\"\n[hosts]\ncount = 4\ncable = \"20 m\"\n";
  const auto burst = [&](int priority, const std::string& ecn) {
    text += "[[traffic]]\nname = \"" + ecn + std::to_string(priority) +
            "\"\nkind = \"incast\"\nfrom = \"h[0-2]\"\nto = \"h3\"\npriority = " +
            std::to_string(priority) + "\npacket = \"900 B\"\nburst = \"60 kB\"\necn = \"" + ecn +
            "\"\n";
  };
  burst(1, "ect0");     // marked at enqueue
  burst(1, "not_ect");  // and dropped there
  burst(2, "not_ect");  // a profile that drops alone
  burst(3, "ect0");     // lossless, marked at dequeue
  std::ofstream{at("drops.toml")} << text;
  expect_same_of(at("drops.toml"), "", "--rtl " + rtl_library("drops"));
  const std::string summary = text_of(at("model/summary.json"));
  EXPECT_GT(total_of(summary, "wred_drops"), 20U);
  EXPECT_GT(total_of(summary, "ecn_marked_packets"), 20U);
}

TEST_F(BackendCommand, WhatTheRtlOfAMarkerCannotDoIsRefused) {
  const auto refusal = [&](const std::string& options) {
    const Outcome outcome = run("vectors/scenarios/incast_star16_dt_trident2.toml", "lockstep",
                                "--set 'switch.tor.wred.red={priorities=[3], min=\"1 kB\", "
                                "max=\"2 kB\", probability=\"5 %\"}' " +
                                    options);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_FALSE(std::filesystem::exists(at("lockstep")));
    return outcome.text;
  };
  EXPECT_NE(refusal("").find("--wred-profiles 1"), std::string::npos);
  EXPECT_NE(refusal("--set switch.tor.draw.polynomial=0xedb88320").find("lower 16 bits"),
            std::string::npos);
  EXPECT_NE(refusal("--set switch.tor.wred.red.drop=true")
                .find("must be 6 to 64 with RTL (--backend rtl or lockstep) where a WRED profile "
                      "drops"),
            std::string::npos);
  EXPECT_NE(refusal("--set 'switch.tor.chip.mark=1 cycle'").find("must be 2 to 64"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::test::backend_command_test
