// SPDX-License-Identifier: Apache-2.0
#include "weir/core/units.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Picoseconds good = byte_time(BitRate{10000000000ULL});
  Picoseconds bad = byte_time(Bytes{10000000000ULL});  // must not compile
}
