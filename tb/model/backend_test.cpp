// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir {
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

TEST(Backend, LanesThatTheRtlDoesNotKnowAreAConfigurationError) {
  const auto run = [] {
    return summary_of("vectors/scenarios/incast_star4_dt_late_xoff.toml",
                      {"switch.tor.chip.lanes=3"}, BackendKind::rtl);
  };
  EXPECT_THROW(static_cast<void>(run()), ConfigError);
}

}  // namespace
}  // namespace weir
