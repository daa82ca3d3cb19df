// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/sharing_policy.hpp"

#include <algorithm>

namespace weir {
namespace {

Cells cells_of(std::uint64_t count) {
  return Cells{static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xffff'ffffU))};
}

// w + what is left below the limit of the whole: w is below it while the whole is.
Cells own_part(Cells own, std::uint64_t whole_limit, Cells whole) {
  const std::uint64_t room = whole_limit > whole.count() ? whole_limit - whole.count() : 0;
  return cells_of(own.count() + room);
}

}  // namespace

SharingPolicy::SharingPolicy(std::size_t slots, std::size_t ports, std::size_t classes,
                             std::size_t pools)
    : slots_(slots), ports_(ports), congested_(classes, 0), bursts_(pools, 0) {}

void SharingPolicy::set(std::size_t slot, const SharingSetting& setting, Rows rows) {
  slots_[slot].setting = setting;
  slots_[slot].rows = rows;
}

Cells SharingPolicy::limit(std::size_t index, Cells used, Cycle now) const noexcept {
  const Slot& slot = slots_[index];
  const Cells line = slot.setting.line.at(used);
  const Cycle time = std::max(now, last_);
  switch (slot.setting.rule) {
    case PolicyRule::line:
      break;
    case PolicyRule::two_level:
      return std::min(line, own_part(slot.shared, slot.setting.port_line.at(used).count(),
                                     ports_[slot.rows.port].shared));
    case PolicyRule::dsh:
      return saturating_subtract(line, slot.setting.headroom);
    case PolicyRule::abm:
      return drained_share(slot, line, time);
    case PolicyRule::edt:
      return burst_limit(slot, line, time);
  }
  return line;
}

Cells SharingPolicy::admission_limit(std::size_t index, Cells used, Cycle now) const noexcept {
  const Slot& slot = slots_[index];
  if (slot.setting.rule != PolicyRule::dsh) return limit(index, used, now);
  const Port& port = ports_[slot.rows.port];
  if (port.off) return Cells{};
  return own_part(slot.shared, port_limit(slot, slot.setting.line.at(used)), port.dsh_shared);
}

// line x d / (c n). d counts only where the slot had cells all through the last whole window.
Cells SharingPolicy::drained_share(const Slot& slot, Cells line, Cycle now) const noexcept {
  const SharingSetting& setting = slot.setting;
  const std::uint64_t queues = std::max(congested_[slot.rows.priority], 1U);
  const std::uint64_t number = now.count() / setting.window.count();
  const bool measured = slot.shared != Cells{} && number != 0 &&
                        slot.busy_since.count() <= (number - 1) * setting.window.count();
  std::uint64_t drained = setting.capacity;
  if (measured) {
    const std::uint64_t left = slot.window == number       ? slot.left_before
                               : slot.window == number - 1 ? slot.left
                                                           : 0;
    drained = std::min<std::uint64_t>(left, setting.capacity);
  }
  return cells_of(line.count() * drained / (setting.capacity * queues));
}

SharingPolicy::Phase SharingPolicy::phase_at(const Slot& slot, Cells line,
                                             Cycle now) const noexcept {
  if (slot.shared == Cells{}) return Phase::ready;
  if (slot.phase == Phase::burst && slot.burst_start + slot.setting.burst <= now)
    return Phase::spent;
  if (slot.phase == Phase::ready && line <= slot.shared) return Phase::burst;
  return slot.phase;
}

Cells SharingPolicy::burst_limit(const Slot& slot, Cells line, Cycle now) const noexcept {
  if (phase_at(slot, line, now) != Phase::burst) return line;
  const std::uint32_t bursts = bursts_[slot.rows.pool] + (slot.phase == Phase::burst ? 0U : 1U);
  return std::max(line, Cells{slot.setting.pool.count() / bursts});
}

void SharingPolicy::moved(std::size_t index, Cells shared, Cells headroom, Cells total, Cells left,
                          Cells used, Cycle now) noexcept {
  Slot& slot = slots_[index];
  last_ = std::max(last_, now);
  Port& port = ports_[slot.rows.port];
  port.shared = port.shared - slot.shared + shared;
  if (slot.setting.rule == PolicyRule::dsh) {
    port.dsh_shared = port.dsh_shared - slot.shared + shared;
    port.headroom = port.headroom - slot.headroom + headroom;
    port.total = port.total - slot.total + total;
  }
  if (slot.setting.rule == PolicyRule::abm) count_window(slot, left, now);
  if (slot.shared == Cells{}) slot.busy_since = now;
  slot.shared = shared;
  slot.headroom = headroom;
  slot.total = total;
  if (slot.setting.rule == PolicyRule::abm) settle_congestion(slot, used, now);
  if (slot.setting.rule == PolicyRule::edt) settle_burst(slot, used, now);
}

void SharingPolicy::count_window(Slot& slot, Cells left, Cycle now) noexcept {
  const std::uint64_t number = now.count() / slot.setting.window.count();
  if (slot.window != number) {
    slot.left_before = slot.window + 1 == number ? slot.left : 0;
    slot.left = 0;
    slot.window = number;
  }
  slot.left += left.count();
}

// Congested: w >= 0.9 T, judged with the number of congested slots before.
void SharingPolicy::settle_congestion(Slot& slot, Cells used, Cycle now) noexcept {
  const Cells limit = drained_share(slot, slot.setting.line.at(used), now);
  const bool congested = slot.shared != Cells{} && std::uint64_t{slot.shared.count()} * 10 >=
                                                       std::uint64_t{limit.count()} * 9;
  if (congested == slot.congested) return;
  slot.congested = congested;
  std::uint32_t& count = congested_[slot.rows.priority];
  count = congested ? count + 1 : count - 1;
}

void SharingPolicy::settle_burst(Slot& slot, Cells used, Cycle now) noexcept {
  const Phase phase = phase_at(slot, slot.setting.line.at(used), now);
  if (phase == slot.phase) return;
  std::uint32_t& count = bursts_[slot.rows.pool];
  if (phase == Phase::burst) {
    ++count;
    slot.burst_start = now;
  } else if (slot.phase == Phase::burst) {
    --count;
  }
  slot.phase = phase;
}

void SharingPolicy::judge_port(std::size_t index, bool arrival, bool pressed, bool next_is_shared,
                               Cells used) noexcept {
  const Slot& slot = slots_[index];
  Port& port = ports_[slot.rows.port];
  const std::uint64_t limit = port_limit(slot, slot.setting.line.at(used));
  const std::uint64_t offset = slot.setting.xon_offset.count();
  const bool due = pressed || (next_is_shared && port.dsh_shared.count() >= limit);
  const bool below_xon =
      port.headroom == Cells{} && port.dsh_shared.count() <= (limit > offset ? limit - offset : 0);
  if (port.total == Cells{} || (!due && below_xon)) {
    port.off = false;
  } else if (due) {
    port.off = port.off || arrival;
  }
}

}  // namespace weir
