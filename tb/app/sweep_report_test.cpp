// SPDX-License-Identifier: Apache-2.0
// Drives the built program: the report of weir sweep, and the answer of weir size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/program.hpp"

namespace weir::sweep_report_test {
namespace {

using weir::test::Outcome;
using weir::test::program;
using weir::test::shell;
using weir::test::text_of;

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

// Every text between `before` and the next quote.
std::set<std::string> words_after(const std::string& text, const std::string& before) {
  std::set<std::string> words;
  for (std::size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    words.insert(text.substr(begin, text.find('"', begin) - begin));
  }
  return words;
}

class SweepReport : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-sweep-report-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  void write(const std::string& lines, const std::string& head = "") const {
    std::ofstream{at("s.toml")}
        << "[sweep]\nname = \"s\"\ndescription = \"alpha < 1 & \\\"memory\\\"\"\nscenarios = \""
        << fs::absolute("vectors/scenarios/incast_star16_dt_trident2.toml").string() << "\"\n"
        << head << "[set]\n\"scenario.until\" = \"100 us\"\n"
        << lines;
  }
  // Twelve settings under two seeds, four of which do not fit their memory.
  void write_twelve(const std::string& more = "") const {
    write(
        "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
        "values = [\"1/64\", \"1/4\"]\n"
        "[[axis]]\nname = \"pool\"\nkey = \"switch.tor.pool.lossless.size\"\n"
        "values = [\"12 MB\", \"3 MB\", \"8 MB\"]\n"
        "[[workload]]\nname = \"light\"\nset = { \"traffic.background.rate\" = \"1 Gbps\" }\n"
        "[[workload]]\nname = \"heavy\"\nset = { \"traffic.background.rate\" = \"30 Gbps\" }\n"
        "[figure.victim]\nof = \"throughput\"\nhosts = \"h19\"\npriority = 0\n" +
            more,
        "seeds = 2\n");
  }
  [[nodiscard]] Outcome sweep(const std::string& out, const std::string& more = "") const {
    return shell(program() + " sweep " + at("s.toml").string() + " --quiet --out " +
                 at(out).string() + " " + more);
  }
  [[nodiscard]] std::string query(const std::string& out, const std::string& sql) const {
    return shell("sqlite3 " + (at(out) / "sweep.sqlite").string() + " \"" + sql + "\"").text;
  }

