// SPDX-License-Identifier: Apache-2.0
// rtl: arbiter_1_4 = arrival_arbiter Ports=1 Lanes=4
// rtl: arbiter_2_1 = arrival_arbiter Ports=2 Lanes=1
// rtl: arbiter_13_2 = arrival_arbiter Ports=13 Lanes=2
// rtl: arbiter_13_3 = arrival_arbiter Ports=13 Lanes=3
// rtl: arbiter_13_4 = arrival_arbiter Ports=13 Lanes=4
// rtl: arbiter_64_1 = arrival_arbiter Ports=64 Lanes=1
// rtl: arbiter_64_4 = arrival_arbiter Ports=64 Lanes=4
// rtl: arbiter_64_40 = arrival_arbiter Ports=64 Lanes=40
// rtl: arbiter_200_2 = arrival_arbiter Ports=200 Lanes=2
#include "weir/core/scheduling/arrival_arbiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "Varbiter_13_2.h"
#include "Varbiter_13_3.h"
#include "Varbiter_13_4.h"
#include "Varbiter_1_4.h"
#include "Varbiter_200_2.h"
#include "Varbiter_2_1.h"
#include "Varbiter_64_1.h"
#include "Varbiter_64_4.h"
#include "Varbiter_64_40.h"
#include "lockstep/bench.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

constexpr unsigned width_of(unsigned values) {
  unsigned width = 0;
  while ((1U << width) < values) ++width;
  return width;
}

/// One Verilated arbiter and the core's, with the same requests, compared every cycle.
template <class Model, unsigned ports, unsigned lanes>
class ArbiterLockstep {
 public:
  ArbiterLockstep() { bench_.reset(); }

  void add(unsigned port, unsigned requests = 1) {
    for (unsigned k = 0; k < requests; ++k) core_.add(id(port));
  }

  /// One cycle with the requests that wait now.
  void cycle(bool enable = true) {
    drive(enable);
    std::vector<unsigned> granted;
    if (enable) core_.grant(lanes, [&](PortId port) { granted.push_back(port.count()); });
    board_.cycle(bench_.cycles());
    compare(granted);
    cover(enable, granted);
    check_fairness(granted);
    bench_.clock();
  }

  void reset() {
    bench_.reset();
    core_ = ArrivalArbiter{ports};
    last_ = ports - 1;
    overtaken_.assign(ports, 0);
    board_.hit(reset_);
  }

  [[nodiscard]] unsigned waiting() const {
    unsigned sum = 0;
    for (unsigned p = 0; p < ports; ++p) sum += core_.pending(id(p));
    return sum;
  }
  [[nodiscard]] unsigned waiting(unsigned port) const { return core_.pending(id(port)); }
  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  static PortId id(unsigned port) { return PortId{static_cast<std::uint16_t>(port)}; }

  static constexpr unsigned count_width = width_of(lanes + 1);
  static constexpr unsigned port_width = ports > 1 ? width_of(ports) : 1;

  // The pins can hold counts above `lanes`; these mean `lanes`.
  void drive(bool enable) {
    bench_->enable_i = enable;
    for (unsigned p = 0; p < ports; ++p) {
      const auto count = std::min<std::uint64_t>(core_.pending(id(p)), low_bits(count_width));
      set_bits(bench_->waiting_i, std::size_t{p} * count_width, count_width, count);
      board_.hit_if(core_.pending(id(p)) > lanes, saturated_);
    }
    bench_.settle();
  }

  void compare(const std::vector<unsigned>& granted) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool valid = lane < granted.size();
      board_.compare(valid_, valid, bits(bench_->valid_o, lane, 1), lane);
      board_.compare(port_, valid ? granted[lane] : 0,
                     bits(bench_->port_o, std::size_t{lane} * port_width, port_width), lane);
    }
  }

  void cover(bool enable, const std::vector<unsigned>& granted) {
    board_.hit_if(!enable && waiting() != 0, held_);
    board_.hit_if(enable && granted.empty(), idle_);
    board_.hit_if(granted.size() == lanes, all_lanes_);
    board_.hit_if(granted.size() < lanes && !granted.empty(), some_lanes_);
    for (std::size_t k = 0; k < granted.size(); ++k) {
      board_.hit_if(granted[k] <= last_, wrapped_);
      board_.hit_if(granted[k] > last_, onward_);
      board_.hit_if(granted[k] == ports - 1, last_port_);
      const auto before = granted.begin() + static_cast<std::ptrdiff_t>(k);
      const auto first = std::find(granted.begin(), before, granted[k]);
      board_.hit_if(first != before, twice_);
      board_.hit_if(before - first >= 2, came_round_);
      last_ = granted[k];
    }
  }

  // Between two grants of a port that always waits, every other port has at most one turn.
  void check_fairness(const std::vector<unsigned>& granted) {
    for (const unsigned winner : granted) {
      for (unsigned p = 0; p < ports; ++p) ++overtaken_[p];
      overtaken_[winner] = 0;
      for (unsigned p = 0; p < ports; ++p) {
        if (core_.pending(id(p)) == 0) overtaken_[p] = 0;
        ASSERT_LT(overtaken_[p], ports) << "port " << p << " starves";
      }
    }
  }

  [[nodiscard]] std::string inputs() const {
    std::ostringstream text;
    text << "waiting after the grants:";
    for (unsigned p = 0; p < ports; ++p) text << ' ' << core_.pending(id(p));
    text << ", granted last before: " << last_;
    return text.str();
  }

  Bench<Model> bench_;
  ArrivalArbiter core_{ports};
  unsigned last_{ports - 1};
  std::vector<unsigned> overtaken_ = std::vector<unsigned>(ports, 0);
  Scoreboard board_{
      "arrival_arbiter " + std::to_string(ports) + " ports, " + std::to_string(lanes) + " lanes",
      [this] { return inputs(); }};
  const Scoreboard::Output valid_ = board_.output("valid_o");
  const Scoreboard::Output port_ = ports > 1 ? board_.output("port_o")
                                             : board_.still_output("port_o", "only port 0");
  const Scoreboard::Point idle_ = board_.point("nothing waits");
  const Scoreboard::Point held_ = board_.point("requests wait while enable_i is 0");
  const Scoreboard::Point all_lanes_ = board_.point("all lanes granted");
  const Scoreboard::Point wrapped_ = board_.point("the search wraps");
  const Scoreboard::Point last_port_ = board_.point("the last port is granted");
  const Scoreboard::Point saturated_ = board_.point("more requests than lanes at one port");
  const Scoreboard::Point reset_ = board_.point("reset in the middle");
  // A point that a configuration cannot reach is registered as another point, which it does reach.
  const Scoreboard::Point onward_ = ports > 1 ? board_.point("granted ahead of the pointer")
                                              : idle_;
  const Scoreboard::Point some_lanes_ = lanes > 1 ? board_.point("some lanes granted") : all_lanes_;
  const Scoreboard::Point twice_ = lanes > 1 ? board_.point("a port granted twice in a cycle")
                                             : all_lanes_;
  const Scoreboard::Point came_round_ = lanes > 2 && ports > 1
                                            ? board_.point("the pointer comes round in a cycle")
                                            : twice_;
};

