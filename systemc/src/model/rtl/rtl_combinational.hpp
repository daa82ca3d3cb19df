// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl_block.hpp"
#include "weir/core/chip.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"

namespace weir {

/// A block whose RTL has no clock: one instance a switch, whose outputs belong to the inputs of a
/// call. The calls of a cycle follow each other in a waveform by a picosecond.
class CombinationalRtlUnit : public RtlBlockUnit {
 public:
  [[nodiscard]] const std::optional<RtlDifference>& difference() const override {
    return difference_;
  }
  [[nodiscard]] std::string block() const override { return block_; }
  [[nodiscard]] std::vector<RtlWave*> waves() override { return {&rtl_}; }
  [[nodiscard]] std::uint64_t compared() const override { return compared_; }
  void finish(Picoseconds) override {}

 protected:
  /// `name`: of the module, in a switch with `chip`, which is borrowed. `path`: of its signals.
  CombinationalRtlUnit(const RtlBlockLibrary& library, const std::string& name,
                       const std::string& path, const Chip& chip);

  [[nodiscard]] RtlPin input(const char* pin, std::uint32_t bits) { return rtl_.input(pin, bits); }
  [[nodiscard]] RtlPin output(const char* pin, std::uint32_t bits) {
    return rtl_.output(pin, bits);
  }
  /// Errors: ConfigError when it has pins that were not asked for.
  void require_no_other_pins() const { rtl_.require_no_other_pins(); }
  /// Where it is, in the words of a message.
  [[nodiscard]] const std::string& node() const noexcept { return node_; }

  // An answer is a function of its question; the pins are how it is asked for.
  /// The outputs follow the inputs.
  void settle(Cycle now) const;
  /// Counts a comparison. Errors: RtlDifference when both differ.
  template <class Index>
  void same(Index at, const char* pin, std::uint64_t expected, std::uint64_t actual,
            Cycle now) const {
    ++compared_;
    if (expected != actual) differ(place_of(at), pin, expected, actual, now);
  }

 private:
  [[noreturn]] void differ(const std::string& where, const char* pin, std::uint64_t expected,
                           std::uint64_t actual, Cycle now) const;

  const std::string library_, block_, node_;
  const Chip& chip_;
  mutable RtlBlock rtl_;
  mutable Picoseconds shown_;
  mutable std::uint64_t compared_{0};
  mutable std::optional<RtlDifference> difference_;
};

}  // namespace weir
