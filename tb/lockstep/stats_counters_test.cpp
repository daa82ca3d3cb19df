// SPDX-License-Identifier: Apache-2.0
// rtl: stats_2_1_1 = stats_counters Ports=2 Lanes=1 Copies=1 Pools=1
// rtl: stats_3_2_3 = stats_counters Ports=3 Lanes=2 Copies=3 Pools=2 StatW=16
// rtl: stats_2_8_1 = stats_counters Ports=2 Lanes=8 Copies=1 Pools=2
// rtl: stats_8_4_2 = stats_counters Ports=8 Lanes=4 Copies=2 Pools=3 CellW=10
#include "weir/core/accounting/stats_counters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <sstream>
#include <string>
#include <vector>

#include "Vstats_2_1_1.h"
#include "Vstats_2_8_1.h"
#include "Vstats_3_2_3.h"
#include "Vstats_8_4_2.h"
#include "lockstep/bench.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir::test {
namespace {

constexpr unsigned width_of(std::size_t values) {
  unsigned width = 0;
  while ((std::size_t{1} << width) < values) ++width;
  return width;
}

/// Outcome of one copy of a packet at its queue.
struct QueueStep {
  std::uint32_t queue{0};
  bool entered{false}, refused{false}, limited{false};
  std::uint32_t minimum{0}, shared{0};
};

/// One verdict, as the domain presents it.
struct Step {
  bool valid{false};
  std::uint32_t pg{0}, reason{0}, bytes{0}, threshold{0}, pool{0};
  bool lossless_empty{false}, xoff{false}, turned{false};  // the level after the step
  std::uint32_t in_private{0}, shared{0}, headroom{0};
  std::uint32_t pool_private{0}, pool_shared{0}, pool_headroom{0};
  std::array<QueueStep, 8> copies{};
};

enum class Table : std::uint8_t { pg, queue, pool };

struct Read {
  Table table{Table::pg};
  std::uint32_t row{0}, field{0};
};

/// A Verilated stats_counters next to the core's, with the same verdicts; every read compared.
template <class Model, unsigned ports, unsigned lanes, unsigned copies, unsigned pools,
          unsigned cell_bits, unsigned stat_bits>
class StatsLockstep {
 public:
  static constexpr unsigned rows = ports * 8;

  explicit StatsLockstep(std::uint64_t seed) : random_{seed, "stats"} { bench_.reset(); }

  /// Random inputs; `busy` percent of the lanes, and few rows so that they collide.
  void cycle(unsigned busy, unsigned rows_used, bool clear = false) {
    std::array<Step, lanes> steps;
    for (Step& step : steps)
      if (draw(100) < busy) step = random_step(rows_used);
    cycle(steps, random_read(rows_used), clear);
  }

  /// Every lane counts what `reason` counts in the first row, `cycles` times.
  void hammer(std::uint32_t reason, unsigned cycles) {
    for (unsigned n = 0; n < cycles; ++n) {
      std::array<Step, lanes> steps;
      for (Step& step : steps) {
        step = random_step(1);
        step.reason = reason;
        step.bytes = (1U << byte_bits) - 1;
        step.lossless_empty = step.xoff = step.turned = true;
        for (QueueStep& copy : step.copies) {
          copy.entered = reason == 0;
          copy.refused = copy.limited = reason != 0;
        }
      }
      cycle(steps, random_read(1), false);
    }
  }

  /// One cycle: a read sees what came before it; a clear comes before the verdicts.
  void cycle(const std::array<Step, lanes>& steps, const Read& read, bool clear) {
    expected_.push_back(value_of(read));
    reads_.push_back(read);
    if (clear) {
      core_.clear();
      board_.hit(cleared_);
    }
    cover(steps, read, clear);
    for (const Step& step : steps)
      if (step.valid) apply(step);
    drive(steps, read, clear);
    bench_.clock();
    check_answer();
    last_ = steps;
  }

  /// Reads every field of every row, one a cycle.
  void read_all() {
    for (const Table table : {Table::pg, Table::queue, Table::pool})
      for (std::uint32_t row = 0; row < (table == Table::pool ? pools : rows); ++row)
        for (std::uint32_t field = 0; field < 32; ++field) cycle({}, {table, row, field}, false);
  }

