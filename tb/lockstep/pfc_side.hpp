// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/mmu_reference.hpp"
#include "lockstep/pfc_octets.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/random.hpp"

namespace weir::test {

/// A frame that the RTL has sent: the core's version of it, and the octets of its beats.
struct SentFrame {
  std::size_t port{0};
  PfcFrame frame;
  Octets octets;
};

/// The PFC pins of a Verilated weir_mmu: MACs that start frames and take their beats, peers that
/// send frames of all kinds, right and wrong. In each cycle: drive(), compare(), end().
///
/// Range: up to 64 ports.
template <class Model>
class PfcSide {
 public:
  PfcSide(Scoreboard& board, const RtlShape& shape)
      : board_{board},
        shape_{shape},
        beat_octets_{shape.axis_w / 8},
        all_{low_bits(shape.ports)},
        receiving_(shape.ports),
        loaded_(shape.ports),
        octets_(shape.ports),
        coming_(shape.ports) {
    for (const MmuPin pin :
         {MmuPin::pfc_request_o, MmuPin::pfc_sends_o, MmuPin::pfc_ready_o,
          MmuPin::m_axis_pfc_tvalid_o, MmuPin::m_axis_pfc_tdata_o, MmuPin::pause_o})
      output(pin) = board_.output(row_of(pin).name);
    const auto still = [this](MmuPin pin, const char* why) {
      output(pin) = board_.still_output(row_of(pin).name, why);
    };
    if (shape.fcs != 0 || shape.axis_w == 512)
      still(MmuPin::m_axis_pfc_tkeep_o, "64 octets fill every beat, or 60 are one");
    else
      output(MmuPin::m_axis_pfc_tkeep_o) = board_.output(row_of(MmuPin::m_axis_pfc_tkeep_o).name);
    if (shape.axis_w == 512)
      still(MmuPin::m_axis_pfc_tlast_o, "a frame is one beat");
    else
      output(MmuPin::m_axis_pfc_tlast_o) = board_.output(row_of(MmuPin::m_axis_pfc_tlast_o).name);
  }

  /// Starts again. The peers of some ports stay silent, so that there are both busy and idle ports.
  void reset(Model& rtl, RandomStream& random) {
    peers_ = mask_of(random, static_cast<unsigned>(random.uniform(bits_for(shape_.ports)))) & all_;
    board_.hit_if(expected_.valid != 0, reset_sending_);
    board_.hit_if(paused_, reset_paused_);
    rtl.pfc_start_i = 0;
    rtl.s_axis_rx_tvalid_i = 0;
    for (Receiving& port : receiving_) port = {};
    coming_in_ = ending_ = 0;
    for (auto& port : loaded_) port.fill(0);
    for (Octets& port : octets_) port.clear();
    ended_.clear();
    expected_ = {};
  }

  /// Inputs of a cycle. Peers are silent until the ports are `configured`: a timer without a step
  /// does not run.
  void drive(Model& rtl, RandomStream& random, bool configured) {
    if (mode_left_-- == 0) {
      draw_mode(random);
      drive_anything(rtl, random);
    }
    start_ = mask_of(random, start_shares_) & all_;
    tready_ = mask_of(random, ready_shares_) & all_;
    assign(rtl.pfc_start_i, start_);
    assign(rtl.m_axis_pfc_tready_i, tready_);
    if (configured) drive_frames(rtl, random);
  }

  /// Range: `lockstep` has compared the verdicts of cycle `now`.
  void compare(const Model& rtl, MmuReference& mmu, const LockstepEngine& lockstep,
               std::uint64_t now) {
    takes_[0] = tready_;
    mmu.pfc.compare(now, lockstep, takes_, [this](const LockstepValue& value) {
      board_.compare(outputs_[static_cast<std::size_t>(value.pin)], value.expected, value.actual,
                     value.part);
    });
    const PfcReference::Masks& masks = mmu.pfc.masks();
    expected_ = {masks.request[0], masks.sends[0], masks.ready[0], masks.valid[0]};
    paused_ = mmu.pfc.any_paused();
    for_each_bit(expected_.valid, [&](std::size_t p) { see_beat(rtl, p); });
    cover();
  }

  /// The edge that ends cycle `now`. Frames count in `mmu` as csr sees them: a received one in the
  /// cycle after its last beat.
  void end(MmuReference& mmu, std::uint64_t now) {
    for (const std::size_t p : ended_) ++mmu.shelf.counters[p].pfc_frames_received;
    ended_.clear();
    const std::uint64_t moves =
        (start_ & expected_.request & expected_.ready) | (expected_.valid & tready_);
    for_each_bit(moves, [&](std::size_t p) { end_port(mmu, p); });
    for_each_bit(ending_, [&](std::size_t p) { receive(mmu, p, now + 1); });
  }

  /// Whether a beat was on the pins in the cycle that has just been compared.
  [[nodiscard]] bool sending() const { return expected_.valid != 0; }

