// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The XOFF level of a PG after a step, and whether the step changed it, or under policy `dsh` that
/// of the whole port.
struct PfcLevel {
  bool xoff{false};
  bool changed{false};
  bool port_changed{false};  ///< Mmu::port_off() of the PG's port.

  /// True if a level changed, so a PFC frame is due.
  [[nodiscard]] constexpr bool any_change() const noexcept { return changed || port_changed; }
};

/// The XOFF level of every lossless PG: a level, not an edge.
///
/// XOFF is evaluated first, after every arrival (admitted or refused); XON after every step of the
/// PG, never while the XOFF condition holds. A PG that holds no cells is never XOFF.
///
/// Units:   cells; T is the threshold recomputed after the step. Errors: none.
/// Source:  docs/design/contract.md, 2.
class PfcState {
 public:
  explicit PfcState(std::size_t pgs) : xoff_(pgs, 0) {}
  /// Levels of the PGs of a chip.
  explicit PfcState(const Chip& chip) : PfcState{chip.ports.size() * priorities} {}

  [[nodiscard]] bool xoff(PgIndex pg) const noexcept { return xoff_[pg] != 0; }

  /// Loads the level of another implementation (Mmu::load_snapshot).
  void load_snapshot(PgIndex pg, bool xoff) noexcept { xoff_[pg] = xoff ? 1 : 0; }

  /// Judges the level after an arrival. `pressed`: a cell went to headroom, or the packet was
  /// refused.
  PfcLevel after_arrival(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold, bool pressed) noexcept {
    return after_arrival(xoff_[pg], settings, held, threshold, pressed);
  }

  /// Judges the level after a release.
  PfcLevel after_release(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold) noexcept {
    return after_release(xoff_[pg], settings, held, threshold);
  }

  /// after_arrival() on `level`, an entry of rows(): 1 is XOFF.
  static PfcLevel after_arrival(std::uint8_t& level, const PgSettings& settings,
                                const Placement& held, Cells threshold, bool pressed) noexcept {
    const bool due = pressed || crossing(settings, held, threshold);
    if (!due && level == 0) return {};
    return move(level, held, due, !due && may_resume(settings, held, threshold));
  }
  /// after_release() on `level`, an entry of rows().
  static PfcLevel after_release(std::uint8_t& level, const PgSettings& settings,
                                const Placement& held, Cells threshold) noexcept {
    if (level == 0) return {};
    const bool due = crossing(settings, held, threshold);
    return move(level, held, false, !due && may_resume(settings, held, threshold));
  }
  [[nodiscard]] Rows<PgIndex, std::uint8_t> rows() noexcept { return xoff_.rows(); }

  /// Whether the level condition of `on_crossing` holds: private full and w >= T.
  [[nodiscard]] static bool crossing(const PgSettings& settings, const Placement& held,
                                     Cells threshold) noexcept {
    return fills(settings, held) && held.shared >= threshold;
  }
  /// Whether the first part of crossing() holds, private full: without it no T is crossed.
  [[nodiscard]] static bool fills(const PgSettings& settings, const Placement& held) noexcept {
    return settings.xoff_trigger == XoffTrigger::on_crossing &&
           held.private_cells == settings.private_limit;
  }

  /// Whether no T lets a PG resume that is XOFF.
  [[nodiscard]] static bool stays_xoff(const Placement& held) noexcept {
    return held.headroom != Cells{0};
  }

  /// Whether the XON rule of the PG is met.
  [[nodiscard]] static bool may_resume(const PgSettings& settings, const Placement& held,
                                       Cells threshold) noexcept {
    if (stays_xoff(held)) return false;
    if (settings.xon_rule == XonRule::paper)
      return held.shared < settings.xon || held.shared == Cells{0};
    const Cells relative = saturating_subtract(threshold, settings.xon_offset);
    return held.shared <= (settings.xon < relative ? relative : settings.xon);
  }

 private:
  static PfcLevel move(std::uint8_t& level, const Placement& held, bool to_xoff,
                       bool to_xon) noexcept {
    const bool before = level != 0;
    const bool empty = held.total() == Cells{0};
    const bool after = !empty && (to_xoff || (before && !to_xon));
    level = after ? 1 : 0;
    return {after, after != before, false};
  }

  IndexedVector<PgIndex, std::uint8_t> xoff_;
};

}  // namespace weir
