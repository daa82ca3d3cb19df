// SPDX-License-Identifier: Apache-2.0
// Senders with the rate control of core/host/dcqcn, one queue that marks at dequeue, and nothing
// else: against an independent simulation of the same set-ups (vectors/dcqcn).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <queue>
#include <string>
#include <vector>

#include "weir/config/format/csv.hpp"
#include "weir/core/host/dcqcn.hpp"
#include "weir/core/random.hpp"

namespace weir::dcqcn_reference_test {
namespace {

constexpr Bytes packet{1000};
constexpr std::uint64_t ps_per_us = 1'000'000;

struct Row {
  std::uint32_t line{0};
  std::size_t senders{0};
  BitRate rate;
  double kmin{0}, kmax{0}, pmax{0};
  std::uint64_t delay{0}, until{0};  // ps
  std::uint64_t seeds{0};
  double queue_kb{0}, marked_percent{0}, utilisation{0}, jain{0};
};

struct Measured {
  double queue_kb{0}, marked_percent{0}, utilisation{0}, jain{0};
};

class OneQueue {
 public:
  OneQueue(const Row& row, std::uint64_t seed)
      : row_{row},
        draws_{seed, "marks"},
        slot_{DcqcnRate::pacing_gap(packet, row.rate).count()},
        from_{row.until / 4},
        notifiers_(row.senders),
        delivered_(row.senders, 0) {
    rates_.assign(row.senders, DcqcnRate{settings_, row.rate});
    for (std::size_t i = 0; i < row.senders; ++i)
      events_.push({1000 * i, Kind::send, static_cast<std::uint32_t>(i)});
  }

  Measured run() {
    while (events_.top().at < row_.until) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    hold(row_.until);
    const double time = static_cast<double>(row_.until - from_);
    double sum = 0, squares = 0;
    for (const std::uint64_t count : delivered_) {
      sum += static_cast<double>(count);
      squares += static_cast<double>(count) * static_cast<double>(count);
    }
    return {area_ / time / 1000, 100 * marked_ / sum, sum * static_cast<double>(slot_) / time,
            sum * sum / (static_cast<double>(row_.senders) * squares)};
  }

 private:
  // What happens at one moment: CNPs, then packets of senders, then the queue.
  enum class Kind : std::uint8_t { cnp, send, arrive, depart, deliver };
  struct Event {
    std::uint64_t at;
    Kind kind;
    std::uint32_t sender;
    bool operator<(const Event& other) const {
      if (at != other.at) return at > other.at;
      if (kind != other.kind) return kind > other.kind;
      return sender > other.sender;
    }
  };

  void handle(const Event& event) {
    const Picoseconds now{event.at};
    switch (event.kind) {
      case Kind::cnp:
        return rates_[event.sender].notified(now);
      case Kind::send:
        events_.push({rates_[event.sender].sent(packet, now).count(), Kind::send, event.sender});
        events_.push({event.at + slot_ + row_.delay, Kind::arrive, event.sender});
        return;
      case Kind::arrive:
        hold(event.at);
        queue_.push_back(event.sender);
        if (event.at < free_at_ || departing_) return;
        return depart(event.at);
      case Kind::depart:
        departing_ = false;
        return depart(event.at);
      case Kind::deliver:  // marked
        if (notifiers_[event.sender].marked(now, settings_.cnp_interval))
          events_.push({event.at + 2 * row_.delay, Kind::cnp, event.sender});
    }
  }

  // The first packet leaves: it is marked by what remains.
  void depart(std::uint64_t now) {
    if (queue_.empty()) return;
    hold(now);
    const std::uint32_t sender = queue_.front();
    queue_.pop_front();
    if (from_ <= now) ++delivered_[sender];
    if (marks()) {
      if (from_ <= now) ++marked_;
      events_.push({now + slot_ + row_.delay, Kind::deliver, sender});
    }
    free_at_ = now + slot_;
    departing_ = true;
    events_.push({free_at_, Kind::depart, 0});
  }

