// SPDX-License-Identifier: Apache-2.0
// [nic.NAME], [watchdog.NAME], faults of hosts, and connections: accepted and refused values.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/config_files.hpp"

namespace weir::nics_test {
namespace {

constexpr std::uint8_t classes_3_and_4 = 1U << 3 | 1U << 4;

class ConfigNics : public test::ScenarioFiles {
 protected:
  ConfigNics()
      : ScenarioFiles{test::scenario_head() + test::mixed_chip_text(4, "switch.tor.") +
                      test::hosts_text(3)} {}
};

TEST_F(ConfigNics, ReadsEveryKeyOfANic) {
  const Scenario scenario = load(
      "[nic.slow]\nhosts = \"h[1-2]\"\npipeline = \"50 Gbps\"\nbuffer = \"1 MB\"\nxoff = \"600 "
      "kB\"\n"
      "xon = \"100 kB\"\npriorities = [3]\nquanta = 1000\nmemory = \"1 GiB\"\nmtt_entries = 100\n"
      "page = \"2 MiB\"\nreplacement = \"fifo\"\nmiss_time = \"700 ns\"\nwatchdog = \"100 ms\"\n");
  EXPECT_FALSE(scenario.hosts[0].nic);
  for (const std::size_t host : {1U, 2U}) {
    const NicSpec& nic = scenario.hosts[host].nic.value();
    EXPECT_EQ(nic.pipeline, BitRate{50'000'000'000});
    EXPECT_EQ(nic.buffer, Bytes{1'000'000});
    EXPECT_EQ(nic.xoff, Bytes{600'000});
    EXPECT_EQ(nic.xon, Bytes{100'000});
    EXPECT_EQ(nic.classes, 1U << 3);
    EXPECT_EQ(nic.quanta, Quanta{1000});
    EXPECT_EQ(nic.memory, Bytes{1ULL << 30});
    EXPECT_EQ(nic.mtt_entries, 100U);
    EXPECT_EQ(nic.page, Bytes{2ULL << 20});
    EXPECT_EQ(nic.replacement, MttReplacement::fifo);
    EXPECT_EQ(nic.miss_time, Picoseconds{700'000});
    EXPECT_EQ(nic.watchdog, Picoseconds{100'000'000'000});
  }
}

TEST_F(ConfigNics, WhatIsNotWrittenFollowsFromTheRest) {
  const Scenario scenario = load("[nic.n]\nhosts = \"h0\"\nbuffer = \"800 kB\"\n");
  const NicSpec& nic = scenario.hosts[0].nic.value();
  EXPECT_EQ(nic.xoff, Bytes{400'000}) << "half of the buffer";
  EXPECT_EQ(nic.xon, Bytes{200'000}) << "half of that";
  EXPECT_EQ(nic.classes, classes_3_and_4) << "lossless at its switch port";
  EXPECT_EQ(nic.memory, Bytes{}) << "no translation";
  EXPECT_FALSE(nic.watchdog);
}

TEST_F(ConfigNics, RefusesNicsThatCannotBe) {
  EXPECT_EQ(error_at_key("[nic.n]\nquanta = 1000\n"),
            "nic.n.hosts: is missing: the hosts that have it, such as \"h[0-15]\"");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h9\"\n"),
            "nic.n.hosts = \"h9\": there is no host h9; there are: h0 ... h2 (3 hosts)");
  EXPECT_EQ(error_at_key("[nic.a]\nhosts = \"h0\"\n[nic.b]\nhosts = \"h[0-1]\"\n"),
            "nic.b.hosts = \"h[0-1]\": host h0 has a NIC already");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nbuffer = \"1999 B\"\n"),
            "nic.n.buffer = \"1999 B\": must hold a frame of the mtu, 2000 B");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nbuffer = \"2000 B\"\n"), "taken");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nxoff = \"512001 B\"\n"),
            "nic.n.xoff = \"512001 B\": must not be more than buffer");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nxon = \"256 kB\"\n"),
            "nic.n.xon = \"256 kB\": xon must be less than xoff");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nxon = \"255999 B\"\n"), "taken");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\npage = \"4 kB\"\n"),
            "nic.n.page = \"4 kB\": needs memory, the size of the memory that messages go to");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nmemory = \"1 GB\"\nreplacement = \"mru\"\n"),
            "nic.n.replacement = \"mru\": must be one of lru, fifo, random");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nwatchdog = \"0 s\"\n"),
            "nic.n.watchdog = \"0 s\": must be more than 0 and at most \"3600 s\"");
  EXPECT_EQ(error_at_key("[nic.n]\nhosts = \"h0\"\nprio = 3\n").substr(0, 10), "nic.n.prio");
}

