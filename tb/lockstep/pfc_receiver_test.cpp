// SPDX-License-Identifier: Apache-2.0
// rtl: receiver_512 = pfc_receiver AxisW=512
// rtl: receiver_256 = pfc_receiver AxisW=256 ResponseW=12
// rtl: receiver_128 = pfc_receiver AxisW=128 ResponseW=3
// rtl: receiver_64 = pfc_receiver AxisW=64 ResponseW=16
// rtl: receiver_no_fcs_512 = pfc_receiver AxisW=512 FcsInStream=0
// rtl: receiver_no_fcs_64 = pfc_receiver AxisW=64 FcsInStream=0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <variant>
#include <vector>

#include "Vreceiver_128.h"
#include "Vreceiver_256.h"
#include "Vreceiver_512.h"
#include "Vreceiver_64.h"
#include "Vreceiver_no_fcs_512.h"
#include "Vreceiver_no_fcs_64.h"
#include "lockstep/bench.hpp"
#include "lockstep/pfc_octets.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/receiver_reference.hpp"

namespace weir::test {
namespace {

/// Configuration of one run. The step is that of rate and clock.
struct Setup {
  BitRate rate;
  Picoseconds clock;
  unsigned response;  // cycles
};

/// One Verilated receiver, and the core's decode() and timers, with the same frames at the same
/// edges: the edge that takes the last beat of a frame is the arrival of its last bit.
template <class Model, unsigned width, bool fcs = true>
class ReceiverLockstep {
 public:
  explicit ReceiverLockstep(const Setup& setup)
      : setup_{setup}, base_{setup.rate, setup.clock}, noise_{width, "noise"} {
    bench_->step_i = static_cast<std::uint32_t>(base_.step());
    set_bits(bench_->response_i, 0, 16, setup.response);
    bench_.reset();
  }

  /// Sends a frame beat by beat; before each beat but the first, `gap` idle cycles.
  void send(const Octets& frame, unsigned gap = 0) {
    const std::size_t octets = octets_in_stream(frame, fcs);
    frame_ = &frame;
    for (std::size_t at = 0; at < octets; at += beat_octets) {
      if (at != 0) {
        board_.hit_if(gap != 0, gap_);
        idle(gap);
      }
      drive_beat(frame, at);
      cycle(at + beat_octets >= octets ? &frame : nullptr);
    }
    frame_ = nullptr;
  }

  void idle(unsigned cycles = 1) {
    for (unsigned k = 0; k < cycles; ++k) {
      drive_noise();
      bench_->s_axis_rx_tvalid_i = 0;
      cycle(nullptr);
    }
  }

  /// Resets after the first beats of `frame`.
  void reset_within(const Octets& frame) {
    board_.hit_if(pause_now_ != 0, reset_);
    for (std::size_t at = 0; at + beat_octets < octets_in_stream(frame, fcs); at += beat_octets) {
      drive_beat(frame, at);
      cycle(nullptr);
    }
    bench_->s_axis_rx_tvalid_i = 0;
    bench_.reset();
    core_ = reference();
    end_.fill(0);
    start_.fill(0);
    ended_ = false;
    verdict_ = 0;
  }

  /// Edges of the clock so far: a frame of send() takes effect at the edge that it ends with.
  [[nodiscard]] std::uint64_t now() const { return now_; }
  [[nodiscard]] std::uint8_t paused() const { return pause_now_; }
  [[nodiscard]] std::uint64_t duration(std::uint16_t quanta) const {
    return base_.lifetime(Quanta{quanta}).count();
  }
  [[nodiscard]] const Setup& setup() const { return setup_; }
  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  static constexpr unsigned beat_octets = width / 8;

  [[nodiscard]] ReceiverReference reference() const {
    return {base_, setup_.clock, setup_.clock * setup_.response};
  }

