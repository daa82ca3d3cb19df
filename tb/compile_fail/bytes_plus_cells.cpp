// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  auto good = Cells{1} + Cells{2};
  auto bad = Bytes{1} + Cells{2};  // must not compile
}
