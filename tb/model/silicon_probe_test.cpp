// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/silicon_probe.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "weir/config/chip/chip_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/model/probe/silicon_prediction.hpp"

namespace weir::silicon_probe_test {
namespace {

// B = 80, H = 12, m = 2, h = 5, alpha = 1, XON offset 4, cells of 200 B; lossy queue: 3 private
// cells, then alpha 1/2 of 50. Small enough to compute every count by hand.
const char* const small_chip = R"(
[chip]
name = "by hand"
ports = 3
rate = "100 Gbps"
cell = "200 B"
[pool.one]
size = "104 cells"
headroom_pool = "12 cells"
reserved = [{ count = 6, size = "2 cells", what = "private cells of the PGs" }]
[egress_pool.lossy]
size = "50 cells"
[profile.lossless]
priorities = [3, 4]
pool = "one"
private = "2 cells"
headroom = "5 cells"
alpha = "1"
xon_offset = "4 cells"
[profile.lossy]
priorities = [0, 1, 2, 5, 6, 7]
pool = "one"
lossless = false
policy = "static"
limit = "104 cells"
[queue.lossy]
priorities = [0, 1, 2, 5, 6, 7]
pool = "lossy"
minimum = "3 cells"
alpha = "1/2"
)";

ProbeResult result_of(const ProbeRun& run, const std::string& chip = small_chip) {
  return probe_result_from(
      run_in_child([&] { return to_text(run_probe(parse_chip(chip, "small chip"), run)); }));
}

ProbePg pg(std::uint16_t port, std::uint8_t group) { return {PortId{port}, Priority{group}}; }

constexpr PortId egress{2};
constexpr Bytes small{64};

TEST(SiliconProbe, OneGroupGoesXoffThenFillsItsHeadroomThenDrops) {
  const ProbeResult result = result_of(probe_each_to_first_drop({pg(0, 3)}, egress, small));
  EXPECT_EQ(result.pgs[0].xoff, 42U) << "2 private, and s = 40 >= 80 - s";
  EXPECT_EQ(result.pgs[0].headroom, 5U);
  EXPECT_EQ(result.pgs[0].first_drop, 48U) << "42 + 5 + 1";
  EXPECT_EQ(result.pgs[0].reason, Reason::headroom_limit);
}

TEST(SiliconProbe, LongPacketsAreCountedAsPackets) {
  const ProbeResult result = result_of(probe_each_to_first_drop({pg(0, 3)}, egress, Bytes{400}));
  EXPECT_EQ(result.pgs[0].xoff, 21U) << "one packet private, 20 with s = 40";
  EXPECT_EQ(result.pgs[0].headroom, 2U) << "the third does not fit into 5 cells";
  EXPECT_EQ(result.pgs[0].first_drop, 24U);
}

TEST(SiliconProbe, LaterGroupsFindWhatEarlierOnesLeft) {
  const ProbeResult result = result_of(
      probe_each_to_xoff_then_headroom({pg(0, 3), pg(0, 4), pg(1, 3), pg(1, 4)}, egress, small));
  EXPECT_EQ(result.pgs[0].xoff, 42U);
  EXPECT_EQ(result.pgs[1].xoff, 22U) << "2 + 20: s >= 40 - s";
  EXPECT_EQ(result.pgs[2].xoff, 12U) << "2 + 10";
  EXPECT_EQ(result.pgs[3].xoff, 7U) << "2 + 5";
  EXPECT_EQ(result.pgs[0].headroom, 5U);
  EXPECT_EQ(result.pgs[1].headroom, 5U);
  EXPECT_EQ(result.pgs[2].headroom, 2U) << "the rest of the 12 in the pool";
  EXPECT_EQ(result.pgs[2].reason, Reason::headroom_pool);
  EXPECT_EQ(result.pgs[3].sent, 7U) << "the pool was empty: the test is over";
  EXPECT_TRUE(result.pool_was_empty);
}

TEST(SiliconProbe, EachGroupCanDropBeforeTheNextBegins) {
  const ProbeResult result =
      result_of(probe_each_to_first_drop({pg(0, 3), pg(0, 4), pg(1, 3), pg(1, 4)}, egress, small));
  EXPECT_EQ(result.pgs[0].first_drop, 48U);
  EXPECT_EQ(result.pgs[1].first_drop, 28U);
  EXPECT_EQ(result.pgs[2].first_drop, 15U) << "12 + 2 + 1";
  EXPECT_EQ(result.pgs[3].first_drop, 8U) << "7 + 0 + 1: nothing is left of the pool";
  EXPECT_EQ(result.pgs[3].headroom, 0U);
}

TEST(SiliconProbe, InTurnTheFirstXoffComesAtTheEqualShare) {
  const ProbeResult result =
      result_of(probe_equal_fill({pg(0, 3), pg(0, 4), pg(1, 3)}, egress, small));
  EXPECT_EQ(result.pgs[2].xoff, 22U) << "S = 60 with s = 20 each: T = 20";
  EXPECT_EQ(result.pgs[0].xoff, 0U) << "S was 58 at its turn: T = 22";
  EXPECT_EQ(result.pgs[1].xoff, 0U) << "S was 59 at its turn: T = 21";
}

TEST(SiliconProbe, XonComesWhenEnoughPacketsWereReleased) {
  const ProbeResult result = result_of(probe_to_xon(pg(0, 3), egress, small));
  EXPECT_EQ(result.pgs[0].xoff, 42U);
  EXPECT_EQ(result.xon_dismiss, 2U) << "40 - k <= 40 + k - 4";
}

TEST(SiliconProbe, TheLossyQueueDropsAtItsOwnLimit) {
  const ProbeResult result = result_of(probe_each_to_first_drop({pg(0, 0)}, egress, small));
  EXPECT_EQ(result.pgs[0].first_drop, 21U) << "3 of its own; 17 >= floor((50 - 17)/2); the next";
  EXPECT_EQ(result.pgs[0].reason, Reason::egress_queue);
  EXPECT_EQ(result.pgs[0].xoff, 0U) << "a lossy group never pauses";
}

TEST(SiliconProbe, AGroupWithoutSharedCellsIsXoffWhenItsPrivateCellsAreFull) {
  const std::string none_shared = std::string{small_chip}.replace(
      std::string{small_chip}.find("104 cells"), 9, "24 cells");  // 12 + 12 are taken
  const ProbeResult result =
      result_of(probe_each_to_first_drop({pg(0, 3)}, egress, small), none_shared);
  EXPECT_EQ(result.pgs[0].xoff, 2U);
  EXPECT_EQ(result.pgs[0].first_drop, 8U) << "2 + 5 + 1";
}

TEST(SiliconProbe, AResultCrossesAsText) {
  ProbeResult result;
  result.pgs = {{7, 6, 5, Reason::headroom_pool, 4}, {3, 2, 1, Reason::admitted, 0}};
  result.pool_was_empty = true;
  result.xon_dismiss = 9;
  const ProbeResult again = probe_result_from(to_text(result));
  ASSERT_EQ(again.pgs.size(), 2U);
  EXPECT_EQ(again.pgs[0].sent, 7U);
  EXPECT_EQ(again.pgs[0].xoff, 6U);
  EXPECT_EQ(again.pgs[0].first_drop, 5U);
  EXPECT_EQ(again.pgs[0].reason, Reason::headroom_pool);
  EXPECT_EQ(again.pgs[0].headroom, 4U);
  EXPECT_TRUE(again.pool_was_empty);
  EXPECT_EQ(again.xon_dismiss, 9U);
  EXPECT_THROW(static_cast<void>(probe_result_from("1 0 0 2 5")), ModelError) << "cut short";
}

TEST(SiliconProbe, ABenchThatDoesNotExistIsRefused) {
  const Chip chip = parse_chip(small_chip, "small chip");
  EXPECT_THROW(static_cast<void>(probe_bench(chip, PortId{3})), ConfigError);
  EXPECT_THROW(static_cast<void>(probe_bench(chip, PortId{0}, Priority{2})), ConfigError)
      << "lossy";
  EXPECT_THROW(check_probe_packet(chip, Bytes{63}), ConfigError);
  EXPECT_NO_THROW(check_probe_packet(chip, Bytes{64}));
  EXPECT_NO_THROW(check_probe_packet(chip, chip.mtu));
  EXPECT_THROW(check_probe_packet(chip, chip.mtu + Bytes{1}), ConfigError);
}

TEST(SiliconProbe, ABenchBeginsAtTheGivenPortAndKeepsTheEgressPortForLast) {
  const Chip chip = parse_chip(small_chip, "small chip");
  const ProbeBench bench = probe_bench(chip, PortId{1}, Priority{4});
  ASSERT_EQ(bench.lossless.size(), 6U);
  EXPECT_EQ(bench.lossless[0].port, PortId{1});
  EXPECT_EQ(bench.lossless[0].pg, Priority{4});
  EXPECT_EQ(bench.lossless[1].pg, Priority{3});
  EXPECT_EQ(bench.egress, PortId{2});
  EXPECT_EQ(bench.lossless[5].port, bench.egress);
  ASSERT_TRUE(bench.lossy);
  EXPECT_EQ(bench.lossy->pg, Priority{0});
}

TEST(SiliconProbe, EveryPublishedCountOfSixChipsIsPredicted) {
  const std::vector<SiliconCase> cases = read_silicon_cases("vectors/silicon/public.json");
  EXPECT_EQ(cases.size(), 19U);
  std::size_t counts = 0;
  for (const SiliconCase& silicon : cases) counts += silicon.expected.size();
  EXPECT_EQ(counts, 103U) << "published counts, a list being one";
  for (const SiliconComparison& figure : predict_silicon(cases, 2))
    EXPECT_TRUE(figure.accepted) << figure.case_id << " " << figure.quantity << ": "
                                 << figure.predicted.value_or(-1) << ", published "
                                 << figure.measured << ": " << figure.verdict;
}

// The program, run as a user runs it.
struct Ended {
  int exit_code{0};
  std::string output;
};

Ended weir(const std::string& arguments) {
  const char* const program = std::getenv("WEIR_PROGRAM");
  EXPECT_NE(program, nullptr) << "WEIR_PROGRAM says where the program is";
  if (program == nullptr) return {-1, ""};
  std::FILE* const pipe =
      popen(("'" + std::string{program} + "' " + arguments + " 2>&1").c_str(), "r");
  Ended ended;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    ended.output.append(buffer.data(), count);
  ended.exit_code = WEXITSTATUS(pclose(pipe));
  return ended;
}

std::string contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream{file}.rdbuf();
  return text.str();
}

