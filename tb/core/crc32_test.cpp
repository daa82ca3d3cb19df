// SPDX-License-Identifier: Apache-2.0
#include "weir/core/crc32.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace weir::crc32_test {
namespace {

std::uint32_t crc_of(std::string_view text, std::uint32_t before = 0) {
  return crc32(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), before);
}

TEST(Crc32, CheckValueOfTheStandard) {
  EXPECT_EQ(crc_of(""), 0U);
  EXPECT_EQ(crc_of("123456789"), 0xcbf4'3926U);
}

TEST(Crc32, ContinuesFromTheOctetsBefore) {
  EXPECT_EQ(crc_of("6789", crc_of("12345")), 0xcbf4'3926U);
  EXPECT_EQ(crc_of("", 0xcbf4'3926U), 0xcbf4'3926U);
}

}  // namespace
}  // namespace weir::crc32_test
