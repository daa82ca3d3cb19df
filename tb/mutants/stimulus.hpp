// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <verilated.h>

#include <cstddef>
#include <cstdint>

namespace weir::mutants {

/// Draws of the mutant bench: xorshift64*, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_{seed * 2 + 1} {}

  std::uint64_t bits() noexcept {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1dULL;
  }
  /// 0 .. limit - 1. Range: limit 1 and up.
  std::uint64_t below(std::uint64_t limit) noexcept { return (bits() >> 16) % limit; }
  bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }

  /// A word in which each bit is set with one of a few densities: 1/8, 1/2, 7/8, all, none.
  std::uint64_t word(unsigned density) noexcept {
    const std::uint64_t even = bits();
    if (density == 0) return 0;
    if (density == 1) return even & bits() & bits();
    if (density == 2) return even;
    return density == 3 ? even | bits() | bits() : ~std::uint64_t{0};
  }

 private:
  std::uint64_t state_;
};

inline std::uint64_t mask(unsigned width) noexcept {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Bits [at + width - 1 : at] of an input of any width.
template <class Pin>
void put(Pin& pin, unsigned at, unsigned width, std::uint64_t value) noexcept {
  const std::uint64_t hole = ~(mask(width) << at);
  pin = static_cast<Pin>((pin & hole) | ((value & mask(width)) << at));
}
template <std::size_t Words>
void put(VlWide<Words>& pin, unsigned at, unsigned width, std::uint64_t value) noexcept {
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned to = at + bit;
    const EData one = EData{1} << (to % 32);
    pin[to / 32] = (value >> bit & 1) != 0 ? pin[to / 32] | one : pin[to / 32] & ~one;
  }
}

/// Fills a pin, 16 bits at a time, each piece small, sparse, even, dense, all or none.
template <class Pin>
void fill(Random& random, Pin& pin, unsigned width) noexcept {
  for (unsigned at = 0; at < width; at += 16) {
    const unsigned piece = width - at < 16 ? width - at : 16;
    const bool small = piece > 3 && random.one_in(2);
    put(pin, at, piece,
        small ? random.below(5) : random.word(static_cast<unsigned>(random.below(5))));
  }
}

}  // namespace weir::mutants
