// SPDX-License-Identifier: Apache-2.0
#include "weir/core/index.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  IndexedVector<PoolIndex, int> pools{2};
  pools[PoolIndex{1}] = 1;
  pools[PgIndex{1}] = 1;  // must not compile
}