  // Random values on pins that nothing may read.
  void drive_noise() {
    for (unsigned k = 0; k < beat_octets; ++k)
      set_bits(bench_->s_axis_rx_tdata_i, k * 8U, 8, noise_.uniform(256));
    set_bits(bench_->s_axis_rx_tkeep_i, 0, beat_octets, noise_.next() & low_bits(beat_octets));
    bench_->s_axis_rx_tlast_i = noise_.uniform(2) != 0;
    bench_->s_axis_rx_tuser_i = noise_.uniform(2) != 0;
  }

  void drive_beat(const Octets& frame, std::size_t at) {
    drive_noise();
    const std::size_t octets = octets_in_stream(frame, fcs);
    const std::size_t count = std::min<std::size_t>(beat_octets, octets - at);
    for (std::size_t k = 0; k < count; ++k)
      set_bits(bench_->s_axis_rx_tdata_i, k * 8, 8, frame[at + k]);
    set_bits(bench_->s_axis_rx_tkeep_i, 0, beat_octets, low_bits(static_cast<unsigned>(count)));
    bench_->s_axis_rx_tvalid_i = 1;
    bench_->s_axis_rx_tlast_i = at + count == octets;
    if (at + count == octets) bench_->s_axis_rx_tuser_i = bad_fcs(frame);
  }

  // One cycle; `ends`: the frame whose last beat is taken by the edge at its end.
  void cycle(const Octets* ends) {
    bench_.settle();
    compare();
    bench_.clock();
    ++now_;
    ended_ = ends != nullptr;
    if (ends != nullptr) receive(*ends);
  }

  void compare() {
    board_.cycle(now_);
    pause_now_ = core_.paused(now_);
    board_.compare(pause_o_, pause_now_, bench_->pause_o);
    board_.compare(frame_o_, ended_, bench_->stat_frame_o);
    board_.compare(pfc_o_, ended_ && verdict_ == 0, bench_->stat_pfc_o);
    board_.compare(verdict_o_, verdict_, bench_->stat_verdict_o);
    for (unsigned n = 0; n < priorities; ++n) {
      board_.hit_if(end_[n] == now_ && start_[n] < now_ && now_ != 0, expired_);
      board_.hit_if(end_[n] == now_ && start_[n] >= now_ && now_ != 0, ended_in_response_);
    }
    board_.hit_if(pause_now_ == 0xff, all_);
  }

  void receive(const Octets& frame) {
    const DecodeResult result = core_.receive(frame, now_);
    verdict_ = verdict_number(result);
    board_.hit(verdict_point_[verdict_]);
    board_.hit_if(last_frame_ + 1 == now_, next_cycle_);
    last_frame_ = now_;
    if (verdict_ != 0) return;
    const PfcFrame& received = std::get<PfcFrame>(result);
    board_.hit_if(frame[16] != 0, reserved_);
    board_.hit_if(std::any_of(frame.begin() + 34, frame.end() - fcs_octets,
                              [](std::uint8_t value) { return value != 0; }),
                  padding_);
    for (unsigned n = 0; n < priorities; ++n) {
      if ((received.class_enable >> n & 1U) == 0) continue;
      cover_load(n, received.time[n]);
    }
  }

  // For the coverage points only: when the class is paused, in cycles.
  void cover_load(unsigned n, Quanta quanta) {
    const bool running = now_ < end_[n], waiting = running && now_ < start_[n];
    if (quanta.count() == 0) {
      board_.hit_if(waiting, xon_in_response_);
      board_.hit_if(running && !waiting, xon_);
      board_.hit_if(!running, xon_of_nothing_);
      if (running) end_[n] = 0;
      return;
    }
    board_.hit_if(waiting, two_in_response_);
    board_.hit_if(running && !waiting, refreshed_);
    board_.hit_if(now_ == end_[n] && now_ != 0, at_expiry_);
    if (!running) start_[n] = now_ + setup_.response;
    end_[n] = now_ + duration(quanta.count());
  }

  [[nodiscard]] std::string inputs() const {
    std::ostringstream text;
    text << "response " << setup_.response << ", step " << base_.step() << ", frame being sent:";
    if (frame_ != nullptr) {
      text << std::hex;
      for (const std::uint8_t value : *frame_) text << ' ' << unsigned{value};
    }
    return text.str();
  }

