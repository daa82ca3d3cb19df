// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "stimulus.hpp"

namespace weir::mutants {

/// Frames of 64 octets in one beat, most of them PFC, each fault of them now and then.
template <class Bench>
class Shape {
 public:
  explicit Shape(Random& random) noexcept
      : random_{random},
        step_{static_cast<std::uint32_t>(random.one_in(3) ? random.bits() | 1 : 1U << 16)},
        response_{static_cast<std::uint16_t>(random.below(12))} {}

  void drive(Bench& bench, unsigned) noexcept {
    bench.step_i = step_;
    bench.response_i = response_;
    bench.s_axis_rx_tvalid_i = random_.one_in(4) ? 1 : 0;
    bench.s_axis_rx_tlast_i = random_.one_in(8) ? 0 : 1;
    bench.s_axis_rx_tuser_i = random_.one_in(8) ? 1 : 0;
    bench.s_axis_rx_tkeep_i =
        random_.one_in(8) ? mask(static_cast<unsigned>(random_.below(64)) + 1) : ~std::uint64_t{0};
    auto& data = bench.s_axis_rx_tdata_i;
    put(data, 0, 48, with_a_wrong_bit(0x0100'00c2'8001ULL, 48));
    put(data, 96, 32, with_a_wrong_bit(0x0101'0888ULL, 32));
    for (unsigned n = 0; n < 8; ++n) {  // octets of a time: the high one first
      const bool rare = random_.one_in(16);
      put(data, 144 + 16 * n, 8, rare ? random_.below(256) : 0);
      put(data, 152 + 16 * n, 8, random_.one_in(4) ? 0 : random_.below(24));
    }
  }

 private:
  std::uint64_t with_a_wrong_bit(std::uint64_t octets, unsigned width) noexcept {
    return random_.one_in(8) ? octets ^ std::uint64_t{1} << random_.below(width) : octets;
  }

  Random& random_;
  std::uint32_t step_;
  std::uint16_t response_;
};

}  // namespace weir::mutants
