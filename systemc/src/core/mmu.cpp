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
  // dsh has its own rule for XOFF: w >= T - eta, whichever trigger the profile names.
  settings.xoff_trigger = policy_rule(profile.threshold.policy) == PolicyRule::dsh
                              ? XoffTrigger::on_crossing
                              : profile.xoff_trigger;
  settings.xon_rule = profile.xon_rule;
  return settings;
}

bool shares_by_more_than_pool(const Chip& chip) {
  const auto by_more = [](const auto& profile) {
    return policy_rule(profile.threshold.policy) != PolicyRule::line;
  };
  return std::any_of(chip.profiles.begin(), chip.profiles.end(), by_more) ||
         std::any_of(chip.queue_profiles.begin(), chip.queue_profiles.end(), by_more);
}

// What a PG and a queue have alike. `port` is whose line drains it.
SharingSetting sharing_setting(const Chip& chip, const ThresholdSetting& wanted,
                               const Threshold& line, Cells pool, std::size_t port) {
  SharingSetting setting;
  setting.rule = policy_rule(wanted.policy);
  setting.line = line;
  setting.port_line = Threshold{pool, wanted.port_alpha, Cells{}};
  setting.pool = pool;
  setting.window = wanted.window;
  setting.burst = wanted.burst;
  const std::uint64_t bytes =
      wanted.window.count() * chip.clock.count() / byte_time(chip.ports[port].rate).count();
  const std::uint64_t cells = bytes / chip.cell.count();
  setting.capacity = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::max<std::uint64_t>(cells, 1), 0xffff'ffffU));
  return setting;
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
                    policy_rule(now.threshold.policy) == policy_rule(wanted.threshold.policy);
  if (same) return;
  throw ConfigError{"profile." + now.name,
                    "another class, pool, private, headroom, rule or kind of policy",
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
  assign_settings();
  policies_ = shares_by_more_than_pool(chip);
  plain_ = !policies_ && chip.threshold_lag == 0;
  if (!policies_) return;
  share_pgs();
  share_queues();
}

void Mmu::assign_settings() {
  settings_.emplace_back();
  for (const Profile& profile : chip_.profiles)
    for (std::uint32_t domain = 0; domain < chip_.domains; ++domain)
      settings_.push_back(resolve(chip_, profile, DomainId{static_cast<std::uint8_t>(domain)}));
  for (std::size_t pg = 0; pg < chip_.profile_of_pg.size(); ++pg)
    if (const auto& profile = chip_.profile_of_pg[pg])
      settings_of_pg_[pg] =
          static_cast<std::uint16_t>(1 + *profile * chip_.domains + domain_of_pg(pg).count());
}

void Mmu::share_pgs() {
  const std::size_t pools = chip_.ingress_pools.size(), rows = pools * chip_.domains;
  if (pg_sharing_.slots() == 0)
    pg_sharing_ = SharingPolicy{chip_.profile_of_pg.size(), chip_.ports.size() * pools,
                                rows * priorities, rows};
  for (std::size_t pg = 0; pg < chip_.profile_of_pg.size(); ++pg) {
    if (!has_profile(pg)) continue;
    const Profile& profile = chip_.profiles[*chip_.profile_of_pg[pg]];
    const std::size_t port = pg / priorities, row = settings_of(pg).pool_domain;
    const Cells pool = settings_of(pg).shared_pool;
    SharingSetting setting =
        sharing_setting(chip_, profile.threshold, settings_of(pg).threshold, pool, port);
    setting.headroom = profile.headroom;
    setting.xon_offset = profile.xon_offset;
    setting.insurance = insurance_of(chip_, profile.pool, port);
    setting.port_queues = dsh_groups(chip_, profile.pool, port);
    pg_sharing_.set(pg, setting,
                    {port * pools + profile.pool, row * priorities + pg % priorities, row});
  }
}

void Mmu::share_queues() {
  const std::size_t queues = chip_.profile_of_queue.size(), ports = chip_.ports.size();
  const std::size_t pools = chip_.egress_pools.size(), rows = pools * chip_.domains;
  queue_sharing_ =
      SharingPolicy{queues * chip_.domains, chip_.domains * ports * pools, rows * priorities, rows};
  for (std::uint32_t domain = 0; domain < chip_.domains; ++domain) {
    for (std::size_t queue = 0; queue < queues; ++queue) {
      const auto& index = chip_.profile_of_queue[queue];
      if (!index) continue;
      const QueueProfile& profile = chip_.queue_profiles[*index];
      const DomainId of{static_cast<std::uint8_t>(domain)};
      const std::size_t port = queue / priorities, row = profile.pool * chip_.domains + domain;
      queue_sharing_.set(queue_slot(queue, of),
                         sharing_setting(chip_, profile.threshold, egress_.line(queue, of),
                                         chip_.egress_pools[profile.pool].shared, port),
                         {(domain * ports + port) * pools + profile.pool,
                          row * priorities + queue % priorities, row});
    }
  }
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
  if (policies_) share_pgs();
}

Verdict Mmu::arrive_by_policy(std::size_t pg, Cells n, Bytes length, std::size_t queue, Cycle now) {
  return arrive_as<false>(pg, n, length, queue, now);
}

PfcLevel Mmu::release_by_policy(std::size_t pg, Cells n, std::size_t queue, bool last, Cycle now) {
  const DomainId domain = domain_of_pg(pg);
  if (egress_.limited(queue)) {
    egress_.release(queue, domain, n);
    queue_moved(queue, domain, n, now);
  }
  const PgSettings& settings = settings_of(pg);
  if (last) {
    ingress_.release(pg, settings.pool_domain, n, now);
    pg_moved(pg, n, now);
  }
  if (!settings.lossless) return {};
  PfcLevel level = pfc_.after_release(pg, settings, ingress_.pg(pg), limit_of_pg(pg, now));
  level.port_changed = judge_port(pg, false, false, now);
  return level;
}

Cells Mmu::limit_of_pg(std::size_t pg, Cycle now) const noexcept {
  const PgSettings& settings = settings_of(pg);
  const Cells used = ingress_.shared_seen(settings.pool_domain, now);
  return policies_ ? pg_sharing_.limit(pg, used, now) : settings.threshold.at(used);
}

// dsh: the limit of the port in place of T, and its insurance in place of the headroom pool.
Decision Mmu::decide_by_policy(std::size_t pg, Cells n, Cells threshold, Cycle now) const noexcept {
  const PgSettings& settings = settings_of(pg);
  const PoolUse& use = ingress_.pool(settings.pool_domain);
  if (!policies_ || !pg_sharing_.has_insurance(pg))
    return decide(settings, ingress_.pg(pg), use, threshold, n);
  PgSettings with_insurance = settings;
  with_insurance.headroom_pool = pg_sharing_.insurance(pg);
  const PoolUse of_port{use.shared, pg_sharing_.insurance_used(pg), Cells{}};
  const Cells used = ingress_.shared_seen(settings.pool_domain, now);
  return decide(with_insurance, ingress_.pg(pg), of_port,
                pg_sharing_.admission_limit(pg, used, now), n);
}

void Mmu::pg_moved(std::size_t pg, Cells left, Cycle now) noexcept {
  if (!policies_) return;
  const Placement& held = ingress_.pg(pg);
  pg_sharing_.moved(pg, held.shared, held.headroom, held.total(), left,
                    ingress_.shared_seen(settings_of(pg).pool_domain, now), now);
}

void Mmu::queue_moved(std::size_t queue, DomainId domain, Cells left, Cycle now) noexcept {
  if (!policies_) return;
  const QueueUse& held = egress_.queue(queue, domain);
  queue_sharing_.moved(queue_slot(queue, domain), held.shared, Cells{}, held.minimum + held.shared,
                       left, egress_.pool_of(queue, domain), now);
}

bool Mmu::judge_port(std::size_t pg, bool arrival, bool pressed, Cycle now) noexcept {
  if (!policies_ || !pg_sharing_.has_insurance(pg)) return false;
  const PortId port{static_cast<std::uint16_t>(pg / priorities)};
  const bool before = port_off(port);
  const PgSettings& settings = settings_of(pg);
  pg_sharing_.judge_port(pg, arrival, pressed,
                         ingress_.pg(pg).private_cells == settings.private_limit,
                         ingress_.shared_seen(settings.pool_domain, now));
  return port_off(port) != before;
}

bool Mmu::port_off(PortId port) const noexcept {
  if (!policies_) return false;
  const std::size_t pools = chip_.ingress_pools.size();
  for (std::size_t pool = 0; pool < pools; ++pool)
    if (pg_sharing_.port_off(port.count() * pools + pool)) return true;
  return false;
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
    const bool refused = egress_.limited(queue) && !queue_accepts<false>(queue, domain, n, now);
    if (refused) stats_.queue_refused(queue);
    return refused;
  };
  queues.erase(std::remove_if(queues.begin(), queues.end(), refuses), queues.end());
  const Verdict verdict = admit_at_ingress<false>(pg, n, length, !queues.empty(), now);
  if (!verdict.admitted()) {
    queues.clear();
    return verdict;
  }
  for (const std::size_t queue : queues) {
    if (egress_.limited(queue)) charge_queue<false>(queue, domain, n, now);
    stats_.queued(queue, length);
  }
  return verdict;
}

std::uint8_t Mmu::xoff_classes(PortId port) const noexcept {
  if (port_off(port)) return 0xff;
  unsigned classes = 0;
  for (std::size_t priority = 0; priority < priorities; ++priority)
    if (pfc_.xoff(port.count() * priorities + chip_.pg_of_priority[priority]))
      classes |= 1U << priority;
  return static_cast<std::uint8_t>(classes);
}

}  // namespace weir
