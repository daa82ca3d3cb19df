// SPDX-License-Identifier: Apache-2.0
// What a run does after its last event, or after a signal, grows with the network, not with its
// square.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <limits>
#include <sstream>
#include <string>

#include "support/small_network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {
namespace {

// `switches` stars of 32 hosts, without links between them.
Scenario stars(std::size_t switches) {
  const Scenario one = test::star(test::small_chip(32, test::gbps(10)), test::ns(10), test::us(1));
  Scenario all = one;
  all.hosts.clear();
  all.links.clear();
  all.switches.clear();
  for (std::size_t i = 0; i < switches; ++i) {
    const std::string number = std::to_string(i);
    all.switches.push_back({"sw" + number, one.switches.front().chip});
    for (LinkSpec link : one.links) {
      for (LinkEnd* const end : {&link.a, &link.b})
        end->node += i * (end->is_host ? one.hosts.size() : 1);
      all.links.push_back(link);
    }
    for (HostSpec host : one.hosts) {
      host.name += "_" + number;
      all.hosts.push_back(host);
    }
  }
  return all;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The least processor time of several calls.
template <class F>
double seconds_of(F&& call) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 7; ++i) {
    const double start = processor_seconds();
    call();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

struct Cost {
  double totals{0}, checks{0}, summary{0};  // us
};

// Of the end of a run, in a process of its own.
Cost cost_of(std::size_t switches) {
  std::istringstream text{run_in_child([switches] {
    Network network{stars(switches)};
    network.run_until(network.scenario().until);
    Cost cost;
    cost.totals = seconds_of([&] { EXPECT_EQ(packet_totals(network).drops(), 0U); });
    cost.checks = seconds_of([&] { check_conservation(network); });
    cost.summary =
        seconds_of([&] { EXPECT_EQ(summarize(network).hosts.size(), network.host_count()); });
    constexpr double us = 1e6;
    return std::to_string(cost.totals * us) + " " + std::to_string(cost.checks * us) + " " +
           std::to_string(cost.summary * us);
  })};
  Cost cost;
  text >> cost.totals >> cost.checks >> cost.summary;
  return cost;
}

// Totals look at each host and port once. With names and cables it is four times as much; where
// each port looked for its cable among all, it was ten times as much for 4096 hosts.
TEST(SummaryCost, GrowsWithTheNumberOfHostsAndNotWithItsSquare) {
  const Cost cost = cost_of(128);
  RecordProperty("totals_us", std::to_string(cost.totals));
  RecordProperty("checks_us", std::to_string(cost.checks));
  RecordProperty("summary_us", std::to_string(cost.summary));
  EXPECT_LT(cost.summary, 6.5 * cost.totals) << "us for 4096 hosts";
  EXPECT_LT(cost.checks, cost.summary) << "us: packets are counted again, without the lists";
}

}  // namespace
}  // namespace weir
