// SPDX-License-Identifier: Apache-2.0
// Scenarios of many switches: [switches], [[link]], [topology], addresses, [[route]], [ecmp].
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/config_files.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/scenario/routing.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::network_test {
namespace {

constexpr const char* two_switches = R"([switches]
names = ["T0", "La"]
file = "chip.toml"
[[link]]
a = "T0.port[2]"
b = "La.port[0]"
cable = "30 m"
[host.S0]
switch = "T0"
port = 0
cable = "3 m"
[host.S1]
switch = "La"
port = 1
cable = "3 m"
)";

class ConfigNetwork : public test::ScenarioFiles {
 protected:
  ConfigNetwork() : ScenarioFiles{test::scenario_head()} { write("chip.toml", test::chip_text(8)); }
};

std::string name_of(const Scenario& scenario, const LinkEnd& end) {
  if (end.is_host) return scenario.hosts[end.node].name;
  return scenario.switches[end.node].name + ":" + std::to_string(end.port.count());
}

// "T0:2-La:0", all links in the order of the list.
std::string links_of(const Scenario& scenario) {
  std::string text;
  for (const LinkSpec& link : scenario.links)
    text += (text.empty() ? "" : " ") + name_of(scenario, link.a) + "-" + name_of(scenario, link.b);
  return text;
}

std::size_t switch_index(const Scenario& scenario, const std::string& name) {
  for (std::size_t i = 0; i < scenario.switches.size(); ++i)
    if (scenario.switches[i].name == name) return i;
  return ~std::size_t{0};
}

// Ports of `node` for `host`, "2" or "4,5"; "-" when there is no route.
std::string way(const Scenario& scenario, const std::string& node, const std::string& host,
                Picoseconds time = Picoseconds{0}) {
  const AddressPlan plan = plan_addresses(scenario);
  const std::vector<RouteTable> tables = make_routes(scenario, plan);
  for (std::size_t h = 0; h < scenario.hosts.size(); ++h) {
    if (scenario.hosts[h].name != host) continue;
    const Route* route = tables[switch_index(scenario, node)].find(plan.hosts[h], time);
    if (route == nullptr) return "-";
    std::string text;
    for (const PortId port : route->ports)
      text += (text.empty() ? "" : ",") + std::to_string(port.count());
    return text;
  }
  return "no such host";
}

TEST_F(ConfigNetwork, SwitchesShareAChipAndMayDiffer) {
  const Scenario scenario =
      load(std::string{two_switches} + "[switch.La.profile.lossless]\nalpha = '1/16'\n");
  ASSERT_EQ(scenario.switches.size(), 2U);
  EXPECT_EQ(scenario.switches[0].name, "T0");
  EXPECT_EQ(scenario.switches[0].chip.profiles.front().threshold.alpha.shift, 3U);
  EXPECT_EQ(scenario.switches[1].chip.profiles.front().threshold.alpha.shift, 4U);
  EXPECT_EQ(links_of(scenario), "S0-T0:0 S1-La:1 T0:2-La:0");
  EXPECT_EQ(scenario.links[2].delay, Picoseconds{150'000});
}

TEST_F(ConfigNetwork, SwitchesMayBeWrittenOutOneByOne) {
  const Scenario scenario = load(
      "[switch.B]\nfile='chip.toml'\n[switch.A]\nfile='chip.toml'\n[hosts]\nswitch='A'\ncount=2\n"
      "cable='3 m'\n[[link]]\na='A.port[7]'\nb='B.port[7]'\ndelay='1 us'\n");
  EXPECT_EQ(links_of(scenario), "h0-A:0 h1-A:1 A:7-B:7");
  EXPECT_EQ(scenario.links[2].delay, Picoseconds{1'000'000});
}

TEST_F(ConfigNetwork, WhatIsWrongWithSwitchesAndLinksIsNamed) {
  const std::string good = two_switches;
  EXPECT_EQ(error(good, {"switch.Lb.chip.ports=4"}),
            "--set: switch.Lb: there is no such switch; did you mean La?");
  EXPECT_EQ(error(good, {"link[0].b=Lx.port[0]"}),
            "--set: link[0].b = \"Lx.port[0]\": there is no switch Lx; did you mean La?");
  EXPECT_EQ(error(good, {"link[0].b=La.port[8]"}),
            "--set: link[0].b = \"La.port[8]\": the ports of La are port[0] to port[7]");
  EXPECT_EQ(error(good, {"link[0].b=S1"}),
            "--set: link[0].b = \"S1\": must be a port of a switch such as \"T0.port[0]\"");
  EXPECT_EQ(error(good, {"link[0].b=T0.port[3]"}),
            "--set: link[0].b = \"T0.port[3]\": is a port of the same switch");
  EXPECT_EQ(error(good, {"link[0].b=La.port[1]"}),
            "s.toml:7: link[0]: at La.port[1] there is S1 already");
  EXPECT_EQ(error(good, {"switch.La.chip.rate=100 Gbps"}),
            "s.toml:7: link[0]: both ends of a link need the same rate, but T0.port[2] has "
            "40000000000 bps and La.port[0] has 100000000000 bps");
  EXPECT_EQ(error(good, {"host.S1.switch=Lb"}),
            "--set: host.S1.switch = \"Lb\": there is no switch Lb; did you mean La?");
  EXPECT_EQ(error(good + "[host.x]\nport=3\ncable='1 m'\n").rfind("s.toml:19: host.x.switch", 0),
            0U);
  EXPECT_EQ(error(good + "[host.T0]\nswitch='T0'\nport=3\ncable='1 m'\n"),
            "s.toml:19: host.T0: there is a switch or host T0 already");
  EXPECT_EQ(error(good, {"switches.names=[\"T0\", \"T0\"]"}),
            "--set: switches.names = [\"T0\", \"T0\"]: there is a switch T0 already");
}

TEST_F(ConfigNetwork, AddressesFollowFromNamesAndPorts) {
  const Scenario scenario = load(two_switches);
  EXPECT_EQ(to_dotted(scenario.hosts[0].address), "10.0.1.1") << "S0 at T0, which follows La";
  EXPECT_EQ(to_dotted(scenario.hosts[1].address), "10.0.0.2");
  EXPECT_EQ(to_dotted(load(two_switches, {"host.S0.address=192.168.0.1"}).hosts[0].address),
            "192.168.0.1");
  EXPECT_EQ(error(two_switches, {"host.S0.address=10.0.0.2"}),
            "--set: host.S0.address = \"10.0.0.2\": is the address of S0 and of S1");
  EXPECT_EQ(error(two_switches, {"host.S0.address=10.0.0.256"}),
            "--set: host.S0.address = \"10.0.0.256\": must be an address such as \"10.0.3.1\"");
}

TEST_F(ConfigNetwork, AddressesAndPrefixesAreReadExactly) {
  EXPECT_EQ(parse_ipv4("255.1.0.10"), Ipv4{0xff01'000a});
  for (const char* bad : {"", "1.2.3", "1.2.3.4.5", "1..2.3", "1.2.3.", "1.2.3.400", "a.b.c.d"})
    EXPECT_FALSE(parse_ipv4(bad)) << bad;
  EXPECT_EQ(parse_ipv4_prefix("10.0.3.0/24")->length, 24);
  EXPECT_EQ(parse_ipv4_prefix("0.0.0.0/0")->mask(), 0U);
  EXPECT_EQ(parse_ipv4_prefix("1.2.3.4/32")->mask(), 0xffff'ffffU);
  for (const char* bad : {"10.0.3.1/24", "10.0.3.0/33", "10.0.3.0", "10.0.3.0/", "/8"})
    EXPECT_FALSE(parse_ipv4_prefix(bad)) << bad;
}

TEST_F(ConfigNetwork, NumbersInNamesCountAsNumbers) {
  EXPECT_TRUE(natural_less("T2", "T10"));
  EXPECT_FALSE(natural_less("T10", "T2"));
  EXPECT_TRUE(natural_less("T2h10", "T10h2"));
  EXPECT_TRUE(natural_less("L9", "T1"));
  EXPECT_TRUE(natural_less("T1", "T1h0"));
  EXPECT_FALSE(natural_less("T1", "T1"));
  EXPECT_NE(natural_less("T01", "T1"), natural_less("T1", "T01")) << "an order of all names";
  Node pattern;
  pattern.kind = Node::Kind::text;
  pattern.text = "T[0-1]h[2,4]";
  EXPECT_EQ(to_names(pattern), (std::vector<std::string>{"T0h2", "T0h4", "T1h2", "T1h4"}));
}

TEST_F(ConfigNetwork, AStarAndRingsAreMade) {
  const std::string rest = "[switches]\nfile='chip.toml'\n[hosts]\ncable='3 m'\n";
  EXPECT_EQ(links_of(load("[topology]\nkind='star'\nhosts=3\n" + rest)),
            "T0h0-T0:0 T0h1-T0:1 T0h2-T0:2");
  const std::string ring = "[topology]\nkind='ring'\nhosts=1\ncable='30 m'\nswitches=";
  EXPECT_EQ(links_of(load(ring + "2\n" + rest)), "T0h0-T0:0 T1h0-T1:0 T0:1-T1:1");
  EXPECT_EQ(links_of(load(ring + "3\n" + rest)),
            "T0h0-T0:0 T1h0-T1:0 T2h0-T2:0 T0:1-T1:2 T1:1-T2:2 T2:1-T0:2");
}

constexpr const char* small_leaf_spine = R"([topology]
kind = "leaf_spine"
leaves = 3
spines = 2
hosts = 2
cable = "30 m"
host_rate = "10 Gbps"
[topology.spine.chip]
ports = 4
[switches]
file = "chip.toml"
[hosts]
cable = "3 m"
[host.L1h0]
obeys_pfc = false
)";

TEST_F(ConfigNetwork, ALeafSpineNetworkIsMade) {
  const Scenario scenario = load(small_leaf_spine);
  EXPECT_EQ(links_of(scenario),
            "L0h0-L0:0 L0h1-L0:1 L1h0-L1:0 L1h1-L1:1 L2h0-L2:0 L2h1-L2:1 "
            "L0:2-S0:0 L0:3-S1:0 L1:2-S0:1 L1:3-S1:1 L2:2-S0:2 L2:3-S1:2");
  EXPECT_EQ(scenario.switches[0].chip.ports[1].rate, BitRate{10'000'000'000});
  EXPECT_EQ(scenario.switches[0].chip.ports[2].rate, BitRate{40'000'000'000});
  EXPECT_EQ(scenario.switches[0].chip.ports.size(), 8U);
  EXPECT_EQ(scenario.switches[3].chip.ports.size(), 4U) << "the tier's own chip";
  EXPECT_FALSE(scenario.hosts[2].obeys_pfc);
  EXPECT_EQ(scenario.links[0].delay, Picoseconds{15'000});
  EXPECT_EQ(scenario.links[6].delay, Picoseconds{150'000});
}

TEST_F(ConfigNetwork, ShortestPathsFormGroups) {
  const Scenario scenario = load(small_leaf_spine);
  EXPECT_EQ(way(scenario, "L0", "L0h1"), "1");
  EXPECT_EQ(way(scenario, "L0", "L2h1"), "2,3");
  EXPECT_EQ(way(scenario, "S0", "L2h1"), "2");
  EXPECT_EQ(way(scenario, "L0", "L2h1"), way(scenario, "L1", "L2h1"));
  const Scenario odd = load(small_leaf_spine, {"host.L2h1.address=192.168.0.1"});
  EXPECT_EQ(way(odd, "L0", "L2h1"), "2,3") << "an address outside its subnet has a route";
  EXPECT_EQ(way(odd, "S1", "L2h1"), "2");
}

TEST_F(ConfigNetwork, OversubscriptionDecidesTheNumberOfHosts) {
  std::string text = small_leaf_spine;
  text.replace(text.find("hosts = 2\n"), 10, "oversubscription = \"3:4\"\nlink_rate = '40 Gbps'\n");
  EXPECT_EQ(load(text).hosts.size(), 18U) << "6 x 10G under 2 x 40G";
  EXPECT_EQ(error(text, {"topology.oversubscription=2:3"}),
            "--set: topology.oversubscription = \"2:3\": leads to no whole number of ports: "
            "160000000000 / 30000000000");
  EXPECT_EQ(error(text, {"topology.oversubscription=x"}),
            "--set: topology.oversubscription = \"x\": must be a ratio such as \"3:1\"");
  EXPECT_EQ(error(text, {"topology.hosts=3"}),
            "--set: topology.hosts = 3: must not be given with oversubscription, which "
            "gives it");
  EXPECT_EQ(error(text, {"topology.oversubscription=9:1"}),
            "s.toml:4: topology: needs 74 ports at L0, its chip has 8");
}

constexpr const char* small_clos = R"([topology]
kind = "clos"
podsets = 2
tors = 2
leaves = 2
spines = 4
hosts = 1
cable = "10 m"
spine_cable = "100 m"
[switches]
file = "chip.toml"
[hosts]
cable = "3 m"
)";

TEST_F(ConfigNetwork, AClosIsMadeOfPlanes) {
  const Scenario scenario = load(small_clos);
  EXPECT_EQ(links_of(scenario),
            "T0h0-T0:0 T1h0-T1:0 T2h0-T2:0 T3h0-T3:0 "
            "T0:1-L0:0 T0:2-L1:0 T1:1-L0:1 T1:2-L1:1 L0:2-S0:0 L0:3-S1:0 L1:2-S2:0 L1:3-S3:0 "
            "T2:1-L2:0 T2:2-L3:0 T3:1-L2:1 T3:2-L3:1 L2:2-S0:1 L2:3-S1:1 L3:2-S2:1 L3:3-S3:1");
  EXPECT_EQ(scenario.links[4].delay, Picoseconds{50'000});
  EXPECT_EQ(scenario.links[8].delay, Picoseconds{500'000});
  EXPECT_EQ(way(scenario, "T0", "T3h0"), "1,2");
  EXPECT_EQ(way(scenario, "L0", "T3h0"), "2,3");
  EXPECT_EQ(way(scenario, "L0", "T1h0"), "1");
  EXPECT_EQ(way(scenario, "S3", "T3h0"), "1");
  EXPECT_EQ(way(scenario, "L3", "T3h0"), "1");
}

TEST_F(ConfigNetwork, AClosMayLinkEveryLeafToEverySpine) {
  const Scenario scenario =
      load(small_clos, {"topology.spines=2", "topology.spines_per_leaf=2", "topology.tors=1"});
  EXPECT_EQ(links_of(scenario),
            "T0h0-T0:0 T1h0-T1:0 T0:1-L0:0 T0:2-L1:0 L0:1-S0:0 L0:2-S1:0 L1:1-S0:1 L1:2-S1:1 "
            "T1:1-L2:0 T1:2-L3:0 L2:1-S0:2 L2:2-S1:2 L3:1-S0:3 L3:2-S1:3");
  EXPECT_EQ(links_of(load(small_clos, {"topology.spines=2", "topology.leaf_oversubscription=1:2",
                                       "topology.tors=1"})),
            links_of(scenario));
  EXPECT_EQ(error(small_clos, {"topology.spines=3"}),
            "s.toml:4: topology: the 2 leaves of a podset with 1 spines each do not spread evenly "
            "over 3 spines");
  EXPECT_EQ(error(small_clos, {"topology.leaf_oversubscription=3:1"}),
            "--set: topology.leaf_oversubscription = \"3:1\": leads to no whole number of spines "
            "at a leaf");
}

TEST_F(ConfigNetwork, WhatIsWrongWithATopologyIsNamed) {
  const std::string good = small_leaf_spine;
  EXPECT_EQ(error(good, {"topology.kind=torus"}),
            "--set: topology.kind = \"torus\": must be one of star, ring, leaf_spine, clos");
  EXPECT_NE(error(good, {"topology.podsets=2"}).find("unknown key"), std::string::npos);
  EXPECT_EQ(error(good, {"topology.host_rate=7 Gbps"}),
            "--set: topology.host_rate = \"7 Gbps\": " + legal_port_rates());
  const std::string too_fast = std::to_string(2 * max_port_rate.count()) + " bps";
  EXPECT_EQ(error(good, {"topology.host_rate=" + too_fast}),
            "--set: topology.host_rate = \"" + too_fast + "\": " + legal_port_rates());
  EXPECT_EQ(error(good, {"hosts.count=4"}), "--set: hosts.count = 4: follows from [topology]");
  EXPECT_EQ(error(good, {"topology.leaves=0"}),
            "--set: topology.leaves = 0: must be a whole number from 1 to 4096");
  EXPECT_EQ(error(good, {"topology.spine.chip.ports=2"}),
            "s.toml:4: topology: needs 3 ports at S0, its chip has 2");
  EXPECT_EQ(error(good, {"topology.leaf=none"}),
            "--set: topology.leaf = \"none\": must be a table: what the chips of this tier have");
  EXPECT_EQ(error(good, {"switch.L7.chip.ports=8"}),
            "--set: switch.L7: there is no such switch; did you mean L0?");
  EXPECT_EQ(error("[topology]\nkind='star'\nhosts=2\n[hosts]\ncable='1 m'\n"),
            "s.toml:4: topology.file: is missing: a chip file, in [switches]");
}

TEST_F(ConfigNetwork, RoutesCanBeWrongForAWhile) {
  const std::string ring =
      "[topology]\nkind='ring'\nhosts=2\ncable='30 m'\nswitches=2\n"
      "[switches]\nfile='chip.toml'\n[hosts]\ncable='3 m'\n";
  const Scenario scenario =
      load(ring + "[[route]]\nswitch='T1'\nto='T1h0'\nvia='T0'\nfrom='10 us'\nuntil='20 us'\n");
  EXPECT_EQ(way(scenario, "T1", "T1h0"), "0");
  EXPECT_EQ(way(scenario, "T1", "T1h0", Picoseconds{10'000'000}), "2");
  EXPECT_EQ(way(scenario, "T1", "T1h0", Picoseconds{20'000'000}), "0");
  EXPECT_EQ(way(scenario, "T1", "T1h1", Picoseconds{10'000'000}), "1");
  const Scenario all = load(ring + "[[route]]\nswitch='T[0-1]'\nto='T1'\nvia='discard'\n");
  EXPECT_EQ(all.routes.size(), 2U);
  EXPECT_EQ(way(all, "T0", "T1h1"), "") << "discarded";
  EXPECT_EQ(way(all, "T1", "T1h1"), "1") << "the host's own route is longer";
  const Scenario wide = load(ring + "[[route]]\nswitch='T0'\nto='10.0.1.0/31'\nports='1-2'\n");
  EXPECT_EQ(way(wide, "T0", "T1h0"), "1,2");
  EXPECT_EQ(way(wide, "T0", "T1h1"), "2");
}

TEST_F(ConfigNetwork, WhatIsWrongWithARouteIsNamed) {
  const std::string good =
      std::string{two_switches} + "[[route]]\nswitch='T0'\nto='S1'\nvia='La'\nfrom='10 us'\n";
  EXPECT_EQ(error(good), "taken");
  EXPECT_EQ(error(good, {"route[0].to=h99"})
                .rfind("--set: route[0].to = \"h99\": must be a "
                       "prefix such as",
                       0),
            0U);
  EXPECT_EQ(error(good, {"route[0].via=S1"}),
            "--set: route[0].via = \"S1\": no link leads from T0 to S1");
  EXPECT_EQ(error(good, {"route[0].ports=3"}),
            "--set: route[0].ports = 3: must not be given with via");
  EXPECT_EQ(error(good, {"route[0].until=10 us"}),
            "--set: route[0].until = \"10 us\": must be later than from");
  EXPECT_EQ(error(good, {"route[0].from=1 ms"}),
            "--set: route[0].from = \"1 ms\": must be before the end of the run");
  EXPECT_EQ(error(good, {"route[0].switch=Tx"}),
            "--set: route[0].switch = \"Tx\": there is no switch Tx; did you mean T0?");
  EXPECT_EQ(error(good, {"ecmp.hash=md5"}),
            "--set: ecmp.hash = \"md5\": must be one of murmur3, crc32, xor");
  EXPECT_EQ(load(good, {"ecmp.hash=crc32", "ecmp.seed=7"}).ecmp.seed, 7U);
}

TEST_F(ConfigNetwork, FaultsAreNamedByHostsAndPorts) {
  const std::string fault = "[[fault]]\nframes='all'\naction='lose'\nnth=1\nlink=";
  const Scenario host = load(std::string{two_switches} + fault + "'S1'\ndirection='to_switch'\n");
  EXPECT_EQ(host.faults[0].link, 1U);
  EXPECT_EQ(host.faults[0].direction, FaultDirection::a_to_b);
  const Scenario port = load(std::string{two_switches} + fault + "'La.port[0]'\ndirection='out'\n");
  EXPECT_EQ(port.faults[0].link, 2U);
  EXPECT_EQ(port.faults[0].direction, FaultDirection::b_to_a) << "La is end b";
  EXPECT_EQ(
      load(std::string{two_switches} + fault + "'S1'\ndirection='to_host'\n").faults[0].direction,
      FaultDirection::b_to_a);
  EXPECT_EQ(error(std::string{two_switches} + fault + "'La.port[0]'\ndirection='to_host'\n"),
            "s.toml:24: fault[0].direction = \"to_host\": must be one of both, out, in");
  EXPECT_EQ(error(std::string{two_switches} + fault + "'La.port[3]'\n")
                .rfind("s.toml:23: fault[0].link = \"La.port[3]\": must be a host (the link to it) "
                       "or a port with a link",
                       0),
            0U);
}

TEST_F(ConfigNetwork, ThroughputHasAWarmUpAndTwoBounds) {
  const std::string expect =
      std::string{two_switches} + "[expect]\nthroughput=['>= 1 Gbps', '< 2 Gbps']\n";
  const Scenario scenario = load(expect, {"scenario.warm_up=100 us"});
  EXPECT_EQ(scenario.warm_up, Picoseconds{100'000'000});
  ASSERT_EQ(scenario.expect.size(), 2U);
  EXPECT_EQ(scenario.expect[1].metric, "throughput");
  EXPECT_EQ(scenario.expect[1].bound, 2'000'000'000);
  EXPECT_EQ(error(expect, {"scenario.warm_up=1 ms"}),
            "--set: scenario.warm_up = \"1 ms\": must be shorter than until");
  EXPECT_EQ(error(expect, {"expect.throughput=5"}),
            "--set: expect.throughput = 5: must be a bound with ==, !=, <, <=, > or >=, such as "
            "\"> 10 Gbps\"");
}

// Row T1 of docs/design/published-rows.md: 4 leaves, 24 ToRs with 24 servers each, 64 spines,
// all 40G.
TEST_F(ConfigNetwork, ThePodsetOfTheProductionNetworkAddsUp) {
  const Scenario scenario = load(
      "[topology]\nkind='clos'\npodsets=1\ntors=24\nleaves=4\nspines=64\nhosts=24\ncable='20 m'\n"
      "[switches]\nfile='chip.toml'\n[switches.chip]\nports=40\n[switches.pool.main]\nsize='30 "
      "MB'\n"
      "[hosts]\ncable='2 m'\n");
  // Sums of rates by the tiers at the two ends of a link.
  std::map<std::string, std::uint64_t> bps, from_one;
  for (const LinkSpec& link : scenario.links) {
    const std::string ends = name_of(scenario, link.a).substr(0, 1) + (link.a.is_host ? "h" : "") +
                             name_of(scenario, link.b).substr(0, 1);
    const PortId port = link.b.port;
    const std::uint64_t rate = scenario.switches[link.b.node].chip.ports[port.count()].rate.count();
    bps[ends] += rate;
    for (const LinkEnd& end : {link.a, link.b}) {
      if (end.is_host) continue;
      const std::string& node = scenario.switches[end.node].name;
      if (node == "T0" || node == "L0") from_one[node + " " + ends] += rate;
    }
  }
  EXPECT_EQ(scenario.hosts.size(), 576U);
  EXPECT_EQ(from_one["T0 ThT"], 6 * from_one["T0 TL"]) << "6:1";
  EXPECT_EQ(2 * from_one["L0 TL"], 3 * from_one["L0 LS"]) << "3:2";
  EXPECT_EQ(bps["LS"], 2'560'000'000'000U) << "2.56 Tb/s from podset to spines";
  EXPECT_EQ(bps["ThT"], 576 * 40'000'000'000U);
  // The same from its ratios.
  const Scenario ratios = load(
      "[topology]\nkind='clos'\npodsets=1\ntors=24\nleaves=4\nspines=64\noversubscription='6:1'\n"
      "leaf_oversubscription='3:2'\ncable='20 m'\n"
      "[switches]\nfile='chip.toml'\n[switches.chip]\nports=40\n[switches.pool.main]\nsize='30 "
      "MB'\n"
      "[hosts]\ncable='2 m'\n");
  EXPECT_EQ(links_of(ratios), links_of(scenario));
}

TEST_F(ConfigNetwork, ConnectionsAndTtlBelongToTraffic) {
  const std::string text = std::string{two_switches} +
                           "[[traffic]]\nname='t'\nkind='constant'\nfrom='S0'\nto='S1'\n"
                           "priority=3\nconnections=8\nttl=16\n";
  EXPECT_EQ(load(text).traffic[0].connections, 8);
  EXPECT_EQ(load(text).traffic[0].ttl, 16);
  EXPECT_EQ(error(text, {"traffic[0].ttl=0"}),
            "--set: traffic[0].ttl = 0: must be a whole number from 1 to 255");
  EXPECT_EQ(error(text, {"traffic[0].connections=16385"}),
            "--set: traffic[0].connections = 16385: must be a whole number from 1 to 16384");
  const std::string more =
      "[[traffic]]\nname='u'\nkind='constant'\nfrom='S0'\nto='S1'\n"
      "priority=3\nconnections=16380\n";
  EXPECT_EQ(error(text + more),
            "s.toml:27: traffic[1]: all entries together have more than 16384 connections, one for "
            "each UDP source port of RoCEv2");
}

TEST_F(ConfigNetwork, AllErrorsOfATableAreReportedAtOnce) {
  const std::string rows = error(std::string{two_switches} +
                                 "[[link]]\na = \"Tx.port[0]\"\nb = \"La.port[8]\"\ncolour = 1\n"
                                 "[[route]]\nto = \"nowhere\"\nuntil = \"soon\"\nwhy = 1\n"
                                 "[ecmp]\nhash = \"md5\"\nseed = -1\n");
  for (const char* const key :
       {"link[1].a", "link[1].b", "link[1].cable", "link[1].colour", "route[0].switch",
        "route[0].to", "route[0].via", "route[0].until", "route[0].why", "ecmp.hash", "ecmp.seed"})
    EXPECT_NE(rows.find(key), std::string::npos) << key << "\n" << rows;
  const std::string clos = error(
      "[topology]\nkind = \"clos\"\npodsets = 0\ntors = 0\nleaves = 0\nspines = 0\n"
      "oversubscription = \"3:1\"\nlink_rate = \"0 Gbps\"\nspine_cable = \"x\"\ncolour = 1\n"
      "[topology.leaf.chip]\nports = 8\n");
  for (const char* const key :
       {"topology.podsets", "topology.tors", "topology.leaves", "topology.spines",
        "topology.link_rate", "topology.spine_cable", "topology.cable", "topology.colour"})
    EXPECT_NE(clos.find(key), std::string::npos) << key << "\n" << clos;
  EXPECT_EQ(clos.find("topology.leaf: "), std::string::npos) << clos;
}

}  // namespace
}  // namespace weir::network_test
