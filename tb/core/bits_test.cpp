// SPDX-License-Identifier: Apache-2.0
#include "weir/core/bits.hpp"

#include <gtest/gtest.h>

namespace weir::bits_test {
namespace {

TEST(Bits, EveryPositionIsFoundFromBothEnds) {
  for (unsigned k = 0; k < 64; ++k) {
    EXPECT_EQ(lowest_bit(bit_mask(k)), k);
    EXPECT_EQ(highest_bit(bit_mask(k)), k);
    EXPECT_EQ(lowest_bit(bit_mask(k) | bit_mask(63)), k) << "a higher bit must not hide it";
    EXPECT_EQ(highest_bit(bit_mask(k) | bit_mask(0)), k) << "a lower bit must not hide it";
  }
}

TEST(Bits, ClassBitsAreTheEightOfAnOctet) {
  unsigned all = 0;
  for (std::size_t n = 0; n < 8; ++n) all += class_bit(n);
  EXPECT_EQ(all, 0xffU);
}

}  // namespace
}  // namespace weir::bits_test
