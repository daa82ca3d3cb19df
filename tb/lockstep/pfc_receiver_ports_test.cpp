// SPDX-License-Identifier: Apache-2.0
// rtl: receiver_8_ports = pfc_receiver Ports=8 AxisW=512 ResponseW=24
//
// The receiver of several ports, each with a step and a response of its own, up to the
// widths of both.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "Vreceiver_8_ports.h"
#include "lockstep/bench.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pfc_octets.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/receiver_reference.hpp"

namespace weir::test {
namespace {

constexpr unsigned ports = 8, beat_w = 512, beat_octets = beat_w / 8, response_w = 24;

/// A port of the core, which gets the frames that the RTL takes.
struct Port {
  Port(BitRate rate, Picoseconds clock, std::uint64_t response_cycles)
      : base{rate, clock}, response{response_cycles}, core{base, clock, clock * response_cycles} {}

  CycleTimeBase base;
  std::uint64_t response;
  ReceiverReference core;
  bool ended{false};  // a frame has, with the last edge
  unsigned verdict{0};
};

class PortsLockstep {
 public:
  explicit PortsLockstep(std::vector<Port> all) : ports_{std::move(all)} {
    for (unsigned p = 0; p < ports; ++p) {
      set_bits(bench_->step_i, 32 * p, 32, ports_[p].base.step());
      set_bits(bench_->response_i, response_w * p, response_w, ports_[p].response);
    }
    bench_->s_axis_rx_tvalid_i = 0;
    bench_.reset();
  }

  /// Each port takes a frame of one beat, or none where the entry is empty.
  void cycle(const std::array<Octets, ports>& frames) {
    frames_ = &frames;
    for (unsigned p = 0; p < ports; ++p) {
      if (frames[p].empty())
        drive_noise(p);
      else
        drive(p, frames[p]);
    }
    bench_.settle();
    compare();
    bench_.clock();
    ++now_;
    for (unsigned p = 0; p < ports; ++p) {
      ports_[p].ended = !frames[p].empty();
      if (ports_[p].ended) receive(ports_[p], frames[p]);
    }
  }

  /// `cycles` without a frame, in which only the pauses are compared.
  void idle(std::uint64_t cycles) {
    cycle({});
    cycle({});
    for (const std::uint64_t end = now_ + cycles; now_ < end; ++now_) {
      bench_.clock();
      compare_pauses(now_ + 1);
    }
  }

  [[nodiscard]] std::uint64_t now() const noexcept { return now_; }
  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  void drive(unsigned p, const Octets& frame) {
    set_octets(bench_->s_axis_rx_tdata_i, beat_w * p, frame.data(), frame.size());
    set_bits(bench_->s_axis_rx_tkeep_i, beat_octets * p, beat_octets,
             low_bits(static_cast<unsigned>(frame.size())));
    set_bits(bench_->s_axis_rx_tvalid_i, p, 1, 1);
    set_bits(bench_->s_axis_rx_tlast_i, p, 1, 1);
    set_bits(bench_->s_axis_rx_tuser_i, p, 1, bad_fcs(frame) ? 1 : 0);
  }

  // Random values on pins that nothing may read.
  void drive_noise(unsigned p) {
    set_bits(bench_->s_axis_rx_tvalid_i, p, 1, 0);
    set_bits(bench_->s_axis_rx_tdata_i, beat_w * p + 64 * noise_.uniform(8), 64, noise_.next());
    set_bits(bench_->s_axis_rx_tkeep_i, beat_octets * p, beat_octets, noise_.next());
    set_bits(bench_->s_axis_rx_tlast_i, p, 1, noise_.uniform(2));
    set_bits(bench_->s_axis_rx_tuser_i, p, 1, noise_.uniform(2));
  }

  void receive(Port& port, const Octets& frame) {
    const std::uint8_t before = port.core.paused(now_);
    port.verdict = verdict_number(port.core.receive(frame, now_));
    board_.hit_if(port.verdict != 0, other_);
    board_.hit_if(port.verdict == 0 && before != 0, loaded_again_);
  }

  void compare() {
    board_.cycle(now_);
    compare_pauses(now_);
    for (unsigned p = 0; p < ports; ++p) {
      const Port& port = ports_[p];
      board_.compare(frame_, port.ended, bits(bench_->stat_frame_o, p, 1), p);
      board_.compare(pfc_, port.ended && port.verdict == 0, bits(bench_->stat_pfc_o, p, 1), p);
      board_.compare(verdict_, port.verdict, bits(bench_->stat_verdict_o, 3 * p, 3), p);
    }
  }
  void compare_pauses(std::uint64_t now) {
    board_.cycle(now);
    unsigned paused = 0;
    for (unsigned p = 0; p < ports; ++p) {
      const std::uint8_t expected = ports_[p].core.paused(now);
      board_.compare(pause_, expected, bits(bench_->pause_o, 8 * p, 8), p);
      paused += expected != 0 ? 1 : 0;
    }
    board_.hit_if(paused > 1, some_);
    board_.hit_if(paused == 0, none_);
  }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    for (unsigned p = 0; p < ports; ++p)
      text << "\n  port " << p << ": step " << ports_[p].base.step() << ", response "
           << ports_[p].response
           << (frames_ != nullptr && !(*frames_)[p].empty() ? ", a frame" : "");
    return text.str();
  }