TEST_F(ConfigNics, ReadsWhatHappensToHosts) {
  const Scenario scenario = load(
      "[[fault]]\nkind = \"storm\"\nhost = \"h1\"\nat = \"1 us\"\ninterval = \"800 us\"\n"
      "[[fault]]\nkind = \"reboot\"\nhost = \"h[0-1]\"\nat = \"2 us\"\n");
  ASSERT_EQ(scenario.host_faults.size(), 3U);
  EXPECT_TRUE(scenario.faults.empty());
  EXPECT_EQ(scenario.host_faults[0].kind, HostFaultKind::storm);
  EXPECT_EQ(scenario.host_faults[0].host, 1U);
  EXPECT_EQ(scenario.host_faults[0].at, Picoseconds{1'000'000});
  EXPECT_EQ(scenario.host_faults[0].interval, Picoseconds{800'000'000});
  EXPECT_EQ(scenario.host_faults[1].kind, HostFaultKind::reboot);
  EXPECT_EQ(scenario.host_faults[2].host, 1U);
  EXPECT_EQ(scenario.hosts[1].nic.value().classes, classes_3_and_4) << "what can break is there";
  EXPECT_FALSE(scenario.hosts[0].nic) << "a reboot needs none";
}

TEST_F(ConfigNics, RefusesHappeningsThatCannotBe) {
  EXPECT_EQ(error_at_key("[[fault]]\nkind = \"fire\"\nhost = \"h1\"\nat = \"1 us\"\n"),
            "fault[0].kind = \"fire\": must be one of storm, stuck, reboot");
  EXPECT_EQ(error_at_key("[[fault]]\nkind = \"storm\"\nhost = \"h1\"\n"),
            "fault[0].at: is missing: when, such as \"1 ms\"");
  EXPECT_EQ(error_at_key(
                "[[fault]]\nkind = \"stuck\"\nhost = \"h1\"\nat = \"1 us\"\ninterval = \"1 us\"\n"),
            "fault[0].interval = \"1 us\": needs kind = \"storm\"");
}

