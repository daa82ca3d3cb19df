// SPDX-License-Identifier: Apache-2.0
#include "support/ledger_chip.hpp"

#include <stdexcept>

namespace weir::test {
namespace {

ledger::Limit ledger_limit(const ThresholdSetting& setting) {
  ledger::Limit limit;
  limit.numerator = setting.alpha.numerator;
  limit.shift = setting.alpha.shift;
  limit.fixed = setting.static_limit.count();
  if (setting.policy == "dynamic") {
    limit.policy = ledger::Policy::dynamic;
  } else if (setting.policy == "static") {
    limit.policy = ledger::Policy::fixed;
  } else if (setting.policy == "complete_sharing") {
    limit.policy = ledger::Policy::complete_sharing;
  } else if (setting.policy == "complete_partitioning") {
    limit.policy = ledger::Policy::complete_partitioning;
  } else {
    throw std::logic_error("the ledger does not know the threshold policy " + setting.policy);
  }
  return limit;
}

ledger::Pg ledger_pg(const Profile& profile) {
  ledger::Pg pg;
  pg.lossless = profile.lossless;
  pg.pool = profile.pool;
  pg.reserved = profile.private_cells.count();
  pg.headroom = profile.headroom.count();
  pg.limit = ledger_limit(profile.threshold);
  pg.xon = profile.xon.count();
  pg.xon_offset = profile.xon_offset.count();
  pg.trigger = profile.xoff_trigger == XoffTrigger::on_crossing ? ledger::Trigger::on_crossing
                                                                : ledger::Trigger::on_headroom;
  pg.resume = profile.xon_rule == XonRule::sai ? ledger::Resume::sai : ledger::Resume::paper;
  return pg;
}

ledger::Queue ledger_queue(const QueueProfile& profile) {
  return {profile.pool, profile.minimum.count(), ledger_limit(profile.threshold)};
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
    if (chip.profile_of_pg[pg]) copy.pgs[pg] = ledger_pg(chip.profiles[*chip.profile_of_pg[pg]]);
  copy.queues.resize(chip.profile_of_queue.size());
  for (std::size_t queue = 0; queue < copy.queues.size(); ++queue)
    if (chip.profile_of_queue[queue])
      copy.queues[queue] = ledger_queue(chip.queue_profiles[*chip.profile_of_queue[queue]]);
  return copy;
}

}  // namespace weir::test
