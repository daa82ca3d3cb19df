// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/thresholds.hpp"

#include <algorithm>

namespace weir {
namespace {

// What a PG and a queue have alike. `port` is whose line drains it.
SharingSlot sharing_slot(const Chip& chip, const ThresholdSetting& wanted, const Threshold& line,
                         Cells pool, PortId port) {
  SharingSlot slot;
  slot.setting = wanted;
  slot.line = line;
  slot.pool = pool;
  const std::uint64_t bytes =
      chip.clock.min_time(wanted.window).count() / byte_time(chip.ports[port.count()].rate).count();
  const std::uint64_t cells = bytes / chip.cell.count();
  slot.cells_in_window = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::max<std::uint64_t>(cells, 1), 0xffff'ffffU));
  return slot;
}

ClassRow class_row(PoolRow pool, Priority number) {
  return ClassRow{pool.value() * priorities + number.count()};
}

}  // namespace

Thresholds::Thresholds(const MmuSettings& settings)
    : settings_{settings}, has_policies_{settings.has_policies()} {
  const Chip& chip = settings.chip();
  for (QueueProfileIndex profile; profile < chip.queue_profiles.end_index(); ++profile)
    queue_lines_.push_back(queue_line(chip, profile));
  if (!has_policies_) return;
  share_pgs();
  share_queues();
}

void Thresholds::share_pgs() {
  const Chip& chip = settings_.chip();
  const std::size_t pools = chip.ingress_pools.size(), rows = pools * chip.domains;
  if (pg_sharing_.size() == 0) {
    SharingShape shape;
    shape.slots = chip.profile_of_pg.size();
    shape.ports = chip.ports.size() * pools;
    shape.classes = rows * priorities;
    shape.pools = rows;
    pg_sharing_ = SharingSlots{shape};
  }
  for (PgIndex pg; pg < chip.profile_of_pg.end_index(); ++pg) {
    if (!settings_.has_profile(pg)) continue;
    const Profile& profile = chip.profiles[*chip.profile_of_pg[pg]];
    const PortId port = port_of(pg);
    const PoolIndex row = settings_.of(pg).pool_domain;
    SharingSlot slot = sharing_slot(chip, profile.threshold, settings_.of(pg).threshold,
                                    settings_.of(pg).shared_pool, port);
    slot.index = slot_of(pg);
    slot.rows = {PortRow{port.count() * pools + profile.pool.value()},
                 class_row(PoolRow{row.value()}, number_in_port(pg)), PoolRow{row.value()}};
    slot.headroom = profile.headroom;
    slot.xon_offset = profile.xon_offset;
    slot.insurance = insurance_of(chip, profile.pool, port);
    slot.insured_groups = insured_groups(chip, profile.pool, port);
    pg_sharing_.set(slot);
  }
}

void Thresholds::share_queues() {
  const Chip& chip = settings_.chip();
  const std::size_t queues = chip.profile_of_queue.size(), ports = chip.ports.size();
  const std::size_t pools = chip.egress_pools.size(), rows = pools * chip.domains;
  SharingShape shape;
  shape.slots = queues * chip.domains;
  shape.ports = chip.domains * ports * pools;
  shape.classes = rows * priorities;
  shape.pools = rows;
  queue_sharing_ = SharingSlots{shape};
  for (std::uint32_t domain = 0; domain < chip.domains; ++domain) {
    for (QueueIndex queue; queue < chip.profile_of_queue.end_index(); ++queue) {
      const auto& index = chip.profile_of_queue[queue];
      if (!index) continue;
      const QueueProfile& profile = chip.queue_profiles[*index];
      const DomainId of{static_cast<std::uint8_t>(domain)};
      const PortId port = port_of(queue);
      const EgressPoolIndex row = egress_pool_index(chip, profile.pool, of);
      SharingSlot slot = sharing_slot(chip, profile.threshold, queue_lines_[*index],
                                      chip.egress_pools[profile.pool].shared, port);
      slot.index = slot_of(queue, of);
      slot.rows = {PortRow{(domain * ports + port.count()) * pools + profile.pool.value()},
                   class_row(PoolRow{row.value()}, number_in_port(queue)), PoolRow{row.value()}};
      queue_sharing_.set(slot);
    }
  }
}

bool Thresholds::judge_port(PgIndex pg, bool arrival, bool pressed, bool private_full,
                            Cells used) noexcept {
  if (!has_policies_ || !pg_sharing_.insured(slot_of(pg))) return false;
  const PortId port = port_of(pg);
  const bool before = port_off(port);
  pg_sharing_.judge_port(slot_of(pg), {arrival, pressed, private_full}, used);
  return port_off(port) != before;
}

bool Thresholds::port_off(PortId port) const noexcept {
  if (!has_policies_) return false;
  const std::size_t pools = settings_.chip().ingress_pools.size();
  for (std::size_t pool = 0; pool < pools; ++pool)
    if (pg_sharing_.port_off(PortRow{port.count() * pools + pool})) return true;
  return false;
}

}  // namespace weir
