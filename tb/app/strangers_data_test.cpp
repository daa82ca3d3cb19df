// SPDX-License-Identifier: Apache-2.0
// Result folders that others may have changed, or that are damaged, and chips larger than any: exit
// 2 and one line, no crash, no hang.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/program.hpp"

namespace weir::strangers_data_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::Outcome;
using test::text_of;

constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";

class StrangersData : public test::InFolder {
 protected:
  static Outcome weir(const std::string& arguments) { return test::limited_program(arguments); }
  static void expect_refused(const Outcome& outcome, const std::string& words,
                             const std::string& what) {
    EXPECT_EQ(outcome.exit_code, 2) << what << ": " << outcome.text;
    EXPECT_TRUE(outcome.says(words)) << what << ": " << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
  }
  void copy(const std::string& from, const std::string& to) const {
    fs::remove_all(at(to));
    fs::copy(at(from), at(to), fs::copy_options::recursive);
  }
};

class StrangersSweep : public StrangersData {
 protected:
  void SetUp() override {
    std::ofstream{at("s.toml")}
        << "[sweep]\nname = \"s\"\nscenarios = \"" << fs::absolute(scenario).string()
        << "\"\nseeds = 2\n[[axis]]\nname = \"alpha\"\n"
           "key = \"switch.tor.profile.lossless.alpha\"\nvalues = [\"1/16\", \"1/4\"]\n"
           "[goal]\nlossless_drops = 0\n[set]\n\"scenario.until\" = \"20 us\"\n";
    const Outcome made = weir("sweep '" + at("s.toml") + "' --quiet --out '" + at("good") + "'");
    ASSERT_EQ(made.exit_code, 0) << made.text;
    // As if two points were still to run.
    copy("good", "half");
    change("half",
           "DELETE FROM runs WHERE point > 1; UPDATE sweep SET value = 0 "
           "WHERE key = 'complete'");
  }
  void change(const std::string& folder, const std::string& sql) const {
    const Outcome changed =
        test::shell("sqlite3 -bail '" + at(folder + "/sweep.sqlite") + "' \"" + sql + "\"");
    ASSERT_EQ(changed.exit_code, 0) << sql << ": " << changed.text;
  }
  [[nodiscard]] std::string dump(const std::string& folder) const {
    return test::shell("sqlite3 '" + at(folder + "/sweep.sqlite") + "' .dump").text;
  }
  [[nodiscard]] Outcome report(const std::string& folder) const {
    return weir("report '" + at(folder) + "'");
  }
  [[nodiscard]] Outcome resume(const std::string& folder) const {
    return weir("sweep '" + at("s.toml") + "' --quiet --resume --out '" + at(folder) + "'");
  }
  void expect_both_refused(const std::string& words, const std::string& what) const {
    expect_refused(report("x"), words, "report, " + what);
    const std::string before = text_of(at("x/sweep.sqlite"));
    expect_refused(resume("x"), words, "resume, " + what);
    EXPECT_TRUE(before == text_of(at("x/sweep.sqlite"))) << what << ": the file is as it was";
  }
};

TEST_F(StrangersSweep, AnUnchangedFolderIsReadAndGoesOn) {
  EXPECT_EQ(report("half").exit_code, 0);
  const Outcome resumed = resume("half");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.text;
  EXPECT_EQ(dump("half"), dump("good"));
}

