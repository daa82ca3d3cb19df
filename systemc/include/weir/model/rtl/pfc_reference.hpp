// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "weir/core/bits.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/model/rtl/generator_reference.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/receiver_reference.hpp"

namespace weir {

/// The PFC pins of weir_mmu in a lockstep: the core's generator and pause timers of each port say
/// what they must be. The caller plays the MACs: random draws, or `weir cosim`.
///
/// In each cycle, pins settled and the verdicts of the cycle compared: compare(), then end() of the
/// ports whose MAC starts a frame or takes a beat, and receive() of frames whose last beat the edge
/// that ends the cycle takes.
///
/// Source:  docs/design/contract.md, 3.
class PfcReference {
 public:
  /// Bit p % 64 of word p / 64: port p.
  using Ports = std::vector<std::uint64_t>;
  /// What the core expects of each port in this cycle.
  struct Masks {
    Ports request, sends, ready, valid;
  };

  /// `pins` is borrowed.
  PfcReference(const weir_rtl_shape& shape, std::size_t ports, const RtlPins& pins)
      : shape_{shape},
        pins_{pins},
        ports_{ports},
        beat_{shape.axis_width / 8},
        all_((ports + 63) / 64, ~std::uint64_t{0}),
        steady_before_(ports),
        pauses_((ports + 7) / 8 * 8) {
    if (ports % 64 != 0) all_.back() = (std::uint64_t{1} << ports % 64) - 1;
    masks_ = {all_, all_, all_, all_};
  }

  /// Puts all ports into their state after a reset.
  void reset(const Chip& chip) {
    generators_.clear();
    receivers_.clear();
    for (std::size_t p = 0; p < ports_; ++p) {
      const CycleTimeBase base{chip.ports[p].rate, chip.clock};
      generators_.emplace_back(base, chip.clock, chip.quanta, PfcGenerator::address_of(p),
                               shape_.axis_width, shape_.pfc_latency, shape_.fcs_in_stream != 0);
      receivers_.emplace_back(base, chip.clock, chip.ports[p].response);
    }
    classes_of_.fill(0);
    for (unsigned pgs = 0; pgs < classes_of_.size(); ++pgs)
      for (unsigned n = 0; n < priorities; ++n)
        classes_of_[pgs] =
            static_cast<std::uint8_t>(classes_of_[pgs] | (pgs >> chip.pg_of_priority[n] & 1U) << n);
    awake_.assign(all_.size(), 0);
    for (Ports* mask : {&masks_.request, &masks_.sends, &masks_.valid}) *mask = awake_;
    masks_.ready = all_;
    std::fill(steady_before_.begin(), steady_before_.end(), std::uint64_t{0});
  }
  void set_quanta(Quanta quanta) noexcept {
    for (GeneratorReference& port : generators_) port.set_quanta(quanta);
  }

  /// Compares all pins of cycle `now`; `takes`: ports whose MAC takes a beat. Range: `lockstep` has
  /// compared the verdicts of this cycle.
  template <class Same>
  void compare(std::uint64_t now, const LockstepEngine& lockstep, const Ports& takes, Same&& same) {
    for (std::size_t word = 0; word < all_.size(); ++word) {
      begin(word, now, lockstep, takes[word]);
      compare_mask(MmuPin::pfc_request_o, word, masks_.request, same);
      compare_mask(MmuPin::pfc_ready_o, word, masks_.ready, same);
      compare_mask(MmuPin::pfc_sends_o, word, masks_.sends, same);
    }
    compare_pauses(now, same);
    for (std::size_t word = 0; word < all_.size(); ++word) {
      compare_mask(MmuPin::m_axis_pfc_tvalid_o, word, masks_.valid, same);
      const std::uint64_t both = masks_.valid[word] & mask_of(MmuPin::m_axis_pfc_tvalid_o, word);
      for_each_bit(both, word, [&](std::size_t p) { compare_beat(p, same); });
    }
  }

  // ---- Of the cycle that has been compared.
  [[nodiscard]] const Masks& masks() const noexcept { return masks_; }
  [[nodiscard]] const Ports& all() const noexcept { return all_; }
  [[nodiscard]] const GeneratorReference& generator(std::size_t port) const {
    return generators_[port];
  }
  [[nodiscard]] bool any_paused() const noexcept { return any_paused_; }

  /// Takes the edge that ends the cycle. Returns the frame that starts; none: no frame does.
  std::optional<PfcFrame> end(std::size_t port, bool start, bool takes) {
    const std::optional<PfcFrame> frame = generators_[port].end(start, takes);
    if (generators_[port].idle()) awake_[port / 64] &= ~(std::uint64_t{1} << port % 64);
    return frame;
  }
  /// Takes a frame whose last beat edge `edge` takes. Returns the PFC frame, or why it is none.
  DecodeResult receive(std::size_t port, const std::vector<std::uint8_t>& octets,
                       std::uint64_t edge) {
    steady_before_[port] = 0;
    return receivers_[port].receive(octets, edge);
  }

