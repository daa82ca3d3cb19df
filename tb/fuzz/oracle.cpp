// SPDX-License-Identifier: Apache-2.0
#include "fuzz/oracle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/core/printable.hpp"

namespace weir::fuzz {
namespace {

// Control characters of ISO 6429 (C0, DEL, C1) and explicit directional formatting of UAX 9.
bool is_command(std::uint32_t code) noexcept {
  constexpr std::array<std::array<std::uint32_t, 2>, 6> commands{{{0x00, 0x1f},
                                                                  {0x7f, 0x9f},
                                                                  {0x61c, 0x61c},
                                                                  {0x200e, 0x200f},
                                                                  {0x202a, 0x202e},
                                                                  {0x2066, 0x2069}}};
  for (const auto& [first, last] : commands)
    if (first <= code && code <= last) return true;
  return false;
}

// Bytes that follow a first byte of UTF-8 (RFC 3629); 4: it is none.
std::size_t followers(unsigned char first) noexcept {
  if (first < 0x80) return 0;
  if (first < 0xc2 || 0xf4 < first) return 4;
  return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

}  // namespace

void require(bool good, const std::string& what) {
  if (!good) throw Broken{what};
}

bool is_plain_text(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t count = followers(first);
    if (count == 4 || text.size() - i <= count) return false;
    std::uint32_t code = count == 0 ? first : first & (0x3fU >> count);
    for (std::size_t k = 0; k < count; ++k) {
      const auto next = static_cast<unsigned char>(text[++i]);
      if (next < 0x80 || 0xbf < next) return false;
      code = code * 64 + (next - 0x80U);
    }
    constexpr std::array<std::uint32_t, 4> least{0, 0x80, 0x800, 0x10000};
    const bool legal = least[count] <= code && code <= 0x10ffff && (code < 0xd800 || 0xdfff < code);
    if (!legal || is_command(code)) return false;
  }
  return true;
}

void check_message(std::string_view message) {
  require(!message.empty(), "an error without a message");
  const std::string line = printable_line(message);
  require(is_plain_text(line), "a message that is not printable: " + line);
}

}  // namespace weir::fuzz
