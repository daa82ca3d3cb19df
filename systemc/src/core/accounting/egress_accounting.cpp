// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/egress_accounting.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {

Threshold queue_line(const Chip& chip, QueueProfileIndex profile) {
  const QueueProfile& wanted = chip.queue_profiles[profile];
  return make_threshold(
      {wanted.threshold, chip.egress_pools[wanted.pool].shared, queue_sharers(chip, wanted.pool)},
      "queue." + wanted.name);
}

EgressAccounting::EgressAccounting(const Chip& chip)
    : queues_{chip.ports.size() * priorities},
      domains_{chip.domains},
      profile_of_queue_(queues_, unlimited),
      uses_(queues_ * domains_),
      pools_(chip.egress_pools.size() * domains_) {
  for (QueueIndex queue; queue < chip.profile_of_queue.end_index(); ++queue)
    if (const auto& profile = chip.profile_of_queue[queue])
      profile_of_queue_[queue] = static_cast<std::uint16_t>(profile->value());
  for (QueueProfileIndex index; index < chip.queue_profiles.end_index(); ++index) {
    const QueueProfile& profile = chip.queue_profiles[index];
    const Threshold threshold = queue_line(chip, index);
    for (std::uint32_t domain = 0; domain < chip.domains; ++domain)
      settings_.push_back(
          {threshold, profile.minimum,
           egress_pool_index(chip, profile.pool, DomainId{static_cast<std::uint8_t>(domain)})});
  }
}

void EgressAccounting::throw_overdrawn(QueueIndex queue, Cells n) const {
  throw ModelError("release of " + std::to_string(n.count()) + " cells from port " +
                   std::to_string(port_of(queue).count()) + " queue " +
                   std::to_string(number_in_port(queue).count()) + ", which does not hold them");
}

}  // namespace weir
