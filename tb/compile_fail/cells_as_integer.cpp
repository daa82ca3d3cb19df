// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  std::uint32_t good = Cells{1}.count();
  std::uint32_t bad = Cells{1};  // must not compile
}
