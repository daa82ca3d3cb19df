// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "weir/core/errors.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::chip_test {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;

// Four 40G ports in two domains; PGs 3 of all ports lossless, the rest lossy.
Chip small_chip() {
  Chip chip;
  chip.domains = 2;
  for (unsigned p = 0; p < 4; ++p) {
    chip.ports.push_back({BitRate{40 * giga}, DomainId{static_cast<std::uint8_t>(p / 2)}, {}});
  }
  chip.ingress_pools.push_back({"main", Cells{1000}, Cells{0}, true});
  chip.egress_pools.push_back({"egress", Cells{500}, Cells{0}, true});
  Profile lossless;
  lossless.name = "lossless";
  lossless.lossless = true;
  lossless.private_cells = Cells{6};
  lossless.headroom = Cells{100};
  Profile lossy;
  lossy.name = "lossy";
  chip.profiles = {lossless, lossy};
  QueueProfile queue;
  queue.name = "lossy";
  chip.queue_profiles = {queue};
  for (std::size_t slot = 0; slot < chip.ports.size() * priorities; ++slot) {
    chip.profile_of_pg.push_back(slot % priorities == 3 ? ProfileIndex{0} : ProfileIndex{1});
    chip.profile_of_queue.push_back(QueueProfileIndex{0});
  }
  return chip;
}

