// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/index.hpp"
#include "weir/core/units.hpp"
#include "weir/model/rtl/rtl_block_library.hpp"
#include "weir/model/rtl/rtl_pins.hpp"
#include "weir/model/rtl/rtl_wave.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir {

/// Bits of a limit in cells, up to 2^24. A library with pins of another width is refused by their
/// names.
inline constexpr unsigned limit_width = weir_pkg::LimitW;

/// Errors: ConfigError when CellW bits of `library` do not count so many cells.
void require_counts(const RtlBlockLibrary& library, const std::string& node, std::uint64_t cells);

/// Where a difference is, in the words of its message.
[[nodiscard]] std::string place_of(PgIndex pg);
[[nodiscard]] std::string place_of(QueueIndex queue);
[[nodiscard]] std::string place_of(PoolNumber pool);
[[nodiscard]] std::string place_of(EgressPoolNumber pool);

/// One instance of a Verilated block, and its signals in a waveform.
///
/// Errors:  ConfigError where its pins are not those of the block.
/// Timing:  who drives it sets the inputs, calls settle(), reads the outputs, and calls rise() for
///          each edge.
class RtlBlock final : public RtlWave {
 public:
  /// At `node`; in a waveform its signals are below `path` there. `run_to` clocks it so far that no
  /// change of more than `lag` before its argument will come.
  RtlBlock(const RtlBlockLibrary& library, std::string node, std::string path,
           std::function<void(Picoseconds now)> run_to, Picoseconds lag);
  ~RtlBlock() override;
  RtlBlock(const RtlBlock&) = delete;
  RtlBlock& operator=(const RtlBlock&) = delete;

  [[nodiscard]] RtlPin input(const char* name, std::uint32_t bits) { return pin(name, bits, true); }
  [[nodiscard]] RtlPin output(const char* name, std::uint32_t bits) {
    return pin(name, bits, false);
  }
  /// Errors: ConfigError when it has pins that were not asked for.
  void require_no_other_pins() const;

  /// Combinational outputs follow the inputs.
  void settle() { library_.api().eval(block_); }
  /// Some cycles of reset, active low, before the first cycle.
  void reset(RtlPin& clock, RtlPin& reset);
  /// The inputs settle at `middle`, in the cycle that `edge` ends.
  void rise(RtlPin& clock, Picoseconds middle, Picoseconds edge);
  /// A waveform gets the values of now. Range: `time` ascends, else nothing happens.
  void show(Picoseconds time);
  /// Whether show() does nothing.
  void hide(bool hidden) noexcept { hidden_ = hidden; }

  [[nodiscard]] const std::string& wave_name() const override { return node_; }
  [[nodiscard]] std::string wave_path() const override { return path_; }
  [[nodiscard]] std::string open_wave(Taker taker) override;
  void close_wave() override;
  void catch_up(Picoseconds now) override { run_to_(now); }
  [[nodiscard]] Picoseconds wave_lag() const override { return lag_; }
  [[nodiscard]] bool waving() const noexcept { return bool{taker_}; }

 private:
  [[nodiscard]] RtlPin pin(const char* name, std::uint32_t bits, bool input);

  const RtlBlockLibrary library_;
  weir_block* const block_;
  const std::string node_, path_;
  const std::function<void(Picoseconds now)> run_to_;
  const Picoseconds lag_;
  std::vector<std::string> asked_;  // for, of its pins
  Taker taker_;
  std::string text_;  // of the moment
  Picoseconds shown_;
  bool any_shown_{false}, hidden_{false};
};

}  // namespace weir
