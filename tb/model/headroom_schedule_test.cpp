// SPDX-License-Identifier: Apache-2.0
// Searches for a legal schedule that needs more headroom than worst_case gives.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "support/headroom_chip.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/headroom_adversary.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::headroom_schedule_test {
namespace {

using test::gbps;
using test::headroom_chip;
using test::worst_case;

constexpr std::size_t ports = 4, sink = 3;

// The parameters that RapidCheck varies. The frames follow from them, so that a failure can be
// repeated.
struct Schedule {
  std::uint64_t seed;
  std::uint64_t gbps, metres, mtu, cell;
  unsigned alpha_shift, lossless_share, small_share, idle_share, frames;
};

std::ostream& operator<<(std::ostream& out, const Schedule& s) {
  return out << "seed " << s.seed << ", " << s.gbps << "G, " << s.metres << " m, MTU " << s.mtu
             << ", cell " << s.cell << ", alpha 1/2^" << s.alpha_shift << ", lossless "
             << s.lossless_share << " %, small " << s.small_share << " %, idle " << s.idle_share
             << " %, " << s.frames << " frames";
}

Bytes frame_length(const Schedule& schedule, RandomStream& draws) {
  if (draws.uniform(100) < schedule.small_share) {
    // Lengths around multiples of a cell, where frames use the most cells.
    const std::uint64_t cells = draws.uniform(4);
    return Bytes{std::min(std::max<std::uint64_t>(64, cells * schedule.cell + draws.uniform(2)),
                          schedule.mtu)};
  }
  return Bytes{draws.uniform(2) == 0 ? schedule.mtu : 64 + draws.uniform(schedule.mtu - 63)};
}

// Every host offers frames of both lossless classes and a lossy one to all others, mostly to the
// sink, with random gaps.
void add_traffic(const Schedule& schedule, Scenario& scenario) {
  for (const std::uint8_t priority : std::array<std::uint8_t, 3>{3, 4, 0}) {
    TrafficSpec traffic = test::replay({}, ports);
    traffic.name += std::to_string(priority);
    traffic.to.clear();
    for (std::size_t host = 0; host < ports; ++host) traffic.to.push_back(host);
    for (std::size_t host = 0; host < ports; ++host) {
      RandomStream draws{schedule.seed, traffic.name, host};
      const std::uint64_t byte = byte_time(scenario.hosts[host].rate).count();
      std::uint64_t time = draws.uniform(100'000);
      for (unsigned i = 0; i < schedule.frames; ++i) {
        const bool lossless = draws.uniform(100) < schedule.lossless_share;
        if (lossless == (priority == 0)) continue;
        const Bytes length = frame_length(schedule, draws);
        std::size_t to = draws.uniform(4) == 0 ? draws.uniform(ports) : sink;
        if (to == host) to = (host + 1) % ports;
        traffic.replay.push_back({Picoseconds{time}, length, Priority{priority}, host, to});
        time += (length.count() + 20) * byte;
        if (draws.uniform(100) < schedule.idle_share) time += draws.uniform(3'000'000);
      }
    }
    std::stable_sort(traffic.replay.begin(), traffic.replay.end(),
                     [](const ReplayPacket& a, const ReplayPacket& b) { return a.time < b.time; });
    scenario.traffic.push_back(traffic);
  }
}

struct Outcome {
  std::uint64_t drops{0}, xoffs{0};
  std::uint32_t peak{0};
};

Outcome run(const Schedule& schedule) {
  Chip chip = headroom_chip(ports, gbps(schedule.gbps), schedule.mtu, schedule.cell);
  chip.profiles.front().threshold.alpha = Alpha{1, static_cast<std::uint8_t>(schedule.alpha_shift)};
  const Cells headroom = worst_case(chip, schedule.metres);
  const std::string text = run_in_child([&] {
    Scenario scenario =
        test::star(with_headroom(chip, headroom), test::ns(5 * schedule.metres), test::us(2000));
    add_traffic(schedule, scenario);
    Network network{scenario};
    network.run_until(scenario.until);
    Outcome outcome;
    for (std::size_t port = 0; port < ports; ++port)
      for (const Priority pg : {Priority{3}, Priority{4}}) {
        const PgCounters& counters = network.switch_at(0).mmu.core().stats().pg(
            pg_index(PortId{static_cast<std::uint16_t>(port)}, pg));
        outcome.drops += counters.dropped();
        outcome.xoffs += counters.xoff_entered;
        outcome.peak = std::max(outcome.peak, counters.headroom_watermark.count());
      }
    std::ostringstream out;
    out << outcome.drops << ' ' << outcome.xoffs << ' ' << outcome.peak;
    return out.str();
  });
  std::istringstream in{text};
  Outcome outcome;
  in >> outcome.drops >> outcome.xoffs >> outcome.peak;
  return outcome;
}

template <class T>
T one_of(std::vector<T> values) {
  return *rc::gen::elementOf(std::move(values));
}

Schedule any_schedule() {
  Schedule schedule{};
  schedule.seed = *rc::gen::arbitrary<std::uint64_t>();
  schedule.gbps = one_of<std::uint64_t>({10, 25, 40, 100, 200, 400, 800});
  schedule.metres = one_of<std::uint64_t>({0, 1, 5, 40, 300});
  schedule.mtu = one_of<std::uint64_t>({1500, 9216});
  schedule.cell = one_of<std::uint64_t>({80, 144, 208, 254, 420});
  schedule.alpha_shift = *rc::gen::inRange(0U, 8U);
  schedule.lossless_share = *rc::gen::inRange(50U, 101U);
  schedule.small_share = *rc::gen::inRange(0U, 101U);
  schedule.idle_share = *rc::gen::inRange(0U, 30U);
  schedule.frames = *rc::gen::inRange(100U, 1500U);
  return schedule;
}

RC_GTEST_PROP(HeadroomSchedule, NoLegalTrafficBeatsWorstCase, ()) {
  const Schedule schedule = any_schedule();
  const Outcome outcome = run(schedule);
  RC_LOG() << schedule << ": peak " << outcome.peak << ", XOFFs " << outcome.xoffs;
  RC_CLASSIFY(outcome.peak != 0, "used headroom");
  RC_ASSERT(outcome.drops == 0U);
}

// The same attack with everything varied: phases, whether the peers know the window, other traffic.
RC_GTEST_PROP(HeadroomSchedule, NoVariantOfTheAttackBeatsWorstCase, ()) {
  const Schedule schedule = any_schedule();
  const auto count = *rc::gen::inRange<std::size_t>(2, 9);
  Chip chip = headroom_chip(count, gbps(schedule.gbps), schedule.mtu, schedule.cell);
  chip.profiles.front().threshold.alpha = Alpha{1, static_cast<std::uint8_t>(schedule.alpha_shift)};
  chip.admit_latency = *rc::gen::inRange(1U, 9U);
  chip.pfc_latency = *rc::gen::inRange(0U, 9U);
  const Cells headroom = worst_case(chip, schedule.metres);
  AttackSetting setting{with_headroom(chip, headroom), test::ns(5 * schedule.metres)};
  setting.after_edge = Picoseconds{*rc::gen::inRange<std::uint64_t>(0, 1000)};
  setting.before_request = Picoseconds{
      *rc::gen::inRange<std::uint64_t>(0, 1000ULL * (chip.admit_latency + chip.pfc_latency))};
  const AttackResult result = attack(setting);
  for (const AttackedPg& pg : result.pgs) {
    RC_LOG() << schedule << ": port " << pg.port << " peak " << pg.peak << " of " << headroom;
    RC_ASSERT(pg.drops == 0U);
    RC_ASSERT(pg.peak <= headroom);
  }
}

// A search that never uses headroom would prove nothing.
TEST(HeadroomSchedule, TrafficOfThisKindDoesUseHeadroom) {
  const Schedule schedule{7, 100, 300, 1500, 254, 3, 100, 50, 5, 1500};
  const Outcome outcome = run(schedule);
  EXPECT_GT(outcome.xoffs, 10U) << "pauses come and go";
  EXPECT_GT(outcome.peak, 100U);
  EXPECT_EQ(outcome.drops, 0U);
}

}  // namespace
}  // namespace weir::headroom_schedule_test
