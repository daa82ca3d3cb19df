// SPDX-License-Identifier: Apache-2.0
#include "weir/core/congestion/ecn.hpp"

#include <gtest/gtest.h>

namespace weir::ecn_test {
namespace {

TEST(Ecn, TheValuesAreTheCodepointsOfRfc3168) {
  EXPECT_EQ(static_cast<int>(Ecn::not_ect), 0b00);
  EXPECT_EQ(static_cast<int>(Ecn::ect1), 0b01);
  EXPECT_EQ(static_cast<int>(Ecn::ect0), 0b10);
  EXPECT_EQ(static_cast<int>(Ecn::ce), 0b11);
}

TEST(Ecn, AllButNotEctMayBeMarked) {
  EXPECT_FALSE(is_ect(Ecn::not_ect));
  EXPECT_TRUE(is_ect(Ecn::ect0));
  EXPECT_TRUE(is_ect(Ecn::ect1));
  EXPECT_TRUE(is_ect(Ecn::ce)) << "a second switch leaves the mark, it does not drop the packet";
}

}  // namespace
}  // namespace weir::ecn_test
