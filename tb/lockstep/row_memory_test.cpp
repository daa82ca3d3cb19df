// SPDX-License-Identifier: Apache-2.0
// rtl: rows_6 = row_memory Rows=6 Width=9 Reads=2 Writes=3
// rtl: rows_flip_flops = row_memory Rows=6 Width=9 Reads=2 Writes=9
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "Vrows_6.h"
#include "Vrows_flip_flops.h"
#include "lockstep/bench.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

constexpr unsigned row_count = 6, row_w = 3, width = 9, reads = 2;

/// row_memory next to an array: every port busy, from the first cycle after a reset on.
template <class Model, unsigned writes>
class RowMemoryLockstep {
 public:
  /// Starts with a reset in the middle of the round before.
  void round(std::uint64_t cycles) {
    bench_.reset(1 + static_cast<int>(random_.uniform(3)));
    rows_.fill(0);
    shown_.fill(0);
    now_ = 0;
    for (std::uint64_t n = 0; n < cycles; ++n) cycle();
  }
  [[nodiscard]] Scoreboard& board() noexcept { return board_; }

 private:
  void cycle() {
    board_.cycle(now_);
    const bool ready = now_ >= row_count;
    const auto drawn = draw();
    bench_.settle();
    board_.compare(done_, ready, bench_->init_done_o);
    for (unsigned k = 0; k < reads; ++k)
      board_.compare(data_, shown_[k], bits(bench_->rd_data_o, k * width, width), k);
    write(ready);
    for (unsigned k = 0; k < reads; ++k) {
      shown_[k] = ready ? rows_[drawn[k]] : 0;
      for (unsigned j = 0; j < writes; ++j)
        board_.hit_if(ready && valid_[j] && row_[j] == drawn[k], shown_at_once_);
    }
    bench_.clock();
    ++now_;
  }

  // Random values on all pins; returns the rows that are read.
  std::array<std::size_t, reads> draw() {
    std::array<std::size_t, reads> drawn{};
    for (unsigned k = 0; k < reads; ++k) {
      drawn[k] = random_.uniform(row_count);
      set_bits(bench_->rd_row_i, k * row_w, row_w, drawn[k]);
    }
    for (unsigned k = 0; k < writes; ++k) {
      valid_[k] = random_.uniform(2) != 0;
      row_[k] = random_.uniform(row_count);
      value_[k] = random_.uniform(1U << width);
      set_bits(bench_->wr_valid_i, k, 1, valid_[k]);
      set_bits(bench_->wr_row_i, k * row_w, row_w, row_[k]);
      set_bits(bench_->wr_data_i, k * width, width, value_[k]);
    }
    return drawn;
  }

  // Until the memory is cleared, writes are ignored; of several writes to one row the highest port
  // wins.
  void write(bool ready) {
    for (unsigned k = 0; k < writes; ++k) {
      board_.hit_if(valid_[k] && !ready, walk_);
      if (!valid_[k] || !ready) continue;
      for (unsigned j = 0; j < k; ++j) board_.hit_if(valid_[j] && row_[j] == row_[k], same_);
      rows_[row_[k]] = value_[k];
    }
  }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    for (unsigned k = 0; k < writes; ++k)
      if (valid_[k]) text << "write row " << row_[k] << " value " << value_[k] << "; ";
    return text.str();
  }

  Bench<Model> bench_;
  RandomStream random_{lockstep_first_round() + 1, "row_memory"};
  Scoreboard board_{"row_memory", [this] { return format_inputs(); }};
  const Scoreboard::Output done_{board_.output("init_done_o")}, data_{board_.output("rd_data_o")};
  const Scoreboard::Point walk_{board_.point("write before the walk has ended")},
      same_{board_.point("two writes of one row")},
      shown_at_once_{board_.point("a read of a row that is being written")};
  std::array<std::uint64_t, row_count> rows_{};
  std::array<std::uint64_t, reads> shown_{};
  std::array<bool, writes> valid_{};
  std::array<std::size_t, writes> row_{};
  std::array<std::uint64_t, writes> value_{};
  std::uint64_t now_{0};
};

/// The first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model, unsigned writes>
std::string complaints() {
  RowMemoryLockstep<Model, writes> lockstep;
  const std::string difference = difference_in([&] {
    for (std::uint64_t n = 0; n < lockstep_cycles(2'000); ++n) lockstep.round(3 + n % 40);
  });
  return difference.empty() ? lockstep.board().complaints() : difference;
}

TEST(RowMemory, IsClearedByTheWalkAndShowsTheLastWrite) {
  EXPECT_EQ((complaints<Vrows_6, 3>()), "");
}

// With more than eight write ports the rows are flip-flops.
TEST(RowMemory, OfNineWritePortsShowsTheLastWrite) {
  EXPECT_EQ((complaints<Vrows_flip_flops, 9>()), "");
}

}  // namespace
}  // namespace weir::test
