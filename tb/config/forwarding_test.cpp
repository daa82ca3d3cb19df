// SPDX-License-Identifier: Apache-2.0
// [classify] and [neighbours] of a chip file; cast, dscp, tagged and dead_from of a scenario.
#include <gtest/gtest.h>

#include <string>

#include "support/config_files.hpp"
#include "weir/config/chip/chip_file.hpp"

namespace weir::forwarding_test {
namespace {

Chip chip_with(const std::string& more) {
  return parse_chip(test::chip_text(4) + more, "chip.toml");
}

std::string refusal_of_chip(const std::string& more) {
  return test::chip_error(test::chip_text(4) + more, "chip.toml");
}

void expect_in(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message << "\nhas no \"" << part << '"';
}

TEST(ConfigForwarding, AChipHasNoTablesAndTrustsTagsByDefault) {
  const Chip chip = chip_with("");
  EXPECT_FALSE(chip.neighbours);
  EXPECT_EQ(chip.classifier.trust, ClassTrust::pcp);
  EXPECT_FALSE(chip.classifier.group_priority);
}

TEST(ConfigForwarding, AnEmptyTableOfNeighboursHasTheTimeoutsOfRealSwitches) {
  const Chip chip = chip_with("[neighbours]\n");
  ASSERT_TRUE(chip.neighbours);
  EXPECT_EQ(chip.neighbours->arp_timeout, Picoseconds{14'400'000'000'000'000});
  EXPECT_EQ(chip.neighbours->mac_timeout, Picoseconds{300'000'000'000'000});
  EXPECT_EQ(chip.neighbours->incomplete, IncompleteArp::flood);
}

TEST(ConfigForwarding, EveryKeyOfNeighboursIsTaken) {
  const Chip chip = chip_with(
      "[neighbours]\narp_timeout = \"4 h\"\nmac_timeout = \"5 min\"\nincomplete = \"to_cpu\"\n"
      "cpu_queue = 7\ncpu_packet_time = \"50 us\"\n");
  ASSERT_TRUE(chip.neighbours);
  EXPECT_EQ(chip.neighbours->arp_timeout, NeighbourSettings{}.arp_timeout);
  EXPECT_EQ(chip.neighbours->mac_timeout, NeighbourSettings{}.mac_timeout);
  EXPECT_EQ(chip.neighbours->incomplete, IncompleteArp::to_cpu);
  EXPECT_EQ(chip.neighbours->cpu_queue, 7U);
  EXPECT_EQ(chip.neighbours->cpu_packet_time, Picoseconds{50'000'000});
  EXPECT_EQ(chip_with("[neighbours]\nincomplete = \"drop_lossless\"\n").neighbours->incomplete,
            IncompleteArp::drop_lossless);
}

TEST(ConfigForwarding, BadNeighboursAreErrorsThatSayWhatIsLegal) {
  const std::string wrong = refusal_of_chip("[neighbours]\nincomplete = \"drop\"\n");
  expect_in(wrong, "chip.toml:14");
  expect_in(wrong, "flood, to_cpu, drop_lossless");
  expect_in(refusal_of_chip("[neighbours]\nmac_timeout = \"0 s\"\n"), "must be longer than 0");
  expect_in(refusal_of_chip("[neighbours]\narp_timeout = \"300 h\"\n"), "neighbours.arp_timeout");
  expect_in(refusal_of_chip("[neighbours]\ncpu_queue = 0\n"), "cpu_queue");
  expect_in(refusal_of_chip("[neighbours]\nage = 1\n"), "age");
}

TEST(ConfigForwarding, ADscpTableNamesPrioritiesAndTheRestIsZero) {
  const Chip chip = chip_with(
      "[classify]\ntrust = \"dscp\"\nuntagged = 2\ngroup = 1\n"
      "[classify.dscp]\n3 = \"24-26\"\n4 = [34]\n");
  EXPECT_EQ(chip.classifier.trust, ClassTrust::dscp);
  EXPECT_EQ(chip.classifier.untagged, Priority{2});
  EXPECT_EQ(chip.classifier.group_priority, Priority{1});
  const auto& map = chip.classifier.priority_of_dscp;
  EXPECT_EQ(map[23], Priority{0});
  EXPECT_EQ(map[24], Priority{3});
  EXPECT_EQ(map[26], Priority{3});
  EXPECT_EQ(map[27], Priority{0});
  EXPECT_EQ(map[34], Priority{4});
}

TEST(ConfigForwarding, BadClassifiersAreErrorsThatSayWhatIsLegal) {
  expect_in(refusal_of_chip("[classify]\ntrust = \"tos\"\n"), "pcp, dscp");
  expect_in(refusal_of_chip("[classify]\nuntagged = 8\n"), "untagged");
  expect_in(refusal_of_chip("[classify.dscp]\n3 = 24\n"), "trust");
  expect_in(refusal_of_chip("[classify]\ntrust = \"dscp\"\n[classify.dscp]\n8 = 24\n"),
            "must have a priority, 0 to 7, as its name");
  expect_in(refusal_of_chip("[classify]\ntrust = \"dscp\"\n[classify.dscp]\n3 = 64\n"), "63");
  const std::string twice =
      refusal_of_chip("[classify]\ntrust = \"dscp\"\n[classify.dscp]\n3 = 24\n4 = \"20-30\"\n");
  expect_in(twice, "DSCP 24 is priority 3 already");
}

TEST(ConfigForwarding, PortsMayHaveADscpTableOfTheirOwn) {
  const Chip chip = chip_with(
      "[classify]\ntrust = \"dscp\"\n[classify.dscp]\n3 = 24\n"
      "[dscp_map.up]\nports = \"1,3\"\n3 = [3, 24]\n4 = 46\n[dscp_map.down]\nports = 2\n");
  ASSERT_EQ(chip.dscp_maps.size(), 2U);
  EXPECT_EQ(chip.dscp_maps[0].name, "up");
  const auto meaning = [&](std::uint16_t port, std::size_t dscp) {
    return chip.dscp_table(PortId{port})[dscp];
  };
  EXPECT_EQ(meaning(0, 24), Priority{3});
  EXPECT_EQ(meaning(0, 3), Priority{0});
  for (const std::uint16_t port : {std::uint16_t{1}, std::uint16_t{3}}) {
    EXPECT_EQ(meaning(port, 3), Priority{3});
    EXPECT_EQ(meaning(port, 46), Priority{4});
    EXPECT_EQ(meaning(port, 40), Priority{0}) << "no line names it";
  }
  EXPECT_EQ(meaning(2, 24), Priority{0}) << "a table without a line: all are class 0";
}

TEST(ConfigForwarding, BadDscpTablesOfPortsAreErrorsThatSayWhatIsLegal) {
  const std::string trust = "[classify]\ntrust = \"dscp\"\n";
  expect_in(refusal_of_chip("[dscp_map.up]\nports = 1\n3 = 3\n"),
            "needs trust = \"dscp\" in [classify]");
  expect_in(refusal_of_chip(trust + "[dscp_map.up]\n3 = 3\n"), "dscp_map.up.ports");
  expect_in(refusal_of_chip(trust + "[dscp_map.up]\nports = 4\n"), "from 0 to 3");
  expect_in(refusal_of_chip(trust + "[dscp_map.up]\nports = 1\n8 = 3\n"), "dscp_map.up.8");
  expect_in(refusal_of_chip(trust + "[dscp_map.up]\nports = 1\n3 = 64\n"), "63");
  expect_in(refusal_of_chip(trust + "[dscp_map.up]\nports = 1\n3 = 5\n4 = \"4-6\"\n"),
            "DSCP 5 is priority 3 already");
  expect_in(refusal_of_chip(trust + "[dscp_map.a]\nports = 1\n[dscp_map.b]\nports = \"0-1\"\n"),
            "port 1 has the map a already");
  expect_in(refusal_of_chip(trust + "[dscp_map]\nup = 3\n"), "dscp_map.up");
}

class ScenarioForwarding : public test::ScenarioFiles {
 protected:
  ScenarioForwarding()
      : ScenarioFiles{test::scenario_head() + test::chip_text(4, "switch.tor.") +
                      test::hosts_text(4)} {}

  const std::string traffic =
      "[[traffic]]\nname = \"x\"\nkind = \"constant\"\nfrom = \"h0\"\npriority = 3\n";
};

TEST_F(ScenarioForwarding, TrafficHasTheClassSelectorOrElseADscpThatMeansItsClass) {
  const std::string to_h1 = traffic + "to = \"h1\"\n";
  const auto dscp = [&](const std::string& classify, const std::string& key = "") {
    return load("[switch.tor.classify]\ntrust = \"dscp\"\n" + classify + to_h1 + key)
        .traffic.front()
        .dscp;
  };
  EXPECT_FALSE(load(to_h1).traffic.front().dscp) << "class selector: 24";
  EXPECT_FALSE(dscp("")) << "24 maps to class 3 without a table";
  EXPECT_FALSE(dscp("[switch.tor.classify.dscp]\n3 = \"3,24\"\n")) << "24 is in the table";
  EXPECT_EQ(dscp("[switch.tor.classify.dscp]\n3 = \"26,3\"\n"), 3) << "the lowest of the class";
  EXPECT_EQ(dscp("[switch.tor.classify.dscp]\n3 = \"26,3\"\n", "dscp = 26\n"), 26);
  EXPECT_FALSE(dscp("[switch.tor.classify.dscp]\n4 = \"4\"\n"))
      << "no DSCP maps to class 3: the class is what the switch assigns";
}

TEST_F(ScenarioForwarding, AHostGoesByTheDscpTableOfItsPort) {
  const auto dscp = [&](const std::string& ports) {
    return load("[switch.tor.classify]\ntrust = \"dscp\"\n[switch.tor.dscp_map.up]\nports = " +
                ports + "\n3 = \"9,26\"\n" + traffic + "to = \"h1\"\n")
        .traffic.front()
        .dscp;
  };
  EXPECT_EQ(dscp("0"), 9) << "h0 is at port 0";
  EXPECT_FALSE(dscp("1")) << "its own port has the class selectors";
}

TEST_F(ScenarioForwarding, AHostMayBeDeadForAWhileOrForGood) {
  const Scenario scenario = load(
      "[host.h1]\ndead_from = \"0 s\"\n[host.h2]\ndead_from = \"1 us\"\ndead_until = \"2 us\"\n");
  EXPECT_FALSE(scenario.hosts[0].dead_from);
  EXPECT_EQ(scenario.hosts[1].dead_from, Picoseconds{0});
  EXPECT_FALSE(scenario.hosts[1].dead_until);
  EXPECT_EQ(scenario.hosts[2].dead_until, Picoseconds{2'000'000});
}

TEST_F(ScenarioForwarding, ADeathEndsLaterThanItBegins) {
  expect_in(error("[host.h1]\ndead_until = \"1 us\"\n"), "needs dead_from");
  expect_in(error("[host.h1]\ndead_from = \"1 us\"\ndead_until = \"1 us\"\n"),
            "must be later than dead_from");
}

TEST_F(ScenarioForwarding, TrafficSaysItsTagItsDscpAndWhomItIsFor) {
  const std::string tables = "[switch.tor.neighbours]\n";
  const TrafficSpec plain = load(traffic + "to = \"h1\"\n").traffic.at(0);
  EXPECT_TRUE(plain.tagged);
  EXPECT_FALSE(plain.dscp);
  EXPECT_EQ(plain.cast, Cast::unicast);
  const TrafficSpec group = load(tables + traffic +
                                 "to = [\"h1\", \"h2\"]\ncast = \"multicast\"\ndscp = 26\n"
                                 "tagged = false\n")
                                .traffic.at(0);
  EXPECT_FALSE(group.tagged);
  EXPECT_EQ(group.dscp, 26);
  EXPECT_EQ(group.cast, Cast::multicast);
  EXPECT_EQ(group.to.size(), 2U);
  EXPECT_EQ(load(tables + traffic + "to = \"h1\"\ncast = \"broadcast\"\n").traffic.at(0).cast,
            Cast::broadcast);
}

TEST_F(ScenarioForwarding, WrongGroupsAreErrors) {
  const std::string tables = "[switch.tor.neighbours]\n";
  expect_in(error(traffic + "to = \"h1\"\ncast = \"broadcast\"\n"), "[switch.tor.neighbours]");
  expect_in(error(tables + traffic + "to = [\"h1\", \"h2\"]\ncast = \"broadcast\"\n"),
            "a single host");
  expect_in(error(tables + traffic + "to = \"h1\"\ncast = \"anycast\"\n"),
            "unicast, multicast, broadcast");
  expect_in(error(tables + traffic +
                  "to = [\"h1\", \"h2\"]\ndestination = \"uniform\"\ncast = \"multicast\"\n"),
            "paired");
  expect_in(error(traffic + "to = \"h1\"\ndscp = 64\n"), "dscp");
}

}  // namespace
}  // namespace weir::forwarding_test
