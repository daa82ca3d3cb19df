// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/empty_network.hpp"

#include <algorithm>

namespace weir {

// Frame i may start on link h when frame i - 1 has had its slot there, and when frame i has come
// over link h - 1. So the end is the longest of the sums over all ways through this grid. All
// frames but the last are alike: on the longest way they wait at the slowest link up to the one
// where it goes over to the last frame.
Picoseconds unloaded_time(const MessageFrames& message, const std::vector<Hop>& way) {
  const auto over = [](const Hop& hop, Bytes length) {
    return frame_time(length.count(), hop.byte) + hop.delay;
  };
  Picoseconds rest;  // of the last frame from the link at hand on
  for (const Hop& hop : way) rest += over(hop, message.last);
  if (message.count == 1) return rest;
  Picoseconds longest, before, slowest;
  for (const Hop& hop : way) {
    const Picoseconds slot = slot_time(message.packet.count(), hop.byte);
    slowest = std::max(slowest, slot);
    longest = std::max(longest, before + slowest * (message.count - 2) + slot + rest);
    before += over(hop, message.packet);
    rest -= over(hop, message.last);
  }
  return longest;
}

Picoseconds time_to_last_link(const MessageFrames& message, const std::vector<Hop>& way) {
  const Bytes first = message.count == 1 ? message.last : message.packet;
  Picoseconds time;
  for (std::size_t i = 0; i + 1 < way.size(); ++i)
    time += frame_time(first.count(), way[i].byte) + way[i].delay;
  return time;
}

EmptyNetwork::EmptyNetwork(const Scenario& scenario,
                           const std::vector<std::unique_ptr<Switch>>& switches)
    : scenario_{scenario}, switches_{switches}, from_host_(scenario.hosts.size()) {
  for (const SwitchSpec& node : scenario.switches) from_port_.emplace_back(node.chip.ports.size());
  const auto add = [&](const LinkEnd& from, const LinkEnd& to, Picoseconds delay) {
    // What follows is admission, at the other end of the cable.
    if (!to.is_host) {
      const Chip& chip = scenario.switches[to.node].chip;
      delay += chip.clock.min_time(Cycle{chip.admit_latency});
    }
    const Cable cable{to, byte_time(rate_of(from)), delay};
    if (from.is_host)
      from_host_[from.node] = cable;
    else
      from_port_[from.node][from.port.count()] = cable;
  };
  for (const LinkSpec& link : scenario.links) {
    add(link.a, link.b, link.delay);
    add(link.b, link.a, link.delay);
  }
}

BitRate EmptyNetwork::rate_of(const LinkEnd& end) const {
  return end.is_host ? scenario_.hosts[end.node].rate
                     : scenario_.switches[end.node].chip.ports[end.port.count()].rate;
}

std::optional<std::vector<Hop>> EmptyNetwork::way_of(const Frame& sent, Picoseconds when) const {
  Frame frame = sent;  // switches write into it
  std::vector<Hop> way;
  const std::optional<Cable>* cable = &from_host_[frame.source];
  while (*cable) {
    way.push_back({(*cable)->byte, (*cable)->delay});
    const LinkEnd& to = (*cable)->to;
    if (to.is_host)
      return to.node == frame.destination ? std::optional{std::move(way)} : std::nullopt;
    const ForwardingIf::Decision decision = switches_[to.node]->forwarding.forward(frame, when);
    if (decision.drop) return std::nullopt;
    cable = &from_port_[to.node][decision.egress.count()];
  }
  return std::nullopt;
}

}  // namespace weir
