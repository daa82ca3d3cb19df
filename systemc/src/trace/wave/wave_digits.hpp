// SPDX-License-Identifier: Apache-2.0
// Values as binary digits, eight at a time.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

namespace weir {

/// Eight binary digits of every octet, one after another.
inline constexpr std::array<char, 8 * 256> binary_digits = [] {
  std::array<char, 8 * 256> table{};
  for (std::size_t octet = 0; octet < 256; ++octet)
    for (std::size_t bit = 0; bit < 8; ++bit)
      table[8 * octet + bit] = (octet >> (7 - bit) & 1U) != 0 ? '1' : '0';
  return table;
}();

/// Writes the digits of the last `octets` octets of `value`. Range: 1 to 8.
inline void put_octets(char* to, std::uint64_t value, unsigned octets) noexcept {
  for (char* at = to + 8 * octets; at != to; value >>= 8)
    std::memcpy(at -= 8, &binary_digits[8 * (value & 0xffU)], 8);
}

/// Writes the last `bits` binary digits of `value` and returns where they end.
/// Range: 1 to 64 bits; up to seven characters after the end are overwritten.
inline char* put_digits(char* to, std::uint64_t value, unsigned bits) noexcept {
  unsigned left = (bits - 1) / 8 * 8;  // digits to the right of the first octet
  const unsigned missing = left + 8 - bits;
  std::memcpy(to, &binary_digits[8 * (value >> left & 0xffU >> missing) + missing], 8);
  for (to += 8 - missing; left != 0; to += 8)
    std::memcpy(to, &binary_digits[8 * (value >> (left -= 8) & 0xffU)], 8);
  return to;
}

}  // namespace weir
