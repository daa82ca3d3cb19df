// SPDX-License-Identifier: Apache-2.0
// Rows W1 to W3 of docs/design/published-rows.md: the slow receiver, its remedy, and what stops its
// pauses from spreading.
#include <gtest/gtest.h>

#include "support/expectations.hpp"
#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::slow_receiver_test {
namespace {

using namespace test;

struct Outcome {
  explicit Outcome(const std::string& what, const std::vector<std::string>& overrides = {})
      : scenario{load_scenario("vectors/scenarios/slow_receiver_star4_" + what + ".toml",
                               overrides)},
        network{scenario} {
    network.run_until(scenario.until);
    check_conservation(network);
    const Summary summary = summarize(network);
    totals = summary.totals;
    expect_all_met(summary);
    seconds = static_cast<double>(scenario.until.count()) * 1e-12;
    const Latency& latency = network.host(3).latency(Priority{3});
    victim_longest = latency.longest;
  }
  Scenario scenario;
  Network network;
  Totals totals;
  double seconds{0};
  Picoseconds victim_longest;
};

TEST(SlowReceiver, SendsThousandsOfPausesASecondWithSmallPages) {
  const Outcome run{"dt_small_pages"};
  const double rate = static_cast<double>(run.totals.nic_pauses_sent) / run.seconds;
  EXPECT_GT(rate, 1000.0);
  EXPECT_LT(rate, 10'000.0);
}

TEST(SlowReceiver, SendsNoneWithLargePages) {
  const Outcome run{"dt_large_pages"};
  EXPECT_EQ(run.totals.nic_pauses_sent, 0U);
  EXPECT_LE(run.totals.mtt_misses, 512U) << "each of the 512 pages of 2 MiB once";
}

// W1: 2048 entries of 4 KiB cover 8 MiB, and not a page more; random addresses use each 24 times.
TEST(SlowReceiver, TheCacheReachesEntriesTimesPage) {
  const Outcome all{
      "dt_small_pages",
      {"nic.slow.memory=8 MiB", "scenario.until=100 ms", "expect.nic_pauses_sent=< 20"}};
  EXPECT_EQ(all.totals.mtt_misses, 2048U) << "each page once";
}

TEST(SlowReceiver, OnePageMoreThanTheCacheReachesIsMissedAgain) {
  const Outcome more{
      "dt_small_pages",
      {"nic.slow.memory=8196 KiB", "scenario.until=100 ms", "expect.nic_pauses_sent=< 20"}};
  EXPECT_GT(more.totals.mtt_misses, 2049U + 2) << "one page is always the one that is not there";
}

TEST(SlowReceiver, SharedBufferKeepsThePausesFromSpreading) {
  const Outcome run{"dt_small_pages"};
  EXPECT_EQ(run.totals.classes.pauses_sent, 0U);
  EXPECT_LT(run.victim_longest, us(10));
}

TEST(SlowReceiver, AStaticShareOfTheBufferLetsThemSpreadToTheSenders) {
  const Outcome run{"static_small_pages"};
  EXPECT_GT(run.totals.classes.pauses_sent, 10U);
  EXPECT_GT(run.victim_longest, us(50)) << "to a receiver that has nothing to do with it";
}

}  // namespace
}  // namespace weir::slow_receiver_test
