// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/ecn_marker_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/metric_values.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::ecn_marker_unit_test {
namespace {

using namespace test;

constexpr std::uint8_t lossless = 3, lossy = 0;
constexpr std::uint32_t cells = 5;  // of a packet of 1000 B
constexpr PortId out{1};

// A star of 100G whose lossless class takes all that comes, with a WRED profile of `packets` sizes
// at every queue of priorities 0 and 3.
Scenario marking(std::uint32_t min, std::uint32_t max, std::uint32_t probability,
                 std::size_t ports = 2) {
  Chip chip = small_chip(ports, gbps(100));
  chip.profiles.front().threshold = {Policy::fixed, Alpha{}, Cells{40000}, {}};
  chip.wred_profiles = {{"red", Cells{min * cells}, Cells{max * cells}, probability, true, false,
                         WredPoint::dequeue}};
  chip.wred_of_queue.resize(ports * priorities);
  for (std::size_t port = 0; port < ports; ++port)
    for (const std::size_t queue : {lossless, lossy})
      chip.wred_of_queue[QueueIndex{port * priorities + queue}] = WredProfileIndex{0};
  return star(chip, ns(10), us(10'000));
}

// `count` packets from h0 to h1 as fast as the port allows.
TrafficSpec burst(std::uint64_t count, std::uint8_t priority = lossless, Ecn ecn = Ecn::ect0) {
  TrafficSpec traffic = flood("burst", 0, 1, priority, 1000);
  traffic.kind = TrafficKind::incast;
  traffic.burst = Bytes{count * 1000};
  traffic.ecn = ecn;
  return traffic;
}

// The codepoints that arrive, by the number of the packet.
class Codepoints final : public Observer {
 public:
  std::map<std::uint64_t, Ecn> at_hosts;
  std::vector<Reason> refusals;

  void delivered(const std::string&, const Frame& frame, Picoseconds) override {
    at_hosts[frame.sequence] = frame.ecn();
  }
  void refused(const std::string&, const Frame&, const Verdict& verdict, Picoseconds) override {
    refusals.push_back(verdict.reason);
  }
  [[nodiscard]] std::uint64_t marked() const {
    std::uint64_t count = 0;
    for (const auto& [sequence, ecn] : at_hosts) count += ecn == Ecn::ce ? 1 : 0;
    return count;
  }
};

// Runs; the port to h1 sends nothing until `release`.
void run_held(Network& network, const Scenario& scenario, Picoseconds release) {
  MacTx& port = network.switch_at(0).port(out).tx;
  port.enable(false, Picoseconds{});
  network.run_until(release);
  port.enable(true, release);
  network.run_until(scenario.until);
  network.finish();
}

const WredCounters& counters_of(const Network& network, std::uint8_t priority = lossless) {
  return network.switch_at(0).mmu.ecn_marker->core().counters(queue_index(out, Priority{priority}));
}

// Row E1 of docs/design/published-rows.md.
TEST(EcnMarkerUnit, OfTwoNPacketsThatWaitedTheFirstNAreMarkedAtDequeueAndTheLastNAtEnqueue) {
  constexpr std::uint64_t n = 40;
  for (const WredPoint at : {WredPoint::dequeue, WredPoint::enqueue}) {
    const std::string marks = run_in_child([&] {
      Scenario scenario = marking(n, n, 1);
      scenario.switches[0].chip.wred_profiles.front().at = at;
      scenario.traffic = {burst(2 * n)};
      Network network{scenario};
      Codepoints seen;
      network.watch(seen);
      run_held(network, scenario, us(100));
      check_conservation(network);
      std::string text = std::to_string(counters_of(network).marked_packets) + " " +
                         std::to_string(counters_of(network).marked_bytes.count()) + " ";
      for (const auto& [sequence, ecn] : seen.at_hosts) text += ecn == Ecn::ce ? 'x' : '.';
      return text;
    });
    const std::string all(n, 'x'), none(n, '.');
    EXPECT_EQ(marks, "40 40000 " + (at == WredPoint::dequeue ? all + none : none + all));
  }
}

TEST(EcnMarkerUnit, TheShareOfMarksIsThatOfThePacketsOfQueuesWithAProfile) {
  Scenario scenario = marking(4, 4, 1);
  scenario.switches[0].chip.wred_of_queue[queue_index(out, Priority{lossy})].reset();
  scenario.traffic = {burst(10), burst(20, lossy)};
  Network network{scenario};
  run_held(network, scenario, us(100));
  const Summary summary = summarize(network);
  EXPECT_EQ(metric_value(summary.totals, "ecn_marked_packets"), 6U) << "those that leave 4 or more";
  EXPECT_EQ(metric_value(summary.totals, "delivered_packets"), 30U);
  EXPECT_EQ(metric_value(summary.totals, "ecn_marked_share"), 600'000U) << "of 10, in ppm";
  EXPECT_NE(to_json(summary).find("\"marked_share_ppm\": 600000"), std::string::npos);
}

// Row E2 of docs/design/published-rows.md.
TEST(EcnMarkerUnit, MarksOfALongQueueAreThoseOfItsLineOverManySeeds) {
  constexpr std::uint64_t packets = 2010, seeds = 200;
  double sum = 0, squares = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string text = run_in_child([&] {
      Scenario scenario = marking(500, 2000, 3277);
      scenario.seed = seed;
      scenario.until = us(1000);
      scenario.traffic = {burst(packets)};
      Network network{scenario};
      Codepoints seen;
      network.watch(seen);
      run_held(network, scenario, us(300));
      if (seen.at_hosts.size() != packets) return std::string{"lost packets"};
      for (std::uint64_t i = 0; i < 10; ++i)
        if (seen.at_hosts[i] != Ecn::ce) return std::string{"above max a packet is not marked"};
      for (std::uint64_t i = packets - 500; i < packets; ++i)
        if (seen.at_hosts[i] == Ecn::ce) return std::string{"below min a packet is marked"};
      return std::to_string(seen.marked());
    });
    ASSERT_EQ(text.find_first_not_of("0123456789"), std::string::npos) << text << ", seed " << seed;
    const double marks = std::stod(text);
    sum += marks;
    squares += marks * marks;
  }
  const double mean = sum / seeds;
  const double error = std::sqrt((squares / seeds - mean * mean) / (seeds - 1));
  EXPECT_GT(error, 0.1) << "seeds give different runs";
  EXPECT_NEAR(mean, 47.475, 3 * error);
}

// Row E3 of docs/design/published-rows.md: h0 fills the port at its rate, h1 pauses it once for
// `quanta`. Marks in the whole run.
std::uint64_t marks_after_pause(std::uint32_t quanta, std::uint64_t min_bytes,
                                std::uint64_t max_bytes, std::uint32_t probability,
                                std::uint64_t& deepest) {
  const std::string text = run_in_child([&] {
    Scenario scenario = marking(1, 1, probability);
    Chip& chip = scenario.switches[0].chip;
    chip.ingress_pools.front().shared = Cells{100'000};
    chip.profiles.front().threshold.static_limit = Cells{100'000};
    chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{100'000};
    chip.wred_profiles.front().min = whole_cells(Bytes{min_bytes}, chip.cell);
    chip.wred_profiles.front().max = whole_cells(Bytes{max_bytes}, chip.cell);
    scenario.until = us(2000);
    scenario.traffic = {flood("line", 0, 1, lossless, 1000)};
    scenario.traffic[0].ecn = Ecn::ect0;
    scenario.traffic[0].rate = gbps(80);
    Network network{scenario};
    FramePool frames;
    Frame& pause = *frames.take();
    pause.kind = FrameKind::pfc;
    pause.pfc.class_enable = 1U << lossless;
    pause.pfc.time[lossless] = Quanta{static_cast<std::uint16_t>(quanta)};
    network.switch_at(0).mmu.pfc_receiver->receive(pause, out, us(100));
    const Picoseconds end =
        us(100) + quanta_time(Quanta{static_cast<std::uint16_t>(quanta)}, gbps(100));
    network.run_until(end);
    const EcnMarker& marker = network.switch_at(0).mmu.ecn_marker->core();
    const Cells waiting = marker.waiting(queue_index(out, Priority{lossless}));
    network.run_until(scenario.until);
    network.finish();
    return std::to_string(counters_of(network).marked_packets) + " " +
           std::to_string(waiting.count());
  });
  deepest = std::stoull(text.substr(text.find(' ')));
  return std::stoull(text);
}

TEST(EcnMarkerUnit, MarksBeginWhenTheQueueOfAPausePassesMinAndNeverFallWithItsLength) {
  constexpr std::uint32_t lengths[] = {500,    1'000,  2'000,  4'000,  8'000,
                                       12'000, 16'000, 20'000, 25'000, 30'000,
                                       35'000, 40'000, 48'000, 56'000, 65'000};
  struct Row {
    std::uint64_t min, max;
    std::uint32_t percent;
  };
  for (const Row row : {Row{1'000'000, 4'000'000, 5}, Row{1'000'000, 4'000'000, 10},
                        Row{2'000'000, 4'000'000, 5}, Row{2'000'000, 4'000'000, 10}}) {
    std::uint64_t before = 0;
    bool any = false;
    const std::uint64_t min = row.min / 208;
    for (const std::uint32_t quanta : lengths) {
      std::uint64_t deepest = 0;
      const std::uint64_t marks =
          marks_after_pause(quanta, row.min, row.max, row.percent * 65536 / 100, deepest);
      EXPECT_TRUE(marks == 0 || min <= deepest) << quanta << " quanta, " << deepest << " cells";
      // A few cells above min the probability is still next to nothing.
      EXPECT_TRUE(marks != 0 || deepest < min + min / 4)
          << quanta << " quanta, " << deepest << " cells";
      EXPECT_LE(before, marks) << quanta << " quanta";
      before = marks;
      any = any || marks != 0;
    }
    EXPECT_TRUE(any);
  }
}

TEST(EcnMarkerUnit, NotEctPacketsAreDroppedByAProfileThatDropsAndOthersAreMarked) {
  Scenario scenario = marking(10, 10, 1);
  scenario.switches[0].chip.wred_profiles.front().drop = true;
  scenario.traffic = {burst(30, lossy, Ecn::not_ect)};
  Network network{scenario};
  Codepoints seen;
  network.watch(seen);
  run_held(network, scenario, us(100));
  EXPECT_EQ(seen.refusals, std::vector<Reason>(20, Reason::wred));
  EXPECT_EQ(seen.at_hosts.size(), 10U);
  EXPECT_EQ(counters_of(network, lossy).dropped, 20U);
  EXPECT_EQ(counters_of(network, lossy).marked_packets, 0U);
  check_conservation(network);
  const Summary summary = summarize(network);
  EXPECT_EQ(summary.totals.wred_drops, 20U);
  EXPECT_EQ(summary.totals.lossy_drops, 20U);
  EXPECT_EQ(summary.totals.drops(), 20U);
  EXPECT_EQ(network.switch_at(0).counters(out).priority[lossy].egress_drops, 20U);
}

TEST(EcnMarkerUnit, ALosslessQueueIsNeverDroppedBy) {
  Scenario scenario = marking(10, 10, 1);
  scenario.switches[0].chip.wred_profiles.front().drop = true;
  scenario.traffic = {burst(30, lossless, Ecn::not_ect)};
  Network network{scenario};
  Codepoints seen;
  network.watch(seen);
  run_held(network, scenario, us(100));
  EXPECT_EQ(seen.at_hosts.size(), 30U);
  EXPECT_EQ(seen.marked(), 0U);
}

TEST(EcnMarkerUnit, AQueueWithoutALimitIsCountedUntilItIsEmpty) {
  Scenario scenario = marking(10, 20, 1);
  scenario.traffic = {burst(30)};
  Network network{scenario};
  const auto waiting = [&] {
    const EcnMarker& marker = network.switch_at(0).mmu.ecn_marker->core();
    return marker.waiting(queue_index(out, Priority{lossless}));
  };
  MacTx& port = network.switch_at(0).port(out).tx;
  port.enable(false, Picoseconds{});
  network.run_until(us(100));
  EXPECT_EQ(waiting(), Cells{30 * cells});
  port.enable(true, us(100));
  network.run_until(scenario.until);
  EXPECT_EQ(waiting(), Cells{0});
}

// When the last packet becomes visible, and whether the first is marked.
class LastVerdict final : public Observer {
 public:
  Picoseconds visible;
  bool first_marked{false};
  void verdict(const std::string&, const Frame&, const Verdict&, Picoseconds when) override {
    visible = when;
  }
  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void delivered(const std::string&, const Frame& frame, Picoseconds) override {
    if (frame.sequence == 0) first_marked = frame.ecn() == Ecn::ce;
  }
};

// A port may send from a moment on that is no edge.
class Opening final : public Actor {
 public:
  Opening(MacTx& port, Agenda& agenda, Picoseconds from) : port_{port} {
    agenda.post(from, Rank::input, agenda.enroll(*this), 0);
  }
  void act(Picoseconds now, std::uint32_t, std::uint64_t) override { port_.enable(true, now); }

 private:
  MacTx& port_;
};

// Ten packets wait, of which the first leaves nine: whether it is marked if it may start so long
// after the last one has become visible.
bool first_is_marked(std::int64_t picoseconds_after, Picoseconds& last_visible) {
  const std::string text = run_in_child([&] {
    Scenario scenario = marking(9, 9, 1);
    scenario.switches[0].chip.admit_latency = 7;
    scenario.traffic = {burst(10)};
    Network network{scenario};
    LastVerdict seen;
    network.watch(seen);
    MacTx& port = network.switch_at(0).port(out).tx;
    port.enable(false, Picoseconds{});
    const Picoseconds from{last_visible.count() + static_cast<std::uint64_t>(picoseconds_after)};
    std::optional<Opening> opening;
    if (last_visible != Picoseconds{}) opening.emplace(port, network.agenda(), from);
    network.run_until(scenario.until);
    network.finish();
    return std::to_string(seen.visible.count()) + (seen.first_marked ? " 1" : " 0");
  });
  last_visible = Picoseconds{std::stoull(text)};
  return text.back() == '1';
}

TEST(EcnMarkerUnit, APacketCountsFromTheCycleOfItsVerdictOnAndAFrameAsksAtTheEdgeAfterItsStart) {
  Picoseconds visible;
  first_is_marked(0, visible);
  ASSERT_NE(visible, Picoseconds{});
  EXPECT_TRUE(first_is_marked(0, visible)) << "it asks in the cycle of the last verdict";
  EXPECT_TRUE(first_is_marked(-999, visible)) << "so it does if it starts after the edge before";
  EXPECT_FALSE(first_is_marked(-1000, visible)) << "it asks a cycle earlier";
}

// A packet of h0 waits; one of h1 comes `cycles` later, and is dropped if it sees the first.
bool second_is_dropped(std::uint64_t cycles) {
  const std::string text = run_in_child([&] {
    Scenario scenario = marking(1, 1, 1, 3);
    Chip& chip = scenario.switches[0].chip;
    chip.admit_latency = 7;
    chip.wred_profiles.front().drop = true;
    chip.wred_profiles.front().min = chip.wred_profiles.front().max = Cells{1};
    for (std::size_t host = 0; host < 2; ++host) {
      TrafficSpec packet = burst(1, lossy, Ecn::not_ect);
      packet.from = {host};
      packet.to = {2};
      packet.start = us(1) + chip.clock.min_time(Cycle{host * cycles});
      scenario.traffic.push_back(packet);
    }
    Network network{scenario};
    network.switch_at(0).port(PortId{2}).tx.enable(false, Picoseconds{});
    network.run_until(us(100));
    const WredCounters count = network.switch_at(0).mmu.ecn_marker->core().total();
    return std::to_string(count.dropped);
  });
  return text == "1";
}

TEST(EcnMarkerUnit, APacketThatComesSeesThoseWhoseVerdictHasCome) {
  EXPECT_FALSE(second_is_dropped(6));
  EXPECT_TRUE(second_is_dropped(7));
}

TEST(EcnMarkerUnit, AnotherQueueOfThePortIsNotAsked) {
  Scenario scenario = marking(0, 1, 65536);
  scenario.traffic = {burst(30, 5)};
  Network network{scenario};
  Codepoints seen;
  network.watch(seen);
  run_held(network, scenario, us(100));
  EXPECT_EQ(seen.at_hosts.size(), 30U);
  EXPECT_EQ(seen.marked(), 0U);
}

TEST(EcnMarkerUnit, ASwitchWithoutAProfileHasNone) {
  const Scenario scenario = star(small_chip(2, gbps(100)), ns(10), us(10));
  Network network{scenario};
  EXPECT_EQ(network.switch_at(0).mmu.ecn_marker, nullptr);
  EXPECT_EQ(network.switch_at(0).mmu.core().marker(), nullptr);
}

TEST(EcnMarkerUnit, RegistersShowProfilesDrawsAndCounters) {
  Scenario scenario = marking(4, 20, 3277);
  scenario.switches[0].chip.draw_seed = 5;
  scenario.traffic = {burst(30)};
  Network network{scenario};
  run_held(network, scenario, us(100));
  MmuModel& mmu = network.switch_at(0).mmu;
  std::vector<PortCounters> ports(2);
  const RegisterTarget target{mmu.admission.core(), *mmu.pfc_generator, *mmu.pfc_receiver, ports,
                              Cycle{0}};
  const auto read = [&](std::string_view name, std::size_t index) {
    const auto word = find_register(mmu.core().chip(), register_address(name, index).value());
    EXPECT_TRUE(word.has_value()) << name;
    return word ? word->reg->read(target, word->index) : 0;
  };
  const std::size_t queue = queue_index(out, Priority{lossless}).value();
  EXPECT_EQ(read("wred.min", 0), 4U * cells);
  EXPECT_EQ(read("wred.max", 0), 20U * cells);
  EXPECT_EQ(read("wred.probability", 0), 3277U);
  EXPECT_EQ(read("wred.control", 0), 1U);
  EXPECT_EQ(read("port_draw.polynomial", 1), 0xa300'0000U);
  EXPECT_EQ(read("port_draw.seed", 1), first_draw_state(5, out));
  EXPECT_EQ(read("port_draw.state", 1), mmu.ecn_marker->core().draw_state(out));
  EXPECT_NE(read("port_draw.state", 1), read("port_draw.seed", 1)) << "it has drawn";
  EXPECT_EQ(read("queue_wred.marked_packets", queue), counters_of(network).marked_packets);
  EXPECT_GE(read("queue_wred.marked_packets", queue), 10U);
  EXPECT_EQ(read("queue_wred.marked_bytes", queue), 1000 * counters_of(network).marked_packets);
  EXPECT_EQ(read("queue_wred.wred_dropped", queue), 0U);
  EXPECT_EQ(read("queue_wred.waiting", queue), 0U);
  EXPECT_EQ(read("queue_wred.profile", queue), 0U);
  EXPECT_EQ(read("queue_wred.profile", queue + 1), 0xffff'ffffU) << "a queue without one";
  const Chip plain = small_chip(2, gbps(100));
  for (const char* name : {"wred.min", "port_draw.seed", "queue_wred.profile"})
    EXPECT_FALSE(find_register(plain, register_address(name, 0).value())) << name;
}

// What a monitor reports of the lossless queue, and what an observer of details sees.
class Depths final : public Observer {
 public:
  std::vector<std::uint64_t> q, sampled, marked;

  [[nodiscard]] bool wants_details() const override { return true; }
  void waiting(const std::string& node, QueueIndex queue, Cells now, Picoseconds) override {
    EXPECT_EQ(node, "sw");
    if (queue == queue_index(out, Priority{lossless})) q.push_back(now.count());
  }
  void queue_sample(const QueueSample& sample, Picoseconds time) override {
    EXPECT_EQ(time.count() % us(1).count(), 0U);
    EXPECT_EQ(sample.node, "sw");
    EXPECT_EQ(sample.profile.name, "red");
    EXPECT_EQ(sample.queue, queue_index(out, Priority{lossless})) << "no other has changed";
    sampled.push_back(sample.waiting.count());
    marked.push_back(sample.counters.marked_packets);
  }
};

TEST(EcnMarkerUnit, ObserversSeeWhatWaitsAndAMonitorWhatItHasComeTo) {
  Scenario scenario = marking(4, 20, 3277);
  scenario.traffic = {burst(30)};
  scenario.monitor.period = us(1);
  Network network{scenario};
  Depths seen;
  network.watch(seen);
  MacTx& port = network.switch_at(0).port(out).tx;
  port.enable(false, Picoseconds{});
  network.run_until(us(100));
  port.enable(true, us(120));  // the agenda has run ahead, up to 10 us
  network.run_until(scenario.until);
  network.finish();
  ASSERT_EQ(seen.q.size(), 60U) << "once in and once out a packet";
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_EQ(seen.q[i], cells * (i < 30 ? i + 1 : 59 - i)) << "change " << i;
  ASSERT_GE(seen.sampled.size(), 6U) << "the burst comes and leaves at 12 packets a microsecond";
  EXPECT_LE(seen.sampled.size(), 10U) << "nothing where nothing has changed";
  EXPECT_EQ(*std::max_element(seen.sampled.begin(), seen.sampled.end()), 30 * cells);
  EXPECT_EQ(seen.sampled.back(), 0U);
  EXPECT_EQ(seen.marked.back(), counters_of(network).marked_packets);
  EXPECT_TRUE(std::is_sorted(seen.marked.begin(), seen.marked.end()));
}

TEST(EcnMarkerUnit, RegistersThatClearTheCountersClearItsOwn) {
  Scenario scenario = marking(0, 1, 65536);
  scenario.traffic = {burst(30)};
  Network network{scenario};
  run_held(network, scenario, us(100));
  EXPECT_GT(counters_of(network).marked_packets, 20U);
  network.switch_at(0).clear_counters();
  EXPECT_EQ(counters_of(network).marked_packets, 0U);
}

}  // namespace
}  // namespace weir::ecn_marker_unit_test
