// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace weir {

/// The two ECN bits of an IP header: the lower two of the octet whose upper six are the DSCP.
///
/// Source: RFC 3168, section 5.
enum class Ecn : std::uint8_t {
  not_ect = 0,  ///< The transport does not react to marks.
  ect1 = 1,
  ect0 = 2,  ///< What RoCEv2 senders write.
  ce = 3,    ///< Congestion experienced: marked on the way.
};

/// Whether a switch may write CE into the header: ECT, or CE already.
[[nodiscard]] constexpr bool is_ect(Ecn ecn) noexcept { return ecn != Ecn::not_ect; }

}  // namespace weir
