// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir cosim on chips of several shapes, and with wrong RTL.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/core/pipeline_latency.hpp"

namespace weir::test::cosim_command_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* trident2 = "vectors/chips/arista_7050qx_32.toml";
constexpr const char* four_ports = "vectors/cosim/four_ports_shared_headroom.toml";
constexpr const char* eight_ports = "vectors/cosim/eight_ports_four_lanes.toml";

Outcome cosim(const std::string& arguments) { return shell(program() + " cosim " + arguments); }

/// The command for a library of the chip with four lanes.
std::string command_for_eight_ports() {
  const Chip chip = load_chip(eight_ports);
  return "scripts/rtl/make-backend --lanes 4 --ports 8 --admit " +
         std::to_string(chip.admit_latency) + " --pfc " + std::to_string(chip.pfc_latency) +
         " --threshold-lag " + std::to_string(chip.threshold_lag);
}

/// No difference, and at least one event of every kind.
void expect_same(const Outcome& outcome) {
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  const std::regex counts{
      "compared ([0-9]+) in [0-9]+ cycles: ([0-9]+) arrivals, ([0-9]+) releases, ([0-9]+) PFC "
      "frames sent, ([0-9]+) received, ([0-9]+) register writes"};
  std::smatch found;
  ASSERT_TRUE(std::regex_search(outcome.text, found, counts)) << outcome.text;
  for (std::size_t n = 1; n < found.size(); ++n)
    EXPECT_LT(10, std::stoll(found[n].str())) << found[0];
}

void expect_refused(const Outcome& outcome, const std::string& words) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says(words)) << "not said: " << words << "\n" << outcome.text;
  EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << "one line:\n" << outcome.text;
}

class CosimCommand : public InFolder {};

TEST_F(CosimCommand, CoreAndRtlOfAChipFileAreTheSame) {
  const std::string arguments = std::string{trident2} + " --cycles 4000 --seed ";
  const Outcome first = cosim(arguments + "7");
  expect_same(first);
  EXPECT_EQ(cosim(arguments + "7").text, first.text) << "the same seed makes the same requests";
  EXPECT_NE(cosim(arguments + "8").text, first.text);
}

TEST_F(CosimCommand, OptionsOutsideTheirRangeAreRefusedAtOnce) {
  for (const char* const cycles : {"0", "-1", "010", "1000000000001", "99999999999999999999"})
    expect_refused(cosim(std::string{trident2} + " --cycles " + cycles), "--cycles");
  for (const char* const seed : {"-1", "07", "9223372036854775808"})
    expect_refused(cosim(std::string{trident2} + " --seed " + seed), "--seed");
  for (const char* const wave : {"a.txt", "no/such/folder/a.vcd"})
    expect_refused(cosim(std::string{trident2} + " --wave " + wave), wave);
  expect_refused(cosim(std::string{trident2} + " --cycles 1"), "too few");
}

TEST_F(CosimCommand, OneLaneAndResetsInTheMiddleAreTheSame) {
  for (const char* const seed : {"1", "2", "3"})
    expect_same(cosim(std::string{four_ports} + " --cycles 60000 --seed " + seed + " --rtl " +
                      rtl_library("l1")));
}

TEST_F(CosimCommand, AChipOfFiveLanesIsTheSameWithTwo) {
  expect_same(cosim("vectors/chips/arista_7050cx3_32.toml --set chip.lanes=2 --cycles 12000"));
}

TEST_F(CosimCommand, WhatSetNamesWronglyIsAConfigurationError) {
  expect_refused(cosim(std::string{trident2} + " --set chip.lane=2"), "chip.lane");
  expect_refused(cosim(std::string{trident2} + " --set chip.lanes=65"),
                 "must be 1 to 64 with RTL (--backend rtl or lockstep)");
}

TEST_F(CosimCommand, FourLanesAreTheSame) {
  expect_same(cosim(std::string{eight_ports} + " --cycles 20000 --rtl " + rtl_library("l4")));
}

// Marks at dequeue and at enqueue, drops, packets discarded, and more leaving than waits.
TEST_F(CosimCommand, MarksAndEarlyDropsAreTheSame) {
  for (const char* const seed : {"1", "2", "3"}) {
    const Outcome outcome = cosim("vectors/cosim/four_ports_marking.toml --cycles 60000 --seed " +
                                  std::string{seed} + " --rtl " + rtl_library("drops"));
    expect_same(outcome);
    std::smatch found;
    ASSERT_TRUE(std::regex_search(outcome.text, found,
                                  std::regex{"([0-9]+) marked and ([0-9]+) dropped by WRED"}))
        << outcome.text;
    EXPECT_LT(100, std::stoll(found[1].str()));
    EXPECT_LT(100, std::stoll(found[2].str()));
  }
}

