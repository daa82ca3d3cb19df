// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/headroom_cast.hpp"

#include <algorithm>
#include <cstddef>

#include "probe/probe_run.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

using Group = HeadroomCast::Group;

std::vector<Group> groups_of(const Chip& chip, PortId port, bool lossless) {
  std::vector<Group> groups;
  for (std::uint8_t n = 0; n < priorities; ++n) {
    const Priority pg{chip.pg_of_priority[n]};
    const auto profile = chip.profile_of_pg[pg_index(port, pg)];
    const bool seen = std::any_of(groups.begin(), groups.end(),
                                  [&](const Group& group) { return group.pg == pg; });
    if (!seen && profile && chip.profiles[*profile].lossless == lossless)
      groups.push_back({port, pg, Priority{n}});
  }
  return groups;
}

bool last_of_its_domain(const Chip& chip, std::size_t port) {
  return std::none_of(
      chip.ports.begin() + static_cast<std::ptrdiff_t>(port) + 1, chip.ports.end(),
      [&](const PortSetting& other) { return other.domain == chip.ports[port].domain; });
}

}  // namespace

std::optional<Group> other_class_of(const Chip& chip, PortId port, Priority attacked) {
  for (const bool lossless : {false, true})
    for (const Group& group : groups_of(chip, port, lossless))
      if (group.priority != attacked) return group;
  return std::nullopt;
}

HeadroomCast headroom_cast(const Chip& chip) {
  const std::size_t ports = chip.ports.size();
  HeadroomCast cast;
  cast.sink = port_number(ports - 1);
  for (std::size_t p = 0; p < ports; ++p) {
    const std::vector<Group> lossless = groups_of(chip, port_number(p), true);
    const bool spared = lossless.empty() || last_of_its_domain(chip, p);
    const std::size_t chosen = spared ? lossless.size() : p % lossless.size();
    for (std::size_t i = 0; i < lossless.size(); ++i)
      (i == chosen ? cast.attacked : cast.helpers).push_back(lossless[i]);
    if (spared) continue;
    const PortId neighbour = port_number((p + 1) % ports);
    const Group& group = lossless[chosen];
    cast.reverse.push_back(other_class_of(chip, neighbour, group.priority)
                               .value_or(Group{neighbour, group.pg, group.priority}));
  }
  if (cast.attacked.empty())
    throw ConfigError{"profile", "",
                      "must be lossless at a port that shares its domain with another: only such a "
                      "port can be attacked"};
  return cast;
}

}  // namespace weir
