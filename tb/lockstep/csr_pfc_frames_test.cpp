// SPDX-License-Identifier: Apache-2.0
// Counters narrow enough to wrap: those of `csr` in weir_mmu never do within a test.
// rtl: frames_3 = csr_pfc_frames Ports=3 StatW=14
// rtl: frames_9 = csr_pfc_frames Ports=9 StatW=14
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "Vframes_3.h"
#include "Vframes_9.h"
#include "lockstep/bench.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

constexpr std::uint64_t wraps_at = 1U << 14;

/// csr_pfc_frames next to two counters a port.
template <class Rtl, std::size_t ports>
class PfcFramesLockstep {
 public:
  /// All ports busy; `clears` in 65,536 cycles.
  void round(std::uint64_t cycles, std::uint64_t clears) {
    bench_.reset(2);
    sent_ = received_ = {};
    reads_ = false;
    for (std::uint64_t n = 0; n < cycles; ++n) cycle(clears);
  }
  [[nodiscard]] Scoreboard& board() noexcept { return board_; }

 private:
  static constexpr unsigned port_w = ports <= 4 ? 2 : 4;

  void cycle(std::uint64_t clears) {
    board_.cycle(now_++);
    bench_.settle();
    if (reads_) {
      board_.compare(sent_out_, shown_sent_, bench_->sent_o);
      board_.compare(received_out_, shown_received_, bench_->received_o);
    }
    const std::uint64_t sent = random_.uniform(1U << ports),
                        received = random_.uniform(1U << ports);
    const bool clear = random_.uniform(65'536) < clears;
    const std::size_t port = random_.uniform(ports);
    reads_ = random_.uniform(2) != 0;
    set_bits(bench_->sent_i, 0, ports, sent);
    set_bits(bench_->received_i, 0, ports, received);
    bench_->clear_i = clear;
    bench_->read_i = reads_;
    set_bits(bench_->port_i, 0, port_w, port);
    shown_sent_ = sent_[port] % wraps_at;
    shown_received_ = received_[port] % wraps_at;
    board_.hit_if(reads_ && wraps_at <= sent_[port], sent_wrapped_);
    board_.hit_if(reads_ && wraps_at <= received_[port], received_wrapped_);
    board_.hit_if(clear && wraps_at <= sent_[port], cleared_);
    for (std::size_t p = 0; p < ports; ++p) {
      sent_[p] += sent >> p & 1;
      received_[p] += received >> p & 1;
    }
    if (clear) sent_ = received_ = {};
    bench_.clock();
  }

  [[nodiscard]] std::string format_inputs() {
    return "sent " + std::to_string(bench_->sent_i) + ", received " +
           std::to_string(bench_->received_i) + ", clear " + std::to_string(bench_->clear_i) +
           ", read " + std::to_string(bench_->read_i) + " of port " +
           std::to_string(bench_->port_i);
  }

  Bench<Rtl> bench_;
  RandomStream random_{lockstep_first_round() + 1, "csr_pfc_frames"};
  Scoreboard board_{"csr_pfc_frames", [this] { return format_inputs(); }};
  const Scoreboard::Output sent_out_{board_.output("sent_o")},
      received_out_{board_.output("received_o")};
  const Scoreboard::Point sent_wrapped_{board_.point("frames sent read after a wrap")},
      received_wrapped_{board_.point("frames received read after a wrap")},
      cleared_{board_.point("a clear after a wrap")};
  std::array<std::uint64_t, ports> sent_{}, received_{};
  std::uint64_t shown_sent_{0}, shown_received_{0}, now_{0};
  bool reads_{false};
};

template <class Rtl, std::size_t ports>
std::string complaints_of() {
  PfcFramesLockstep<Rtl, ports> lockstep;
  const std::string difference = difference_in([&] {
    lockstep.round(lockstep_cycles(120'000), 0);
    lockstep.round(lockstep_cycles(600'000), 1);
    lockstep.round(lockstep_cycles(20'000), 4'096);
  });
  return difference + lockstep.board().complaints();
}

TEST(CsrPfcFrames, CountersWrapAtTheirWidth) {
  EXPECT_EQ((complaints_of<Vframes_3, 3>()), "");
  EXPECT_EQ((complaints_of<Vframes_9, 9>()), "");
}

}  // namespace
}  // namespace weir::test
