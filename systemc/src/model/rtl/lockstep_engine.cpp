// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/lockstep_engine.hpp"

#include <fmt/format.h>

#include "weir/core/bits.hpp"

namespace weir {
namespace {

std::string format_port(bool granted, std::uint64_t port) {
  return granted ? fmt::format("port {}", port) : std::string{"no port"};
}

std::string place_of_pg(PgIndex pg) {
  return fmt::format("port {}, PG {}", port_of(pg).count(), number_in_port(pg).count());
}

}  // namespace

std::string LockstepDifference::in_cycle(std::uint64_t cycle) const {
  return fmt::format("in cycle {}, {}: {}: expected {}, actual {}", cycle, where, what, expected,
                     actual);
}

bool LockstepEngine::quiet(std::uint64_t now) const noexcept {
  const auto due = [now](const auto& queue) {
    return !queue.empty() && queue.front().cycle == now;
  };
  return !pins_[MmuPin::rel_valid_o].any() && !pins_[MmuPin::arr_valid_o].any() &&
         std::none_of(domains_.begin(), domains_.end(), [&](const Domain& domain) {
           return due(domain.releases) || due(domain.arrivals);
         });
}

LockstepDifference LockstepEngine::describe(const LockstepValue& value) const {
  const bool release =
      value.pin == MmuPin::rel_grant_valid_o || value.pin == MmuPin::rel_grant_port_o;
  if (release || value.pin == MmuPin::arr_grant_valid_o || value.pin == MmuPin::arr_grant_port_o) {
    const MmuPin valid = release ? MmuPin::rel_grant_valid_o : MmuPin::arr_grant_valid_o;
    const MmuPin port = release ? MmuPin::rel_grant_port_o : MmuPin::arr_grant_port_o;
    const std::size_t domain = value.part / lanes_, lane = value.part % lanes_;
    const std::vector<std::size_t>& granted =
        release ? domains_[domain].release_ports : domains_[domain].arrival_ports;
    const bool expected = lane < granted.size();
    return {fmt::format("domain {}, lane {}", domain, lane),
            release ? "grant of a release" : "grant of an arrival",
            format_port(expected, expected ? granted[lane] : 0),
            format_port(pins_.get(valid, value.part) != 0, pins_.get(port, value.part))};
  }
  if (value.pin != MmuPin::xoff_o)
    return {place_of_pg(value.pg), row_of(value.pin).name, std::to_string(value.expected),
            std::to_string(value.actual)};
  const unsigned bit = lowest_bit(value.expected ^ value.actual);
  return {place_of_pg(PgIndex{value.part * priorities + bit}), "xoff_o",
          std::to_string(value.expected >> bit & 1U), std::to_string(value.actual >> bit & 1U)};
}

}  // namespace weir
