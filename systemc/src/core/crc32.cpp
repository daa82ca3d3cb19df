// SPDX-License-Identifier: Apache-2.0
#include "weir/core/crc32.hpp"

#include <array>

namespace weir {
namespace {

/// The polynomial of 802.3; bit 31 has the lowest power, since octets go out lowest bit first.
constexpr std::uint32_t polynomial = 0xedb8'8320U;

constexpr std::array<std::uint32_t, 256> make_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t octet = 0; octet < table.size(); ++octet) {
    std::uint32_t crc = octet;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1U) != 0 ? polynomial : 0U);
    table[octet] = crc;
  }
  return table;
}

}  // namespace

std::uint32_t crc32(const std::uint8_t* octets, std::size_t size, std::uint32_t before) noexcept {
  static constexpr std::array<std::uint32_t, 256> crc_of_octet = make_table();
  std::uint32_t crc = ~before;
  for (std::size_t i = 0; i < size; ++i) crc = crc >> 8 ^ crc_of_octet[(crc ^ octets[i]) & 0xffU];
  return ~crc;
}

}  // namespace weir
