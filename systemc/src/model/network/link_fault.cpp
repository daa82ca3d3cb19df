// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/link_fault.hpp"

namespace weir {

void LinkFaults::add(const FaultSpec& fault, std::uint64_t seed, std::size_t number,
                     bool backwards) {
  faults_.push_back({fault, RandomStream{seed, "fault", number * 2 + (backwards ? 1U : 0U)}, 0, 0});
}

bool LinkFaults::strikes(Fault& fault, const Frame& frame) {
  const FaultFrames meant = frame.kind == FrameKind::pfc ? FaultFrames::pfc : FaultFrames::data;
  if (fault.spec.frames != FaultFrames::all && fault.spec.frames != meant) return false;
  ++fault.seen;
  const std::vector<std::uint32_t>& nth = fault.spec.nth;
  if (nth.empty()) return fault.draws.uniform(fault.spec.share_of) < fault.spec.share;
  if (fault.next_nth == nth.size() || nth[fault.next_nth] != fault.seen) return false;
  ++fault.next_nth;
  return true;
}

LinkFaults::Fate LinkFaults::strike(Frame& frame, Picoseconds now) {
  Fate fate;
  bool corrupt = false;
  for (Fault& fault : faults_) {
    if (!strikes(fault, frame)) continue;
    switch (fault.spec.action) {
      case FaultAction::lose:
        fate.lost = true;
        break;
      case FaultAction::corrupt:
        corrupt = true;
        break;
      case FaultAction::delay:
        fate.delay += fault.spec.by;
        break;
    }
  }
  if (fate.lost || corrupt || fate.delay != Picoseconds{}) {
    if (!counters_.first) counters_.first = now;
    counters_.last = now;
  }
  if (fate.lost) {
    ++(frame.kind == FrameKind::pfc ? counters_.lost_pfc : counters_.lost_data);
    return fate;
  }
  if (corrupt && !frame.corrupted) ++counters_.corrupted;
  frame.corrupted = frame.corrupted || corrupt;
  if (fate.delay != Picoseconds{}) ++counters_.delayed;
  return fate;
}

}  // namespace weir
