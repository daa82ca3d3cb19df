// SPDX-License-Identifier: Apache-2.0
#include "policies/dsh.hpp"

#include "policies/shares.hpp"

namespace weir::policies {
namespace {

class Dsh final : public SharingPolicy {
 public:
  explicit Dsh(const SharingShape& shape) : ports_(shape.ports) {}

  [[nodiscard]] std::unique_ptr<SharingPolicy> clone() const override {
    return std::make_unique<Dsh>(*this);
  }
  [[nodiscard]] Cells limit(const SharingSlot& slot,
                            const SharingView& view) const noexcept override {
    return saturating_subtract(slot.line.at(view.used), slot.headroom);
  }
  [[nodiscard]] Cells admission_limit(const SharingSlot& slot,
                                      const SharingView& view) const noexcept override {
    const Port& port = ports_[slot.rows.port];
    if (port.off) return Cells{};
    return own_part(slot.held.shared, port_limit(slot, view.used), port.held.shared);
  }
  void moved(const SharingSlot& slot, const SharingSlot::Held& before, Cells,
             const SharingView&) noexcept override {
    SharingSlot::Held& port = ports_[slot.rows.port].held;
    port.shared = port.shared - before.shared + slot.held.shared;
    port.headroom = port.headroom - before.headroom + slot.held.headroom;
    port.total = port.total - before.total + slot.held.total;
  }
  void judge_port(const SharingSlot& slot, const PortStep& step, Cells used) noexcept override {
    Port& port = ports_[slot.rows.port];
    const std::uint64_t limit = port_limit(slot, used), offset = slot.xon_offset.count();
    const std::uint64_t xon = limit > offset ? limit - offset : 0;
    const bool due = step.pressed || (step.next_is_shared && port.held.shared.count() >= limit);
    const bool below_xon = port.held.headroom == Cells{} && port.held.shared.count() <= xon;
    if (port.held.total == Cells{} || (!due && below_xon)) {
      port.off = false;
    } else if (due) {
      port.off = port.off || step.arrival;
    }
  }
  [[nodiscard]] bool port_off(PortRow port_row) const noexcept override {
    return ports_[port_row].off;
  }
  [[nodiscard]] Cells insurance_used(PortRow port_row) const noexcept override {
    return ports_[port_row].held.headroom;
  }

 private:
  struct Port {
    SharingSlot::Held held;  // by slots under dsh
    bool off{false};
  };

  [[nodiscard]] static std::uint64_t port_limit(const SharingSlot& slot, Cells used) noexcept {
    return std::uint64_t{slot.insured_groups} * slot.line.at(used).count();
  }

  IndexedVector<PortRow, Port> ports_;
};

}  // namespace

std::unique_ptr<SharingPolicy> make_dsh(const SharingShape& shape) {
  return std::make_unique<Dsh>(shape);
}

}  // namespace weir::policies
