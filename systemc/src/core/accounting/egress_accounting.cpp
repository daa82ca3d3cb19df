// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/egress_accounting.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {

Threshold queue_line(const Chip& chip, std::size_t profile) {
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
  for (std::size_t queue = 0; queue < chip.profile_of_queue.size(); ++queue)
    if (chip.profile_of_queue[queue])
      profile_of_queue_[queue] = static_cast<std::uint16_t>(*chip.profile_of_queue[queue]);
  for (std::size_t index = 0; index < chip.queue_profiles.size(); ++index) {
    const QueueProfile& profile = chip.queue_profiles[index];
    const Threshold threshold = queue_line(chip, index);
    for (std::size_t domain = 0; domain < domains_; ++domain)
      settings_.push_back({threshold, profile.minimum, profile.pool * domains_ + domain});
  }
}

void EgressAccounting::throw_overdrawn(std::size_t queue, Cells n) const {
  throw ModelError("release of " + std::to_string(n.count()) + " cells from port " +
                   std::to_string(queue / priorities) + " queue " +
                   std::to_string(queue % priorities) + ", which does not hold them");
}

}  // namespace weir