  /// From now on MACs are never busy and peers always send, only PFC frames: as many as possible.
  void hurry() noexcept { hurries_ = true; }
  [[nodiscard]] bool hurries() const noexcept { return hurries_; }
  /// From now on keeps frames that the RTL sends, up to `most`.
  void capture(std::size_t most) { max_sent_ = most; }
  [[nodiscard]] const std::vector<SentFrame>& sent() const { return sent_; }

 private:
  Scoreboard::Output& output(MmuPin pin) { return outputs_[static_cast<std::size_t>(pin)]; }

  struct Receiving {
    Octets frame;
    std::size_t at{0};
  };

  template <class F>
  static void for_each_bit(std::uint64_t mask, F&& f) {
    for (; mask != 0; mask &= mask - 1) f(std::size_t{lowest_bit(mask)});
  }

  // A random mask: one of 2^ands bits is set on average; 0: all bits.
  static std::uint64_t mask_of(RandomStream& random, unsigned ands) {
    std::uint64_t mask = ~std::uint64_t{0};
    for (unsigned n = 0; n < ands; ++n) mask &= random.next();
    return mask;
  }
  void draw_mode(RandomStream& random) {
    mode_left_ = 1 + random.uniform(600);
    start_shares_ = static_cast<unsigned>(random.uniform(6));
    ready_shares_ = static_cast<unsigned>(random.uniform(3));
    frames_per_64_ = random.uniform(4) * random.uniform(16);
    together_ = random.uniform(8) == 0;
    if (!hurries_) return;
    start_shares_ = ready_shares_ = 0;
    frames_per_64_ = 64;
    together_ = true;
  }

  // Where no beat is valid, nothing may depend on the other pins.
  void drive_anything(Model& rtl, RandomStream& random) {
    for_each_bit(all_ & ~coming_in_, [&](std::size_t p) {
      for (std::size_t at = 0; at < shape_.axis_w; at += 64)
        set_bits(rtl.s_axis_rx_tdata_i, p * shape_.axis_w + at, 64, random.next());
      set_bits(rtl.s_axis_rx_tkeep_i, p * beat_octets_, beat_octets_,
               random.next() & low_bits(beat_octets_));
      set_bits(rtl.s_axis_rx_tlast_i, p, 1, random.uniform(2));
      set_bits(rtl.s_axis_rx_tuser_i, p, 1, random.uniform(2));
    });
  }

  void drive_frames(Model& rtl, RandomStream& random) {
    if (random.uniform(64) < frames_per_64_) {
      const std::size_t first = together_ ? 0 : random.uniform(shape_.ports);
      const std::size_t last = together_ ? std::min(shape_.ports, 8U) : first + 1;
      for (std::size_t p = first; p < last; ++p)
        if (((peers_ & ~coming_in_) >> p & 1U) != 0) {
          receiving_[p] = {hurries_ ? pfc(octet(random.next()), 1) : random_frame(random), 0};
          if (octets_in_stream(receiving_[p].frame, shape_.fcs != 0) == 0) continue;
          coming_in_ |= std::uint64_t{1} << p;
        }
    }
    const std::uint64_t driven = coming_in_ | ending_;
    ending_ = 0;
    for_each_bit(driven, [&](std::size_t p) { drive_beat(rtl, random, p); });
  }
  void drive_beat(Model& rtl, RandomStream& random, std::size_t p) {
    Receiving& port = receiving_[p];
    const bool active = (coming_in_ >> p & 1U) != 0;
    const bool goes_on = active && (port.at == 0 || random.uniform(16) != 0);
    set_bits(rtl.s_axis_rx_tvalid_i, p, 1, goes_on);
    if (active && !goes_on) board_.hit(gap_);
    if (!goes_on) return;
    const std::size_t octets = octets_in_stream(port.frame, shape_.fcs != 0);
    const std::size_t count = std::min<std::size_t>(beat_octets_, octets - port.at);
    set_octets(rtl.s_axis_rx_tdata_i, p * shape_.axis_w, port.frame.data() + port.at, count);
    set_bits(rtl.s_axis_rx_tkeep_i, p * beat_octets_, beat_octets_,
             low_bits(static_cast<unsigned>(count)));
    port.at += count;
    const bool ends = port.at == octets;
    if (ends) {
      coming_in_ &= ~(std::uint64_t{1} << p);
      ending_ |= std::uint64_t{1} << p;
    }
    set_bits(rtl.s_axis_rx_tlast_i, p, 1, ends);
    set_bits(rtl.s_axis_rx_tuser_i, p, 1, ends ? bad_fcs(port.frame) : random.uniform(2) != 0);
  }

  // A beat that has been compared: keeps its octets.
  void see_beat(const Model& rtl, std::size_t p) {
    const bool taken = (tready_ >> p & 1U) != 0;
    board_.hit_if(!taken, stalled_);
    if (!taken || sent_.size() >= max_sent_) return;
    for (std::size_t k = 0; k < beat_octets_; k += 8) {
      const std::uint64_t actual = bits(rtl.m_axis_pfc_tdata_o, p * shape_.axis_w + 8 * k, 64);
      for (unsigned n = 0; n < 8; ++n) octets_[p].push_back(octet(actual >> 8 * n));
    }
  }