  void reset() {
    bench_.reset();
    core_.clear();
    expected_.clear();
    reads_.clear();
    last_ = {};
  }

  [[nodiscard]] std::string complaints() const { return board_.complaints(); }
  [[nodiscard]] std::uint32_t draw(std::uint32_t below) {
    return static_cast<std::uint32_t>(random_.uniform(below));
  }

 private:
  static constexpr unsigned row_bits = width_of(rows), pool_bits = pools > 1 ? width_of(pools) : 1;
  static constexpr unsigned byte_bits = 14;

  Step random_step(unsigned rows_used) {
    Step step;
    step.valid = true;
    step.pg = draw(rows_used);
    step.reason = draw(2) == 0 ? 0 : draw(step_reasons);
    step.bytes = draw(8) == 0 ? (1U << byte_bits) - 1 : draw(1U << byte_bits);
    step.threshold = draw(4) == 0 ? 0xffff'ffffU : draw(1000);
    step.lossless_empty = draw(3) == 0;
    step.xoff = draw(2) == 0;
    step.turned = draw(2) == 0;
    step.pool = draw(pools);
    for (std::uint32_t* cells : {&step.in_private, &step.shared, &step.headroom, &step.pool_private,
                                 &step.pool_shared, &step.pool_headroom})
      *cells = random_cells();
    for (unsigned c = 0; c < copies; ++c) {
      QueueStep& copy = step.copies[c];
      copy.queue = draw(rows_used);
      copy.limited = draw(2) == 0;
      copy.entered = step.reason == 0 && draw(2) == 0;
      copy.refused = !copy.entered && copy.limited && draw(2) == 0;
      copy.minimum = random_cells();
      copy.shared = random_cells();
    }
    return step;
  }
  // Usually small, so that watermarks are reached again; sometimes the maximum.
  std::uint32_t random_cells() {
    return draw(200) == 0 ? (1U << cell_bits) - 1 : draw(draw(2) == 0 ? 4 : 1U << cell_bits);
  }
  Read random_read(unsigned rows_used) {
    const auto table = static_cast<Table>(draw(3));
    return {table, draw(table == Table::pool ? pools : rows_used), draw(32)};
  }

  static Cells cells(std::uint32_t count) { return Cells{count}; }

  void apply(const Step& s) {
    if (s.reason == 0)
      core_.admitted(PgIndex{s.pg}, Bytes{s.bytes},
                     {cells(s.in_private), cells(s.shared), cells(s.headroom)}, PoolIndex{s.pool},
                     {cells(s.pool_shared), cells(s.pool_headroom), cells(s.pool_private)},
                     cells(s.threshold));
    else
      core_.refused(PgIndex{s.pg}, static_cast<Reason>(s.reason), s.lossless_empty,
                    s.lossless_empty);
    core_.xoff_judged(PgIndex{s.pg}, static_cast<Reason>(s.reason), {s.xoff, s.turned, false});
    for (unsigned c = 0; c < copies; ++c) {
      const QueueStep& copy = s.copies[c];
      if (copy.entered) core_.queued(QueueIndex{copy.queue}, Bytes{s.bytes});
      if (copy.entered && copy.limited)
        core_.queue_filled(QueueIndex{copy.queue}, {cells(copy.minimum), cells(copy.shared)});
      if (copy.refused) core_.queue_refused(QueueIndex{copy.queue});
    }
  }

  // The field as in the register map: offset of the register in its block, in words.
  std::uint64_t value_of(const Read& read) const {
    switch (read.table) {
      case Table::pg:
        return value_of(pg_counter_table, core_.pg(PgIndex{read.row}), read.field);
      case Table::queue:
        return value_of(queue_counter_table, core_.queue(QueueIndex{read.row}), read.field);
      default:
        return value_of(pool_mark_table, core_.pool(PoolIndex{read.row}), read.field);
    }
  }
  template <class Rows, class Counters>
  static std::uint64_t value_of(const Rows& rows, const Counters& counters, std::uint32_t field) {
    for (const auto& row : rows)
      if (row.offset == 4 * field)
        return row.is_watermark() ? row.read(counters) : row.read(counters) & low_bits(stat_bits);
    return 0;
  }