 private:
  fs::path folder_;
};

TEST_F(SweepReport, ThePageIsOneFileThatAsksForNothing) {
  write_twelve("[goal]\nlossless_drops = 0\npause_time = \"< 1 ms\"\n");
  ASSERT_EQ(sweep("out").exit_code, 1) << "3 MB do not fit";
  const std::string page = text_of(at("out") / "report.html");
  ASSERT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
  for (const std::string outside : {" src=", "@import", "url(", "fetch(", "https:"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_EQ(count_of(page, "<link"), count_of(page, "<link rel=\"icon\" href=\"data:,\">"))
      << "but for the icon, which is empty and in the page";
  EXPECT_EQ(count_of(page, "http:"), count_of(page, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_NE(page.find("alpha &lt; 1 &amp; &quot;memory&quot;"), std::string::npos) << "not escaped";
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
  for (const std::string heading : {"Answer", "Pareto front", "Sensitivity", "Heat-maps", "Table"})
    EXPECT_NE(page.find(">" + heading + "</h2>"), std::string::npos) << heading;
}

TEST_F(SweepReport, EverySettingHasItsRowAndEveryLinkItsTarget) {
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  const std::string page = text_of(at("out") / "report.html");
  EXPECT_EQ(count_of(page, "<tr id=\"p"), 12U) << "12 settings of 2 seeds";
  EXPECT_EQ(count_of(page, ">2 failed: "), 4U);
  const std::set<std::string> ids = words_after(page, " id=\"");
  const std::set<std::string> links = words_after(page, "href=\"#");
  EXPECT_GT(links.size(), 5U);
  for (const std::string& link : links) EXPECT_EQ(ids.count(link), 1U) << "#" << link;
  // Least memory of the runs: 8 MB; page, point and figure agree with the database.
  const std::string memory = query("out", "SELECT min(memory_bytes) FROM runs");
  EXPECT_NE(page.find("data-v=\"" + memory.substr(0, memory.size() - 1) + "\""), std::string::npos)
      << memory;
}

TEST_F(SweepReport, TheAnswerIsTheLeastMemoryThatMeetsTheGoalUnderEveryWorkloadAndSeed) {
  write_twelve("[goal]\nlossless_drops = 0\nvictim = \"> 10 Gbps\"\n");
  ASSERT_EQ(sweep("out").exit_code, 1);
  const std::string page = text_of(at("out") / "report.html");
  EXPECT_EQ(query("out", "SELECT count(*) FROM runs WHERE goal_met = 1 AND workload = 'light'"),
            "0\n");
  EXPECT_NE(page.find(", every workload</h3>\n<p>0 of 4 settings that ran meet the goal"),
            std::string::npos)
      << "light traffic never delivers that much";
  const std::string heavy = query("out",
                                  "SELECT count(DISTINCT alpha || pool) FROM runs WHERE "
                                  "workload = 'heavy' AND goal_met = 1");
  EXPECT_NE(page.find(", heavy</h3>\n<p>" + heavy.substr(0, heavy.size() - 1) +
                      " of 4 settings that ran meet the goal under every seed; the least memory "
                      "among them: <b>"),
            std::string::npos)
      << heavy;
}

// A sweep file cannot name it so, a database can.
TEST_F(SweepReport, AWorkloadCalledEveryWorkloadIsOneOfThem) {
  write_twelve("[goal]\nlossless_drops = 0\nvictim = \"> 10 Gbps\"\n");
  ASSERT_EQ(sweep("out").exit_code, 1);
  const std::string before = text_of(at("out") / "report.html");
  ASSERT_EQ(query("out", "UPDATE runs SET workload = 'every workload' WHERE workload = 'heavy'"),
            "");
  const Outcome outcome =
      shell(program() + " report " + at("out").string() + " --out " + at("renamed.html").string());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const std::string after = text_of(at("renamed.html"));
  for (const std::string text : {"<p>0 of 4 settings that ran meet the goal", ", front</td>"}) {
    EXPECT_NE(count_of(before, text), 0U) << text;
    EXPECT_EQ(count_of(after, text), count_of(before, text)) << text;
  }
}

TEST_F(SweepReport, SameBytesForAnyNumberOfJobs) {
  write_twelve();
  ASSERT_EQ(sweep("one", "--jobs 1 --pictures " + at("one.d").string()).exit_code, 1);
  ASSERT_EQ(sweep("two", "--jobs 2 --pictures " + at("two.d").string()).exit_code, 1);
  EXPECT_EQ(text_of(at("one") / "report.html"), text_of(at("two") / "report.html"));
  EXPECT_EQ(shell("diff -r " + at("one.d").string() + " " + at("two.d").string()).exit_code, 0);
}

TEST_F(SweepReport, TheCommandMakesTheSamePageFromTheFolder) {
  write_twelve();
  ASSERT_EQ(sweep("out", "--pictures " + at("one.d").string()).exit_code, 1);
  const Outcome outcome = shell(program() + " report " + at("out").string() + " --out " +
                                at("again.html").string() + " --pictures " + at("two.d").string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_EQ(text_of(at("again.html")), text_of(at("out") / "report.html"));
  EXPECT_EQ(shell("diff -r " + at("one.d").string() + " " + at("two.d").string()).exit_code, 0);
}

TEST_F(SweepReport, ThePicturesAreTheChartsOfThePageAndBecomePng) {
  write_twelve();
  ASSERT_EQ(sweep("out", "--pictures " + at("svg").string()).exit_code, 1);
  std::size_t pictures = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(at("svg"))) {
    ++pictures;
    const Outcome made =
        shell("rsvg-convert --zoom 2 " + entry.path().string() + " -o " + at("x.png").string());
    EXPECT_EQ(made.exit_code, 0) << entry.path() << ": " << made.text;
    EXPECT_EQ(text_of(at("x.png")).substr(1, 3), "PNG") << entry.path();
    fs::remove(at("x.png"));
  }
  EXPECT_EQ(pictures, count_of(text_of(at("out") / "report.html"), "<figure>"));
  // What is the same for all settings is a sentence in place of a picture.
  const std::string page = text_of(at("out") / "report.html");
  std::size_t sentences = count_of(page, " everywhere.</p>") + count_of(page, "<p>No key changes ");
  const std::string same = "<p>The same for all settings: ";
  for (std::size_t i = page.find(same); i != std::string::npos; i = page.find(same, i + 1))
    sentences += 1 + count_of(page.substr(i, page.find("</p>", i) - i), ", ");
  EXPECT_EQ(pictures + sentences, 3U * 4 + 5 + 5 * 3) << "fronts, sensitivities, heat-maps";
  EXPECT_GE(pictures, 16U);
  EXPECT_TRUE(fs::exists(at("svg") / "sensitivity_pause_time.svg"));
}

TEST_F(SweepReport, PicturesThatAreAFileAreRefusedBeforeAnythingIsWritten) {
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  std::ofstream{at("file")} << "text";
  const Outcome outcome = shell(program() + " report " + at("out").string() + " --out " +
                                at("page.html").string() + " --pictures " + at("file").string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.text.find("must be a folder, this is a file"), std::string::npos)
      << outcome.text;
  EXPECT_FALSE(fs::exists(at("page.html")));
}

TEST_F(SweepReport, PicturesOfNamesThatDifferInPunctuationHaveFilesOfTheirOwn) {
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  ASSERT_EQ(query("out",
                  "UPDATE runs SET workload = 'two words' WHERE workload = 'heavy';"
                  "UPDATE runs SET workload = 'two-words' WHERE workload = 'light'"),
            "");
  const Outcome outcome = shell(program() + " report " + at("out").string() + " --out " +
                                at("page.html").string() + " --pictures " + at("svg").string());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const auto pictures = std::distance(fs::directory_iterator(at("svg")), fs::directory_iterator());
  EXPECT_EQ(static_cast<std::size_t>(pictures), count_of(text_of(at("page.html")), "<figure>"));
}

TEST_F(SweepReport, OnlyTheFiguresOfParetoMakeTheFront) {
  write_twelve("[pareto]\nminimize = [\"memory\", \"longest_latency\"]\nmaximize = [\"victim\"]\n");
  ASSERT_EQ(sweep("out").exit_code, 1);
  EXPECT_EQ(query("out", "SELECT name, figure, best FROM objectives"),
            "memory|memory_bytes|least\nlongest_latency|longest_latency_ps|least\n"
            "victim|victim_bps|most\n");
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  EXPECT_EQ(query("out", "SELECT name, best FROM objectives"),
            "memory|least\npause_time|least\ndrops|least\nvictim|most\nlatency_p99|least\n")
      << "what is usual";
}

TEST_F(SweepReport, ABadParetoIsRefused) {
  const auto refused = [this](const std::string& lines, const std::string& words) {
    write_twelve(lines);
    const Outcome outcome = sweep("out");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_NE(outcome.text.find(words), std::string::npos) << outcome.text;
    EXPECT_FALSE(fs::exists(at("out")));
  };
  refused("[pareto]\nminimize = [\"memroy\", \"drops\"]\n", "did you mean memory?");
  refused("[pareto]\nminimize = [\"memory\"]\n", "at least two figures");
  refused("[pareto]\nminimize = [\"memory\", \"drops\"]\nmaximize = [\"drops\"]\n", "twice");
  refused("[pareto]\nminimise = [\"memory\", \"drops\"]\n", "minimize?");
  refused("[figure.memory]\nof = \"throughput\"\n", "choose another name");
}

TEST_F(SweepReport, AnUnfinishedSweepHasNoPage) {
  write("", "seeds = 2000\n");
  static_cast<void>(shell("timeout --signal=INT 1 " + program() + " sweep " +
                          at("s.toml").string() + " --quiet --out " + at("out").string()));
  EXPECT_EQ(query("out", "SELECT value FROM sweep WHERE key = 'complete'"), "0\n");
  EXPECT_FALSE(fs::exists(at("out") / "report.html"));
}

TEST_F(SweepReport, SamplesOfAHypercubeHaveRankCorrelations) {
  write(
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\nfrom = \"1/256\"\n"
      "to = \"1\"\nspacing = \"log\"\nsample = \"latin_hypercube\"\n"
      "[[axis]]\nname = \"pool\"\nkey = \"switch.tor.pool.lossless.size\"\nfrom = \"8 MB\"\n"
      "to = \"16 MB\"\nsample = \"latin_hypercube\"\n",
      "samples = 30\n");
  ASSERT_EQ(sweep("out").exit_code, 0);
  const std::string page = text_of(at("out") / "report.html");
  EXPECT_NE(page.find("rank correlation -0."), std::string::npos) << "more alpha, fewer pauses";
  EXPECT_NE(page.find("rank correlation +1.00"), std::string::npos) << "the pool is the memory";
}

TEST_F(SweepReport, OneKeyWithSeveralValuesIsShownSideBySide) {
  write(
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
      "values = [\"1/64\", \"1/16\", \"1/4\"]\n[pareto]\nminimize = [\"pause_time\", "
      "\"memory\"]\n");
  ASSERT_EQ(sweep("out", "--pictures " + at("svg").string()).exit_code, 0);
  const std::string page = text_of(at("out") / "report.html");
  EXPECT_NE(page.find(">Side by side</h2>"), std::string::npos);
  EXPECT_NE(page.find("The same for all of them: memory "), std::string::npos);
  const std::string picture = text_of(at("svg") / "sides_incast_star16_dt_trident2_pause_time.svg");
  EXPECT_EQ(count_of(picture, "class=\"bar\""), 3U);
  EXPECT_EQ(query("out",
                  "SELECT alpha FROM runs WHERE pause_time_ps = (SELECT min(pause_time_ps) FROM "
                  "runs)"),
            "1/16\n1/4\n");
  EXPECT_EQ(count_of(picture, " - the best"), 2U);
  EXPECT_LT(picture.find(">1/16<"), picture.find(" - the best")) << "not the first bar";
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  EXPECT_EQ(text_of(at("out") / "report.html").find("Side by side"), std::string::npos)
      << "two keys have several values";
}

TEST_F(SweepReport, SeedsHaveTheirMeanAndRange) {
  write(
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
      "values = [\"1/64\", \"1/4\"]\n[pareto]\nminimize = [\"memory\"]\nmaximize = "
      "[\"delivered_packets\"]\n",
      "seeds = 5\n");
  ASSERT_EQ(sweep("out").exit_code, 0);
  const std::string page = text_of(at("out") / "report.html");
  const std::size_t section = page.find("seeds\">Seeds</h2>");
  ASSERT_NE(section, std::string::npos);
  EXPECT_NE(page.find("No seed changes: memory.", section), std::string::npos);
  const std::string mean =
      query("out", "SELECT printf('%.3f', avg(delivered_packets)) FROM runs WHERE alpha = '1/64'");
  const std::size_t cell = page.find("data-v=\"" + mean.substr(0, mean.find('.')), section);
  EXPECT_NE(cell, std::string::npos) << mean;
  EXPECT_NE(page.find("\u00b1", section), std::string::npos);
  write("");
  ASSERT_EQ(sweep("one").exit_code, 0);
  EXPECT_EQ(text_of(at("one") / "report.html").find("seeds\">Seeds</h2>"), std::string::npos);
}

TEST_F(SweepReport, AnAxisAndAFigureOfOneNameHaveNamesOfTheirOwn) {
  write(
      "[[axis]]\nname = \"memory\"\nkey = \"switch.tor.pool.lossless.size\"\n"
      "values = [\"12 MB\", \"14 MB\"]\n[pareto]\nminimize = [\"memory\", \"pause_time\"]\n"
      "[goal]\nlossless_drops = 0\n");
  ASSERT_EQ(sweep("out").exit_code, 0);
  const std::string page = text_of(at("out") / "report.html");
  const std::size_t table = page.find("aria-label=\"All settings\"");
  ASSERT_NE(table, std::string::npos);
  const std::string head = page.substr(table, page.find("</thead>", table) - table);
  EXPECT_EQ(count_of(head, ">memory<"), 1U) << head;
  EXPECT_EQ(count_of(head, ">memory (figure)<"), 1U) << head;
  EXPECT_EQ(count_of(head, ">pause_time<"), 1U) << head;
}

TEST_F(SweepReport, ThePageSaysWhatRanAndAPointHasItsOwnCommand) {
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  const std::string page = text_of(at("out") / "report.html");
  EXPECT_NE(page.find("1 x Arista 7050QX-32"), std::string::npos);
  EXPECT_NE(page.find("hosts 20 x 40G; cables 500 ns one way"), std::string::npos);
  EXPECT_NE(page.find("answers (from 1 host to 1); seeds 1, 2</p>"), std::string::npos);
  EXPECT_NE(page.find("<summary>The sweep file</summary>"), std::string::npos);
  const Outcome command = sweep("out", "--print-run 1");
  ASSERT_EQ(command.exit_code, 0) << command.text;
  const std::string words = command.text.substr(0, command.text.find(" --out "));
  const Outcome ran = shell(program() + words.substr(4) + " --quiet --out " + at("own").string());
  ASSERT_LE(ran.exit_code, 1) << ran.text;
  const Json summary = Json::parse(text_of(at("own") / "summary.json"));
  EXPECT_EQ(
      query("out", "SELECT delivered_packets || ' ' || pause_time_ps FROM runs WHERE point = 1"),
      std::to_string(summary["totals"]["delivered_packets"].get<std::uint64_t>()) + " " +
          std::to_string(summary["totals"]["pause_time_ps"].get<std::uint64_t>()) + "\n");
  EXPECT_EQ(sweep("out", "--print-run 24").exit_code, 2) << "points are 0 to 23";
  EXPECT_EQ(sweep("out", "--print-run 010").exit_code, 2) << "no octal numbers";
}

TEST_F(SweepReport, APointRunsByItselfAndThePageLeadsToItsOwn) {
  write_twelve();
  EXPECT_EQ(sweep("out", "--run 1").exit_code, 2) << "there is no sweep yet";
  EXPECT_FALSE(fs::exists(at("out")));
  ASSERT_EQ(sweep("out").exit_code, 1);
  const std::string before = text_of(at("out") / "report.html");
  EXPECT_EQ(before.find("points/"), std::string::npos) << "no link to a page that is not there";
  // The command of its row, typed in the folder of the page.
  const std::string row = before.substr(before.find("<tr id=\"p0\""));
  const std::size_t begin = row.find("<code>weir ") + 11;
  std::string words = row.substr(begin, row.find("</code>") - begin);
  EXPECT_NE(words.find("--run 0"), std::string::npos) << words;
  const Outcome ran = shell("cd " + at("out").string() + " && " + program() + " " + words);
  ASSERT_LE(ran.exit_code, 1) << ran.text;
  const fs::path own = at("out") / "points/0";
  const Json summary = Json::parse(text_of(own / "summary.json"));
  EXPECT_EQ(query("out", "SELECT delivered_packets FROM runs WHERE point = 0"),
            std::to_string(summary["totals"]["delivered_packets"].get<std::uint64_t>()) + "\n");
  EXPECT_TRUE(fs::exists(own / "report.html"));
  const std::string after = text_of(at("out") / "report.html");
  EXPECT_EQ(count_of(after, "href=\"points/0/report.html\""), 1U);
  EXPECT_EQ(count_of(after, "href=\"points/"), 1U);
  const Outcome elsewhere =
      shell(program() + " report " + at("out").string() + " --out " + at("page.html").string());
  ASSERT_EQ(elsewhere.exit_code, 0) << elsewhere.text;
  EXPECT_NE(text_of(at("page.html")).find("href=\"out/points/0/report.html\""), std::string::npos);
  EXPECT_EQ(sweep("out", "--resume").exit_code, 1) << "points of its own do not disturb a sweep";
  EXPECT_EQ(sweep("out", "--run 24").exit_code, 2) << "points are 0 to 23";
  const Outcome negative = sweep("out", "--run -1");
  EXPECT_EQ(negative.exit_code, 2);
  EXPECT_NE(negative.text.find("-1"), std::string::npos) << negative.text;
  write(
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\nvalues = "
      "[\"1/4\"]\n");
  const Outcome other = sweep("out", "--run 0");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.text.find("another sweep"), std::string::npos) << other.text;
}

// A scheduler knows the process that it has started, and no other.
TEST_F(SweepReport, ASignalEndsThePointThatRunsByItselfWithWhatThereIs) {
  write_twelve();
  const std::string long_run =
      program() + " sweep " + at("s.toml").string() + " --quiet --out " + at("out").string();
  ASSERT_EQ(shell("sed -i 's/\"100 us\"/\"2000 s\"/' " + at("s.toml").string()).exit_code, 0);
  const auto ended_by_signal = [&](const std::string& more, const std::string& begun) {
    return shell(long_run + more + " >/dev/null & until test -e " + at("out").string() + "/" +
                 begun + "; do sleep 0.05; done; sleep 0.5; kill -TERM $!; wait $!");
  };
  ASSERT_EQ(ended_by_signal("", "sweep.sqlite").exit_code, 143);
  const Outcome outcome = ended_by_signal(" --run 0", "points/.0.draft-*");
  EXPECT_EQ(outcome.exit_code, 143) << outcome.text;
  const Json summary = Json::parse(text_of(at("out") / "points/0/summary.json"));
  EXPECT_EQ(summary.at("interrupted"), true);
}

TEST_F(SweepReport, SeveralSweepsAreChaptersOfOnePage) {
  write_twelve();
  ASSERT_EQ(sweep("one").exit_code, 1);
  ASSERT_EQ(sweep("two").exit_code, 1);
  const std::string folders = at("one").string() + " " + at("two").string();
  const Outcome outcome = shell(program() + " report " + folders + " --out " +
                                at("both.html").string() + " --pictures " + at("svg").string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  const std::string page = text_of(at("both.html"));
  EXPECT_EQ(count_of(page, "<h1"), 2U);
  EXPECT_EQ(count_of(page, "<tr id=\"p"), 12U);
  EXPECT_EQ(count_of(page, "<tr id=\"2-p"), 12U);
  const std::set<std::string> ids = words_after(page, " id=\"");
  EXPECT_EQ(ids.size(), count_of(page, " id=\"")) << "no two things have one name";
  for (const std::string& link : words_after(page, "href=\"#"))
    EXPECT_EQ(ids.count(link), 1U) << "#" << link;
  EXPECT_TRUE(fs::exists(at("svg") / "sensitivity_pause_time.svg"));
  EXPECT_TRUE(fs::exists(at("svg") / "s_sensitivity_pause_time.svg"));
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    const Outcome bad = shell(program() + " report " + arguments);
    EXPECT_EQ(bad.exit_code, 2) << bad.text;
    EXPECT_NE(bad.text.find(words), std::string::npos) << bad.text;
  };
  refused(folders, "--out");
  refused(at("one").string() + " " + at("svg").string() + " --out " + at("x.html").string(),
          "must be the folder of a sweep");
}

TEST_F(SweepReport, ASearchLeavesItsRunsAndAPage) {
  write(
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
      "values = [\"1/16\", \"1/4\"]\n[[axis]]\nname = \"mtu\"\nkey = \"switch.tor.chip.mtu\"\n"
      "values = [\"9216 B\", \"9000 B\"]\n[goal]\npause_time = \"< 250 us\"\n"
      "[size]\nkey = \"switch.tor.pool.lossless.size\"\nfrom = \"1 MB\"\nto = \"24 MB\"\n"
      "step = \"500 kB\"\n",
      "seeds = 2\n");
  const std::string command =
      program() + " size --json --quiet " + at("s.toml").string() + " --out " + at("out").string();
  const Outcome outcome = shell(command + " --jobs 1 --pictures " + at("svg").string());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const std::string page = text_of(at("out") / "report.html");
  const Json sizes = Json::parse(outcome.text).at("sizes");
  ASSERT_EQ(sizes.size(), 4U);
  std::size_t runs = 0;
  for (const Json& size : sizes) {
    runs += size.at("runs").get<std::size_t>();
    const Json& inputs = size.at("inputs");
    const std::string smallest = size.at("smallest").get<std::string>();
    EXPECT_EQ(query("out",
                    "SELECT count(*), min(goal_met) FROM runs WHERE [switch.tor.pool."
                    "lossless.size] = '" +
                        smallest + "' AND alpha = '" + inputs.at("alpha").get<std::string>() +
                        "' AND mtu = '" + inputs.at("mtu").get<std::string>() + "'"),
              "2|1\n")
        << "both seeds met the goal with it: " << size;
    EXPECT_NE(page.find(">" + smallest + "</td>"), std::string::npos) << size;
  }
  EXPECT_EQ(query("out", "SELECT count(*) FROM runs"), std::to_string(runs) + "\n");
  EXPECT_EQ(query("out", "SELECT distance FROM size_distances WHERE steps = 2"), "1 MB\n");
  EXPECT_TRUE(fs::exists(at("svg") / "sizes_alpha_mtu.svg"));
  ASSERT_EQ(shell(command + " --jobs 2 --pictures " + at("again").string()).exit_code, 0);
  EXPECT_EQ(text_of(at("out") / "report.html"), page) << "same bytes for any number of jobs";
  EXPECT_EQ(shell("diff -r " + at("svg").string() + " " + at("again").string()).exit_code, 0);
}

TEST_F(SweepReport, ASearchDoesNotTakeTheFolderOfAnUnfinishedSweep) {
  write(
      "[goal]\npause_time = \"< 250 us\"\n[size]\nkey = \"switch.tor.pool.lossless.size\"\n"
      "from = \"12 MB\"\nto = \"24 MB\"\nstep = \"4 MB\"\n",
      "seeds = 2000\n");
  static_cast<void>(shell("timeout --signal=INT 1 " + program() + " sweep " +
                          at("s.toml").string() + " --quiet --out " + at("out").string()));
  const std::string rows = query("out", "SELECT count(*) FROM runs");
  ASSERT_NE(rows, "0\n");
  const std::string command = program() + " size --quiet " + at("s.toml").string();
  const Outcome outcome = shell(command + " --out " + at("out").string());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_NE(outcome.text.find("a sweep that is not complete"), std::string::npos) << outcome.text;
  EXPECT_EQ(query("out", "SELECT count(*) FROM runs"), rows);
  EXPECT_EQ(shell(command + " --pictures " + at("svg").string()).exit_code, 2) << "no --out";
}

TEST_F(SweepReport, SizeSaysHowMuchEachKeyMovesIt) {
  write(
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
      "values = [\"1/16\", \"1/4\"]\n[[axis]]\nname = \"mtu\"\nkey = \"switch.tor.chip.mtu\"\n"
      "values = [\"9216 B\", \"9000 B\"]\n[goal]\npause_time = \"< 250 us\"\n"
      "[size]\nkey = \"switch.tor.pool.lossless.size\"\nfrom = \"4 MB\"\nto = \"24 MB\"\n"
      "step = \"500 kB\"\n");
  const Outcome outcome = shell(program() + " size --json --quiet " + at("s.toml").string());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const Json json = Json::parse(outcome.text);
  const Json& alpha = json.at("sensitivity").at(0);
  EXPECT_EQ(alpha.at("key"), "alpha");
  EXPECT_EQ(alpha.at("settings"), 2);
  EXPECT_NE(alpha.at("average_swing"), "0");
  EXPECT_EQ(json.at("sensitivity").at(1).at("average_swing"), "0") << "no frame is that long";
  const auto megabytes = [&](std::size_t i) {
    return std::stod(json.at("sizes").at(i).at("smallest").get<std::string>());
  };
  EXPECT_DOUBLE_EQ(std::stod(alpha.at("largest_swing").get<std::string>()),
                   std::abs(megabytes(0) - megabytes(2)))
      << json;
  const Outcome text = shell(program() + " size --quiet " + at("s.toml").string());
  EXPECT_TRUE(text.says("how much each key alone changes it\n  alpha: ")) << text.text;
  EXPECT_TRUE(text.says("\n  mtu: not at all\n")) << text.text;
}

}  // namespace
}  // namespace weir::sweep_report_test
