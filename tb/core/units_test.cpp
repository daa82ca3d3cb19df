// SPDX-License-Identifier: Apache-2.0
// Expressions that must not compile are in tb/compile_fail.
#include "weir/core/units.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <type_traits>
#include <unordered_set>

namespace weir::units_test {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;

template <class Unit>
std::string printed(Unit value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Units, AQuantityIsAsSmallAsItsNumberAndStartsAtZero) {
  static_assert(sizeof(Cells) == 4 && sizeof(Bytes) == 8 && sizeof(Priority) == 1);
  static_assert(std::is_trivially_copyable_v<Picoseconds>);
  EXPECT_EQ(Cells{}, Cells{0});
  EXPECT_EQ(Picoseconds{}.count(), 0U);
}

TEST(Units, AddsSubtractsScalesAndCompares) {
  EXPECT_EQ(Bytes{64} + Bytes{20}, Bytes{84});
  EXPECT_EQ(Bytes{84} - Bytes{20}, Bytes{64});
  EXPECT_EQ(Cells{7} * 3, Cells{21});
  EXPECT_TRUE(Cells{6} < Cells{7} && Cells{6} <= Cells{7} && Cells{6} != Cells{7});
  EXPECT_TRUE(Cells{7} > Cells{6} && Cells{7} >= Cells{7});
  EXPECT_FALSE(Cells{7} < Cells{7} || Cells{7} > Cells{7} || Cells{7} != Cells{7});
}

TEST(Units, WrapsLikeItsNumber) {
  EXPECT_EQ(Priority{255} + Priority{1}, Priority{0});
  EXPECT_EQ(Quanta{0} - Quanta{1}, Quanta{65535});
  EXPECT_EQ(Cells{0} - Cells{1}, Cells{std::numeric_limits<std::uint32_t>::max()});
}

TEST(Units, SaturatingSubtractionStopsAtZero) {
  EXPECT_EQ(saturating_subtract(Cells{8}, Cells{7}), Cells{1});
  EXPECT_EQ(saturating_subtract(Cells{7}, Cells{7}), Cells{0});
  EXPECT_EQ(saturating_subtract(Cells{6}, Cells{7}), Cells{0}) << "must not wrap";
}

TEST(Units, PrintsItsUnitAndSmallNumbersAsNumbers) {
  EXPECT_EQ(printed(Bytes{64}), "64 B");
  EXPECT_EQ(printed(Cells{5}), "5 cells");
  EXPECT_EQ(printed(Picoseconds{800}), "800 ps");
  EXPECT_EQ(printed(Priority{3}), "3") << "a priority is no character";
}

TEST(Units, HashesByValue) {
  const std::unordered_set<PortId> seen{PortId{1}, PortId{2}, PortId{1}};
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen.count(PortId{2}), 1U);
}

TEST(Units, AFrameTakesOneCellMoreFromTheFirstByteBeyondABoundary) {
  EXPECT_EQ(cells_for(Bytes{208}, Bytes{0}, Bytes{208}), Cells{1});
  EXPECT_EQ(cells_for(Bytes{209}, Bytes{0}, Bytes{208}), Cells{2});
  EXPECT_EQ(cells_for(Bytes{144}, Bytes{64}, Bytes{208}), Cells{1}) << "metadata fills the cell";
  EXPECT_EQ(cells_for(Bytes{145}, Bytes{64}, Bytes{208}), Cells{2}) << "metadata counts";
}

TEST(Units, WholeCellsAreRoundedDown) {
  EXPECT_EQ(whole_cells(Bytes{207}, Bytes{208}), Cells{0});
  EXPECT_EQ(whole_cells(Bytes{208}, Bytes{208}), Cells{1});
  EXPECT_EQ(whole_cells(Bytes{12'766'208}, Bytes{208}), Cells{61'376}) << "Trident2";
}

TEST(Units, AByteOfEverySpeedLastsWholePicoseconds) {
  const std::pair<std::uint64_t, std::uint64_t> table[]{{1, 8000}, {10, 800}, {25, 320},
                                                        {40, 200}, {50, 160}, {100, 80},
                                                        {200, 40}, {400, 20}, {800, 10}};
  for (const auto& [gbps, picoseconds] : table) {
    EXPECT_TRUE(is_exact_rate(BitRate{gbps * giga})) << gbps << " Gbps";
    EXPECT_EQ(byte_time(BitRate{gbps * giga}), Picoseconds{picoseconds}) << gbps << " Gbps";
  }
}

TEST(Units, RatesThatDoNotDivideAreNotExact) {
  EXPECT_FALSE(is_exact_rate(BitRate{0}));
  EXPECT_FALSE(is_exact_rate(BitRate{3 * giga}));
  EXPECT_FALSE(is_exact_rate(BitRate{10 * giga + 1}));
}

}  // namespace
}  // namespace weir::units_test
