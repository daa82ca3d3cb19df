// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/neighbour_tables.hpp"

#include <gtest/gtest.h>

namespace weir::neighbour_tables_test {
namespace {

constexpr Ipv4 ip{0x0a000001};
constexpr MacAddress mac{0x020100000001};
constexpr PortId port{4};

NeighbourSettings settings(std::uint64_t arp_timeout, std::uint64_t mac_timeout) {
  NeighbourSettings settings;
  settings.arp_timeout = Picoseconds{arp_timeout};
  settings.mac_timeout = Picoseconds{mac_timeout};
  return settings;
}

NeighbourState state(const NeighbourTables& tables, std::uint64_t now) {
  return tables.find(ip, Picoseconds{now}).state;
}

TEST(NeighbourTables, AgeAfterFourHoursAndFiveMinutesByDefault) {
  constexpr std::uint64_t second = 1'000'000'000'000;
  EXPECT_EQ(NeighbourSettings{}.arp_timeout, Picoseconds{4 * 3600 * second});
  EXPECT_EQ(NeighbourSettings{}.mac_timeout, Picoseconds{300 * second});
  NeighbourTables tables{NeighbourSettings{}};
  tables.answered(ip, mac, port, Picoseconds{0});
  EXPECT_EQ(state(tables, 300 * second - 1), NeighbourState::reachable);
  EXPECT_EQ(state(tables, 300 * second), NeighbourState::incomplete);
  EXPECT_EQ(state(tables, 4 * 3600 * second - 1), NeighbourState::incomplete);
  EXPECT_EQ(state(tables, 4 * 3600 * second), NeighbourState::unknown);
}

TEST(NeighbourTables, AnAnswerGivesThePortOfTheHost) {
  NeighbourTables tables{settings(1000, 100)};
  EXPECT_EQ(state(tables, 0), NeighbourState::unknown);
  tables.answered(ip, mac, port, Picoseconds{0});
  const Neighbour found = tables.find(ip, Picoseconds{0});
  EXPECT_EQ(found.state, NeighbourState::reachable);
  EXPECT_EQ(found.port, port);
}

TEST(NeighbourTables, AHostThatIsHeardStaysReachableButOneThatIsNotAsksAgainForArp) {
  NeighbourTables tables{settings(1000, 100)};
  tables.answered(ip, mac, port, Picoseconds{0});
  for (std::uint64_t now = 99; now < 1000; now += 99) {
    tables.heard(mac, port, Picoseconds{now});
    EXPECT_EQ(state(tables, now + 98),
              now + 98 < 1000 ? NeighbourState::reachable : NeighbourState::unknown)
        << now;
  }
  EXPECT_EQ(state(tables, 1000), NeighbourState::unknown) << "traffic does not refresh ARP";
}

TEST(NeighbourTables, AFrameCompletesAnIncompleteEntry) {
  NeighbourTables tables{settings(1000, 100)};
  tables.answered(ip, mac, port, Picoseconds{0});
  ASSERT_EQ(state(tables, 100), NeighbourState::incomplete);
  tables.heard(mac, PortId{6}, Picoseconds{150});
  EXPECT_EQ(tables.find(ip, Picoseconds{150}).port, PortId{6}) << "and where it is now";
}

TEST(NeighbourTables, AMacAddressAloneIsNoNeighbour) {
  NeighbourTables tables{settings(1000, 100)};
  tables.heard(mac, port, Picoseconds{0});
  EXPECT_EQ(state(tables, 0), NeighbourState::unknown);
}

TEST(NeighbourTables, WithAMacTimeoutNoShorterThanArpNoEntryIsEverIncomplete) {
  for (const std::uint64_t mac_timeout : {1000U, 1001U, 5000U}) {
    NeighbourTables tables{settings(1000, mac_timeout)};
    tables.answered(ip, mac, port, Picoseconds{0});
    EXPECT_EQ(state(tables, 999), NeighbourState::reachable) << mac_timeout;
    EXPECT_EQ(state(tables, 1000), NeighbourState::unknown) << mac_timeout;
  }
  NeighbourTables tables{settings(1000, 999)};
  tables.answered(ip, mac, port, Picoseconds{0});
  EXPECT_EQ(state(tables, 999), NeighbourState::incomplete) << "one picosecond shorter is";
}

TEST(NeighbourTables, AHostThatDoesNotAnswerIsUnknownWhateverTheMacTableSays) {
  NeighbourTables tables{settings(1000, 100)};
  tables.answered(ip, mac, port, Picoseconds{0});
  tables.no_answer(ip);
  EXPECT_EQ(state(tables, 1), NeighbourState::unknown);
  EXPECT_EQ(tables.mac().find(mac, Picoseconds{1}), port);
}

TEST(NeighbourTables, AForgottenHostIsIncompleteForWhatIsLeftOfItsArpTime) {
  NeighbourTables tables{settings(1000, 100)};
  tables.forgotten(ip, mac);  // last frame 100 before time 0
  EXPECT_EQ(state(tables, 0), NeighbourState::incomplete);
  EXPECT_EQ(state(tables, 899), NeighbourState::incomplete);
  EXPECT_EQ(state(tables, 900), NeighbourState::unknown);
  NeighbourTables longer_mac{settings(1000, 1000)};
  longer_mac.forgotten(ip, mac);
  EXPECT_EQ(state(longer_mac, 0), NeighbourState::unknown) << "ARP has forgotten it as well";
}

}  // namespace
}  // namespace weir::neighbour_tables_test
