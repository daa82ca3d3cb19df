// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/headroom_need.hpp"

#include <algorithm>
#include <utility>

#include "weir/core/errors.hpp"
#include "weir/core/headroom/cable.hpp"

namespace weir {
namespace {

constexpr std::uint64_t ps_per_mm = usual_delay_per_metre.count() / 1000;

bool has_profile(const Chip& chip, PortId port, ProfileIndex profile) {
  for (Priority::rep number = 0; number < priorities; ++number)
    if (chip.profile_of_pg[pg_index(port, Priority{number})] == profile) return true;
  return false;
}

// What headroom of a port depends on, of one chip and profile.
struct WireNeed {
  BitRate rate;
  DomainId domain;
  Picoseconds delay, peer_response;

  friend bool operator==(const WireNeed& a, const WireNeed& b) noexcept {
    return a.rate == b.rate && a.domain == b.domain && a.delay == b.delay &&
           a.peer_response == b.peer_response;
  }
};

Picoseconds response_of(const Scenario& scenario, const LinkEnd& end) {
  return end.is_host ? scenario.hosts[end.node].response
                     : scenario.switches[end.node].chip.ports[end.port.count()].response;
}

}  // namespace

HeadroomPort linked_headroom_port(const Chip& chip, PortId port, Picoseconds delay,
                                  std::optional<Picoseconds> peer_response) {
  HeadroomPort sized =
      headroom_port(chip, port, Millimetres{(delay.count() + ps_per_mm - 1) / ps_per_mm});
  if (peer_response) sized.response = peer_response;
  return sized;
}

bool same_need(const HeadroomPort& a, const HeadroomPort& b) noexcept {
  return a.rate == b.rate && a.cable == b.cable && a.response == b.response &&
         a.slot_wait == b.slot_wait;
}

std::optional<Cells> headroom_needed(const Scenario& scenario, std::size_t number,
                                     ProfileIndex profile) {
  const Chip& chip = scenario.switches[number].chip;
  std::optional<Cells> most;
  std::optional<WireNeed> last;
  for (const LinkSpec& link : scenario.links)
    for (const auto& [here, there] : {std::pair{link.a, link.b}, {link.b, link.a}}) {
      if (here.is_host || here.node != number || !has_profile(chip, here.port, profile)) continue;
      const PortSetting& setting = chip.ports[here.port.count()];
      const WireNeed need{setting.rate, setting.domain, link.delay, response_of(scenario, there)};
      if (last && *last == need) continue;
      last = need;
      const HeadroomPort port =
          linked_headroom_port(chip, here.port, need.delay, need.peer_response);
      try {
        most = std::max(most.value_or(Cells{0}), size_headroom("worst_case", port).cells);
      } catch (const ConfigError&) {  // such as a cable longer than the method allows
        return std::nullopt;
      }
    }
  return most;
}

}  // namespace weir
