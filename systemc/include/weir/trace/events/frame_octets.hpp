// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/tables/ipv4.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// The octets of a frame on the wire, without preamble and FCS; at most `most`.
///
/// A data frame contains what the model knows: 802.1Q with its priority as PCP, IPv4 with the
/// priority as class selector and the TTL at that point, UDP from the port of its connection, and
/// the sequence number in eight octets, followed by zeros. `addresses` are those of the hosts; the
/// MAC address of a host is 02:01 and the four octets of its IPv4 address.
[[nodiscard]] std::vector<std::uint8_t> wire_octets(const Frame& frame,
                                                    const std::vector<Ipv4>& addresses,
                                                    std::size_t most);

}  // namespace weir