TEST_F(ConfigNics, AWatchdogIsAtTheServerPortsAndLosslessClassesByDefault) {
  const Scenario scenario = load("[watchdog.w]\ndetect = \"100 ms\"\n");
  ASSERT_EQ(scenario.watchdogs.size(), 3U) << "port 3 has no host";
  for (std::uint16_t port = 0; port < 3; ++port) {
    const PfcWatchdogSpec& watchdog = scenario.watchdogs[port];
    EXPECT_EQ(watchdog.ports, std::vector<PortId>{PortId{port}});
    EXPECT_EQ(watchdog.classes, classes_3_and_4);
    EXPECT_EQ(watchdog.setting.detect, Picoseconds{100'000'000'000});
    EXPECT_EQ(watchdog.setting.restore, Picoseconds{200'000'000'000});
    EXPECT_EQ(watchdog.action, WatchdogAction::drop);
  }
  const Scenario given =
      load("[watchdog.w]\nswitches = \"tor\"\nports = [3]\npriorities = [3]\naction = \"alert\"\n");
  ASSERT_EQ(given.watchdogs.size(), 1U);
  EXPECT_EQ(given.watchdogs[0].ports, std::vector<PortId>{PortId{3}});
  EXPECT_EQ(given.watchdogs[0].classes, 1U << 3);
  EXPECT_EQ(given.watchdogs[0].action, WatchdogAction::alert);
}

TEST_F(ConfigNics, RefusesWatchdogsThatCannotBe) {
  EXPECT_EQ(error_at_key("[watchdog.a]\n[watchdog.b]\nports = [1]\n"),
            "watchdog.b: port 1 of switch tor has a watchdog of such a class already");
  EXPECT_EQ(error_at_key("[watchdog.a]\npriorities = [3]\n[watchdog.b]\npriorities = [4]\n"),
            "taken");
  EXPECT_EQ(error_at_key("[watchdog.a]\naction = \"panic\"\n"),
            "watchdog.a.action = \"panic\": must be one of drop, forward, alert");
  EXPECT_EQ(error_at_key("[watchdog.a]\ndetect = \"0 ms\"\n"),
            "watchdog.a.detect = \"0 ms\": must be more than 0 and at most \"3600 s\"");
  EXPECT_NE(error_at_key("[watchdog.a]\nswitches = \"spine\"\n").find("spine"), std::string::npos);
  EXPECT_NE(error_at_key("[watchdog.a]\nports = [4]\n"), "taken");
}

constexpr const char* rdma =
    "[[traffic]]\nname = \"t\"\nkind = \"rdma\"\nfrom = \"h[0-1]\"\npriority = 3\n";

TEST_F(ConfigNics, ReadsConnections) {
  const Scenario scenario = load(std::string{rdma} +
                                 "to = \"h[0-2]\"\ndestination = \"each\"\nmessage = \"64 kB\"\n"
                                 "window = \"256 kB\"\nack_every = 2\ntimeout = \"1 ms\"\n");
  const TrafficSpec& traffic = scenario.traffic.at(0);
  EXPECT_EQ(traffic.kind, TrafficKind::rdma);
  EXPECT_EQ(traffic.destination, DestinationRule::each);
  EXPECT_EQ(traffic.message, Bytes{64'000});
  EXPECT_EQ(traffic.window, Bytes{256'000});
  EXPECT_EQ(traffic.ack_every, 2U);
  EXPECT_EQ(traffic.timeout, Picoseconds{1'000'000'000});
}

TEST_F(ConfigNics, RefusesConnectionsThatCannotBe) {
  const std::string one = std::string{rdma} + "to = \"h2\"\n";
  EXPECT_EQ(error_at_key(one),
            "traffic[0].message: is missing: the size of a message, or sizes, a CSV file of them");
  EXPECT_EQ(error_at_key(one + "message = \"0 B\"\n"),
            "traffic[0].message = \"0 B\": must be at least \"1 B\"");
  EXPECT_EQ(
      error_at_key(one + "message = \"1 kB\"\nwindow = \"999 B\"\n"),
      "traffic[0].window = \"999 B\": window must hold a packet, here 1000 B, or be \"none\"");
  EXPECT_EQ(error_at_key(one + "message = \"1 kB\"\nwindow = \"1000 B\"\n"), "taken");
  EXPECT_EQ(error_at_key(one + "message = \"1 kB\"\ndestination = \"uniform\"\n"),
            "traffic[0].destination = \"uniform\": must be one of paired, each");
  EXPECT_EQ(error_at_key(one + "message = \"1 kB\"\nack_every = 0\n"),
            "traffic[0].ack_every = 0: must be a whole number from 1 to 1000000");
}

TEST_F(ConfigNics, AllErrorsOfATableAreReportedAtOnce) {
  const std::string nic = error(
      "[nic.n]\nhosts = \"h9\"\npipeline = \"1 kbps\"\nxoff = \"x\"\npage = \"4 kB\"\n"
      "priorities = 9\nwatchdog = \"0 s\"\nlate = 1\n");
  for (const char* const key : {"nic.n.hosts", "nic.n.pipeline", "nic.n.xoff", "nic.n.page",
                                "nic.n.priorities", "nic.n.watchdog", "nic.n.late"})
    EXPECT_NE(nic.find(key), std::string::npos) << key << "\n" << nic;
  const std::string watchdog = error(
      "[watchdog.w]\nswitches = \"none\"\ndetect = \"0 s\"\naction = \"bark\"\n"
      "priorities = 9\nlate = 1\n");
  for (const char* const key : {"watchdog.w.switches", "watchdog.w.detect", "watchdog.w.action",
                                "watchdog.w.priorities", "watchdog.w.late"})
    EXPECT_NE(watchdog.find(key), std::string::npos) << key << "\n" << watchdog;
  const std::string fault =
      error("[[fault]]\nkind = \"storm\"\nhost = \"h9\"\nat = 1\ninterval = \"0 s\"\nlate = 1\n");
  for (const char* const key :
       {"fault[0].host", "fault[0].at", "fault[0].interval", "fault[0].late"})
    EXPECT_NE(fault.find(key), std::string::npos) << key << "\n" << fault;
}

}  // namespace
}  // namespace weir::nics_test
