// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir import sonic, and its output through run, probe and lint.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace weir::import_command_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Outcome {
  int exit_code{-1};
  std::string text;  // stdout, then stderr
};

class ImportCommand : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] Outcome weir(const std::string& arguments) const {
    const char* const program = std::getenv("WEIR_PROGRAM");
    Outcome outcome;
    const std::string command =
        std::string{program == nullptr ? "weir" : program} + " " + arguments;
    FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return outcome;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
      outcome.text.append(buffer.data(), count);
    const int status = pclose(pipe);
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return outcome;
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

  const fs::path folder_ = fs::temp_directory_path() / ("weir-import-" + std::to_string(getpid()));
};

constexpr std::array<std::array<const char*, 2>, 4> samples{{{"traditional_40g", ""},
                                                             {"dynamic_100g", ""},
                                                             {"operations_25g", ""},
                                                             {"incomplete", "--cell 208"}}};

TEST_F(ImportCommand, WhatIsImportedRuns) {
  for (const auto& [sample, options] : samples) {
    const std::string out = at(sample);
    const Outcome import =
        weir("import sonic vectors/sonic/" + std::string{sample} + " " + options + " --out " + out);
    ASSERT_EQ(import.exit_code, 0) << import.text;
    for (const char* file : {"chip.toml", "scenario.toml", "import.json"})
      EXPECT_TRUE(fs::exists(out + "/" + file)) << sample << " " << file;
    const Outcome run = weir("run " + out + "/scenario.toml --quiet --out " + at("run"));
    EXPECT_EQ(run.exit_code, 0) << sample << "\n" << run.text;
    const Outcome probe = weir("probe " + out + "/chip.toml --json --jobs 1");
    ASSERT_EQ(probe.exit_code, 0) << sample << "\n" << probe.text;
    EXPECT_GT(Json::parse(probe.text)["one_pg"]["xoff_packet"].get<std::uint64_t>(), 0U) << sample;
  }
}

TEST_F(ImportCommand, TheProbeOfAnImportIsWhatTheSwitchMeasures) {
  // The same chip as vectors/silicon: Tomahawk at 25G; 13071 shared cells, alpha 1.
  ASSERT_EQ(weir("import sonic vectors/sonic/operations_25g --out " + at("th")).exit_code, 0);
  const Json probe = Json::parse(weir("probe " + at("th/chip.toml") + " --json --jobs 1").text);
  EXPECT_EQ(probe["one_pg"]["xoff_packet"], 6542) << "as th_any_40g_300m: 6 private + 13071 / 2";
  EXPECT_EQ(probe["one_pg"]["first_drop_packet"], 6542 + 320 + 1)
      << "headroom of ceil(66560 / 208)";
}

