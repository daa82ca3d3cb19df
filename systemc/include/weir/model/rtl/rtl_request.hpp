// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/core/index.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/rtl_pins.hpp"

namespace weir {

/// A release as the pins of weir_mmu say it.
struct RtlRelease {
  Packed<PgIndex> pg;
  std::uint32_t cells{0};
  Packed<QueueIndex> queue;
  bool last{true};
};

/// An arrival as the pins of weir_mmu say it.
struct RtlArrival {
  Packed<PgIndex> pg;
  std::uint32_t cells{0}, bytes{0};
  std::array<Packed<QueueIndex>, 8> queue{};
  std::uint8_t mask{1};  ///< Bit n: queue[n] is valid.
  bool ect{false};       ///< The packet is ECT.
  bool asks{false};      ///< WRED may drop the packet.
};

[[nodiscard]] inline RtlRelease request_of(const ReleaseStep& step) {
  return {step.pg, step.cells.count(), step.queue, step.last};
}
[[nodiscard]] inline RtlArrival request_of(const ArrivalStep& step) {
  RtlArrival request{
      step.pg, step.cells.count(), static_cast<std::uint32_t>(step.length.count()), {}, 0};
  for (std::size_t copy = 0; copy < step.queues.size(); ++copy)
    request.queue[copy] = step.queues[copy];
  request.mask = static_cast<std::uint8_t>((1U << step.queues.size()) - 1);
  return request;
}

/// Puts the data of a granted release on the pins of lane `slot`.
inline void present(RtlPins& pins, std::size_t slot, const RtlRelease& request) noexcept {
  pins.set(MmuPin::rel_pg_i, slot, request.pg.value());
  pins.set(MmuPin::rel_cells_i, slot, request.cells);
  pins.set(MmuPin::rel_queue_i, slot, request.queue.value());
  pins.set(MmuPin::rel_last_i, slot, request.last ? 1 : 0);
}
/// Puts the data of a granted arrival on the pins of lane `slot`.
inline void present(RtlPins& pins, std::size_t slot, const RtlArrival& request) noexcept {
  pins.set(MmuPin::arr_pg_i, slot, request.pg.value());
  pins.set(MmuPin::arr_cells_i, slot, request.cells);
  pins.set(MmuPin::arr_bytes_i, slot, request.bytes);
  const std::size_t copies = pins.parts_of_a_slot(MmuPin::arr_queue_i);
  for (std::size_t copy = 0; copy < copies; ++copy) {
    pins.set(MmuPin::arr_queue_i, slot * copies + copy, request.queue[copy].value());
    pins.set(MmuPin::arr_mask_i, slot * copies + copy, request.mask >> copy & 1U);
  }
  if (!pins[MmuPin::arr_ect_i].bound()) return;  // a weir_domain has no marker ahead of it
  pins.set(MmuPin::arr_ect_i, slot, request.ect ? 1 : 0);
  pins.set(MmuPin::arr_asks_i, slot, request.asks ? 1 : 0);
}

/// A packet that leaves a queue of a port.
struct RtlDeparture {
  QueueIndex queue;
  std::uint32_t cells{0}, bytes{0};
  bool ect{false}, sent{true};  ///< Not sent: it is discarded.
};

/// Puts a departure on the pins of its port.
inline void present(RtlPins& pins, const RtlDeparture& packet) noexcept {
  const std::size_t port = port_of(packet.queue).count();
  pins.set(MmuPin::dep_valid_i, port, 1);
  pins.set(MmuPin::dep_sent_i, port, packet.sent ? 1 : 0);
  pins.set(MmuPin::dep_queue_i, port, number_in_port(packet.queue).count());
  pins.set(MmuPin::dep_cells_i, port, packet.cells);
  pins.set(MmuPin::dep_bytes_i, port, packet.bytes);
  pins.set(MmuPin::dep_ect_i, port, packet.ect ? 1 : 0);
}

}  // namespace weir
