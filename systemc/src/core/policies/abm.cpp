// SPDX-License-Identifier: Apache-2.0
#include "policies/abm.hpp"

#include <algorithm>

#include "policies/shares.hpp"

namespace weir::policies {
namespace {

class Abm final : public SharingPolicy {
 public:
  explicit Abm(const SharingShape& shape) : slots_(shape.slots), congested_(shape.classes, 0) {}

  [[nodiscard]] std::unique_ptr<SharingPolicy> clone() const override {
    return std::make_unique<Abm>(*this);
  }
  [[nodiscard]] Cells limit(const SharingSlot& slot,
                            const SharingView& view) const noexcept override {
    const std::uint64_t queues = std::max(congested_[slot.rows.priority], 1U);
    const std::uint64_t line = slot.line.at(view.used).count();
    return cells_of(line * drained(slot, view.now) / (slot.cells_in_window * queues));
  }
  void moved(const SharingSlot& slot, const SharingSlot::Held& before, Cells left,
             const SharingView& view) noexcept override {
    State& state = slots_[slot.index];
    count_window(state, slot, left, view.now);
    if (before.shared == Cells{}) state.busy_since = view.now;
    settle_congestion(state, slot, view);
  }

 private:
  struct State {
    Cycle busy_since;                       // w > 0 from here on
    std::uint64_t window{0};                // number of the window of the last move
    std::uint64_t left{0}, left_before{0};  // cells that left in it, and in the one before
    bool congested{false};
  };

  // d counts only where the slot had cells all through the last whole window.
  [[nodiscard]] std::uint64_t drained(const SharingSlot& slot, Cycle now) const noexcept {
    const State& state = slots_[slot.index];
    const std::uint64_t window = slot.setting.window.count(), number = now.count() / window;
    const bool measured = slot.held.shared != Cells{} && number != 0 &&
                          state.busy_since.count() <= (number - 1) * window;
    if (!measured) return slot.cells_in_window;
    const std::uint64_t left = state.window == number       ? state.left_before
                               : state.window == number - 1 ? state.left
                                                            : 0;
    return std::min<std::uint64_t>(left, slot.cells_in_window);
  }
  static void count_window(State& state, const SharingSlot& slot, Cells left, Cycle now) noexcept {
    const std::uint64_t number = now.count() / slot.setting.window.count();
    if (state.window != number) {
      state.left_before = state.window + 1 == number ? state.left : 0;
      state.left = 0;
      state.window = number;
    }
    state.left += left.count();
  }
  // Congested: w >= 0.9 T, judged with the number of congested slots before.
  void settle_congestion(State& state, const SharingSlot& slot, const SharingView& view) noexcept {
    const std::uint64_t held = slot.held.shared.count();
    const bool congested = held != 0 && held * 10 >= std::uint64_t{limit(slot, view).count()} * 9;
    if (congested == state.congested) return;
    state.congested = congested;
    std::uint32_t& count = congested_[slot.rows.priority];
    count = congested ? count + 1 : count - 1;
  }

  IndexedVector<SlotIndex, State> slots_;
  IndexedVector<ClassRow, std::uint32_t> congested_;
};

}  // namespace

std::unique_ptr<SharingPolicy> make_abm(const SharingShape& shape) {
  return std::make_unique<Abm>(shape);
}

}  // namespace weir::policies
