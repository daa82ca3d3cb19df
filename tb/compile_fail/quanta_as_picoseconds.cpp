// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Picoseconds good{Picoseconds{512}};
  Picoseconds bad{Quanta{512}};  // must not compile
}
