// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace weir {

/// Holds every product of two words of 64 bits.
__extension__ using Wide = unsigned __int128;

/// Index of the lowest set bit, 0..63. Range: `word` must not be zero.
[[nodiscard]] inline unsigned lowest_bit(std::uint64_t word) noexcept {
  return static_cast<unsigned>(__builtin_ctzll(word));
}

/// Index of the highest set bit, 0..63. Range: `word` must not be zero.
[[nodiscard]] inline unsigned highest_bit(std::uint64_t word) noexcept {
  return 63U - static_cast<unsigned>(__builtin_clzll(word));
}

/// A word with only bit `index` set. Range: 0..63.
[[nodiscard]] constexpr std::uint64_t bit_mask(unsigned index) noexcept {
  return std::uint64_t{1} << index;
}

/// The bit of one of eight classes, PGs or queues in a mask. Range: 0..7.
[[nodiscard]] constexpr std::uint8_t class_bit(std::size_t index) noexcept {
  return static_cast<std::uint8_t>(1U << index);
}

}  // namespace weir