  void drive(const std::array<Step, lanes>& steps, const Read& read, bool clear) {
    Model& m = bench_.model();
    m.clear_i = clear ? 1 : 0;
    m.rd_valid_i = 1;
    m.rd_table_i = static_cast<std::uint8_t>(read.table);
    set_bits(m.rd_row_i, 0, row_bits, read.row);
    m.rd_field_i = static_cast<std::uint8_t>(read.field);
    for (unsigned k = 0; k < lanes; ++k) drive(k, steps[k]);
  }
  void drive(unsigned k, const Step& s) {
    Model& m = bench_.model();
    set_bits(m.valid_i, k, 1, s.valid);
    set_bits(m.pg_i, k * row_bits, row_bits, s.pg);
    set_bits(m.reason_i, k * weir_pkg::ReasonW, weir_pkg::ReasonW, s.reason);
    set_bits(m.bytes_i, k * byte_bits, byte_bits, s.bytes);
    set_bits(m.lossless_empty_i, k, 1, s.lossless_empty);
    set_bits(m.xoff_i, k, 1, s.xoff);
    set_bits(m.turned_i, k, 1, s.turned);
    set_bits(m.private_i, k * cell_bits, cell_bits, s.in_private);
    set_bits(m.shared_i, k * cell_bits, cell_bits, s.shared);
    set_bits(m.headroom_i, k * cell_bits, cell_bits, s.headroom);
    set_bits(m.threshold_i, k * 32, 32, s.threshold);
    set_bits(m.pool_i, k * pool_bits, pool_bits, s.pool);
    set_bits(m.pool_private_i, k * cell_bits, cell_bits, s.pool_private);
    set_bits(m.pool_shared_i, k * cell_bits, cell_bits, s.pool_shared);
    set_bits(m.pool_headroom_i, k * cell_bits, cell_bits, s.pool_headroom);
    for (unsigned c = 0; c < copies; ++c) {
      const unsigned slot = k * copies + c;
      const QueueStep& copy = s.copies[c];
      set_bits(m.queue_i, slot * row_bits, row_bits, copy.queue);
      set_bits(m.queue_entered_i, slot, 1, copy.entered);
      set_bits(m.queue_refused_i, slot, 1, copy.refused);
      set_bits(m.queue_limited_i, slot, 1, copy.limited);
      set_bits(m.queue_minimum_i, slot * cell_bits, cell_bits, copy.minimum);
      set_bits(m.queue_shared_i, slot * cell_bits, cell_bits, copy.shared);
    }
  }

  // Data are valid two cycles after their read.
  void check_answer() {
    board_.cycle(bench_.cycles());
    const bool due = expected_.size() >= 2;
    board_.compare(valid_, due ? 1 : 0, bench_->rd_valid_o);
    if (!due) return;
    const Read& read = reads_.front();
    board_.compare(data_[static_cast<std::size_t>(read.table)], expected_.front(),
                   bench_->rd_data_o, (read.row << weir_pkg::FieldW) + read.field);
    expected_.pop_front();
    reads_.pop_front();
  }

  void cover(const std::array<Step, lanes>& steps, const Read& read, bool clear) {
    for (unsigned k = 0; k < lanes; ++k) {
      if (!steps[k].valid) continue;
      for (unsigned j = 0; j < k; ++j)
        board_.hit_if(steps[j].valid && steps[j].pg == steps[k].pg, lanes_meet_);
      for (const Step& before : last_) {
        board_.hit_if(before.valid && before.pg == steps[k].pg, forwarded_);
        board_.hit_if(clear && before.valid && before.pg == steps[k].pg, cleared_between_);
      }
      board_.hit_if(steps[k].reason == 0 &&
                        core_.pg(PgIndex{steps[k].pg}).shared_watermark == cells(steps[k].shared),
                    mark_reached_again_);
    }
    for (const Step& before : last_)
      board_.hit_if(before.valid && read.table == Table::pg && before.pg == read.row, read_after_);
    for (std::uint32_t row = 0; row < rows; ++row)
      board_.hit_if(core_.pg(PgIndex{row}).bytes.count() > low_bits(stat_bits), wrapped_);
  }