TEST_F(StrangersSweep, AChangedValueIsNamed) {
  struct Change {
    const char *sql, *words;
  };
  for (const Change& change_of : std::vector<Change>{
           {"UPDATE objectives SET figure = 'nope'", "\"nope\", which is not a figure"},
           {"UPDATE objectives SET figure = NULL", "not text in the column figure"},
           {"UPDATE objectives SET best = 'worst'", "best at \"worst\""},
           {"UPDATE runs SET point = 1000000000000 WHERE point = 1", "point 1000000000000 of 4"},
           {"UPDATE runs SET point = 4 WHERE point = 1", "point 4 of 4"},
           {"UPDATE runs SET point = -1 WHERE point = 1", "holds -1 in the column point"},
           {"UPDATE runs SET scenario = NULL", "not text in the column scenario"},
           {"UPDATE runs SET scenario = x'00'", "not text in the column scenario"},
           {"UPDATE runs SET alpha = 'nope' WHERE point = 0", "unknown value of \"alpha\""},
           {"UPDATE runs SET status = 'nope' WHERE point = 0", "status is \"nope\""},
           {"UPDATE runs SET status = NULL WHERE point = 0", "not text in the column status"},
           {"UPDATE runs SET goal_met = 2 WHERE point = 0", "holds 2 in the column goal_met"},
           {"UPDATE runs SET drops = NULL WHERE point = 0", "not an integer in the column drops"},
           {"UPDATE runs SET drops = 1.5 WHERE point = 0", "not an integer in the column drops"},
           {"UPDATE runs SET drops = 'many' WHERE point = 0", "not an integer in the column drops"},
           {"UPDATE sweep SET value = 'many' WHERE key = 'points'", "not an integer in the column"},
           {"UPDATE sweep SET value = -1 WHERE key = 'points'", "holds -1"},
           {"UPDATE sweep SET value = NULL WHERE key = 'name'", "not text in the column value"},
           {"UPDATE axes SET axis = NULL", "not text in the column axis"},
           {"UPDATE axes SET axis = 'beta'", "has no value of the axis \"beta\""},
           {"UPDATE axes SET axis = 'b'; UPDATE axis_values SET axis = 'b'", "other columns"},
           {"UPDATE axes SET sampled = 7", "holds 7 in the column sampled"},
           {"DELETE FROM axis_values", "has no value of the axis \"alpha\""},
           {"DELETE FROM sweep WHERE key = 'name'", "does not name its sweep"}}) {
    copy("half", "x");
    change("x", change_of.sql);
    expect_both_refused(change_of.words, change_of.sql);
  }
}

TEST_F(StrangersSweep, WhatNoSweepWritesIsNotRun) {
  const std::string endless =
      "WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";
  struct Change {
    std::string sql;
    const char* words;
  };
  for (const Change& change_of : std::vector<Change>{
           {"ALTER TABLE runs RENAME TO was; CREATE VIEW runs AS " + endless, "no sweep writes"},
           {"DROP TABLE runs; CREATE VIEW runs AS " + endless, "the view \\\"runs\\\""},
           {"CREATE VIEW more AS " + endless, "the view \\\"more\\\""},
           {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END", "the trigger"},
           {"CREATE VIRTUAL TABLE v USING fts5(a)", "no sweep writes"},
           {"CREATE INDEX i ON runs(drops)", "the index \\\"i\\\""},
           {"CREATE TABLE more (a)", "the table \\\"more\\\""},
           {"ALTER TABLE runs ADD COLUMN a AS (drops + 1)", "the table \\\"runs\\\""},
           {"ALTER TABLE sweep ADD COLUMN a", "the table \\\"sweep\\\""},
           {"DROP TABLE sweep", "has no table \\\"sweep\\\""},
           {"DROP TABLE axis_values", "has no table \\\"axis_values\\\""},
           {"DROP TABLE runs", "has no table \\\"runs\\\""},
           {"ALTER TABLE runs DROP COLUMN status", "other columns"}}) {
    copy("half", "x");
    change("x", change_of.sql);
    expect_both_refused(test::with_all(change_of.words, "\\\"", "\""), change_of.sql);
  }
}

TEST_F(StrangersSweep, AnyFigureOf64BitsIsDrawn) {
  for (const char* const value :
       {"9223372036854775807", "-9223372036854775807 - 1", "-1", "9223372036854775807 - point",
        "point * 2305843009213693951", "0"}) {
    copy("good", "x");
    change("x", std::string{"UPDATE runs SET memory_bytes = "} + value + ", drops = " + value);
    const Outcome outcome = report("x");
    EXPECT_EQ(outcome.exit_code, 0) << value << ": " << outcome.text;
  }
}

TEST_F(StrangersSweep, ASweepWithoutRunsOrObjectivesHasAPage) {
  copy("good", "x");
  change("x", "DELETE FROM runs");
  EXPECT_EQ(report("x").exit_code, 0);
  copy("good", "x");
  change("x", "DELETE FROM objectives");
  EXPECT_EQ(report("x").exit_code, 0);
}

TEST_F(StrangersSweep, DamagedBytesAreAnErrorOfTheFile) {
  const std::string whole = text_of(at("half/sweep.sqlite"));
  copy("half", "x");
  unsigned refused = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    std::string bytes = whole;
    if (i < 8)
      bytes.resize(bytes.size() * i / 8);
    else
      bytes.replace(bytes.size() / 24 * i, 100, 100, static_cast<char>(i * 37));
    std::ofstream{at("x/sweep.sqlite"), std::ios::binary} << bytes;
    const Outcome outcome = report("x");
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 2) << i << ": " << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    if (outcome.exit_code == 2) ++refused;
  }
  EXPECT_GE(refused, 8U) << "at least those that are cut";
}

