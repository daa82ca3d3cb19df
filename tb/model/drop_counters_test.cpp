// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/drop_counters.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace weir::drop_counters_test {
namespace {

constexpr Priority hit{3};

PortCounters counters_after(MacDrop reason) {
  PortCounters counters;
  count_drop(counters, reason, hit);
  return counters;
}

/// Names and counts of the counters that are not 0.
std::map<std::string_view, std::uint64_t> counted_by_port(const PortCounters& counters) {
  std::map<std::string_view, std::uint64_t> counted;
  for_each_port_counter([&](const auto& row) {
    if (const std::uint64_t count = count_of(row, counters)) counted[row.name] = count;
  });
  return counted;
}
std::map<std::string_view, std::uint64_t> counted_by_class(const PortCounters& counters,
                                                           std::size_t priority) {
  std::map<std::string_view, std::uint64_t> counted;
  for_each_class_counter([&](const auto& row) {
    if (const std::uint64_t count = count_of(row, counters.priority[priority]))
      counted[row.name] = count;
  });
  return counted;
}

template <class F>
void for_each_reason(F&& f) {
  for (std::uint8_t i = 0; to_string(MacDrop{i}) != "unknown"; ++i) f(MacDrop{i});
}

TEST(DropCounters, ADropIsInOneCounterOfItsPortAndInOneOfItsClass) {
  const std::set<MacDrop> by_class_alone{MacDrop::stray_copy, MacDrop::nic_buffer,
                                         MacDrop::wrong_host};
  for_each_reason([&](MacDrop reason) {
    const PortCounters counters = counters_after(reason);
    const auto of_port = counted_by_port(counters);
    const auto of_class = counted_by_class(counters, hit.count());
    EXPECT_EQ(of_port.size(), by_class_alone.count(reason) != 0 ? 0U : 1U) << to_string(reason);
    EXPECT_EQ(of_class.size(), reason == MacDrop::dead_host ? 0U : 1U) << to_string(reason);
    for (const auto& [name, count] : of_port) EXPECT_EQ(count, 1U) << name;
    for (const auto& [name, count] : of_class) EXPECT_EQ(count, 1U) << name;
    for (std::size_t n = 0; n < priorities; ++n) {
      if (n == hit.count()) continue;
      EXPECT_TRUE(counted_by_class(counters, n).empty()) << n;
    }
  });
}

TEST(DropCounters, OnlyTheTwoReasonsOfTheWatchdogShareACounterOfThePort) {
  std::map<std::string_view, std::set<MacDrop>> reasons_of;
  for_each_reason([&](MacDrop reason) {
    for (const auto& [name, count] : counted_by_port(counters_after(reason)))
      reasons_of[name].insert(reason);
  });
  for (const auto& [name, sharing] : reasons_of)
    EXPECT_EQ(sharing, name == "watchdog_drops"
                           ? (std::set<MacDrop>{MacDrop::watchdog, MacDrop::watchdog_egress})
                           : std::set<MacDrop>{*sharing.begin()})
        << name;
}

TEST(DropCounters, WhatIsDroppedAfterTheMmuIsNoDropBeforeIt) {
  EXPECT_EQ(counters_after(MacDrop::stray_copy).priority[hit.count()].stray_copies, 1U);
  EXPECT_EQ(counters_after(MacDrop::watchdog_egress).priority[hit.count()].watchdog_egress_drops,
            1U);
  for (const MacDrop reason : {MacDrop::watchdog, MacDrop::port_fifo, MacDrop::wrong_host})
    EXPECT_EQ(counters_after(reason).priority[hit.count()].mac_drops, 1U) << to_string(reason);
}

TEST(DropCounters, ThePageOfResultsNamesEveryReason) {
  std::ifstream in{"docs/reference/results.md"};
  const std::string page{std::istreambuf_iterator<char>{in}, {}};
  for_each_reason([&](MacDrop reason) {
    EXPECT_NE(page.find("`" + std::string{to_string(reason)} + "`"), std::string::npos)
        << to_string(reason);
  });
}

}  // namespace
}  // namespace weir::drop_counters_test
