// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "weir/core/step_traffic.hpp"

namespace weir::test {

/// Data of a request on lane `slot` of a Verilated weir_domain or weir_mmu.
template <class Model>
void present(Model& rtl, const RtlShape& shape, std::size_t slot, const ReleaseStep& step) {
  const unsigned row = shape.row_w(), len = shape.len_w;
  set_bits(rtl.rel_pg_i, slot * row, row, step.pg);
  set_bits(rtl.rel_cells_i, slot * len, len, step.cells.count());
  set_bits(rtl.rel_queue_i, slot * row, row, step.queue);
  set_bits(rtl.rel_last_i, slot, 1, step.last);
}
template <class Model>
void present(Model& rtl, const RtlShape& shape, std::size_t slot, const ArrivalStep& step) {
  const unsigned row = shape.row_w();
  set_bits(rtl.arr_pg_i, slot * row, row, step.pg);
  set_bits(rtl.arr_cells_i, slot * shape.len_w, shape.len_w, step.cells.count());
  set_bits(rtl.arr_bytes_i, slot * shape.byte_w, shape.byte_w, step.length.count());
  for (std::size_t copy = 0; copy < shape.copies; ++copy) {
    const bool used = copy < step.queues.size();
    set_bits(rtl.arr_queue_i, (slot * shape.copies + copy) * row, row,
             used ? step.queues[copy] : 0);
    set_bits(rtl.arr_mask_i, slot * shape.copies + copy, 1, used);
  }
}

/// Cycles after which present_anything() is called again.
constexpr std::uint64_t anything_period = 16;

/// Random data on lane `slot`: where no request is valid, nothing may depend on it. `draw(n)`
/// returns one of 0 .. n-1.
template <class Model, class Draw>
void present_anything(Model& rtl, const RtlShape& shape, std::size_t slot, Draw&& draw) {
  const auto put = [&](auto& pin, std::size_t index, unsigned width) {
    set_bits(pin, index * width, width, draw(std::uint64_t{1} << width));
  };
  put(rtl.rel_pg_i, slot, shape.row_w());
  put(rtl.rel_cells_i, slot, shape.len_w);
  put(rtl.rel_queue_i, slot, shape.row_w());
  put(rtl.rel_last_i, slot, 1);
  put(rtl.arr_pg_i, slot, shape.row_w());
  put(rtl.arr_cells_i, slot, shape.len_w);
  put(rtl.arr_bytes_i, slot, shape.byte_w);
  for (std::size_t copy = slot * shape.copies; copy < (slot + 1) * shape.copies; ++copy) {
    put(rtl.arr_queue_i, copy, shape.row_w());
    put(rtl.arr_mask_i, copy, 1);
  }
}

}  // namespace weir::test
