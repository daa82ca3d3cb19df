// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  auto good = Cells{2} * 3U;
  auto bad = Cells{2} * Cells{3};  // must not compile
}
