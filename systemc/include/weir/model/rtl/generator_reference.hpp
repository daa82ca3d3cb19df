// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "weir/core/ethernet.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// What a station address contributes to the FCS of a frame, which is linear: pin source_fcs_i of
/// pfc_generator. Bit 0 is the lowest of the first octet of the FCS.
[[nodiscard]] inline std::uint32_t source_fcs(const PfcGenerator::Address& source) {
  PfcFrame frame;
  const PfcFrameBytes without = encode(frame);
  frame.source = source;
  const PfcFrameBytes with = encode(frame);
  std::uint32_t fcs = 0;
  for (std::size_t k = 1; k <= fcs_octets; ++k)
    fcs = fcs << 8 | static_cast<std::uint32_t>(with[with.size() - k] ^ without[with.size() - k]);
  return fcs;
}

/// Expected outputs of one port of a Verilated pfc_generator in each cycle: the core's generator,
/// the cycles from a verdict to its request, and the beats of the frame.
///
///   begin(cycle, ...); compare request(), ready(), ...; end(...) in each cycle.
class GeneratorReference {
 public:
  /// `width`: bits of a beat; `latency`: cycles from verdict to request, up to 64; `fcs`: the
  /// stream has the FCS.
  GeneratorReference(const CycleTimeBase& base, const ClockPeriod& clock, Quanta quanta,
                     const PfcGenerator::Address& source, unsigned width, unsigned latency,
                     bool fcs)
      : clock_{clock},
        core_{quanta, base, source},
        octets_{width / 8},
        latency_{latency},
        fcs_{fcs},
        remembered_{latency == 0 ? 0 : ~std::uint64_t{0} >> (64 - latency)} {}

  void set_quanta(Quanta quanta) noexcept { core_.set_quanta(quanta); }

  /// `classes` are XOFF as of the verdicts of cycle `now`; `changed`: one of these changed a level.
  /// `latency` cycles after a change a request is raised, if a class then differs from what was
  /// sent.
  void begin(std::uint64_t now, std::uint8_t classes, bool changed) {
    now_ = now;
    classes_ = classes;
    looks_ = latency_ == 0 ? changed : (changes_ >> (latency_ - 1) & 1U) != 0;
    changes_ = (changes_ << 1 | (changed ? 1U : 0U)) & remembered_;
    requested_ = requested_ || (looks_ && core_.request_needed(classes));
    const auto due = core_.refresh_at();
    refresh_ = due && edge() >= *due;
  }

  /// Whether nothing is pending, announced or being sent. Until a level changes, a cycle may skip
  /// begin() and end(): request() and valid() are false, ready() is true.
  [[nodiscard]] bool idle() const noexcept {
    return changes_ == 0 && !requested_ && !sending_ && core_.last_sent() == 0;
  }

  // ---- Of this cycle, after begin().
  [[nodiscard]] bool request() const noexcept { return requested_ || refresh_; }
  [[nodiscard]] bool ready(bool tready) const noexcept {
    return !sending_ || (tready && last_beat());
  }
  [[nodiscard]] std::uint8_t xoff() const noexcept {
    return request() ? classes_ : std::uint8_t{0};
  }
  [[nodiscard]] std::uint8_t enable() const noexcept {
    return request() ? static_cast<std::uint8_t>(classes_ | core_.last_sent()) : std::uint8_t{0};
  }
  [[nodiscard]] bool valid() const noexcept { return sending_; }
  [[nodiscard]] bool last_beat() const noexcept {
    return (beat_ + 1) * octets_ == pfc_frame_bytes.count();
  }
  /// Octets of the beat on the pins. Range: valid().
  [[nodiscard]] const std::uint8_t* beat() const noexcept {
    return frame_.data() + beat_ * octets_;
  }

  /// Bit n: the beat on the pins has octet n. Range: valid().
  [[nodiscard]] std::uint64_t keep() const noexcept {
    const std::size_t octets = octets_ - (last_beat() && !fcs_ ? fcs_octets : 0);
    return ~std::uint64_t{0} >> (64 - octets);
  }

  // ---- For coverage.
  [[nodiscard]] bool looks() const noexcept { return looks_; }
  [[nodiscard]] bool requested() const noexcept { return requested_; }
  [[nodiscard]] bool refresh() const noexcept { return refresh_; }
  [[nodiscard]] const PfcGenerator& core() const noexcept { return core_; }

  /// Takes the edge that ends the cycle. `within`: time in the cycle at which the MAC starts, for
  /// the core alone. Returns the frame that starts; none: no frame does.
  std::optional<PfcFrame> end(bool start, bool tready, Picoseconds within = Picoseconds{0}) {
    const bool starts = start && request() && ready(tready);
    if (sending_ && tready) {
      sending_ = !last_beat();
      beat_ = sending_ ? beat_ + 1 : 0;
    }
    if (!starts) return std::nullopt;
    requested_ = refresh_ = false;
    const std::optional<PfcFrame> frame = core_.build(edge() + within, classes_);
    if (!frame) return std::nullopt;
    frame_ = encode(*frame);
    if (!fcs_) std::fill(frame_.end() - fcs_octets, frame_.end(), std::uint8_t{0});
    sending_ = true;
    return frame;
  }

 private:
  [[nodiscard]] Picoseconds edge() const noexcept { return time_of(Cycle{now_}, clock_); }

  ClockPeriod clock_;
  PfcGenerator core_;
  std::size_t octets_;
  unsigned latency_;
  bool fcs_;
  std::uint64_t remembered_;  // bits of changes_ that still count
  std::uint64_t now_{0}, changes_{0};
  std::uint8_t classes_{0};
  bool looks_{false}, requested_{false}, refresh_{false}, sending_{false};
  PfcFrameBytes frame_{};
  std::size_t beat_{0};
};

}  // namespace weir
