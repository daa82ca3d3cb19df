// SPDX-License-Identifier: Apache-2.0
// A network may be elaborated apart from its run.
#include <gtest/gtest.h>

#include <string>
#include <systemc>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/measurement.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::elaboration_test {
namespace {

Scenario incast() {
  return load_scenario("vectors/scenarios/incast_star16_dt_trident2.toml",
                       {"scenario.until=200 us"});
}

class Deliveries final : public Observer {
 public:
  void delivered(const std::string&, const Frame&, Picoseconds) override { ++count; }
  std::uint64_t count{0};
};

TEST(Elaboration, BindsAllAndRunsNoTask) {
  const Scenario scenario = incast();
  Network network{scenario};
  EXPECT_FALSE(sc_core::sc_start_of_simulation_invoked());
  network.elaborate();
  EXPECT_TRUE(sc_core::sc_start_of_simulation_invoked()) << "the next step is that of the run";
  EXPECT_EQ(network.agenda().tasks_run(), 0U);
  EXPECT_EQ(network.now(), Picoseconds{0});
  EXPECT_EQ(network.frames_in_flight(), 0U);
}

// Those who watch may come afterwards, and miss nothing.
TEST(Elaboration, ApartFromTheRunChangesNoResult) {
  const Scenario scenario = incast();
  const auto run = [&](bool apart) {
    return run_in_child([&] {
      Network network{scenario};
      const Measurement measurement{network};
      if (apart) network.elaborate();
      Deliveries deliveries;
      network.watch(deliveries);
      network.run_until(Picoseconds{1'000'000});
      network.run_until(scenario.until);
      network.finish();
      return std::to_string(deliveries.count) + to_json(measurement.summary());
    });
  };
  const std::string at_once = run(false);
  EXPECT_NE(at_once[0], '0');
  EXPECT_EQ(run(true), at_once);
}

TEST(Elaboration, ARunThatIsInterruptedBeforeItsFirstTaskHasResultsOfNoTime) {
  const Scenario scenario = incast();
  Network network{scenario};
  const Measurement measurement{network};
  network.elaborate();
  std::size_t asked = 0;
  network.interrupt_when([&] { return 0 < ++asked; });
  network.run_until(scenario.until);
  network.finish();
  EXPECT_EQ(asked, 1U);
  EXPECT_EQ(network.agenda().tasks_run(), 0U);
  const Summary summary = measurement.summary();
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.time, Picoseconds{0});
  EXPECT_EQ(summary.totals.sent_packets, 0U);
}

// Binding takes as long as nothing can interrupt it: it is over before a signal is only noted.
TEST(Elaboration, ComesBeforeARunThatCanBeInterrupted) {
  Network network{incast()};
  EXPECT_THROW(network.interrupt_when([] { return true; }), ModelError);
}

}  // namespace
}  // namespace weir::elaboration_test
