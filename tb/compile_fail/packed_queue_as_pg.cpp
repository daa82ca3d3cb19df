// SPDX-License-Identifier: Apache-2.0
#include "weir/core/index.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Packed<PgIndex> good = PgIndex{1};
  Packed<PgIndex> bad = QueueIndex{1};  // must not compile
}
