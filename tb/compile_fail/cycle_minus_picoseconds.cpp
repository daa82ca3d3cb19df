// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  auto good = Cycle{3} - Cycle{2};
  auto bad = Cycle{3} - Picoseconds{2};  // must not compile
}
