// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/route_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weir/core/random.hpp"

namespace weir::route_table_test {
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

// Prefixes of few lengths on few addresses, so that they overlap and repeat.
TEST(RouteTable, AllAddressesAtOnceFindWhatEachFindsAlone) {
  RandomStream random{7, "routes"};
  std::vector<Ipv4> addresses;
  for (std::uint32_t i = 0; i < 64; ++i) addresses.push_back(Ipv4{0x0a00'0000U + i * 37U});
  std::size_t compared = 0;
  for (int round = 0; round < 50; ++round) {
    RouteTable table;
    const std::uint64_t routes = random.uniform(40);
    for (std::uint16_t i = 0; i < routes; ++i) {
      const std::uint8_t lengths[] = {0, 8, 22, 24, 26, 31, 32};
      const std::uint64_t from = random.uniform(4), until = from + random.uniform(4);
      table.add({{addresses[random.uniform(addresses.size())], lengths[random.uniform(7)]},
                 {PortId{i}},
                 random.uniform(2) == 0,
                 Picoseconds{from},
                 random.uniform(3) == 0 ? Route::always : Picoseconds{until}});
    }
    for (std::uint64_t time = 0; time < 8; ++time) {
      const std::vector<const Route*> found = table.find_all(addresses, Picoseconds{time});
      ASSERT_EQ(found.size(), addresses.size());
      for (std::size_t i = 0; i < addresses.size(); ++i, ++compared)
        EXPECT_EQ(found[i], table.find(addresses[i], Picoseconds{time})) << to_dotted(addresses[i]);
    }
  }
  EXPECT_EQ(compared, 50U * 8U * 64U);
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
}  // namespace weir::route_table_test
