// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/thresholds.hpp"

#include <algorithm>

namespace weir {
namespace {

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

}  // namespace

Thresholds::Thresholds(const MmuSettings& settings)
    : settings_{settings}, has_policies_{settings.has_policies()} {
  const Chip& chip = settings.chip();
  for (std::size_t profile = 0; profile < chip.queue_profiles.size(); ++profile)
    queue_lines_.push_back(queue_line(chip, profile));
  if (!has_policies_) return;
  share_pgs();
  share_queues();
}

void Thresholds::share_pgs() {
  const Chip& chip = settings_.chip();
  const std::size_t pools = chip.ingress_pools.size(), rows = pools * chip.domains;
  if (pg_sharing_.slots() == 0)
    pg_sharing_ = SharingPolicy{chip.profile_of_pg.size(), chip.ports.size() * pools,
                                rows * priorities, rows};
  for (std::size_t pg = 0; pg < chip.profile_of_pg.size(); ++pg) {
    if (!settings_.has_profile(pg)) continue;
    const Profile& profile = chip.profiles[*chip.profile_of_pg[pg]];
    const std::size_t port = pg / priorities, row = settings_.of(pg).pool_domain;
    const Cells pool = settings_.of(pg).shared_pool;
    SharingSetting setting =
        sharing_setting(chip, profile.threshold, settings_.of(pg).threshold, pool, port);
    setting.headroom = profile.headroom;
    setting.xon_offset = profile.xon_offset;
    setting.insurance = insurance_of(chip, profile.pool, port);
    setting.port_queues = dsh_groups(chip, profile.pool, port);
    pg_sharing_.set(pg, setting,
                    {port * pools + profile.pool, row * priorities + pg % priorities, row});
  }
}

void Thresholds::share_queues() {
  const Chip& chip = settings_.chip();
  const std::size_t queues = chip.profile_of_queue.size(), ports = chip.ports.size();
  const std::size_t pools = chip.egress_pools.size(), rows = pools * chip.domains;
  queue_sharing_ =
      SharingPolicy{queues * chip.domains, chip.domains * ports * pools, rows * priorities, rows};
  for (std::uint32_t domain = 0; domain < chip.domains; ++domain) {
    for (std::size_t queue = 0; queue < queues; ++queue) {
      const auto& index = chip.profile_of_queue[queue];
      if (!index) continue;
      const QueueProfile& profile = chip.queue_profiles[*index];
      const DomainId of{static_cast<std::uint8_t>(domain)};
      const std::size_t port = queue / priorities, row = profile.pool * chip.domains + domain;
      queue_sharing_.set(queue_slot(queue, of),
                         sharing_setting(chip, profile.threshold, queue_lines_[*index],
                                         chip.egress_pools[profile.pool].shared, port),
                         {(domain * ports + port) * pools + profile.pool,
                          row * priorities + queue % priorities, row});
    }
  }
}

bool Thresholds::judge_port(std::size_t pg, bool arrival, bool pressed, bool private_full,
                            Cells used) noexcept {
  if (!has_policies_ || !pg_sharing_.has_insurance(pg)) return false;
  const PortId port{static_cast<std::uint16_t>(pg / priorities)};
  const bool before = port_off(port);
  pg_sharing_.judge_port(pg, arrival, pressed, private_full, used);
  return port_off(port) != before;
}

bool Thresholds::port_off(PortId port) const noexcept {
  if (!has_policies_) return false;
  const std::size_t pools = settings_.chip().ingress_pools.size();
  for (std::size_t pool = 0; pool < pools; ++pool)
    if (pg_sharing_.port_off(port.count() * pools + pool)) return true;
  return false;
}

}  // namespace weir
