// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/cable.hpp"

#include <gtest/gtest.h>

#include "weir/core/bits.hpp"

namespace weir::cable_test {
namespace {

TEST(Cable, ThreeHundredMetresAreTheOneAndAHalfMicrosecondsOfThePaper) {
  EXPECT_EQ(propagation_delay(Millimetres{300'000}, usual_delay_per_metre), Picoseconds{1'500'000});
}

TEST(Cable, APartOfAPicosecondIsAWholeOne) {
  EXPECT_EQ(propagation_delay(Millimetres{0}, Picoseconds{4'901}), Picoseconds{0});
  EXPECT_EQ(propagation_delay(Millimetres{1}, Picoseconds{3'336}), Picoseconds{4});
  EXPECT_EQ(propagation_delay(Millimetres{1'000}, Picoseconds{4'901}), Picoseconds{4'901});
  EXPECT_EQ(propagation_delay(Millimetres{1'001}, Picoseconds{4'901}), Picoseconds{4'906});
}

TEST(Cable, TheLongestAndSlowestFitsIn64Bits) {
  const Wide exact = Wide{max_cable.count()} * max_delay_per_metre.count() / 1'000;
  EXPECT_EQ(Wide{propagation_delay(max_cable, max_delay_per_metre).count()}, exact);
}

}  // namespace
}  // namespace weir::cable_test
