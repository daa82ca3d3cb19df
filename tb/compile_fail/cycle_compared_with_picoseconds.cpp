// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  bool good = Cycle{1} < Cycle{2};
  bool bad = Cycle{1} < Picoseconds{2};  // must not compile
}
