// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/due_heap.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>

#include "weir/core/random.hpp"

namespace weir::due_heap_test {
namespace {

TEST(DueHeap, OfOneMomentTheLowestNumberIsFirst) {
  DueHeap heap;
  for (const std::uint32_t number : {7U, 2U, 9U, 4U}) heap.insert(number, Picoseconds{5});
  heap.insert(8, Picoseconds{4});
  for (const std::uint32_t expected : {8U, 2U, 4U, 7U, 9U}) {
    ASSERT_FALSE(heap.empty());
    EXPECT_EQ(heap.first(), expected);
    heap.erase(expected);
  }
  EXPECT_TRUE(heap.empty());
}

TEST(DueHeap, IsInTheOrderOfASortedSetAfterAnyInsertionsAndRemovals) {
  RandomStream draws{1, "heap"};
  DueHeap heap;
  std::set<std::pair<std::uint64_t, std::uint32_t>> sorted;
  std::uint64_t compared = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto number = static_cast<std::uint32_t>(draws.uniform(40));
    if (heap.contains(number)) {
      ASSERT_EQ(sorted.erase({heap.due(number).count(), number}), 1U);
      heap.erase(number);
    } else {
      const std::uint64_t due = draws.uniform(60);
      sorted.insert({due, number});
      heap.insert(number, Picoseconds{due});
    }
    ASSERT_EQ(heap.empty(), sorted.empty());
    if (sorted.empty()) continue;
    ASSERT_EQ(heap.first(), sorted.begin()->second);
    ASSERT_EQ(heap.first_due().count(), sorted.begin()->first);
    ++compared;
  }
  EXPECT_GT(compared, 19'000U);
}

}  // namespace
}  // namespace weir::due_heap_test
