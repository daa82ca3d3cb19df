// SPDX-License-Identifier: Apache-2.0
#include "weir/core/scheduling/arrival_arbiter.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

std::size_t checked(std::size_t ports) {
  if (ports == 0 || ports > ArrivalArbiter::max_ports) {
    throw ConfigError{"chip.ports", std::to_string(ports),
                      "must be from 1 to " + std::to_string(ArrivalArbiter::max_ports)};
  }
  return ports;
}

}  // namespace

ArrivalArbiter::ArrivalArbiter(std::size_t ports)
    : pending_(checked(ports), 0), waiting_((ports + 63) / 64, 0), ports_{ports} {}

}  // namespace weir
