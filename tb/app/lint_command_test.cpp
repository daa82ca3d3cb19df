// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir lint, and the samples of its rules through weir run.
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
#include <string_view>
#include <utility>
#include <vector>

#include "weir/config/lint/lint.hpp"

namespace weir::lint_command_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Outcome {
  int exit_code{-1};
  std::string text;  // stdout, then stderr
};

Outcome weir_program(const std::string& arguments) {
  const char* const program = std::getenv("WEIR_PROGRAM");
  Outcome outcome;
  const std::string command = std::string{program == nullptr ? "weir" : program} + " " + arguments;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

std::string sample(std::string_view code, const char* kind) {
  return "vectors/lint/" + std::string{code} + "_" + kind;
}

std::string contents(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// The import of a SONiC folder, with the traffic of the rule in place of its own.
Outcome run_folder(const std::string& folder, std::string_view code, const fs::path& out) {
  const Outcome import = weir_program("import sonic " + folder + " --out " + out.string());
  if (import.exit_code != 0) return import;
  const std::string imported = contents(out / "scenario.toml");
  const std::string own = contents("vectors/lint/" + std::string{code} + "_run.toml");
  std::ofstream{out / "run.toml"} << imported.substr(0, imported.find("[[traffic]]")) << own;
  return weir_program("run " + (out / "run.toml").string() +
                      " --set \"scenario.until=300 ms\" --quiet --out " + (out / "run").string());
}

Outcome run(std::string_view code, const char* kind) {
  const fs::path out = fs::temp_directory_path() / ("weir-lint-" + std::to_string(getpid()));
  const std::string name = sample(code, kind);
  const Outcome outcome = fs::is_directory(name)
                              ? run_folder(name, code, out)
                              : weir_program("run " + name + ".toml --quiet --out " + out.string());
  fs::remove_all(out);
  return outcome;
}

// One test per rule, so that they run in parallel.
class LintSample : public testing::TestWithParam<const weir::LintRule*> {};

TEST_P(LintSample, TheBadOneFailsWhenItIsRunAndTheGoodOneDoesNot) {
  const weir::LintRule& rule = *GetParam();
  const Outcome bad = run(rule.code, "bad");
  EXPECT_EQ(bad.exit_code, 1) << rule.code << ": the run does not show it\n" << bad.text;
  const Outcome good = run(rule.code, "good");
  EXPECT_EQ(good.exit_code, 0) << rule.code << "\n" << good.text;
}

std::vector<const weir::LintRule*> rules_shown_by_a_run() {
  std::vector<const weir::LintRule*> rules;
  for (const weir::LintRule& rule : weir::lint_rules()) {
    if (rule.shown_by_run) rules.push_back(&rule);
  }
  return rules;
}

INSTANTIATE_TEST_SUITE_P(Rules, LintSample, testing::ValuesIn(rules_shown_by_a_run()),
                         [](const auto& chosen) { return std::string{chosen.param->code}; });

TEST(LintCommand, ErrorsEndWithOneAndWarningsWithZero) {
  EXPECT_EQ(weir_program("lint vectors/lint/E101_bad.toml").exit_code, 1);
  EXPECT_EQ(weir_program("lint vectors/lint/E108_bad").exit_code, 1);
  const Outcome warned = weir_program("lint vectors/lint/W204_bad.toml");
  EXPECT_EQ(warned.exit_code, 0) << warned.text;
  EXPECT_NE(warned.text.find("W204 warning: "), std::string::npos) << warned.text;
  EXPECT_NE(warned.text.find("vectors/lint/W204_bad.toml:"), std::string::npos) << warned.text;
  EXPECT_EQ(weir_program("lint vectors/lint/base.toml --cable 100m").exit_code, 0);
  EXPECT_EQ(weir_program("lint vectors/lint/base.toml --cable 1000km").exit_code, 1);
}

TEST(LintCommand, JsonSaysTheSame) {
  const Outcome outcome = weir_program("lint vectors/lint/E102_bad.toml --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const Json json = Json::parse(outcome.text, nullptr, false);
  ASSERT_TRUE(json.is_object()) << outcome.text;
  EXPECT_EQ(json["errors"], 1);
  const Json& finding = json["findings"][0];
  EXPECT_EQ(finding["code"], "E102");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["places"][0]["key"], "switch.tor.profile.lossless.headroom");
  EXPECT_TRUE(finding["places"][0]["line"].is_number_unsigned());
  for (const char* key : {"what", "why", "instead", "title"})
    EXPECT_FALSE(finding[key].get<std::string>().empty()) << key;
}

TEST(LintCommand, ASonicFolderIsJudgedByItsOwnLines) {
  const Outcome outcome = weir_program("lint vectors/lint/E111_bad");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.text.find("config_db.json:20: PFC_WD|Ethernet0.detection_time = \"2\""),
            std::string::npos)
      << outcome.text;
}

// The sample with one text changed: what lint advises of it.
std::string advice_of_changed(const std::vector<std::pair<std::string, std::string>>& changes) {
  const fs::path folder =
      fs::temp_directory_path() / ("weir-lint-wred-" + std::to_string(getpid()));
  fs::copy("vectors/sonic/traditional_40g", folder, fs::copy_options::recursive);
  std::string text = contents(folder / "config_db.json");
  for (const auto& [from, into] : changes)
    if (const std::size_t at = text.find(from); at != std::string::npos)
      text.replace(at, from.size(), into);
  std::ofstream{folder / "config_db.json"} << text;
  const Outcome outcome = weir_program("lint " + folder.string());
  fs::remove_all(folder);
  return outcome.text;
}

TEST(LintCommand, ACableIsNamedWhereItIsWrittenWithItsOwnText) {
  const std::string lint = "lint vectors/scenarios/storm_clos4_dt_no_watchdog.toml ";
  const Outcome spine = weir_program(lint + "--set 'topology.spine_cable=20 km'");
  EXPECT_NE(spine.text.find("at       --set: topology.spine_cable = \"20 km\""), std::string::npos)
      << spine.text;
  const Outcome host =
      weir_program(lint + "--set 'hosts.cable=2 km' --set 'hosts.delay_per_metre=4.2 ns'");
  EXPECT_NE(host.text.find("at       --set: hosts.cable = \"2 km\""), std::string::npos)
      << host.text;
}

TEST(LintCommand, ACableOfALinkIsNamedInItsLink) {
  const fs::path file =
      fs::temp_directory_path() / ("weir-lint-link-" + std::to_string(getpid()) + ".toml");
  std::string text = contents("vectors/scenarios/flooding_fig4_dt_trident2.toml");
  const std::size_t cable = text.find("cable = ", text.find("[[link]]"));
  text.replace(cable, text.find('\n', cable) - cable, "cable = \"20 km\"");
  const std::string chip = "file = \"";
  for (std::size_t at = text.find(chip); at != std::string::npos; at = text.find(chip, at + 1))
    text.insert(at + chip.size(), fs::absolute("vectors/scenarios").string() + "/");
  std::ofstream{file} << text;
  const Outcome outcome = weir_program("lint " + file.string());
  fs::remove(file);
  EXPECT_NE(outcome.text.find(": link[0].cable = \"20 km\""), std::string::npos) << outcome.text;
}

TEST(LintCommand, AClassWithoutDscpIsFoundHoweverPfcEnableIsWritten) {
  const std::string map = "\"3\": \"3\",\n      \"4\": \"4\",\n      \"46\"";
  ASSERT_NE(contents("vectors/sonic/traditional_40g/config_db.json").find(map), std::string::npos);
  const std::string without = "\"4\": \"4\",\n      \"46\"";
  const std::string list = advice_of_changed({{map, without}});
  EXPECT_NE(list.find("no DSCP maps to class 3"), std::string::npos) << list;
  const std::string range =
      advice_of_changed({{map, without}, {"\"pfc_enable\": \"3,4\"", "\"pfc_enable\": \"3-4\""}});
  EXPECT_NE(range.find("no DSCP maps to class 3"), std::string::npos) << range;
}

TEST(LintCommand, AdviceForASonicFolderNamesFieldsOfSonic) {
  const std::string min = "\"green_min_threshold\": \"1048576\"";
  const std::string bound = advice_of_changed({});
  EXPECT_NE(bound.find("instead  \"green_min_threshold\": \"202176\" or less"), std::string::npos)
      << "W213: " << bound;
  const std::string marks = advice_of_changed({{min, "\"green_min_threshold\": \"2097152\""}});
  EXPECT_NE(marks.find("W211"), std::string::npos) << marks;
  EXPECT_EQ(marks.find("\"min\""), std::string::npos) << "W211: " << marks;
  const std::string drops = advice_of_changed({{min, "\"wred_green_enable\": \"true\", " + min}});
  EXPECT_NE(drops.find("instead  \"wred_green_enable\": \"false\" for queues of lossless"),
            std::string::npos)
      << "W212: " << drops;
}

TEST(LintCommand, WhatCannotBeReadEndsWithTwo) {
  for (const char* arguments :
       {"lint vectors/lint/none.toml", "lint README.md", "lint", "lint vectors/chips",
        "lint vectors/lint/E101_bad.toml --cable 5m", "lint vectors/lint/base.toml --cable long",
        "lint vectors/lint/base.toml --cable 1000001m", "lint vectors/sonic/incomplete"}) {
    const Outcome outcome = weir_program(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.text;
    EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << "one line: " << outcome.text;
  }
  EXPECT_NE(weir_program("lint vectors/sonic/incomplete --cell 208").exit_code, 2);
}

TEST(LintCommand, TheListOfRulesIsTheTable) {
  const Json json = Json::parse(weir_program("lint --rules --json").text, nullptr, false);
  ASSERT_EQ(json.size(), weir::lint_rules().size());
  for (std::size_t i = 0; i < json.size(); ++i)
    EXPECT_EQ(json[i]["code"], std::string{weir::lint_rules()[i].code});
}

}  // namespace
}  // namespace weir::lint_command_test
