// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "weir/core/units.hpp"

namespace weir {

struct Ipv4Tag {
  static constexpr const char* suffix = "";
};
/// An IPv4 address, its first octet highest. 0 means none.
using Ipv4 = Quantity<Ipv4Tag, std::uint32_t>;

/// An address in dotted decimal: "10.0.3.1".
[[nodiscard]] inline std::string to_dotted(Ipv4 address) {
  std::string text;
  for (unsigned shift = 32; shift != 0; shift -= 8)
    text += (text.empty() ? "" : ".") + std::to_string(address.count() >> (shift - 8) & 0xffU);
  return text;
}

/// All addresses that share their first `length` bits with `address`.
struct Ipv4Prefix {
  Ipv4 address;
  std::uint8_t length{0};  ///< Bits, 0 to 32.

  [[nodiscard]] constexpr std::uint32_t mask() const noexcept {
    return length == 0 ? 0 : ~std::uint32_t{0} << (32U - length);
  }
  [[nodiscard]] constexpr bool contains(Ipv4 other) const noexcept {
    return ((address.count() ^ other.count()) & mask()) == 0;
  }
};

/// A prefix in dotted decimal: "10.0.3.0/24".
[[nodiscard]] inline std::string to_dotted(const Ipv4Prefix& prefix) {
  return to_dotted(prefix.address) + "/" + std::to_string(prefix.length);
}

}  // namespace weir
