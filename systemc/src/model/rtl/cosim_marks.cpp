// SPDX-License-Identifier: Apache-2.0
#include "cosim_marks.hpp"

#include <optional>

#include "weir/core/congestion/ecn.hpp"

namespace weir {

CosimMarks::CosimMarks(const Chip& chip, Mmu& mmu, RtlMmu& rtl, std::uint64_t seed)
    : chip_{chip},
      mmu_{mmu},
      rtl_{rtl},
      marker_{chip, seed},
      engine_{rtl.pins(), chip.mark_latency},
      random_{seed, "cosim marks"},
      traffic_{chip.ports.size(), rtl.shape().cell_width, rtl.shape().len_width} {
  mmu.set_marker_owner(owner_);
}

void CosimMarks::cycle(bool drawing) {
  const std::uint64_t now = rtl_.cycle();
  traffic_.enter(now, [&](const MarkTraffic::Packet& packet) {
    const bool marked = marker_.has_profile(packet.queue) &&
                        marker_.enters(packet.queue, packet.cells, packet.length, packet.ecn);
    engine_.expect_entry(now, packet.part, marked);
  });
  if (!drawing) return;
  const auto cells_in = [&](QueueIndex queue) {
    return marker_.has_profile(queue) ? std::optional<std::uint64_t>{marker_.waiting(queue).count()}
                                      : std::nullopt;
  };
  traffic_.leave(random_, cells_in, [&](std::size_t port, const MarkTraffic::Departure& departure) {
    leave(port, departure);
  });
}

void CosimMarks::leave(std::size_t port, const MarkTraffic::Departure& departure) {
  const MarkTraffic::Packet& packet = departure.packet;
  bool marked = false;
  if (!departure.error && marker_.has_profile(packet.queue)) {
    if (departure.request.sent)
      marked = marker_.leaves(packet.queue, packet.cells, packet.length, packet.ecn);
    else
      marker_.discards(packet.queue, packet.cells);
  }
  present(rtl_.requests(), departure.request);
  engine_.expect_departure(rtl_.cycle(), port, marked, departure.error);
}

bool CosimMarks::drops(const ArrivalStep& step, RtlArrival& request) {
  MarkTraffic::draw_ect(random_, request);
  const QueueIndex queue = step.queues.front();
  const bool lossless = mmu_.settings_of(step.pg).lossless;
  request.asks = step.queues.size() == 1 && !lossless;
  return request.asks && marker_.has_profile(queue) &&
         marker_.drops(queue, MarkTraffic::ecn_of(request), lossless);
}

void CosimMarks::admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                          std::size_t slot) {
  traffic_.admitted(step, request, mask, slot * rtl_.shape().copies,
                    rtl_.cycle() + chip_.admit_latency);
}

}  // namespace weir
