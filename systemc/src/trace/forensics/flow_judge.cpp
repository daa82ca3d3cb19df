// SPDX-License-Identifier: Apache-2.0
#include "forensics/flow_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "weir/config/format/quantity.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/chip.hpp"
#include "weir/trace/forensics/pause_circles.hpp"

namespace weir {
namespace {

constexpr std::size_t nodes_of_a_text = 8;  // that a circle names

// A finding is about who is to blame: the sender of PAUSE, or who does not obey.
bool row_of_sender(PfcFault fault) {
  return fault != PfcFault::late_frames && fault != PfcFault::unheeded_xon;
}

// The pauses of a class that are as long as a storm.
struct LongPauses {
  std::vector<LongPause> pauses;
  std::vector<const PfcFlow*> flows;  // of each
  std::vector<PauseEnd> ends;
};
std::map<Priority::rep, LongPauses> long_pauses(const std::vector<PfcFlow>& flows,
                                                const std::vector<PfcStation>& stations,
                                                const FlowJudge& judge) {
  std::map<Priority::rep, LongPauses> classes;
  for (const PfcFlow& flow : flows) {
    const PfcStation &from = stations[flow.from], &to = stations[flow.to];
    const Picoseconds storm = judge.storm_of(to);
    for (const PauseInterval& interval : flow.intervals) {
      if (interval.end - interval.start < storm) continue;
      LongPauses& of_class = classes[flow.priority.count()];
      of_class.pauses.push_back(
          {to.node, from.node, interval.start, interval.start + storm, interval.end});
      of_class.flows.push_back(&flow);
      of_class.ends.push_back(interval.how);
    }
  }
  return classes;
}

}  // namespace

Picoseconds FlowJudge::storm_of(const PfcStation& paused) const {
  return storm_.value_or(quanta_time(max_quanta, paused.rate) * 2);
}

void FlowJudge::add_all(const std::vector<PfcFlow>& flows) {
  for (const PfcFlow& flow : flows) judge(flow);
  add_circles();
  add_resolved_circles(flows);
}

void FlowJudge::add(PfcFault fault, const PfcFlow& flow, std::uint64_t count, Picoseconds first,
                    std::string detail) {
  PfcFinding finding;
  finding.fault = fault;
  finding.where = stations_[row_of_sender(fault) ? flow.from : flow.to].name;
  finding.priority = flow.priority;
  finding.count = count;
  finding.first = first;
  finding.detail = std::move(detail);
  findings_.push_back(std::move(finding));
}

void FlowJudge::judge(const PfcFlow& flow) {
  const PfcStation& from = stations_[flow.from];
  const PfcStation& to = stations_[flow.to];
  if (flow.late_frames != 0)
    add(PfcFault::late_frames, flow, flow.late_frames, flow.intervals.front().start,
        fmt::format("paused by {}; the last starts {} after the limit of {}", from.name,
                    format_quantity(flow.worst_late), format_quantity(to.limit)));
  if (flow.unheeded_xons != 0)
    add(PfcFault::unheeded_xon, flow, flow.unheeded_xons, flow.intervals.front().start,
        "resumed by " + from.name);
  if (flow.by_timer != 0)
    add(PfcFault::by_timer, flow, flow.by_timer, flow.intervals.front().start,
        to.name + " was paused");
  if (flow.verdict == PfcVerdict::open) {
    const PauseInterval& last = flow.intervals.back();
    add(PfcFault::still_paused, flow, 1, last.start,
        fmt::format("{} is paused for {}, to the end of the capture; a storm is {} or longer",
                    to.name, format_quantity(last.end - last.start),
                    format_quantity(storm_of(to))));
  }
  for (const PauseInterval& interval : flow.intervals) {
    if (interval.how == PauseEnd::xon || interval.end - interval.start < storm_of(to)) continue;
    add(interval.passed_on ? PfcFault::passed_on : PfcFault::storm, flow, 1, interval.start,
        fmt::format("{} is paused for {}{}", to.name,
                    format_quantity(interval.end - interval.start),
                    interval.how == PauseEnd::open ? ", to the end of the capture" : ""));
  }
}
// Senders that all wait for others, and none that began it.
void FlowJudge::add_circles() {
  std::map<Priority::rep, std::pair<const PfcFinding*, bool>> classes;
  for (const PfcFinding& finding : findings_) {
    if (finding.fault != PfcFault::storm && finding.fault != PfcFault::passed_on) continue;
    auto& [first, storm] = classes[finding.priority->count()];
    if (first == nullptr) first = &finding;
    storm = storm || finding.fault == PfcFault::storm;
  }
  std::vector<PfcFinding> circles;
  for (const auto& [priority, entry] : classes) {
    if (entry.second) continue;
    PfcFinding circle = *entry.first;
    circle.fault = PfcFault::circle;
    circle.detail.clear();
    circles.push_back(std::move(circle));
  }
  findings_.insert(findings_.end(), circles.begin(), circles.end());
}

// Circles of nodes that XON ended; the others are findings already.
void FlowJudge::add_resolved_circles(const std::vector<PfcFlow>& flows) {
  for (const auto& entry : long_pauses(flows, stations_, *this)) {
    const LongPauses& of_class = entry.second;
    const std::optional<PauseCircle> circle = first_circle(of_class.pauses);
    const auto by_xon = [&](std::size_t i) { return of_class.ends[i] == PauseEnd::xon; };
    if (!circle || std::none_of(circle->pauses.begin(), circle->pauses.end(), by_xon)) continue;
    std::string waits = of_class.pauses[circle->pauses.front()].waits;
    for (std::size_t i = 0; i < circle->pauses.size() && i < nodes_of_a_text; ++i)
      waits += " waits for " + of_class.pauses[circle->pauses[i]].for_whom;
    if (circle->pauses.size() > nodes_of_a_text)
      waits += fmt::format(" and so on, {} nodes", circle->pauses.size());
    add(PfcFault::resolved_circle, *of_class.flows[circle->pauses.front()], 1, circle->start,
        fmt::format("{}, for {}", waits, format_quantity(circle->end - circle->start)));
  }
}

}  // namespace weir
