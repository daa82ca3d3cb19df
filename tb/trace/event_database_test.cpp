// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/event_database.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::event_database_test {
namespace {

namespace fs = std::filesystem;

// Contains both kinds of events: pauses and lossy drops.
Scenario scenario() {
  return load_scenario("vectors/scenarios/incast_star16_dt_trident2.toml",
                       {"scenario.until=2 ms", "traffic.background.rate=40 Gbps"});
}

// The same with every optional record: counters, configuration, probes.
Scenario watched() {
  Scenario watched = scenario();
  watched.monitor.period = Picoseconds{100'000'000};
  watched.monitor.desired = {{0, watched.switches[0].chip}};
  watched.monitor.desired[0].chip.profiles.front().threshold.alpha = Alpha{1, 4};
  PingmeshSpec mesh;
  mesh.pairs = {{0, 16}, {17, 19}};
  mesh.classes = {Priority{0}, Priority{3}};
  mesh.interval = Picoseconds{50'000'000};
  mesh.timeout = Picoseconds{1'000'000'000};
  watched.pingmesh = mesh;
  return watched;
}

class EventDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-events-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path file(const std::string& name) const { return folder_ / name; }

  // Runs the scenario into `file` in a process of its own; returns its totals.
  static Totals run_into(const fs::path& file, std::uint64_t permutation = 0,
                         EventDetail detail = EventDetail::pfc,
                         const Scenario& described = scenario(),
                         Bytes limit = default_events_limit) {
    const std::string text = run_in_child([&] {
      Network network{described, permutation};
      EventDatabase events{file, described, detail, limit};
      network.watch(events);
      network.run_until(described.until);
      network.finish();
      events.finish(network.now());
      const Totals t = summarize(network).totals;
      return std::to_string(t.classes.pauses_sent) + " " + std::to_string(t.classes.resumes_sent) +
             " " + std::to_string(t.drops()) + " " + std::to_string(t.xoff_entered) + " " +
             std::to_string(t.in_flight_packets) + " " + std::to_string(t.ecn_marked_packets);
    });
    Totals totals;
    std::istringstream in{text};
    in >> totals.classes.pauses_sent >> totals.classes.resumes_sent >> totals.lossy_drops >>
        totals.xoff_entered >> totals.in_flight_packets >> totals.ecn_marked_packets;
    return totals;
  }

  // Answer of the plain sqlite3 tool.
  static std::string ask(const fs::path& file, const std::string& query) {
    const std::string command = "sqlite3 '" + file.string() + "' \"" + query + "\" 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string answer;
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) != 0;) answer.append(buffer, n);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << answer;
    if (!answer.empty() && answer.back() == '\n') answer.pop_back();
    return answer;
  }

  static std::string bytes_of(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

 private:
  fs::path folder_;
};

TEST_F(EventDatabaseTest, HoldsEveryPauseLevelAndDropThatTheCountersKnow) {
  const Totals totals = run_into(file("a"));
  ASSERT_GT(totals.classes.pauses_sent, 0U);
  ASSERT_GT(totals.drops(), 0U);
  EXPECT_EQ(ask(file("a"),
                "SELECT count(*) FROM pfc_frames WHERE node = 'tor' AND direction = "
                "'sent' AND quanta > 0"),
            std::to_string(totals.classes.pauses_sent));
  EXPECT_EQ(ask(file("a"),
                "SELECT count(*) FROM pfc_frames WHERE node = 'tor' AND direction = "
                "'sent' AND quanta = 0"),
            std::to_string(totals.classes.resumes_sent));
  EXPECT_EQ(ask(file("a"), "SELECT count(*) FROM drops"), std::to_string(totals.drops()));
  EXPECT_EQ(ask(file("a"), "SELECT count(*) FROM drops WHERE reason <> 'egress_queue'"), "0");
  const std::string levels = ask(file("a"), "SELECT count(*) FROM levels WHERE xoff = 1");
  EXPECT_LE(std::stoull(levels), totals.xoff_entered);
  EXPECT_GT(std::stoull(levels), 0U);
}

TEST_F(EventDatabaseTest, LevelsOfAPriorityGroupTakeTurns) {
  run_into(file("a"));
  EXPECT_EQ(ask(file("a"),
                "SELECT count(*) FROM (SELECT xoff, lag(xoff) OVER (PARTITION BY "
                "switch, port, pg ORDER BY rowid) AS before FROM levels) WHERE xoff = "
                "coalesce(before, 0)"),
            "0")
      << "two XOFF, or two XON, in a row";
}