/// Alone at every port, then all together, then two neighbours against the rest.
template <class Lockstep>
void corners(Lockstep& step, unsigned ports) {
  step.cycle();
  for (unsigned p = 0; p < ports; ++p) {
    step.add(p, 6);
    step.cycle(false);
    while (step.waiting() != 0) step.cycle();
  }
  for (unsigned p = 0; p < ports; ++p) step.add(ports - 1 - p, 3);
  while (step.waiting() != 0) step.cycle();
  for (unsigned p = 0; p < ports; ++p) {
    step.add(p, 2);
    step.add((p + 1) % ports, 5);
    for (int k = 0; k < 3; ++k) step.cycle();
  }
  while (step.waiting() != 0) step.cycle();
}

/// Random requests: bursts at one port, of more than a cycle can grant, and spread ones. In some
/// phases most cycles grant nothing, so that ports fill; in others nothing comes, so that they
/// drain.
template <class Lockstep>
void traffic(Lockstep& step, unsigned ports, unsigned lanes, int cycles, std::uint64_t seed) {
  constexpr int phase = 64;
  RandomStream random{seed, "arbiter"};
  const unsigned most = lanes + 16;  // at a port before another request
  std::uint64_t stalls = 1;          // tenths of the cycles
  bool drains = false;
  for (int k = 0; k < cycles; ++k) {
    if (k % phase == 0) {
      const std::uint64_t drawn = random.uniform(4);
      stalls = drawn == 0 ? 9 : 1;
      drains = drawn > 1;
    }
    const std::uint64_t kind = random.uniform(8);
    const auto port = static_cast<unsigned>(random.uniform(ports));
    if (!drains && kind == 0 && step.waiting(port) < most)
      step.add(port, 1 + static_cast<unsigned>(random.uniform(lanes + 5)));
    for (unsigned n = 0; !drains && kind < 5 && n < lanes; ++n) {
      const auto other = static_cast<unsigned>(random.uniform(ports));
      if (step.waiting(other) < most) step.add(other);
    }
    if (random.uniform(cycles / 4) == 0) step.reset();
    step.cycle(random.uniform(10) >= stalls);
  }
}

/// Reasons why the comparison is worthless; empty: none. A difference throws.
template <class Model, unsigned ports, unsigned lanes>
std::string complaints() {
  ArbiterLockstep<Model, ports, lanes> step;
  corners(step, ports);
  step.add(ports - 1, lanes + 1);
  step.cycle();
  step.reset();
  traffic(step, ports, lanes, 20'000, ports * 10 + lanes);
  return step.complaints();
}

TEST(ArrivalArbiterLockstep, OnePortTakesAllLanes) {
  EXPECT_EQ((complaints<Varbiter_1_4, 1, 4>()), "");
}
TEST(ArrivalArbiterLockstep, TwoPortsOneLane) { EXPECT_EQ((complaints<Varbiter_2_1, 2, 1>()), ""); }
TEST(ArrivalArbiterLockstep, ThirteenPortsTwoLanes) {
  EXPECT_EQ((complaints<Varbiter_13_2, 13, 2>()), "");
}
TEST(ArrivalArbiterLockstep, ThirteenPortsThreeLanes) {
  EXPECT_EQ((complaints<Varbiter_13_3, 13, 3>()), "");
}
TEST(ArrivalArbiterLockstep, ThirteenPortsFourLanes) {
  EXPECT_EQ((complaints<Varbiter_13_4, 13, 4>()), "");
}
TEST(ArrivalArbiterLockstep, SixtyFourPortsOneLane) {
  EXPECT_EQ((complaints<Varbiter_64_1, 64, 1>()), "");
}
TEST(ArrivalArbiterLockstep, SixtyFourPortsFourLanes) {
  EXPECT_EQ((complaints<Varbiter_64_4, 64, 4>()), "");
}
TEST(ArrivalArbiterLockstep, SixtyFourPortsFortyLanes) {
  EXPECT_EQ((complaints<Varbiter_64_40, 64, 40>()), "");
}
TEST(ArrivalArbiterLockstep, TwoHundredPortsTwoLanes) {
  EXPECT_EQ((complaints<Varbiter_200_2, 200, 2>()), "");
}

}  // namespace
}  // namespace weir::test
