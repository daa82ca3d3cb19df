// SPDX-License-Identifier: Apache-2.0
// [dcqcn.NAME], and `control` of rdma traffic: accepted and refused values.
#include "weir/core/host/dcqcn.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/config_files.hpp"

namespace weir::dcqcn_test {
namespace {

class ConfigDcqcn : public test::ScenarioFiles {
 protected:
  ConfigDcqcn()
      : ScenarioFiles{test::scenario_head() + test::mixed_chip_text(4, "switch.tor.") +
                      test::hosts_text(3)} {}

  [[nodiscard]] static std::string traffic(const std::string& more) {
    return "[[traffic]]\nname = \"t\"\nkind = \"rdma\"\nfrom = \"h[0-1]\"\nto = \"h2\"\n"
           "priority = 3\nmessage = \"64 kB\"\n" +
           more;
  }
};

TEST_F(ConfigDcqcn, WithoutAControlThereIsNoneAndPacketsAreNotMarked) {
  for (const char* const none : {"", "control = \"none\"\n"}) {
    const TrafficSpec entry = load(traffic(none)).traffic.at(0);
    EXPECT_FALSE(entry.dcqcn) << none;
    EXPECT_EQ(entry.ecn, Ecn::not_ect) << none;
    EXPECT_EQ(entry.window, Bytes{65'536}) << none;
  }
}

TEST_F(ConfigDcqcn, TheDefaultsAreThoseOfThePaper) {
  const TrafficSpec entry = load(traffic("control = \"dcqcn\"\n")).traffic.at(0);
  ASSERT_TRUE(entry.dcqcn);
  EXPECT_EQ(entry.ecn, Ecn::ect0) << "what reacts to marks may be marked";
  EXPECT_EQ(entry.window, Bytes{65'536}) << "the window stays";
  EXPECT_EQ(entry.dcqcn->g, DcqcnSettings::whole / 256);
  EXPECT_EQ(entry.dcqcn->alpha_time, Picoseconds{55'000'000});
  EXPECT_EQ(entry.dcqcn->increase_time, Picoseconds{55'000'000});
  EXPECT_EQ(entry.dcqcn->increase_bytes, Bytes{10'000'000});
  EXPECT_EQ(entry.dcqcn->fast_recovery, 5U);
  EXPECT_EQ(entry.dcqcn->additive_rate, BitRate{40'000'000});
  EXPECT_EQ(entry.dcqcn->hyper_rate, BitRate{400'000'000});
  EXPECT_EQ(entry.dcqcn->min_rate, BitRate{10'000'000});
  EXPECT_EQ(entry.dcqcn->cnp_interval, Picoseconds{50'000'000});
  EXPECT_EQ(entry.dcqcn->cnp_priority, Priority{6});
}

TEST_F(ConfigDcqcn, ReadsEveryKey) {
  const Scenario scenario = load(
      "[dcqcn.mine]\npreset = \"hpcc_vendor\"\ng = \"5/1024\"\nalpha_time = \"1 us\"\n"
      "increase_bytes = \"2 MB\"\nfast_recovery = 1\nadditive_rate = \"5 Mbps\"\n"
      "hyper_rate = \"50 Mbps\"\nmin_rate = \"1 Mbps\"\ncnp_priority = 5\n" +
      traffic("control = \"dcqcn\"\ndcqcn = \"mine\"\nwindow = \"none\"\necn = \"ect1\"\n"));
  const TrafficSpec& entry = scenario.traffic.at(0);
  ASSERT_TRUE(entry.dcqcn);
  EXPECT_EQ(entry.dcqcn->g, DcqcnSettings::whole / 1024 * 5);
  EXPECT_EQ(entry.dcqcn->alpha_time, Picoseconds{1'000'000});
  EXPECT_EQ(entry.dcqcn->increase_time, Picoseconds{300'000'000}) << "of the preset";
  EXPECT_EQ(entry.dcqcn->increase_bytes, Bytes{2'000'000});
  EXPECT_EQ(entry.dcqcn->fast_recovery, 1U);
  EXPECT_EQ(entry.dcqcn->additive_rate, BitRate{5'000'000});
  EXPECT_EQ(entry.dcqcn->hyper_rate, BitRate{50'000'000});
  EXPECT_EQ(entry.dcqcn->min_rate, BitRate{1'000'000});
  EXPECT_EQ(entry.dcqcn->cnp_interval, Picoseconds{4'000'000}) << "of the preset";
  EXPECT_EQ(entry.dcqcn->cnp_priority, Priority{5});
  EXPECT_EQ(entry.window, no_window);
  EXPECT_EQ(entry.ecn, Ecn::ect1);
}

TEST_F(ConfigDcqcn, APresetHasItsNameWithoutATable) {
  for (const DcqcnPreset& preset : dcqcn_presets()) {
    const std::string name{preset.name};
    const Scenario scenario = load(traffic("control = \"dcqcn\"\ndcqcn = \"" + name + "\"\n"));
    ASSERT_TRUE(scenario.traffic.at(0).dcqcn) << name;
    EXPECT_EQ(scenario.traffic[0].dcqcn->increase_time, preset.settings.increase_time) << name;
    EXPECT_EQ(scenario.traffic[0].dcqcn->cnp_interval, preset.settings.cnp_interval) << name;
  }
}

TEST_F(ConfigDcqcn, TakesBothEndsOfEachRange) {
  const std::string use = traffic("control = \"dcqcn\"\ndcqcn = \"d\"\n");
  for (const char* const line : {"g = \"1/65536\"",           "g = 1",
                                 "alpha_time = \"1 us\"",     "alpha_time = \"1 s\"",
                                 "increase_time = \"1 us\"",  "increase_time = \"1 s\"",
                                 "increase_bytes = \"64 B\"", "increase_bytes = \"1000 GB\"",
                                 "fast_recovery = 1",         "fast_recovery = 255",
                                 "additive_rate = \"1 bps\"", "additive_rate = \"1600 Gbps\"",
                                 "hyper_rate = \"1 bps\"",    "hyper_rate = \"1600 Gbps\"",
                                 "min_rate = \"1 Mbps\"",     "min_rate = \"40 Gbps\"",
                                 "cnp_interval = \"0 us\"",   "cnp_interval = \"1 s\"",
                                 "cnp_priority = 0",          "cnp_priority = 7"})
    EXPECT_EQ(error_at_key("[dcqcn.d]\n" + std::string{line} + "\n" + use), "taken") << line;
}

TEST_F(ConfigDcqcn, RefusesParametersThatCannotBe) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"g = 0",
       "g = 0: must be n/2^m, more than 0 and at most 1, with m from 0 to 16, such as \"1/256\""},
      {"g = 2",
       "g = 2: must be n/2^m, more than 0 and at most 1, with m from 0 to 16, such as \"1/256\""},
      {"alpha_time = \"999 ns\"", "alpha_time = \"999 ns\": must be from \"1 us\" to \"1 s\""},
      {"increase_time = \"2 s\"", "increase_time = \"2 s\": must be from \"1 us\" to \"1 s\""},
      {"increase_bytes = \"63 B\"",
       "increase_bytes = \"63 B\": must be from \"64 B\" to \"1000 GB\""},
      {"fast_recovery = 0", "fast_recovery = 0: must be a whole number from 1 to 255"},
      {"fast_recovery = 256", "fast_recovery = 256: must be a whole number from 1 to 255"},
      {"additive_rate = \"0 bps\"",
       "additive_rate = \"0 bps\": must be more than 0 and at most \"1600 Gbps\""},
      {"hyper_rate = \"0 bps\"",
       "hyper_rate = \"0 bps\": must be more than 0 and at most \"1600 Gbps\""},
      {"hyper_rate = \"1601 Gbps\"",
       "hyper_rate = \"1601 Gbps\": must be more than 0 and at most \"1600 Gbps\""},
      {"min_rate = \"999999 bps\"",
       "min_rate = \"999999 bps\": must be from \"1 Mbps\" to \"1600 Gbps\", and at most the rate "
       "of the senders"},
      {"cnp_interval = \"1.1 s\"", "cnp_interval = \"1.1 s\": must be at most \"1 s\""},
      {"cnp_priority = 8", "cnp_priority = 8: must be a whole number from 0 to 7"},
      {"preset = \"fast\"", "preset = \"fast\": must be one of paper, hpcc_vendor, hpcc_operator"}};
  for (const auto& [line, message] : refused)
    EXPECT_EQ(error_at_key("[dcqcn.d]\n" + line + "\n"), "dcqcn.d." + message);
  EXPECT_EQ(error_at_key("[dcqcn.paper]\n"),
            "dcqcn.paper: is the name of a preset; choose another");
}

TEST_F(ConfigDcqcn, RefusesControlsThatCannotBe) {
  EXPECT_EQ(error_at_key(traffic("control = \"timely\"\n")),
            "traffic[0].control = \"timely\": must be one of none, dcqcn");
  EXPECT_EQ(error_at_key(traffic("dcqcn = \"paper\"\n")),
            "traffic[0].dcqcn = \"paper\": needs control = \"dcqcn\"");
  EXPECT_EQ(error_at_key("[dcqcn.mine]\n" + traffic("control = \"dcqcn\"\ndcqcn = \"m\"\n")),
            "traffic[0].dcqcn = \"m\": must be one of paper, hpcc_vendor, hpcc_operator, mine");
  EXPECT_EQ(error_at_key(traffic("control = \"dcqcn\"\necn = \"not_ect\"\n")),
            "traffic[0].ecn = \"not_ect\": must be ect0 or ect1 with control = \"dcqcn\", which "
            "reacts to marks alone");
  EXPECT_EQ(error_at_key(traffic("control = \"dcqcn\"\necn = \"ce\"\n")),
            "traffic[0].ecn = \"ce\": must be one of not_ect, ect0, ect1");
  EXPECT_EQ(error_at_key("[dcqcn.d]\nmin_rate = \"41 Gbps\"\n" +
                         traffic("control = \"dcqcn\"\ndcqcn = \"d\"\n")),
            "traffic[0].dcqcn = \"d\": has a min_rate of 41000000000 bps, more than the "
            "40000000000 bps of the sender's port");
}

TEST_F(ConfigDcqcn, TheClassOfCnpsHasADscpWhereTheSwitchGoesByIt) {
  const std::string trust =
      "[switch.tor.classify]\ntrust = \"dscp\"\n[switch.tor.classify.dscp]\n3 = [26]\n";
  EXPECT_EQ(error_at_key(trust + "6 = [10]\n" + traffic("control = \"dcqcn\"\n")), "taken");
  EXPECT_EQ(error_at_key(trust + traffic("control = \"dcqcn\"\n")),
            "traffic[0].control = \"dcqcn\": has the cnp_priority 6, to which no DSCP maps at the "
            "switch of h2: name one in [classify.dscp] of its chip, or set another cnp_priority");
}

}  // namespace
}  // namespace weir::dcqcn_test
