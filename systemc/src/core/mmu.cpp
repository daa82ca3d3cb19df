// SPDX-License-Identifier: Apache-2.0
#include "weir/core/mmu.hpp"

#include "weir/core/congestion/ecn_marker.hpp"

namespace weir {

template class MmuStep<PlainParts>;

struct Mmu::Owned {
  explicit Owned(const Chip& chip)
      : settings{chip}, ingress{chip}, thresholds{settings}, egress{chip}, pfc{chip}, stats{chip} {}

  Owned(const MmuSettings& other, const MmuParts& parts)
      : settings{other},
        ingress{*parts.ingress},
        thresholds{*parts.thresholds, settings},
        egress{*parts.egress},
        pfc{*parts.pfc},
        stats{*parts.stats} {}

  [[nodiscard]] MmuParts parts() noexcept { return {&ingress, &thresholds, &egress, &pfc, &stats}; }

  MmuSettings settings;
  IngressAccounting ingress;
  Thresholds thresholds;
  EgressAccounting egress;
  PfcState pfc;
  StatsCounters stats;
};

Mmu::Mmu(const Chip& chip) : Mmu{std::make_unique<Owned>(chip)} {}

Mmu::Mmu(const Mmu& other) : Mmu{std::make_unique<Owned>(other.settings_, other.parts_)} {}

Mmu::Mmu(std::unique_ptr<Owned> owned) : Mmu{owned->settings, owned->parts()} {
  owned_ = std::move(owned);
}

Mmu::Mmu(MmuSettings& settings, const MmuParts& parts)
    : settings_{settings}, parts_{parts}, plain_{settings, PlainParts{settings, parts}} {
  if (!settings.is_plain()) stepper_ = std::make_unique<MmuStep<MmuParts>>(settings, parts);
}

Mmu::~Mmu() = default;

Verdict Mmu::arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues, Cycle now) {
  return stepper_ ? stepper_->arrive(pg, n, length, queues, now)
                  : plain_.arrive(pg, n, length, queues, now);
}

void Mmu::set_profile(ProfileIndex index, const Profile& profile) {
  settings_.set_profile(index, profile);
  if (stepper_) stepper_->settings_changed();
}

const EcnMarker* Mmu::marker() const {
  return marker_owner_ == nullptr ? nullptr : &marker_owner_->marker_now();
}

void Mmu::clear_stats() {
  parts_.stats->clear();
  if (stepper_) stepper_->clear_stats();
  if (marker_owner_ != nullptr) marker_owner_->clear_marker();
}

void Mmu::load_snapshot(const MmuState& state) {
  parts_.ingress->load_snapshot(state.pgs, state.pools);
  for (PgIndex pg; pg < state.xoff.end_index(); ++pg)
    parts_.pfc->load_snapshot(pg, state.xoff[pg] != 0);
  parts_.stats->load_snapshot(state.pg_counters, state.queue_counters, state.pool_marks);
}

std::uint8_t Mmu::xoff_classes(PortId port) const {
  if (port_off(port)) return 0xff;
  unsigned classes = 0;
  for (std::size_t priority = 0; priority < priorities; ++priority)
    if (pfc().xoff(pg_index(port, Priority{chip().pg_of_priority[priority]})))
      classes |= 1U << priority;
  return static_cast<std::uint8_t>(classes);
}

}  // namespace weir