TEST_F(EventDatabaseTest, NamesThePortsOnBothSidesOfEveryLink) {
  run_into(file("a"));
  EXPECT_EQ(ask(file("a"), "SELECT count(*) FROM ports"), "40") << "20 links have 40 ends";
  EXPECT_EQ(ask(file("a"), "SELECT peer_node FROM ports WHERE node = 'tor' AND port = 7"), "h7");
  EXPECT_EQ(ask(file("a"), "SELECT value FROM run WHERE key = 'time_ps'"), "2000000000");
  EXPECT_EQ(ask(file("a"), "PRAGMA integrity_check"), "ok");
}

TEST_F(EventDatabaseTest, TheSameRunGivesTheSameBytes) {
  run_into(file("a"));
  run_into(file("b"));
  EXPECT_EQ(bytes_of(file("a")), bytes_of(file("b")));
  EXPECT_GT(bytes_of(file("a")).size(), 4096U);
  EXPECT_FALSE(fs::exists(file("a-journal")) || fs::exists(file("a-wal")))
      << "nothing is left next to it";
}

TEST_F(EventDatabaseTest, TheOrderOfThingsOfOneMomentChangesNoEvent) {
  run_into(file("a"));
  run_into(file("b"), 0x123456789abcULL);
  for (const char* query : {"SELECT * FROM pfc_frames ORDER BY 1, 2, 3, 4, 5",
                            "SELECT * FROM levels ORDER BY 1, 2, 3, 4",
                            "SELECT * FROM drops ORDER BY 1, 2, 3, 4, 5, 6, 8, 9, 11"})
    EXPECT_EQ(ask(file("a"), query), ask(file("b"), query)) << query;
}

TEST_F(EventDatabaseTest, DropsAloneLeaveOutWhatPfcDoes) {
  const Totals totals = run_into(file("a"), 0, EventDetail::drops);
  EXPECT_EQ(ask(file("a"), "SELECT count(*) FROM drops"), std::to_string(totals.drops()));
  EXPECT_EQ(ask(file("a"), "SELECT count(*) FROM pfc_frames"), "0");
  EXPECT_EQ(ask(file("a"), "SELECT count(*) FROM levels"), "0");
}

TEST_F(EventDatabaseTest, EveryVerdictIsOneRowWithItsDeparture) {
  const Totals totals = run_into(file("a"), 0, EventDetail::all);
  const auto number = [&](const std::string& query) {
    return std::stoull(ask(file("a"), "SELECT " + query));
  };
  const std::uint64_t all = number("count(*) FROM verdicts");
  EXPECT_GT(all, 10'000U);
  EXPECT_EQ(number("count(*) FROM verdicts WHERE reason <> 'admitted'"), totals.drops());
  EXPECT_EQ(number("count(*) FROM verdicts WHERE reason <> 'admitted' AND departed_ps IS NOT NULL"),
            0U);
  EXPECT_EQ(number("count(*) FROM verdicts WHERE departed_ps < time_ps"), 0U);
  EXPECT_EQ(number("count(*) FROM (SELECT DISTINCT flow, source, sequence FROM verdicts)"), all)
      << "one switch: a packet has one verdict";
  // A packet without a departure is in a queue; the wires of 20 links hold little more.
  const std::uint64_t held =
      number("count(*) FROM verdicts WHERE reason = 'admitted' AND departed_ps IS NULL");
  EXPECT_LE(held, totals.in_flight_packets);
  EXPECT_LE(totals.in_flight_packets, held + 200);
  // Cells in the buffer, from the rows alone, at the first XOFF level: w equals T there.
  EXPECT_EQ(number("count(*) FROM verdicts v JOIN (SELECT min(time_ps) AS t FROM levels) l "
                   "ON v.time_ps = l.t WHERE v.xoff = 1"),
            number("count(*) FROM levels WHERE time_ps = (SELECT min(time_ps) FROM levels)"));
}

TEST_F(EventDatabaseTest, VerdictsOfTheSameRunAreTheSameBytes) {
  run_into(file("a"), 0, EventDetail::all);
  run_into(file("b"), 0, EventDetail::all);
  EXPECT_EQ(bytes_of(file("a")), bytes_of(file("b")));
}

TEST_F(EventDatabaseTest, EveryQueryOfTheDocumentationAnswers) {
  run_into(file("a"), 0, EventDetail::all);
  run_into(file("watched"), 0, EventDetail::drops, watched());
  run_into(file("locked"), 0, EventDetail::drops,
           load_scenario("vectors/scenarios/loop_ring2_dt_trident2.toml"));
  std::ifstream page{"docs/reference/events.md"};
  ASSERT_TRUE(page) << "tests run in the source tree";
  std::size_t queries = 0;
  std::string query, database = "a";
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## With a monitor", 0) == 0) {
      database = "watched";
    } else if (line == "```sql") {
      inside = true;
      query.clear();
    } else if (inside && line == "```") {
      inside = false;
      ++queries;
      const bool of_deadlocks = query.find("FROM deadlocks") != std::string::npos;
      const std::string answer = ask(file(of_deadlocks ? "locked" : database), query);
      EXPECT_FALSE(answer.empty()) << query;
      EXPECT_EQ(answer.find("rror"), std::string::npos) << query << "\n" << answer;
    } else if (inside) {
      query += line + "\n";
    }
  }
  EXPECT_GE(queries, 17U);
}

