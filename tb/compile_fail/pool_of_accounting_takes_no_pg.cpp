// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/ingress_accounting.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  const IngressAccounting accounting{Chip{}};
  PoolUse good = accounting.pool(PoolIndex{0});
  PoolUse bad = accounting.pool(PgIndex{0});  // must not compile
}
