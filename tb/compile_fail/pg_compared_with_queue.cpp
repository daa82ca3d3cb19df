// SPDX-License-Identifier: Apache-2.0
#include "weir/core/index.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  bool good = PgIndex{1} == PgIndex{1};
  bool bad = PgIndex{1} == QueueIndex{1};  // must not compile
}
