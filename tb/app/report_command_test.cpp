// SPDX-License-Identifier: Apache-2.0
// Drives the built program as a user does; WEIR_PROGRAM names it. tb/browser tests the page in a
// browser.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace weir::report_command_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";

std::string text_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

class ReportCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-report-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    ASSERT_NE(std::getenv("WEIR_PROGRAM"), nullptr) << "ctest names the program";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }

  // Exit code of `weir ARGUMENTS`; its output is in stdout and stderr of the folder.
  [[nodiscard]] int weir(const std::string& arguments) const {
    const std::string command = std::string{std::getenv("WEIR_PROGRAM")} + " " + arguments + " >'" +
                                at("stdout").string() + "' 2>'" + at("stderr").string() + "'";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
  }
  // `weir run` of the scenario into the folder `out`.
  [[nodiscard]] int run(const std::string& out, const std::string& more = "") const {
    return weir(std::string{"run "} + scenario + " --quiet --out '" + at(out).string() + "' " +
                more);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return text_of(at(name)); }

 private:
  fs::path folder_;
};

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST_F(ReportCommand, ARunLeavesOnePageThatAsksForNothing) {
  ASSERT_EQ(run("a"), 0) << file("stderr");
  const std::string page = file("a/report.html");
  ASSERT_GT(page.size(), 150'000U);
  EXPECT_LT(page.size(), 5'000'000U);
  // The page loads nothing; its content-security policy forbids it.
  EXPECT_FALSE(std::regex_search(page, std::regex{"<(script|img|iframe)[^>]* src="}));
  EXPECT_FALSE(std::regex_search(page, std::regex{"<link[^>]* href=(?!\"data:)"}));
  EXPECT_TRUE(holds(page, "default-src 'none'"));
  EXPECT_FALSE(holds(page, "sourceMappingURL"));
  for (const char* part : {"verdicts", "occupancy", "pauses", "propagation", "drops", "latency",
                           "headroom", "counters", "configuration", "events"})
    EXPECT_TRUE(holds(page, std::string{"<h2 id="} + part + ">")) << part;
}

TEST_F(ReportCommand, ThePageSaysWhatRanAndWhereItIsWritten) {
  ASSERT_EQ(run("a", "--seed 7 --set switch.tor.profile.lossless.alpha=1/16"), 0) << file("stderr");
  const std::string page = file("a/report.html");
  EXPECT_TRUE(holds(page, "seed 7"));
  EXPECT_TRUE(holds(page, "<td>switch.tor.profile.lossless.alpha</td><td>1/16</td><td>--set</td>"));
  EXPECT_TRUE(std::regex_search(
      page,
      std::regex{"<td>arista_7050qx_32\\.toml: profile\\.lossless\\.headroom</td><td>[^<]*</td>"
                 "<td>arista_7050qx_32\\.toml:[0-9]+</td>"}));
  EXPECT_TRUE(
      std::regex_search(page, std::regex{"<td>traffic\\[0\\]\\.kind</td><td>incast</td>"
                                         "<td>incast_star16_dt_trident2\\.toml:[0-9]+</td>"}));
  EXPECT_FALSE(holds(page, at("a").string())) << "no path of this machine";
}

TEST_F(ReportCommand, TheSameRunGivesTheSamePageAndReportMakesItAgain) {
  ASSERT_EQ(run("a"), 0);
  ASSERT_EQ(run("b"), 0);
  const std::string page = file("a/report.html");
  EXPECT_EQ(page, file("b/report.html"));
  EXPECT_EQ(file("a/report.json"), file("b/report.json"));
  fs::remove(at("a/report.html"));
  ASSERT_EQ(weir("report '" + at("a").string() + "'"), 0) << file("stderr");
  EXPECT_EQ(file("a/report.html"), page);
  ASSERT_EQ(weir("report '" + at("a").string() + "' --out '" + at("own.html").string() + "'"), 0);
  EXPECT_EQ(file("own.html"), page);
  EXPECT_EQ(run("a"), 0) << "a folder with a report is one to replace";
}

// 512 hosts, each to one of the next leaf in four priorities: more rows of counters than the page
// has, most of them with the same weight. At its end a run makes the page of those alone; from the
// files it is made of all.
TEST_F(ReportCommand, OfALargeNetworkTheFilesGiveThePageOfTheRun) {
  std::string text = R"([scenario]
name = "large"
until = "20 us"
[topology]
kind = "leaf_spine"
leaves = 32
spines = 4
hosts = 16
cable = "10 m"
[switches]
file = ")" + fs::absolute("vectors/chips/tomahawk1_32x100g.toml").string() +
                     R"("
[hosts]
cable = "2 m"
)";
  // And more queues that mark than the page has rows.
  text +=
      "[switches.wred.ecn]\npriorities = [0, 1, 2, 3]\nmin = \"0 B\"\nmax = \"20 kB\"\n"
      "probability = \"50 %\"\n";
  for (int priority = 0; priority < 4; ++priority)
    text += "[[traffic]]\nname = \"p" + std::to_string(priority) +
            "\"\nkind = \"constant\"\nfrom = \"L[0-31]h[0-15]\"\n"
            "to = [\"L[1-31]h[0-15]\", \"L0h[0-15]\"]\npriority = " +
            std::to_string(priority) + "\nrate = \"10 Gbps\"\necn = \"ect0\"\n";
  std::ofstream{at("large.toml")} << text;
  ASSERT_EQ(
      weir("run '" + at("large.toml").string() + "' --quiet --out '" + at("a").string() + "'"), 0)
      << file("stderr");
  const std::string page = file("a/report.html");
  for (const char* const shown : {"<p>The 2000 rows with the most drops, pauses and load, out of ",
                                  "<p>The 2000 queues with the most marks and drops, out of "})
    EXPECT_TRUE(holds(page, shown)) << "no choice: " << shown;
  fs::remove(at("a/report.html"));
  ASSERT_EQ(weir("report '" + at("a").string() + "'"), 0) << file("stderr");
  EXPECT_TRUE(file("a/report.html") == page) << "the pages differ";
}

