// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/route_table.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

constexpr Ipv4 address{0x0a00'0305};  // 10.0.3.5

Route route(std::uint32_t to, std::uint8_t length, std::uint16_t port, bool automatic = true) {
  return {{Ipv4{to}, length}, {PortId{port}}, automatic, Picoseconds{0}, Route::always};
}

std::uint16_t port_for(const RouteTable& table, Ipv4 to, std::uint64_t time = 0) {
  const Route* found = table.find(to, Picoseconds{time});
  return found == nullptr ? 999 : found->ports.front().count();
}

TEST(RouteTable, TheLongestPrefixWinsWhateverTheOrder) {
  const Route routes[] = {route(0, 0, 1), route(0x0a00'0000, 8, 2), route(0x0a00'0300, 24, 3),
                          route(0x0a00'0305, 32, 4), route(0x0a00'0304, 31, 5)};
  RouteTable forwards, backwards;
  for (int i = 0; i < 5; ++i) {
    forwards.add(routes[i]);
    backwards.add(routes[4 - i]);
  }
  for (const RouteTable* table : {&forwards, &backwards}) {
    EXPECT_EQ(port_for(*table, address), 4);
    EXPECT_EQ(port_for(*table, Ipv4{0x0a00'0304}), 5);
    EXPECT_EQ(port_for(*table, Ipv4{0x0a00'0306}), 3);
    EXPECT_EQ(port_for(*table, Ipv4{0x0a00'0400}), 2);
    EXPECT_EQ(port_for(*table, Ipv4{0x0b00'0000}), 1);
  }
}

TEST(RouteTable, NoRouteIsNoRoute) {
  RouteTable table;
  EXPECT_EQ(table.find(address, Picoseconds{0}), nullptr);
  table.add(route(0x0a00'0400, 24, 1));
  EXPECT_EQ(table.find(address, Picoseconds{0}), nullptr);
}

TEST(RouteTable, OfTheSamePrefixTheConfiguredOneWinsAndThenTheLater) {
  RouteTable table;
  table.add(route(0x0a00'0300, 24, 1, false));
  table.add(route(0x0a00'0300, 24, 2, true));
  EXPECT_EQ(port_for(table, address), 1);
  table.add(route(0x0a00'0300, 24, 3, false));
  EXPECT_EQ(port_for(table, address), 3);
  table.add(route(0x0a00'0305, 32, 4, true));
  EXPECT_EQ(port_for(table, address), 4) << "a longer one, though automatic";
}

TEST(RouteTable, ARouteHoldsFromItsFirstMomentAndUntilBeforeItsLast) {
  RouteTable table;
  table.add(route(0x0a00'0300, 24, 1));
  Route wrong = route(0x0a00'0305, 32, 2, false);
  wrong.from = Picoseconds{100};
  wrong.until = Picoseconds{200};
  table.add(wrong);
  EXPECT_EQ(port_for(table, address, 99), 1);
  EXPECT_EQ(port_for(table, address, 100), 2);
  EXPECT_EQ(port_for(table, address, 199), 2);
  EXPECT_EQ(port_for(table, address, 200), 1);
  EXPECT_EQ(table.changes(),
            (std::vector<Picoseconds>{Picoseconds{0}, Picoseconds{100}, Picoseconds{200}}));
}

}  // namespace
}  // namespace weir
