// SPDX-License-Identifier: Apache-2.0
#include "rtl.h"

#include <verilated.h>

#include <vector>

#include "Vweir_mmu.h"
#include "weir/model/rtl/mmu_pins.hpp"

namespace {

Vweir_mmu& model() {
  static Vweir_mmu the_one;
  return the_one;
}

}  // namespace

// Of $time, which nothing here asks for.
double sc_time_stamp() { return 0; }

extern "C" const rtl_pin* rtl_pins(uint32_t* count) {
  static std::vector<rtl_pin> pins;
  if (pins.empty())
    weir::for_each_pin(model(), [](weir::MmuPin pin, auto& port) {
      pins.push_back({weir::row_of(pin).name, reinterpret_cast<uint8_t*>(&port), sizeof port});
    });
  *count = static_cast<uint32_t>(pins.size());
  return pins.data();
}

extern "C" void rtl_eval() { model().eval(); }
