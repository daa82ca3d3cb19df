// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/forwarding.hpp"

#include <algorithm>

namespace weir {
namespace {

constexpr std::uint16_t destination_port = 9;  // discard: what captures show, too

}  // namespace

void Forwarding::configure(const RouteTable& routes, Addresses addresses, const FlowHash& hash,
                           std::uint32_t seed) {
  addresses_ = std::move(addresses);
  hash_ = &hash;
  seed_ = seed;
  epochs_.clear();
  for (const Picoseconds from : routes.changes()) {
    Epoch epoch{from, {}};
    const Route* last = nullptr;  // that of the next address mostly
    std::uint32_t entry = none;
    for (const Route* const route : routes.find_all(*addresses_, from)) {
      if (route != last) entry = route == nullptr ? none : entry_for(route->ports);
      last = route;
      epoch.way.push_back(entry);
    }
    epochs_.push_back(std::move(epoch));
  }
}

void Forwarding::add_route(HostId host, PortId port) {
  for (Epoch& epoch : epochs_) {
    if (epoch.way.size() <= host) epoch.way.resize(host + 1, none);
    epoch.way[host] = port.count();
  }
}

std::uint32_t Forwarding::entry_for(const std::vector<PortId>& ports) {
  if (ports.empty()) return none;
  if (ports.size() == 1) return ports.front().count();
  const auto known = std::find(groups_.begin(), groups_.end(), ports);
  const auto index = static_cast<std::uint32_t>(known - groups_.begin());
  if (known == groups_.end()) groups_.push_back(ports);
  return first_group + index;
}

const std::vector<std::uint32_t>& Forwarding::way_at(Picoseconds time) const noexcept {
  const auto later = std::find_if(epochs_.begin() + 1, epochs_.end(),
                                  [&](const Epoch& epoch) { return time < epoch.from; });
  return (later - 1)->way;
}

PortId Forwarding::choose(const std::vector<PortId>& ports, const Frame& frame) const noexcept {
  const FiveTuple flow{(*addresses_)[frame.source], (*addresses_)[frame.destination],
                       frame.source_port, destination_port};
  return ports[hash_->of(flow, seed_) % ports.size()];
}

}  // namespace weir