// The error that check() gives after `change`, or "none".
std::string error_after(const std::function<void(Chip&)>& change) {
  Chip chip = small_chip();
  change(chip);
  try {
    chip.check();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

void expect_error(const std::function<void(Chip&)>& change, const std::string& start) {
  const std::string error = error_after(change);
  EXPECT_EQ(error.substr(0, start.size()), start) << "the whole error: " << error;
}

void expect_legal(const std::function<void(Chip&)>& change) {
  EXPECT_EQ(error_after(change), "none");
}

TEST(Chip, ASensibleChipPasses) {
  expect_legal([](Chip&) {});
}

TEST(Chip, TimingKeysAreCheckedAtBothEnds) {
  expect_error([](Chip& c) { c.cell = Bytes{0}; }, "chip.cell = 0 B: must be from 1 to 65535 B");
  expect_error([](Chip& c) { c.clock = Picoseconds{99}; }, "chip.clock = 99 ps");
  expect_legal([](Chip& c) { c.clock = Picoseconds{100}; });
  expect_legal([](Chip& c) { c.clock = Picoseconds{10'000}; });
  expect_error([](Chip& c) { c.clock = Picoseconds{10'001}; }, "chip.clock = 10001 ps");
  expect_legal([](Chip& c) { c.clock = *ClockPeriod::of(20'000, 27); });
  expect_error([](Chip& c) { c.clock = *ClockPeriod::of(299, 3); }, "chip.clock = 299/3 ps");
  expect_error([](Chip& c) { c.clock = *ClockPeriod::of(30'001, 3); }, "chip.clock = 30001/3 ps");
  expect_error([](Chip& c) { c.lanes = 0; }, "chip.lanes = 0");
  expect_legal([](Chip& c) { c.lanes = 1024; });
  expect_error([](Chip& c) { c.lanes = 1025; }, "chip.lanes = 1025");
  expect_error([](Chip& c) { c.quanta = Quanta{0}; }, "chip.quanta = 0");
  expect_legal([](Chip& c) { c.quanta = Quanta{1}; });
  expect_error([](Chip& c) { c.mtu = Bytes{63}; }, "chip.mtu = 63 B");
  expect_legal([](Chip& c) { c.mtu = Bytes{64}; });
  expect_error([](Chip& c) { c.port_fifo = 0; }, "chip.port_fifo = 0 frames");
}

TEST(Chip, PortsNeedARateThatAPicosecondDividesAndAnExistingDomain) {
  expect_error([](Chip& c) { c.ports.clear(); }, "chip.ports = 0: must be from 1 to 4096");
  expect_error([](Chip& c) { c.ports[1].rate = BitRate{0}; }, "port[1].rate = 0 bps");
  expect_error([](Chip& c) { c.ports[1].rate = BitRate{3 * giga}; },
               "port[1].rate = 3000000000 bps");
  for (const PortSpeed& speed : port_speeds())
    expect_legal([&](Chip& c) { c.ports[1].rate = speed.rate; });
  expect_legal([](Chip& c) { c.ports[1].rate = max_port_rate; });
  expect_error([](Chip& c) { c.domains = 0; }, "chip.domains = 0");
  expect_error([](Chip& c) { c.ports[3].domain = DomainId{2}; }, "chip.domain_of_port[3] = 2");
}

TEST(Chip, PoolsMustFitTheCellCountersAndKnowWhoseHeadroomItIs) {
  expect_legal([](Chip& c) { c.ingress_pools.front().shared = Cells{1U << 24}; });
  expect_error([](Chip& c) { c.ingress_pools.front().shared = Cells{(1U << 24) + 1}; },
               "pool.main.size = 16777217 cells per domain");
  expect_error([](Chip& c) { c.ingress_pools.front().headroom = Cells{1}; },
               "pool.main.headroom_pool = 1 cells: must be 0 where headroom is dedicated");
  expect_legal([](Chip& c) {
    c.ingress_pools.front().dedicated_headroom = false;
    c.ingress_pools.front().headroom = Cells{1};
  });
  expect_error([](Chip& c) { c.egress_pools.front().shared = Cells{(1U << 24) + 1}; },
               "egress_pool.egress.size");
}

TEST(Chip, ProfilesMustNameAPoolAndALegalThreshold) {
  expect_error([](Chip& c) { c.profiles.front().pool = PoolNumber{1}; },
               "profile.lossless.pool = 1");
  expect_error([](Chip& c) { c.queue_profiles.front().pool = EgressPoolNumber{1}; },
               "queue.lossy.pool = 1");
  expect_error([](Chip& c) { c.profiles[ProfileIndex{1}].headroom = Cells{1}; },
               "profile.lossy.headroom = 1 cells: must be 0 in a lossy profile");
  expect_error([](Chip& c) { c.profiles.front().threshold.policy = static_cast<Policy>(200); },
               "profile.lossless.policy = 200");
  expect_error(
      [](Chip& c) {
        c.queue_profiles.front().threshold.alpha = Alpha{0, 0};
      },
      "queue.lossy.alpha = 0/2^0");
}

TEST(Chip, MapsMustStayWithinEightAndReachAProfile) {
  expect_error([](Chip& c) { c.pg_of_priority[7] = 8; }, "map.pg_of_priority[7] = 8");
  expect_error([](Chip& c) { c.queue_of_priority[0] = 8; }, "map.queue_of_priority[0] = 8");
  expect_error([](Chip& c) { c.profile_of_pg[PgIndex{8 + 2}] = std::nullopt; },
               "profile_of_pg[10] = none: priority group 2 of port 1");
  expect_legal([](Chip& c) {
    c.pg_of_priority[2] = 1;  // no priority maps to PG 2
    c.profile_of_pg[PgIndex{8 + 2}] = std::nullopt;
  });
  expect_error([](Chip& c) { c.profile_of_pg[PgIndex{5}] = ProfileIndex{2}; },
               "profile_of_pg[5] = 2");
  expect_error([](Chip& c) { c.profile_of_queue[QueueIndex{5}] = QueueProfileIndex{1}; },
               "profile_of_queue[5] = 1");
  expect_legal([](Chip& c) { c.profile_of_queue[QueueIndex{5}] = std::nullopt; });
  expect_error([](Chip& c) { c.profile_of_pg.resize(31); },
               "profile_of_pg (number of entries) = 31");
}

TEST(Chip, OnlyWeightedQueuesNeedAWeight) {
  expect_error([](Chip& c) { c.dwrr_weight[2] = 0; }, "scheduler.weights[2] = 0");
  expect_legal([](Chip& c) {
    c.dwrr_weight[2] = 0;
    c.strict_queues = 1U << 2;
  });
  expect_legal([](Chip& c) {
    c.dwrr_weight[2] = 0;
    c.scheduler = SchedulerKind::strict;
  });
}

TEST(Chip, MemoryMustHoldAllReservationsOfEveryDomain) {
  // A domain: B 1000, two ports with 6 private and 100 dedicated headroom cells each.
  expect_legal([](Chip& c) { c.memory = Cells{1212}; });
  expect_error([](Chip& c) { c.memory = Cells{1211}; },
               "chip.memory = 1211 cells per domain: must hold the 1212 cells that domain 0");
  // One port more in domain 1 than in domain 0.
  expect_error(
      [](Chip& c) {
        c.ports[1].domain = DomainId{1};
        c.memory = Cells{1317};
      },
      "chip.memory = 1317 cells per domain: must hold the 1318 cells that domain 1");
  // A shared headroom pool counts once, independent of the profiles.
  const auto pooled = [](Chip& c, std::uint32_t memory) {
    c.ingress_pools.front().dedicated_headroom = false;
    c.ingress_pools.front().headroom = Cells{50};
    c.memory = Cells{memory};
  };
  expect_legal([&](Chip& c) { pooled(c, 1062); });
  expect_error([&](Chip& c) { pooled(c, 1061); }, "chip.memory = 1061");
}

Chip chip_with(unsigned ports, std::uint64_t gbps, std::uint32_t domains) {
  Chip chip;
  chip.domains = domains;
  for (unsigned p = 0; p < ports; ++p) {
    chip.ports.push_back(
        {BitRate{gbps * giga}, DomainId{static_cast<std::uint8_t>(p * domains / ports)}, {}});
  }
  return chip;
}

TEST(Chip, DefaultLanesCarryMinimumFramesOnAllPorts) {
  EXPECT_EQ(default_lanes(chip_with(32, 40, 1)), 2U) << "Trident2: 1.28T / 672G = 1.9";
  EXPECT_EQ(default_lanes(chip_with(32, 100, 1)), 5U) << "3.2T / 672G = 4.76";
  EXPECT_EQ(default_lanes(chip_with(128, 400, 2)), 39U) << "25.6T a domain / 672G = 38.1";
  EXPECT_EQ(default_lanes(chip_with(1, 1, 1)), 1U);
}

TEST(Chip, DefaultLanesRoundUpFromTheFirstFrameTooMany) {
  Chip chip = chip_with(21, 32, 1);  // 672 Gbps: exactly one frame a nanosecond
  EXPECT_EQ(default_lanes(chip), 1U);
  chip.ports.push_back({BitRate{1 * giga}, DomainId{0}, {}});
  EXPECT_EQ(default_lanes(chip), 2U);
  chip.clock = Picoseconds{500};
  EXPECT_EQ(default_lanes(chip), 1U) << "twice the clock";
}

TEST(Chip, DefaultLanesFollowTheBusiestDomain) {
  Chip chip = chip_with(32, 100, 2);
  EXPECT_EQ(default_lanes(chip), 3U) << "1.6T / 672G = 2.4";
  for (PortSetting& port : chip.ports) port.domain = DomainId{1};
  EXPECT_EQ(default_lanes(chip), 5U);
}

TEST(Chip, LongestPauseMatchesThePublishedTimes) {
  EXPECT_EQ(quanta_time(Quanta{65535}, BitRate{10 * giga}), Picoseconds{3'355'392'000});
  EXPECT_EQ(quanta_time(Quanta{65535}, BitRate{40 * giga}), Picoseconds{838'848'000});
  EXPECT_EQ(quanta_time(Quanta{65535}, BitRate{100 * giga}), Picoseconds{335'539'200});
  EXPECT_EQ(quanta_time(Quanta{65535}, BitRate{800 * giga}), Picoseconds{41'942'400});
}

}  // namespace
}  // namespace weir::chip_test