TEST_F(ReportCommand, FailedExpectationsAreShownInWordsAndSigns) {
  ASSERT_EQ(run("a", "--set expect.drops=0"), 1);
  const std::string page = file("a/report.html");
  EXPECT_TRUE(holds(page, "&#10007; FAILED</span></td><td>drops</td>"));
  EXPECT_TRUE(holds(page, "&#10003; met</span></td><td>lossless_drops</td>"));
}

TEST_F(ReportCommand, LatencyHasAHistogramThatCountsEveryPacket) {
  ASSERT_EQ(run("a"), 0);
  const std::string page = file("a/report.html");
  const Json report = Json::parse(file("a/report.json"));
  std::size_t most = 0;
  for (const Json& row : report["latency"]) {
    const std::size_t begin =
        page.find("<h3>Priority " + std::to_string(row["priority"].get<int>()) + ": ");
    ASSERT_NE(begin, std::string::npos);
    const std::string drawing = page.substr(begin, page.find("</svg>", begin) - begin);
    std::uint64_t drawn = 0;
    const std::regex bar{"<title>[^<]* latency: ([0-9,]+)</title>"};
    std::size_t bars = 0;
    for (std::sregex_iterator i{drawing.begin(), drawing.end(), bar}, end; i != end; ++i, ++bars) {
      std::string digits = (*i)[1];
      digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
      drawn += std::stoull(digits);
    }
    EXPECT_EQ(drawn, row["packets"].get<std::uint64_t>());
    EXPECT_LE(bars, 32U);
    EXPECT_GT(bars, 0U);
    most = std::max(most, bars);
  }
  EXPECT_EQ(report["latency"].size(), 3U);
  EXPECT_GT(most, 4U) << "a queue that fills spreads latencies";
}

