// SPDX-License-Identifier: Apache-2.0
#include "support/ledger_chip.hpp"

#include <algorithm>

namespace weir::test {
namespace {

// The ledger counts the policies as registers do.
ledger::Policy ledger_policy(Policy policy) { return static_cast<ledger::Policy>(policy); }
static_assert(ledger::Policy::dynamic == static_cast<ledger::Policy>(Policy::dynamic) &&
              ledger::Policy::complete_partitioning ==
                  static_cast<ledger::Policy>(Policy::complete_partitioning) &&
              ledger::Policy::dsh == static_cast<ledger::Policy>(Policy::dsh));

ledger::Limit ledger_limit(const ThresholdSetting& setting, const Chip& chip, std::size_t port) {
  ledger::Limit limit;
  limit.policy = ledger_policy(setting.policy);
  limit.numerator = setting.alpha.numerator;
  limit.shift = setting.alpha.shift;
  limit.fixed = setting.static_limit.count();
  limit.port_numerator = setting.port_alpha.numerator;
  limit.port_shift = setting.port_alpha.shift;
  limit.window = static_cast<ledger::Count>(setting.window.count());
  limit.burst = static_cast<ledger::Count>(setting.burst.count());
  // window x clock in ps, 8e12 / rate ps per byte, cell bytes per cell
  const auto byte = static_cast<ledger::Count>(8'000'000'000'000 / chip.ports[port].rate.count());
  limit.line_cells = std::max<ledger::Count>(
      1, limit.window * static_cast<ledger::Count>(chip.clock.min_time(Cycle{1}).count()) / byte /
             static_cast<ledger::Count>(chip.cell.count()));
  return limit;
}

ledger::Pg ledger_pg(const Profile& profile, const Chip& chip, std::size_t port) {
  ledger::Pg pg;
  pg.lossless = profile.lossless;
  pg.pool = profile.pool.value();
  pg.reserved = profile.private_cells.count();
  pg.headroom = profile.headroom.count();
  pg.limit = ledger_limit(profile.threshold, chip, port);
  pg.xon = profile.xon.count();
  pg.xon_offset = profile.xon_offset.count();
  pg.trigger = profile.xoff_trigger == XoffTrigger::on_crossing ? ledger::Trigger::on_crossing
                                                                : ledger::Trigger::on_headroom;
  pg.resume = profile.xon_rule == XonRule::sai ? ledger::Resume::sai : ledger::Resume::paper;
  return pg;
}

ledger::Queue ledger_queue(const QueueProfile& profile, const Chip& chip, std::size_t port) {
  return {profile.pool.value(), profile.minimum.count(),
          ledger_limit(profile.threshold, chip, port)};
}

}  // namespace

ledger::Chip ledger_chip(const Chip& chip) {
  ledger::Chip copy;
  copy.domains = chip.domains;
  copy.lag = chip.threshold_lag;
  for (const PortSetting& port : chip.ports) copy.domain_of_port.push_back(port.domain.count());
  for (const Pool& pool : chip.ingress_pools)
    copy.ingress_pools.push_back(
        {pool.shared.count(), pool.headroom.count(), pool.dedicated_headroom});
  for (const Pool& pool : chip.egress_pools) copy.egress_pools.push_back({pool.shared.count()});
  copy.pgs.resize(chip.profile_of_pg.size());
  for (std::size_t pg = 0; pg < copy.pgs.size(); ++pg)
    if (chip.profile_of_pg[PgIndex{pg}])
      copy.pgs[pg] =
          ledger_pg(chip.profiles[*chip.profile_of_pg[PgIndex{pg}]], chip, pg / priorities);
  copy.queues.resize(chip.profile_of_queue.size());
  for (std::size_t queue = 0; queue < copy.queues.size(); ++queue)
    if (chip.profile_of_queue[QueueIndex{queue}])
      copy.queues[queue] = ledger_queue(
          chip.queue_profiles[*chip.profile_of_queue[QueueIndex{queue}]], chip, queue / priorities);
  return copy;
}

}  // namespace weir::test
