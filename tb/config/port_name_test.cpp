// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/port_name.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace weir::port_name_test {
namespace {

TEST(PortName, IsReadAsItIsWritten) {
  for (const PortId port : {PortId{0}, PortId{std::numeric_limits<std::uint16_t>::max()}}) {
    const std::string name = port_name("T0", port);
    const auto parts = parse_port_name(name);
    ASSERT_TRUE(parts) << name;
    EXPECT_EQ(parts->node, "T0") << name;
    EXPECT_EQ(parts->number, std::to_string(port.count())) << name;
    EXPECT_EQ(node_of_end(name), "T0") << name;
  }
  EXPECT_EQ(port_name("T0", PortId{2}), "T0.port[2]");
}

TEST(PortName, OtherTextsAreNone) {
  for (const char* const text : {"", "h3", "T0.port", "T0.port[2", "T0.port[2] ", "T0.pg[2]"})
    EXPECT_FALSE(parse_port_name(text)) << text;
  const auto empty = parse_port_name(".port[]");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->node, "") << "the caller knows the names";
  EXPECT_EQ(empty->number, "");
}

TEST(PortName, TheNodeOfAHostIsItself) {
  EXPECT_EQ(node_of_end("h3"), "h3");
  EXPECT_EQ(node_of_end(""), "");
}

}  // namespace
}  // namespace weir::port_name_test
