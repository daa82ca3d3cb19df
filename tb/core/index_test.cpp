// SPDX-License-Identifier: Apache-2.0
// What must not compile is in tb/compile_fail.
#include "weir/core/index.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace weir::index_test {
namespace {

TEST(Index, PgsAndQueuesAreCountedByPortAndThenByNumber) {
  const PgIndex pg = pg_index(PortId{3}, Priority{5});
  EXPECT_EQ(pg.value(), 29U) << "3 x 8 + 5";
  EXPECT_EQ(port_of(pg), PortId{3});
  EXPECT_EQ(number_in_port(pg), Priority{5});
  const QueueIndex queue = queue_index(PortId{1}, Priority{7});
  EXPECT_EQ(queue.value(), 15U);
  EXPECT_EQ(port_of(queue), PortId{1});
  EXPECT_EQ(number_in_port(queue), Priority{7});
}

TEST(Index, GoesThroughItsVectorInOrder) {
  IndexedVector<PgIndex, int> values{3, 7};
  values[PgIndex{1}] = 9;
  std::ostringstream seen;
  for (PgIndex pg; pg < values.end_index(); ++pg) seen << pg << ':' << values[pg] << ' ';
  EXPECT_EQ(seen.str(), "0:7 1:9 2:7 ");
  EXPECT_EQ(values.size(), 3U);
}

TEST(Index, ComparesByPlace) {
  EXPECT_EQ(PoolIndex{2}, PoolIndex{2});
  EXPECT_NE(PoolIndex{2}, PoolIndex{3});
  EXPECT_LT(PoolIndex{2}, PoolIndex{3});
  EXPECT_FALSE(PoolIndex{3} < PoolIndex{3});
}

TEST(Index, IsPackedIntoFourBytesAndBack) {
  const Packed<QueueIndex> packed = QueueIndex{65'535};
  const QueueIndex queue = packed;
  EXPECT_EQ(queue, QueueIndex{65'535});
  EXPECT_EQ(packed.value(), 65'535U);
  EXPECT_EQ(sizeof packed, 4U) << "a release ticket holds two";
}

}  // namespace
}  // namespace weir::index_test
