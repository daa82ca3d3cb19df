// SPDX-License-Identifier: Apache-2.0
#include "weir/core/scheduling/arrival_arbiter.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "weir/core/errors.hpp"

namespace weir::arrival_arbiter_test {
namespace {

using Ports = std::vector<unsigned>;

PortId port(std::size_t index) { return PortId{static_cast<std::uint16_t>(index)}; }

Ports granted(ArrivalArbiter& arbiter, unsigned lanes) {
  Ports ports;
  const unsigned count = arbiter.grant(lanes, [&](PortId p) { ports.push_back(p.count()); });
  EXPECT_EQ(count, ports.size()) << "the count must be the number of calls";
  return ports;
}

TEST(ArrivalArbiter, EmptyGrantsNothing) {
  ArrivalArbiter arbiter{8};
  EXPECT_TRUE(arbiter.empty());
  EXPECT_EQ(granted(arbiter, 4), Ports{});
}

TEST(ArrivalArbiter, GrantsAtMostItsLanesInRisingOrder) {
  ArrivalArbiter arbiter{8};
  for (const std::size_t p : {6U, 1U, 4U}) arbiter.add(port(p));
  EXPECT_EQ(granted(arbiter, 0), Ports{}) << "no lane, no grant";
  EXPECT_EQ(granted(arbiter, 2), (Ports{1, 4})) << "not in the order of arrival";
  EXPECT_FALSE(arbiter.empty());
  EXPECT_EQ(granted(arbiter, 2), Ports{6});
  EXPECT_TRUE(arbiter.empty());
}

TEST(ArrivalArbiter, PointerIsAfterTheLastGranted) {
  ArrivalArbiter arbiter{8};
  arbiter.add(port(4));
  EXPECT_EQ(granted(arbiter, 1), Ports{4});
  for (const std::size_t p : {3U, 4U, 5U}) arbiter.add(port(p));
  EXPECT_EQ(granted(arbiter, 3), (Ports{5, 3, 4})) << "5 is next, 4 has had its turn";
}

TEST(ArrivalArbiter, PointerWrapsAfterTheLastPort) {
  ArrivalArbiter arbiter{8};
  arbiter.add(port(7));
  EXPECT_EQ(granted(arbiter, 1), Ports{7});
  arbiter.add(port(7));
  arbiter.add(port(0));
  EXPECT_EQ(granted(arbiter, 2), (Ports{0, 7}));
}

TEST(ArrivalArbiter, PortsWithOneRequestEachAreGrantedByTheirTurns) {
  ArrivalArbiter arbiter{8};
  arbiter.pass(port(4));
  EXPECT_EQ(arbiter.turns_to(port(5)), 0U) << "it is next";
  EXPECT_EQ(arbiter.turns_to(port(7)), 2U);
  EXPECT_EQ(arbiter.turns_to(port(0)), 3U) << "after the last port";
  EXPECT_EQ(arbiter.turns_to(port(4)), 7U) << "it has had its turn";
  for (const std::size_t p : {4U, 0U, 7U, 5U}) arbiter.add(port(p));
  EXPECT_EQ(granted(arbiter, 8), (Ports{5, 7, 0, 4}));
}

TEST(ArrivalArbiter, APortIsGrantedAgainWhenThePointerComesRound) {
  ArrivalArbiter arbiter{8};
  for (const std::size_t p : {2U, 2U, 2U, 5U}) arbiter.add(port(p));
  EXPECT_EQ(arbiter.pending(port(2)), 3U);
  EXPECT_EQ(granted(arbiter, 4), (Ports{2, 5, 2, 2}));
  EXPECT_EQ(arbiter.pending(port(2)), 0U);
}

TEST(ArrivalArbiter, WordBoundariesOfTheBitmapAreSeamless) {
  for (const std::size_t ports : {1U, 63U, 64U, 65U, 128U, 1024U, 4095U, 4096U}) {
    ArrivalArbiter arbiter{ports};
    for (std::size_t p = 0; p < ports; ++p) arbiter.add(port(p));
    const Ports first = granted(arbiter, static_cast<unsigned>(ports) + 1);
    ASSERT_EQ(first.size(), ports);
    for (std::size_t p = 0; p < ports; ++p) EXPECT_EQ(first[p], p) << ports << " ports";
    arbiter.add(port(ports - 1));
    EXPECT_EQ(granted(arbiter, 1), Ports{static_cast<unsigned>(ports - 1)}) << ports << " ports";
  }
}

TEST(ArrivalArbiter, NumberOfPortsIsCheckedAtBothEnds) {
  EXPECT_THROW(ArrivalArbiter{0}, ConfigError);
  EXPECT_NO_THROW(ArrivalArbiter{1});
  EXPECT_NO_THROW(ArrivalArbiter{4096});
  EXPECT_THROW(ArrivalArbiter{4097}, ConfigError);
}

TEST(ArrivalArbiter, StarvesNoPort) {
  // Every port always has requests, but one has a single request.
  constexpr std::size_t ports = 100;
  ArrivalArbiter arbiter{ports};
  for (std::size_t p = 0; p < ports; ++p) {
    for (int k = 0; k < 10; ++k) arbiter.add(port(p));
  }
  const Ports all = granted(arbiter, 10 * ports);
  Ports count(ports, 0);
  for (std::size_t k = 0; k < all.size(); ++k) {
    ++count[all[k]];
    EXPECT_LE(count[all[k]], k / ports + 1) << "port " << all[k] << " overtook the others";
  }
}

// The rule in its plainest form: check one port after the other.
struct Reference {
  std::vector<unsigned> pending;
  std::size_t pointer{0};

  Ports grant(unsigned lanes) {
    Ports ports;
    while (ports.size() < lanes) {
      std::size_t looked = 0;
      while (looked < pending.size() && pending[(pointer + looked) % pending.size()] == 0) ++looked;
      if (looked == pending.size()) break;
      const std::size_t p = (pointer + looked) % pending.size();
      --pending[p];
      ports.push_back(static_cast<unsigned>(p));
      pointer = p + 1;
    }
    return ports;
  }
};

RC_GTEST_PROP(ArrivalArbiter, EqualsAPortByPortSearchOnRandomTraffic, ()) {
  const auto ports = *rc::gen::inRange<std::size_t>(1, 300);
  const auto lanes = *rc::gen::inRange<unsigned>(1, 12);
  ArrivalArbiter arbiter{ports};
  Reference reference{std::vector<unsigned>(ports, 0)};
  const auto cycles = *rc::gen::container<std::vector<std::vector<std::uint16_t>>>(
      rc::gen::arbitrary<std::vector<std::uint16_t>>());
  for (const auto& arrivals : cycles) {
    for (const std::uint16_t arrival : arrivals) {
      const std::size_t p = arrival % ports;
      arbiter.add(port(p));
      ++reference.pending[p];
    }
    RC_ASSERT(granted(arbiter, lanes) == reference.grant(lanes));
    for (std::size_t p = 0; p < ports; ++p) {
      RC_ASSERT(arbiter.pending(port(p)) == reference.pending[p]);
    }
  }
}

}  // namespace
}  // namespace weir::arrival_arbiter_test
