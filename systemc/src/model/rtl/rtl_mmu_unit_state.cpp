// SPDX-License-Identifier: Apache-2.0
// What the unit shows: the state that the verdicts of the RTL add up to, its registers at the end,
// its signals in a waveform.
#include <algorithm>
#include <utility>

#include "weir/model/rtl/rtl_mmu_unit.hpp"
#include "weir/model/rtl/rtl_registers.hpp"

namespace weir {
namespace {

constexpr std::uint64_t cycles_after = 20;  // that a waveform shows after a difference

}  // namespace

std::string RtlMmuUnit::open_wave(Taker taker) {
  return rtl_->open_wave(
      [this, take = std::move(taker)](std::uint64_t half_cycle, std::string_view changes) {
        take(half_edge(half_cycle, core_.chip().clock), changes);
      });
}

std::size_t RtlMmuUnit::wave_parts(std::string_view signal) const {
  for (const MmuPinRow& pin : mmu_pins)
    if (signal == pin.name) return pin.parts(rtl_->shape());
  return 1;
}

// What is requested at the current edge is not known yet, and its verdicts are not due.
void RtlMmuUnit::catch_up(Picoseconds now) {
  const std::uint64_t cycle = edges_.cycle_at_or_after(now).count();
  if (2 < cycle) run_to(cycle - 2);
}

Picoseconds RtlMmuUnit::wave_lag() const { return edges_.time(Cycle{admit_ + 3}); }

// Some cycles more, for the waveform alone: they are not compared.
void RtlMmuUnit::run_on() {
  engine_.clear_grants();
  auto next = pending_.begin();
  for (std::uint64_t i = 0; i < cycles_after; ++i) {
    while (next != pending_.end() && next->cycle < rtl_->cycle()) ++next;
    if (next != pending_.end() && next->cycle == rtl_->cycle()) drive(*next);
    if (!departures_.empty()) present_departures();
    rtl_->clock();
    engine_.clear_grants();
  }
}

void RtlMmuUnit::finish() {
  while (!pending_.empty() || !engine_.nothing_expected() || !departures_.empty()) run_one_cycle();
  if (marker_ != nullptr) marker_->finish();
  while (!marks_.nothing_expected()) run_one_cycle();
  if (in_lockstep()) return check_registers();
  core_.load_snapshot(held_, queues_);
  core_.load_snapshot(read_state(*rtl_, core_.chip()));
}

// T with a threshold_lag is read once it has caught up with S: a read takes cycles of its own.
void RtlMmuUnit::check_registers() {
  for (std::uint64_t n = 0; n < core_.chip().threshold_lag; ++n) rtl_->clock();
  RegisterTarget settled = registers_;
  settled.now = Cycle{rtl_->cycle()};
  if (const auto found = first_difference(*rtl_, settled))
    differ({found->where, found->name, std::to_string(found->expected),
            std::to_string(found->actual)});
}

void RtlMmuUnit::show_arrival(PgIndex pg, const Verdict& verdict) {
  held_.charge(pg, core_.settings_of(pg).pool_domain, verdict.placement, requested());
  show_step(pg, verdict.pfc.xoff);
}

void RtlMmuUnit::show_release(PgIndex pg, Cells freed, const PfcLevel& level) {
  held_.release(pg, core_.settings_of(pg).pool_domain, freed, requested());
  show_step(pg, level.xoff);
}

void RtlMmuUnit::show_step(PgIndex pg, bool xoff) {
  const PoolIndex pool = core_.settings_of(pg).pool_domain;
  shown_.pgs[pg] = held_.pg(pg);
  shown_.pools[pool] = held_.pool(pool);
  shown_.xoff[pg] = xoff ? 1 : 0;
  if (!admission_.steps_are_watched()) return;
  core_.load_snapshot(held_, queues_);
  core_.load_snapshot(shown_);
  admission_.report_step(pg, edges_.time(requested()));
}

}  // namespace weir
