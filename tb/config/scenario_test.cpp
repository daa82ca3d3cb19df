// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/config_files.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/chip.hpp"

namespace weir::scenario_test {
namespace {

// Port 7 is slower than the others.
const std::string chip_file = "[[port]]\nports = 7\nrate = \"10 Gbps\"\n" + test::chip_text(8);

constexpr const char* scenario_text = R"([switch.tor]
file = "chip.toml"
[hosts]
count = 6
cable = "300 m"
[host.slow]
port = 7
delay = "40 ns"
obeys_pfc = false
response = "1 us"
[[traffic]]
name = "all"
kind = "constant"
from = "h[0-2,4]"
to = ["h5"]
priority = 3
rate = "80 %"
[expect]
drops = 0
)";

class ConfigScenario : public test::ScenarioFiles {
 protected:
  ConfigScenario() : ScenarioFiles{test::scenario_head() + scenario_text} {
    write("chip.toml", chip_file);
  }

  [[nodiscard]] Scenario load(const std::vector<std::string>& overrides = {}) const {
    return ScenarioFiles::load(added, overrides);
  }
  [[nodiscard]] std::string error(const std::vector<std::string>& overrides) const {
    return ScenarioFiles::error(added, overrides);
  }

  std::string added;  // to the end of the scenario
};

TEST_F(ConfigScenario, HostsSwitchAndLinksAreResolved) {
  const Scenario scenario = load();
  EXPECT_EQ(scenario.until, Picoseconds{1'000'000'000});
  EXPECT_EQ(scenario.seed, 1U);
  ASSERT_EQ(scenario.hosts.size(), 7U);
  EXPECT_EQ(scenario.hosts[5].name, "h5");
  EXPECT_EQ(scenario.hosts[5].rate, BitRate{40'000'000'000});
  EXPECT_EQ(scenario.links[5].b.port, PortId{5});
  EXPECT_EQ(scenario.links[5].delay, Picoseconds{1'500'000}) << "300 m x 5 ns";
  EXPECT_EQ(scenario.hosts[6].name, "slow");
  EXPECT_EQ(scenario.hosts[6].rate, BitRate{10'000'000'000}) << "that of its port";
  EXPECT_EQ(scenario.hosts[6].response, Picoseconds{1'000'000});
  EXPECT_FALSE(scenario.hosts[6].obeys_pfc);
  EXPECT_EQ(scenario.links[6].delay, Picoseconds{40'000});
  EXPECT_TRUE(scenario.links[6].a.is_host);
  EXPECT_FALSE(scenario.links[6].b.is_host);
}

TEST_F(ConfigScenario, ANameThatIsNoFolderIsRefused) {
  for (const char* name : {"", "../up", "a/b", ".hidden"}) {
    EXPECT_EQ(error({std::string{"scenario.name='"} + name + "'"}),
              std::string{"--set: scenario.name = \""} + name +
                  "\": must be a name for a folder: not empty, no \"/\", no control character, no "
                  "\".\" in front");
  }
}

TEST_F(ConfigScenario, ABurstOfNothingIsRefused) {
  EXPECT_EQ(error({"traffic.all.kind=incast", "traffic.all.burst=0 B"}),
            "--set: traffic[0].burst = \"0 B\": must be at least \"1 B\"; without it, no end");
}

TEST_F(ConfigScenario, HostsOfTheStarCanBeChangedOneByOne) {
  const Scenario scenario =
      load({"host.h1.cable=10 m", "host.h1.delay_per_metre=5.13 ns", "host.h2.obeys_pfc=false"});
  EXPECT_EQ(scenario.links[1].delay, Picoseconds{51'300});
  EXPECT_EQ(scenario.links[2].delay, Picoseconds{1'500'000});
  EXPECT_FALSE(scenario.hosts[2].obeys_pfc);
  EXPECT_TRUE(scenario.hosts[1].obeys_pfc);
  EXPECT_EQ(
      load({"hosts.first_port=1", "hosts.prefix=n", "traffic.all.from=n0", "traffic.all.to=n1"})
          .links[0]
          .b.port,
      PortId{1});
}

// The range is that of a chip's `headroom`, which is for the same cable.
TEST_F(ConfigScenario, ACableIsNoFasterThanLightAndNoSlowerThanTwentyTimesTheUsual) {
  const std::string legal = "must be from \"3.336 ns\" to \"100 ns\"";
  EXPECT_EQ(error({"host.h1.cable=10 m", "host.h1.delay_per_metre=3.335 ns"}),
            "--set: host.h1.delay_per_metre = \"3.335 ns\": " + legal);
  EXPECT_EQ(error({"hosts.cable=10 m", "hosts.delay_per_metre=101 ns"}),
            "--set: hosts.delay_per_metre = \"101 ns\": " + legal);
  EXPECT_EQ(
      error({"hosts.cable=1000001 m"}),
      "--set: hosts.cable = \"1000001 m\": is too large; must be a length such as \"300m\", at "
      "most \"1000km\"");
  EXPECT_EQ(load({"hosts.cable=1000 km", "hosts.delay_per_metre=100 ns"}).links[0].delay,
            Picoseconds{100'000'000'000});
}

TEST_F(ConfigScenario, TrafficIsResolved) {
  const TrafficSpec traffic = load().traffic.at(0);
  EXPECT_EQ(traffic.from, (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(traffic.to, (std::vector<std::size_t>{5}));
  EXPECT_EQ(traffic.rate, BitRate{32'000'000'000}) << "80 % of 40 Gbps";
  EXPECT_EQ(traffic.packet, Bytes{1000});
  EXPECT_EQ(load({"traffic.all.rate=line"}).traffic[0].rate, BitRate{0});
  EXPECT_EQ(load({"traffic.all.from=['h0', 'slow']"}).traffic[0].rate, BitRate{8'000'000'000})
      << "80 % of the slowest sender";
}

TEST_F(ConfigScenario, EveryKindHasItsOwnKeys) {
  const Scenario burst = load({"traffic.all.kind=incast", "traffic.all.burst=64 kB",
                               "traffic.all.period=10 us", "traffic.all.stagger=5 ns"});
  EXPECT_EQ(burst.traffic[0].burst, Bytes{64'000});
  EXPECT_EQ(burst.traffic[0].period, Picoseconds{10'000'000});
  EXPECT_EQ(burst.traffic[0].stagger, Picoseconds{5'000});
  const Scenario phases = load({"traffic.all.kind=on_off", "traffic.all.on_time=1 us",
                                "traffic.all.off_time=2 us", "traffic.all.random_periods=true"});
  EXPECT_EQ(phases.traffic[0].off_time, Picoseconds{2'000'000});
  EXPECT_TRUE(phases.traffic[0].random_periods);
  EXPECT_EQ(error({"traffic.all.burst=64 kB"})
                .rfind("--set: traffic[0].burst = \"64 kB\": unknown key", 0),
            0U)
      << "constant traffic has no bursts";
  EXPECT_EQ(
      error({"traffic.all.kind=poisson", "traffic.all.rate=line"}),
      "--set: traffic[0].rate = \"line\": must be a mean rate such as \"10 Gbps\" or \"80 %\" for "
      "this kind");
  EXPECT_EQ(error({"traffic.all.kind=incast", "traffic.all.period=1 us"}),
            "--set: traffic[0].period = \"1 us\": needs a burst that ends: set burst");
  EXPECT_EQ(
      error({"traffic.all.kind=cosntant"}),
      "--set: traffic[0].kind = \"cosntant\": must be one of constant, poisson, on_off, incast, "
      "messages, replay, rdma");
}

TEST_F(ConfigScenario, EcnBitsOfTrafficAreACodepointAndNeverCe) {
  EXPECT_EQ(load().traffic[0].ecn, Ecn::not_ect);
  EXPECT_EQ(load({"traffic.all.ecn=ect1"}).traffic[0].ecn, Ecn::ect1);
  EXPECT_EQ(error({"traffic.all.ecn=ce"}),
            "--set: traffic[0].ecn = \"ce\": must be one of not_ect, ect0, ect1");
}

TEST_F(ConfigScenario, OverridesReachTheChip) {
  const Chip chip = load({"switch.tor.profile.lossless.alpha=1/16", "switch.tor.chip.quanta=100",
                          "switch.tor.port=[{ports=0, rate='25 Gbps'}]"})
                        .switches[0]
                        .chip;
  EXPECT_EQ(chip.profiles.front().threshold.alpha, (Alpha{1, 4}));
  EXPECT_EQ(chip.quanta, Quanta{100});
  EXPECT_EQ(chip.ports[0].rate, BitRate{25'000'000'000});
  EXPECT_EQ(chip.ports[7].rate, BitRate{10'000'000'000}) << "blocks of the chip file stay";
  EXPECT_EQ(error({"switch.tor.profile.lossless.alpah=1/16"})
                .rfind("--set: switch.tor.profile.lossless.alpah = \"1/16\": unknown key, did you "
                       "mean alpha?",
                       0),
            0U);
  EXPECT_EQ(error({"switch.tor.chip.cell=0 B"}),
            "--set: switch.tor.chip.cell = \"0 B\": must be at least \"1 B\"");
}

TEST_F(ConfigScenario, AllErrorsOfItsTablesAreReportedAtOnce) {
  const std::string errors =
      error({"switch.tor.profile.lossless.alpha=1/3", "hosts.cable=long", "traffic[0].priority=9",
             "traffic[0].packt=64 B", "expect.drps=0", "scenario.sed=1"});
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 5) << errors;
  for (const char* const key :
       {"switch.tor.profile.lossless.alpha", "hosts.cable", "traffic[0].priority",
        "traffic[0].packt", "expect.drps", "scenario.sed"})
    EXPECT_NE(errors.find(std::string{"--set: "} + key), std::string::npos) << key << "\n"
                                                                            << errors;
}

TEST_F(ConfigScenario, AKeyOfAChipThatLacksItsPathIsSuggestedInFull) {
  EXPECT_NE(error({"alpha=1/16"}).find("did you mean switch.tor.profile.lossless.alpha?"),
            std::string::npos)
      << error({"alpha=1/16"});
  EXPECT_NE(error({"lossless.alpha=1/16"}).find("did you mean switch.tor.profile.lossless.alpha?"),
            std::string::npos);
}

TEST_F(ConfigScenario, ASwitchThatOnlySetNamesIsAWrongName) {
  EXPECT_EQ(error({"switch.tro.profile.lossless.alpha=1/8"}),
            "--set: switch.tro: there is no switch tro; there are: tor (a new one needs file)");
  EXPECT_EQ(error({"switch.torr.profile.lossless.alpha=1/8"}),
            "--set: switch.torr: there is no switch torr, did you mean tor?; there are: tor (a new "
            "one needs file)");
  EXPECT_EQ(error({"switch.tro.file=chip.toml", "switch.tro.chip.lanes=2"}),
            "s.toml:6: hosts.switch: is missing: the switch it is connected to")
      << "a second switch";
}

TEST_F(ConfigScenario, AHostAtASpeedWithoutAKnownResponseMustGiveIt) {
  const std::string port = "switch.tor.port=[{ports=0, rate='1000 Gbps', response='290 ns'}]";
  EXPECT_EQ(error({"switch.tor.port=[{ports=0, rate='1000 Gbps'}]"})
                .rfind("--set: switch.tor.port[0].rate = \"1000 Gbps\": needs the key response", 0),
            0U)
      << error({"switch.tor.port=[{ports=0, rate='1000 Gbps'}]"});
  EXPECT_EQ(error({port}).rfind("s.toml:6: hosts.response: is missing: ", 0), 0U) << error({port});
  EXPECT_NE(error({port}).find("must be given at 1000 Gbps"), std::string::npos) << error({port});
  EXPECT_EQ(load({port, "hosts.response=290 ns"}).hosts[0].response, Picoseconds{290'000});
  EXPECT_EQ(error({port, "hosts.obeys_pfc=false"}), "taken") << "it never pauses";
}

TEST_F(ConfigScenario, ErrorsInTheChipFileNameThatFile) {
  write("chip.toml", chip_file + "alhpa = 1\n");
  EXPECT_EQ(error({}).rfind(
                "chip.toml:16: profile.lossless.alhpa = 1: unknown key, did you mean alpha?", 0),
            0U)
      << error({});
}

TEST_F(ConfigScenario, MissingFilesAreNamedWhereTheyAreCalledFor) {
  EXPECT_EQ(error({"switch.tor.file=none.toml"}),
            "--set: switch.tor.file = \"none.toml\": no such file");
  EXPECT_EQ(error({"traffic.all.kind=messages", "traffic.all.sizes=none.csv"}),
            "--set: traffic[0].sizes = \"none.csv\": no such file");
  added = "[[traffic]]\nname = 'r'\nkind = 'replay'\nfile = 'none.csv'\n";
  EXPECT_EQ(error({}), "s.toml:26: traffic[1].file = \"none.csv\": no such file");
}

TEST_F(ConfigScenario, AReplayKnowsItsSendersAndReceivers) {
  write("list.csv", "time_ps,from,to,priority,length_bytes\n0,h1,h2,3,64\n1,h1,slow,3,64\n");
  added = "[[traffic]]\nname = 'r'\nkind = 'replay'\nfile = 'list.csv'\n";
  const TrafficSpec replay = load().traffic.at(1);
  EXPECT_EQ(replay.from, (std::vector<std::size_t>{1}));
  EXPECT_EQ(replay.to, (std::vector<std::size_t>{2, 6}));
  EXPECT_EQ(replay.replay.size(), 2U);
  write("list.csv", "time_ps,from,to,priority,length_bytes\n0,h1,h2,3,64\n1,h1,sl");
  EXPECT_EQ(error({}), "list.csv:3: the last line has no line break: the file is cut off");
}

TEST_F(ConfigScenario, AHostThatDoesNotExistIsNamed) {
  EXPECT_EQ(error({"traffic.all.to=h9"}),
            "--set: traffic[0].to = \"h9\": there is no host h9; there "
            "are: h0 ... slow (7 hosts)");
  EXPECT_EQ(error({"traffic.all.from=h[4-6]"}),
            "--set: traffic[0].from = \"h[4-6]\": there is no host "
            "h6; there are: h0 ... slow (7 hosts)");
  EXPECT_EQ(error({"traffic.all.from=['h0', 'x']"}),
            "--set: traffic[0].from[1] = \"x\": there is no "
            "host x; there are: h0 ... slow (7 hosts)");
}

TEST_F(ConfigScenario, SendersAndReceiversMustFit) {
  EXPECT_EQ(error({"traffic.all.to=h0"}),
            "--set: traffic[0].to = \"h0\": a host cannot send to itself");
  EXPECT_EQ(error({"traffic.all.to=h[3,5]"}),
            "--set: traffic[0].to = \"h[3,5]\": must be one host, or "
            "as many as from, which are 4; here are 2");
  EXPECT_EQ(
      load({"traffic.all.to=h[0-2,4]", "traffic.all.destination=uniform"}).traffic[0].destination,
      DestinationRule::uniform);
  EXPECT_EQ(error({"traffic.all.from=h1", "traffic.all.to=h1", "traffic.all.destination=uniform"}),
            "--set: traffic[0].to = \"h1\": a sender needs a receiver that is not itself");
}

TEST_F(ConfigScenario, PortsAreUsedOnceAndExist) {
  EXPECT_EQ(error({"host.slow.port=3"}),
            "s.toml:9: host.slow: host slow is at port 3, where h3 is already");
  EXPECT_EQ(error({"host.slow.port=8"}),
            "--set: host.slow.port = 8: must be a whole number from 0 to 7");
  EXPECT_EQ(error({"host.new.delay=0 ns"}).rfind("--set: host.new.port: is missing", 0), 0U);
  EXPECT_EQ(error({"hosts.count=9"}), "--set: hosts.count = 9: must be a whole number from 1 to 8");
  EXPECT_EQ(
      error({"hosts.delay=1 us"}),
      "--set: hosts.delay = \"1 us\": must not be given with cable, whose length gives the delay");
}

TEST_F(ConfigScenario, ImpossibleNumbersAreErrorsAndTheLastPossibleOneIsNot) {
  EXPECT_EQ(error({"scenario.until=0 ms"}),
            "--set: scenario.until = \"0 ms\": must be longer than 0");
  EXPECT_NE(error({"scenario.until=171000 s", "switch.tor.chip.clock=1.35 GHz"})
                .find("until = \"171000 s\": must be at most \"170803 s\", because the clock of "
                      "switch tor has a period of 20000/27 ps"),
            std::string::npos);
  EXPECT_EQ(error({"scenario.until=5"}).rfind("--set: scenario.until = 5: must be a time", 0), 0U);
  EXPECT_EQ(
      error({"scenario.seed=-1"}).rfind("--set: scenario.seed = -1: must be a whole number", 0),
      0U);
  EXPECT_EQ(error({"traffic.all.priority=8"}),
            "--set: traffic[0].priority = 8: must be a whole number from 0 to 7");
  EXPECT_EQ(error({"traffic.all.packet=63 B"})
                .rfind("--set: traffic[0].packet = \"63 B\": must be from "
                       "\"64 B\" to \"9216 B\"",
                       0),
            0U);
  EXPECT_EQ(load({"traffic.all.packet=64 B"}).traffic[0].packet, Bytes{64});
  EXPECT_EQ(load({"traffic.all.packet=9216 B"}).traffic[0].packet, Bytes{9216});
  EXPECT_NE(error({"traffic.all.packet=9217 B"}), "taken");
  EXPECT_EQ(load({"switch.tor.chip.mtu=500 B"}).traffic[0].packet, Bytes{500}) << "the default";
  EXPECT_EQ(load({"traffic.all.rate=40 Gbps"}).traffic[0].rate, BitRate{40'000'000'000});
  EXPECT_EQ(error({"traffic.all.rate=41 Gbps"}),
            "--set: traffic[0].rate = \"41 Gbps\": must be more than 0 and at most the 40000000000 "
            "bps of "
            "the sender's port");
  EXPECT_EQ(
      error({"traffic.all.rate=0 %"}).rfind("--set: traffic[0].rate = \"0 %\": must be more", 0),
      0U);
  EXPECT_EQ(error({"traffic.all.start=2 us", "traffic.all.stop=2 us"}),
            "--set: traffic[0].stop = \"2 us\": must be later than start");
}

TEST_F(ConfigScenario, NamesAndCountOfSwitchesAreKeysWhereTheyAreReadAlone) {
  for (const char* key : {"switches.count=5", "switch.tor.count=7", "switch.tor.names=['x']"})
    EXPECT_NE(error({key}).find("unknown key"), std::string::npos) << key << ": " << error({key});
}

TEST_F(ConfigScenario, AListWithoutAnElementIsNoListOfPorts) {
  EXPECT_NE(error({"switch.tor.profile.lossless.priorities=[]"}).find("must name at least one"),
            std::string::npos)
      << error({"switch.tor.profile.lossless.priorities=[]"});
  EXPECT_NE(error({"switch.tor.profile.lossless.ports=[]"}).find("must name at least one"),
            std::string::npos)
      << error({"switch.tor.profile.lossless.ports=[]"});
}

TEST_F(ConfigScenario, TheResponseOfAHostIsWrittenAsThatOfAPort) {
  EXPECT_EQ(error({"host.slow.response=1 s"}), "taken");
  EXPECT_EQ(error({"host.slow.response=1.000000000001 s"}),
            "--set: host.slow.response = \"1.000000000001 s\": " + std::string{legal::response});
  EXPECT_EQ(load({"host.slow.response=60 quanta"}).hosts[6].response,
            quanta_time(Quanta{60}, BitRate{10'000'000'000}));
}

TEST_F(ConfigScenario, TimesThatAreAddedToOthersAreFarFromTheEndOfTheirRange) {
  const std::string far = "18446744073709000000 ps", limit = "must be at most \"1000 s\"";
  EXPECT_EQ(error({"host.slow.delay=1000 s"}), "taken");
  EXPECT_EQ(error({"host.slow.delay=1000.000000000001 s"}),
            "--set: host.slow.delay = \"1000.000000000001 s\": " + limit);
  EXPECT_NE(error({"host.slow.delay=" + far}).find("at most"), std::string::npos);
  EXPECT_EQ(error({"scenario.until=" + far}),
            "--set: scenario.until = \"" + far + "\": must be at most \"4611686 s\"");
  EXPECT_EQ(error({"traffic.all.start=" + far}),
            "--set: traffic[0].start = \"" + far + "\": must be at most \"4611686 s\"");
  EXPECT_EQ(error({"traffic.all.stagger=1001 s"}),
            "--set: traffic[0].stagger = \"1001 s\": " + limit);
  const std::size_t senders = load({}).traffic[0].from.size();
  ASSERT_GT(senders, 1U);
  EXPECT_NE(error({"traffic.all.stagger=1000 s"})
                .find(limit + " for all " + std::to_string(senders) + " senders together"),
            std::string::npos)
      << error({"traffic.all.stagger=1000 s"});
}

TEST_F(ConfigScenario, UnknownKeysAreErrorsInEveryTable) {
  for (const char* key : {"b", "scenario.b", "hosts.b", "host.slow.b", "traffic.all.b",
                          "switch.tor.b", "switch.tor.chip.b"}) {
    EXPECT_NE(error({std::string{key} + "=1"}).find("unknown key"), std::string::npos)
        << error({std::string{key} + "=1"});
  }
  EXPECT_NE(error({"expect.b=1"}).find("unknown metric"), std::string::npos);
  EXPECT_EQ(error({"switch.other.file=chip.toml"}),
            "s.toml:6: hosts.switch: is missing: the switch it is connected to")
      << "with a second switch";
}

}  // namespace
}  // namespace weir::scenario_test
