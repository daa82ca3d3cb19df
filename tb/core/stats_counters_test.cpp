// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/stats_counters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "support/index_literals.hpp"
namespace weir::stats_counters_test {
namespace {

using namespace test::index_literals;

constexpr PgIndex pg{3};

Placement held(std::uint32_t private_cells, std::uint32_t shared, std::uint32_t headroom) {
  return {Cells{private_cells}, Cells{shared}, Cells{headroom}};
}

TEST(StatsCounters, CountsPacketsAndBytesAdmitted) {
  StatsCounters stats{16_pg, 1_pool};
  stats.admitted(pg, Bytes{64}, held(1, 0, 0), 0_pool, {}, Cells{0});
  stats.admitted(pg, Bytes{9216}, held(1, 0, 0), 0_pool, {}, Cells{0});
  EXPECT_EQ(stats.pg(pg).packets, 2U);
  EXPECT_EQ(stats.pg(pg).bytes, Bytes{9280});
  EXPECT_EQ(stats.pg(4_pg).packets, 0U) << "another PG";
}

// Registers of 64 bit: no carry is lost where a narrower counter would wrap.
TEST(StatsCounters, CountPast2To32And2To48) {
  for (const unsigned bits : {32U, 48U, 53U}) {
    const std::uint64_t start = (std::uint64_t{1} << bits) - 1;
    PgCounters worn;
    worn.packets = start;
    worn.bytes = Bytes{start};
    worn.refused[static_cast<std::size_t>(Reason::headroom_limit)] = start;
    worn.xoff_entered = start;
    StatsCounters stats{16_pg, 1_pool};
    stats.load_snapshot(pg, worn, 0_pool, {});
    stats.admitted(pg, Bytes{64}, held(1, 0, 0), 0_pool, {}, Cells{0});
    stats.refused(pg, Reason::headroom_limit, true, false);
    stats.xoff_judged(pg, Reason::admitted, {true, true});
    EXPECT_EQ(stats.pg(pg).packets, start + 1) << bits;
    EXPECT_EQ(stats.pg(pg).bytes, Bytes{start + 64}) << bits;
    EXPECT_EQ(stats.pg(pg).dropped(), start + 1) << bits;
    EXPECT_EQ(stats.pg(pg).xoff_entered, start + 1) << bits;
    QueueCounters queue;
    queue.packets = start;
    queue.bytes = Bytes{start};
    queue.dropped = start;
    stats.load_snapshot(3_queue, queue);
    stats.queued(3_queue, Bytes{64});
    stats.queue_refused(3_queue);
    EXPECT_EQ(stats.queue(3_queue).packets, start + 1) << bits;
    EXPECT_EQ(stats.queue(3_queue).bytes, Bytes{start + 64}) << bits;
    EXPECT_EQ(stats.queue(3_queue).dropped, start + 1) << bits;
  }
}

TEST(StatsCounters, WatermarksRiseAndNeverFall) {
  StatsCounters stats{16_pg, 1_pool};
  stats.admitted(pg, Bytes{64}, held(2, 7, 3), 0_pool, {Cells{20}, Cells{4}, Cells{5}}, Cells{0});
  stats.admitted(pg, Bytes{64}, held(2, 9, 0), 0_pool, {Cells{15}, Cells{6}, Cells{5}}, Cells{0});
  EXPECT_EQ(stats.pg(pg).shared_watermark, Cells{9});
  EXPECT_EQ(stats.pg(pg).headroom_watermark, Cells{3});
  EXPECT_EQ(stats.pg(pg).total_watermark, Cells{12}) << "the sum of one moment, not of the marks";
  EXPECT_EQ(stats.pool(0_pool).shared, Cells{20});
  EXPECT_EQ(stats.pool(0_pool).headroom, Cells{6});
  EXPECT_EQ(stats.pool(0_pool).total, Cells{29});
}

TEST(StatsCounters, KeepsTheThresholdThatAdmittedTheHighestShared) {
  StatsCounters stats{16_pg, 1_pool};
  stats.admitted(pg, Bytes{64}, held(2, 7, 0), 0_pool, {}, Cells{30});
  stats.admitted(pg, Bytes{64}, held(2, 9, 0), 0_pool, {}, Cells{20});
  EXPECT_EQ(stats.pg(pg).limit_at_peak, Cells{20}) << "T of the new peak";
  stats.admitted(pg, Bytes{64}, held(2, 9, 0), 0_pool, {}, Cells{10});
  EXPECT_EQ(stats.pg(pg).limit_at_peak, Cells{20}) << "the first packet that reached the peak";
}

TEST(StatsCounters, CountsRefusalsByReason) {
  StatsCounters stats{16_pg, 1_pool};
  stats.refused(pg, Reason::headroom_limit, true, false);
  stats.refused(pg, Reason::headroom_limit, true, false);
  stats.refused(pg, Reason::egress_queue, false, false);
  const PgCounters& counters = stats.pg(pg);
  EXPECT_EQ(counters.refused[static_cast<std::size_t>(Reason::headroom_limit)], 2U);
  EXPECT_EQ(counters.refused[static_cast<std::size_t>(Reason::egress_queue)], 1U);
  EXPECT_EQ(counters.dropped(), 3U) << "all reasons together";
}

TEST(StatsCounters, CountsRefusalsAtAnEmptyPgOnlyWhenItIsLossless) {
  StatsCounters stats{16_pg, 1_pool};
  stats.refused(pg, Reason::headroom_pool, true, true);
  stats.refused(pg, Reason::headroom_pool, true, false);
  stats.refused(pg, Reason::shared_threshold, false, true);
  EXPECT_EQ(stats.pg(pg).refused_empty, 1U);
}

TEST(StatsCounters, CountsQueuesAndTheirWatermarks) {
  StatsCounters stats{16_pg, 1_pool};
  stats.queued(8_queue, Bytes{100});
  stats.queue_filled(8_queue, {Cells{3}, Cells{4}});
  stats.queue_filled(8_queue, {Cells{2}, Cells{4}});
  stats.queue_refused(8_queue);
  EXPECT_EQ(stats.queue(8_queue).packets, 1U);
  EXPECT_EQ(stats.queue(8_queue).bytes, Bytes{100});
  EXPECT_EQ(stats.queue(8_queue).dropped, 1U);
  EXPECT_EQ(stats.queue(8_queue).shared_watermark, Cells{4});
  EXPECT_EQ(stats.queue(8_queue).total_watermark, Cells{7});
}

TEST(StatsCounters, CountsTheStepsThatTurnALevelToXoff) {
  StatsCounters stats{16_pg, 1_pool};
  stats.xoff_judged(pg, Reason::admitted, {true, true, false});
  stats.xoff_judged(pg, Reason::shared_pool, {true, false, false});
  stats.xoff_judged(pg, Reason::shared_pool, {false, true, false});
  stats.xoff_judged(pg, Reason::admitted, {false, false, true});
  EXPECT_EQ(stats.pg(pg).xoff_entered, 1U) << "neither while it stays XOFF nor when it goes";
}

// Each row reads its own part of the counters, in the order in which they lie in memory.
template <class Rows>
void expect_order(const Rows& rows, std::size_t first) {
  std::size_t end = first;
  for (const auto& row : rows) {
    EXPECT_EQ(row.offset % (4 * row.words), 0U) << row.name;
    EXPECT_LE(end, row.offset) << row.name << " lies in the row before";
    end = row.offset + 4 * row.words;
  }
}
template <class Rows>
std::size_t end_of(const Rows& rows) {
  return rows.back().offset + 4 * rows.back().words;
}

TEST(StatsCounters, TheTablesFollowTheLayoutInMemory) {
  expect_order(pg_counter_table, 0);
  expect_order(queue_counter_table, 0);
  expect_order(pool_mark_table, first_pool_mark);
  EXPECT_EQ(end_of(pg_counter_table), sizeof(PgCounters));
  EXPECT_EQ(end_of(queue_counter_table), sizeof(QueueCounters));
}

TEST(StatsCounters, EveryRowReadsTheBytesAtItsOffset) {
  std::array<unsigned char, sizeof(PgCounters)> bytes{};
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = static_cast<unsigned char>(n + 1);
  PgCounters counters;
  std::memcpy(&counters, bytes.data(), bytes.size());
  for (const auto& row : pg_counter_table) {
    std::uint64_t expected = 0;
    std::memcpy(&expected, bytes.data() + row.offset, 4 * row.words);
    EXPECT_EQ(row.read(counters), expected) << row.name;
  }
}

TEST(StatsCounters, ClearReturnsEverythingToZero) {
  StatsCounters stats{16_pg, 1_pool};
  stats.admitted(pg, Bytes{64}, held(1, 2, 3), 0_pool, {Cells{2}, Cells{3}, Cells{1}}, Cells{0});
  stats.refused(pg, Reason::headroom_pool, true, true);
  stats.xoff_judged(pg, Reason::admitted, {true, true, false});
  stats.queued(8_queue, Bytes{100});
  stats.queue_filled(8_queue, {Cells{3}, Cells{4}});
  EXPECT_EQ(stats.pg(pg).xoff_entered, 1U);
  stats.clear();
  EXPECT_EQ(stats.pg(pg).packets + stats.pg(pg).dropped() + stats.pg(pg).xoff_entered, 0U);
  EXPECT_EQ(stats.pg(pg).refused_empty, 0U);
  EXPECT_EQ(stats.pg(pg).total_watermark, Cells{0});
  EXPECT_EQ(stats.queue(8_queue).packets, 0U);
  EXPECT_EQ(stats.queue(8_queue).total_watermark, Cells{0});
  EXPECT_EQ(stats.pool(0_pool).total, Cells{0});
}

}  // namespace
}  // namespace weir::stats_counters_test
