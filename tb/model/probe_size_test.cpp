// SPDX-License-Identifier: Apache-2.0
// How many packets a silicon test sends at most, counted before the first is sent.
#include "weir/model/probe/probe_size.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/model/probe/silicon_prediction.hpp"

namespace weir::probe_size_test {
namespace {

// A lossless pool of `shared` cells and a lossy queue of 50, cells of 200 B.
std::string chip_text(const std::string& shared, const std::string& policy) {
  return R"(
[chip]
name = "counted"
ports = 3
rate = "100 Gbps"
cell = "200 B"
[pool.one]
net = true
size = ")" +
         shared + R"("
[egress_pool.lossy]
size = "50 cells"
[profile.lossless]
priorities = [3, 4]
pool = "one"
private = "2 cells"
headroom = "5 cells"
)" + policy +
         R"(
[profile.lossy]
priorities = [0, 1, 2, 5, 6, 7]
pool = "one"
lossless = false
policy = "complete_sharing"
[queue.lossy]
priorities = [0, 1, 2, 5, 6, 7]
pool = "lossy"
minimum = "3 cells"
alpha = "1/2"
)";
}

// A value for every key that the policy reads.
std::string setting_of(const PolicyRow& row) {
  std::string text = "policy = \"" + std::string{row.name} + "\"";
  for (const PolicyKey* const key : row.keys) {
    if (!key->required) continue;
    text += "\n" + std::string{key->name} + " = ";
    text +=
        std::holds_alternative<Cells ThresholdSetting::*>(key->member) ? "\"30 cells\"" : "\"1\"";
  }
  return text;
}

std::uint64_t sent(const ProbeResult& result) {
  std::uint64_t sum = 0;
  for (const ProbePgResult& pg : result.pgs) sum += pg.sent;
  return sum;
}

TEST(ProbeSize, IsNeverBelowWhatIsSentUnderAnyPolicy) {
  for (const PolicyRow& row : policy_table()) {
    SCOPED_TRACE(row.name);
    const Chip chip = parse_chip(chip_text("80 cells", setting_of(row)), "chip");
    const ProbeBench bench = probe_bench(chip, PortId{0});
    ASSERT_TRUE(bench.lossy);
    for (const Bytes packet : {Bytes{64}, Bytes{450}})
      for (const ProbeRun& run :
           {probe_each_to_first_drop(bench.lossless, bench.egress, packet),
            probe_each_to_first_drop({bench.lossless.front()}, bench.egress, packet),
            probe_each_to_xoff_then_headroom(bench.lossless, bench.egress, packet),
            probe_equal_fill(bench.lossless, bench.egress, packet),
            probe_to_xon(bench.lossless.front(), bench.egress, packet),
            probe_each_to_first_drop({*bench.lossy}, bench.egress, packet)}) {
        const ProbeResult result =
            probe_result_from(run_in_child([&] { return to_text(run_probe(chip, run)); }));
        EXPECT_LE(sent(result), max_probe_packets(chip, run));
      }
  }
}

TEST(ProbeSize, IsExactWhereAGroupMayHaveAllAndWhereItsLimitIsFixed) {
  const auto most = [](const std::string& policy, Bytes packet) {
    const Chip chip = parse_chip(chip_text("80 cells", policy), "chip");
    const ProbeRun run = probe_each_to_first_drop({{PortId{0}, Priority{3}}}, PortId{2}, packet);
    const ProbeResult result =
        probe_result_from(run_in_child([&] { return to_text(run_probe(chip, run)); }));
    EXPECT_LE(sent(result), max_probe_packets(chip, run)) << policy;
    return max_probe_packets(chip, run) - sent(result);
  };
  EXPECT_EQ(most("policy = \"complete_sharing\"", Bytes{64}), 0U) << "2 + 80 + 5, and the refused";
  EXPECT_LE(most("policy = \"static\"\nlimit = \"30 cells\"", Bytes{64}), 1U);
}

TEST(ProbeSize, TheLimitHasTwoSides) {
  const auto check = [](std::uint64_t shared) {
    const Chip chip = parse_chip(
        chip_text(std::to_string(shared) + " cells", "policy = \"complete_sharing\""), "chip");
    check_probe_size(chip,
                     probe_each_to_first_drop({{PortId{0}, Priority{3}}}, PortId{2}, Bytes{64}));
  };
  constexpr std::uint64_t private_headroom_and_refused = 2 + 5 + 1;
  const std::uint64_t last = probe_packet_limit - private_headroom_and_refused;
  EXPECT_NO_THROW(check(last));
  EXPECT_THROW(check(last + 1), ConfigError);
}

// Eight pools of 30 GB: 134,217,728 packets of 64 B, some 20 GB.
class ProbeOfAHugeChip : public test::InFolder {
 protected:
  [[nodiscard]] std::string chip() const {
    std::string text = "[chip]\nname = \"huge\"\nports = 4\nrate = \"400 Gbps\"\ncell = \"2 kB\"\n";
    for (const char* const number : {"0", "1", "2", "3", "4", "5", "6", "7"})
      text += std::string{"[pool.p"} + number + "]\nsize = \"30 GB\"\nnet = true\n[profile.q" +
              number + "]\npriorities = [" + number + "]\npool = \"p" + number +
              "\"\nheadroom = \"200 kB\"\nalpha = \"8\"\n";
    std::ofstream{at("huge.toml")} << text;
    return "'" + at("huge.toml") + "'";
  }
  static test::Outcome probe(const std::string& arguments) {
    return test::limited_program("probe " + arguments);
  }
};

TEST_F(ProbeOfAHugeChip, IsRefusedWithTheLimitBeforeItIsFilled) {
  const test::Outcome outcome = probe(chip());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("packet = 64 B: ")) << outcome.text;
  EXPECT_TRUE(outcome.says("it sends at most 5000000: ")) << outcome.text;
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
}

TEST_F(ProbeOfAHugeChip, ACaseOfThatSizeIsRefusedByItsName) {
  std::string text = test::text_of("vectors/silicon/public.json");
  const std::string pool = "\"pool_bytes\": 12766208";
  ASSERT_NE(text.find(pool), std::string::npos);
  text.replace(text.find(pool), pool.size(), "\"pool_bytes\": 3300000000");
  const std::string alpha = "\"dynamic_th\": -3";  // 1/8
  ASSERT_NE(text.find(alpha), std::string::npos);
  text.replace(text.find(alpha), alpha.size(), "\"dynamic_th\": 3");
  std::ofstream{at("cases.json")} << text;
  const test::Outcome outcome = probe("--cases '" + at("cases.json") + "' --case td2_any_40g_300m");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("(case td2_any_40g_300m)")) << outcome.text;
  EXPECT_TRUE(outcome.says("it sends at most 5000000: ")) << outcome.text;
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
}

TEST_F(ProbeOfAHugeChip, LongerPacketsFillItWithinTheLimit) {
  static_cast<void>(chip());
  const Chip huge = load_chip(at("huge.toml"));
  const ProbeBench bench = probe_bench(huge, PortId{0});
  EXPECT_THROW(
      check_probe_size(huge, probe_each_to_first_drop(bench.lossless, bench.egress, Bytes{64})),
      ConfigError);
  EXPECT_LT(max_probe_packets(
                huge, probe_each_to_first_drop({bench.lossless.front()}, bench.egress, huge.mtu)),
            probe_packet_limit);
}

}  // namespace
}  // namespace weir::probe_size_test
