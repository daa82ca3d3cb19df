// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/summary.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <type_traits>

#include "weir/config/format/document.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/drop_reasons.hpp"
#include "weir/trace/summary/metric_values.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::summary_test {
namespace {

constexpr const char* incast = "vectors/scenarios/incast_star16_dt_trident2.toml";
constexpr const char* lossy_mix = "vectors/scenarios/lossy_mix_star8_dt_trident2.toml";

Scenario short_run(const char* file) { return load_scenario(file, {"scenario.until=400 us"}); }

// summary.json of a run in slices of `slice`, in a process of its own.
std::string json_after(const Scenario& scenario, Picoseconds slice, std::uint64_t permutation) {
  return run_in_child([&] {
    Network network{scenario, permutation};
    while (network.now() < scenario.until) {
      network.run_until(network.now() + slice);
      check_conservation(network);
    }
    return to_json(summarize(network));
  });
}

// Totals in which all figures differ, so that a wrong getter is noticed.
Totals different_totals() {
  Totals totals;
  std::mt19937 draw{1};
  const auto set = [&](auto& figure) {
    using Figure = std::decay_t<decltype(figure)>;
    figure = Figure{static_cast<std::uint32_t>(draw() >> 1)};
  };
  for_each_figure([&](auto member, auto, auto) { set(totals.*member); });
  for_each_port_counter([&](const auto& row) { set(totals.ports.*row.count); });
  for_each_class_counter([&](const auto& row) { set(totals.classes.*row.count); });
  set(totals.throughput);
  for (std::uint64_t i = 0; i < 2000; ++i) totals.latency.add(Picoseconds{1'000'000});
  for (std::uint64_t i = 0; i < 30; ++i) totals.latency.add(Picoseconds{5'000'000});
  totals.latency.add(Picoseconds{6'000'000});
  for (std::uint64_t i = 0; i < 2; ++i) totals.latency.add(Picoseconds{70'000'000});
  for (std::uint64_t& answers : totals.probes.by_code) set(answers);
  set(totals.probes.rtt.p50);
  set(totals.probes.rtt.p99);
  std::uint64_t kind = 0;
  for (Completions* const completions : {&totals.messages, &totals.incasts}) {
    const Picoseconds unit{1'234'567'000 + 111'000'000 * kind++};
    set(completions->unfinished);
    for (std::uint64_t i = 0; i < 3000 + kind; ++i) completions->done.add(unit, Picoseconds{1'000});
    for (std::uint64_t i = 0; i < 60; ++i) completions->done.add(unit * 3, Picoseconds{1'000});
    for (std::uint64_t i = 0; i < 5; ++i) completions->done.add(unit * 5, Picoseconds{1'000});
  }
  return totals;
}

// A reason of the MAC is among the drops with a count of its own, or has a figure of its own.
TEST(DropReasons, EachIsCountedOrHasAFigureOfItsOwn) {
  Summary summary;
  summary.totals = different_totals();
  summary.totals.ports.watchdog_drops += summary.totals.classes.watchdog_egress_drops;
  summary.totals.nic_drops += 77;
  summary.hosts.resize(2);
  summary.hosts[1].nic = NicSummary{};
  summary.hosts[1].nic->dropped = 77;
  summary.switches.resize(1);
  summary.switches[0].linked_ports.resize(1);
  PortSummary& port = summary.switches[0].linked_ports[0];
  port.pgs.resize(1);
  for (std::size_t i = 1; i < step_reasons; ++i) port.pgs[0].counters.refused[i] = i;
  port.queues.resize(1);
  port.queues[0].wred = WredSummary{};
  port.queues[0].wred->counters.dropped = step_reasons;
  const auto counts = drop_reasons(summary);
  std::set<std::uint64_t> seen;
  for (const auto& [reason, count] : counts)
    EXPECT_TRUE(seen.insert(count).second && count != 0) << reason << " " << count;
  for (std::size_t i = 1; i < reasons; ++i)
    EXPECT_EQ(counts.at(to_string(static_cast<Reason>(i))), i) << i;
  std::set<MacDrop> apart;
  std::size_t of_mac = 0;
  for (std::uint8_t i = 0; to_string(MacDrop{i}) != "unknown"; ++i, ++of_mac)
    if (counts.count(to_string(MacDrop{i})) == 0) apart.insert(MacDrop{i});
  EXPECT_EQ(apart, (std::set<MacDrop>{MacDrop::stray_copy, MacDrop::dead_host}));
  EXPECT_EQ(counts.size(), reasons - 1 + of_mac - apart.size());
  EXPECT_EQ(counts.at("nic_buffer"), 77U);
  EXPECT_EQ(counts.at("nic_buffer") + counts.at("wrong_host"), summary.totals.nic_drops);
}

TEST(MetricTable, EveryMetricHasItsOwnValue) {
  const Totals totals = different_totals();
  std::set<std::uint64_t> seen;
  for (const Metric& metric : metrics()) {
    const auto value = metric_value(totals, metric.name);
    ASSERT_TRUE(value.has_value()) << metric.name << " has no getter";
    EXPECT_NE(*value, 0U) << metric.name;
    EXPECT_TRUE(seen.insert(*value).second) << metric.name << " reads what another reads";
  }
  EXPECT_EQ(metric_value(totals, "drops"), totals.drops());
  EXPECT_EQ(metric_value(totals, "peak_headroom"), totals.peak_headroom.count());
  EXPECT_FALSE(metric_value(totals, "no such metric").has_value());
}

// "a (lossless_drops, nic_drops)": the metrics that a text names, but for `itself`.
std::uint64_t sum_of_named(const Totals& totals, std::string_view text, std::string_view itself) {
  std::uint64_t sum = 0;
  for (const Metric& metric : metrics()) {
    const std::size_t at = text.find(metric.name);
    if (metric.name == itself || at == std::string_view::npos) continue;
    const bool whole = (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(') &&
                       text.find_first_of("),", at) == at + metric.name.size();
    if (whole) sum += metric_value(totals, metric.name).value();
  }
  return sum;
}

TEST(MetricTable, DropsAreTheSumOfTheMetricsThatTheirMeaningNames) {
  Totals totals;
  totals.lossless_drops = 1;
  totals.lossy_drops = 20;
  totals.classes.mac_drops = 300;
  totals.classes.watchdog_egress_drops = 4'000;
  totals.nic_drops = 50'000;
  totals.ports.watchdog_drops = 600'000;
  totals.frames_lost = 7'000'000;
  EXPECT_EQ(metric_value(totals, "drops"), 54'321U);
  ASSERT_EQ(metrics().front().name, "drops");
  EXPECT_EQ(sum_of_named(totals, metrics().front().meaning, "drops"), 54'321U);
}

// Sums of what summary.json shows of ports and their classes, by the name of the field.
std::map<std::string, std::uint64_t> sums_of_ports(const nlohmann::json& summary) {
  std::map<std::string, std::uint64_t> sums;
  const auto add = [&](const nlohmann::json& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items())
      if (value.is_number_unsigned()) sums[prefix + key] += value.get<std::uint64_t>();
  };
  for (const nlohmann::json& node : summary.at("switches"))
    for (const nlohmann::json& port : node.at("ports")) {
      add(port, "");
      for (const nlohmann::json& entry : port.at("priorities")) add(entry, "");
      for (const nlohmann::json& queue : port.at("queues")) add(queue, "queue ");
    }
  return sums;
}

void expect_one_meaning(const char* file) {
  Network network{load_scenario(file)};
  network.run_until(network.scenario().until);
  const Summary summary = summarize(network);
  const auto sums = sums_of_ports(nlohmann::json::parse(to_json(summary)));
  std::size_t compared = 0;
  for (const Metric& metric : metrics()) {
    const auto sum = sums.find(std::string{metric.name});
    if (sum == sums.end() || metric.name == "fcs_errors") continue;  // those of hosts are in it
    ++compared;
    EXPECT_EQ(sum->second, metric_value(summary.totals, metric.name)) << metric.name;
  }
  EXPECT_GE(compared, 8U);
  EXPECT_EQ(sums.at("egress_drops"), sums.at("queue drops")) << "refused by a queue, nothing else";
  EXPECT_GT(sums.at("egress_drops") + sums.at("watchdog_egress_drops"), 0U);
}

TEST(Summary, ThePageOfResultsNamesEveryCounterOfAPort) {
  const std::string page = read_text("docs/reference/results.md", Origin{}, "");
  const auto expect_named = [&](const auto& row) {
    if (row.scope == CounterScope::none) return;
    EXPECT_NE(page.find("`" + std::string{row.name} + "`"), std::string::npos) << row.name;
  };
  for_each_port_counter(expect_named);
  for_each_class_counter(expect_named);
}

TEST(Summary, ThePageOfResultsNamesEveryCounterOfTheMmu) {
  const std::string page = read_text("docs/reference/results.md", Origin{}, "");
  const auto expect_named = [&](const auto& rows) {
    for (const auto& row : rows) {
      if (row.part == CounterPart::none) continue;
      EXPECT_NE(page.find("`" + std::string{row.field} + "`"), std::string::npos) << row.field;
    }
  };
  expect_named(pg_counter_table);
  expect_named(queue_counter_table);
  expect_named(pool_mark_table);
}

TEST(Summary, ANameMeansTheSameInMetricsPortsAndClassesWhereAWatchdogDrops) {
  expect_one_meaning("vectors/scenarios/loop_ring2_dt_watchdog.toml");
}

TEST(Summary, ANameMeansTheSameInMetricsPortsAndClassesWhereQueuesRefuse) {
  expect_one_meaning(lossy_mix);
}

TEST(Expectation, EachComparisonIsExactAtItsBound) {
  const auto verdicts = [](Comparison comparison) {
    std::string text;
    for (const std::uint64_t measured : {9U, 10U, 11U})
      text += is_met({"drops", comparison, 10, ""}, measured) ? '1' : '0';
    return text;
  };
  EXPECT_EQ(verdicts(Comparison::equal), "010");
  EXPECT_EQ(verdicts(Comparison::not_equal), "101");
  EXPECT_EQ(verdicts(Comparison::less), "100");
  EXPECT_EQ(verdicts(Comparison::less_equal), "110");
  EXPECT_EQ(verdicts(Comparison::greater), "001");
  EXPECT_EQ(verdicts(Comparison::greater_equal), "011");
}

TEST(Summary, AnIncastPausesItsSendersAndLosesNothing) {
  Network network{short_run(incast)};
  network.run_until(network.scenario().until);
  const Summary summary = summarize(network);
  const Totals& totals = summary.totals;
  EXPECT_EQ(summary.time, network.scenario().until);
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(totals.lossless_drops, 0U);
  EXPECT_GT(totals.classes.pauses_sent, 0U);
  EXPECT_GT(totals.host_pause_time, Picoseconds{0});
  EXPECT_GT(totals.delivered_packets, 1000U);
  EXPECT_EQ(totals.sent_packets,
            totals.delivered_packets + totals.drops() + totals.in_flight_packets);
  ASSERT_EQ(summary.switches.size(), 1U);
  EXPECT_EQ(summary.switches[0].linked_ports.size(), 20U) << "ports without a link are left out";
  EXPECT_EQ(summary.hosts.size(), 20U);
}

TEST(Summary, ItsPartsAddUpToItsTotals) {
  Network network{short_run(incast)};
  network.run_until(network.scenario().until);
  const Summary summary = summarize(network);
  std::uint64_t pauses = 0, received = 0, admitted = 0, refused = 0, delivered = 0;
  Picoseconds waited;
  for (const PortSummary& port : summary.switches.at(0).linked_ports) {
    for (const PortClassSummary& entry : port.classes) {
      pauses += entry.counts.pauses_sent;
      received += entry.counts.rx_packets;
      waited += entry.upstream_pause.total;
    }
    for (const PgSummary& pg : port.pgs) {
      admitted += pg.counters.packets;
      refused += pg.counters.dropped();
      EXPECT_LE(pg.counters.shared_watermark, pg.counters.limit_at_peak + Cells{8})
          << "port " << port.port << " PG " << +pg.pg << ": a PG passes T by less than a packet";
      EXPECT_LE(pg.counters.headroom_watermark, pg.headroom_limit);
    }
  }
  for (const HostSummary& host : summary.hosts)
    for (const HostClassSummary& entry : host.classes) delivered += entry.latency.packets;
  EXPECT_EQ(pauses, summary.totals.classes.pauses_sent);
  EXPECT_EQ(waited, summary.totals.host_pause_time) << "every upstream is a host";
  EXPECT_EQ(delivered, summary.totals.delivered_packets);
  EXPECT_LE(admitted + refused, received) << "a verdict for none that did not arrive";
  EXPECT_LE(received - admitted - refused, 40U) << "at most two a port wait for their verdict";
}

TEST(Summary, DropsAreAtThePortAndPriorityThatHadThem) {
  Network network{load_scenario(lossy_mix)};
  network.run_until(network.scenario().until);
  const Summary summary = summarize(network);
  std::uint64_t at_ingress = 0, at_egress = 0, refused = 0, by_queues = 0;
  for (const PortSummary& port : summary.switches.at(0).linked_ports) {
    for (const PortClassSummary& entry : port.classes) {
      at_ingress += entry.counts.ingress_drops;
      at_egress += entry.counts.egress_drops;
      for (const QueueSummary& queue : port.queues) {
        if (queue.queue != entry.queue) continue;
        EXPECT_EQ(entry.counts.egress_drops, queue.counters.dropped) << "port " << port.port;
      }
    }
    for (const PgSummary& pg : port.pgs) refused += pg.counters.dropped();
    for (const QueueSummary& queue : port.queues) by_queues += queue.counters.dropped;
  }
  EXPECT_GT(at_egress, 0U);
  EXPECT_EQ(at_egress, by_queues);
  EXPECT_EQ(at_ingress + at_egress, refused) << "of the priority groups, for either reason";
}

TEST(Summary, EveryPauseIntervalHasALength) {
  Network network{short_run(incast)};
  network.run_until(network.scenario().until);
  std::uint64_t intervals = 0;
  const Summary summary = summarize(network);
  for (const PortSummary& port : summary.switches.at(0).linked_ports)
    for (const PortClassSummary& entry : port.classes) {
      const PauseTimes& pause = entry.upstream_pause;
      intervals += pause.pauses;
      EXPECT_EQ(pause.pauses == 0, pause.total == Picoseconds{0}) << "port " << port.port;
      EXPECT_LE(pause.longest, pause.total);
      EXPECT_LE(pause.total.count(), pause.pauses * pause.longest.count());
      EXPECT_LE(pause.pauses, entry.counts.pauses_sent) << "refreshes lengthen a pause";
    }
  EXPECT_GT(intervals, 0U);
}

TEST(Summary, AnEndBeforeItsTimeCountsAsInterrupted) {
  Network network{short_run(incast)};
  network.run_until(Picoseconds{150'000'000});
  const Summary summary = summarize(network);
  EXPECT_TRUE(summary.interrupted);
  EXPECT_GE(summary.time, Picoseconds{150'000'000});
  EXPECT_LT(summary.time, network.scenario().until);
  check_conservation(network);
}

// The text is written in order, without the library that others read it with.
TEST(Summary, ItsTextIsThatOfTheJsonLibrary) {
  Network network{short_run("vectors/scenarios/storm_clos4_dt_both_watchdogs.toml")};
  network.run_until(network.scenario().until);
  Summary summary = summarize(network);
  summary.description = "quote \", \\, \x1b, \x7f, \u00e4, not UTF-8: \xff";
  const auto parsed = [](const std::string& text) {
    EXPECT_NE(text.find("quote \\\", \\\\, \\u001b"), std::string::npos);
    return nlohmann::ordered_json::parse(text);
  };
  const JsonTree tree = to_page_tree(summary, 2000, {"rx_bytes", "peak_shared_cells"});
  const std::string all = to_json(summary), page = to_text(tree.root());
  EXPECT_EQ(parsed(all).dump(2) + "\n", all);
  EXPECT_EQ(parsed(page).dump(), page);
  EXPECT_NE(page.find("rx_bytes"), std::string::npos);
  EXPECT_EQ(page.find("rx_packets"), std::string::npos) << "only counters that were asked for";
  std::string pieces;
  std::size_t count = 0;
  write_json(summary, [&](std::string_view text) {
    pieces += text;
    ++count;
  });
  EXPECT_EQ(pieces, all);
  EXPECT_GT(count, 1U) << "it is longer than a piece";
}

TEST(Summary, SlicesOfTheRunDoNotChangeIt) {
  const Scenario scenario = short_run(incast);
  const std::string whole = json_after(scenario, scenario.until, 0);
  EXPECT_EQ(json_after(scenario, Picoseconds{7'777'777}, 0), whole);
  EXPECT_EQ(json_after(scenario, Picoseconds{123'456}, 0), whole);
}

TEST(Summary, TheOrderOfThingsOfOneMomentDoesNotChangeIt) {
  for (const char* file : {incast, lossy_mix}) {
    const Scenario scenario = short_run(file);
    const std::string whole = json_after(scenario, scenario.until, 0);
    for (const std::uint64_t permutation : {0x123456789abcULL, 0xfedcba987654ULL})
      EXPECT_EQ(json_after(scenario, scenario.until, permutation), whole) << file;
  }
}

TEST(Summary, AnotherSeedGivesAnotherRun) {
  Scenario scenario = short_run(lossy_mix);
  const std::string first = json_after(scenario, scenario.until, 0);
  scenario.seed = 2;
  EXPECT_NE(json_after(scenario, scenario.until, 0), first);
}

// Violates an invariant at the first pause.
class Breaker : public Observer {
 public:
  void pfc_sent(const std::string& node, PortId, const PfcFrame&, Picoseconds) override {
    throw ModelError(node + " broke");
  }
};

TEST(Network, AnErrorInsideTheSimulationComesOutAsAModelErrorWithItsTime) {
  Network network{short_run(incast)};
  Breaker breaker;
  network.watch(breaker);
  try {
    network.run_until(network.scenario().until);
    FAIL() << "went on";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("tor broke"), std::string::npos) << text;
    EXPECT_NE(text.find(" ps)"), std::string::npos) << text;
  }
}

TEST(Conservation, NoticesDropsThatWereNotCounted) {
  Network network{load_scenario(lossy_mix, {"scenario.until=1 ms"})};
  network.run_until(network.scenario().until);
  ASSERT_GT(summarize(network).totals.lossy_drops, 0U) << "the test needs drops";
  check_conservation(network);
  network.switch_at(0).clear_counters();  // discards the drops
  EXPECT_THROW(check_conservation(network), ModelError);
}

}  // namespace
}  // namespace weir::summary_test