TEST_F(StrangersSweep, WhatIsNoRegularFileIsNotOpened) {
  for (const char* const name : {"sweep.sqlite", "sweep.sqlite-wal", "sweep.sqlite-journal"}) {
    copy("half", "x");
    fs::remove(at(std::string{"x/"} + name));
    ASSERT_EQ(mkfifo(at(std::string{"x/"} + name).c_str(), 0666), 0);
    expect_refused(report("x"), "must be a regular file", name);
    expect_refused(resume("x"), "must be a regular file", name);
    fs::remove(at(std::string{"x/"} + name));
    fs::create_symlink("/dev/zero", at(std::string{"x/"} + name));
    expect_refused(report("x"), "must be a regular file", name);
  }
  // The page needs nothing of it but the name of the sweep file.
  copy("half", "x");
  fs::remove(at("x/run.json"));
  ASSERT_EQ(mkfifo(at("x/run.json").c_str(), 0666), 0);
  EXPECT_EQ(report("x").exit_code, 0);
  fs::remove(at("x/run.json"));
  std::ofstream{at("x/run.json")} << "[";
  fs::resize_file(at("x/run.json"), std::uintmax_t{1} << 36);
  EXPECT_EQ(report("x").exit_code, 0);
}

class StrangersRun : public StrangersData {
 protected:
  void SetUp() override {
    const Outcome made = weir("run " + std::string{scenario} + " --until '20 us' --quiet --out '" +
                              at("good") + "'");
    ASSERT_EQ(made.exit_code, 1) << made.text;
  }
  // What report and compare say to the folder "x".
  void expect_both_refused(const std::string& words, const std::string& what) const {
    expect_refused(weir("report '" + at("x") + "'"), words, "report, " + what);
    expect_refused(
        weir("compare '" + at("x") + "' '" + at("good") + "' --html '" + at("c.html") + "'"), words,
        "compare, " + what);
  }
  void write(const std::string& file, const std::string& text) const {
    copy("good", "x");
    std::ofstream{at("x/" + file), std::ios::binary} << text;
  }
};