TEST_F(EventDatabaseTest, SamplesEndWithTheTotalsAndProbesAndDriftsAreThere) {
  const Totals totals = run_into(file("a"), 0, EventDetail::drops, watched());
  const auto number = [&](const std::string& query) {
    return std::stoull(ask(file("a"), "SELECT " + query));
  };
  const std::string last =
      "(SELECT node, max(pauses_sent) AS pauses, max(mac_drops) + max(ingress_drops) + "
      "max(egress_drops) AS drops "
      "FROM port_samples GROUP BY node, port, priority)";
  EXPECT_EQ(number("sum(pauses) FROM " + last + " WHERE node = 'tor'"), totals.classes.pauses_sent);
  EXPECT_EQ(number("sum(drops) FROM " + last), totals.drops());
  EXPECT_EQ(number("count(*) FROM port_samples WHERE time_ps % 100000000 != 0"), 0U);
  EXPECT_EQ(number("max(time_ps) FROM port_samples"), 2'000'000'000U);
  EXPECT_GT(number("count(*) FROM pool_samples"), 10U);
  EXPECT_EQ(number("count(*) FROM probes"), 4U * 40U);
  EXPECT_EQ(number("count(DISTINCT priority) FROM probes WHERE code = 'ok'"), 2U);
  EXPECT_EQ(ask(file("a"), "SELECT switch, key, desired, running FROM drifts"),
            "tor|profile.lossless.alpha|1/16|1/8");
  run_into(file("b"), 99, EventDetail::drops, watched());
  EXPECT_EQ(bytes_of(file("a")), bytes_of(file("b"))) << "in whatever order things are woken";
}

TEST_F(EventDatabaseTest, SamplesOfAQueueThatMarksEndWithItsCounters) {
  Scenario described = load_scenario("vectors/scenarios/incast_star9_lossy_dcqcn.toml");
  described.until = Picoseconds{2'000'000'000};
  const Totals totals = run_into(file("a"), 0, EventDetail::drops, described);
  const auto number = [&](const std::string& query) {
    return std::stoull(ask(file("a"), "SELECT " + query));
  };
  EXPECT_GT(totals.ecn_marked_packets, 100U);
  EXPECT_EQ(number("max(marked_packets) FROM queue_samples"), totals.ecn_marked_packets);
  EXPECT_EQ(number("count(*) FROM queue_samples WHERE (port, queue) <> (8, 3)"), 0U);
  EXPECT_EQ(number("count(*) FROM queue_samples WHERE (min_cells, max_cells) <> (200, 800)"), 0U);
  EXPECT_GE(number("count(*) FROM queue_samples"), 20U) << "it fills and empties";
  EXPECT_EQ(number("count(*) FROM queue_samples s JOIN port_samples p USING (time_ps, port) "
                   "WHERE p.priority = 3 AND p.node = s.switch AND s.waiting_cells > "
                   "5 * p.queue_frames"),
            0U)
      << "five cells a packet; those that are not visible yet wait, too";
}

// A run of some dozen megabytes of events, whole and with a limit.
class EventLimitTest : public EventDatabaseTest {
 protected:
  static constexpr Bytes limit = min_events_limit;

  static Scenario described() {
    Scenario described = watched();
    described.until = Picoseconds{80'000'000'000};
    return described;
  }

  void SetUp() override {
    EventDatabaseTest::SetUp();
    run_into(file("whole"), 0, EventDetail::all, described());
    run_into(file("limited"), 0, EventDetail::all, described(), limit);
    ASSERT_GT(fs::file_size(file("whole")), 2 * limit.count());
  }
  // Of both files: main is the limited one.
  [[nodiscard]] std::string ask_both(const std::string& query) const {
    return ask(file("limited"), "ATTACH '" + file("whole").string() + "' AS whole; " + query);
  }
  [[nodiscard]] std::uint64_t number(const std::string& query) const {
    return std::stoull(ask_both("SELECT " + query));
  }

  static constexpr const char* tables[]{"pfc_frames",   "levels", "drops",   "port_samples",
                                        "pool_samples", "probes", "verdicts"};
  // Rows of the interval that is left out.
  static constexpr const char* missing =
      "(SELECT min(after_ps) FROM left_out) < time_ps AND "
      "time_ps <= (SELECT max(until_ps) FROM left_out)";
};

TEST_F(EventLimitTest, TheFileStaysBelowItAndBothEndsOfTheRunAreThere) {
  EXPECT_LT(fs::file_size(file("limited")), limit.count() + 2'000'000);
  EXPECT_EQ(ask(file("limited"), "PRAGMA integrity_check"), "ok");
  EXPECT_EQ(number("count(*) FROM (SELECT DISTINCT after_ps, until_ps FROM left_out)"), 1U);
  const std::uint64_t after = number("min(after_ps) FROM left_out");
  const std::uint64_t until = number("max(until_ps) FROM left_out");
  EXPECT_GT(after, 5'000'000'000U);
  EXPECT_GT(until, 2 * after) << "what is kept last begins later than what is kept first ends";
  EXPECT_LT(until, 75'000'000'000U);
  EXPECT_EQ(number("max(time_ps) FROM pfc_frames"), number("max(time_ps) FROM whole.pfc_frames"));
}

TEST_F(EventLimitTest, OneIntervalIsLeftOutOfAllTablesAndNothingElse) {
  std::uint64_t left_out = 0;
  for (const std::string table : tables) {
    const bool packed = table == "verdicts";
    if (packed) {
      EXPECT_EQ(number("count(*) FROM (SELECT * FROM main.verdicts EXCEPT "
                       "SELECT * FROM whole.verdicts)"),
                0U)
          << "ids are those of the whole run";
    }
    EXPECT_EQ(number("count(*) FROM main." + table + " WHERE " + missing), 0U) << table;
    EXPECT_EQ(number("count(*) FROM main." + table),
              number("count(*) FROM whole." + table + " WHERE NOT (" + missing + ")"))
        << table;
    const std::uint64_t rows_left_out =
        number("count(*) FROM whole." + table + " WHERE " + missing);
    const std::string name = packed ? "verdict_rows" : table;
    EXPECT_EQ(number("coalesce(sum(rows), 0) FROM left_out WHERE name = '" + name + "'"),
              rows_left_out)
        << table;
    left_out += rows_left_out;
  }
  EXPECT_GT(left_out, 100'000U);
  EXPECT_EQ(number("sum(rows) FROM left_out"), left_out);
  EXPECT_EQ(number("count(*) FROM drifts"), number("count(*) FROM whole.drifts"));
}

TEST_F(EventLimitTest, TheSameRunGivesTheSameBytesAndTheIndexOfVerdictsFindsAllThatAreLeft) {
  EXPECT_EQ(number("count(*) FROM verdict_blocks b JOIN verdict_rows v ON v.rowid BETWEEN "
                   "b.first_row AND b.last_row AND v.time_ps BETWEEN b.earliest_ps AND "
                   "b.latest_ps"),
            number("count(*) FROM verdict_rows"));
  EXPECT_LT(number("count(*) FROM verdict_blocks"), number("count(*) FROM whole.verdict_blocks"));
  run_into(file("again"), 0, EventDetail::all, described(), limit);
  EXPECT_TRUE(bytes_of(file("limited")) == bytes_of(file("again")));
  EXPECT_EQ(ask(file("whole"), "SELECT count(*) FROM left_out"), "0");
}

TEST_F(EventDatabaseTest, APlaceThatCannotBeWrittenIsAModelErrorNamingTheFile) {
  try {
    const EventDatabase events{file("no such folder") / "events.sqlite", Scenario{}};
    FAIL() << "was opened";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string{error.what()}.find("events.sqlite"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weir::event_database_test
