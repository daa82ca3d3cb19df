// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/history.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::history_test {
namespace {

using test::us;
using Json = nlohmann::json;

// Three hosts into one at 100G: PAUSE, headroom, and a lossy flow with a small limit.
Scenario small(Picoseconds until) {
  Chip chip = test::small_chip(4, test::gbps(100));
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{150};
  Scenario scenario = test::star(chip, test::ns(200), until);
  scenario.name = "history";
  scenario.traffic = {test::flood("a", 0, 3, 3, 1000), test::flood("b", 1, 3, 3, 1500),
                      test::flood("c", 2, 3, 0, 700)};
  return scenario;
}

// Every step as an observer sees it: time, PG, shared, S, headroom, T.
class Steps final : public Observer {
 public:
  [[nodiscard]] bool wants_details() const override { return true; }
  void stepped(const std::string&, const Mmu& mmu, PgIndex pg, Picoseconds edge) override {
    const Placement& held = mmu.ingress().pg(pg);
    all.push_back({edge.count(), pg.value(), held.shared.count(),
                   mmu.ingress().pool(PoolIndex{0}).shared.count(), held.headroom.count(),
                   mmu.threshold(pg, edge_at_or_after(edge, mmu.chip().clock)).count()});
  }
  std::vector<std::array<std::uint64_t, 6>> all;
};

std::string file_of(const ReportText& report) {
  std::string text;
  write_json(report, [&](std::string_view piece) { text += piece; });
  return text;
}

// The history of a scenario, the observer's steps, and the summary.
Json observed(const Scenario& scenario, bool with_steps) {
  return Json::parse(run_in_child([&] {
    Network network{scenario};
    History history{scenario, History::Queues::with_profiles};
    Steps steps;
    history.watch(network);
    if (with_steps) network.watch(steps);
    network.run_until(scenario.until);
    Json json;
    json["report"] =
        Json::parse(file_of(history.finish(summarize(network), {{"a.b", "1", "x.toml:3"}})));
    json["steps"] = steps.all;
    json["summary"] = Json::parse(to_json(summarize(network)));
    return json.dump();
  }));
}

// The text is written in order, without the library that others read it with.
TEST(History, ItsTextsAreThoseOfTheJsonLibrary) {
  for (const char* const file : {"vectors/scenarios/storm_clos4_dt_both_watchdogs.toml",
                                 "vectors/scenarios/incast_star9_lossy_dcqcn.toml"}) {
    Scenario scenario = load_scenario(file);
    scenario.until = us(3000);
    const Json texts = Json::parse(run_in_child([&] {
      Network network{scenario};
      History history{scenario, History::Queues::with_profiles};
      history.watch(network);
      network.run_until(scenario.until);
      const ReportText text =
          history.finish(summarize(network), {{"quote \"", "\\ \x1b \u00e4", "x.toml:3"}});
      return Json{{"file", file_of(text)},
                  {"sections", to_text(text.sections.root())},
                  {text.charts.at(0).name, text.charts.at(0).json},
                  {text.charts.at(1).name, text.charts.at(1).json}}
          .dump();
    }));
    using Ordered = nlohmann::ordered_json;
    const Ordered whole = Ordered::parse(texts["file"].get<std::string>());
    EXPECT_EQ(whole.dump() + "\n", texts["file"].get<std::string>()) << file;
    for (const char* const chart : {"occupancy", "rates"})
      EXPECT_EQ(whole.at(chart).dump(), texts[chart].get<std::string>()) << file;
    Ordered sections = whole;
    ASSERT_GT(sections["occupancy"]["values"].size(), 3U) << file;
    for (const char* const part : {"occupancy", "rates"})
      for (Ordered& value : sections[part]["values"]) value.erase("points");
    EXPECT_EQ(sections.dump(), texts["sections"].get<std::string>()) << file;
  }
}

struct Point {
  std::uint64_t last, least, most;
};

std::map<std::uint64_t, Point> decoded(const Json& value) {
  std::map<std::uint64_t, Point> points;
  std::int64_t bucket = 0, last = 0;
  for (std::size_t i = 0; i < value.at("points").size(); i += 4) {
    const auto number = [&](std::size_t k) { return value["points"][i + k].get<std::int64_t>(); };
    bucket += number(0);
    last += number(1);
    points[static_cast<std::uint64_t>(bucket)] = {static_cast<std::uint64_t>(last),
                                                  static_cast<std::uint64_t>(last - number(2)),
                                                  static_cast<std::uint64_t>(last + number(3))};
  }
  return points;
}

const Json& value_of(const Json& report, const std::string& kind, const std::string& name) {
  for (const Json& value : report["occupancy"]["values"])
    if (value["kind"] == kind && value["name"] == name) return value;
  throw std::runtime_error("no " + kind + " " + name);
}

// The same buckets, computed from all steps; `column` of those steps that `counts`. The first is
// there, and each change.
template <class Counts>
std::map<std::uint64_t, Point> buckets(const Json& run, std::size_t column, Counts&& counts) {
  const std::uint64_t width = run["report"]["occupancy"]["bucket_ps"].get<std::uint64_t>();
  std::map<std::uint64_t, Point> points;
  std::uint64_t last = 0;
  for (const Json& step : run["steps"]) {
    if (!counts(step[1].get<std::uint64_t>())) continue;
    const std::uint64_t now = step[column].get<std::uint64_t>();
    if (!points.empty() && now == last) continue;
    const auto [place, fresh] =
        points.try_emplace(step[0].get<std::uint64_t>() / width, Point{last, last, last});
    place->second.least = std::min(place->second.least, now);
    place->second.most = std::max(place->second.most, now);
    place->second.last = last = now;
  }
  return points;
}

void expect_same(const std::map<std::uint64_t, Point>& actual,
                 const std::map<std::uint64_t, Point>& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  ASSERT_GT(actual.size(), 50U) << what;
  for (const auto& [bucket, point] : expected) {
    ASSERT_EQ(actual.count(bucket), 1U) << what << ", bucket " << bucket;
    EXPECT_EQ(actual.at(bucket).last, point.last) << what << ", bucket " << bucket;
    EXPECT_EQ(actual.at(bucket).least, point.least) << what << ", bucket " << bucket;
    EXPECT_EQ(actual.at(bucket).most, point.most) << what << ", bucket " << bucket;
  }
}

TEST(History, EachBucketHoldsLeastMostAndLastOfWhatAnObserverSaw) {
  const Json run = observed(small(us(300)), true);
  const Json& report = run["report"];
  ASSERT_GT(run["steps"].size(), 1000U);
  const std::uint64_t a = 0 * 8 + 3, c = 2 * 8 + 0;
  expect_same(decoded(value_of(report, "group", "port[0].pg[3]")),
              buckets(run, 2, [&](auto pg) { return pg == a; }), "shared of a");
  expect_same(decoded(value_of(report, "group", "port[2].pg[0]")),
              buckets(run, 2, [&](auto pg) { return pg == c; }), "shared of c");
  expect_same(decoded(value_of(report, "pool", "pool, domain 0")),
              buckets(run, 3, [](auto) { return true; }), "S");
}

TEST(History, AQueueThatMarksIsThereWithItsThresholdsAndItsPeak) {
  Scenario scenario = small(us(300));
  Chip& chip = scenario.switches[0].chip;
  chip.wred_profiles = {{"red", Cells{10}, Cells{20}, 3277, true, false, WredPoint::dequeue}};
  chip.wred_of_queue.resize(chip.ports.size() * priorities);
  chip.wred_of_queue[queue_index(PortId{3}, Priority{3})] = WredProfileIndex{0};
  const Json run = Json::parse(run_in_child([&] {
    struct Waiting final : Observer {
      std::vector<std::uint64_t> cells;
      [[nodiscard]] bool wants_details() const override { return true; }
      void waiting(const std::string&, QueueIndex, Cells q, Picoseconds) override {
        cells.push_back(q.count());
      }
    };
    Network network{scenario};
    History history{scenario, History::Queues::with_profiles};
    Waiting seen;
    history.watch(network);
    network.watch(seen);
    network.run_until(scenario.until);
    return Json{{"report", Json::parse(file_of(history.finish(summarize(network), {})))},
                {"waiting", seen.cells}}
        .dump();
  }));
  const Json& value = value_of(run["report"], "queue", "port[3].queue[3]");
  EXPECT_EQ(value.at("min_cells"), 10);
  EXPECT_EQ(value.at("max_cells"), 20);
  EXPECT_EQ(value.at("profile"), "red");
  const auto cells = run["waiting"].get<std::vector<std::uint64_t>>();
  ASSERT_GT(cells.size(), 1000U);
  std::uint64_t peak = 0, last = 0;
  for (const auto& [bucket, point] : decoded(value)) {
    peak = std::max(peak, point.most);
    last = point.last;
  }
  EXPECT_EQ(peak, *std::max_element(cells.begin(), cells.end()));
  EXPECT_EQ(last, cells.back());
  // The other queue that was used has no profile.
  EXPECT_FALSE(value_of(run["report"], "queue", "port[3].queue[0]").contains("profile"));
}

// What an observer sees of one egress queue: cells that wait in it, and its bursts.
class QueueSeen final : public Observer {
 public:
  explicit QueueSeen(QueueIndex queue) : queue_{queue} {}
  [[nodiscard]] bool wants_verdicts() const override { return true; }
  [[nodiscard]] bool wants_details() const override { return true; }
  void verdict(const std::string&, const Frame& frame, const Verdict& verdict,
               Picoseconds) override {
    if (queue_of(frame) != queue_) return;
    came += frame.length;
    if (!verdict.admitted()) return void(refused += frame.length);
    cells_.push_back(frame.cells);
    deepest = std::max(deepest, std::accumulate(cells_.begin(), cells_.end(), std::uint64_t{0}));
    if (verdict.pfc.changed && verdict.pfc.xoff) ++xoffs;
  }
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds) override {
    if (node != "sw" || frame.kind == FrameKind::pfc || port != port_of(queue_) ||
        Priority{frame.queue} != number_in_port(queue_))
      return;
    cells_.erase(cells_.begin());
    if (cells_.empty()) ++emptied;
  }
  std::uint64_t came{0}, refused{0}, deepest{0}, xoffs{0}, emptied{0};

