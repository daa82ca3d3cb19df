// SPDX-License-Identifier: Apache-2.0
#include "policies/edt.hpp"

#include <algorithm>

namespace weir::policies {
namespace {

class Edt final : public SharingPolicy {
 public:
  explicit Edt(const SharingShape& shape) : slots_(shape.slots), bursts_(shape.pools, 0) {}

  [[nodiscard]] std::unique_ptr<SharingPolicy> clone() const override {
    return std::make_unique<Edt>(*this);
  }
  [[nodiscard]] Cells limit(const SharingSlot& slot,
                            const SharingView& view) const noexcept override {
    const Cells line = slot.line.at(view.used);
    if (phase_at(slot, line, view.now) != Phase::burst) return line;
    const bool counted = slots_[slot.index].phase == Phase::burst;
    const std::uint32_t bursts = bursts_[slot.rows.pool] + (counted ? 0U : 1U);
    return std::max(line, Cells{slot.pool.count() / bursts});
  }
  void moved(const SharingSlot& slot, const SharingSlot::Held&, Cells,
             const SharingView& view) noexcept override {
    State& state = slots_[slot.index];
    const Phase phase = phase_at(slot, slot.line.at(view.used), view.now);
    if (phase == state.phase) return;
    std::uint32_t& count = bursts_[slot.rows.pool];
    if (phase == Phase::burst) {
      ++count;
      state.start = view.now;
    } else if (state.phase == Phase::burst) {
      --count;
    }
    state.phase = phase;
  }

 private:
  enum class Phase : std::uint8_t { ready, burst, spent };
  struct State {
    Cycle start;  // of the burst
    Phase phase{Phase::ready};
  };

  [[nodiscard]] Phase phase_at(const SharingSlot& slot, Cells line, Cycle now) const noexcept {
    const State& state = slots_[slot.index];
    if (slot.held.shared == Cells{}) return Phase::ready;
    if (state.phase == Phase::burst && state.start + slot.setting.burst <= now) return Phase::spent;
    if (state.phase == Phase::ready && line <= slot.held.shared) return Phase::burst;
    return state.phase;
  }

  IndexedVector<SlotIndex, State> slots_;
  IndexedVector<PoolRow, std::uint32_t> bursts_;
};

}  // namespace

std::unique_ptr<SharingPolicy> make_edt(const SharingShape& shape) {
  return std::make_unique<Edt>(shape);
}

}  // namespace weir::policies
