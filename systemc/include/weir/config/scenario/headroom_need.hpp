// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A port as headroom_port() describes it, on a link of `delay` one way to a peer that obeys PFC in
/// `peer_response`; none: in the response time of the port's own speed.
[[nodiscard]] HeadroomPort linked_headroom_port(const Chip& chip, PortId port, Picoseconds delay,
                                                std::optional<Picoseconds> peer_response);

/// Whether two ports need the same headroom by every method.
[[nodiscard]] bool same_need(const HeadroomPort& a, const HeadroomPort& b) noexcept;

/// Headroom that a priority group of `profile` needs by method `worst_case` at the port of switch
/// `number` whose link asks for the most; none: no port with a link has the profile, or the method
/// does not cover such a link.
[[nodiscard]] std::optional<Cells> headroom_needed(const Scenario& scenario, std::size_t number,
                                                   ProfileIndex profile);

}  // namespace weir
