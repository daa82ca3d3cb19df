// SPDX-License-Identifier: Apache-2.0
#include "link_ends.hpp"

namespace weir {
namespace {

using AnyTimer = std::variant<HostPauseTimer, SwitchPauseTimer>;

AnyTimer timer_of(BitRate rate, Picoseconds response, const std::optional<ClockPeriod>& clock) {
  if (!clock) return HostPauseTimer{WireTimeBase{rate}, response};
  return SwitchPauseTimer{CycleTimeBase{rate, *clock}, response};
}

AnyTimer timer_of(const Scenario& scenario, const LinkEnd& end) {
  if (end.is_host) {
    const HostSpec& host = scenario.hosts[end.node];
    return timer_of(host.rate, host.response, {});
  }
  const Chip& chip = scenario.switches[end.node].chip;
  const PortSetting& port = chip.ports[end.port.count()];
  return timer_of(port.rate, port.response, chip.clock);
}

}  // namespace

EndPauseTimer::EndPauseTimer(const Scenario& scenario, const LinkEnd& end)
    : timer_{timer_of(scenario, end)} {}

EndPauseTimer::EndPauseTimer(BitRate rate, Picoseconds response,
                             const std::optional<ClockPeriod>& clock)
    : timer_{timer_of(rate, response, clock)} {}

LinkEnds::LinkEnds(const Scenario& scenario) {
  for (const SwitchSpec& spec : scenario.switches) numbers_.emplace(spec.name, numbers_.size());
  for (const HostSpec& spec : scenario.hosts) numbers_.emplace(spec.name, numbers_.size());
  ends_of_node_.resize(numbers_.size());
  for (const LinkSpec& link : scenario.links) {
    const std::size_t a = add(scenario, link.a, link.delay);
    const std::size_t b = add(scenario, link.b, link.delay);
    ends_[a].peer = b;
    ends_[b].peer = a;
  }
}

std::size_t LinkEnds::add(const Scenario& scenario, const LinkEnd& end, Picoseconds delay) {
  LinkEndInfo info;
  info.is_host = end.is_host;
  info.port = end.port;
  info.delay = delay;
  if (end.is_host) {
    const HostSpec& host = scenario.hosts[end.node];
    info.node = host.name;
    info.rate = host.rate;
    info.obeys = host.obeys_pfc;
  } else {
    const SwitchSpec& spec = scenario.switches[end.node];
    info.node = spec.name;
    info.rate = spec.chip.ports[end.port.count()].rate;
  }
  info.number = numbers_.at(info.node);
  std::vector<std::size_t>& ends = ends_of_node_[info.number];
  if (ends.size() <= end.port.count()) ends.resize(end.port.count() + std::size_t{1});
  ends[end.port.count()] = ends_.size();
  ends_.push_back(std::move(info));
  timers_.emplace_back(scenario, end);
  return ends_.size() - 1;
}

std::size_t LinkEnds::at(const std::string& node, PortId port) {
  const auto known = by_address_.find(&node);
  const std::size_t number = known != by_address_.end()
                                 ? known->second
                                 : by_address_.emplace(&node, numbers_.at(node)).first->second;
  return ends_of_node_[number].at(port.count());
}

}  // namespace weir
