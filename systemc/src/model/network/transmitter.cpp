// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/transmitter.hpp"

namespace weir {

Transmitter::Transmitter(const PortContext& port, Agenda::ActorId actor, std::uint32_t task)
    : byte_{byte_time(port.rate)},
      agenda_{port.model.agenda},
      actor_{actor},
      task_{task},
      port_{port.port},
      counters_{port.counters},
      observers_{port.model.observers},
      frames_{port.model.frames},
      node_{port.node} {}

[[gnu::noinline]] bool Transmitter::start_pfc(Picoseconds now) {
  pfc_waits_ = false;
  const std::optional<PfcFrame> contents = pfc_->start_frame(port_, now);
  if (!contents) return false;
  Frame& frame = *frames_.take();
  frame.kind = FrameKind::pfc;
  frame.length = static_cast<std::uint32_t>(pfc_frame_bytes.count());
  frame.pfc = *contents;
  frame.created = now;
  counters_.count_sent(*contents, now);
  observers_.notify([&](Observer& o) { o.pfc_sent(node_, port_, *contents, now); });
  start(frame, now);
  return true;
}

}  // namespace weir
