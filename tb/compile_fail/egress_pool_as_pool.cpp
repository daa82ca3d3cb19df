// SPDX-License-Identifier: Apache-2.0
#include "weir/core/index.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  PoolIndex good = PoolIndex{1};
  PoolIndex bad = EgressPoolIndex{1};  // must not compile
}