// The vector made now against the recorded one; scripts/rtl/mmu-vector explains how to renew it.
TEST_F(CosimCommand, TheVectorOfTheWholeMmuIsTheOneThatIsKept) {
  const Outcome outcome = shell("scripts/rtl/mmu-vector --check --rtl " + rtl_library("l1"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_LT(10'000U, fs::file_size("vectors/mmu/four_ports_shared_headroom.cycles.csv"));
}

TEST_F(CosimCommand, WhatIsNoLibraryIsAConfigurationError) {
  for (const std::string file : {"README.md", "docs", "no/such/file.so"})
    expect_refused(cosim(std::string{trident2} + " --rtl " + file), "make-backend");
  // The one would be waited for, the other end the program by a signal.
  ASSERT_EQ(shell("mkfifo " + at("pipe.so")).exit_code, 0);
  expect_refused(cosim(std::string{trident2} + " --rtl " + at("pipe.so")), "not a regular file");
  ASSERT_EQ(shell("head -c 20000 " + rtl_library("l1") + " >" + at("cut.so")).exit_code, 0);
  expect_refused(cosim(std::string{trident2} + " --rtl " + at("cut.so")), "it is cut off");
}

TEST_F(CosimCommand, ALibraryOfAnotherVersionIsAConfigurationError) {
  std::ofstream{at("old.c")} << "static const unsigned api[64] = {2};\n"
                                "const void* weir_rtl_api_v1(void) { return api; }\n";
  ASSERT_EQ(shell("cc -shared -fPIC -o " + at("old.so") + " " + at("old.c")).exit_code, 0);
  expect_refused(cosim(std::string{trident2} + " --rtl " + at("old.so")), "(interface 2)");
}

TEST_F(CosimCommand, ALibraryOfAnotherShapeIsAConfigurationErrorWithTheCommandForOneThatFits) {
  expect_refused(cosim(std::string{trident2} + " --rtl " + rtl_library("l1")),
                 "scripts/rtl/make-backend --lanes 2 --ports 32");
  expect_refused(cosim(std::string{eight_ports} + " --rtl " + rtl_library("l1")),
                 command_for_eight_ports());
}

TEST_F(CosimCommand, AChipThatNoLibraryNextToTheProgramHoldsGetsTheCommandForOne) {
  expect_refused(cosim(eight_ports), command_for_eight_ports());
  fs::create_directories(at("bin"));
  fs::copy_file(program(), at("bin/weir"));
  expect_refused(shell(at("bin/weir") + " cosim " + trident2),
                 "scripts/rtl/make-backend --lanes 2 --ports 32");
}

TEST_F(CosimCommand, ALibraryNextToTheProgramIsFoundByItself) {
  fs::create_directories(at("bin"));
  fs::create_directories(at("lib/weir"));
  fs::copy_file(program(), at("bin/weir"));
  std::ofstream{at("lib/weir/a_broken.so")} << "no library\n";
  fs::copy_file(rtl_library("l4"), at("lib/weir/libweir_mmu_mine.so"));
  expect_same(shell(at("bin/weir") + " cosim " + eight_ports + " --cycles 3000"));
}

// The program lies in a folder of its own, without any library.
TEST_F(CosimCommand, EachChipOfVectorsGetsTheCommandForALibraryWithItsLanes) {
  fs::create_directories(at("bin"));
  fs::copy_file(program(), at("bin/weir"));
  for (const auto& [chip, options] : std::vector<std::pair<std::string, std::string>>{
           {"tomahawk2_64x100g", "--lanes 3 --ports 64 --domains 4"},
           {"arista_7050cx3_32", "--lanes 5 --ports 32"},
           {"tomahawk3_32x400g", "--lanes 10 --ports 32 --domains 2"},
           {"tomahawk5_128x400g", "--lanes 39 --ports 128 --domains 2"}})
    expect_refused(shell(at("bin/weir") + " cosim vectors/chips/" + chip + ".toml"),
                   "scripts/rtl/make-backend " + options);
}

TEST_F(CosimCommand, AVectorWithoutAFolderIsInTheCurrentOne) {
  const Outcome outcome = shell("cd " + at("") + " && " + fs::absolute(program()).string() +
                                " cosim arista_7050qx_32 --cycles 5 --vector v");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  for (const char* const part : {"setup", "cycles", "held"})
    EXPECT_TRUE(fs::exists(at(std::string{"v."} + part + ".csv"))) << part;
}

TEST_F(CosimCommand, AVectorThatCannotBeWrittenIsAnError) {
  const Outcome outcome = cosim(std::string{four_ports} + " --cycles 10 --rtl " +
                                rtl_library("l1") + " --vector /no/such/folder/x");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("/no/such/folder/x")) << outcome.text;
}

TEST(MakeRtlBackend, ParametersOutOfRangeAreRefusedWithWhatIsLegal) {
  const auto refused = [](const std::string& arguments, const std::string& words) {
    const Outcome outcome = shell("scripts/rtl/make-backend " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_EQ(outcome.text, "make-backend: " + words + "\n");
  };
  refused("--copies 9", "--copies 9: must be 1 to 8");
  refused("--copies 0", "--copies 0: must be 1 to 8");
  refused("--lanes 65", "--lanes 65: must be 1 to 64");
  refused("--ports 4097", "--ports 4097: must be 1 to 4096");
  refused("--ports many", "--ports many: must be 1 to 4096");
  const std::string admit = "--admit " + std::to_string(pipeline::admit.rtl_least - 1);
  refused(admit, admit + ": must be " + std::to_string(pipeline::admit.rtl_least) + " to " +
                     std::to_string(pipeline::admit.rtl_greatest));
  refused("--len-width 18", "--len-width 18: must be 1 to CellW = 17");
  refused("--pools 65 --ports 8", "--pools 65: must be 1 to 64, eight for each port");
  refused("--axis-width 100", "--axis-width 100: must be a power of two from 64 to 512");
  EXPECT_EQ(shell("scripts/rtl/make-backend --speed 3").exit_code, 2);
  EXPECT_EQ(shell("scripts/rtl/make-backend --rtl docs").exit_code, 2);
}

}  // namespace
}  // namespace weir::test::cosim_command_test
