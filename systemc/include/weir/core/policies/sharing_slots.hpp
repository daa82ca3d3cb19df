// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "weir/core/policies/sharing_policy.hpp"

namespace weir {

/// All slots of one side of an MMU (its PGs, or its queues' parts of each memory domain) with the
/// objects of their policies. Keeps the sums that span slots of several policies.
///
/// Units:  whole cells; `now` in cycles.
/// Timing: none; cost: one indirect call a step of a slot whose policy is more than a line.
/// Errors: none; total for slots that were given a setting.
class SharingSlots {
 public:
  SharingSlots() = default;
  explicit SharingSlots(const SharingShape& shape);
  /// A copy owns copies of the policies with their state.
  SharingSlots(const SharingSlots& other);
  SharingSlots(SharingSlots&&) noexcept = default;
  SharingSlots& operator=(SharingSlots&&) noexcept = default;
  ~SharingSlots() = default;

  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
  /// Gives slot.index its setting; a later one changes the limits, and nothing that is held.
  void set(const SharingSlot& slot);

  /// T: the slot is full, and a PG is XOFF, at w >= T. `used` is S as the policy sees it.
  [[nodiscard]] Cells limit(SlotIndex slot, Cells used, Cycle now) const noexcept;
  /// The limit of admission in place of T: w must be below it.
  [[nodiscard]] Cells admission_limit(SlotIndex slot, Cells used, Cycle now) const noexcept;

  /// The slot now holds `held`. `left`: cells of a release, 0 at an arrival.
  void moved(SlotIndex slot, const SharingSlot::Held& held, Cells left, Cells used,
             Cycle now) noexcept;

  /// Whether the port of the slot reserves an insurance for it in place of headroom.
  [[nodiscard]] bool insured(SlotIndex slot) const noexcept { return entries_[slot].insured; }
  /// Cells that the port of an insured slot reserves.
  [[nodiscard]] Cells insurance(SlotIndex slot) const noexcept { return slots_[slot].insurance; }
  /// Cells in use of what the port of an insured slot reserves.
  [[nodiscard]] Cells insurance_used(SlotIndex slot) const noexcept {
    return entries_[slot].policy->insurance_used(slots_[slot].rows.port);
  }
  /// Decides after a step of an insured slot whether its port goes to XOFF or back to XON.
  void judge_port(SlotIndex slot, const SharingPolicy::PortStep& step, Cells used) noexcept;
  /// Whether a port row is paused as a whole.
  [[nodiscard]] bool port_off(PortRow port_row) const noexcept;

 private:
  struct Entry {
    SharingPolicy* policy{nullptr};  // nullptr: T is the line
    bool insured{false};
  };
  [[nodiscard]] SharingView view(const SharingSlot& slot, Cells used, Cycle now) const noexcept;

  SharingShape shape_;
  IndexedVector<SlotIndex, SharingSlot> slots_;
  IndexedVector<SlotIndex, Entry> entries_;
  std::vector<std::unique_ptr<SharingPolicy>> policies_;  // by number; made when first asked for
  IndexedVector<PortRow, Cells> port_shared_;             // all slots
  Cycle last_;                                            // of the latest move
};

}  // namespace weir
