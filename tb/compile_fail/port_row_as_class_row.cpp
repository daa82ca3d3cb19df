// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/sharing_policy.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  SharingSlot::Rows good{PortRow{0}, ClassRow{0}, PoolRow{0}};
  SharingSlot::Rows bad{ClassRow{0}, PortRow{0}, PoolRow{0}};  // must not compile
}
