// SPDX-License-Identifier: Apache-2.0
// [monitor], [[desired]], [pingmesh]: accepted and refused values. Both sides of the bounds of
// [watchdog.NAME], [[fault]] of hosts, [[route]] and [topology].
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "support/config_files.hpp"

namespace weir::incidents_test {
namespace {

// Two switches. Lines 1 to 34; what a test adds begins on line 35.
const std::string head = test::scenario_head() + "[switches]\nnames = [\"T0\", \"La\"]\n" +
                         test::mixed_chip_text(8, "switches.") + R"([[link]]
a = "T0.port[2]"
b = "La.port[0]"
cable = "30 m"
[host]
S0 = { switch = "T0", port = 0, cable = "3 m" }
S1 = { switch = "T0", port = 1, cable = "3 m" }
S2 = { switch = "La", port = 1, cable = "3 m" }


# added:
)";

class ConfigIncidents : public test::ScenarioFiles {
 protected:
  ConfigIncidents() : ScenarioFiles{head} {}
};

TEST_F(ConfigIncidents, AMonitorHasAPeriodLongerThanNothing) {
  EXPECT_FALSE(load("").monitor.period);
  EXPECT_EQ(load("[monitor]\nperiod = '1 ns'\n").monitor.period, Picoseconds{1000});
  EXPECT_EQ(error("[monitor]\nperiod = '0 ps'\n"),
            "s.toml:36: monitor.period = \"0 ps\": must be longer than 0");
  EXPECT_EQ(error("[monitor]\n"),
            "s.toml:35: monitor.period: is missing: how often to look, such as \"100 us\"");
  EXPECT_EQ(
      error("[monitor]\nperiod = 5\n"),
      "s.toml:36: monitor.period = 5: must be a time such as \"2 ms\", \"1.5 us\" or \"800 ps\"");
  EXPECT_EQ(error("[monitor]\nperiod = '1 us'\nports = 3\n"),
            "s.toml:37: monitor.ports = 3: unknown key; legal here: period");
}

TEST_F(ConfigIncidents, DesiredIsAboutSwitchesThatThereAreOnceEach) {
  const Scenario all = load("[[desired]]\nprofile.lossless.alpha = '1/16'\n");
  ASSERT_EQ(all.monitor.desired.size(), 2U);
  EXPECT_EQ(all.monitor.desired[0].chip.profiles.front().threshold.alpha, (Alpha{1, 4}));
  EXPECT_EQ(
      load("[[desired]]\nnames = 'La'\nprofile.lossless.alpha = '1/16'\n").monitor.desired.size(),
      1U);
  EXPECT_EQ(error("[[desired]]\nnames = 'La'\n[[desired]]\nnames = ['T0', 'La']\n"),
            "s.toml:37: desired[1]: is about La a second time");
  EXPECT_EQ(error("[[desired]]\nnames = 'La'\n[[desired]]\nnames = 'T0'\n"), "taken");
  EXPECT_EQ(error("[[desired]]\nnames = 'Lb'\n"),
            "s.toml:36: desired[0].names = \"Lb\": there is no switch Lb; did you mean La?");
  EXPECT_EQ(error("[[desired]]\nprofile.lossless.alpha = '3/7'\n"),
            "s.toml:36: desired[0].profile.lossless.alpha = \"3/7\": must be n/2^m with n from 1 "
            "to 65535 and m from 0 to 16, such as \"1/8\", \"4\" or 0.125");
  EXPECT_EQ(error("[[desired]]\nprofile.lossles.alpha = '1/8'\n"),
            "s.toml:36: desired[0].profile.lossles.priorities: is missing: a list such as [3, 4]\n"
            "s.toml:36: desired[0].profile.lossles.pool: is missing: the name of a [pool.NAME]");
  EXPECT_EQ(error("[desired]\nnames = 'La'\n"),
            "s.toml:35: desired: must be a list of tables: [[desired]]");
}

// Keys of the errors, in the order of their lines.
std::vector<std::string> keys_of(const std::string& errors) {
  std::vector<std::string> keys;
  std::istringstream lines{errors};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find(' ') + 1;
    keys.push_back(line.substr(begin, line.find_first_of(" :", begin) - begin));
  }
  return keys;
}

constexpr const char* mesh = "[pingmesh]\nfrom = 'S[0-1]'\nto = 'S2'\npriorities = [3]\n";

