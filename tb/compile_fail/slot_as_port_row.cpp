// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/sharing_slots.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  SharingSlots slots{SharingShape{}};
  bool good = slots.port_off(PortRow{0});
  bool bad = slots.port_off(SlotIndex{0});  // must not compile
}