// The published file with one change, in a file of its own.
std::string changed(const std::string& from, const std::string& to, const std::string& name) {
  std::string text = contents("vectors/silicon/public.json");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto file = std::filesystem::temp_directory_path() / ("weir_" + name + ".json");
  std::ofstream{file} << text;
  return file.string();
}

TEST(ProbeCommand, TheDocumentedTableIsWhatTheProgramPrints) {
  const Ended ended = weir("probe --cases vectors/silicon/public.json");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_NE(contents("docs/measurements/silicon.md").find(ended.output), std::string::npos)
      << "docs/measurements/silicon.md has another table; the program prints\n"
      << ended.output;
}

TEST(ProbeCommand, ACountOutsideItsBoundEndsWithOne) {
  const std::string file = changed("\"measured\": 4898", "\"measured\": 4896", "outside");
  const Ended ended = weir("probe --cases " + file + " --case td2_any_40g_300m --json");
  EXPECT_EQ(ended.exit_code, 1) << ended.output;
  EXPECT_NE(ended.output.find("\"difference\": 2,\n  \"verdict\": \"outside\""), std::string::npos)
      << ended.output;
  std::filesystem::remove(file);
}

TEST(ProbeCommand, AnUnknownQuantityIsReportedAsUnknown) {
  const std::string file =
      changed("\"quantity\": \"trig_pfc\"", "\"quantity\": \"wm_q\"", "unknown");
  const Ended ended = weir("probe --cases " + file + " --case td2_any_40g_300m --json");
  EXPECT_EQ(ended.exit_code, 1) << "what was not predicted is not accepted";
  EXPECT_NE(ended.output.find("\"predicted\": null"), std::string::npos) << ended.output;
  EXPECT_NE(ended.output.find("\"verdict\": \"unknown\""), std::string::npos) << ended.output;
  std::filesystem::remove(file);
}

