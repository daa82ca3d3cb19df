// SPDX-License-Identifier: Apache-2.0
// The RTL of the accounting and of the counters, called as blocks: any order of calls that the
// interfaces allow, in two memory domains, next to the core classes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/small_chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"

namespace weir::test::backend_block_calls_test {
namespace {

constexpr std::size_t ports = 4;

/// Two domains, two pools, and a limit at every other queue.
Chip chip_of_two_domains(std::uint32_t lag) {
  Chip chip = small_chip(ports, Cells{60});
  chip.domains = 2;
  chip.ports[1].domain = chip.ports[3].domain = DomainId{1};
  chip.threshold_lag = lag;
  chip.ingress_pools.push_back({"second", Cells{50}, Cells{0}, true});
  chip.profiles.front().private_cells = Cells{3};
  chip.profiles.front().headroom = Cells{50};
  Profile second = chip.profiles.front();
  second.name = "second";
  second.pool = PoolNumber{1};
  chip.profiles.push_back(second);
  QueueProfile lossy;
  lossy.name = "lossy";
  lossy.minimum = Cells{4};
  lossy.threshold.alpha = Alpha::power_of_two(0);
  chip.queue_profiles.push_back(lossy);
  for (std::size_t n = 0; n < ports * priorities; ++n) {
    if (n % 3 == 0) chip.profile_of_pg[PgIndex{n}] = ProfileIndex{1};
    if (n % 2 == 0) chip.profile_of_queue[QueueIndex{n}] = QueueProfileIndex{0};
  }
  return chip;
}

class BackendBlockCalls : public testing::Test {
 protected:
  explicit BackendBlockCalls(std::uint32_t lag = 0) : settings{chip_of_two_domains(lag)} {}

  template <class Interface>
  [[nodiscard]] std::unique_ptr<MmuBlock<Interface>> make(BlockMaker<Interface> MmuBlocks::*maker,
                                                          const char* name) {
    MmuBlocks blocks;
    use_rtl_block(blocks, RtlBlockLibrary{rtl_library(name)});
    return (blocks.*maker)(name, settings);
  }
  std::uint32_t draw(std::uint64_t below) {
    return static_cast<std::uint32_t>(random.uniform(below));
  }
  bool one_in(std::uint64_t n) { return draw(n) == 0; }
  PgIndex any_pg() { return PgIndex{draw(ports * priorities)}; }
  QueueIndex any_queue() { return QueueIndex{draw(ports * priorities)}; }
  Cells cells(std::uint64_t below) { return Cells{draw(below)}; }

  const MmuSettings settings;
  const Chip& chip{settings.chip()};
  RandomStream random{1, "calls"};
};

/// The words of an exception, or nothing.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

class BackendStatsCalls : public BackendBlockCalls {
 protected:
  template <class Call>
  void both(Call&& call) {
    call(*rtl);
    call(core);
    if (one_in(4)) read();
  }
  template <class Table, class Counters>
  static void same(const Table& table, const Counters& expected, const Counters& actual) {
    for (const auto& row : table) EXPECT_EQ(row.read(expected), row.read(actual)) << row.name;
  }
  void read() {
    const PgIndex pg = any_pg();
    const QueueIndex queue = any_queue();
    const PoolIndex pool{draw(chip.ingress_pools.size() * chip.domains)};
    same(pg_counter_table, core.pg(pg), rtl->pg(pg));
    same(queue_counter_table, core.queue(queue), rtl->queue(queue));
    same(pool_mark_table, core.pool(pool), rtl->pool(pool));
  }
  /// A verdict by the calls of MmuStep, for up to five queues. Reads come in between where they
  /// may: not between a verdict and its level.
  void verdict() {
    const PgIndex pg = any_pg();
    const Bytes length{64 + draw(9000)};
    for (std::size_t n = draw(3); n != 0; --n)
      both([queue = any_queue()](auto& stats) { stats.queue_refused(queue); });
    const Reason reason = one_in(2) ? Reason::admitted : static_cast<Reason>(draw(step_reasons));
    const PoolIndex pool = settings.of(pg).pool_domain;
    const Placement held{cells(9), cells(200), cells(9)};
    const PoolUse use{cells(400), cells(90), cells(90)};
    const bool lossless = one_in(2), empty = one_in(2);
    const PfcLevel level{one_in(2), one_in(2), false};
    const Cells threshold = cells(500);
    both([&](auto& stats) {
      if (reason == Reason::admitted)
        stats.admitted(pg, length, held, pool, use, threshold);
      else
        stats.refused(pg, reason, lossless, empty);
      if (lossless) stats.xoff_judged(pg, reason, level);
    });
    if (reason != Reason::admitted) return;
    for (std::size_t n = draw(6); n != 0; --n)
      both([&, queue = any_queue(), limited = one_in(2),
            of = QueueUse{cells(5), cells(99)}](auto& stats) {
        if (limited) stats.queue_filled(queue, of);
        stats.queued(queue, length);
      });
  }

