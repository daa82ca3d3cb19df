// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/ageing_table.hpp"

#include <gtest/gtest.h>

#include "weir/core/units.hpp"

namespace weir::ageing_table_test {
namespace {

using Table = AgeingTable<Cells, PortId>;
constexpr Cells key{7}, other{8};
constexpr Picoseconds timeout{1000};

TEST(AgeingTable, AnEntryIsThereUntilJustBeforeItsTimeout) {
  Table table{timeout};
  table.refresh(key, PortId{3}, Picoseconds{50});
  EXPECT_EQ(table.find(key, Picoseconds{50}), PortId{3});
  EXPECT_EQ(table.find(key, Picoseconds{1049}), PortId{3}) << "gone one picosecond early";
  EXPECT_EQ(table.find(key, Picoseconds{1050}), std::nullopt) << "there at its timeout";
}

TEST(AgeingTable, ARefreshStartsTheTimeAgain) {
  Table table{timeout};
  table.refresh(key, PortId{3}, Picoseconds{0});
  table.refresh(key, PortId{3}, Picoseconds{999});
  EXPECT_EQ(table.find(key, Picoseconds{1998}), PortId{3});
  EXPECT_EQ(table.find(key, Picoseconds{1999}), std::nullopt);
}

TEST(AgeingTable, ARefreshMayMoveTheEntry) {
  Table table{timeout};
  table.refresh(key, PortId{3}, Picoseconds{0});
  table.refresh(key, PortId{5}, Picoseconds{1});
  EXPECT_EQ(table.find(key, Picoseconds{1}), PortId{5});
}

TEST(AgeingTable, AnAgedEntryComesBackWhenItIsRefreshed) {
  Table table{timeout};
  table.refresh(key, PortId{3}, Picoseconds{0});
  ASSERT_EQ(table.find(key, Picoseconds{5000}), std::nullopt);
  table.refresh(key, PortId{4}, Picoseconds{5000});
  EXPECT_EQ(table.find(key, Picoseconds{5999}), PortId{4});
}

TEST(AgeingTable, EntriesAgeEachForItself) {
  Table table{timeout};
  table.refresh(key, PortId{3}, Picoseconds{0});
  table.refresh(other, PortId{4}, Picoseconds{500});
  EXPECT_EQ(table.find(key, Picoseconds{1000}), std::nullopt);
  EXPECT_EQ(table.find(other, Picoseconds{1000}), PortId{4});
  EXPECT_EQ(table.find(Cells{9}, Picoseconds{0}), std::nullopt) << "there never was one";
}

TEST(AgeingTable, AnErasedEntryIsGoneAtOnceAndHasNoEnd) {
  Table table{timeout};
  table.refresh(key, PortId{3}, Picoseconds{0});
  EXPECT_EQ(table.end_of(key), Picoseconds{1000});
  table.erase(key);
  EXPECT_EQ(table.find(key, Picoseconds{0}), std::nullopt);
  EXPECT_EQ(table.end_of(key), std::nullopt);
}

TEST(AgeingTable, AnEndOfItsOwnReplacesTheTimeout) {
  Table table{timeout};
  table.refresh_until(key, PortId{3}, Picoseconds{20});
  EXPECT_EQ(table.find(key, Picoseconds{19}), PortId{3});
  EXPECT_EQ(table.find(key, Picoseconds{20}), std::nullopt);
}

}  // namespace
}  // namespace weir::ageing_table_test
