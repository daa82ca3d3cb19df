// SPDX-License-Identifier: Apache-2.0
// weir run --block: the RTL of one block decides in the place of that block; a wrong one is found
// in the cycle in which it begins to differ, by the name of the pin.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/policy_overrides.hpp"
#include "support/program.hpp"
#include "support/vcd_reader.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"

namespace weir::test::backend_block_test {
namespace {

/// An output of a block; `always`: its value counts in every cycle of its clock.
struct OutputPin {
  const char* block;
  const char* name;
  bool always;
};

constexpr OutputPin outputs[]{
    {"pfc_generator", "request_o", true},
    {"pfc_generator", "start_ready_o", true},
    {"pfc_generator", "start_sends_o", true},
    {"pfc_generator", "m_axis_pfc_tvalid_o", true},
    {"pfc_generator", "m_axis_pfc_tdata_o", false},
    {"pfc_generator", "m_axis_pfc_tkeep_o", false},
    {"pfc_generator", "m_axis_pfc_tlast_o", false},
    {"pfc_receiver", "pause_o", true},
    {"pfc_receiver", "stat_frame_o", true},
    {"pfc_receiver", "stat_pfc_o", true},
    {"pfc_receiver", "stat_verdict_o", false},
    {"admission", "reason_o", false},
    {"admission", "to_o", false},
    {"admission", "admitted_o", false},
    {"admission", "queue_accepts_o", false},
    {"admission", "queue_refused_o", false},
    {"dynamic_threshold", "threshold_o", false},
    {"dynamic_threshold", "below_o", false},
    {"egress_accounting", "init_done_o", false},
    {"egress_accounting", "arr_shared_o", false},
    {"egress_accounting", "arr_room_o", false},
    {"egress_accounting", "arr_rest_o", false},
    {"egress_accounting", "free_o", false},
    {"egress_accounting", "rel_error_o", false},
    {"egress_accounting", "held_minimum_o", false},
    {"egress_accounting", "held_shared_o", false},
    {"egress_accounting", "end_free_o", false},
    {"egress_accounting", "rd_row_o", false},
    {"ingress_accounting", "init_done_o", false},
    {"ingress_accounting", "arr_shared_o", false},
    {"ingress_accounting", "arr_headroom_o", false},
    {"ingress_accounting", "arr_room_o", false},
    {"ingress_accounting", "arr_private_o", false},
    {"ingress_accounting", "arr_rest_o", false},
    {"ingress_accounting", "arr_empty_o", false},
    {"ingress_accounting", "rel_free_o", false},
    {"ingress_accounting", "free_o", false},
    {"ingress_accounting", "seen_o", false},
    {"ingress_accounting", "headroom_sum_o", false},
    {"ingress_accounting", "rel_error_o", false},
    {"ingress_accounting", "held_private_o", false},
    {"ingress_accounting", "held_shared_o", false},
    {"ingress_accounting", "held_headroom_o", false},
    {"ingress_accounting", "sum_private_o", false},
    {"ingress_accounting", "sum_shared_o", false},
    {"ingress_accounting", "sum_headroom_o", false},
    {"ingress_accounting", "end_free_o", false},
    {"ingress_accounting", "end_headroom_o", false},
    {"ingress_accounting", "end_private_o", false},
    {"ingress_accounting", "rd_row_o", false},
    {"pfc_state", "level_o", true},
    {"pfc_state", "changed_o", true},
    {"pfc_state", "xoff_o", true},
    {"pfc_state", "before_o", true},
    {"stats_counters", "rd_valid_o", true},
    {"stats_counters", "rd_data_o", false},
};

constexpr std::uint64_t wrong_from = 2'000, wrong_in_traffic = 50'000;

/// Whether the cycles at the pins of a block are those of the chip; others have some a call.
bool has_clock_of_chip(const std::string& block) {
  return block == "pfc_generator" || block == "pfc_receiver";
}

/// A scenario in which a block has much to do, and what its run then has.
struct Bed {
  const char* scenario;
  const char* metric;
  const char* options{""};
  const char* until{"400 us"};
};
// A slow host pauses the switch; queues drop; for the other blocks, the switch pauses its hosts.
Bed bed_of(const std::string& block) {
  if (block == "pfc_receiver") return {"slow_receiver_star4_dt_small_pages", "pauses_received"};
  if (block == "egress_accounting")
    return {"lossy_mix_star8_dt_trident2", "lossy_drops",
            "--set switch.tor.queue.lossy.alpha=1/16 ", "60 us"};
  // Three edges a call, or a read of every counter, take the longest.
  const bool slow = block == "ingress_accounting" || block == "stats_counters";
  return {"incast_star4_dt_late_xoff", "pauses_sent", "", slow ? "100 us" : "400 us"};
}

class BackendBlock : public InFolder {
 protected:
  [[nodiscard]] static std::string run(const std::string& block, const std::string& options) {
    const Bed bed = bed_of(block);
    return program() + " run vectors/scenarios/" + bed.scenario + ".toml --until '" + bed.until +
           "' --quiet --no-report " + bed.options + options;
  }
  [[nodiscard]] Outcome with_wrong(const OutputPin& pin, std::uint64_t cycle,
                                   const std::string& options) const {
    return shell("WEIR_RIGHT_LIBRARY=" + rtl_library(pin.block) + " WEIR_WRONG_PIN=" + pin.name +
                 " WEIR_WRONG_CYCLE=" + std::to_string(cycle) + " " +
                 run(pin.block, "--block " + rtl_library("wrong_block") + " --out " + at("wrong") +
                                    " " + options));
  }
  /// The cycle that a message names.
  [[nodiscard]] static std::uint64_t cycle_of(const std::string& text) {
    const std::string words = " in cycle ";
    const std::size_t place = text.find(words);
    return place == std::string::npos ? 0 : std::stoull(text.substr(place + words.size()));
  }
  [[nodiscard]] static std::uint64_t compared(const std::string& text, const std::string& block) {
    const std::size_t place = text.find("\n" + block + ": ");
    return place == std::string::npos ? 0 : std::stoull(text.substr(place + block.size() + 3));
  }
};

TEST_F(BackendBlock, TheTableNamesEveryBlockThatCanBeReplaced) {
  for (const std::string& name : rtl_block_names())
    EXPECT_TRUE(std::any_of(std::begin(outputs), std::end(outputs), [&](const OutputPin& pin) {
      return name == pin.block;
    })) << name;
}

TEST_F(BackendBlock, TheRtlOfEachBlockGivesTheSameBytesAsTheBuiltInBlock) {
  for (const std::string& block : rtl_block_names()) {
    const Outcome model = shell(run(block, "--out " + at("model")));
    ASSERT_LE(model.exit_code, 1) << "an [expect] of the whole run may fail\n" << model.text;
    const Outcome rtl = shell(run(block, "--block " + rtl_library(block) + " --out " + at(block)));
    ASSERT_EQ(rtl.exit_code, model.exit_code) << rtl.text;
    EXPECT_GT(compared(rtl.text, block), 5'000U) << rtl.text;
    EXPECT_EQ(text_of(at(block + "/summary.json")), text_of(at("model/summary.json"))) << block;
    const auto totals = nlohmann::json::parse(text_of(at(block + "/summary.json")))["totals"];
    EXPECT_GT(totals[bed_of(block).metric], 0) << block;
  }
}

// No group goes XOFF: no port of the block is ever used.
TEST_F(BackendBlock, ABlockThatTheRunNeverReachedIsNamed) {
  const Outcome outcome = shell(program() +
                                " run vectors/scenarios/permutation_star32_dt_trident2.toml "
                                "--quiet --until '1 us' --set 'scenario.warm_up=0 ns' --block " +
                                rtl_library("pfc_generator") + " --out " + at("none"));
  EXPECT_TRUE(outcome.says("pfc_generator: nothing was compared: the run never reached it"))
      << outcome.text;
}

TEST_F(BackendBlock, BlocksAgreeAtAClockOfAFractionOfAPicosecond) {
  const std::string clock = " --set switch.tor.chip.clock='1.35 GHz' --out ";
  for (const std::string& block : rtl_block_names()) {
    const Outcome rtl = shell(run(block, "--block " + rtl_library(block) + clock + at(block)));
    EXPECT_LE(rtl.exit_code, 1) << rtl.text;
    EXPECT_GT(compared(rtl.text, block), 5'000U) << rtl.text;
  }
}

// Four switches, PAUSE among them, and broadcast to lossy queues.
constexpr const char* broadcast =
    "broadcast_fig4_dt_trident2_lossy_group.toml --until '60 us' "
    "--set switches.profile.lossless.alpha=1/256";

TEST_F(BackendBlock, AllBlocksMayBeRtlAtOnce) {
  std::string blocks;
  for (const std::string& name : rtl_block_names()) blocks += " --block " + rtl_library(name);
  const Outcome outcome = shell(program() + " run vectors/scenarios/" + broadcast +
                                " --quiet --no-report --out " + at("all") + blocks);
  EXPECT_LE(outcome.exit_code, 1) << outcome.text;
  for (const std::string& name : rtl_block_names())
    EXPECT_GT(compared(outcome.text, name), 5'000U) << outcome.text;
  const auto totals = nlohmann::json::parse(text_of(at("all/summary.json")))["totals"];
  for (const char* const metric : {"pauses_sent", "pauses_received", "flooded_packets"})
    EXPECT_GT(totals[metric], 0) << metric;
}

TEST_F(BackendBlock, TheAccountingAgreesInSeveralDomainsWithALagAndWithAnInsuredPolicy) {
  std::string blocks;
  for (const char* const name :
       {"admission", "ingress_accounting", "egress_accounting", "stats_counters"})
    blocks += " --block " + rtl_library(name);
  const auto same = [&](const std::string& scenario) {
    const std::string command =
        program() + " run vectors/scenarios/" + scenario + " --quiet --no-report";
    const Outcome model = shell(command + " --out " + at("model"));
    ASSERT_LE(model.exit_code, 1) << model.text;
    const Outcome rtl = shell(command + blocks + " --out " + at("rtl"));
    EXPECT_EQ(rtl.exit_code, model.exit_code) << rtl.text;
    EXPECT_EQ(text_of(at("rtl/summary.json")), text_of(at("model/summary.json"))) << scenario;
    EXPECT_GT(compared(rtl.text, "ingress_accounting"), 5'000U) << rtl.text;
    EXPECT_GT(compared(rtl.text, "stats_counters"), 5'000U) << rtl.text;
  };
  same("incast_star16_dt_tomahawk1.toml --until '40 us'");
  const std::string late = "incast_star4_dt_late_xoff.toml --until '100 us' --set switch.tor.";
  same(late + "chip.threshold_lag='7 cycles'");
  same(late + "profile.lossless.policy=dsh");
  same("incast64_star8_dt_standard_headroom.toml --until '40 us'");  // a shared headroom pool
  same(broadcast);
  same(
      "incast_star9_lossy_dcqcn.toml --until '20 us' --set switch.tor.wred.ecn.mark=false "
      "--set switch.tor.wred.ecn.drop=true");  // early drops
}

TEST_F(BackendBlock, EveryWrongOutputIsFoundInItsFirstCycleAndByItsName) {
  std::map<std::string, std::set<std::uint64_t>> found;  // cycles of the chip
  for (const OutputPin& pin : outputs) {
    // A block without a clock counts calls; `admission` has one a packet, and fewer than 2,000.
    const bool once_a_packet = pin.block == std::string{"admission"};
    const Outcome outcome = with_wrong(pin, once_a_packet ? wrong_from / 4 : wrong_from, "");
    EXPECT_EQ(outcome.exit_code, 3) << pin.name << "\n" << outcome.text;
    EXPECT_TRUE(outcome.says("first difference of ") &&
                outcome.says(std::string{": "} + pin.name + ": expected "))
        << pin.name << " is wrong\n"
        << outcome.text;
    EXPECT_TRUE(outcome.says(" at tor in cycle ") &&
                (outcome.says(", port ") || outcome.says(" pool ")))
        << outcome.text;
    const std::uint64_t cycle = cycle_of(outcome.text);
    if (pin.always) found[pin.block].insert(cycle);
    if (has_clock_of_chip(pin.block) && pin.always) {
      EXPECT_EQ(cycle, wrong_from) << outcome.text;
    } else if (has_clock_of_chip(pin.block)) {
      EXPECT_GE(cycle, wrong_from) << outcome.text;
    }
  }
  EXPECT_EQ(found["pfc_state"].size(), 1U) << "all in the step after which they are wrong";
}

// The RTL has no T: whatever decides it, and whatever else pauses a port, the levels are the same.
TEST_F(BackendBlock, TheLevelsAgreeUnderEveryTriggerAndRuleAndUnderAnyPolicy) {
  const auto same = [&](const std::string& options) {
    const Outcome model = shell(run("pfc_state", "--out " + at("model") + options));
    ASSERT_LE(model.exit_code, 1) << model.text;
    const Outcome rtl = shell(
        run("pfc_state", "--block " + rtl_library("pfc_state") + " --out " + at("rtl") + options));
    EXPECT_EQ(rtl.exit_code, model.exit_code) << rtl.text;
    EXPECT_EQ(text_of(at("rtl/summary.json")), text_of(at("model/summary.json"))) << options;
    const auto totals = nlohmann::json::parse(text_of(at("rtl/summary.json")))["totals"];
    EXPECT_GT(totals["pauses_sent"], 0) << options;
  };
  const std::string set = " --set switch.tor.profile.lossless.";
  const std::string trigger = set + "xoff_trigger=on_headroom", rule = set + "xon_rule=paper";
  same(trigger);
  same(rule);
  same(trigger + rule + set + "xon='64 cells'");
  same(set + "policy=dsh");
}

TEST_F(BackendBlock, TheThresholdAgreesUnderEveryPolicyOfTheRtl) {
  std::set<std::string> different;
  for (const PolicyRow& row : policy_table()) {
    if (!row.in_rtl) continue;
    std::string options;
    for (const std::string& setting : policy_overrides(row, "switch.tor.profile.lossless."))
      options += " --set '" + setting + "'";
    const std::string block = "dynamic_threshold";
    const Outcome model = shell(run(block, "--out " + at("model") + options));
    ASSERT_LE(model.exit_code, 1) << model.text;
    const Outcome rtl =
        shell(run(block, "--block " + rtl_library(block) + " --out " + at("rtl") + options));
    EXPECT_EQ(rtl.exit_code, model.exit_code) << rtl.text;
    EXPECT_GT(compared(rtl.text, block), 5'000U) << row.name << "\n" << rtl.text;
    const std::string summary = text_of(at("rtl/summary.json"));
    EXPECT_EQ(summary, text_of(at("model/summary.json"))) << row.name;
    different.insert(summary);
  }
  EXPECT_EQ(different.size(), policy_names(true).size()) << "a policy decides nothing";
}

TEST_F(BackendBlock, TheWaveformHasThePinsAroundTheDifference) {
  const Outcome outcome = with_wrong({"pfc_receiver", "pause_o", true}, wrong_in_traffic,
                                     "--wave " + at("run.fst") + " --wave-trigger mismatch");
  ASSERT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(outcome.says("waveform: " + at("run.fst"))) << outcome.text;
  const std::size_t place = outcome.text.find(", port ");
  const std::string port =
      outcome.text.substr(place + 7, outcome.text.find(':', place) - place - 7);
  const VcdReader wave = VcdReader::from_fst(at("run.fst"));
  ASSERT_FALSE(wave.times().empty());
  const std::uint64_t edge = wrong_in_traffic * 1'000;  // ps: a clock of 1 GHz
  const std::string pins = "tor.mmu.pfc_receiver.port[" + port + "].pfc_receiver.";
  EXPECT_LE(wave.times().front(), edge - 9'900'000) << "10 us before";
  EXPECT_EQ(wave.times().back(), edge + 20'000) << "20 cycles after it";
  EXPECT_GT(wave.changes(pins + "clk_i").size(), 2'000U);
  EXPECT_EQ(wave.at(pins + "stat_frame_o", edge), "0");
}

TEST_F(BackendBlock, TheWaveformOfABlockThatIsCalledHasItsEdgesAndEndsWithTheDifference) {
  const auto wave_of = [&](const OutputPin& pin, const std::string& instance) {
    const Outcome outcome =
        with_wrong(pin, wrong_from, "--wave " + at("run.fst") + " --wave-trigger mismatch");
    ASSERT_EQ(outcome.exit_code, 3) << outcome.text;
    const VcdReader wave = VcdReader::from_fst(at("run.fst"));
    ASSERT_FALSE(wave.times().empty());
    const std::string pins = "tor.mmu." + instance + "." + pin.block + ".";
    EXPECT_FALSE(wave.at(pins + pin.name, wave.times().back()).empty());
    EXPECT_EQ(wave.times().back() / 1'000, cycle_of(outcome.text)) << "a clock of 1 GHz";
    EXPECT_GT(wave.changes(pins + "clk_i").size(), 100U) << "of the last 10 us";
  };
  wave_of({"pfc_state", "level_o", true}, "pfc_state");
  wave_of({"ingress_accounting", "rel_error_o", false}, "ingress_accounting.domain[0]");
  wave_of({"stats_counters", "rd_valid_o", true}, "stats_counters.domain[0]");
}

TEST_F(BackendBlock, WhatDoesNotFitIsRefusedByName) {
  const auto refused = [&](const std::string& options, const std::string& words) {
    const Outcome outcome = shell(run("pfc_generator", options + " --out " + at("refused")));
    EXPECT_EQ(outcome.exit_code, 2) << options << "\n" << outcome.text;
    EXPECT_TRUE(outcome.says(words)) << options << "\n" << outcome.text;
  };
  const std::string generator = "--block " + rtl_library("pfc_generator");
  refused("--block " + rtl_library("l1"), "scripts/rtl/make-backend --block");
  refused("--block " + at("none.so"), "--block = " + at("none.so"));
  ASSERT_EQ(shell("head -c 20000 " + rtl_library("pfc_generator") + " >" + at("cut.so")).exit_code,
            0);
  refused("--block " + at("cut.so"), "it is cut off");
  refused(generator + " " + generator, "must be given once for pfc_generator");
  refused(generator + " --backend lockstep", "needs --backend model");
  refused(generator + " --set switch.tor.chip.pfc='9 cycles'", "--block pfc_generator --pfc 9");
  refused(generator + " --set switch.tor.chip.clock='10 ns'", "frames of 64 B follow");
  const auto too_small = [&](const std::string& block, const std::string& options) {
    const std::string library = "--block " + rtl_library(block);
    refused(library + " --set switch.tor.chip.ports=33 --set switch.tor.pool.main.size='8 MB'",
            "--block " + block + " --ports 33" + options);
  };
  too_small("pfc_state", "");
  too_small("ingress_accounting", " --pools 1");
  too_small("egress_accounting", " --egress-pools 1");
  too_small("stats_counters", " --pools 1");
  for (const std::string block : {"admission", "dynamic_threshold", "ingress_accounting",
                                  "egress_accounting", "stats_counters"})
    refused("--block " + rtl_library(block) + " --set switch.tor.pool.main.size='16777216 cells'",
            "must be up to 16777215 with --block " + block);
  refused("--block " + rtl_library("dynamic_threshold") +
              " --set switch.tor.profile.lossless.policy=edt",
          "profile.lossless.policy = edt");
}

}  // namespace
}  // namespace weir::test::backend_block_test