  const std::unique_ptr<MmuBlock<StatsCountersIf>> rtl{
      make(&MmuBlocks::stats_counters, "stats_counters")};
  StatsCounters core{chip};
};

TEST_F(BackendStatsCalls, CountersAreTheSameWhateverComesBetweenTheCallsOfAVerdict) {
  for (int n = 0; n < 5'000; ++n) {
    verdict();
    if (one_in(200)) both([](auto& stats) { stats.clear(); });
  }
  std::uint64_t admitted = 0;
  for (PgIndex pg; pg < PgIndex{ports * priorities}; ++pg) admitted += core.pg(pg).packets;
  EXPECT_GT(admitted, 0U) << "counters that are 0 would be the same";
  for (PgIndex pg; pg < PgIndex{ports * priorities}; ++pg)
    same(pg_counter_table, core.pg(pg), rtl->pg(pg));
}

TEST_F(BackendStatsCalls, WhatThePinsCannotSayIsAnError) {
  const PgIndex pg{3};
  rtl->refused(pg, Reason::headroom_limit, true, true);
  EXPECT_EQ(rtl->pg(pg).refused_empty, 1U);
  EXPECT_NE(error_of([&] {
              rtl->xoff_judged(pg, Reason::headroom_limit, {true, true, false});
            }),
            "");
  rtl->queue_filled(QueueIndex{0}, {Cells{1}, Cells{1}});
  EXPECT_NE(error_of([&] { static_cast<void>(rtl->pg(pg)); }), "");
}

class BackendIngressCalls : public BackendBlockCalls, public testing::WithParamInterface<unsigned> {
 protected:
  BackendIngressCalls() : BackendBlockCalls{GetParam()} {}

  void same(PgIndex pg) {
    const PoolIndex row = settings.of(pg).pool_domain;
    EXPECT_EQ(rtl->pg(pg), core.pg(pg));
    const PoolUse use = rtl->pool(row), expected = core.pool(row);
    EXPECT_EQ(use.shared, expected.shared);
    EXPECT_EQ(use.headroom, expected.headroom);
    EXPECT_EQ(use.private_cells, expected.private_cells);
    EXPECT_EQ(rtl->shared_seen(row, now), core.shared_seen(row, now)) << now.count();
  }
  void charge(PgIndex pg) {
    const PgSettings& group = settings.of(pg);
    const Cells room = group.private_limit - core.pg(pg).private_cells,
                free = group.shared_pool - core.pool(group.pool_domain).shared;
    const Placement comes{cells(room.count() + 1), cells(std::min(free, Cells{30}).count() + 1),
                          one_in(2) ? Cells{0} : cells(20)};
    rtl->charge(pg, group.pool_domain, comes, now);
    core.charge(pg, group.pool_domain, comes, now);
  }
  void release(PgIndex pg) {
    const PoolIndex row = settings.of(pg).pool_domain;
    const std::uint32_t held = core.pg(pg).total().count();
    const Cells n = one_in(8) ? Cells{held + 1 + draw(2) * (1U << 24)} : cells(held + 1);
    Placement given, expected;
    EXPECT_EQ(error_of([&] { given = rtl->release(pg, row, n, now); }),
              error_of([&] { expected = core.release(pg, row, n, now); }));
    EXPECT_EQ(given, expected);
  }

  const std::unique_ptr<MmuBlock<IngressAccountingIf>> rtl{
      make(&MmuBlocks::ingress_accounting, "ingress_accounting")};
  IngressAccounting core{chip};
  Cycle now{5};
};

TEST_P(BackendIngressCalls, CellsAreTheSameAfterEveryStep) {
  for (int n = 0; n < 4'000; ++n) {
    const PgIndex pg{any_pg().value() % 6 + (one_in(2) ? 0 : priorities)};
    one_in(2) ? charge(pg) : release(pg);
    same(pg);
    same(any_pg());
    now += Cycle{draw(4)};
  }
}
INSTANTIATE_TEST_SUITE_P(Lags, BackendIngressCalls, testing::Values(0U, 7U));

class BackendEgressCalls : public BackendBlockCalls {
 protected:
  void step(QueueIndex queue, DomainId domain) {
    const Cells n = cells(12), threshold = cells(60);
    EXPECT_EQ(rtl->accepts(queue, domain, n, threshold), core.accepts(queue, domain, n, threshold));
    const QueueUse& use = core.queue(queue, domain);
    const Cells held = use.minimum + use.shared;
    if (one_in(2)) {
      rtl->charge(queue, domain, n);
      core.charge(queue, domain, n);
    } else {
      const Cells leaves =
          one_in(8) ? held + Cells{1 + draw(2) * (1U << 24)} : cells(held.count() + 1);
      EXPECT_EQ(error_of([&] { rtl->release(queue, domain, leaves); }),
                error_of([&] { core.release(queue, domain, leaves); }));
    }
  }

  const std::unique_ptr<MmuBlock<EgressAccountingIf>> rtl{
      make(&MmuBlocks::egress_accounting, "egress_accounting")};
  EgressAccounting core{chip};
};

TEST_F(BackendEgressCalls, QueuesAreTheSameAfterEveryStepAndTheirPoolMayBeOverdrawn) {
  bool past = false;
  for (int n = 0; n < 4'000; ++n) {
    const QueueIndex queue{any_queue().value() / 2 * 2};
    const DomainId domain{static_cast<DomainId::rep>(draw(2))};
    step(queue, domain);
    const QueueUse use = rtl->queue(queue, domain), expected = core.queue(queue, domain);
    EXPECT_EQ(use.minimum, expected.minimum);
    EXPECT_EQ(use.shared, expected.shared);
    EXPECT_EQ(rtl->pool_of(queue, domain), core.pool_of(queue, domain));
    past = past || chip.egress_pools.front().shared < core.pool_of(queue, domain);
  }
  EXPECT_TRUE(past) << "S_e past B_e";
  EXPECT_FALSE(rtl->limited(QueueIndex{1}));
}

}  // namespace
}  // namespace weir::test::backend_block_calls_test