TEST_F(ImportCommand, JsonListsWhatWasAssumedAndWhatWasLeftOut) {
  const Outcome outcome =
      weir("import sonic vectors/sonic/traditional_40g --json --out " + at("out"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const Json json = Json::parse(outcome.text);
  EXPECT_EQ(json["asic"], "trident2");
  EXPECT_EQ(json["ports"], 8);
  bool watchdog = false;
  for (const Json& note : json["unmapped"]) {
    EXPECT_FALSE(note["why"].get<std::string>().empty());
    watchdog = watchdog || (note["table"] == "PFC_WD" && note["field"] == "POLL_INTERVAL" &&
                            note["line"].is_number_unsigned());
  }
  EXPECT_TRUE(watchdog) << outcome.text;
  std::ifstream file{at("out/import.json")};
  EXPECT_EQ(Json::parse(file), json) << "the file and the screen say the same";
}

TEST_F(ImportCommand, SaiCountersOfARunAreInItsSummary) {
  ASSERT_EQ(weir("import sonic vectors/sonic/traditional_40g --out " + at("in")).exit_code, 0);
  const Outcome run = weir("run " + at("in/scenario.toml") + " --quiet --json --out " + at("run"));
  ASSERT_EQ(run.exit_code, 0) << run.text;
  const Json node = Json::parse(run.text)["switches"][0];
  EXPECT_TRUE(node["pools"][0]["sai"].contains("SAI_BUFFER_POOL_STAT_WATERMARK_BYTES"));
  bool held = false;
  for (const Json& port : node["ports"]) {
    for (const Json& pg : port["priority_groups"])
      held = held || pg["sai"]["SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"] > 0;
  }
  EXPECT_TRUE(held);
}

// Packets of a class that came in at port 1 of the switch.
std::uint64_t received(const Json& summary, unsigned priority) {
  for (const Json& port : summary["switches"][0]["ports"])
    for (const Json& one : port["priorities"])
      if (port["port"] == 1 && one["priority"] == priority)
        return one["rx_packets"].get<std::uint64_t>();
  return 0;
}

// RoCE without a VLAN tag, with the DSCP of SONiC's stock map.
TEST_F(ImportCommand, AReplayedCaptureIsClassedByTheImportedMap) {
  ASSERT_EQ(weir("import sonic vectors/sonic/traditional_40g --out " + at("in")).exit_code, 0);
  const Outcome sent = weir("run " + at("in/scenario.toml") +
                            " --quiet --json --set traffic.incast.tagged=false --set "
                            "traffic.incast.ecn=ect0 --pcap " +
                            at("roce.pcapng") + " --pcap-frames port:h1 --out " + at("run"));
  ASSERT_EQ(sent.exit_code, 0) << sent.text;
  const std::uint64_t of_class_3 = received(Json::parse(sent.text), 3);
  EXPECT_GT(of_class_3, 100U) << "its packets have DSCP 3";
  std::ofstream{at("in/replay.toml")}
      << "[scenario]\nname = \"replay\"\nuntil = \"200 us\"\n[switch.tor]\nfile = \"chip.toml\"\n"
         "[host.h0]\nport = 0\ncable = \"5 m\"\n[host.h1]\nport = 1\ncable = \"5 m\"\n"
         "[[traffic]]\nname = \"again\"\n"
         "kind = \"replay\"\nfile = \"../roce.pcapng\"\nfrom = \"h1\"\nto = \"h0\"\n";
  const auto replay = [&](const std::string& options) {
    const Outcome again =
        weir("run " + at("in/replay.toml") + " --quiet --json --pcap " + at("again.pcapng") +
             " --pcap-frames port:h1 " + options + " --out " + at("again"));
    EXPECT_EQ(again.exit_code, 0) << again.text;
    return Json::parse(again.text);
  };
  const Json mapped = replay("");
  EXPECT_EQ(received(mapped, 3), of_class_3) << "the class of the map";
  EXPECT_EQ(received(mapped, 0), 0U);
  EXPECT_EQ(received(replay("--set switch.tor.classify.dscp.3=5"), 0), of_class_3)
      << "a map without DSCP 3: class 0";
}

TEST_F(ImportCommand, NamesOfTheFilesAreShownInTheirLines) {
  fs::copy("vectors/sonic/traditional_40g", at("names"), fs::copy_options::recursive);
  std::ifstream in{"vectors/sonic/traditional_40g/config_db.json"};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  const std::string table = "\"VLAN\": {";
  ASSERT_NE(text.find(table), std::string::npos);
  text.insert(text.find(table),
              "\"BAD\\nTABLE\": {\"k\\ney\": {\"f\\nield\": \"1\"}}, "
              "\"PFC_WD\\u001b[2J\": {\"a\": {\"b\": \"1\"}}, ");
  std::ofstream{at("names/config_db.json")} << text;
  const Outcome outcome = weir("import sonic " + at("names") + " --out " + at("out"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("BAD TABLE"), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find('\x1b'), std::string::npos);
}

TEST_F(ImportCommand, BadInputEndsWithTwoOneLineAndNothingWritten) {
  struct Case {
    const char *arguments, *message;
  };
  for (const auto& [arguments, message] : {
           Case{"import sonic vectors/sonic/incomplete", "give --asic ("},
           Case{"import sonic vectors/sonic/incomplete --asic trident", "must be one of trident2"},
           Case{"import sonic vectors/sonic/incomplete --cell 0", "--cell"},
           Case{"import sonic vectors/sonic/none", "no such folder"},
           Case{"import sonic vectors/chips", "is not a SONiC configuration"},
           Case{"import sonic", "DIR is required"},
       }) {
    const Outcome outcome = weir(std::string{arguments} + " --out " + at("bad"));
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.text;
    EXPECT_NE(outcome.text.find(message), std::string::npos) << outcome.text;
    EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << "one line: " << outcome.text;
    EXPECT_TRUE(fs::is_empty(folder_)) << arguments << " has left a file";
  }
}

TEST_F(ImportCommand, AFolderThatHoldsOtherThingsIsNotReplaced) {
  fs::create_directories(at("mine"));
  std::ofstream{at("mine/thesis.tex")} << "years";
  const Outcome outcome = weir("import sonic vectors/sonic/operations_25g --out " + at("mine"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(fs::exists(at("mine/thesis.tex")));
  EXPECT_FALSE(fs::exists(at("mine/chip.toml")));
  ASSERT_EQ(weir("import sonic vectors/sonic/operations_25g --out " + at("twice")).exit_code, 0);
  EXPECT_EQ(weir("import sonic vectors/sonic/operations_25g --out " + at("twice")).exit_code, 0)
      << "an earlier import is replaced";
}

}  // namespace
}  // namespace weir::import_command_test
