// SPDX-License-Identifier: Apache-2.0
// The class of a frame on its way through a switch: PCP, DSCP, no tag at all.
#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"

namespace weir {
namespace {

using namespace test;

constexpr std::uint8_t lossless = 3;

// The PG that took the packets of a lossless source on a chip with these settings.
std::size_t pg_used(const ClassifierSettings& classifier, bool tagged,
                    std::optional<std::uint8_t> dscp = {}) {
  Chip chip = small_chip(2, gbps(100));
  chip.classifier = classifier;
  Scenario scenario = star(chip, ns(0), us(10));
  scenario.traffic.push_back(flood("x", 0, 1, lossless, 1000));
  scenario.traffic.back().tagged = tagged;
  scenario.traffic.back().dscp = dscp;
  Network network{scenario};
  network.run_until(scenario.until);
  const StatsCounters& stats = network.switch_at(0).mmu.core().stats();
  std::size_t found = priorities;
  for (std::size_t pg = 0; pg < priorities; ++pg) {
    if (stats.pg(PgIndex{pg}).packets == 0) continue;
    EXPECT_EQ(found, priorities) << "packets in more than one PG";
    found = pg;
    EXPECT_GT(network.host(1).counters().priority[pg].rx_packets, 10U)
        << "it leaves as class " << pg;
  }
  return found;
}

ClassifierSettings by_dscp() {
  ClassifierSettings settings;
  settings.trust = ClassTrust::dscp;
  return settings;
}

TEST(Classify, ATaggedFrameKeepsItsPriority) { EXPECT_EQ(pg_used({}, true), 3U); }

TEST(Classify, AFrameWithoutATagFallsOutOfItsClassWhereTheTagIsTrusted) {
  EXPECT_EQ(pg_used({}, false), 0U);
}

TEST(Classify, AFrameWithoutATagStaysInItsClassWhereDscpIsTrusted) {
  EXPECT_EQ(pg_used(by_dscp(), false), 3U) << "the class selector of its priority";
}

TEST(Classify, DscpDecidesAgainstTheTag) { EXPECT_EQ(pg_used(by_dscp(), true, 46), 5U); }

}  // namespace
}  // namespace weir
