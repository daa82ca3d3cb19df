// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pfc_generator.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "weir/core/pfc/port_speeds.hpp"

namespace weir::pfc_generator_test {
namespace {

// 100G and 1 GHz: a quantum is 5120 ps or 5.12 cycles, and the step is whole.
const CycleTimeBase base_100g{BitRate{100'000'000'000}, Picoseconds{1000}};
constexpr std::uint8_t class3 = 1U << 3;
constexpr std::uint8_t class4 = 1U << 4;

Picoseconds ps(std::uint64_t count) { return Picoseconds{count}; }

TEST(PfcGenerator, SaysNothingWhileNothingIsXoff) {
  PfcGenerator generator{Quanta{100}, base_100g};
  EXPECT_FALSE(generator.request_needed(0));
  EXPECT_FALSE(generator.due(ps(1'000'000'000), 0));
  EXPECT_EQ(generator.refresh_at(), std::nullopt);
  EXPECT_EQ(generator.build(ps(0), 0), std::nullopt);
}

TEST(PfcGenerator, XoffIsSentWithTheQuantaAndItsBitAlone) {
  PfcGenerator generator{Quanta{100}, base_100g, {2, 0, 0, 0, 0, 7}};
  EXPECT_TRUE(generator.request_needed(class3));
  const auto frame = generator.build(ps(5'000), class3);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->class_enable, class3);
  EXPECT_EQ(frame->time[3], Quanta{100});
  EXPECT_EQ(frame->time[4], Quanta{0});
  EXPECT_EQ(frame->source, (PfcGenerator::Address{2, 0, 0, 0, 0, 7}));
  EXPECT_FALSE(generator.request_needed(class3)) << "the peer knows";
  EXPECT_EQ(generator.last_sent(), class3);
}

TEST(PfcGenerator, XonIsSentOnceWithZero) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  EXPECT_TRUE(generator.request_needed(0));
  const auto frame = generator.build(ps(10'000), 0);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->class_enable, class3) << "the bit must be set, or the zero means nothing";
  EXPECT_EQ(frame->time[3], Quanta{0});
  EXPECT_EQ(generator.refresh_at(), std::nullopt) << "XON needs no refresh";
  EXPECT_EQ(generator.build(ps(20'000), 0), std::nullopt) << "nothing left to say";
}

TEST(PfcGenerator, AFrameHasAllClassesThatMatter) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  const auto frame = generator.build(ps(10'000), class4);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->class_enable, class3 | class4);
  EXPECT_EQ(frame->time[3], Quanta{0}) << "went XON";
  EXPECT_EQ(frame->time[4], Quanta{100}) << "went XOFF";
}

TEST(PfcGenerator, AClassThatCameAndWentWhileTheWireWasBusyCostsNoFrame) {
  PfcGenerator generator{Quanta{100}, base_100g};
  EXPECT_TRUE(generator.request_needed(class3));
  EXPECT_EQ(generator.build(ps(10'000), 0), std::nullopt);
  EXPECT_EQ(generator.refresh_at(), std::nullopt) << "no frame, so none to refresh";
}

TEST(PfcGenerator, AClassThatWentOnAndOffAgainIsSentAsItIs) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  EXPECT_TRUE(generator.request_needed(0)) << "XON would be worth a frame";
  EXPECT_FALSE(generator.request_needed(class3)) << "back in XOFF: the peer knows already";
}

TEST(PfcGenerator, RefreshIsDueHalfwayFromTheStartOfTheLastFrame) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(7'000), class3));
  EXPECT_EQ(generator.refresh_at(), ps(7'000 + 256'000));
  EXPECT_FALSE(generator.due(ps(262'999), class3));
  EXPECT_TRUE(generator.due(ps(263'000), class3));
  const auto frame = generator.build(ps(264'000), class3);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->time[3], Quanta{100});
  EXPECT_EQ(generator.refresh_at(), ps(264'000 + 256'000)) << "counted again";
}

TEST(PfcGenerator, AnotherClassesFrameRefreshesAll) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  const auto frame = generator.build(ps(100'000), class3 | class4);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->time[3], Quanta{100}) << "a class in XOFF is in every frame";
  EXPECT_EQ(generator.refresh_at(), ps(356'000));
}

TEST(PfcGenerator, RefreshFallsOnTheEdgeAtWhichTheRegisterOfHalfTheQuantaIsEmpty) {
  PfcGenerator generator{Quanta{65535}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  EXPECT_EQ(generator.refresh_at(), ps(167'770'000)) << "167769.6 cycles round up";
  generator.set_quanta(Quanta{25});
  static_cast<void>(generator.build(ps(1'000'000), class3));
  EXPECT_EQ(generator.refresh_at(), ps(1'064'000)) << "64 cycles exactly";
}

TEST(PfcGenerator, RefreshIsCountedFromTheCycleInWhichTheFrameStarts) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(7'999), class3));
  EXPECT_EQ(generator.refresh_at(), ps(7'000 + 256'000)) << "the last picosecond of cycle 7";
  static_cast<void>(generator.build(ps(8'000), class3));
  EXPECT_EQ(generator.refresh_at(), ps(8'000 + 256'000)) << "a start on an edge belongs to it";
}

// The register as the RTL has it, edge by edge.
std::uint64_t edges_of_register(Quanta quanta, std::uint64_t step) {
  std::uint64_t timer = std::uint64_t{quanta.count()} << 15;
  std::uint64_t edges = 0;
  for (; timer != 0; ++edges) timer -= std::min(timer, step);
  return edges;
}

RC_GTEST_PROP(PfcGenerator, RefreshEqualsTheRegisterWalkedEdgeByEdge, ()) {
  const BitRate rate = (*rc::gen::elementOf(port_speeds())).rate;
  const auto clock = *rc::gen::inRange<std::uint64_t>(500, 2001);
  const auto quanta = Quanta{*rc::gen::inRange<std::uint16_t>(1, 2000)};
  const auto cycle = *rc::gen::inRange<std::uint64_t>(0, 1000);
  const auto within = *rc::gen::inRange<std::uint64_t>(0, clock);
  const CycleTimeBase base{rate, ps(clock)};
  PfcGenerator generator{quanta, base};
  static_cast<void>(generator.build(ps(cycle * clock + within), class3));
  const std::uint64_t due = (cycle + edges_of_register(quanta, base.step())) * clock;
  RC_ASSERT(generator.refresh_at() == ps(due));
  RC_ASSERT(!generator.due(ps(due - 1), class3));
  RC_ASSERT(generator.due(ps(due), class3));
}

TEST(PfcGenerator, TinyQuantaAreDueBeforeTheFrameHasLeft) {
  const Picoseconds frame_time = ps(84 * 80);
  for (const Quanta quanta : {Quanta{1}, Quanta{2}}) {
    PfcGenerator generator{quanta, base_100g};
    static_cast<void>(generator.build(ps(0), class3));
    EXPECT_TRUE(generator.due(frame_time, class3)) << quanta << ": back to back";
  }
  PfcGenerator generator{Quanta{3}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  EXPECT_FALSE(generator.due(frame_time, class3)) << "3 quanta leave a gap";
}

TEST(PfcGenerator, NewQuantaAreInTheNextFrameAndTheRefreshKeepsToWhatWasSent) {
  PfcGenerator generator{Quanta{100}, base_100g};
  static_cast<void>(generator.build(ps(0), class3));
  generator.set_quanta(Quanta{1000});
  EXPECT_EQ(generator.refresh_at(), ps(256'000)) << "the peer has received 100 quanta";
  const auto frame = generator.build(ps(256'000), class3);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->time[3], Quanta{1000});
  EXPECT_EQ(generator.refresh_at(), ps(256'000 + 2'560'000));
}

RC_GTEST_PROP(PfcGenerator, APeerThatReadsEveryFrameKnowsTheState,
              (std::vector<std::uint8_t> masks)) {
  PfcGenerator generator{Quanta{9}, base_100g};
  std::uint8_t peer = 0;
  std::uint64_t now = 0;
  for (const std::uint8_t mask : masks) {
    now += 6'720;
    const bool needed = generator.request_needed(mask);
    const auto frame = generator.build(ps(now), mask);
    RC_ASSERT(!needed || frame.has_value());
    if (frame) {
      for (std::size_t n = 0; n < priorities; ++n) {
        if ((frame->class_enable >> n & 1U) == 0) continue;
        const unsigned bit = 1U << n;
        peer = static_cast<std::uint8_t>(frame->time[n].count() != 0 ? peer | bit : peer & ~bit);
      }
    }
    RC_ASSERT(peer == mask);
    RC_ASSERT(generator.refresh_at().has_value() == (mask != 0));
  }
}

}  // namespace
}  // namespace weir::pfc_generator_test
