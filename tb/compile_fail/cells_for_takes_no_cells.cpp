// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Cells good = cells_for(Bytes{64}, Bytes{0}, Bytes{208});
  Cells bad = cells_for(Cells{64}, Bytes{0}, Bytes{208});  // must not compile
}
