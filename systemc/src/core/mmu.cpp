// SPDX-License-Identifier: Apache-2.0
#include "weir/core/mmu.hpp"

#include <algorithm>
#include <cstddef>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

PgSettings resolve(const Chip& chip, const Profile& profile, DomainId domain) {
  const Pool& pool = chip.ingress_pools[profile.pool];
  PgSettings settings;
  settings.threshold =
      make_threshold({profile.threshold, pool.shared, pg_sharers(chip, profile.pool, domain)},
                     "profile." + profile.name);
  settings.private_limit = profile.private_cells;
  settings.shared_pool = pool.shared;
  settings.headroom_limit = profile.lossless ? profile.headroom : Cells{0};
  settings.headroom_pool = pool.dedicated_headroom ? Cells{0xffff'ffffU} : pool.headroom;
  settings.xon = profile.xon;
  settings.xon_offset = profile.xon_offset;
  settings.pool_domain = static_cast<std::uint32_t>(profile.pool * chip.domains + domain.count());
  settings.lossless = profile.lossless;
  settings.xoff_trigger = profile.xoff_trigger;
  settings.xon_rule = profile.xon_rule;
  return settings;
}

const Chip& checked(const Chip& chip) {
  chip.check();
  return chip;
}

// Held cells are counted against these: they must stay while packets are in the buffer.
void require_same_segments(const Profile& now, const Profile& wanted) {
  const bool same = now.lossless == wanted.lossless && now.pool == wanted.pool &&
                    now.private_cells == wanted.private_cells && now.headroom == wanted.headroom &&
                    now.xoff_trigger == wanted.xoff_trigger && now.xon_rule == wanted.xon_rule;
  if (same) return;
  throw ConfigError{"profile." + now.name, "another class, pool, private, headroom or rule",
                    "only threshold, xon and xon_offset may change while the chip runs"};
}

}  // namespace

Mmu::Mmu(const Chip& chip)
    : chip_{checked(chip)},
      ingress_{chip},
      egress_{chip},
      pfc_{chip.ports.size() * priorities},
      stats_{chip.ports.size() * priorities, chip.ingress_pools.size() * chip.domains},
      settings_of_pg_(chip.ports.size() * priorities, 0) {
  for (const PortSetting& port : chip.ports) domain_of_port_.push_back(port.domain);
  settings_.emplace_back();
  for (const Profile& profile : chip.profiles)
    for (std::uint32_t domain = 0; domain < chip.domains; ++domain)
      settings_.push_back(resolve(chip, profile, DomainId{static_cast<std::uint8_t>(domain)}));
  for (std::size_t pg = 0; pg < chip.profile_of_pg.size(); ++pg)
    if (const auto& profile = chip.profile_of_pg[pg])
      settings_of_pg_[pg] =
          static_cast<std::uint16_t>(1 + *profile * chip.domains + domain_of_pg(pg).count());
}

void Mmu::set_profile(std::size_t index, const Profile& profile) {
  require_same_segments(chip_.profiles.at(index), profile);
  std::vector<PgSettings> resolved;
  for (std::uint32_t domain = 0; domain < chip_.domains; ++domain)
    resolved.push_back(resolve(chip_, profile, DomainId{static_cast<std::uint8_t>(domain)}));
  chip_.profiles[index] = profile;
  const std::size_t first = 1 + index * chip_.domains;
  std::copy(resolved.begin(), resolved.end(),
            settings_.begin() + static_cast<std::ptrdiff_t>(first));
}

void Mmu::show(const MmuState& state) {
  ingress_.show(state.pgs, state.pools);
  for (std::size_t pg = 0; pg < state.xoff.size(); ++pg) pfc_.show(pg, state.xoff[pg] != 0);
  stats_.show(state.pg_counters, state.queue_counters, state.pool_marks);
}

Verdict Mmu::arrive(std::size_t pg, Cells n, Bytes length, std::vector<std::size_t>& queues,
                    Cycle now) {
  const DomainId domain = domain_of_pg(pg);
  const auto refuses = [&](std::size_t queue) {
    const bool refused = egress_.limited(queue) && !egress_.accepts(queue, domain, n);
    if (refused) stats_.queue_refused(queue);
    return refused;
  };
  queues.erase(std::remove_if(queues.begin(), queues.end(), refuses), queues.end());
  const Verdict verdict = admit_at_ingress(pg, n, length, !queues.empty(), now);
  if (!verdict.admitted()) {
    queues.clear();
    return verdict;
  }
  for (const std::size_t queue : queues) {
    if (egress_.limited(queue)) charge_queue(queue, domain, n);
    stats_.queued(queue, length);
  }
  return verdict;
}

std::uint8_t Mmu::xoff_classes(PortId port) const noexcept {
  unsigned classes = 0;
  for (std::size_t priority = 0; priority < priorities; ++priority)
    if (pfc_.xoff(port.count() * priorities + chip_.pg_of_priority[priority]))
      classes |= 1U << priority;
  return static_cast<std::uint8_t>(classes);
}

}  // namespace weir
