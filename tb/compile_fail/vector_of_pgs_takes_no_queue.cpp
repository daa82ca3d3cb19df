// SPDX-License-Identifier: Apache-2.0
#include "weir/core/index.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  IndexedVector<PgIndex, int> values{2};
  values[PgIndex{1}] = 1;
  values[QueueIndex{1}] = 1;  // must not compile
}
