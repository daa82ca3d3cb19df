// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/ipv4.hpp"

#include <gtest/gtest.h>

namespace weir::ipv4_test {
namespace {

TEST(Ipv4, IsWrittenAsFourOctets) {
  EXPECT_EQ(to_dotted(Ipv4{0}), "0.0.0.0");
  EXPECT_EQ(to_dotted(Ipv4{0x0a00'02ff}), "10.0.2.255");
  EXPECT_EQ(to_dotted(Ipv4Prefix{Ipv4{0x0a00'0200}, 24}), "10.0.2.0/24");
}

TEST(Ipv4, APrefixHoldsExactlyItsAddresses) {
  const Ipv4Prefix prefix{Ipv4{0x0a00'0200}, 23};
  EXPECT_TRUE(prefix.contains(Ipv4{0x0a00'0200}));
  EXPECT_TRUE(prefix.contains(Ipv4{0x0a00'03ff}));
  EXPECT_FALSE(prefix.contains(Ipv4{0x0a00'01ff}));
  EXPECT_FALSE(prefix.contains(Ipv4{0x0a00'0400}));
  const Ipv4Prefix all{Ipv4{0}, 0};
  EXPECT_TRUE(all.contains(Ipv4{0xffff'ffff}));
  const Ipv4Prefix one{Ipv4{0xffff'ffff}, 32};
  EXPECT_TRUE(one.contains(Ipv4{0xffff'ffff}));
  EXPECT_FALSE(one.contains(Ipv4{0xffff'fffe}));
}

}  // namespace
}  // namespace weir::ipv4_test