  Bench<Model> bench_;
  Setup setup_;
  CycleTimeBase base_;
  ReceiverReference core_{reference()};
  RandomStream noise_;
  const Octets* frame_{nullptr};
  std::uint64_t now_{0}, last_frame_{0};
  std::uint8_t pause_now_{0};
  bool ended_{false};
  unsigned verdict_{0};
  std::array<std::uint64_t, priorities> start_{}, end_{};

  Scoreboard board_{"pfc_receiver AxisW " + std::to_string(width) + (fcs ? "" : ", no FCS"),
                    [this] { return inputs(); }};
  const Scoreboard::Output pause_o_ = board_.output("pause_o");
  const Scoreboard::Output frame_o_ = board_.output("stat_frame_o");
  const Scoreboard::Output pfc_o_ = board_.output("stat_pfc_o");
  const Scoreboard::Output verdict_o_ = board_.output("stat_verdict_o");
  const std::array<Scoreboard::Point, frame_verdicts> verdict_point_{
      board_.point("PFC"),           board_.point("too short"),
      board_.point("bad FCS"),       board_.point("not MAC control"),
      board_.point("wrong address"), board_.point("wrong opcode"),
      board_.point("too long")};
  const Scoreboard::Point reserved_ = board_.point("reserved bits next to the vector");
  const Scoreboard::Point padding_ = board_.point("octets in the padding");
  const Scoreboard::Point xon_ = board_.point("XON of a paused class");
  const Scoreboard::Point xon_in_response_ = board_.point("XON within the response time");
  const Scoreboard::Point xon_of_nothing_ = board_.point("XON of a class that is not paused");
  const Scoreboard::Point two_in_response_ = board_.point("two frames within one response time");
  const Scoreboard::Point refreshed_ = board_.point("a paused class is refreshed");
  const Scoreboard::Point at_expiry_ = board_.point("a load at the edge of the expiry");
  const Scoreboard::Point expired_ = board_.point("a paused class expires");
  const Scoreboard::Point ended_in_response_ = board_.point("a timer ends within the response");
  const Scoreboard::Point all_ = board_.point("all classes paused");
  const Scoreboard::Point reset_ = board_.point("reset while a class is paused");
  // Only frames of one beat end in adjacent cycles, and only others can have gaps.
  const Scoreboard::Point next_cycle_ = board_.point("frames end in adjacent cycles");
  const Scoreboard::Point gap_ = width < 512 ? board_.point("idle cycles within a frame") : xon_;
};

/// The rules of the timer, one by one, on both sides of each edge. Range: response >= 2.
template <class Lockstep>
void corners(Lockstep& step) {
  const unsigned response = step.setup().response;
  const auto quiet = [&] {
    step.send(pfc(0xff, 0));
    step.idle(2);
  };
  for (const int offset : {-1, 0, 1}) {  // a second frame at the expiry, +-1 cycle
    const std::uint16_t quanta = 40;
    step.send(pfc(0x81, quanta));
    const std::uint64_t expiry = step.now() + step.duration(quanta);
    const std::uint64_t beats = [&] {
      const std::uint64_t before = step.now();
      step.send(with_fcs(Octets(60, 0)));
      return step.now() - before;
    }();
    const auto end = static_cast<std::uint64_t>(static_cast<std::int64_t>(expiry) + offset);
    step.idle(static_cast<unsigned>(end - beats - step.now()));
    step.send(pfc(0x81, quanta));
    EXPECT_EQ(step.now(), end);
    step.idle(static_cast<unsigned>(step.duration(quanta)) + 2);
  }
  step.send(pfc(0x10, 100));  // XON within the response, then a pause with its own response
  step.send(pfc(0x10, 0));
  step.send(pfc(0x10, 100));
  step.send(pfc(0x10, 100));
  step.idle(response + 2);
  EXPECT_EQ(step.paused(), 0x10);
  quiet();
  EXPECT_EQ(step.paused(), 0);
  step.send(pfc(0x02, 1));  // may end before the response has passed
  step.idle(response + 4);
  quiet();
}

/// One frame of each kind that is not PFC during a pause, which none of them may change.
template <class Lockstep>
void frames_to_ignore(Lockstep& step) {
  std::array<Quanta, priorities> time{};
  const Octets good = pfc_body(0xff, time);  // an XON, if it were accepted
  step.send(pfc(0xff, 60'000));
  step.idle(step.setup().response);
  const auto spoilt = [&](std::size_t at, std::uint8_t flip) {
    Octets body = good;
    body[at] = octet(body[at] ^ flip);
    return with_fcs(body);
  };
  for (unsigned bit = 0; bit < 8; ++bit) {
    for (std::size_t at = 0; at < 6; ++at) step.send(spoilt(at, octet(1U << bit)));
    for (std::size_t at = 12; at < 16; ++at) step.send(spoilt(at, octet(1U << bit)));
    Octets frame = with_fcs(good);
    frame[17] = octet(frame[17] ^ 1U << bit);  // after the FCS was made
    step.send(frame);
  }
  for (std::size_t length = 0; length < 60; ++length)
    step.send(with_fcs({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}));
  for (std::size_t length = 61; length < 200; ++length) {
    Octets body = good;
    body.resize(length);
    step.send(with_fcs(body));
  }
  for (std::size_t length = 1; length < 4; ++length) step.send(Octets(length, 0xff));
  step.idle();
  EXPECT_EQ(step.paused(), 0xff) << "a frame that is none released a class";
  step.send(spoilt(16, 0xff));  // reserved bits are ignored, so is the padding
  step.idle();
  EXPECT_EQ(step.paused(), 0);
  step.send(spoilt(34, 1));
  step.send(spoilt(59, 0x80));
}

template <class Lockstep>
void traffic(Lockstep& step, int frames, std::uint64_t seed) {
  RandomStream random{seed, "receiver"};
  std::uint64_t pause = 0;
  for (int k = 0; k < frames; ++k) {
    if (k % 100 == 0) pause = random.uniform(4) * random.uniform(120);
    step.send(random_frame(random), static_cast<unsigned>(random.uniform(8) == 0));
    if (pause != 0) step.idle(static_cast<unsigned>(random.uniform(pause)));
    if (k % 2'000 == 1'999) {
      step.send(pfc(0xff, 500));
      step.idle(step.setup().response + 1);
      step.reset_within(pfc(0xff, 3));
    }
  }
}

/// Reasons why the comparison is worthless; empty: none. A difference throws.
template <class Model, unsigned width, bool fcs = true>
std::string complaints(const Setup& setup) {
  ReceiverLockstep<Model, width, fcs> step{setup};
  step.idle(3);
  corners(step);
  frames_to_ignore(step);
  traffic(step, 10'000, width);
  return step.complaints();
}

BitRate gbps(std::uint64_t rate) { return BitRate{rate * 1'000'000'000}; }
constexpr Picoseconds clock_1ghz{1000};

TEST(PfcReceiverLockstep, OneBeatAt800G) {
  EXPECT_EQ((complaints<Vreceiver_512, 512>({gbps(800), clock_1ghz, 6})), "");
}
TEST(PfcReceiverLockstep, OneBeatAt100GWithAStepThatIsNotWhole) {
  EXPECT_EQ((complaints<Vreceiver_512, 512>({gbps(100), Picoseconds{1176}, 40})), "");
}
TEST(PfcReceiverLockstep, TwoBeatsAt200G) {
  EXPECT_EQ((complaints<Vreceiver_256, 256>({gbps(200), clock_1ghz, 25})), "");
}
TEST(PfcReceiverLockstep, FourBeatsAt400GWithTheLongestResponseOfThreeBits) {
  EXPECT_EQ((complaints<Vreceiver_128, 128>({gbps(400), clock_1ghz, 7})), "");
}
TEST(PfcReceiverLockstep, EightBeatsAt100G) {
  EXPECT_EQ((complaints<Vreceiver_64, 64>({gbps(100), clock_1ghz, 60})), "");
}

TEST(PfcReceiverLockstep, OneBeatWithoutTheFcs) {
  EXPECT_EQ((complaints<Vreceiver_no_fcs_512, 512, false>({gbps(800), clock_1ghz, 6})), "");
}
TEST(PfcReceiverLockstep, EightBeatsWithoutTheFcs) {
  EXPECT_EQ((complaints<Vreceiver_no_fcs_64, 64, false>({gbps(100), clock_1ghz, 60})), "");
}

TEST(PfcReceiverLockstep, WithoutAResponseTimeTheClassIsPausedFromTheEdgeOfTheFrameOn) {
  for (const unsigned response : {0U, 1U}) {
    ReceiverLockstep<Vreceiver_512, 512> step{{gbps(800), clock_1ghz, response}};
    step.send(pfc(0x08, 100));  // 64 cycles
    step.idle();
    EXPECT_EQ(step.paused(), response == 0 ? 0x08 : 0);
    step.idle();
    EXPECT_EQ(step.paused(), 0x08);
    step.idle(61);
    EXPECT_EQ(step.paused(), 0x08) << "cycle 63";
    step.idle(2);
    EXPECT_EQ(step.paused(), 0);
    traffic(step, 2'000, response);
  }
}

TEST(PfcReceiverLockstep, TheLongestPauseEndsInItsCycle) {
  ReceiverLockstep<Vreceiver_512, 512> step{{gbps(800), clock_1ghz, 6}};
  step.send(pfc(0x08, 65'535));
  const std::uint64_t loaded = step.now();
  while (step.paused() == 0) step.idle();
  EXPECT_EQ(step.now() - loaded, 7U) << "seen at the end of cycle 6 after the load";
  while (step.paused() != 0) step.idle();
  EXPECT_EQ(step.now() - loaded, 41'944U) << "65535 quanta of 0.64 cycles are 41942.4 cycles";
}

/// Steps and responses of every width that the registers have. A difference throws.
void any_setup() {
  RandomStream random{5, "setup"};
  for (std::uint64_t n = 0; n < 60; ++n) {
    constexpr std::uint64_t rates[]{10, 100, 400, 1600};
    const Picoseconds clock{100 + random.uniform(std::uint64_t{1} << (1 + random.uniform(24)))};
    const auto response = static_cast<unsigned>(random.uniform(1U << (1 + random.uniform(16))));
    ReceiverLockstep<Vreceiver_512, 512> step{{gbps(rates[random.uniform(4)]), clock, response}};
    traffic(step, 500, n);
  }
}
TEST(PfcReceiverLockstep, AnyStepAndAnyResponse) { EXPECT_EQ(difference_in(any_setup), ""); }

/// More than 2^16 frames of each verdict, so that all but the upper halves of the counters toggle.
void many_of_each_verdict() {
  ReceiverLockstep<Vreceiver_512, 512> step{{gbps(800), clock_1ghz, 6}};
  RandomStream random{6, "verdict"};
  for (unsigned verdict = 0; verdict < frame_verdicts; ++verdict) {
    Octets frame = random_frame(random);
    while (verdict_number(decode(frame)) != verdict || frame.size() > 128)
      frame = random_frame(random);
    for (unsigned n = 0; n < 70'000; ++n) step.send(frame);
    step.reset_within(frame);
    step.send(frame);
    step.idle(10);
  }
}
TEST(PfcReceiverLockstep, ManyFramesOfEachVerdict) {
  EXPECT_EQ(difference_in(many_of_each_verdict), "");
}

TEST(PfcReceiverLockstep, AFrameEveryCycleIsTaken) {
  ReceiverLockstep<Vreceiver_512, 512> step{{gbps(800), clock_1ghz, 0}};
  for (unsigned k = 0; k < 1'000; ++k) step.send(pfc(octet(k), k % 3 == 0 ? 0 : 5));
  EXPECT_EQ(step.now(), 1'000U);
}

}  // namespace
}  // namespace weir::test
