// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "support/small_network.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::test {

/// A chip for tests of headroom: like small_chip(), with two lossless classes, 3 and 4, and little
/// shared memory, so that XOFF comes soon.
[[nodiscard]] inline Chip headroom_chip(std::size_t ports, BitRate rate, std::uint64_t mtu = 9216,
                                        std::uint64_t cell = 208) {
  Chip chip = small_chip(ports, rate);
  chip.cell = Bytes{cell};
  chip.mtu = Bytes{mtu};
  // Room to prepare an attack: a few largest frames a port.
  const Cells shared{static_cast<std::uint32_t>(chip.cells(chip.mtu).count() * 40 * ports)};
  chip.ingress_pools.front().shared = shared;
  chip.profiles[ProfileIndex{1}].threshold.static_limit = shared;
  for (std::size_t port = 0; port < ports; ++port)
    chip.profile_of_pg[PgIndex{port * priorities + 4}] = ProfileIndex{0};
  chip.lanes = default_lanes(chip);
  return chip;
}

/// What worst_case asks for on `metres` of cable, in cells.
[[nodiscard]] inline Cells worst_case(const Chip& chip, std::uint64_t metres) {
  return size_headroom("worst_case", headroom_port(chip, PortId{0}, Millimetres{metres * 1000}))
      .cells;
}

}  // namespace weir::test
