// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/host_life.hpp"

#include "weir/model/switch/drop_counters.hpp"

namespace weir {

HostLife::HostLife(const HostContext& host, const HostSpec& spec, HostStreams& streams)
    : dead_from_{spec.dead_from.value_or(Source::never)},
      dead_until_{spec.dead_until.value_or(Source::never)},
      streams_{streams},
      agenda_{host.port.model.agenda},
      actor_{host.actor},
      counters_{host.port.counters},
      observers_{host.port.model.observers},
      name_{host.port.node} {}

void HostLife::start() {
  for (const Picoseconds when : reboots_) agenda_.post(when, Rank::input, actor_, HostTask::reboot);
  if (dead_from_ < agenda_.end()) agenda_.post(dead_from_, Rank::input, actor_, HostTask::death);
  if (dead_from_ < dead_until_ && dead_until_ < agenda_.end())
    agenda_.post(dead_until_, Rank::input, actor_, HostTask::restart);
}

void HostLife::die() {
  if (agenda_.end() <= dead_until_) return;
  streams_.skip_to(dead_until_);
}

[[gnu::noinline]] void HostLife::swallow(Frame& frame, Picoseconds last_bit) {
  count_drop(counters_, MacDrop::dead_host, frame.priority);
  observers_.notify(
      [&](Observer& o) { o.mac_drop(name_, frame, PortId{0}, MacDrop::dead_host, last_bit); });
  frame.release();
}

}  // namespace weir
