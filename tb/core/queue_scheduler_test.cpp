// SPDX-License-Identifier: Apache-2.0
#include "weir/core/scheduling/queue_scheduler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"

namespace weir::queue_scheduler_test {
namespace {

using Heads = QueueScheduler::Heads;
using Weights = QueueScheduler::Weights;

constexpr Weights equal{1, 1, 1, 1, 1, 1, 1, 1};

Heads all_heads(std::uint64_t bytes) {
  Heads heads;
  heads.fill(Bytes{bytes});
  return heads;
}

// Picks and sends; -1 when nothing was eligible.
int send(QueueScheduler& scheduler, std::uint8_t eligible, const Heads& heads) {
  const int queue = scheduler.pick(eligible, heads);
  if (queue != QueueScheduler::none) {
    scheduler.served(queue, heads[static_cast<std::size_t>(queue)]);
  }
  return queue;
}

std::vector<int> send_many(QueueScheduler& scheduler, std::uint8_t eligible, const Heads& heads,
                           int frames) {
  std::vector<int> order;
  for (int k = 0; k < frames; ++k) order.push_back(send(scheduler, eligible, heads));
  return order;
}

TEST(QueueScheduler, NothingEligibleNothingPicked) {
  QueueScheduler scheduler{0, equal};
  EXPECT_EQ(scheduler.pick(0, all_heads(64)), QueueScheduler::none);
}

TEST(QueueScheduler, StrictQueuesGoFirstHighestIndexFirst) {
  QueueScheduler scheduler{0b1010'0000, equal};
  const Heads heads = all_heads(1000);
  EXPECT_EQ(scheduler.pick(0xff, heads), 7);
  EXPECT_EQ(scheduler.pick(0x7f, heads), 5) << "6 is not strict";
  EXPECT_EQ(scheduler.pick(0x5f, heads), 0) << "no strict queue left: the first DWRR queue";
}

TEST(QueueScheduler, StrictTrafficLeavesTheDwrrStateAlone) {
  QueueScheduler with{0x80, {2, 3, 1, 1, 1, 1, 1, 1}, Bytes{500}};
  QueueScheduler without = with;
  const Heads heads = all_heads(400);
  std::vector<int> a, b;
  for (int k = 0; k < 60; ++k) {
    a.push_back(send(with, 0x0f, heads));
    b.push_back(send(without, 0x0f, heads));
    EXPECT_EQ(send(with, 0x8f, heads), 7);
  }
  EXPECT_EQ(a, b);
}

TEST(QueueScheduler, ATurnLastsAsLongAsTheDeficitCoversTheHead) {
  QueueScheduler scheduler{0, {1, 2, 4, 1, 1, 1, 1, 1}, Bytes{1000}};
  EXPECT_EQ(send_many(scheduler, 0b111, all_heads(1000), 8),
            (std::vector<int>{0, 1, 1, 2, 2, 2, 2, 0}));
}

TEST(QueueScheduler, DeficitMustCoverTheHeadToTheByte) {
  QueueScheduler exact{0, equal, Bytes{1000}};
  EXPECT_EQ(send_many(exact, 0b11, all_heads(1000), 2), (std::vector<int>{0, 1}));
  QueueScheduler scheduler{0, equal, Bytes{1000}};
  Heads heads = all_heads(1000);
  heads[0] = Bytes{1001};
  EXPECT_EQ(send(scheduler, 0b11, heads), 1) << "queue 0 is one byte short in the first round";
  EXPECT_EQ(scheduler.deficit(0), Bytes{1000}) << "and keeps what it has";
  EXPECT_EQ(send(scheduler, 0b11, heads), 0) << "in the second it is not";
  EXPECT_EQ(scheduler.deficit(0), Bytes{999});
}

TEST(QueueScheduler, AskingTwiceChangesNothing) {
  QueueScheduler scheduler{0, equal, Bytes{100}};
  const Heads heads = all_heads(1500);
  const int first = scheduler.pick(0xff, heads);
  const Bytes deficit = scheduler.deficit(static_cast<unsigned>(first));
  EXPECT_EQ(scheduler.pick(0xff, heads), first);
  EXPECT_EQ(scheduler.deficit(static_cast<unsigned>(first)), deficit);
}

TEST(QueueScheduler, AQueueThatWasIdleBringsNoCredit) {
  QueueScheduler scheduler{0, equal, Bytes{1000}};
  const Heads heads = all_heads(600);
  EXPECT_EQ(send(scheduler, 0b01, heads), 0);
  EXPECT_EQ(scheduler.deficit(0), Bytes{400});
  EXPECT_EQ(send(scheduler, 0b10, heads), 1) << "queue 0 is empty, the turn moves on";
  EXPECT_EQ(scheduler.deficit(0), Bytes{0});
}

TEST(QueueScheduler, PausedQueuesNeverStopTheOthers) {
  QueueScheduler scheduler{0, equal, Bytes{1000}};
  const Heads heads = all_heads(1000);
  EXPECT_EQ(send_many(scheduler, 0b101, heads, 4), (std::vector<int>{0, 2, 0, 2}));
  EXPECT_EQ(send_many(scheduler, 0b100, heads, 3), (std::vector<int>{2, 2, 2}));
}

TEST(QueueScheduler, SharesFollowTheWeightsWithinOneFrame) {
  const Weights weights{1, 2, 4, 1, 1, 1, 1, 1};
  constexpr std::uint64_t mtu = 9216;
  for (const std::uint64_t quantum : {1U, 64U, 256U, 1500U, 9216U}) {
    QueueScheduler scheduler{0, weights, Bytes{quantum}};
    RandomStream lengths{1, "lengths", quantum};
    const auto length = [&] { return Bytes{64 + lengths.uniform(mtu - 63)}; };
    Heads heads;
    for (Bytes& head : heads) head = length();
    std::array<std::uint64_t, 3> sent{};
    for (int frame = 0; frame < 100'000; ++frame) {
      const int picked = scheduler.pick(0b111, heads);
      ASSERT_GE(picked, 0) << "work conserving";
      const auto queue = static_cast<std::size_t>(picked);
      sent[queue] += heads[queue].count();
      scheduler.served(picked, heads[queue]);
      heads[queue] = length();
    }
    // Grants so far, sent and not yet sent, are a whole number of visits; queues that stay eligible
    // differ by one visit at most.
    std::array<std::uint64_t, 3> visits{};
    for (std::size_t q = 0; q < 3; ++q) {
      const std::uint64_t left = scheduler.deficit(static_cast<unsigned>(q)).count();
      EXPECT_EQ((sent[q] + left) % (weights[q] * quantum), 0U) << "queue " << q;
      visits[q] = (sent[q] + left) / (weights[q] * quantum);
      EXPECT_LT(left, mtu + weights[q] * quantum) << "queue " << q << ", quantum " << quantum;
    }
    EXPECT_LE(visits[0] - visits[2], 1U) << "quantum " << quantum;
    EXPECT_LE(visits[0] - visits[1], 1U) << "quantum " << quantum;
    if (quantum == 1) {  // no turn in progress: shares exact to a frame
      EXPECT_NEAR(static_cast<double>(sent[1]), 2.0 * static_cast<double>(sent[0]), 2.0 * mtu);
      EXPECT_NEAR(static_cast<double>(sent[2]), 4.0 * static_cast<double>(sent[0]), 4.0 * mtu);
    }
  }
}

TEST(QueueScheduler, LimitsOfWeightAndQuantumAreChecked) {
  EXPECT_THROW((QueueScheduler{0, equal, Bytes{0}}), ConfigError);
  EXPECT_NO_THROW((QueueScheduler{0, equal, Bytes{1}}));
  EXPECT_NO_THROW((QueueScheduler{0, equal, Bytes{65535}}));
  EXPECT_THROW((QueueScheduler{0, equal, Bytes{65536}}), ConfigError);
  Weights weights = equal;
  weights[5] = 0;
  EXPECT_THROW((QueueScheduler{0, weights}), ConfigError);
  EXPECT_NO_THROW((QueueScheduler{1U << 5, weights})) << "a strict queue has no weight";
  weights[5] = 65535;
  EXPECT_NO_THROW((QueueScheduler{0, weights}));
  weights[5] = 65536;
  EXPECT_THROW((QueueScheduler{0, weights}), ConfigError);
}

// The order that the header states, visit by visit.
class Reference {
 public:
  Reference(std::uint8_t strict, Weights weights, std::uint64_t quantum)
      : strict_{strict}, weights_{weights}, quantum_{quantum} {}

  int pick(std::uint8_t eligible, const Heads& heads) {
    for (int q = 7; q >= 0; --q) {
      if ((eligible & strict_ & 1U << q) != 0) return q;
    }
    if (eligible == 0) return -1;
    if (is(eligible, turn_) && deficit_[turn_] >= heads[turn_].count()) {
      return static_cast<int>(turn_);
    }
    for (std::size_t q = 0; q < 8; ++q) {
      if (!is(eligible, q)) deficit_[q] = 0;
    }
    for (;;) {
      turn_ = (turn_ + 1) % 8;
      if (!is(eligible, turn_)) continue;
      deficit_[turn_] += weights_[turn_] * quantum_;
      if (deficit_[turn_] >= heads[turn_].count()) return static_cast<int>(turn_);
    }
  }
  void served(int queue, Bytes bytes) {
    if ((strict_ & 1U << queue) == 0) deficit_[static_cast<std::size_t>(queue)] -= bytes.count();
  }

 private:
  static bool is(std::uint8_t mask, std::size_t q) { return (mask >> q & 1U) != 0; }
  std::uint8_t strict_;
  Weights weights_;
  std::uint64_t quantum_;
  std::array<std::uint64_t, 8> deficit_{};
  std::size_t turn_{7};
};

RC_GTEST_PROP(QueueScheduler, EqualsTheOrderWalkedVisitByVisit, ()) {
  const auto strict = *rc::gen::arbitrary<std::uint8_t>();
  const auto quantum = *rc::gen::inRange<std::uint64_t>(1, 3000);
  Weights weights;
  for (std::uint32_t& weight : weights) weight = *rc::gen::inRange<std::uint32_t>(1, 10);
  QueueScheduler scheduler{strict, weights, Bytes{quantum}};
  Reference reference{strict, weights, quantum};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  RandomStream random{seed, "traffic"};
  for (int frame = 0; frame < 200; ++frame) {
    Heads heads;
    for (Bytes& head : heads) head = Bytes{64 + random.uniform(1500)};
    // Usually the same queues, so that deficits matter; often only DWRR ones.
    auto eligible = static_cast<std::uint8_t>(random.next() | random.next());
    if (random.uniform(4) != 0) eligible = static_cast<std::uint8_t>(eligible & ~strict);
    if (random.uniform(3) == 0) eligible = static_cast<std::uint8_t>(1U << random.uniform(8));
    const int expected = reference.pick(eligible, heads);
    if ((eligible & (eligible - 1)) == 0 && expected >= 0 && random.uniform(2) == 0) {
      const auto only = static_cast<std::size_t>(expected);
      scheduler.serve_only(static_cast<unsigned>(expected), heads[only]);
      reference.served(expected, heads[only]);
      continue;
    }
    const int picked = scheduler.pick(eligible, heads);
    RC_ASSERT(picked == expected);
    if (picked < 0) continue;
    RC_ASSERT((eligible >> picked & 1) != 0);
    scheduler.served(picked, heads[static_cast<std::size_t>(picked)]);
    reference.served(picked, heads[static_cast<std::size_t>(picked)]);
  }
}

}  // namespace
}  // namespace weir::queue_scheduler_test