TEST_F(ReportCommand, DeadlocksWatchdogsAndFaultsAreInTables) {
  ASSERT_EQ(run("a"), 0);
  EXPECT_TRUE(holds(file("a/report.html"), "No deadlock, no watchdog acted"));
  ASSERT_EQ(weir("run vectors/scenarios/loop_ring2_dt_trident2.toml --quiet --out '" +
                 at("b").string() + "'"),
            0)
      << file("stderr");
  std::string page = file("b/report.html");
  EXPECT_TRUE(holds(page, "<h3>Deadlock 1</h3>"));
  const Json summary = Json::parse(file("b/summary.json"));
  const Json& member = summary["deadlocks"][0]["members"][0];
  EXPECT_TRUE(holds(page, "<td>" + member["switch"].get<std::string>() + "</td>"));
  EXPECT_TRUE(holds(page, "<td>" + member["waits_for"].get<std::string>() + "</td>"));
  ASSERT_EQ(weir("run vectors/scenarios/storm_clos4_dt_both_watchdogs.toml --quiet --out '" +
                 at("c").string() + "'"),
            0)
      << file("stderr");
  page = file("c/report.html");
  EXPECT_TRUE(holds(page, "<td>once as origin</td>")) << "the NIC that stormed";
  EXPECT_FALSE(holds(page, ">1 times")) << "one is no plural";
  EXPECT_TRUE(holds(page, "<h3>What watchdogs did</h3>"));
  EXPECT_TRUE(holds(page, "<td>drop</td>"));
  EXPECT_TRUE(holds(page, "<td>pauses_off</td>"));
  EXPECT_TRUE(holds(page, "<h3>Faults of hosts</h3>"));
  EXPECT_TRUE(holds(page, "<td>storm</td>"));
  ASSERT_EQ(weir("run vectors/scenarios/incast_star4_dt_lost_xoff.toml --quiet --out '" +
                 at("d").string() + "'"),
            0)
      << file("stderr");
  page = file("d/report.html");
  EXPECT_TRUE(holds(page, "<h3>Faults on links</h3>"));
  const Json faults = Json::parse(file("d/summary.json"))["link_faults"];
  ASSERT_EQ(faults.size(), 1U) << "one direction of the link";
  EXPECT_EQ(faults[0]["lost_pfc_frames"], 1);
  EXPECT_GT(faults[0]["first_ps"], 0);
  EXPECT_EQ(faults[0]["first_ps"], faults[0]["last_ps"]) << "one frame was struck";
}

// The last value of an entry of report.json: points are sums of differences.
std::int64_t last_of(const Json& points) {
  std::int64_t last = 0;
  for (std::size_t i = 1; i < points.size(); i += 4) last += points[i].get<std::int64_t>();
  return last;
}

TEST_F(ReportCommand, TheBandsOfAPoolAddUpToWhatItHolds) {
  ASSERT_EQ(run("a"), 0);
  const Json report = Json::parse(file("a/report.json"));
  std::int64_t held = 0;
  std::set<std::string> bands;
  for (const Json& value : report["occupancy"]["values"]) {
    if (value["kind"] != "band" || value["name"] != "lossless, domain 0") continue;
    held += last_of(value["points"]);
    bands.insert(value["band"]);
    EXPECT_EQ(value["cell_bytes"], 208);
  }
  const std::set<std::string> expected{"PG 3 lossless, shared", "PG 3 lossless, headroom",
                                       "PG 0 lossy, shared", "PG 1 lossy, shared",
                                       "private, all classes"};
  EXPECT_EQ(bands, expected);
  const Json pool = Json::parse(file("a/summary.json"))["switches"][0]["pools"][0];
  ASSERT_EQ(pool["pool"], "lossless");
  EXPECT_EQ(held, pool["held"]["private_cells"].get<int>() +
                      pool["held"]["shared_cells"].get<int>() +
                      pool["held"]["headroom_cells"].get<int>());
  EXPECT_GT(held, 0) << "the lossy queues are full at the end";
}

