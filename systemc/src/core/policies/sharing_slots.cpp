// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/sharing_slots.hpp"

#include <algorithm>

namespace weir {

SharingSlots::SharingSlots(const SharingShape& shape)
    : shape_{shape},
      slots_(shape.slots),
      entries_(shape.slots),
      policies_(policy_table().size()),
      port_shared_(shape.ports) {}

SharingSlots::SharingSlots(const SharingSlots& other)
    : shape_{other.shape_},
      slots_{other.slots_},
      entries_{other.entries_},
      port_shared_{other.port_shared_},
      last_{other.last_} {
  for (const auto& policy : other.policies_)
    policies_.push_back(policy ? policy->clone() : nullptr);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Entry& entry = entries_[SlotIndex{i}];
    if (entry.policy == nullptr) continue;
    const Policy policy = slots_[SlotIndex{i}].setting.policy;
    entry.policy = policies_[static_cast<std::size_t>(policy)].get();
  }
}

void SharingSlots::set(const SharingSlot& slot) {
  const SharingSlot::Held held = slots_[slot.index].held;
  slots_[slot.index] = slot;
  slots_[slot.index].held = held;
  const PolicyRow& row = row_of(slot.setting.policy);
  std::unique_ptr<SharingPolicy>& policy = policies_[static_cast<std::size_t>(row.policy)];
  if (row.rule != nullptr && !policy) policy = row.rule(shape_);
  entries_[slot.index] = {policy.get(), row.insured};
}

SharingView SharingSlots::view(const SharingSlot& slot, Cells used, Cycle now) const noexcept {
  return {used, port_shared_[slot.rows.port], std::max(now, last_)};
}

Cells SharingSlots::limit(SlotIndex index, Cells used, Cycle now) const noexcept {
  const SharingSlot& slot = slots_[index];
  const SharingPolicy* const policy = entries_[index].policy;
  return policy == nullptr ? slot.line.at(used) : policy->limit(slot, view(slot, used, now));
}

Cells SharingSlots::admission_limit(SlotIndex index, Cells used, Cycle now) const noexcept {
  const SharingSlot& slot = slots_[index];
  const SharingPolicy* const policy = entries_[index].policy;
  return policy == nullptr ? slot.line.at(used)
                           : policy->admission_limit(slot, view(slot, used, now));
}

void SharingSlots::moved(SlotIndex index, const SharingSlot::Held& held, Cells left, Cells used,
                         Cycle now) noexcept {
  SharingSlot& slot = slots_[index];
  last_ = std::max(last_, now);
  Cells& of_port = port_shared_[slot.rows.port];
  of_port = of_port - slot.held.shared + held.shared;
  const SharingSlot::Held before = slot.held;
  slot.held = held;
  if (SharingPolicy* const policy = entries_[index].policy)
    policy->moved(slot, before, left, {used, of_port, now});
}

void SharingSlots::judge_port(SlotIndex index, const SharingPolicy::PortStep& step,
                              Cells used) noexcept {
  if (SharingPolicy* const policy = entries_[index].policy)
    policy->judge_port(slots_[index], step, used);
}

bool SharingSlots::port_off(PortRow port_row) const noexcept {
  return std::any_of(policies_.begin(), policies_.end(),
                     [&](const auto& policy) { return policy && policy->port_off(port_row); });
}

}  // namespace weir
