// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <verilated.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Fields of the flattened ports of a Verilated model, for every type that Verilator gives a port:
// an integer up to 64 bits, an array of 32-bit words above.
namespace weir::test {

[[nodiscard]] constexpr std::uint64_t low_bits(unsigned width) noexcept {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// `width` (1 .. 64) bits of `pin` from bit `from` on.
template <class Pin, std::enable_if_t<std::is_integral_v<Pin>, int> = 0>
[[nodiscard]] std::uint64_t bits(const Pin& pin, std::size_t from, unsigned width) noexcept {
  return std::uint64_t{pin} >> from & low_bits(width);
}
template <std::size_t Words>
[[nodiscard]] std::uint64_t bits(const VlWide<Words>& pin, std::size_t from,
                                 unsigned width) noexcept {
  const std::size_t word = from / 32;
  const unsigned offset = from % 32;
  std::uint64_t value = pin[word];
  if (offset + width > 32) value |= std::uint64_t{pin[word + 1]} << 32;
  value >>= offset;
  if (offset + width > 64) value |= std::uint64_t{pin[word + 2]} << (64 - offset);
  return value & low_bits(width);
}

/// Sets a whole pin. Range: a value that fits it.
template <class Pin>
constexpr void assign(Pin& pin, std::uint64_t value) noexcept {
  pin = static_cast<Pin>(value);
}

/// Sets these bits to `value`. Range: value below 2^width.
template <class Pin, std::enable_if_t<std::is_integral_v<Pin>, int> = 0>
void set_bits(Pin& pin, std::size_t from, unsigned width, std::uint64_t value) noexcept {
  const std::uint64_t mask = low_bits(width) << from;
  pin = static_cast<Pin>((std::uint64_t{pin} & ~mask) | (value << from & mask));
}
template <std::size_t Words>
void set_bits(VlWide<Words>& pin, std::size_t from, unsigned width, std::uint64_t value) noexcept {
  for (unsigned done = 0; done < width;) {
    const std::size_t at = from + done;
    const unsigned offset = at % 32;
    const unsigned part = 32 - offset < width - done ? 32 - offset : width - done;
    const std::uint32_t mask = static_cast<std::uint32_t>(low_bits(part)) << offset;
    pin[at / 32] =
        (pin[at / 32] & ~mask) | (static_cast<std::uint32_t>(value >> done) << offset & mask);
    done += part;
  }
}

/// The lowest octet of a word is the first of them. Range: up to 8.
[[nodiscard]] inline std::uint64_t word_of_octets(const std::uint8_t* octets,
                                                  std::size_t count = 8) noexcept {
  std::uint64_t word = 0;
  for (std::size_t n = 0; n < count; ++n) word |= std::uint64_t{octets[n]} << 8 * n;
  return word;
}

/// Octet n of `count` at bit from + 8 * n.
template <class Pin>
void set_octets(Pin& pin, std::size_t from, const std::uint8_t* octets,
                std::size_t count) noexcept {
  std::size_t n = 0;
  for (; n + 8 <= count; n += 8) set_bits(pin, from + 8 * n, 64, word_of_octets(octets + n));
  if (n < count)
    set_bits(pin, from + 8 * n, static_cast<unsigned>(8 * (count - n)),
             word_of_octets(octets + n, count - n));
}

/// All bits 0.
template <class Pin>
void clear_pin(Pin& pin) noexcept {
  if constexpr (std::is_integral_v<Pin>) {
    pin = 0;
  } else {
    for (std::size_t word = 0; word < sizeof(Pin) / 4; ++word) pin[word] = 0;
  }
}

}  // namespace weir::test
