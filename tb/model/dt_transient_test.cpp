// SPDX-License-Identifier: Apache-2.0
// n old queues hold T0 = alpha*B/(1 + alpha*n) when m new ones begin to fill at R times the rate at
// which each drains. The old ones can follow the falling threshold, and no new queue is XOFF before
// its steady share, if and only if R <= 1 + (1 + alpha*n)/(alpha*m). Otherwise the first XOFF comes
// at q1 = T0*(R - 1)/((R - 1)*(1 + alpha*m) - alpha*n).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/closed_loop_hosts.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::dt_transient_test {
namespace {

using test::ClosedLoopHosts;
using test::DynamicThresholdBench;

constexpr std::uint64_t pool_bytes = 12'000'000;
constexpr std::uint64_t cell = DynamicThresholdBench::packet_bytes;
constexpr Picoseconds new_ones_start{4'000'000'000};

struct Row {
  Alpha alpha;
  std::size_t old_queues, new_queues;
  std::uint64_t period_ps;  // of a new queue's packets; R = 96,000 ps / period

  [[nodiscard]] double alpha_value() const {
    return static_cast<double>(alpha.numerator) / static_cast<double>(1U << alpha.shift);
  }
  [[nodiscard]] double ratio() const {
    return static_cast<double>(DynamicThresholdBench::drain_period.count()) /
           static_cast<double>(period_ps);
  }
  [[nodiscard]] double old_share() const {
    return alpha_value() * pool_bytes / (1 + alpha_value() * static_cast<double>(old_queues));
  }
  [[nodiscard]] double final_share() const {
    const auto all = static_cast<double>(old_queues + new_queues);
    return alpha_value() * pool_bytes / (1 + alpha_value() * all);
  }
  [[nodiscard]] double largest_tracking_ratio() const {
    return 1 + (1 + alpha_value() * static_cast<double>(old_queues)) /
                   (alpha_value() * static_cast<double>(new_queues));
  }
  [[nodiscard]] double early_xoff() const {
    const double r = ratio() - 1;
    return old_share() * r /
           (r * (1 + alpha_value() * static_cast<double>(new_queues)) -
            alpha_value() * static_cast<double>(old_queues));
  }
};

class FirstXoffOfNewQueues final : public ClosedLoopHosts {
 public:
  FirstXoffOfNewQueues(Network& network, const DynamicThresholdBench& bench, std::size_t old_queues)
      : ClosedLoopHosts{network, bench}, old_queues_{old_queues} {}

  std::uint64_t bytes{0};  // held by the new queue

 private:
  void at_xoff(std::size_t i) override {
    if (i >= old_queues_ && bytes == 0) bytes = shared(i) * cell;
  }

  const std::size_t old_queues_;
};

// Bytes held by the first new queue to go XOFF, at that time.
double first_xoff(const Row& row) {
  return std::stod(run_in_child([&] {
    DynamicThresholdBench bench{row.alpha, Cells{pool_bytes / cell}, {}};
    for (std::size_t i = 0; i < row.old_queues; ++i)
      bench.senders.push_back({Picoseconds{0}, Picoseconds{0}});
    for (std::size_t i = 0; i < row.new_queues; ++i)
      bench.senders.push_back({new_ones_start, Picoseconds{row.period_ps}});
    Network network{bench.scenario(Picoseconds{40'000'000'000})};
    FirstXoffOfNewQueues hosts{network, bench, row.old_queues};
    const Picoseconds slice{1'000'000'000};
    while (hosts.bytes == 0 && network.now() < network.scenario().until)
      network.run_until(network.now() + slice);
    return std::to_string(hosts.bytes);
  }));
}

double packets_of(const Row& row) {
  return static_cast<double>((row.old_queues + row.new_queues) * cell);
}

TEST(DtTransient, TheFourPublishedRows) {
  const Row tracks{Alpha{1, 0}, 1, 1, 48'000}, four_fold{Alpha{1, 0}, 1, 1, 24'000},
      many{Alpha{1, 1}, 2, 4, 32'000}, large_alpha{Alpha{8, 0}, 1, 4, 48'000};
  EXPECT_NEAR(first_xoff(tracks), 4.0e6, packets_of(tracks)) << "alpha 1, n 1, m 1, R 2";
  EXPECT_NEAR(first_xoff(four_fold), 3.6e6, packets_of(four_fold)) << "alpha 1, n 1, m 1, R 4";
  EXPECT_NEAR(first_xoff(many), 1.2e6, packets_of(many)) << "alpha 1/2, n 2, m 4, R 3";
  EXPECT_NEAR(first_xoff(large_alpha), large_alpha.early_xoff(), packets_of(large_alpha))
      << "alpha 8, n 1, m 4, R 2";
  EXPECT_NEAR(large_alpha.early_xoff(), 0.427e6, 500) << "the published figure has three digits";
}

// A packet a queue moves the threshold, and so the crossing, by alpha packets a queue.
double threshold_step(const Row& row) { return packets_of(row) * std::max(1.0, row.alpha_value()); }

void expect_tracking(const Row& row) {
  ASSERT_LE(row.ratio(), row.largest_tracking_ratio()) << "the row is on the other side";
  EXPECT_NEAR(first_xoff(row), row.final_share(), threshold_step(row)) << "R " << row.ratio();
}

void expect_early(const Row& row) {
  ASSERT_GT(row.ratio(), row.largest_tracking_ratio()) << "the row is on the other side";
  ASSERT_LT(row.early_xoff(), row.final_share() - threshold_step(row))
      << "too close to distinguish";
  EXPECT_NEAR(first_xoff(row), row.early_xoff(), threshold_step(row)) << "R " << row.ratio();
}

TEST(DtTransient, AlphaOneIsXoffEarlyJustAboveThreeTimesTheDrainRate) {
  expect_tracking({Alpha{1, 0}, 1, 1, 32'000});
  expect_early({Alpha{1, 0}, 1, 1, 31'900});
}

TEST(DtTransient, AlphaOneHalfIsXoffEarlyJustAboveTwiceTheDrainRate) {
  expect_tracking({Alpha{1, 1}, 2, 4, 48'000});
  expect_early({Alpha{1, 1}, 2, 4, 47'900});
}

TEST(DtTransient, AlphaEightIsXoffEarlyJustAboveNineThirtySecondsOverTheDrainRate) {
  expect_tracking({Alpha{8, 0}, 1, 4, 75'000});
  expect_early({Alpha{8, 0}, 1, 4, 74'900});
}

}  // namespace
}  // namespace weir::dt_transient_test