TEST_F(ReportCommand, CompletionTimesAreInATableAndAsShares) {
  ASSERT_EQ(run("a"), 0);
  const std::string page = file("a/report.html");
  EXPECT_TRUE(holds(page, "<h2 id=completion>"));
  EXPECT_TRUE(std::regex_search(
      page, std::regex{"<td>incast</td><td>incasts</td><td[^>]*>1</td><td[^>]*>0</td>"}));
  EXPECT_TRUE(holds(page, "aria-label=\"Share that was complete within a time\""));
  EXPECT_TRUE(holds(page, "aria-label=\"Share with a slowdown of at most\""));
  // All end within 12 us, between two round numbers: its axis has times nevertheless.
  std::string chart =
      page.substr(page.find("aria-label=\"Share that was complete within a time\""));
  chart = chart.substr(0, chart.find("</svg>"));
  const std::regex time{">[0-9.]+ [mu]s</text>"};
  EXPECT_GE(std::distance(std::sregex_iterator(chart.begin(), chart.end(), time), {}), 2) << chart;
  const Json report = Json::parse(file("a/report.json"));
  ASSERT_EQ(report["completions"].size(), 2U);
  std::uint64_t messages = 0;
  for (const Json& bucket : report["completions"][0]["times"]) messages += bucket[1].get<int>();
  EXPECT_EQ(messages, 16U);
  ASSERT_EQ(weir("run vectors/scenarios/loop_ring2_dt_trident2.toml --quiet --out '" +
                 at("b").string() + "'"),
            0);
  EXPECT_FALSE(holds(file("b/report.html"), "<h2 id=completion>")) << "it has no messages";
  EXPECT_FALSE(Json::parse(file("b/summary.json")).contains("completions"));
}

TEST_F(ReportCommand, ADeadlockIsACircleAndItsPausesAreMarked) {
  ASSERT_EQ(weir("run vectors/scenarios/flooding_fig4_dt_trident2.toml --quiet --out '" +
                 at("a").string() + "'"),
            0)
      << file("stderr");
  const std::string page = file("a/report.html");
  const Json members = Json::parse(file("a/summary.json"))["deadlocks"][0]["members"];
  const auto count = [&](const std::string& part, const std::string& what) {
    std::size_t times = 0;
    for (std::size_t i = part.find(what); i != std::string::npos; i = part.find(what, i + 1))
      ++times;
    return times;
  };
  const auto picture = [&](const std::string& name) {
    const std::size_t begin = page.find("aria-label=\"" + name);
    return begin == std::string::npos ? "" : page.substr(begin, page.find("</svg>", begin) - begin);
  };
  const std::string circle = picture("The deadlock"), pauses = picture("Who paused whom");
  EXPECT_EQ(count(circle, "<circle "), members.size());
  EXPECT_EQ(count(circle, "<path class=arc-caught"), members.size());
  EXPECT_EQ(count(pauses, "<path class=\"arc-caught\""), members.size());
  EXPECT_EQ(count(pauses, ", deadlock</text>"), members.size());
  EXPECT_EQ(count(pauses, "class=\"box origin"), 1U) << "one began";
}

// eta left of the need, at it, close to it on both sides of the middle, and right of it.
TEST_F(ReportCommand, NoLineGoesThroughTheWordsOfAnotherInAChartOfHeadroom) {
  const std::regex mark{
      "d=\"M([0-9]+) ([0-9]+)V[0-9]+\"/><text x=([0-9]+) y=([0-9]+)( text-anchor=end)?>"
      "((eta|needed) [^<]*)</text>"};
  constexpr int letter = 7;  // width of one, at most
  std::size_t pairs = 0;
  for (const std::string eta : {"2 kB", "20 kB", "30 kB", "33 kB", "55 kB", "63 kB", "64 kB",
                                "70 kB", "125 kB", "135 kB", "300 kB"}) {
    ASSERT_EQ(weir("run incast_star16_dt_trident2 --until '200 us' --quiet --set "
                   "'switch.tor.profile.lossless.headroom=" +
                   eta +
                   "' --set 'switch.tor.pool.lossless.size=24 MB' --set "
                   "switch.tor.profile.lossless.alpha=1/128 --out '" +
                   at("a").string() + "'") &
                  ~1,
              0)
        << file("stderr");
    const std::string page = file("a/report.html");
    const std::vector<std::smatch> marks{std::sregex_iterator{page.begin(), page.end(), mark},
                                         std::sregex_iterator{}};
    for (const std::smatch& line : marks)
      for (const std::smatch& words : marks) {
        if (line[7] == words[7]) continue;
        ++pairs;
        const int x = std::stoi(line[1]), begin = std::stoi(words[3]), y = std::stoi(words[4]);
        const int across = static_cast<int>(words[6].length()) * letter;
        const int from = words[5].matched ? begin - across : begin;
        EXPECT_TRUE(x < from || from + across < x || y < std::stoi(line[2]))
            << "with eta of " << eta << " the line of " << line[7] << " goes through \"" << words[6]
            << '"';
        EXPECT_TRUE(0 <= from && from + across <= 750) << words[6] << " leaves the chart";
      }
  }
  EXPECT_EQ(pairs, 22U) << "each chart has both marks";
}

