// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir headroom --verify, and the script that makes tables of it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"

namespace weir::headroom_verify_test {
namespace {

using weir::test::Outcome;
using weir::test::program;
using weir::test::shell;

Outcome verify(const std::string& arguments) {
  return shell(program() + " headroom --verify " + arguments);
}

constexpr const char* chips[] = {"arista_7050qx_32", "dsh_tomahawk", "tomahawk3_32x400g"};

TEST(HeadroomVerify, PresetsNeedWhatWorstCaseSaysWithinOneFrame) {
  for (const char* chip : chips) {
    const Outcome outcome =
        verify("vectors/chips/" + std::string{chip} + ".toml --cable 40m --json");
    EXPECT_EQ(outcome.exit_code, std::string{chip} == "tomahawk3_32x400g" ? 0 : 1)
        << chip << ": the others have less than 40 m need: " << outcome.text;
    const auto json = nlohmann::json::parse(outcome.text, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << outcome.text;
    ASSERT_EQ(json["kinds_of_port"].size(), 1U) << chip;
    const auto& kind = json["kinds_of_port"][0];
    EXPECT_EQ(kind["cable_mm"], 40'000) << chip;
    EXPECT_EQ(kind["drops_at_need"], 0) << chip;
    EXPECT_GT(kind["drops_one_cell_below"], 0) << chip;
    EXPECT_TRUE(kind["worst_case_good"]) << chip;
    const auto& methods = kind["methods"];
    EXPECT_TRUE(methods["worst_case"]["sufficient"]) << chip;
    EXPECT_LE(methods["worst_case"]["margin_cells"], kind["allowed_excess_cells"]) << chip;
    EXPECT_FALSE(methods["paper"]["sufficient"]) << chip << ": it counts bytes";
    EXPECT_LT(methods["paper"]["margin_cells"], 0) << chip;
  }
}

TEST(HeadroomVerify, TextShowsTheNeedAndTheMarginOfEachMethodOn300MetresByDefault) {
  const Outcome outcome = verify("vectors/chips/arista_7050qx_32.toml");
  EXPECT_EQ(outcome.exit_code, 1) << "its own headroom is short: " << outcome.text;
  for (const char* part : {"1.5 us one way", "measured need", "paper", "too small", "worst_case",
                           "worst_case suffices and is tight"})
    EXPECT_NE(outcome.text.find(part), std::string::npos) << part << " in:\n" << outcome.text;
}

// The chip asks for what 100 m need by worst_case: one metre more needs one cell more.
TEST(HeadroomVerify, TheHeadroomOfTheChipFileIsEnoughUpToTheNeedAndShortOneCellBelow) {
  const std::string chip = "docs/guide/first/tor.toml --cable ";
  const Outcome enough = verify(chip + "100m"), less = verify(chip + "101m");
  EXPECT_EQ(enough.exit_code, 0) << enough.text;
  EXPECT_TRUE(enough.says("  chip file                 633           +0  enough\n")) << enough.text;
  EXPECT_EQ(less.exit_code, 1) << less.text;
  EXPECT_TRUE(less.says("  chip file                 633           -1  SHORT by 1 cell\n"))
      << less.text;
  EXPECT_FALSE(less.says("good:")) << less.text;
}

TEST(HeadroomVerify, JsonHasTheHeadroomOfTheChipFileInItsVerdict) {
  const auto json = nlohmann::json::parse(
      verify("vectors/chips/arista_7050qx_32.toml --cable 300m --json").text, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_FALSE(json["good"]) << json;
  const auto& kind = json["kinds_of_port"][0];
  EXPECT_EQ(kind["configured_cells"], 265) << "55120 B in cells of 208 B";
  EXPECT_EQ(kind["configured_margin_cells"], -205) << kind;
  EXPECT_FALSE(kind["good"]) << kind;
  EXPECT_TRUE(kind["worst_case_good"]) << "the formula suffices and is tight: " << kind;
}

TEST(HeadroomVerify, RefusesWhatItDoesNotUnderstandWithExitCode2) {
  EXPECT_EQ(verify("no_such_file.toml").exit_code, 2);
  const Outcome cable = verify("vectors/chips/arista_7050qx_32.toml --cable 300");
  EXPECT_EQ(cable.exit_code, 2);
  EXPECT_NE(cable.text.find("--cable = \"300\""), std::string::npos) << cable.text;
  EXPECT_EQ(verify("vectors/chips/arista_7050qx_32.toml --rate 100G").exit_code, 2)
      << "the chip file says the rate";
  const Outcome far = verify("vectors/chips/arista_7050qx_32.toml --cable \"2000 km\"");
  EXPECT_EQ(far.exit_code, 2) << far.text;
}

TEST(HeadroomVerify, TheTablesOfTheDocumentationAreUpToDate) {
  const Outcome outcome = shell("scripts/check/headroom --check");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("compared 19 ports"), std::string::npos) << outcome.text;
}

}  // namespace
}  // namespace weir::headroom_verify_test
