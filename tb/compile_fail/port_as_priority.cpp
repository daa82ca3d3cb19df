// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Priority good = Priority{1};
  Priority bad = PortId{1};  // must not compile
}
