// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/deadlock_detector.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/lossless_ring.hpp"
#include "support/small_chip.hpp"

namespace weir::deadlock_detector_test {
namespace {

using Queue = WaitGraph::Queue;
using Group = WaitGraph::GroupNumber;
using QueueNumber = WaitGraph::QueueNumber;
using QueueNumbers = std::vector<std::size_t>;
using test::LosslessRing;

// Alpha 1 over 100 cells, no private, XON when w <= T - 10.
PgSettings settings() {
  PgSettings pg;
  pg.threshold = Threshold{Cells{100}, Alpha{1, 0}, Cells{0}};
  pg.shared_pool = Cells{100};
  pg.headroom_limit = Cells{50};
  pg.headroom_pool = Cells{0xffff'ffffU};
  pg.xon_offset = Cells{10};
  pg.lossless = true;
  return pg;
}

WaitGraph::Group group(std::uint32_t shared, std::size_t pool) {
  return {settings(), {Cells{0}, Cells{shared}, Cells{0}}, WaitGraph::SharedPool{pool}, false};
}

Queue queue(std::uint64_t id, std::optional<Group> paused_by,
            std::vector<WaitGraph::Content> content, std::uint64_t since = 0) {
  return {id, paused_by, std::move(content), Picoseconds{since}};
}

// Two switches, each with one queue to the other, full of frames from the other: group i is that of
// switch i, its frames are in queue i, which is paused by the group of the other switch.
WaitGraph two_switch_loop() {
  WaitGraph graph;
  graph.groups = {group(60, 0), group(60, 1)};
  graph.queues = {queue(10, Group{1}, {{Group{0}, Cells{60}}}, 700),
                  queue(20, Group{0}, {{Group{1}, Cells{60}}}, 500)};
  return graph;
}

QueueNumbers numbers(const std::vector<QueueNumber>& queues) {
  QueueNumbers values;
  for (const QueueNumber queue : queues) values.push_back(queue.value());
  return values;
}

QueueNumbers members(const WaitGraph& graph) {
  const std::vector<Deadlock> found = DeadlockDetector{}.look(graph);
  return found.size() == 1 ? numbers(found.front().members) : QueueNumbers{};
}

TEST(DeadlockDetector, TwoQueuesThatWaitForEachOtherAreReported) {
  const WaitGraph graph = two_switch_loop();
  DeadlockDetector detector;
  const std::vector<Deadlock> found = detector.look(graph);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(numbers(found[0].members), (QueueNumbers{1, 0}))
      << "begins with the first that was paused";
  EXPECT_EQ(numbers(found[0].caught), (QueueNumbers{0, 1}));
  EXPECT_EQ(found[0].formed, Picoseconds{700}) << "when the last of them was paused";
}

TEST(DeadlockDetector, ADeadlockIsReportedOnce) {
  WaitGraph graph = two_switch_loop();
  DeadlockDetector detector;
  EXPECT_EQ(detector.look(graph).size(), 1U);
  EXPECT_TRUE(detector.look(graph).empty());
  // One more queue that waits for it adds no new deadlock.
  graph.queues.push_back(queue(30, Group{0}, {}, 900));
  EXPECT_TRUE(detector.look(graph).empty());
}

TEST(DeadlockDetector, ADeadlockThatComesBackIsReportedAgain) {
  const WaitGraph graph = two_switch_loop();
  DeadlockDetector detector;
  EXPECT_EQ(detector.look(graph).size(), 1U);
  EXPECT_TRUE(detector.look(WaitGraph{}).empty());
  EXPECT_EQ(detector.look(graph).size(), 1U);
  // The same queues, but frames have left in between.
  WaitGraph later = graph;
  for (Queue& q : later.queues) q.since += Picoseconds{1000};
  EXPECT_EQ(detector.look(later).size(), 1U);
}

TEST(DeadlockDetector, ACircleWhoseGroupsDrainElsewhereIsNoDeadlock) {
  // Of the 60 cells of each group only some wait in the circle; the rest leaves by other ports.
  // Without further arrivals a group with w cells resumes when w <= (100 - w) - 10, up to 45.
  for (const std::uint32_t waiting : {45U, 46U}) {
    WaitGraph graph = two_switch_loop();
    graph.queues[QueueNumber{0}].content = {{Group{0}, Cells{waiting}}};
    EXPECT_EQ(members(graph).size(), waiting == 45 ? 0U : 2U) << waiting << " cells wait";
    EXPECT_EQ(stuck_queues(graph)[QueueNumber{0}], waiting == 46) << waiting << " cells wait";
  }
}

TEST(DeadlockDetector, WhatOthersHoldInThePoolCountsOnlyIfItStays) {
  // A third group has 40 cells in the pool of switch 0; group 0 needs T >= 40 + 10.
  WaitGraph graph = two_switch_loop();
  graph.groups.push_back(group(40, 0));
  graph.queues[QueueNumber{0}].content = {{Group{0}, Cells{40}}};
  EXPECT_TRUE(members(graph).empty()) << "the third group drains";
  graph.queues[QueueNumber{0}].content.push_back({Group{2}, Cells{10}});
  EXPECT_TRUE(members(graph).empty()) << "T = 100 - 40 - 10, and 40 <= T - 10";
  graph.queues[QueueNumber{0}].content.back().cells = Cells{11};
  EXPECT_EQ(members(graph).size(), 2U) << "T = 100 - 40 - 11";
}

TEST(DeadlockDetector, AGroupThatTakesNoStepDoesNotResume) {
  // S has fallen, so the XON rule would hold, but the PG is evaluated at its own steps only.
  WaitGraph graph = two_switch_loop();
  for (std::size_t g : {0U, 1U}) {
    graph.groups[Group{g}] = group(20, g);
    graph.queues[QueueNumber{g}].content = {{Group{g}, Cells{20}}};
  }
  EXPECT_EQ(members(graph).size(), 2U);
  graph.groups[Group{1}].frames_come = true;
  EXPECT_TRUE(members(graph).empty()) << "the frame that comes brings a step";
}

TEST(DeadlockDetector, HeadroomAndPrivateCellsAreGivenInTheirOrder) {
  // 30 in headroom, 10 shared, 6 private: the remaining cells fill private first, so 16 that wait
  // are 10 in shared, and 17 are one in headroom.
  for (const std::uint32_t waiting : {16U, 17U}) {
    WaitGraph graph = two_switch_loop();
    graph.groups[Group{0}].settings.private_limit = Cells{6};
    graph.groups[Group{0}].held = {Cells{6}, Cells{10}, Cells{30}};
    graph.queues[QueueNumber{0}].content = {{Group{0}, Cells{waiting}}};
    EXPECT_EQ(members(graph).size(), waiting == 16 ? 0U : 2U) << waiting << " cells wait";
  }
}

TEST(DeadlockDetector, AQueueThatNothingPausesDrains) {
  WaitGraph graph = two_switch_loop();
  graph.queues[QueueNumber{0}].paused_by.reset();
  EXPECT_TRUE(members(graph).empty());
  for (const bool stuck : stuck_queues(graph)) EXPECT_FALSE(stuck);
}

TEST(DeadlockDetector, WhoWaitsForTheCircleIsCaughtButNoMember) {
  // A queue of a third switch is paused by group 2 of switch 0, whose frames wait in queue 0.
  WaitGraph graph = two_switch_loop();
  graph.groups.push_back(group(30, 0));
  graph.queues[QueueNumber{0}].content.push_back({Group{2}, Cells{30}});
  graph.queues.push_back(queue(30, Group{2}, {}, 100));
  const std::vector<Deadlock> found = DeadlockDetector{}.look(graph);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(numbers(found[0].members), (QueueNumbers{1, 0}));
  EXPECT_EQ(numbers(found[0].caught), (QueueNumbers{0, 1, 2}));
  EXPECT_EQ(found[0].formed, Picoseconds{700}) << "of the members only";
}

TEST(DeadlockDetector, TwoCirclesApartAreTwoDeadlocks) {
  WaitGraph graph = two_switch_loop();
  graph.groups.push_back(group(60, 2));
  graph.groups.push_back(group(60, 3));
  graph.queues.push_back(queue(30, Group{3}, {{Group{2}, Cells{60}}}, 10));
  graph.queues.push_back(queue(40, Group{2}, {{Group{3}, Cells{60}}}, 20));
  const std::vector<Deadlock> found = DeadlockDetector{}.look(graph);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(numbers(found[0].members), (QueueNumbers{1, 0}));
  EXPECT_EQ(numbers(found[1].members), (QueueNumbers{2, 3}));
  EXPECT_EQ(numbers(found[1].caught), (QueueNumbers{2, 3}));
}

TEST(DeadlockDetector, OfEntangledCirclesTheShortestIsReported) {
  // 0 -> 1 -> 2 -> 0 and 1 -> 2 -> 1: queue i waits for every queue that holds cells of group i.
  WaitGraph graph;
  graph.groups = {group(60, 0), group(60, 1), group(60, 2)};
  graph.queues = {queue(1, Group{1}, {{Group{0}, Cells{60}}}, 1),
                  queue(2, Group{2}, {{Group{1}, Cells{60}}}, 2),
                  queue(3, Group{0}, {{Group{2}, Cells{60}}}, 3)};
  EXPECT_EQ(members(graph), (QueueNumbers{0, 1, 2}));
  graph.queues[QueueNumber{0}].content.push_back(
      {Group{2}, Cells{1}});  // queue 1 now waits for queue 0, too
  EXPECT_EQ(members(graph), (QueueNumbers{0, 1}));
}

TEST(DeadlockDetector, APacketWithCopiesIsHeldUntilTheLastOfThemLeaves) {
  // Group 0 holds 46 cells in one packet (45 would let it resume): a copy waits in queue 0, the
  // other one leaves by a queue that is not paused.
  WaitGraph graph = two_switch_loop();
  graph.queues.push_back(queue(30, std::nullopt, {}, 0));
  graph.queues[QueueNumber{0}].content.clear();
  EXPECT_TRUE(members(graph).empty()) << "queue 0 holds nothing of group 0";
  graph.replicas = {{{Group{0}, Cells{46}}, {QueueNumber{0}, QueueNumber{2}}}};
  EXPECT_EQ(members(graph), (QueueNumbers{1, 0}));
  graph.replicas[0].held.cells = Cells{45};
  EXPECT_TRUE(members(graph).empty());
  graph.replicas = {{{Group{0}, Cells{60}}, {QueueNumber{2}}}};
  EXPECT_TRUE(members(graph).empty()) << "all copies drain";
}

TEST(DeadlockDetector, AnEmptyGraphHasNone) {
  EXPECT_TRUE(DeadlockDetector{}.look({}).empty());
  EXPECT_TRUE(stuck_queues({}).empty());
}

// Rings of lossless switches with MMUs of the core, in which frames circulate in random order: a
// queue reported as stuck never moves again, and a queue that no longer moves at the end is
// reported as stuck.
TEST(DeadlockProperty, StuckMeansForEverAndForEverMeansStuck) {
  std::uint64_t looks = 0, locked = 0, free = 0, circles_that_drain = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    LosslessRing ring{seed};
    QueueFlags stuck;
    const std::uint64_t locked_before = locked;
    for (bool moving = true; moving; ++looks) {
      const std::vector<std::uint64_t> sent = ring.sent_by_queue();
      for (int i = 0; i < 7 && moving; ++i) moving = ring.move();
      for (QueueNumber q; q < stuck.end_index(); ++q)
        ASSERT_TRUE(!stuck[q] || ring.sent_by_queue()[q.value()] == sent[q.value()])
            << "seed " << seed << ": stuck queue " << q << " has sent a frame";
      const WaitGraph graph = ring.wait_graph();
      stuck = stuck_queues(graph);
      if (ring.has_circle(graph) && DeadlockDetector{}.look(graph).empty()) ++circles_that_drain;
    }
    for (QueueNumber q; q < stuck.end_index(); ++q)
      ASSERT_EQ(stuck[q], ring.depth(q.value()) != 0)
          << "seed " << seed << ", at rest, queue " << q;
    if (ring.holds_frames()) ++locked;
    if (locked == locked_before) ++free;
  }
  EXPECT_GT(locked, 40U) << "rings that locked up";
  EXPECT_GT(free, 40U) << "rings that ran empty";
  EXPECT_GT(circles_that_drain, 40U) << "circles of waiting queues that are no deadlock";
  EXPECT_GT(looks, 10'000U);
}

}  // namespace
}  // namespace weir::deadlock_detector_test
