// SPDX-License-Identifier: Apache-2.0
#include "bare_loop.hpp"

#include <algorithm>
#include <limits>

namespace weir::bench {

BareLoop::BareLoop(const Chip& chip)
    : groups_(chip.ports.size() * priorities),
      pool_{chip.ingress_pools.front().shared.count()},
      headroom_pool_{chip.ingress_pools.front().dedicated_headroom
                         ? std::numeric_limits<std::uint32_t>::max()
                         : chip.ingress_pools.front().headroom.count()} {
  for (const Profile& p : chip.profiles)
    settings_.push_back({p.private_cells.count(), p.headroom.count(), p.xon.count(),
                         p.xon_offset.count(), p.threshold.alpha.numerator,
                         p.threshold.alpha.shift});
  for (std::size_t i = 0; i < groups_.size(); ++i)
    groups_[i].settings = static_cast<std::uint8_t>(chip.profile_of_pg[PgIndex{i}]->value());
}

bool BareLoop::set_level(Group& group, bool up, bool down) noexcept {
  const bool empty = group.own + group.shared + group.headroom == 0;
  const bool after = !empty && (up || (group.xoff != 0 && !down));
  const bool changed = after != (group.xoff != 0);
  group.xoff = after ? 1 : 0;
  return changed;
}

bool BareLoop::arrive(PgIndex pg, std::uint32_t n) noexcept {
  Group& group = groups_[pg.value()];
  const Settings& s = settings_[group.settings];
  const std::uint32_t own = std::min(n, s.phi - group.own);
  const std::uint32_t rest = n - own;
  bool pressed = false;
  if (rest == 0 || (group.shared < threshold(s) && shared_ + rest <= pool_)) {
    group.own += own;
    group.shared += rest;
    shared_ += rest;
  } else {
    pressed = true;
    if (group.headroom + rest <= s.eta && headroom_ + rest <= headroom_pool_) {
      group.own += own;
      group.headroom += rest;
      headroom_ += rest;
    }
  }
  const std::uint32_t t = threshold(s);
  const bool up = pressed || (group.own == s.phi && group.shared >= t);
  const std::uint32_t resume = std::max(s.xon, t > s.xon_offset ? t - s.xon_offset : 0);
  return set_level(group, up, !up && group.headroom == 0 && group.shared <= resume);
}

bool BareLoop::release(PgIndex pg, std::uint32_t n) noexcept {
  Group& group = groups_[pg.value()];
  const Settings& s = settings_[group.settings];
  const std::uint32_t headroom = std::min(n, group.headroom);
  const std::uint32_t shared = std::min(n - headroom, group.shared);
  group.headroom -= headroom;
  group.shared -= shared;
  group.own -= n - headroom - shared;
  headroom_ -= headroom;
  shared_ -= shared;
  if (group.xoff == 0) return false;
  const std::uint32_t t = threshold(s);
  const bool up = group.own == s.phi && group.shared >= t;
  const std::uint32_t resume = std::max(s.xon, t > s.xon_offset ? t - s.xon_offset : 0);
  return set_level(group, false, !up && group.headroom == 0 && group.shared <= resume);
}

std::uint64_t BareLoop::replay(const StepTrace& trace) noexcept {
  std::uint64_t changes = 0;
  for (const Step& step : trace.steps)
    changes += (step.release ? release(step.pg, step.cells) : arrive(step.pg, step.cells)) ? 1 : 0;
  return changes;
}

}  // namespace weir::bench
