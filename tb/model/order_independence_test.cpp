// SPDX-License-Identifier: Apache-2.0
// Results do not depend on the order of simultaneous events, nor on the order of hosts and links in
// the scenario.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::order_independence_test {
namespace {

using namespace test;

constexpr std::size_t ports = 8;

// Connections between all hosts, receive pipelines that are too slow, a storm that ends, watchdogs.
void add_incidents(Scenario& scenario, RandomStream& random) {
  TrafficSpec rdma = flood("rdma", 0, 0, 3, 1000);
  rdma.kind = TrafficKind::rdma;
  rdma.destination = DestinationRule::each;
  rdma.from = rdma.to = {0, 1, 2, 3, 4, 5, 6, 7};
  rdma.connections = static_cast<std::uint16_t>(1 + random.uniform(2));
  rdma.message = Bytes{1000 + random.uniform(20'000)};
  rdma.window = Bytes{8000};
  rdma.timeout = us(20);
  if (random.uniform(2) == 0) rdma.rate = gbps(3);
  scenario.traffic.push_back(rdma);
  for (std::size_t host = 0; host < ports; host += 3) {
    NicSpec nic;
    nic.classes = 1U << 3;
    nic.pipeline = gbps(15);
    nic.buffer = Bytes{60'000};
    nic.xoff = Bytes{20'000};
    nic.xon = Bytes{10'000};
    nic.memory = Bytes{20'000'000};
    nic.miss_time = ns(100 + random.uniform(1000));
    nic.replacement = mtt_replacements[random.uniform(3)].replacement;
    nic.mtt_entries = 100;
    if (random.uniform(2) == 0) nic.watchdog = us(20);
    scenario.hosts[host].nic = nic;
  }
  scenario.host_faults = {{3, HostFaultKind::storm, us(30), {}},
                          {6, HostFaultKind::stuck, us(40), {}},
                          {3, HostFaultKind::reboot, us(100), {}}};
  PfcWatchdogSpec watchdog;
  for (std::uint16_t port = 0; port < ports; port += 3) watchdog.ports.emplace_back(port);
  watchdog.classes = 1U << 3;
  watchdog.setting = {us(10), us(15)};
  watchdog.action = random.uniform(2) == 0 ? WatchdogAction::drop : WatchdogAction::forward;
  scenario.watchdogs = {watchdog};
}

// A busy switch: fewer lanes than ports, two speeds, cables of no length, traffic of all kinds.
Scenario random_scenario(std::uint64_t seed) {
  RandomStream random{seed, "order", 0};
  Chip chip = small_chip(ports, gbps(100));
  for (std::size_t port = 0; port < ports; port += 2) {
    chip.ports[port].rate = gbps(25);
    chip.ports[port].response = quanta_time(response_limit(gbps(25)), gbps(25));
  }
  chip.ingress_pools.front().shared = Cells{2000};
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{500};
  chip.lanes = static_cast<std::uint32_t>(1 + random.uniform(3));
  chip.port_fifo = 8;
  if (seed % 2 == 0) {  // tables with short timeouts, each option in turn
    const IncompleteArp options[]{IncompleteArp::flood, IncompleteArp::to_cpu,
                                  IncompleteArp::drop_lossless};
    chip.neighbours.emplace();
    chip.neighbours->incomplete = options[seed / 2 % 3];
    chip.neighbours->mac_timeout = us(2);
    chip.neighbours->arp_timeout = us(20);
    chip.neighbours->cpu_queue = 3;
    chip.neighbours->cpu_packet_time = ns(700);
  }
  chip.quanta = Quanta{static_cast<std::uint16_t>(100 + random.uniform(1000))};
  Scenario scenario = star(chip, random.uniform(2) == 0 ? ns(0) : ns(100), us(150));
  scenario.seed = seed;
  scenario.hosts[3].dead_from = us(30);
  scenario.hosts[3].dead_until = us(80);
  scenario.hosts[6].dead_from = us(50);
  const TrafficKind kinds[]{TrafficKind::constant, TrafficKind::poisson, TrafficKind::on_off,
                            TrafficKind::incast};
  for (std::size_t i = 0; i < 12; ++i) {
    TrafficSpec traffic =
        flood("t" + std::to_string(i), random.uniform(ports), random.uniform(ports),
              random.uniform(2) == 0 ? 3 : 1, 64 + random.uniform(3) * 500);
    traffic.kind = kinds[random.uniform(4)];
    traffic.rate = gbps(5 + random.uniform(20));
    traffic.on_time = us(3);
    traffic.off_time = us(5);
    traffic.burst = Bytes{20'000};
    traffic.period = us(20);
    if (chip.neighbours && i % 6 == 0) traffic.cast = Cast::broadcast;
    scenario.traffic.push_back(traffic);
  }
  if (seed % 2 == 0) add_incidents(scenario, random);
  return scenario;
}

// Host i moves to place (i x 3 + 1) mod 8 of the list; all references are updated.
std::size_t place_of(std::size_t host) { return (host * 3 + 1) % ports; }

Scenario reordered(const Scenario& scenario) {
  Scenario other = scenario;
  for (std::size_t i = 0; i < ports; ++i) other.hosts[place_of(i)] = scenario.hosts[i];
  for (LinkSpec& link : other.links) link.a.node = place_of(link.a.node);
  std::reverse(other.links.begin(), other.links.end());
  for (HostFaultSpec& fault : other.host_faults) fault.host = place_of(fault.host);
  for (TrafficSpec& traffic : other.traffic) {
    for (std::size_t& host : traffic.from) host = place_of(host);
    for (std::size_t& host : traffic.to) host = place_of(host);
  }
  return other;
}

void write_counters(std::ostream& out, const std::string& name, const PortCounters& counters) {
  out << name << ' ' << counters.pfc_frames_sent << ' ' << counters.pfc_frames_received << ' '
      << counters.port_fifo_drops << ' ' << counters.incomplete_arp << ' ' << counters.no_neighbour
      << ' ' << counters.cpu_queue << ' ' << counters.dead_host;
  for (const PortCounters::ByPriority& p : counters.priority)
    out << ' ' << p.tx_packets << '/' << p.rx_packets << '/' << p.tx_bytes << '/' << p.rx_bytes
        << '/' << p.stray_copies;
  out << '\n';
}

// Everything that a run reports, as lines in an order of their own.
std::string outcome(const Scenario& scenario, std::uint64_t permutation) {
  Network network{scenario, permutation};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  std::vector<std::string> lines;
  const auto add = [&](const auto& write) {
    std::ostringstream line;
    write(line);
    lines.push_back(line.str());
  };
  for (const EventLog::Pfc& p : log.sent)
    add([&](auto& o) {
      o << "pfc " << p.time << " port " << p.port << " " << +p.frame.class_enable << " "
        << p.frame.time[3];
    });
  for (const EventLog::Delivery& d : log.deliveries)
    add([&](auto& o) {
      o << "frame " << d.host << ' ' << d.flow << ' ' << d.sequence << ' ' << d.created << ' '
        << d.last_bit;
    });
  for (const EventLog::Watchdog& w : log.watchdogs)
    add([&](auto& o) {
      o << "watchdog " << w.node << ' ' << w.port << ' ' << +w.classes << ' '
        << static_cast<int>(w.event) << ' ' << w.time;
    });
  for (const EventLog::Refusal& r : log.refusals)
    add([&](auto& o) { o << "refused " << to_string(r.reason) << ' ' << r.time; });
  for (const EventLog::Drop& d : log.drops)
    add([&](auto& o) { o << "drop " << d.port << ' ' << d.time; });
  for (std::size_t i = 0; i < ports; ++i) {
    add([&](auto& o) {
      write_counters(o, "port " + std::to_string(i),
                     network.switch_at(0).counters(PortId{static_cast<std::uint16_t>(i)}));
    });
    add([&](auto& o) {
      write_counters(o, network.scenario().hosts[i].name, network.host(i).counters());
    });
    for (std::size_t p = 0; p < priorities; ++p)
      add([&](auto& o) {
        const PgCounters& pg =
            network.switch_at(0).mmu.core().stats().pg(PgIndex{i * priorities + p});
        o << "pg " << i << ' ' << p << ' ' << pg.packets << ' ' << pg.dropped() << ' '
          << pg.shared_watermark << ' ' << pg.headroom_watermark << ' ' << pg.xoff_entered;
      });
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::string> outcomes(const std::vector<ChildJob>& jobs) {
  std::vector<std::string> texts;
  for (const ChildResult& result : run_in_children(jobs, 2)) {
    EXPECT_TRUE(result.ok) << result.error;
    texts.push_back(result.output);
  }
  return texts;
}

class OrderIndependence : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Model, OrderIndependence, ::testing::Range<std::uint64_t>(1, 9));

TEST_P(OrderIndependence, AnyPermutationOfTiesGivesTheSameResult) {
  const Scenario scenario = random_scenario(GetParam());
  std::vector<ChildJob> jobs;
  for (const std::uint64_t permutation : {0ULL, 1ULL, 2ULL, 0x123456789abcULL, 0xff000000ff00ULL})
    jobs.push_back([scenario, permutation] { return outcome(scenario, permutation); });
  const std::vector<std::string> texts = outcomes(jobs);
  EXPECT_GT(texts[0].size(), 10'000U) << "nothing happened";
  for (std::size_t i = 1; i < texts.size(); ++i)
    EXPECT_TRUE(texts[i] == texts[0]) << "permutation " << i << " gives another result";
}

TEST_P(OrderIndependence, TheOrderOfHostsAndLinksGivesTheSameResult) {
  const Scenario scenario = random_scenario(GetParam());
  const Scenario other = reordered(scenario);
  const std::vector<std::string> texts = outcomes(
      {[scenario] { return outcome(scenario, 0); }, [other] { return outcome(other, 0); }});
  EXPECT_GT(texts[0].size(), 10'000U) << "nothing happened";
  EXPECT_TRUE(texts[1] == texts[0]) << "the order of the list shows in the result";
}

}  // namespace
}  // namespace weir::order_independence_test