  void cover() {
    board_.hit_if((start_ & ~expected_.request) != 0, unasked_);
    board_.hit_if((expected_.request & ~start_) != 0, kept_);
    board_.hit_if((start_ & expected_.request & ~expected_.ready) != 0, not_ready_);
    board_.hit_if((expected_.request & ~expected_.sends) != 0, nothing_to_say_);
    board_.hit_if((expected_.request & (expected_.request - 1)) != 0, several_ports_);
  }

  void end_port(MmuReference& mmu, std::size_t p) {
    const GeneratorReference& port = mmu.pfc.generator(p);
    const bool taken = (tready_ >> p & 1U) != 0, refresh = port.refresh() && !port.requested();
    if (port.valid() && taken && port.last_beat()) {
      if (octets_[p].size() == pfc_frame_bytes.count())
        sent_.push_back({p, coming_[p], octets_[p]});
      octets_[p].clear();
    }
    const std::uint8_t before = port.core().last_sent();
    const std::optional<PfcFrame> frame = mmu.pfc.end(p, (start_ >> p & 1U) != 0, taken);
    if (!frame) return;
    ++mmu.shelf.counters[p].pfc_frames_sent;
    coming_[p] = *frame;
    const std::uint8_t now = port.core().last_sent();
    board_.hit_if(refresh, refreshed_);
    board_.hit_if(now == 0, xon_);
    board_.hit_if((now & ~before) != 0, xoff_);
    board_.hit_if((now & ~before) != 0 && (before & ~now) != 0, xon_and_xoff_);
  }

  void receive(MmuReference& mmu, std::size_t p, std::uint64_t edge) {
    const Octets& frame = receiving_[p].frame;
    const DecodeResult result = mmu.pfc.receive(p, frame, edge);
    const unsigned verdict = verdict_number(result);
    board_.hit(verdict_[verdict]);
    if (verdict != 0) return;
    ended_.push_back(p);
    board_.hit_if(frame[16] != 0, reserved_);
    const PfcFrame& received = std::get<PfcFrame>(result);
    const std::uint64_t response =
        edge_at_or_after(mmu.chip.ports[p].response, mmu.chip.clock).count();
    for (unsigned n = 0; n < priorities; ++n) {
      if ((received.class_enable >> n & 1U) == 0) continue;
      board_.hit_if(loaded_[p][n] != 0 && edge - loaded_[p][n] < response, two_in_response_);
      loaded_[p][n] = edge;
    }
  }

  Scoreboard& board_;
  const RtlShape& shape_;
  const unsigned beat_octets_;
  std::uint64_t mode_left_{0}, frames_per_64_{0};
  unsigned start_shares_{0}, ready_shares_{0};
  bool together_{false}, hurries_{false}, paused_{false};
  std::uint64_t start_{0}, tready_{0};
  PfcReference::Ports takes_{0};  // tready_
  std::array<Scoreboard::Output, mmu_pin_count> outputs_{};
  struct Masks {
    std::uint64_t request{0}, sends{0}, ready{0}, valid{0};
  };
  Masks expected_;
  const std::uint64_t all_;                 // one bit per port, as in the masks below
  std::uint64_t peers_{0};                  // ports whose peers are sent frames
  std::uint64_t coming_in_{0}, ending_{0};  // ports with a frame in progress; with its last beat
  std::vector<Receiving> receiving_;
  std::vector<std::size_t> ended_;  // ports of PFC frames that ended with the previous edge
  std::vector<std::array<std::uint64_t, priorities>> loaded_;
  std::vector<Octets> octets_;  // of the frame that is being sent
  std::vector<PfcFrame> coming_;
  std::vector<SentFrame> sent_;
  std::size_t max_sent_{0};

  using Point = Scoreboard::Point;
  const Point unasked_{board_.point("start without a request")},
      kept_{board_.point("a request is kept while the MAC is busy")},
      not_ready_{board_.point("start while a frame is still here")},
      nothing_to_say_{board_.point("a request with nothing left to say")},
      several_ports_{board_.point("requests of several ports")},
      stalled_{board_.point("a beat waits for tready")},
      refreshed_{board_.point("frame: refresh alone")}, xon_{board_.point("frame: XON of all")},
      xoff_{board_.point("frame: XOFF")}, xon_and_xoff_{board_.point("frame: XON and XOFF")},
      reserved_{board_.point("reserved bits next to the vector")},
      two_in_response_{board_.point("two PFC frames within one response time")},
      gap_{shape_.axis_w < 512 ? board_.point("idle cycles within a frame") : xoff_},
      reset_sending_{board_.point("reset while a frame is sent")},
      reset_paused_{board_.point("reset while a class is paused")};
  const std::array<Point, frame_verdicts> verdict_{
      board_.point("received: PFC"),           board_.point("received: too short"),
      board_.point("received: bad FCS"),       board_.point("received: not MAC control"),
      board_.point("received: wrong address"), board_.point("received: wrong opcode"),
      board_.point("received: too long")};
};

}  // namespace weir::test
