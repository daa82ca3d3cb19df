// SPDX-License-Identifier: Apache-2.0
#include "weir/core/mmu_settings.hpp"

#include <algorithm>

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
  settings.pool_domain = pool_index(chip, profile.pool, domain);
  settings.lossless = profile.lossless;
  settings.xoff_trigger =
      row_of(profile.threshold.policy).insured ? XoffTrigger::on_crossing : profile.xoff_trigger;
  settings.xon_rule = profile.xon_rule;
  return settings;
}

bool shares_by_more_than_pool(const Chip& chip) {
  const auto by_more = [](const auto& profile) {
    return row_of(profile.threshold.policy).rule != nullptr;
  };
  return std::any_of(chip.profiles.begin(), chip.profiles.end(), by_more) ||
         std::any_of(chip.queue_profiles.begin(), chip.queue_profiles.end(), by_more);
}

const Chip& checked(const Chip& chip) {
  chip.check();
  return chip;
}

// Held cells are counted against these: they must stay while packets are in the buffer.
void require_same_segments(const Profile& now, const Profile& wanted) {
  const bool same = now.lossless == wanted.lossless && now.pool == wanted.pool &&
                    now.private_cells == wanted.private_cells && now.headroom == wanted.headroom &&
                    now.xoff_trigger == wanted.xoff_trigger && now.xon_rule == wanted.xon_rule &&
                    row_of(now.threshold.policy).rule == row_of(wanted.threshold.policy).rule;
  if (same) return;
  throw ConfigError{"profile." + now.name,
                    "another class, pool, private, headroom, rule or kind of policy",
                    "only threshold, xon and xon_offset may change while the chip runs"};
}

}  // namespace

MmuSettings::MmuSettings(const Chip& chip)
    : chip_{checked(chip)},
      domain_of_pg_(chip.ports.size() * priorities),
      settings_of_pg_(chip.ports.size() * priorities, 0),
      has_policies_{shares_by_more_than_pool(chip)} {
  for (PgIndex pg; pg < domain_of_pg_.end_index(); ++pg)
    domain_of_pg_[pg] = chip.ports[port_of(pg).count()].domain;
  settings_.emplace_back();
  for (const Profile& profile : chip_.profiles)
    for (std::uint32_t domain = 0; domain < chip_.domains; ++domain)
      settings_.push_back(resolve(chip_, profile, DomainId{static_cast<std::uint8_t>(domain)}));
  for (PgIndex pg; pg < chip_.profile_of_pg.end_index(); ++pg)
    if (const auto& profile = chip_.profile_of_pg[pg])
      settings_of_pg_[pg] = static_cast<std::uint16_t>(1 + profile->value() * chip_.domains +
                                                       domain_of_pg(pg).count());
}

void MmuSettings::set_profile(ProfileIndex index, const Profile& profile) {
  require_same_segments(chip_.profiles.at(index), profile);
  std::vector<PgSettings> resolved;
  for (std::uint32_t domain = 0; domain < chip_.domains; ++domain)
    resolved.push_back(resolve(chip_, profile, DomainId{static_cast<std::uint8_t>(domain)}));
  chip_.profiles[index] = profile;
  const std::size_t first = 1 + index.value() * chip_.domains;
  std::copy(resolved.begin(), resolved.end(),
            settings_.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace weir
