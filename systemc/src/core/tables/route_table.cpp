// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/route_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>

namespace weir {
namespace {

// Whether `a`, which comes before `b` in the list, wins.
bool is_better(const Route& a, const Route& b) noexcept {
  if (a.to.length != b.to.length) return b.to.length < a.to.length;
  return b.automatic && !a.automatic;
}

bool is_valid(const Route& route, Picoseconds time) noexcept {
  return route.from <= time && time < route.until;
}

}  // namespace

const Route* RouteTable::find(Ipv4 address, Picoseconds time) const noexcept {
  const Route* best = nullptr;
  for (const Route& route : routes_) {
    if (!is_valid(route, time) || !route.to.contains(address)) continue;
    if (best == nullptr || !is_better(*best, route)) best = &route;
  }
  return best;
}

std::vector<const Route*> RouteTable::find_all(const std::vector<Ipv4>& addresses,
                                               Picoseconds time) const {
  struct Prefixes {  // of one length, each with the route that wins
    std::uint32_t mask{0};
    std::unordered_map<std::uint32_t, const Route*> best;
  };
  std::array<Prefixes, 33> by_length;
  for (const Route& route : routes_) {
    if (!is_valid(route, time)) continue;
    Prefixes& prefixes = by_length[route.to.length];
    prefixes.mask = route.to.mask();
    const Route*& best = prefixes.best[route.to.address.count() & prefixes.mask];
    if (best == nullptr || !is_better(*best, route)) best = &route;
  }
  std::vector<const Route*> found(addresses.size(), nullptr);
  for (std::size_t length = by_length.size(); length-- != 0;) {
    const Prefixes& prefixes = by_length[length];
    if (prefixes.best.empty()) continue;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (found[i] != nullptr) continue;
      const auto best = prefixes.best.find(addresses[i].count() & prefixes.mask);
      if (best != prefixes.best.end()) found[i] = best->second;
    }
  }
  return found;
}

std::vector<Picoseconds> RouteTable::changes() const {
  std::vector<Picoseconds> times{Picoseconds{0}};
  for (const Route& route : routes_) {
    times.push_back(route.from);
    if (route.until != Route::always) times.push_back(route.until);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace weir