  Bench<Vreceiver_8_ports> bench_;
  std::vector<Port> ports_;
  RandomStream noise_{ports, "noise"};
  const std::array<Octets, ports>* frames_{nullptr};
  std::uint64_t now_{0};
  Scoreboard board_{"pfc_receiver 8 ports", [this] { return format_inputs(); }};
  const Scoreboard::Output pause_{board_.output("pause_o")}, frame_{board_.output("stat_frame_o")},
      pfc_{board_.output("stat_pfc_o")}, verdict_{board_.output("stat_verdict_o")};
  const Scoreboard::Point some_{board_.point("several ports paused")},
      none_{board_.point("no port paused")}, other_{board_.point("a frame that is not PFC")},
      loaded_again_{board_.point("a paused port loads again")};
};

/// Clocks of 100 ps to 8 us: steps of 7 to 31 bits, the largest at one port of each round;
/// responses of all magnitudes.
std::vector<Port> random_ports(RandomStream& random, std::uint64_t round) {
  constexpr std::uint64_t rates[]{10, 100, 400, 1600};
  std::vector<Port> all;
  for (unsigned p = 0; p < ports; ++p) {
    const bool greatest = round % ports == p;
    const BitRate rate{rates[greatest ? 3 : random.uniform(4)] * 1'000'000'000};
    const Picoseconds clock{greatest
                                ? std::uint64_t{1} << 23
                                : 100 + random.uniform(std::uint64_t{1} << random.uniform(24))};
    const std::uint64_t longest = random.uniform(4) == 0 ? low_bits(response_w) : 200;
    all.emplace_back(rate, clock, random.uniform(random.uniform(longest) + 1));
  }
  return all;
}

/// Quanta of the magnitude of a timer of `cycles`: usually a short one.
Octets random_pause(RandomStream& random, const Port& port) {
  std::array<Quanta, priorities> time{};
  for (Quanta& each : time) {
    const std::uint64_t cycles = random.uniform(random.uniform(4) == 0 ? 3'000 : 40);
    const std::uint64_t near = cycles * port.base.step() >> 16;
    const std::uint64_t any = random.uniform(65'536);
    each = Quanta{static_cast<std::uint16_t>(
        random.uniform(8) == 0 ? any : std::min<std::uint64_t>(near, 65'535))};
  }
  return with_fcs(pfc_body(octet(random.next()), time));
}

void traffic(PortsLockstep& lockstep, const std::vector<Port>& like, RandomStream& random,
             std::uint64_t cycles) {
  std::uint64_t rest = 1;
  for (std::uint64_t n = 0; n < cycles; ++n) {
    if (n % 500 == 0) rest = 1 + random.uniform(1U << random.uniform(9));
    std::array<Octets, ports> frames;
    for (unsigned p = 0; p < ports; ++p) {
      if (random.uniform(rest) != 0) continue;
      frames[p] = random.uniform(8) == 0 ? random_frame(random) : random_pause(random, like[p]);
      if (frames[p].size() > beat_octets) frames[p].clear();
    }
    lockstep.cycle(frames);
  }
}

TEST(PfcReceiverPorts, EqualTheCoreWithAnyStepAndAnyResponse) {
  RandomStream random{lockstep_first_round() + 8, "ports"};
  std::string said;
  const std::string difference = difference_in([&] {
    for (std::uint64_t round = 0; round < lockstep_cycles(400'000) / 10'000; ++round) {
      const std::vector<Port> drawn = random_ports(random, round);
      PortsLockstep lockstep{drawn};
      traffic(lockstep, drawn, random, 10'000);
      if (round == 0) said = lockstep.complaints();
    }
  });
  EXPECT_EQ(difference, "");
  EXPECT_EQ(said, "");
}

/// 2^24 - 1 cycles, the longest response that the register of weir_mmu holds.
TEST(PfcReceiverPorts, TheLongestResponseEndsInItsCycle) {
  const std::uint64_t longest = low_bits(response_w);
  EXPECT_EQ(difference_in([&] {
              std::vector<Port> all;
              for (unsigned p = 0; p < ports; ++p)
                all.emplace_back(BitRate{10'000'000'000}, Picoseconds{100}, longest - p);
              ASSERT_GT(all[0].base.expiry(Picoseconds{}, Quanta{65'535}),
                        Picoseconds{100} * (longest + 100));
              PortsLockstep lockstep{std::move(all)};
              std::array<Octets, ports> frames;
              frames.fill(pfc(0x08, 65'535));
              lockstep.cycle(frames);
              lockstep.idle(longest + 100);
            }),
            "");
}

}  // namespace
}  // namespace weir::test
