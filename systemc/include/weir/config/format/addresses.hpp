// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/tables/ipv4.hpp"
#include "weir/core/tables/neighbour_tables.hpp"

namespace weir {

/// The address of every host.
///
/// Every switch with hosts has a subnet of 10.0.0.0/8: the switches in the order of their names
/// (natural_less), and in the subnet a host has the number of its port plus 1. With at most 254
/// ports a subnet is a /24: the host at port 4 of the third switch is 10.0.2.5. So addresses do not
/// depend on the order of the file.
struct AddressPlan {
  std::vector<std::optional<Ipv4Prefix>> subnets;  ///< By switch; none: no host there.
  std::vector<Ipv4> hosts;                         ///< By host; 0 for one without a link.
};

/// Addresses of `scenario`; an address that the scenario gives to a host stays as it is.
/// Errors: ConfigError when the switches have more ports than 10.0.0.0/8 has room for.
[[nodiscard]] AddressPlan plan_addresses(const Scenario& scenario);

/// The MAC address of a host's port, in all that it sends: locally administered, and of its own as
/// the address is. Source: [802.3] 31.4.1, the individual address of the station that sends.
[[nodiscard]] constexpr MacAddress mac_of(Ipv4 host) noexcept {
  return MacAddress{0x0201'0000'0000ULL | host.count()};
}

/// "10.0.3.1"; nullopt when the text is not an address.
[[nodiscard]] std::optional<Ipv4> parse_ipv4(std::string_view text);
/// "10.0.3.0/24", all bits after the prefix 0.
[[nodiscard]] std::optional<Ipv4Prefix> parse_ipv4_prefix(std::string_view text);

}  // namespace weir
