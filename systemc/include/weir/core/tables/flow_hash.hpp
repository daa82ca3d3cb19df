// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/core/tables/ipv4.hpp"

namespace weir {

/// The fields that identify a flow.
struct FiveTuple {
  Ipv4 source, destination;
  std::uint16_t source_port{0}, destination_port{0};
  std::uint8_t protocol{17};  ///< UDP.

  using Octets = std::array<std::uint8_t, 13>;
  /// Source, destination, source port, destination port, protocol; highest octet first.
  [[nodiscard]] Octets octets() const noexcept;
};

/// A hash that spreads flows over ports. All packets of a flow get the same number.
///
/// Errors: none; total.
struct FlowHash {
  std::string_view name;
  std::uint32_t (*of)(const FiveTuple& flow, std::uint32_t seed) noexcept;
  std::string_view meaning;
};

/// All hashes, by name; the first is the default.
[[nodiscard]] const std::array<FlowHash, 3>& flow_hashes() noexcept;

/// The hash called `name`, or nullptr.
[[nodiscard]] const FlowHash* find_flow_hash(std::string_view name) noexcept;

/// MurmurHash3_x86_32. Source: Appleby, smhasher [Murmur3].
[[nodiscard]] std::uint32_t murmur3(const std::uint8_t* octets, std::size_t size,
                                    std::uint32_t seed) noexcept;

}  // namespace weir
