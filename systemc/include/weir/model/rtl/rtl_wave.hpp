// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "weir/core/units.hpp"

namespace weir {

/// The signals inside an RTL, for a writer of waveforms.
///
/// Timing:  the inputs of cycle c change in the middle of the cycle, the clock rises at the next
///          edge: outputs change at the edges of the model's clock.
class RtlWave {
 public:
  /// Takes the changes of one moment, as text of a value change dump; moments ascend.
  using Taker = std::function<void(Picoseconds time, std::string_view changes)>;

  virtual ~RtlWave() = default;
  [[nodiscard]] virtual const std::string& wave_name() const = 0;  ///< Name of its switch.
  /// Scope of its signals, below that of its switch.
  [[nodiscard]] virtual std::string wave_path() const { return "mmu.rtl"; }
  /// From now on every change goes to `taker`. Returns the header of the value change dump.
  /// Errors: ModelError when the RTL cannot be watched.
  [[nodiscard]] virtual std::string open_wave(Taker taker) = 0;
  virtual void close_wave() = 0;
  /// Number of fields of equal width in an outermost signal, such as one a lane; 1: one value.
  [[nodiscard]] virtual std::size_t wave_parts(std::string_view /*signal*/) const { return 1; }
  /// Clocks idle cycles, so that no change of more than wave_lag() before `now` will come.
  virtual void catch_up(Picoseconds now) = 0;
  /// Greatest time by which a change may come late.
  [[nodiscard]] virtual Picoseconds wave_lag() const = 0;
};

}  // namespace weir
