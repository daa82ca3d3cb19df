// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "weir/core/units.hpp"
#include "weir/core/version.hpp"

int main() {
  const weir::Cells cells = weir::cells_for(weir::Bytes{209}, weir::Bytes{0}, weir::Bytes{208});
  std::cout << weir::version << ' ' << cells << '\n';
  return cells == weir::Cells{2} ? 0 : 1;
}
