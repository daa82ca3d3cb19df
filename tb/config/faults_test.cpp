// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "support/config_files.hpp"

namespace weir::faults_test {
namespace {

class ConfigFaults : public test::ScenarioFiles {
 protected:
  ConfigFaults()
      : ScenarioFiles{test::scenario_head() + test::chip_text(4, "switch.tor.") +
                      test::hosts_text(3) + "[[fault]]\n"} {}

  FaultSpec load(const std::string& fault) { return ScenarioFiles::load(fault).faults.at(0); }
};

TEST_F(ConfigFaults, ReadsEveryKey) {
  const FaultSpec fault = load(
      "link = \"h2\"\ndirection = \"to_host\"\nframes = \"pfc\"\naction = \"delay\"\n"
      "nth = \"7,1-3\"\nby = \"2 us\"\n");
  EXPECT_EQ(fault.link, 2U);
  EXPECT_EQ(fault.direction, FaultDirection::b_to_a) << "the host is end a";
  EXPECT_EQ(fault.frames, FaultFrames::pfc);
  EXPECT_EQ(fault.action, FaultAction::delay);
  EXPECT_EQ(fault.nth, (std::vector<std::uint32_t>{1, 2, 3, 7})) << "sorted";
  EXPECT_EQ(fault.by, Picoseconds{2'000'000});
}

TEST_F(ConfigFaults, DirectionIsBothByDefault) {
  const std::string rest = "link = \"h0\"\nframes = \"all\"\naction = \"lose\"\nnth = 1\n";
  EXPECT_EQ(load(rest).direction, FaultDirection::both);
  EXPECT_EQ(load("direction = \"to_switch\"\n" + rest).direction, FaultDirection::a_to_b);
}

TEST_F(ConfigFaults, AShareIsAFractionOrAPercentage) {
  const std::string rest = "link = \"h0\"\nframes = \"data\"\naction = \"corrupt\"\nshare = ";
  FaultSpec fault = load(rest + "\"1/1000\"\n");
  EXPECT_EQ(fault.share, 1U);
  EXPECT_EQ(fault.share_of, 1000U);
  fault = load(rest + "\"0.1 %\"\n");
  EXPECT_EQ(fault.share, 1000U);
  EXPECT_EQ(fault.share_of, 1'000'000U);
  EXPECT_EQ(load(rest + "\"1/1\"\n").share_of, 1U) << "all of them";
  for (const char* bad : {"\"0/10\"", "\"3/2\"", "\"1/\"", "\"/2\"", "\"1\"", "\"0 %\"",
                          "\"101 %\"", "\"1/2000000000\"", "\"-1/2\"", "0"}) {
    EXPECT_NE(error(rest + bad + "\n").find("fault[0].share = "), std::string::npos) << bad;
    EXPECT_NE(error(rest + bad + "\n").find("more than 0 and at most 1"), std::string::npos) << bad;
  }
}

TEST_F(ConfigFaults, NumbersOfFramesBeginWithOne) {
  const std::string rest = "link = \"h0\"\nframes = \"data\"\naction = \"lose\"\nnth = ";
  EXPECT_EQ(load(rest + "1000000\n").nth.front(), 1'000'000U);
  for (const char* bad : {"0", "[]", "\"0-2\"", "1000001", "-1", "\"x\"", "[1, 1]"})
    EXPECT_NE(error(rest + bad + "\n").find("fault[0].nth"), std::string::npos) << bad;
}

TEST_F(ConfigFaults, WhatIsMissingOrTooMuchIsNamed) {
  const std::string link = "link = \"h0\"\n", frames = "frames = \"pfc\"\n",
                    lose = "action = \"lose\"\n", nth = "nth = 1\n";
  EXPECT_EQ(error(link + frames + lose + nth), "taken");
  EXPECT_NE(error(frames + lose + nth).find("fault[0].link"), std::string::npos);
  EXPECT_NE(error(link + lose + nth).find("fault[0].frames"), std::string::npos);
  EXPECT_NE(error(link + frames + nth).find("fault[0].action"), std::string::npos);
  EXPECT_NE(error(link + frames + lose).find("fault[0].nth"), std::string::npos);
  EXPECT_NE(error(link + frames + lose + nth + "share = \"1/2\"\n").find("fault[0].share"),
            std::string::npos);
  EXPECT_NE(error(link + frames + lose + nth + "by = \"1 us\"\n").find("fault[0].by"),
            std::string::npos)
      << "a lost frame is not late";
  EXPECT_NE(error(link + frames + lose + nth + "often = true\n").find("often"), std::string::npos)
      << "unknown keys are errors";
  const std::string delay = link + frames + "action = \"delay\"\n" + nth;
  EXPECT_NE(error(delay).find("fault[0].by"), std::string::npos) << "how late?";
  EXPECT_NE(error(delay + "by = \"0 ps\"\n").find("more than 0"), std::string::npos);
  EXPECT_EQ(error(delay + "by = \"1 s\"\n"), "taken");
  EXPECT_NE(error(delay + "by = \"1001 ms\"\n").find("at most"), std::string::npos);
}

TEST_F(ConfigFaults, ALinkIsThatOfAHostThatThereIs) {
  const std::string rest = "frames = \"pfc\"\naction = \"lose\"\nnth = 1\n";
  const std::string text = error("link = \"h3\"\n" + rest);
  EXPECT_NE(text.find(":20: fault[0].link = \"h3\""), std::string::npos) << text;
  EXPECT_NE(
      error("link = \"h0\"\n" + rest + "direction = \"up\"\n").find("both, to_switch, to_host"),
      std::string::npos);
}

TEST_F(ConfigFaults, AllErrorsOfATableAreReportedAtOnce) {
  const std::string text = error(
      "link = \"h9\"\ndirection = \"to_host\"\nframes = \"some\"\naction = \"lose\"\n"
      "nth = 0\nby = \"2 us\"\noften = true\n");
  for (const char* const part : {"fault[0].link = \"h9\"", "fault[0].frames = \"some\"",
                                 "fault[0].nth = 0", "fault[0].by", "fault[0].often"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(text.find("direction = "), std::string::npos)
      << "without the link its words are not known\n"
      << text;
}

}  // namespace
}  // namespace weir::faults_test