// A peak that lies far below its T looks like a contradiction next to a pause.
TEST_F(ReportCommand, ScreenAndPageHaveTOfTheFirstXoffNextToThePeak) {
  ASSERT_EQ(run("a"), 0) << file("stderr");
  const std::string screen = file("stdout"), page = file("a/report.html");
  std::size_t groups = 0;
  const Json report = Json::parse(file("a/report.json"));
  for (const Json& group : report["first_xoffs"]["groups"]) {
    ++groups;
    std::string cells = std::to_string(group["threshold_cells"].get<int>());
    cells.insert(cells.size() - 3, ",");
    const std::string name = group["name"];  // port[3].pg[3]
    const std::string port = name.substr(5, name.find(']') - 5);
    const std::regex row{"\n +" + port + " h" + port + " +3 lossless .*[0-9,]+/[0-9,]+ +" + cells +
                         " +[0-9]+/265 .*"};
    EXPECT_TRUE(std::regex_search(screen, row)) << name << " " << cells << "\n" << screen;
    EXPECT_TRUE(holds(page.substr(page.find("<h2 id=counters>")), ">" + cells + " (")) << cells;
  }
  EXPECT_EQ(groups, 16U);
  EXPECT_TRUE(holds(page, "T at first XOFF"));
  EXPECT_TRUE(holds(page, "cells (7.487 MB): most shared in a pool of a domain"));
  EXPECT_TRUE(holds(screen, "  7.487 MB of 9.159 MB\n")) << "bytes next to cells: " << screen;
  ASSERT_EQ(run("b", "--no-report"), 0);
  EXPECT_FALSE(holds(file("stdout"), "T at first")) << "nothing is recorded";
}

TEST_F(ReportCommand, TheHeadHasALineForEachKindOfChip) {
  ASSERT_EQ(weir("run flooding_fig4_dt_trident2 --until '20 us' --quiet --set "
                 "switch.Lb.chip.name=other --out '" +
                 at("a").string() + "'") &
                ~1,
            0)
      << file("stderr");
  const std::string page = file("a/report.html");
  EXPECT_TRUE(holds(page, "<p class=quiet>T0, T1, La: Arista 7050QX-32 (Trident2), 32 ports, "));
  EXPECT_TRUE(holds(page, "<p class=quiet>Lb: other, 32 ports, "));
}

TEST_F(ReportCommand, WithoutGraphvizThePageSaysWhyThereIsNoPicture) {
  ASSERT_EQ(run("a"), 0);
  EXPECT_TRUE(holds(file("a/report.html"), "aria-label=\"Who paused whom\""));
  const std::string program = std::getenv("WEIR_PROGRAM");
  fs::create_directories(at("empty"));
  const std::string command = "PATH='" + at("empty").string() + "' '" +
                              fs::absolute(program).string() + "' report '" + at("a").string() +
                              "' >'" + at("stdout").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string page = file("a/report.html");
  EXPECT_FALSE(holds(page, "aria-label=\"Who paused whom\""));
  EXPECT_TRUE(holds(page, "whose program <code>dot</code> was not found"));
  EXPECT_TRUE(holds(page, "<h3>Every link</h3>"));
}