  Bench<Model> bench_;
  StatsCounters core_{PgIndex{rows}, PoolIndex{pools}};
  RandomStream random_;
  std::deque<std::uint64_t> expected_;
  std::deque<Read> reads_;
  std::array<Step, lanes> last_{};
  Scoreboard board_{"stats_counters"};
  Scoreboard::Output valid_{board_.output("rd_valid_o")};
  std::array<Scoreboard::Output, 3> data_{board_.output("PG"), board_.output("queue"),
                                          board_.output("pool")};
  Scoreboard::Point cleared_{board_.point("clear")};
  Scoreboard::Point cleared_between_{board_.point("clear between two updates of one row")};
  Scoreboard::Point lanes_meet_{lanes > 1 ? board_.point("two lanes update one row")
                                          : board_.point("one lane: no lanes can meet")};
  Scoreboard::Point forwarded_{board_.point("one row in two cycles running")};
  Scoreboard::Point read_after_{board_.point("read right after an update of the row")};
  Scoreboard::Point mark_reached_again_{board_.point("a mark reached, not passed")};
  Scoreboard::Point wrapped_{stat_bits < 32 ? board_.point("a counter has wrapped")
                                            : board_.point("48 bits: no counter can wrap here")};

 public:
  /// Points that this configuration cannot reach.
  void excuse() {
    if (lanes == 1) board_.hit(lanes_meet_);
    if (stat_bits >= 32) board_.hit(wrapped_);
  }
};

using OneLane = StatsLockstep<Vstats_2_1_1, 2, 1, 1, 1, 17, 48>;
using TwoLanes = StatsLockstep<Vstats_3_2_3, 3, 2, 3, 2, 17, 16>;
using FourLanes = StatsLockstep<Vstats_8_4_2, 8, 4, 2, 3, 10, 48>;
using EightLanes = StatsLockstep<Vstats_2_8_1, 2, 8, 1, 2, 17, 48>;

template <class Lockstep>
class StatsCountersRtl : public testing::Test {};
using Configurations = testing::Types<OneLane, TwoLanes, FourLanes, EightLanes>;
TYPED_TEST_SUITE(StatsCountersRtl, Configurations);

TYPED_TEST(StatsCountersRtl, EqualsTheCoreUnderRandomVerdictsReadsAndClears) {
  TypeParam both{7};
  both.excuse();
  for (int phase = 0; phase < 60; ++phase) {
    const unsigned busy = phase % 3 == 0 ? 100 : 20 + both.draw(80);
    const unsigned rows_used = phase % 4 == 0 ? 1 : phase % 4 == 1 ? 3 : TypeParam::rows;
    for (int n = 0; n < 1500; ++n) both.cycle(busy, rows_used, both.draw(400) == 0);
    if (phase == 30) both.reset();
  }
  both.read_all();
  EXPECT_EQ(both.complaints(), "");
}

TYPED_TEST(StatsCountersRtl, CountsFarOfEveryReason) {
  TypeParam both{9};
  EXPECT_EQ(difference_in([&] {
              for (std::uint32_t reason = 0; reason < step_reasons; ++reason) {
                both.reset();
                for (const unsigned cycles : {65'535U, 4'465U}) {  // all bits up to the 16th
                  both.hammer(reason, cycles);
                  both.read_all();
                }
                both.cycle(0, 1, true);
                both.read_all();
              }
              both.reset();
              for (int n = 0; n < 20; ++n) both.cycle(100, 1);
            }),
            "");
}

TYPED_TEST(StatsCountersRtl, NothingIsCountedBeforeTheFirstVerdictOrRightAfterAClear) {
  TypeParam both{8};
  EXPECT_EQ(difference_in([&] {
              both.read_all();
              for (int n = 0; n < 500; ++n) both.cycle(100, TypeParam::rows);
              both.cycle(0, 1, true);
              both.read_all();
              for (int n = 0; n < 500; ++n) both.cycle(100, TypeParam::rows, n % 2 == 0);
              both.read_all();
            }),
            "");
}

}  // namespace
}  // namespace weir::test
