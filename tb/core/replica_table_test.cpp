// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/replica_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"

namespace weir::replica_table_test {
namespace {

TEST(ReplicaTable, OnlyTheLastReaderIsTheLast) {
  ReplicaTable table;
  const std::uint32_t packet = table.enter(Cells{5}, 3);
  EXPECT_FALSE(table.leave(packet).last);
  EXPECT_FALSE(table.leave(packet).last);
  EXPECT_EQ(table.cells(), 5U) << "held until the last reader has left";
  const ReplicaTable::Left left = table.leave(packet);
  EXPECT_TRUE(left.last);
  EXPECT_EQ(left.cells, Cells{5});
  EXPECT_EQ(table.cells(), 0U);
  EXPECT_EQ(table.packets(), 0U);
}

TEST(ReplicaTable, ASingleReaderIsTheLast) {
  ReplicaTable table;
  EXPECT_TRUE(table.leave(table.enter(Cells{1}, 1)).last);
  EXPECT_EQ(table.copies_made(), 0U) << "nothing was copied";
}

TEST(ReplicaTable, NoPacketLeavesTwice) {
  ReplicaTable table;
  const std::uint32_t packet = table.enter(Cells{1}, 2);
  EXPECT_THROW(table.leave(packet + 1), ModelError);
  table.leave(packet);
  table.leave(packet);
  EXPECT_THROW(table.leave(packet), ModelError);
}

TEST(ReplicaTable, CountsEachPacketOnceInAnyOrderOfLeaving) {
  ReplicaTable table;
  RandomStream random{1, "replica_table", 0};
  struct Held {
    std::uint32_t number, cells, readers;
  };
  std::vector<Held> held;
  std::uint64_t copies = 0, packets = 0, leavings = 0;
  for (int step = 0; step < 20'000; ++step) {
    if (held.empty() || (held.size() < 200 && random.uniform(3) == 0)) {
      const auto cells = static_cast<std::uint32_t>(1 + random.uniform(40));
      const auto readers = static_cast<std::uint32_t>(1 + random.uniform(8));
      held.push_back({table.enter(Cells{cells}, readers), cells, readers});
      copies += readers - 1;
      ++packets;
    } else {
      const std::size_t pick = random.uniform(held.size());
      const ReplicaTable::Left left = table.leave(held[pick].number);
      ++leavings;
      EXPECT_EQ(left.cells, Cells{held[pick].cells});
      EXPECT_EQ(left.last, held[pick].readers == 1) << "step " << step;
      if (--held[pick].readers == 0) {
        held[pick] = held.back();
        held.pop_back();
      }
    }
    std::uint64_t cells = 0;
    for (const Held& packet : held) cells += packet.cells;
    ASSERT_EQ(table.cells(), cells) << "step " << step;
    ASSERT_EQ(table.packets(), held.size()) << "step " << step;
  }
  EXPECT_EQ(table.copies_made(), copies);
  EXPECT_EQ(table.entered(), packets);
  EXPECT_GT(leavings, 10'000U) << "this test needs readers that leave";
}

}  // namespace
}  // namespace weir::replica_table_test