  [[nodiscard]] bool marks() {
    const double left = bytes();
    if (left < row_.kmin) return false;
    if (row_.kmax <= left) return true;
    const double share = row_.pmax * (left - row_.kmin) / (row_.kmax - row_.kmin);
    return static_cast<double>(draws_.next() >> 11) < share * 0x1p53;
  }

  [[nodiscard]] double bytes() const { return static_cast<double>(queue_.size() * packet.count()); }
  void hold(std::uint64_t now) {
    if (from_ < now) area_ += bytes() * static_cast<double>(now - std::max(held_, from_));
    held_ = now;
  }

  const Row row_;
  const DcqcnSettings settings_;
  RandomStream draws_;
  const std::uint64_t slot_, from_;
  std::vector<DcqcnRate> rates_;
  std::vector<DcqcnNotifier> notifiers_;
  std::vector<std::uint64_t> delivered_;
  std::priority_queue<Event> events_;
  std::deque<std::uint32_t> queue_;
  std::uint64_t free_at_{0}, held_{0};
  bool departing_{false};
  double area_{0}, marked_{0};
};

std::vector<Row> reference() {
  const CsvTable table =
      read_csv("vectors/dcqcn/reference.csv", Node{},
               {"senders", "rate_gbps", "kmin_bytes", "kmax_bytes", "pmax", "delay_us", "until_ms",
                "seeds", "queue_mean_kB", "queue_mean_spread_kB", "queue_std_kB", "queue_peak_kB",
                "marked_percent", "cnp_per_second_and_sender", "utilisation", "jain"});
  std::vector<Row> rows;
  for (const CsvTable::Row& row : table.rows) {
    const auto number = [&](std::size_t column) { return std::stod(row.values[column]); };
    rows.push_back({row.line, table.count(row, 0), BitRate{table.count(row, 1) * 1'000'000'000},
                    number(2), number(3), number(4), table.count(row, 5) * ps_per_us,
                    table.count(row, 6) * 1000 * ps_per_us, table.count(row, 7), number(8),
                    number(12), number(14), number(15)});
  }
  return rows;
}

// The mean of as many seeds as the reference is the mean of.
Measured mean_of_seeds(const Row& row) {
  Measured mean;
  for (std::uint64_t seed = 1; seed <= row.seeds; ++seed) {
    const Measured one = OneQueue{row, seed}.run();
    const double share = 1 / static_cast<double>(row.seeds);
    mean.queue_kb += share * one.queue_kb;
    mean.marked_percent += share * one.marked_percent;
    mean.utilisation += share * one.utilisation;
    mean.jain += share * one.jain;
  }
  return mean;
}

void expect_row(const Row& row) {
  SCOPED_TRACE("row of line " + std::to_string(row.line));
  const Measured measured = mean_of_seeds(row);
  std::printf(
      "%2zu senders %3llu G  queue %6.1f / %6.1f kB  marked %7.4f / %7.4f %%  "
      "utilisation %.4f / %.4f  jain %.4f / %.4f\n",
      row.senders, static_cast<unsigned long long>(row.rate.count() / 1'000'000'000),
      measured.queue_kb, row.queue_kb, measured.marked_percent, row.marked_percent,
      measured.utilisation, row.utilisation, measured.jain, row.jain);
  EXPECT_NEAR(measured.queue_kb, row.queue_kb, std::max(3.0, 0.10 * row.queue_kb));
  EXPECT_NEAR(measured.marked_percent, row.marked_percent, 0.15 * row.marked_percent);
  EXPECT_NEAR(measured.utilisation, row.utilisation, 0.01);
  EXPECT_GT(measured.jain, 0.99);
}

class DcqcnReference : public testing::TestWithParam<std::size_t> {};

TEST_P(DcqcnReference, ARowIsReproducedWithoutASwitch) {
  const std::vector<Row> rows = reference();
  ASSERT_EQ(rows.size(), 12U);
  expect_row(rows[GetParam()]);
}

INSTANTIATE_TEST_SUITE_P(Rows, DcqcnReference, testing::Range<std::size_t>(0, 12));

}  // namespace
}  // namespace weir::dcqcn_reference_test
