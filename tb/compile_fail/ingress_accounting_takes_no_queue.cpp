// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/ingress_accounting.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  const IngressAccounting accounting{Chip{}};
  Placement good = accounting.pg(PgIndex{3});
  Placement bad = accounting.pg(QueueIndex{3});  // must not compile
}
