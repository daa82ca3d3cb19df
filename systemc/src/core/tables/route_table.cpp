// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/route_table.hpp"

#include <algorithm>

namespace weir {
namespace {

// Whether `a`, which comes before `b` in the list, wins.
bool is_better(const Route& a, const Route& b) noexcept {
  if (a.to.length != b.to.length) return b.to.length < a.to.length;
  return b.automatic && !a.automatic;
}

}  // namespace

const Route* RouteTable::find(Ipv4 address, Picoseconds time) const noexcept {
  const Route* best = nullptr;
  for (const Route& route : routes_) {
    if (time < route.from || route.until <= time || !route.to.contains(address)) continue;
    if (best == nullptr || !is_better(*best, route)) best = &route;
  }
  return best;
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