TEST(ProbeCommand, AMalformedFileEndsWithTwoAndOneLine) {
  const std::string file =
      changed("\"pool_bytes\": 12766208", "\"pool_bytes\": \"x\"", "malformed");
  const Ended ended = weir("probe --cases " + file);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_NE(ended.output.find("cases[0].pool_bytes"), std::string::npos) << ended.output;
  EXPECT_NE(ended.output.find("case td2_any_40g_300m"), std::string::npos) << ended.output;
  EXPECT_EQ(ended.output.find('\n'), ended.output.size() - 1) << "one line: " << ended.output;
  std::filesystem::remove(file);
}

TEST(ProbeCommand, WrongUseEndsWithTwo) {
  const std::string chip = "vectors/chips/arista_7050qx_32.toml";
  for (const std::string& arguments :
       {std::string{"probe"}, std::string{"probe --cases no_such_file.json"},
        std::string{"probe --case x " + chip},
        std::string{"probe --cases vectors/silicon/public.json --case x"},
        "probe " + chip + " --port 32", "probe " + chip + " --pg 0",
        "probe " + chip + " --packet 63"})
    EXPECT_EQ(weir(arguments).exit_code, 2) << arguments;
}

TEST(ProbeCommand, AChipFileIsProbedAsItsPublishedCase) {
  const Ended ended = weir("probe vectors/chips/arista_7050qx_32.toml");
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_NE(ended.output.find("XOFF at packet 4,898"), std::string::npos) << ended.output;
  EXPECT_NE(ended.output.find("first drop at packet 5,164"), std::string::npos) << ended.output;
}

}  // namespace
}  // namespace weir::silicon_probe_test