TEST_F(StrangersRun, AFileThatIsNoJsonOfARunIsNamed) {
  const std::string deep(100'000, '[');
  for (const char* const file : {"summary.json", "report.json"}) {
    const std::string whole = text_of(at("good/" + std::string{file}));
    for (const std::string& text :
         {std::string{}, std::string{"[]"}, std::string{"null"}, std::string{"{}"},
          whole.substr(0, whole.size() / 2), deep, "{\"a\":" + deep, std::string{"\xff"},
          "{\"figure\":1.5," + whole.substr(1)}) {
      write(file, text);
      expect_both_refused("DIR = ", file + (": " + text.substr(0, 40)));
    }
  }
}

TEST_F(StrangersRun, NestedValuesInsideOfAWholeSummaryAreRefused) {
  const std::string whole = text_of(at("good/summary.json"));
  write("summary.json",
        "{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') + "," + whole.substr(1));
  expect_both_refused("more than 64 levels", "nested");
}

TEST_F(StrangersRun, ValuesThatNoRunWritesAreRefusedByThePage) {
  struct Change {
    const char *pointer, *value;
  };
  for (const Change& change_of : std::vector<Change>{{"/latency/0/buckets", "[]"},
                                                     {"/latency/0/buckets", "{}"},
                                                     {"/latency/0/buckets", "[[4000000000,1]]"},
                                                     {"/latency/0/buckets", "[[9,1],[3,1]]"},
                                                     {"/pauses", "[]"},
                                                     {"/pauses/rows/0/bins", "7"},
                                                     {"/occupancy", "null"},
                                                     {"/headroom", "[{}]"},
                                                     {"/configuration", "[1]"},
                                                     {"/propagation", "[1]"}}) {
    Json report = Json::parse(text_of(at("good/report.json")));
    report[Json::json_pointer{change_of.pointer}] = Json::parse(change_of.value);
    write("report.json", report.dump());
    expect_refused(weir("report '" + at("x") + "'"), "must hold results of this version",
                   change_of.pointer);
    const Outcome compared =
        weir("compare '" + at("x") + "' '" + at("good") + "' --html '" + at("c.html") + "'");
    EXPECT_TRUE(compared.exit_code == 0 || compared.exit_code == 2) << compared.text;
  }
}

// Control characters of C0 and C1, and those that turn the direction of text.
TEST_F(StrangersRun, APageHasPrintableTextAlone) {
  const Outcome made =
      weir("run vectors/scenarios/incast_star16_dt_trident2.toml --until '20 us' --quiet --out '" +
           at("odd") +
           R"(' --set 'scenario.description="\u001b[31m \u202Ex\u0085 \u007f end"')"
           R"( --set 'switch.tor.chip.source="\u001b[2J \u202E end"')");
  ASSERT_EQ(made.exit_code, 1) << "its checks are of a longer run: " << made.text;
  const std::string page = text_of(at("odd/report.html"));
  EXPECT_NE(page.find(" end"), std::string::npos) << "the texts are there";
  for (const std::string_view odd : {"\x1b", "\x7f", "\u202E", "\u0085"})
    EXPECT_EQ(page.find(odd), std::string::npos) << "byte " << static_cast<int>(odd[0]);
}

TEST_F(StrangersRun, WhatIsNoRegularFileIsNotRead) {
  for (const char* const file : {"summary.json", "report.json"}) {
    for (const char* const target : {"/dev/zero", "/dev/stdin", "/", "pipe"}) {
      copy("good", "x");
      fs::remove(at(std::string{"x/"} + file));
      ASSERT_EQ(mkfifo(at("x/pipe").c_str(), 0666), 0);
      fs::create_symlink(target, at(std::string{"x/"} + file));
      expect_both_refused("DIR = ", file + std::string{" -> "} + target);
    }
  }
}

TEST_F(StrangersRun, ARunOverAFolderWithAnEndlessRunJsonIsRefusedOrReplacesIt) {
  copy("good", "x");
  fs::remove(at("x/run.json"));
  fs::create_symlink("/dev/zero", at("x/run.json"));
  const Outcome outcome =
      weir("run " + std::string{scenario} + " --until '20 us' --quiet --out '" + at("x") + "'");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_FALSE(fs::is_symlink(at("x/run.json")));
}

// Chips that are legal, but larger than any: limits of time and memory as above.
class StrangersChip : public StrangersData {
 protected:
  void put(const std::string& name, const std::string& text) const {
    std::ofstream{at(name)} << text;
  }
  // A star of that chip, all hosts of which send to the last one.
  void put_star(const std::string& chip, unsigned hosts, const std::string& until) const {
    const std::string last = std::to_string(hosts - 1), before = std::to_string(hosts - 2);
    put("star.toml", "[scenario]\nname = \"s\"\nuntil = \"" + until +
                         "\"\n[switch.tor]\nfile = \"" + chip +
                         "\"\n[hosts]\ncount = " + std::to_string(hosts) +
                         "\nresponse = \"1 us\"\ncable = \"3 m\"\n[[traffic]]\nname = \"t\"\n"
                         "kind = \"constant\"\nfrom = \"h[0-" +
                         before + "]\"\nto = \"h" + last +
                         "\"\npriority = 3\npacket = \"1000 B\"\nrate = \"40 Gbps\"\n");
  }
  [[nodiscard]] Outcome run() const {
    return weir("run '" + at("star.toml") + "' --quiet --out '" + at("o") + "'");
  }
};

// A chip whose FIFOs, if they were made, would take terabytes: 4096 x 1,048,576 frames.
TEST_F(StrangersChip, PortsTimesFifosTakeMemoryForFramesThatWaitOnly) {
  const auto chip = [](const std::string& ports, const std::string& fifo) {
    return "[chip]\nname = \"big\"\nports = " + ports +
           "\nrate = \"40 Gbps\"\ncell = \"208 B\"\nlanes = 1\nport_fifo = " + fifo +
           "\n[pool.main]\nsize = \"3 GB\"\n[profile.lossless]\npriorities = \"0-7\"\n"
           "pool = \"main\"\nheadroom = \"20 kB\"\nalpha = \"1/8\"\n";
  };
  put("chip.toml", chip("4096", "1048576"));
  put_star("chip.toml", 4096, "5 us");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  const Json totals = Json::parse(text_of(at("o/summary.json"))).at("totals");
  EXPECT_GT(totals.at("sent_packets"), 50'000) << "with one lane they wait in the FIFOs";
  EXPECT_EQ(totals.at("drops"), 0);
  for (const auto& [ports, fifo, words] : std::vector<std::array<std::string, 3>>{
           {"65535", "1048576", "chip.ports = 65535: must be a whole number from 1 to 4096"},
           {"4096", "1048577",
            "chip.port_fifo = 1048577: must be a whole number from 1 to 1048576"}}) {
    put("chip.toml", chip(ports, fifo));
    expect_refused(run(), words, ports + " x " + fifo);
  }
}

// Each sizes its headroom by a knapsack over all lengths of frames.
TEST_F(StrangersChip, EightHeadroomsOfTheWorstCaseAreSizedInMoments) {
  const auto chip = [](unsigned kilometres) {
    std::string text =
        "[chip]\nname = \"eight\"\nports = 8\nrate = \"1600 Gbps\"\nresponse = \"1 us\"\n"
        "cell = \"208 B\"\nmtu = \"65535 B\"\ndomains = 8\n";
    for (unsigned n = 0; n < 8; ++n) {
      const std::string number = std::to_string(n);
      text += "[pool.p" + number + "]\nsize = \"30 GB\"\nheadroom_pool = \"20 GB\"\n[profile.q" +
              number + "]\npriorities = [" + number + "]\npool = \"p" + number +
              "\"\nalpha = \"1/8\"\nheadroom = { cable = \"" + std::to_string(kilometres - n) +
              " km\", method = \"worst_case\" }\n";
    }
    return text;
  };
  put("chip.toml", chip(700));
  put_star("chip.toml", 8, "1 us");
  const auto start = std::chrono::steady_clock::now();
  const Outcome lint = weir("lint '" + at("chip.toml") + "'");
  EXPECT_TRUE(lint.exit_code == 0 || lint.exit_code == 1) << lint.text;
  EXPECT_TRUE(lint.says("chip.toml: ")) << lint.text;
  EXPECT_EQ(run().exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{20});
  put("chip.toml", chip(1000));
  const std::string words = "headroom = 23813332 cells: must be from 0 to 16777216 cells";
  for (const std::string& command :
       {"lint '" + at("chip.toml") + "'", "probe '" + at("chip.toml") + "'"})
    EXPECT_EQ(weir(command).exit_code, 2) << command;
  const Outcome refused = run();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(refused.says(words)) << refused.text;
}

}  // namespace
}  // namespace weir::strangers_data_test