TEST_F(ReportCommand, AMonitorShowsLoadOfLinksAndDepthOfQueues) {
  ASSERT_EQ(run("a"), 0);
  EXPECT_TRUE(holds(file("a/report.html"), "<p>Nothing was sampled: <code>[monitor]</code>"));
  EXPECT_FALSE(holds(file("a/report.html"), "<a href=#occupancy>above</a>"))
      << "without --report-queues there is no such chart";
  ASSERT_EQ(run("q", "--report-queues"), 0) << file("stderr");
  EXPECT_TRUE(holds(file("q/report.html"), "The depth of the deepest is <a href=#occupancy>above"));
  ASSERT_EQ(run("b", "--set 'monitor.period=20 us'"), 0) << file("stderr");
  const std::string page = file("b/report.html");
  EXPECT_TRUE(holds(page, "aria-label=\"Load of links\""));
  EXPECT_TRUE(holds(page, "aria-label=\"Depth of egress queues\""));
  const Json summary = Json::parse(file("b/summary.json"));
  const Json report = Json::parse(file("b/report.json"));
  constexpr int preamble_and_gap = 20;
  std::size_t compared = 0;
  for (const Json& port : summary["switches"][0]["ports"]) {
    std::uint64_t sent = 0;
    for (const Json& entry : port["priorities"])
      sent += entry["tx_bytes"].get<std::uint64_t>() +
              entry["tx_packets"].get<std::uint64_t>() * preamble_and_gap;
    const std::string end = "tor.port[" + std::to_string(port["port"].get<int>()) + "]";
    for (const Json& link : report["traffic"]["links"]) {
      if (link["end"] != end) continue;
      EXPECT_EQ(link["wire_bytes"], sent) << end;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 3U) << "ports 0, 16 and 19 send";
  std::uint64_t deepest = 0;
  for (const Json& queue : report["traffic"]["queues"]) {
    if (queue["queue"] != "tor.port[16]") continue;
    deepest = queue["max_frames"];
    // A sample every 20 us, a bin of 8.3 us: what a sample saw holds until the next.
    const auto bins = queue["bins"].get<std::vector<std::uint64_t>>();
    const auto filled = [](std::uint64_t frames) { return frames != 0; };
    const auto first = std::find_if(bins.begin(), bins.end(), filled);
    const auto last = std::find_if(bins.rbegin(), bins.rend(), filled).base();
    EXPECT_GT(last - first, 150) << "it fills after 50 us and is empty after 1.6 ms";
    EXPECT_TRUE(std::all_of(first, last, filled)) << "a gap where there was no sample";
    EXPECT_EQ(bins.back(), 0U) << "empty at the end";
  }
  EXPECT_GT(deepest, 3'000U) << "the incast waits at port 16";
}

// Marks with the pauses of the same class, CNPs: on the page, in `weir report` and on the screen.
TEST_F(ReportCommand, MarksAreNextToThePausesOfTheirClass) {
  ASSERT_EQ(
      weir("run vectors/scenarios/incast_star33_dt_dcqcn.toml --quiet --until '6 ms' --out '" +
           at("a").string() + "'"),
      0)
      << file("stderr");
  const std::string page = file("a/report.html"), screen = file("stdout");
  const Json summary = Json::parse(file("a/summary.json"));
  const Json& totals = summary["totals"];
  const auto count = [&](const char* metric) {
    std::string digits = std::to_string(totals[metric].get<std::uint64_t>());
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
    return digits;
  };
  ASSERT_GT(totals["ecn_marked_packets"], 1'000U);
  ASSERT_GT(totals["pause_time_ps"], 0U);
  EXPECT_TRUE(holds(screen, "\nmarked      " + count("ecn_marked_packets") + " packets, "))
      << screen;
  EXPECT_TRUE(holds(screen, "\nCNPs        " + count("cnps_sent") + " sent, " +
                                count("cnps_received") + " received; 32 connections"))
      << screen;
  EXPECT_TRUE(holds(page, "<b>" + count("ecn_marked_packets") + "</b>packets marked, "));
  EXPECT_TRUE(holds(page, "<b>" + count("cnps_sent") + "</b>CNPs sent"));
  const std::size_t section = page.find("<h2 id=marks>");
  ASSERT_NE(section, std::string::npos);
  const std::string marks = page.substr(section, page.find("<h2", section + 1) - section);
  EXPECT_TRUE(holds(marks, ">" + count("ecn_marked_packets") + "</td>")) << "of one queue";
  const std::regex row{
      "<tr><td>tor</td><td[^>]*>32</td><td>h32</td><td[^>]*>3</td><td>ecn</td>"
      "(?:<td[^>]*>[^<]*</td>){4}<td[^>]*=\"?([0-9.e+]+)\"?>([^<]*)</td></tr>"};
  std::smatch found;
  ASSERT_TRUE(std::regex_search(marks, found, row)) << marks;
  std::uint64_t paused = 0;
  for (const Json& port : summary["switches"][0]["ports"])
    for (const Json& entry : port["priorities"])
      if (entry["queue"] == 3) paused += entry["upstream_pause_time_ps"].get<std::uint64_t>();
  EXPECT_GT(paused, 0U);
  EXPECT_NEAR(std::stod(found[1]), static_cast<double>(paused), 1e-5 * static_cast<double>(paused));
  EXPECT_TRUE(holds(found[2], " ms")) << found[2];
  fs::remove(at("a/report.html"));
  ASSERT_EQ(weir("report '" + at("a").string() + "'"), 0) << file("stderr");
  EXPECT_TRUE(file("a/report.html") == page) << "the pages differ";
  ASSERT_EQ(run("b"), 0);
  EXPECT_FALSE(holds(file("b/report.html"), "<h2 id=marks>")) << "no profile";
  EXPECT_FALSE(holds(file("stdout"), "\nmarked ")) << "no profile";
}

TEST_F(ReportCommand, NamesOfAUserStayText) {
  ASSERT_EQ(run("a", "--set 'scenario.description=</script><script>alert(1)</script>&\"'"), 0)
      << file("stderr");
  const std::string page = file("a/report.html");
  EXPECT_FALSE(holds(page, "<script>alert(1)"));
  EXPECT_TRUE(holds(page, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;"));
}

TEST_F(ReportCommand, NoReportLeavesNoneAndChangesNoResult) {
  ASSERT_EQ(run("a"), 0);
  ASSERT_EQ(run("b", "--no-report"), 0);
  EXPECT_FALSE(fs::exists(at("b/report.html")));
  EXPECT_FALSE(fs::exists(at("b/report.json")));
  EXPECT_EQ(file("a/summary.json"), file("b/summary.json"));
  EXPECT_EQ(file("a/events.sqlite"), file("b/events.sqlite"));
}

TEST_F(ReportCommand, AFolderWithoutResultsIsRefused) {
  EXPECT_EQ(weir("report '" + at("nowhere").string() + "'"), 2);
  EXPECT_TRUE(
      holds(file("stderr"), "does not exist; must be a result folder of weir run, weir sweep"))
      << file("stderr");
  fs::create_directories(at("empty"));
  EXPECT_EQ(weir("report '" + at("empty").string() + "'"), 2);
  EXPECT_TRUE(holds(file("stderr"),
                    "folder of weir run, weir sweep or weir size; summary.json is not in it"))
      << file("stderr");
  ASSERT_EQ(run("a"), 0);
  EXPECT_EQ(weir("report '" + at("a/summary.json").string() + "'"), 2);
  EXPECT_TRUE(holds(file("stderr"), "is not a folder")) << file("stderr");
  std::ofstream{at("a/report.json")} << "{\"version\": 1";
  EXPECT_EQ(weir("report '" + at("a").string() + "'"), 2);
  EXPECT_TRUE(holds(file("stderr"), "DIR = ")) << file("stderr");
  std::ofstream{at("a/report.json")} << "{\"version\": 1}";
  EXPECT_EQ(weir("report '" + at("a").string() + "'"), 2);
}

TEST_F(ReportCommand, APageThatCannotBeWrittenIsAnError) {
  ASSERT_EQ(run("a"), 0);
  EXPECT_EQ(weir("report '" + at("a").string() + "' --out /nowhere/x.html"), 2);
  EXPECT_TRUE(holds(file("stderr"), "--out = /nowhere/x.html: cannot be written"))
      << file("stderr");
}

}  // namespace
}  // namespace weir::report_command_test
