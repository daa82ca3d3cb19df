// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "weir/model/rtl/rtl_pins.hpp"
#include "weir/model/rtl/rtl_request.hpp"

namespace weir::test {

/// Cycles after which present_anything() is called again.
constexpr std::uint64_t anything_period = 16;

/// Random data on lane `slot`: where no request is valid, nothing may depend on it. `draw(n)`
/// returns one of 0 .. n-1.
template <class Draw>
void present_anything(RtlPins& pins, std::size_t slot, Draw&& draw) {
  const auto put = [&](MmuPinKind kind, std::size_t part) {
    for (std::size_t i = 0; i < mmu_pin_count; ++i)
      if (const auto pin = static_cast<MmuPin>(i); mmu_pins[i].kind == kind)
        pins.set(pin, part, draw(std::uint64_t{1} << pins.bits(pin)));
  };
  put(MmuPinKind::request, slot);
  const std::size_t copies = pins.parts_of_a_slot(MmuPin::arr_queue_i);
  for (std::size_t copy = 0; copy < copies; ++copy) put(MmuPinKind::copy, slot * copies + copy);
}

}  // namespace weir::test
