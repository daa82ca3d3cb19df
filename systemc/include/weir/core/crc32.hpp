// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace weir {

/// CRC-32 of `size` octets; `before` is the CRC of the octets before them, 0 where there are none.
///
/// Units:  octets in the order of the wire.
/// Errors: none; total.
/// Source: 802.3 clause 3.2.9 [802.3].
[[nodiscard]] std::uint32_t crc32(const std::uint8_t* octets, std::size_t size,
                                  std::uint32_t before = 0) noexcept;

}  // namespace weir