TEST_F(ConfigIncidents, APingmeshPairsServersThatThereAre) {
  const Scenario one = load(mesh);
  EXPECT_EQ(one.pingmesh->pairs.size(), 2U);
  EXPECT_EQ(one.pingmesh->packet, Bytes{512});
  EXPECT_EQ(load("[pingmesh]\nfrom = 'S[0-2]'\npriorities = [3]\n").pingmesh->pairs.size(), 6U);
  EXPECT_EQ(error("[pingmesh]\npriorities = [3]\n"),
            "s.toml:35: pingmesh.from: is missing: the servers that probe, such as \"h[0-15]\"");
  EXPECT_EQ(
      error("[pingmesh]\nfrom = 'S3'\npriorities = [3]\n"),
      "s.toml:36: pingmesh.from = \"S3\": there is no host S3; there are: S0 ... S2 (3 hosts)");
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S0'\npriorities = [3]\n"),
            "s.toml:36: pingmesh.from = \"S0\": a host does not probe itself: name another one");
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S0'\nto = ['S1', 'S1']\npriorities = [3]\n"),
            "s.toml:37: pingmesh.to = [\"S1\", \"S1\"]: must name each pair once");
  EXPECT_EQ(
      error(std::string{mesh} + "pairs = 'paired'\n"),
      "s.toml:37: pingmesh.to = \"S2\": must be as many hosts as from, which are 2; here are 1");
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S0'\nto = 'S0'\npairs = 'paired'\npriorities = [3]\n"),
            "s.toml:37: pingmesh.to = \"S0\": a host does not probe itself");
  EXPECT_EQ(error(std::string{mesh} + "pairs = 'ring'\n"),
            "s.toml:39: pingmesh.pairs = \"ring\": must be one of all, paired");
}

TEST_F(ConfigIncidents, APingmeshHasClassesASizeAndTimes) {
  EXPECT_EQ(
      error("[pingmesh]\nfrom = 'S[0-1]'\n"),
      "s.toml:35: pingmesh.priorities: is missing: the classes to probe in, such as [3] or [1, 3]");
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S[0-1]'\npriorities = []\n"),
            "s.toml:37: pingmesh.priorities = []: must name at least one");
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S[0-1]'\npriorities = [7]\n"), "taken");
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S[0-1]'\npriorities = [8]\n"),
            "s.toml:37: pingmesh.priorities[0] = 8: must be a whole number from 0 to 7");
  EXPECT_EQ(error(std::string{mesh} + "packet = '64 B'\n"), "taken");
  EXPECT_EQ(error(std::string{mesh} + "packet = '63 B'\n"),
            "s.toml:39: pingmesh.packet = \"63 B\": must be from \"64 B\" to \"2000 B\", the "
            "least mtu of the chips");
  EXPECT_EQ(error(std::string{mesh} + "packet = '2000 B'\n"), "taken");
  EXPECT_EQ(error(std::string{mesh} + "packet = '2001 B'\n"),
            "s.toml:39: pingmesh.packet = \"2001 B\": must be from \"64 B\" to \"2000 B\", the "
            "least mtu of the chips");
  EXPECT_EQ(error(std::string{mesh} + "interval = '0 s'\n"),
            "s.toml:39: pingmesh.interval = \"0 s\": must be longer than 0");
  EXPECT_EQ(error(std::string{mesh} + "timeout = '0 s'\n"),
            "s.toml:39: pingmesh.timeout = \"0 s\": must be longer than 0");
  EXPECT_EQ(error(std::string{mesh} + "timeout = '1 ps'\n"), "taken");
  EXPECT_EQ(error(std::string{mesh} + "start = '5 us'\nstop = '5 us'\n"),
            "s.toml:40: pingmesh.stop = \"5 us\": must be later than start");
  EXPECT_EQ(error(std::string{mesh} + "start = '5 us'\nstop = '5000001 ps'\n"), "taken");
  EXPECT_EQ(error(std::string{mesh} + "turnaround = -1\n"),
            "s.toml:39: pingmesh.turnaround = -1: must be a time such as \"2 ms\", \"1.5 us\" or "
            "\"800 ps\"");
}

TEST_F(ConfigIncidents, AClassOfAPingmeshHasADscpWhereSwitchesGoByIt) {
  const std::string trust = "[switches.classify]\ntrust = \"dscp\"\n[switches.classify.dscp]\n";
  EXPECT_EQ(error(std::string{mesh} + trust + "3 = [26]\n"), "taken");
  EXPECT_EQ(
      error(std::string{mesh} + trust + "4 = [26]\n"),
      "s.toml:38: pingmesh.priorities = [3]: class 3 has no DSCP at the switch of S0: name one "
      "in [classify.dscp] of its chip");
}

