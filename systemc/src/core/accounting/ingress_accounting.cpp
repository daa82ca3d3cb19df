// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/ingress_accounting.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {

IngressAccounting::IngressAccounting(const Chip& chip)
    : pgs_(chip.ports.size() * priorities),
      pools_(chip.ingress_pools.size() * chip.domains),
      lag_{chip.threshold_lag} {
  if (lag_ != 0) lagged_.assign(pools_.size(), LaggedSum{lag_});
}

void IngressAccounting::throw_overdrawn(PgIndex pg, Cells n) const {
  throw ModelError("release of " + std::to_string(n.count()) + " cells from port " +
                   std::to_string(port_of(pg).count()) + " PG " +
                   std::to_string(number_in_port(pg).count()) + ", which holds " +
                   std::to_string(pgs_[pg].total().count()));
}

}  // namespace weir
