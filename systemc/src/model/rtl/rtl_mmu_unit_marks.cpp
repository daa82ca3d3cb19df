// SPDX-License-Identifier: Apache-2.0
// The marker of the RTL: what it is asked, and what the core's says to the same.
#include <fmt/format.h>

#include <algorithm>

#include "weir/config/format/port_name.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {

RtlArrival RtlMmuUnit::request_for(const Frame& frame, const ArrivalStep& arrival) const {
  RtlArrival request = request_of(arrival);
  if (marker_ == nullptr) return request;
  request.ect = is_ect(frame.ecn());
  request.asks = !frame.marked(copy_mark) && !core_.settings_of(arrival.pg).lossless;
  return request;
}

// Its lane is granted like any other; no domain receives it.
void RtlMmuUnit::dropped(Frame& frame, Picoseconds edge) {
  const ArrivalStep arrival{
      pg_of(frame), Cells{frame.cells}, Bytes{frame.length}, {queue_of(frame)}};
  Inputs& inputs = inputs_at(edge);
  const DomainId domain = core_.domain_of_pg(arrival.pg);
  inputs.arrivals.push_back({domain, frame.ingress_port, request_for(frame, arrival)});
  const RtlArrivalVerdict expected = refused_by_wred(arrival);
  engine_.expect(domain, inputs.cycle + admit_, expected);
  Verdict refused = expected.verdict;
  refused.threshold = core_.threshold(arrival.pg, Cycle{inputs.cycle});
  domains_[domain.count()].arrivals.push_back({&frame, arrival.pg, arrival.queues, refused});
}

// Parts of arr_mark_o whose packets the core's marker is about to judge, in their order.
void RtlMmuUnit::note_entries(const AskedArrival& asked, const RtlArrivalVerdict& actual,
                              std::size_t slot) {
  if (!actual.verdict.admitted()) return;
  for (std::size_t copy = 0; copy < asked.queues.size(); ++copy) {
    const QueueIndex queue = asked.queues[copy];
    if ((actual.mask >> copy & 1U) == 0 || !core_.chip().wred_of_queue[queue]) continue;
    entering_[port_of(queue).count()].push_back(
        {rtl_->cycle(), slot * rtl_->shape().copies + copy});
  }
}

void RtlMmuUnit::entered(QueueIndex queue, Cycle cycle, bool marked) {
  std::deque<Entering>& waiting = entering_[port_of(queue).count()];
  if (waiting.empty() || waiting.front().cycle != cycle.count())
    throw ModelError(fmt::format(
        "{}: a packet enters port {} queue {} in cycle {}, and no verdict "
        "let it",
        switch_name_, port_of(queue).count(), number_in_port(queue).count(), cycle.count()));
  marks_.expect_entry(cycle.count(), waiting.front().part, marked);
  waiting.pop_front();
}

void RtlMmuUnit::left(const MarkerDeparture& packet, Cycle cycle, bool marked) {
  const std::size_t port = port_of(packet.queue).count();
  if (cycle.count() < rtl_->cycle())
    throw ModelError(fmt::format("{}: a packet leaves port {} in cycle {}, which is over",
                                 switch_name_, port, cycle.count()));
  std::vector<RtlDeparture>& leaving = departures_[cycle.count()];
  if (std::any_of(leaving.begin(), leaving.end(),
                  [&](const RtlDeparture& other) { return port_of(other.queue).count() == port; }))
    throw ConfigError(port_name(switch_name_, port),
                      fmt::format("2 packets in cycle {}", cycle.count()),
                      "of queues with a WRED profile one packet of a port leaves a cycle with RTL "
                      "(--backend rtl or lockstep): take a faster chip.clock, and no watchdog that "
                      "drops");
  leaving.push_back({packet.queue, packet.cells.count(),
                     static_cast<std::uint32_t>(packet.length.count()), is_ect(packet.ecn),
                     packet.sent});
  marks_.expect_departure(cycle.count(), port, marked, false);
}

void RtlMmuUnit::present_departures() {
  const auto now = departures_.find(rtl_->cycle());
  if (now == departures_.end()) return;
  for (const RtlDeparture& packet : now->second) present(rtl_->requests(), packet);
  departures_.erase(now);
}

// What has entered so long ago that the RTL answers now, the core's marker has judged by now.
void RtlMmuUnit::compare_marks() {
  const std::uint64_t now = rtl_->cycle(), latency = core_.chip().mark_latency;
  if (marker_ != nullptr && latency <= now) marker_->catch_up(Cycle{now - latency});
  marks_.compare(now, [this](const LockstepValue& value) {
    if (value.expected != value.actual) differ(marks_.describe(value));
  });
}

}  // namespace weir
