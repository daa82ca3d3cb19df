// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/scenario/scenario_file.hpp"

namespace weir {
namespace {

constexpr const char* head = R"([scenario]
name = "faults"
until = "1 ms"
[switch.tor.chip]
name = "small"
ports = 4
rate = "40 Gbps"
cell = "208 B"
[switch.tor.pool.main]
size = "12 MB"
[switch.tor.profile.lossless]
priorities = "0-7"
pool = "main"
headroom = "20 kB"
alpha = "1/8"
[hosts]
count = 3
cable = "10 m"
[[fault]]
)";

class ConfigFaults : public testing::Test {
 protected:
  ConfigFaults() {
    const char* const tmp = std::getenv("TMPDIR");
    file_ = std::filesystem::path{tmp == nullptr ? "/tmp" : tmp} /
            ("weir_faults_" + std::to_string(getpid()) + ".toml");
  }
  ~ConfigFaults() override { std::filesystem::remove(file_); }

  FaultSpec load(const std::string& fault) {
    std::ofstream{file_} << head << fault;
    return load_scenario(file_).faults.at(0);
  }
  // The error message for the file.
  std::string refusal(const std::string& fault) {
    try {
      static_cast<void>(load(fault));
    } catch (const FileError& error) {
      return std::string{error.what()}.substr(file_.string().size());
    }
    return "taken";
  }

  std::filesystem::path file_;
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

TEST_F(ConfigFaults, DirectionIsBothUnlessTold) {
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
    EXPECT_NE(refusal(rest + bad + "\n").find("fault[0].share = "), std::string::npos) << bad;
    EXPECT_NE(refusal(rest + bad + "\n").find("more than 0 and at most 1"), std::string::npos)
        << bad;
  }
}

TEST_F(ConfigFaults, NumbersOfFramesBeginWithOne) {
  const std::string rest = "link = \"h0\"\nframes = \"data\"\naction = \"lose\"\nnth = ";
  EXPECT_EQ(load(rest + "1000000\n").nth.front(), 1'000'000U);
  for (const char* bad : {"0", "[]", "\"0-2\"", "1000001", "-1", "\"x\"", "[1, 1]"})
    EXPECT_NE(refusal(rest + bad + "\n").find("fault[0].nth"), std::string::npos) << bad;
}

TEST_F(ConfigFaults, WhatIsMissingOrTooMuchIsNamed) {
  const std::string link = "link = \"h0\"\n", frames = "frames = \"pfc\"\n",
                    lose = "action = \"lose\"\n", nth = "nth = 1\n";
  EXPECT_EQ(refusal(link + frames + lose + nth), "taken");
  EXPECT_NE(refusal(frames + lose + nth).find("fault[0].link"), std::string::npos);
  EXPECT_NE(refusal(link + lose + nth).find("fault[0].frames"), std::string::npos);
  EXPECT_NE(refusal(link + frames + nth).find("fault[0].action"), std::string::npos);
  EXPECT_NE(refusal(link + frames + lose).find("fault[0].nth"), std::string::npos);
  EXPECT_NE(refusal(link + frames + lose + nth + "share = \"1/2\"\n").find("fault[0].share"),
            std::string::npos);
  EXPECT_NE(refusal(link + frames + lose + nth + "by = \"1 us\"\n").find("fault[0].by"),
            std::string::npos)
      << "a lost frame is not late";
  EXPECT_NE(refusal(link + frames + lose + nth + "often = true\n").find("often"), std::string::npos)
      << "unknown keys are errors";
  const std::string delay = link + frames + "action = \"delay\"\n" + nth;
  EXPECT_NE(refusal(delay).find("fault[0].by"), std::string::npos) << "how late?";
  EXPECT_NE(refusal(delay + "by = \"0 ps\"\n").find("more than 0"), std::string::npos);
  EXPECT_EQ(refusal(delay + "by = \"1 s\"\n"), "taken");
  EXPECT_NE(refusal(delay + "by = \"1001 ms\"\n").find("at most"), std::string::npos);
}

TEST_F(ConfigFaults, ALinkIsThatOfAHostThatThereIs) {
  const std::string rest = "frames = \"pfc\"\naction = \"lose\"\nnth = 1\n";
  const std::string text = refusal("link = \"h3\"\n" + rest);
  EXPECT_NE(text.find(":20: fault[0].link = \"h3\""), std::string::npos) << text;
  EXPECT_NE(
      refusal("link = \"h0\"\n" + rest + "direction = \"up\"\n").find("both, to_switch, to_host"),
      std::string::npos);
}

}  // namespace
}  // namespace weir
