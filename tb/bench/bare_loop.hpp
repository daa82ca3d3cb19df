// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "step_trace.hpp"

namespace weir::bench {

/// The reference of all ratios: the decisions of docs/design/contract.md, 2 (Dynamic Threshold,
/// headroom, XOFF and XON) written by hand on flat arrays for one pool and one domain, lossless
/// unicast only. No statistics, no checks, no unit types, and no code of the core.
class BareLoop {
 public:
  /// Copies the settings of `chip` into plain numbers.
  explicit BareLoop(const Chip& chip);

  /// Replays the trace once; returns how often a level changed.
  std::uint64_t replay(const StepTrace& trace) noexcept;

 private:
  struct Settings {
    std::uint32_t phi, eta, xon, xon_offset, alpha_factor, alpha_shift;
  };
  struct Group {
    std::uint32_t own{0}, shared{0}, headroom{0};
    std::uint8_t xoff{0}, settings{0};
  };

  [[nodiscard]] std::uint32_t threshold(const Settings& s) const noexcept {
    return shared_ >= pool_ ? 0 : ((pool_ - shared_) * s.alpha_factor) >> s.alpha_shift;
  }
  bool arrive(PgIndex pg, std::uint32_t n) noexcept;
  bool release(PgIndex pg, std::uint32_t n) noexcept;
  static bool set_level(Group& group, bool up, bool down) noexcept;

  std::vector<Settings> settings_;
  std::vector<Group> groups_;
  std::uint32_t pool_, headroom_pool_;
  std::uint32_t shared_{0}, headroom_{0};
};

}  // namespace weir::bench
