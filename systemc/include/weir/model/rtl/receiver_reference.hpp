// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Expected outputs of one port of a Verilated pfc_receiver: the core's decode() and timers. The
/// edge that takes the last beat of a frame counts as the arrival of its last bit.
class ReceiverReference {
 public:
  ReceiverReference(const CycleTimeBase& base, const ClockPeriod& clock, Picoseconds response)
      : clock_{clock}, timer_{base, response} {}

  /// Decodes a frame that ends at edge `now`: the PFC frame, or why it is none. Loads the timers.
  DecodeResult receive(const std::vector<std::uint8_t>& octets, std::uint64_t now) {
    const DecodeResult result = decode(octets);
    if (const PfcFrame* frame = std::get_if<PfcFrame>(&result))
      for (std::size_t n = 0; n < priorities; ++n)
        if ((frame->class_enable >> n & 1U) != 0)
          timer_.load(Priority{static_cast<std::uint8_t>(n)}, frame->time[n], edge(now));
    return result;
  }

  /// Classes that may not start a frame in the cycle after edge `now`.
  [[nodiscard]] std::uint8_t paused(std::uint64_t now) { return timer_.paused_mask(edge(now)); }
  /// The first edge at which paused() may differ from its value at edge `now`, if no frame comes
  /// in.
  [[nodiscard]] std::uint64_t steady_before(std::uint64_t now) {
    const std::optional<Picoseconds> change = timer_.next_change(edge(now));
    return change ? edge_at_or_after(*change, clock_).count() : ~std::uint64_t{0};
  }

 private:
  [[nodiscard]] Picoseconds edge(std::uint64_t cycle) const noexcept {
    return time_of(Cycle{cycle}, clock_);
  }

  ClockPeriod clock_;
  SwitchPauseTimer timer_;
};

/// A result of decode() as a number: 0 is PFC, else 1 + the error.
inline unsigned verdict_number(const DecodeResult& result) {
  const auto* error = std::get_if<DecodeError>(&result);
  return error != nullptr ? 1U + static_cast<unsigned>(*error) : 0U;
}

}  // namespace weir
