// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/model/rtl/register_shelf.hpp"
#include "weir/model/rtl/rtl_library.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"
#include "weir/model/rtl/rtl_registers.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::backend_test {
namespace {

// The libraries are next to the program of the build.
std::string library(std::uint32_t lanes) {
  const std::filesystem::path program{std::getenv("WEIR_PROGRAM")};
  return (program.parent_path() / "../lib/weir" / ("libweir_mmu_l" + std::to_string(lanes) + ".so"))
      .string();
}

std::string summary_of(const std::string& file, const std::vector<std::string>& overrides,
                       BackendKind kind) {
  return run_in_child([&] {
    const Scenario scenario = load_scenario(file, overrides);
    const std::uint32_t lanes = scenario.switches.front().chip.lanes;
    Network network{scenario, 0, {kind, kind == BackendKind::model ? "" : library(lanes)}};
    network.run_until(scenario.until);
    network.finish();
    check_conservation(network);
    return to_json(summarize(network));
  });
}

void expect_same_summary(const std::string& name, std::vector<std::string> overrides) {
  const std::string file = "vectors/scenarios/" + name + ".toml";
  const std::string model = summary_of(file, overrides, BackendKind::model);
  EXPECT_NE(model.find("\"delivered_packets\""), std::string::npos) << "an empty summary";
  EXPECT_EQ(summary_of(file, overrides, BackendKind::rtl), model) << "the RTL says something else";
  EXPECT_EQ(summary_of(file, overrides, BackendKind::lockstep), model);
}

TEST(Backend, AnIncastOfFourPortsGivesTheSameSummaryWithTheRtl) {
  expect_same_summary("incast_star4_dt_late_xoff", {"scenario.until=400 us"});
}

// Two linked ports: a flooded frame has one copy, the number that the libraries are built for.
TEST(Backend, AFloodGivesTheSameSummaryWithTheRtl) {
  const std::string file = "vectors/lint/W209_bad.toml";
  const std::vector<std::string> two_hosts{"hosts.count=2"};
  const std::string model = summary_of(file, two_hosts, BackendKind::model);
  EXPECT_NE(model.find("\"flooded_packets\": "), std::string::npos);
  EXPECT_EQ(model.find("\"flooded_packets\": 0,"), std::string::npos) << "nothing is flooded";
  EXPECT_EQ(summary_of(file, two_hosts, BackendKind::rtl), model) << "the RTL says something else";
  EXPECT_EQ(summary_of(file, two_hosts, BackendKind::lockstep), model);
}

TEST(Backend, MoreCopiesThanTheRtlTakesAreAConfigurationError) {
  try {
    static_cast<void>(
        summary_of("vectors/lint/W209_bad.toml", {"hosts.count=3"}, BackendKind::rtl));
    ADD_FAILURE() << "three linked ports are taken";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string{error.what()}.find("--copies 2"), std::string::npos) << error.what();
  }
}

// At the end of a run thousands of registers are read. A waveform leaves these reads out, so that
// its window has the last cycles of the run.
TEST(Backend, AWaveformHasTheReadOfTheRegisterThatDiffersAndOfNoOther) {
  const std::string moments = run_in_child([] {
    const Chip chip =
        load_scenario("vectors/scenarios/incast_star4_dt_late_xoff.toml", {}).switches.front().chip;
    RegisterShelf shelf{chip};
    Mmu mmu{chip};
    RtlMmu rtl{RtlLibrary{library(chip.lanes)}, chip, "weir_mmu"};
    rtl.start(shelf.target(mmu, 0));
    std::string counts;
    int taken = 0;
    static_cast<void>(rtl.open_wave([&](std::uint64_t, std::string_view) { ++taken; }));
    const auto count = [&](const char* what) {
      counts += std::string{what} + " " + std::to_string(std::exchange(taken, 0)) + "\n";
    };
    rtl.clock();
    count("clock");
    static_cast<void>(read_state(rtl, chip));
    count("state");
    if (first_difference(rtl, shelf.target(mmu, rtl.cycle()), true)) counts += "differs\n";
    count("same");
    shelf.counters.front().pfc_frames_sent = 1;
    if (!first_difference(rtl, shelf.target(mmu, rtl.cycle()), true)) counts += "is the same\n";
    count("difference");
    rtl.close_wave();
    return counts;
  });
  const std::size_t found = moments.find("difference ");
  ASSERT_NE(found, std::string::npos) << moments;
  EXPECT_EQ(moments.substr(0, found), "clock 2\nstate 0\nsame 0\n");
  const int read = std::stoi(moments.substr(found + std::string{"difference "}.size()));
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 200);
}

TEST(Backend, LanesThatTheRtlDoesNotKnowAreAConfigurationError) {
  const auto run = [] {
    return summary_of("vectors/scenarios/incast_star4_dt_late_xoff.toml",
                      {"switch.tor.chip.lanes=3"}, BackendKind::rtl);
  };
  EXPECT_THROW(static_cast<void>(run()), ConfigError);
}

}  // namespace
}  // namespace weir::backend_test