  /// A difference as text. Range: a value that differs.
  [[nodiscard]] LockstepDifference describe(const LockstepValue& value) const;

  /// Calls f(port) for each set bit of `mask`, word `word` of Ports.
  template <class F>
  static void for_each_bit(std::uint64_t mask, std::size_t word, F&& f) {
    for (; mask != 0; mask &= mask - 1) f(64 * word + lowest_bit(mask));
  }

 private:
  static std::uint64_t word_at(const std::uint8_t* octets, std::size_t count) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, octets, count);
    return word;
  }
  // What a pin of one bit a port says.
  [[nodiscard]] std::uint64_t mask_of(MmuPin pin, std::size_t word) const noexcept {
    const RtlPin& bits = pins_[pin];
    return word_at(bits.data() + 8 * word, std::min<std::size_t>(8, bits.bytes() - 8 * word)) &
           all_[word];
  }

  // Ports that sleep are ready and say nothing else.
  void begin(std::size_t word, std::uint64_t now, const LockstepEngine& lockstep,
             std::uint64_t takes) {
    std::uint64_t request = 0, sends = 0, ready = all_[word], valid = 0;
    const std::uint64_t changed = lockstep.changed()[word];
    for_each_bit(awake_[word] | changed, word, [&](std::size_t p) {
      GeneratorReference& port = generators_[p];
      const std::uint64_t bit = std::uint64_t{1} << p % 64;
      port.begin(now, classes_of_[lockstep.levels()[p]], (changed & bit) != 0);
      if (port.request()) request |= bit;
      if (port.enable() != 0) sends |= bit;
      if (!port.ready((takes & bit) != 0)) ready &= ~bit;
      if (port.valid()) valid |= bit;
      awake_[word] = port.idle() ? awake_[word] & ~bit : awake_[word] | bit;
    });
    masks_.request[word] = request;
    masks_.sends[word] = sends;
    masks_.ready[word] = ready;
    masks_.valid[word] = valid;
  }

  template <class Same>
  void compare_mask(MmuPin pin, std::size_t word, const Ports& expected, Same&& same) const {
    same(LockstepValue{pin, 64 * word, expected[word], mask_of(pin, word)});
  }

  template <class Same>
  void compare_beat(std::size_t p, Same&& same) const {
    const GeneratorReference& port = generators_[p];
    const std::uint8_t* const data = pins_[MmuPin::m_axis_pfc_tdata_o].data() + p * beat_;
    for (std::size_t k = 0; k < beat_; k += 8)
      same(LockstepValue{MmuPin::m_axis_pfc_tdata_o, p * beat_ + k, word_at(port.beat() + k, 8),
                         word_at(data + k, 8)});
    same(LockstepValue{
        MmuPin::m_axis_pfc_tkeep_o, p, port.keep(),
        word_at(pins_[MmuPin::m_axis_pfc_tkeep_o].data() + p * beat_ / 8, beat_ / 8)});
    same(LockstepValue{MmuPin::m_axis_pfc_tlast_o, p, port.last_beat(),
                       pins_.get(MmuPin::m_axis_pfc_tlast_o, p)});
  }

  template <class Same>
  void compare_pauses(std::uint64_t now, Same&& same) {
    for (std::size_t p = 0; p < ports_; ++p) {
      if (now < steady_before_[p]) continue;
      pauses_[p] = receivers_[p].paused(now);
      steady_before_[p] = receivers_[p].steady_before(now);
    }
    any_paused_ = false;
    const std::uint8_t* const actual = pins_[MmuPin::pause_o].data();
    for (std::size_t p = 0; p < ports_; p += 8) {
      const std::size_t count = std::min<std::size_t>(8, ports_ - p);
      const std::uint64_t expected = word_at(pauses_.data() + p, count);
      same(LockstepValue{MmuPin::pause_o, p, expected, word_at(actual + p, count)});
      any_paused_ = any_paused_ || expected != 0;
    }
  }

  const weir_rtl_shape shape_;
  const RtlPins& pins_;
  const std::size_t ports_, beat_;
  Ports all_, awake_;  // awake: their generators are not idle
  Masks masks_;
  std::vector<GeneratorReference> generators_;
  std::vector<ReceiverReference> receivers_;
  std::vector<std::uint64_t> steady_before_;  // by port: the cycle in which its pauses may change
  std::vector<std::uint8_t> pauses_;          // by port, padded to a multiple of eight
  std::array<std::uint8_t, 256> classes_of_{};
  bool any_paused_{false};
};

}  // namespace weir