TEST_F(ConfigIncidents, AllErrorsOfAPingmeshAreReportedAtOnce) {
  EXPECT_EQ(
      keys_of(error("[pingmesh]\nfrom = 'S9'\npriorities = [9]\npacket = '1 B'\ninterval = 5\n"
                    "stop = '0 s'\npair = 'all'\n")),
      (std::vector<std::string>{"pingmesh.from", "pingmesh.priorities[0]", "pingmesh.packet",
                                "pingmesh.interval", "pingmesh.stop", "pingmesh.pair"}));
}

TEST_F(ConfigIncidents, AllErrorsOfDesiredAreReportedAtOnce) {
  EXPECT_EQ(keys_of(error("[[desired]]\nnames = 'La'\nprofile.lossless.alpha = '3/7'\n"
                          "chip.lane = 1\n[[desired]]\nnames = 'Lb'\n[[desired]]\nnames = 'T0'\n"
                          "chip.cell = 4\n")),
            (std::vector<std::string>{"desired[0].profile.lossless.alpha", "desired[0].chip.lane",
                                      "desired[1].names", "desired[2].chip.cell"}));
}

TEST_F(ConfigIncidents, APingmeshSendsAHundredMillionProbesAtMost) {
  const std::string dense = "[pingmesh]\nfrom = 'S0'\nto = 'S1'\ninterval = '100 ps'\n";
  EXPECT_EQ(error(dense + "priorities = '0-7'\n"), "taken") << "8 x 10,000,001";
  EXPECT_EQ(error("[pingmesh]\nfrom = 'S0'\nto = 'S[1-2]'\ninterval = '100 ps'\npriorities = "
                  "'0-4'\n"),
            "s.toml:35: pingmesh: must not send more than 100,000,000 probes: fewer pairs or a "
            "longer interval");
}

TEST_F(ConfigIncidents, TimesOfAWatchdogAreMoreThanNothingAndAnHourAtMost) {
  for (const std::string key : {"detect", "restore"}) {
    const auto with = [&](const std::string& time) {
      return error("[watchdog.w]\n" + key + " = '" + time + "'\n");
    };
    EXPECT_EQ(with("1 ps"), "taken");
    EXPECT_EQ(with("3600 s"), "taken");
    EXPECT_EQ(with("0 s"), "s.toml:36: watchdog.w." + key +
                               " = \"0 s\": must be more than 0 and at most \"3600 s\"");
    EXPECT_EQ(with("3600001 ms"), "s.toml:36: watchdog.w." + key +
                                      " = \"3600001 ms\": must be more than 0 and at most "
                                      "\"3600 s\"");
  }
}

TEST_F(ConfigIncidents, AWatchdogWatchesPortsAndClassesThatThereAre) {
  EXPECT_EQ(error("[watchdog.w]\nports = [7]\n"), "taken");
  EXPECT_EQ(error("[watchdog.w]\nports = [8]\n"),
            "s.toml:36: watchdog.w.ports[0] = 8: must be a whole number from 0 to 7");
  EXPECT_EQ(error("[watchdog.w]\npriorities = [7]\n"), "taken");
  EXPECT_EQ(error("[watchdog.w]\npriorities = [8]\n"),
            "s.toml:36: watchdog.w.priorities[0] = 8: must be a whole number from 0 to 7");
  EXPECT_EQ(error("[watchdog.w]\nswitches = 'Lb'\n"),
            "s.toml:36: watchdog.w.switches = \"Lb\": there is no switch Lb; did you mean La?");
  EXPECT_EQ(error("[watchdog.w]\nresume = '1 ms'\n"),
            "s.toml:36: watchdog.w.resume = \"1 ms\": unknown key; legal here: switches, ports, "
            "detect, restore, action, priorities");
  EXPECT_EQ(error("[[watchdog]]\ndetect = '1 ms'\n"),
            "s.toml:35: watchdog = [{table}]: must be tables, [watchdog.NAME]");
}