 private:
  const QueueIndex queue_;
  std::vector<std::uint64_t> cells_;
};

Json with_queue_seen(const Scenario& scenario, QueueIndex queue) {
  return Json::parse(run_in_child([&] {
    Network network{scenario};
    History history{scenario, History::Queues::all};
    QueueSeen seen{queue};
    history.watch(network);
    network.watch(seen);
    network.run_until(scenario.until);
    return Json{{"report", Json::parse(file_of(history.finish(summarize(network), {})))},
                {"came", seen.came},
                {"refused", seen.refused},
                {"deepest", seen.deepest},
                {"xoffs", seen.xoffs},
                {"emptied", seen.emptied}}
        .dump();
  }));
}

const Json& burst_of(const Json& report, const std::string& queue) {
  for (const Json& row : report.at("bursts").at("deepest"))
    if (row.at("name") == queue) return row;
  throw std::runtime_error{"no bursts of " + queue};
}

// Two hosts send ten frames of 1000 B each at once to a third. When the tenth pair comes nine
// frames have begun to leave, so eleven of twenty wait.
TEST(History, AnIncastOfTwoToOneIsHeldByHalfAndOneFrame) {
  Scenario scenario = test::star(test::small_chip(4, test::gbps(100)), test::ns(200), us(20));
  scenario.name = "burst";
  TrafficSpec incast = test::flood("incast", 0, 3, 3, 1000);
  incast.kind = TrafficKind::incast;
  incast.from = {0, 1};
  incast.burst = Bytes{10'000};
  incast.start = us(5);
  scenario.traffic = {incast};
  const Json run = with_queue_seen(scenario, queue_index(PortId{3}, Priority{3}));
  const Json& row = burst_of(run["report"], "port[3].queue[3]");
  EXPECT_EQ(row["bursts"], 1);
  EXPECT_EQ(row["absorbed"], 1);
  EXPECT_EQ(row["max_absorbed_bytes"], 11'000);
  const Json& largest = row["largest"];
  EXPECT_EQ(largest["came_bytes"], 20'000);
  EXPECT_EQ(largest["held_bytes"], 11'000);
  EXPECT_EQ(largest["came_by_then_bytes"], 20'000);
  EXPECT_EQ(largest["refused_bytes"], 0);
  EXPECT_EQ(largest["xoffs"], 0);
  // From the first verdict, at the first edge after cable and frame, until the last frame begins.
  const std::uint64_t frame = 80 * 1008, slot = 80 * 1020;
  const std::uint64_t first = (5'000'000 + 200'000 + frame + 999) / 1000 * 1000;
  const std::uint64_t admit = scenario.switches[0].chip.admit_latency * 1000;
  EXPECT_EQ(largest["from_ps"], first);
  EXPECT_EQ(largest["until_ps"], first + admit + 19 * slot);
  EXPECT_EQ(run["report"]["bursts"]["queue_count"], 1);
}

TEST(History, ABurstWithAPauseOrADropIsNotAbsorbed) {
  for (const bool lossless : {true, false}) {
    Scenario scenario = small(us(300));
    scenario.traffic.erase(scenario.traffic.begin() + (lossless ? 2 : 0),
                           scenario.traffic.begin() + (lossless ? 3 : 2));
    if (!lossless) scenario.traffic.push_back(test::flood("d", 1, 3, 0, 700));
    const std::uint8_t number = lossless ? 3 : 0;
    const Json run = with_queue_seen(scenario, queue_index(PortId{3}, Priority{number}));
    const Json& row = burst_of(run["report"], "port[3].queue[" + std::to_string(number) + "]");
    EXPECT_EQ(row["bursts"], row["absorbed"].get<int>() + 1) << "two floods never end";
    const Json& largest = row["largest"];
    EXPECT_EQ(largest["refused_bytes"], run["refused"]);
    EXPECT_EQ(largest["xoffs"], run["xoffs"]);
    EXPECT_GT(largest[lossless ? "xoffs" : "refused_bytes"], 0);
    EXPECT_EQ(largest["until_ps"], scenario.until.count());
  }
}

TEST(History, TheDepthOfAnEgressQueueIsThereWithoutAMonitor) {
  const Scenario scenario = small(us(300));
  ASSERT_FALSE(scenario.monitor.period);
  const Json run = with_queue_seen(scenario, queue_index(PortId{3}, Priority{3}));
  const Json& value = value_of(run["report"], "queue", "port[3].queue[3]");
  std::uint64_t peak = 0;
  for (const auto& [bucket, point] : decoded(value)) peak = std::max(peak, point.most);
  ASSERT_GT(run["deepest"], 100);
  EXPECT_EQ(peak, run["deepest"]);
  EXPECT_FALSE(value.contains("profile"));
}

TEST(History, EgressQueuesWithoutAProfileAreFollowedOnRequestOnly) {
  EXPECT_EQ(observed(small(us(300)), false)["report"]["bursts"]["queue_count"], 0);
}

TEST(History, TheRatesOfTheConnectionsThatAreCutMostAreThereAsTheMonitorSampledThem) {
  Scenario scenario = small(us(300));
  TrafficSpec cut = test::flood("cut", 0, 3, 3, 980);
  cut.kind = TrafficKind::rdma;
  cut.message = Bytes{1'000'000'000};
  cut.window = no_window;
  cut.ecn = Ecn::ce;  // every packet comes in marked
  cut.dcqcn = DcqcnSettings{};
  cut.connections = 2;
  TrafficSpec spared = cut;
  spared.name = "spared";
  spared.from = {1};
  spared.ecn = Ecn::ect0;
  spared.connections = 9;
  scenario.traffic = {spared, cut};
  scenario.monitor.period = us(10);
  const Json run = Json::parse(run_in_child([&] {
    struct Rates final : Observer {
      std::map<std::string, std::vector<std::uint64_t>> mbps;
      void rate_sample(const RateSample& sample, Picoseconds) override {
        mbps[sample.host + std::to_string(sample.rate.connection)].push_back(
            sample.rate.rate.count() / 1'000'000);
      }
    };
    Network network{scenario};
    History history{scenario, History::Queues::with_profiles};
    Rates seen;
    history.watch(network);
    network.watch(seen);
    network.run_until(scenario.until);
    return Json{{"report", Json::parse(file_of(history.finish(summarize(network), {})))},
                {"seen", seen.mbps}}
        .dump();
  }));
  const Json& values = run["report"]["rates"]["values"];
  ASSERT_EQ(values.size(), 8U) << "of a receiver at most 8";
  EXPECT_EQ(values[0]["name"].get<std::string>().rfind("h0, cut, connection ", 0), 0U);
  EXPECT_EQ(values[1]["name"].get<std::string>().rfind("h0, cut, connection ", 0), 0U);
  EXPECT_NE(values[0]["name"], values[1]["name"]);
  EXPECT_GT(values[1]["cnps"], 3);
  EXPECT_EQ(values[2]["name"], "h1, spared, connection 0");
  EXPECT_EQ(values[2]["cnps"], 0);
  for (const Json& value : values) {
    EXPECT_EQ(value["receiver"], "h3");
    EXPECT_EQ(value["at_start_mbps"], 100'000);
    const std::string name = value["name"].get<std::string>();
    const auto samples = run["seen"][name.substr(0, 2) + name.back()];
    std::vector<std::uint64_t> points;
    for (const auto& [bucket, point] : decoded(value)) points.push_back(point.last);
    EXPECT_EQ(Json(points), samples) << name << ": a bucket is shorter than a period";
  }
}

TEST(History, WithoutAMonitorThereAreNoRates) {
  EXPECT_TRUE(observed(small(us(20)), false)["report"]["rates"]["values"].empty());
}

TEST(History, TheLimitOfABucketReachesFromItsLeastToItsMost) {
  const Json run = observed(small(us(300)), true);
  const auto limit = decoded(value_of(run["report"], "limit", "T_lossless, domain 0"));
  // T at the steps of lossless groups is in between; between its points it is constant.
  const std::uint64_t width = run["report"]["occupancy"]["bucket_ps"].get<std::uint64_t>();
  std::size_t compared = 0;
  for (const Json& step : run["steps"]) {
    if (step[1].get<std::uint64_t>() % 8 != 3) continue;
    const auto after = limit.upper_bound(step[0].get<std::uint64_t>() / width);
    ASSERT_NE(after, limit.begin());
    const Point& point = std::prev(after)->second;
    EXPECT_LE(point.least, step[5].get<std::uint64_t>());
    EXPECT_GE(point.most, step[5].get<std::uint64_t>());
    ++compared;
  }
  EXPECT_GT(compared, 500U);
}

TEST(History, HeadroomAndDropsAreThoseOfTheSummary) {
  const Json run = observed(small(us(300)), false);
  const Json& node = run["summary"]["switches"][0];
  std::uint64_t most = 0, dropped = 0;
  for (const Json& port : node["ports"])
    for (const Json& group : port["priority_groups"]) {
      most = std::max(most, group["peak_headroom_cells"].get<std::uint64_t>());
      dropped += group["drops"].get<std::uint64_t>();
    }
  ASSERT_GT(most, 0U) << "the scenario must reach headroom";
  ASSERT_GT(dropped, 0U) << "the scenario must drop";
  const Json& use = run["report"]["headroom"].at(0);
  EXPECT_EQ(use["max_cells"], most);
  EXPECT_EQ(use["limit_cells"], 2000);
  std::uint64_t times = 0, counted = 0;
  for (const Json& peak : use["by_peak"]) times += peak[1].get<std::uint64_t>();
  EXPECT_EQ(use["times"], times);
  EXPECT_EQ(use["by_peak"].back()[0], most);
  for (const Json& drop : run["report"]["drops"]) counted += drop["packets"].get<std::uint64_t>();
  EXPECT_EQ(counted, dropped);
}

TEST(History, HeadroomIsCountedByTheCellsThatWereTakenEachTimeAndSetAgainstWhatTheCableNeeds) {
  const Scenario scenario = small(us(300));
  const Json run = observed(scenario, true);
  // Of every group: the most since its headroom was last empty.
  std::map<std::uint64_t, std::uint64_t> taken, times;
  for (const Json& step : run["steps"]) {
    const auto pg = step[1].get<std::uint64_t>(), headroom = step[4].get<std::uint64_t>();
    if (headroom == 0 && taken[pg] != 0) ++times[std::exchange(taken[pg], 0)];
    taken[pg] = std::max(taken[pg], headroom);
  }
  for (const auto& [pg, peak] : taken)
    if (peak != 0) ++times[peak];
  Json expected = Json::array();
  for (const auto& [peak, count] : times) expected.push_back({peak, count});
  ASSERT_GT(expected.size(), 1U) << "the scenario must take headroom more than once";
  const Json& use = run["report"]["headroom"].at(0);
  EXPECT_EQ(use["by_peak"], expected);
  EXPECT_EQ(use["profile"], "lossless");
  // 200 ns of cable are 40 m; all ports are alike.
  HeadroomPort port = headroom_port(scenario.switches[0].chip, PortId{0}, Millimetres{40'000});
  port.response = scenario.hosts[0].response;
  EXPECT_EQ(use["needed_cells"], size_headroom("worst_case", port).cells.count());
}

TEST(History, WhereAMethodDoesNotCoverTheCableNoNeedIsGiven) {
  Scenario scenario = small(us(300));
  scenario.links[0].delay = Picoseconds{6'000'000'000'000};  // 1200 km
  const Json run = observed(scenario, false);
  ASSERT_FALSE(run["report"]["headroom"].empty());
  EXPECT_FALSE(run["report"]["headroom"][0].contains("needed_cells"));
}

TEST(History, PausedTimesAddUpToThoseOfTheSummary) {
  const Json run = observed(small(us(300)), false);
  std::map<std::string, std::uint64_t> paused;
  for (const Json& row : run["report"]["pauses"]["rows"]) {
    paused[row["end"]] = row["paused_ps"];
    std::uint64_t most = 0;
    for (const Json& bin : row["bins"]) most = std::max(most, bin.get<std::uint64_t>());
    EXPECT_LE(most, 1000U) << "no more than the whole bin";
    EXPECT_EQ(row["bins"].size(), 240U);
  }
  std::size_t compared = 0;
  for (const Json& host : run["summary"]["hosts"])
    for (const Json& entry : host["priorities"]) {
      if (entry["pause_time_ps"] == 0) continue;
      EXPECT_EQ(paused[host["name"]], entry["pause_time_ps"]) << host["name"];
      ++compared;
    }
  EXPECT_EQ(compared, 2U) << "hosts a and b are paused";
  for (const Json& flow : run["report"]["propagation"]) {
    EXPECT_EQ(flow["from"], "sw");
    EXPECT_EQ(flow["origins"], flow["starts"]) << "nothing pauses the switch";
    EXPECT_LE(flow["starts"], flow["frames"]);
  }
  EXPECT_EQ(run["report"]["propagation"].size(), 2U);
}

TEST(History, LatenciesAreThoseOfTheSummaryBucketByBucket) {
  const Json run = observed(small(us(300)), false);
  ASSERT_EQ(run["report"]["latency"].size(), 2U) << "priorities 0 and 3";
  for (const Json& row : run["report"]["latency"]) {
    std::uint64_t packets = 0, sum = 0, longest = 0;
    for (const Json& host : run["summary"]["hosts"])
      for (const Json& entry : host["priorities"]) {
        if (entry["priority"] != row["priority"]) continue;
        packets += entry["latency"]["packets"].get<std::uint64_t>();
        sum += entry["latency"]["sum_ps"].get<std::uint64_t>();
        longest = std::max(longest, entry["latency"]["longest_ps"].get<std::uint64_t>());
      }
    ASSERT_GT(packets, 100U);
    EXPECT_EQ(row["packets"], packets);
    EXPECT_EQ(row["average_ps"], sum / packets);
    EXPECT_EQ(row["longest_ps"], longest);
    // Half of the packets are in the buckets up to that of the median, and all in all buckets.
    std::uint64_t counted = 0, until_median = 0;
    const std::size_t median = Latency::bucket_of(Picoseconds{row["p50_ps"]});
    for (const Json& bucket : row["buckets"]) {
      counted += bucket[1].get<std::uint64_t>();
      if (bucket[0].get<std::size_t>() <= median) until_median = counted;
    }
    EXPECT_EQ(counted, packets);
    EXPECT_GE(2 * until_median, packets);
    EXPECT_EQ(row["buckets"].back()[0].get<std::size_t>(),
              Latency::bucket_of(Picoseconds{longest}));
  }
}

TEST(History, ALongerRunGetsCoarserAndKeepsItsPeaks) {
  const auto scenario = [](const std::string& until) {
    return load_scenario("vectors/scenarios/permutation_star32_dt_trident2.toml",
                         {"scenario.until=" + until, "traffic.ring.packet=1500 B"});
  };
  const Json run = observed(scenario("1 ms"), false);
  const Json& occupancy = run["report"]["occupancy"];
  std::size_t points = 0;
  for (const Json& value : occupancy["values"]) points += value["points"].size() / 4;
  EXPECT_LE(points, 100'000U);
  EXPECT_GT(occupancy["bucket_ps"].get<std::uint64_t>(), 1'000'000'000U / 16'384 + 1)
      << "the run must be long enough to get coarser";
  std::uint64_t most = 0;
  ASSERT_NE(run["summary"]["switches"][0]["pools"][0]["peak_shared_cells"], 0);
  for (const auto& [bucket, point] : decoded(value_of(run["report"], "pool", "lossless, domain 0")))
    most = std::max(most, point.most);
  EXPECT_EQ(most, run["summary"]["switches"][0]["pools"][0]["peak_shared_cells"]);
}

}  // namespace
}  // namespace weir::history_test
