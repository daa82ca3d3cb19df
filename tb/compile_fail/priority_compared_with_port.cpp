// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  bool good = Priority{1} == Priority{1};
  bool bad = Priority{1} == PortId{1};  // must not compile
}