TEST_F(ConfigIncidents, WhatHappensToAHostHasAHostATimeAndAnInterval) {
  const std::string storm = "[[fault]]\nkind = 'storm'\nhost = 'S0'\n";
  EXPECT_EQ(error(storm + "at = '0 s'\n"), "taken");
  EXPECT_EQ(error(storm), "s.toml:35: fault[0].at: is missing: when, such as \"1 ms\"");
  EXPECT_EQ(
      error(storm + "at = 5\n"),
      "s.toml:38: fault[0].at = 5: must be a time such as \"2 ms\", \"1.5 us\" or \"800 ps\"");
  EXPECT_EQ(error("[[fault]]\nkind = 'storm'\nat = '0 s'\n"),
            "s.toml:35: fault[0].host: is missing: the host that has the fault");
  EXPECT_EQ(
      error("[[fault]]\nkind = 'storm'\nhost = 'S7'\nat = '0 s'\n"),
      "s.toml:37: fault[0].host = \"S7\": there is no host S7; there are: S0 ... S2 (3 hosts)");
  EXPECT_EQ(error(storm + "at = '0 s'\ninterval = '1 ps'\n"), "taken");
  EXPECT_EQ(error(storm + "at = '0 s'\ninterval = '1 s'\n"), "taken");
  EXPECT_EQ(error(storm + "at = '0 s'\ninterval = '0 s'\n"),
            "s.toml:39: fault[0].interval = \"0 s\": must be more than 0 and at most \"1 s\"");
  EXPECT_EQ(
      error(storm + "at = '0 s'\ninterval = '1000001 us'\n"),
      "s.toml:39: fault[0].interval = \"1000001 us\": must be more than 0 and at most \"1 s\"");
  EXPECT_EQ(error(storm + "at = '0 s'\nlink = 'S0'\n"),
            "s.toml:39: fault[0].link = \"S0\": unknown key, did you mean kind?; legal here: kind, "
            "host, at, interval");
  EXPECT_EQ(error("[fault]\nkind = 'storm'\n"),
            "s.toml:35: fault: must be a list of tables: [[fault]]");
}

TEST_F(ConfigIncidents, ARouteLeadsOverPortsThatThereAreForSomeTime) {
  const std::string route = "[[route]]\nswitch = 'T0'\nto = 'S2'\n";
  EXPECT_EQ(error(route + "ports = [7]\n"), "taken");
  EXPECT_EQ(error(route + "ports = []\n"),
            "s.toml:38: route[0].ports = []: must name at least one");
  EXPECT_EQ(error(route + "ports = [8]\n"),
            "s.toml:38: route[0].ports[0] = 8: must be a whole number from 0 to 7");
  EXPECT_EQ(
      error(route),
      "s.toml:35: route[0].via: is missing: the next switches or hosts, or \"discard\"; or ports");
  EXPECT_EQ(
      error("[[route]]\nswitch = 'T0'\nvia = 'La'\n"),
      "s.toml:35: route[0].to: is missing: a prefix such as \"10.0.3.0/24\", a host or a switch");
  EXPECT_EQ(error("[[route]]\nto = 'S2'\nvia = 'La'\n"),
            "s.toml:35: route[0].switch: is missing: the switch that has the route");
  EXPECT_EQ(error("[[route]]\nswitch = 'T0'\nto = '10.0.3.1/24'\nvia = 'La'\n"),
            "s.toml:37: route[0].to = \"10.0.3.1/24\": must be a prefix such as \"10.0.3.0/24\" "
            "(host bits are 0), an address, a host, or a switch (all its hosts)");
  EXPECT_EQ(error("[[route]]\nswitch = 'T0'\nto = '10.0.3.0/33'\nvia = 'La'\n"),
            "s.toml:37: route[0].to = \"10.0.3.0/33\": must be a prefix such as \"10.0.3.0/24\" "
            "(host bits are 0), an address, a host, or a switch (all its hosts)");
  EXPECT_EQ(error("[[route]]\nswitch = 'T0'\nto = '10.0.3.0/32'\nvia = 'La'\n"), "taken");
  EXPECT_EQ(error(route + "via = 'La'\nuntil = '0 s'\n"),
            "s.toml:39: route[0].until = \"0 s\": must be later than from");
  EXPECT_EQ(error(route + "via = 'La'\nuntil = '1 ps'\n"), "taken");
  EXPECT_EQ(error(route + "via = 'La'\nfrom = '999999999 ps'\n"), "taken");
  EXPECT_EQ(error(route + "via = 'La'\nfrom = '1 ms'\n"),
            "s.toml:39: route[0].from = \"1 ms\": must be before the end of the run");
  EXPECT_EQ(error("[route]\nswitch = 'T0'\n"),
            "s.toml:35: route: must be a list of tables: [[route]]");
}

}  // namespace
}  // namespace weir::incidents_test
