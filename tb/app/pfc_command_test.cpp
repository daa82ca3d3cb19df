// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir pfc gives back from captures what the run itself counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

#include "support/capture_text.hpp"
#include "support/program.hpp"

namespace weir::test::pfc_command_test {
namespace {

using Json = nlohmann::json;
using Pause = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

// By paused end and class: time, pauses, longest.
using Pauses = std::map<std::pair<std::string, int>, Pause>;

void add_pause(Pauses& pauses, const std::string& end, const Json& entry) {
  const Pause pause{entry["pause_time_ps"], entry["pause_intervals"], entry["longest_pause_ps"]};
  if (std::get<1>(pause) != 0) pauses[{end, entry["priority"]}] = pause;
}

Pauses of_summary(const Json& summary) {
  Pauses pauses;
  for (const Json& node : summary["switches"])
    for (const Json& port : node["ports"])
      for (const Json& entry : port["priorities"])
        add_pause(pauses, node["name"].get<std::string>() + ".port[" + port["port"].dump() + "]",
                  entry);
  for (const Json& host : summary["hosts"])
    for (const Json& entry : host["priorities"]) add_pause(pauses, host["name"], entry);
  return pauses;
}

Pauses of_captures(const Json& report) {
  Pauses pauses;
  for (const Json& flow : report["flows"])
    if (flow["pause_intervals"] != 0)
      pauses[{flow["to"], flow["class"]}] =
          Pause{flow["pause_time_ps"], flow["pause_intervals"], flow["longest_pause_ps"]};
  return pauses;
}

class PfcCommand : public InFolder {
 protected:
  // Runs a scenario with a capture, and `weir pfc` on that.
  Json captured(const std::string& scenario, const std::string& options = "") {
    const Outcome run = shell(program() + " run vectors/scenarios/" + scenario +
                              ".toml --quiet --out " + at("out") + " --pcap " + options);
    EXPECT_EQ(run.exit_code, 0) << run.text;
    analysis_ = shell(program() + " pfc " + at("out") + "/pfc.pcapng --json");
    const Json report = Json::parse(analysis_.text, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << analysis_.text;
    return report;
  }
  [[nodiscard]] Json summary() const {
    return Json::parse(text_of(at("out") + "/summary.json"), nullptr, false);
  }
  [[nodiscard]] static std::uint64_t count(const Json& report, const std::string& finding,
                                           const std::string& where) {
    std::uint64_t sum = 0;
    for (const Json& one : report["findings"])
      if (one["finding"] == finding && one["where"] == where)
        sum += one["count"].get<std::uint64_t>();
    return sum;
  }
  static std::set<std::string> names(const Json& report) {
    std::set<std::string> all;
    for (const Json& one : report["findings"]) all.insert(one["finding"].get<std::string>());
    return all;
  }
  // One PAUSE of a port eth0.
  void write_capture(const std::string& name, std::uint64_t rate) const {
    CaptureText capture;
    capture.interface("eth0", rate);
    capture.packet(0, 1'000'000, pfc_octets({{3, 1000}}), CaptureText::outbound);
    capture.statistics(0, 20'000'000);
    std::ofstream{at(name), std::ios::binary} << capture.text();
  }
  Outcome analysis_;
};

TEST_F(PfcCommand, ACaptureGivesBackThePausesOfItsRunToThePicosecond) {
  for (const char* const scenario :
       {"incast_star16_dt_trident2", "incast_star8_dt_worst_case_headroom",
        "loop_ring3_dt_trident2", "storm_star3_dt_pause_rate", "storm_clos4_dt_no_watchdog",
        "storm_clos4_dt_both_watchdogs", "slow_receiver_star4_dt_small_pages",
        "burst_star20_dsh_tomahawk"}) {
    const Json report = captured(scenario);
    const Pauses expected = of_summary(summary());
    EXPECT_FALSE(expected.empty()) << scenario;
    EXPECT_EQ(of_captures(report), expected) << scenario;
    EXPECT_EQ(report["end_ps"], summary()["time_ps"]) << scenario;
  }
}

TEST_F(PfcCommand, AClockOfAFractionOfAPicosecondGivesBackItsPausesToo) {
  for (const char* const clock : {"1.35 GHz", "1325 MHz"}) {
    const Json report = captured("slow_receiver_star4_dt_small_pages",
                                 std::string{"--set switch.tor.chip.clock='"} + clock + "'");
    EXPECT_FALSE(of_summary(summary()).empty());
    EXPECT_EQ(of_captures(report), of_summary(summary())) << clock;
  }
}

TEST_F(PfcCommand, TsharkSeesTheSameFramesOfEverySender) {
  const Json report = captured("incast_star16_dt_trident2");
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> seen, counted;  // PAUSE, XON
  std::uint64_t frames = 0;
  const Outcome tshark = shell("tshark -r " + at("out") +
                               "/pfc.pcapng -Y 'macc.opcode == 0x0101' -T fields -E separator=' ' "
                               "-e frame.interface_name -e macc.cbfc.pause_time.c3 2>/dev/null");
  ASSERT_EQ(tshark.exit_code, 0) << tshark.text;
  std::istringstream lines{tshark.text};
  std::uint64_t quanta = 0;
  for (std::string name; lines >> name >> quanta; ++frames)
    ++(quanta != 0 ? seen[name].first : seen[name].second);
  EXPECT_EQ(report["pfc_frames"], frames);
  EXPECT_GT(frames, 100U);
  for (const Json& flow : report["flows"]) {
    EXPECT_EQ(flow["class"], 3);
    counted[flow["from"]] = {flow["pauses"], flow["xons"]};
  }
  EXPECT_EQ(counted, seen);
}

TEST_F(PfcCommand, CongestionIsNoFault) {
  const Json report = captured("incast_star16_dt_trident2", "--pcap-frames all");
  EXPECT_EQ(analysis_.exit_code, 0) << report["findings"].dump();
  for (const Json& flow : report["flows"]) {
    EXPECT_EQ(flow["verdict"], "congestion") << flow["to"];
    EXPECT_GT(flow["data_frames"], 0) << flow["to"];
    EXPECT_EQ(flow["late_frames"], 0) << "every host obeys: " << flow["to"];
  }
}

TEST_F(PfcCommand, APauseThatLastsToTheEndOfAShortCaptureIsSaidToBeOpen) {
  const Json report = captured("storm_star3_dt_pause_rate",
                               "--until '1500 us' --set 'expect.nic_pauses_sent=\"> 0\"'");
  EXPECT_EQ(analysis_.exit_code, 0) << report["findings"].dump();
  ASSERT_FALSE(report["flows"].empty());
  EXPECT_EQ(report["flows"][0]["verdict"], "still paused at the end");
  for (const Json& flow : report["flows"])
    EXPECT_EQ(flow["pause_intervals"].get<int>(), flow["ended_by_xon"].get<int>() +
                                                      flow["ended_by_timer"].get<int>() +
                                                      flow["open"].get<int>())
        << flow["to"];
  EXPECT_EQ(count(report, "still_paused", "h0"), 1U) << report["findings"].dump();
  const Outcome text = shell(program() + " pfc " + at("out") + "/pfc.pcapng");
  EXPECT_TRUE(text.says("h0 pauses tor.port[0], class 3: still paused at the end")) << text.text;
  EXPECT_TRUE(text.says("longest 1.398 ms; 0 ended by XON, 0 by the timer, 1 open")) << text.text;
  EXPECT_TRUE(text.says("tor.port[0] is paused for 1.398 ms, to the end")) << text.text;
}

// Flow to `end`, class 3.
Json flow_to(const Outcome& outcome, const std::string& end) {
  const Json report = Json::parse(outcome.text, nullptr, false);
  for (const Json& flow : report["flows"])
    if (flow["to"] == end && flow["class"] == 3) return flow;
  return {};
}

TEST_F(PfcCommand, TheHistoryOfPollsIsComparedWithTheTruthOfTheRun) {
  captured("storm_star3_dt_pause_rate",
           "--set 'scenario.until=450 ms' --set 'expect.nic_pauses_sent=\"> 0\"'");
  const std::string capture = at("out") + "/pfc.pcapng";
  const auto history = [&](const std::string& period) {
    return flow_to(shell(program() + " pfc " + capture + " --json --history '" + period + "'"),
                   "tor.port[0]");
  };
  constexpr std::uint64_t ms = 1'000'000'000;
  const Json slow = history("100 ms");
  ASSERT_TRUE(slow.contains("history")) << slow;
  EXPECT_EQ(slow["history"]["transitions"], 1);
  EXPECT_EQ(slow["history"]["recent_pause_start_ps"], 100 * ms) << "the first poll";
  EXPECT_EQ(slow["history"]["total_pause_time_ps"], 300 * ms) << "polls at 100 to 400 ms";
  Pause truth;
  for (const auto& [key, pause] : of_summary(summary()))
    if (key.first == "tor.port[0]") truth = pause;
  EXPECT_EQ(slow["pause_time_ps"], std::get<0>(truth));
  EXPECT_EQ(slow["history"]["pause_time_error_ps"].get<std::int64_t>(),
            static_cast<std::int64_t>(300 * ms) - static_cast<std::int64_t>(std::get<0>(truth)));
  // A PAUSE every 838 us: polls in between see no frame, and take the pause for ended.
  const Json fast = history("100 us");
  const std::uint64_t frames = fast["pauses"];
  EXPECT_EQ(fast["history"]["transitions"], frames);
  EXPECT_EQ(fast["history"]["total_pause_time_ps"], frames * ms / 10);
  const Outcome text = shell(program() + " pfc " + capture + " --history '100 ms'");
  EXPECT_TRUE(text.says("PFC history of polls every 100 ms")) << text.text;
}

TEST_F(PfcCommand, ARowOfTheHistoryAgreesWithItself) {
  captured("incast_star16_dt_trident2");
  const Outcome outcome = shell(program() + " pfc " + at("out") + "/pfc.pcapng --history '100 us'");
  std::istringstream lines{outcome.text.substr(outcome.text.find("PFC history"))};
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string port, priority;
    std::int64_t transitions{}, total{}, recent{}, since{}, pauses{}, truth{}, error{};
    if (!(words >> port >> priority >> transitions >> total >> recent >> since >> pauses >> truth >>
          error))
      continue;
    EXPECT_EQ(error, total - truth) << line;
    ++rows;
  }
  EXPECT_GE(rows, 16U) << outcome.text;
}

TEST_F(PfcCommand, EveryStormIsNamedWithItsNic) {
  const std::pair<const char*, const char*> storms[] = {
      {"storm_star3_dt_pause_rate", "h0"},
      {"storm_clos4_dt_no_watchdog", "T0h0"},
      {"storm_clos4_dt_nic_watchdog", "T0h0"},
      {"storm_clos4_dt_switch_watchdog", "T0h0"},
      {"storm_clos4_dt_both_watchdogs", "T0h0"},
      {"storm_clos4_dt_both_watchdogs_mac_ageing", "T0h0"},
      {"storm_clos8_dt_no_watchdog", "T0h0"}};
  for (const auto& [scenario, nic] : storms) {
    const Json report = captured(scenario);
    EXPECT_EQ(analysis_.exit_code, 1) << scenario;
    for (const Json& finding : report["findings"]) {
      if (finding["finding"] != "storm") continue;
      EXPECT_EQ(finding["where"], nic) << scenario << ": who is to blame, and no other";
    }
    EXPECT_GE(count(report, "storm", nic), 1U) << scenario << ": " << report["findings"].dump();
    EXPECT_EQ(report["flows"][0]["from"], nic) << scenario << ": the first PAUSE";
  }
}

TEST_F(PfcCommand, EveryFaultOfALinkIsNamedAtTheHostThatItHit) {
  const std::tuple<const char*, const char*> faults[] = {
      {"incast_star4_dt_lost_xoff", "late_frames"},
      {"incast_star4_dt_lost_xoff_refreshed", "late_frames"},
      {"incast_star4_dt_late_xoff", "late_frames"},
      {"incast_star4_dt_corrupt_xoff", "late_frames"},
      {"incast_star4_dt_lost_xon", "unheeded_xon"}};
  for (const auto& [scenario, finding] : faults) {
    const Json report = captured(scenario, "--pcap-frames all");
    EXPECT_EQ(analysis_.exit_code, 1) << scenario;
    EXPECT_GE(count(report, finding, "h0"), 1U) << scenario << ": " << report["findings"].dump();
    for (const Json& one : report["findings"])
      EXPECT_TRUE(!one["fault"].get<bool>() || one["where"] == "h0") << scenario << one.dump();
    const std::set<std::string> all = names(report);
    EXPECT_EQ(all.count("late_frames") + all.count("unheeded_xon"), 1U) << scenario;
  }
}

TEST_F(PfcCommand, ADeadlockIsACircleWithoutAnOrigin) {
  for (const char* const scenario :
       {"broadcast_fig4_dt_trident2", "flooding_fig4_dt_trident2",
        "flooding_fig4_dt_trident2_ageing", "loop_ring2_dt_above_drain_rate",
        "loop_ring2_dt_repaired_late", "loop_ring2_dt_trident2", "loop_ring3_dt_trident2",
        "loop_ring4_dt_trident2"}) {
    const Json report = captured(scenario);
    EXPECT_EQ(analysis_.exit_code, 1) << scenario;
    EXPECT_EQ(names(report).count("circle"), 1U) << scenario << report["findings"].dump();
    EXPECT_EQ(names(report).count("storm"), 0U) << scenario << report["findings"].dump();
  }
}

TEST_F(PfcCommand, ADeadlockThatAWatchdogResolvesIsNamed) {
  const Json report = captured("loop_ring2_dt_watchdog");
  EXPECT_EQ(analysis_.exit_code, 1);
  EXPECT_EQ(names(report), std::set<std::string>{"resolved_circle"}) << report["findings"].dump();
  const std::string detail = report["findings"][0]["detail"];
  EXPECT_NE(detail.find("T0 waits for T1 waits for T0, for "), std::string::npos) << detail;
}

TEST_F(PfcCommand, ThePageHoldsTheSameAndAsksForNothing) {
  captured("storm_star3_dt_pause_rate");
  const Outcome made =
      shell(program() + " pfc " + at("out") + "/pfc.pcapng --timeline --html " + at("pfc.html"));
  EXPECT_EQ(made.exit_code, 1) << made.text;
  EXPECT_TRUE(made.says("h0 pauses tor.port[0], class 3: STORM")) << made.text;
  EXPECT_TRUE(made.says(" ps to ")) << "the timeline: " << made.text;
  const std::string page = text_of(at("pfc.html"));
  for (const char* const part : {"<!DOCTYPE html>", "STORM", "id=pauses", "id=propagation", "h0",
                                 "ended by XON", "open at the end"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("src=\""), std::string::npos);
}

TEST_F(PfcCommand, APageHasTheFirstFlowsOfMany) {
  CaptureText capture;
  capture.interface("eth0", 100'000'000'000);
  for (std::uint32_t i = 0; i < 2001; ++i) {
    std::string octets = pfc_octets({{3, 1000}});
    octets[8] = static_cast<char>(i & 0xffU);
    octets[9] = static_cast<char>(i >> 8U);
    capture.packet(0, 1'000'000 + i, octets, CaptureText::none);
  }
  std::ofstream{at("many.pcapng"), std::ios::binary} << capture.text();
  shell(program() + " pfc " + at("many.pcapng") + " --html " + at("many.html"));
  EXPECT_NE(text_of(at("many.html")).find("The first 2,000 of 2,001; <code>weir pfc --json</code>"),
            std::string::npos);
}

TEST_F(PfcCommand, SeveralCapturesHaveOneClockAndNamesOfTheirOwn) {
  captured("storm_star3_dt_pause_rate", "--pcap-frames port:h0");
  const std::string capture = at("out") + "/pfc.pcapng";
  shell("cp " + capture + " " + at("b.pcapng"));
  const Outcome both = shell(program() + " pfc " + capture + " " + at("b.pcapng") + " --json");
  const Json report = Json::parse(both.text, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << both.text;
  ASSERT_EQ(report["flows"].size(), 2U);
  EXPECT_EQ(report["flows"][0]["from"], "pfc:h0");
  EXPECT_EQ(report["flows"][1]["from"], "b:h0");
  EXPECT_EQ(report["flows"][0]["pause_time_ps"], report["flows"][1]["pause_time_ps"]);
}

TEST_F(PfcCommand, ACaptureThatIsNamedTwiceIsRefused) {
  write_capture("a.pcapng", 100'000'000'000);
  shell("ln -s a.pcapng " + at("link.pcapng"));
  for (const char* const again : {"a.pcapng", "link.pcapng", "./a.pcapng"}) {
    const Outcome outcome = shell(program() + " pfc " + at("a.pcapng") + " " + at(again));
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(outcome.says("is named twice: its frames would count twice")) << outcome.text;
  }
}

TEST_F(PfcCommand, CapturesOfOneNameHaveAsMuchOfTheirPathsAsDiffers) {
  shell("mkdir -p " + at("x") + " " + at("y"));
  for (const char* const file : {"x/tap.pcapng", "y/tap.pcapng", "z.pcap", "z.pcapng"})
    write_capture(file, 100'000'000'000);
  const Outcome two =
      shell("cd " + at("") + " && " + std::filesystem::absolute(program()).string() +
            " pfc x/tap.pcapng y/tap.pcapng z.pcap z.pcapng --html page.html");
  for (const char* const name : {"x/tap:eth0", "y/tap:eth0", "z.pcap:eth0", "z.pcapng:eth0"})
    EXPECT_TRUE(two.says(name)) << name << ": " << two.text;
  EXPECT_NE(text_of(at("page.html")).find("PFC in x/tap.pcapng, y/tap.pcapng, z.pcap, z.pcapng"),
            std::string::npos);
}

TEST_F(PfcCommand, AnIfSpeedOfZeroIsNoSpeed) {
  write_capture("zero.pcapng", CaptureText::zero_rate);
  const Outcome none = shell(program() + " pfc " + at("zero.pcapng"));
  EXPECT_EQ(none.exit_code, 2) << none.text;
  EXPECT_TRUE(none.says("zero.pcapng says if_speed = 0 for eth0")) << none.text;
  const Outcome given = shell(program() + " pfc " + at("zero.pcapng") + " --rate 100G");
  EXPECT_LE(given.exit_code, 1) << given.text;
  write_capture("odd.pcapng", 5);
  const Outcome odd = shell(program() + " pfc " + at("odd.pcapng") + " --rate 100G");
  EXPECT_EQ(odd.exit_code, 2) << odd.text;
  EXPECT_TRUE(odd.says("odd.pcapng: eth0.if_speed = 5: must be")) << odd.text;
}

TEST_F(PfcCommand, AResponseMayBeATime) {
  write_capture("a.pcapng", 100'000'000'000);
  const std::string command = program() + " pfc " + at("a.pcapng") + " --json --response ";
  EXPECT_EQ(shell(command + "100").text, shell(command + "'512 ns'").text);
  EXPECT_NE(shell(command + "100").text, shell(command + "'1 us'").text);
  EXPECT_TRUE(shell(command + "65536").says("from 0 to 65535, or a time such as \"1.5 us\""));
}

TEST_F(PfcCommand, RulesOfADscpThatContradictAreRefused) {
  write_capture("a.pcapng", 100'000'000'000);
  const std::string command = program() + " pfc " + at("a.pcapng") + " --dscp 3=3 --dscp 3=";
  const Outcome outcome = shell(command + "4");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("contradicts \"3=3\", which is given, too")) << outcome.text;
  EXPECT_LE(shell(command + "3").exit_code, 1) << "the same rule again is no contradiction";
}

TEST_F(PfcCommand, AFewOctetsAreNoEmptyCapture) {
  shell("printf ab > " + at("short.pcap") + "; : > " + at("empty.pcap"));
  EXPECT_TRUE(shell(program() + " pfc " + at("short.pcap")).says("its header is cut off"));
  EXPECT_TRUE(shell(program() + " pfc " + at("empty.pcap")).says("is empty"));
}

TEST_F(PfcCommand, APipeIsRefusedAsCapturesAreReadTwice) {
  const Outcome outcome = shell("printf x | " + program() + " pfc /dev/stdin --rate 100G");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("no pipe: captures are read twice")) << outcome.text;
}

TEST_F(PfcCommand, BadOptionsAndCapturesAreRefused) {
  const Outcome missing = shell(program() + " pfc " + at("none.pcap"));
  EXPECT_EQ(missing.exit_code, 2) << missing.text;
  EXPECT_TRUE(missing.says("none.pcap: cannot be read as a capture: there is no such file"))
      << missing.text;
  const Outcome folder = shell(program() + " pfc " + at(""));
  EXPECT_EQ(folder.exit_code, 2) << folder.text;
  EXPECT_TRUE(folder.says("must be a file, this is a directory")) << folder.text;
  const Outcome text = shell(program() + " pfc README.md");
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_TRUE(text.says("neither pcap nor pcapng")) << text.text;
  for (const char* const option : {"--rate fast", "--delay 3m", "--dscp 26", "--dscp 64=3",
                                   "--dscp 3=8", "--response -1", "--stamps middle"})
    EXPECT_EQ(shell(program() + " pfc README.md " + option).exit_code, 2) << option;
}

}  // namespace
}  // namespace weir::test::pfc_command_test
