// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/model/network/frame.hpp"

namespace weir {

/// A frame without what belongs to the memory of one process.
struct FrameFields {
  FrameKind kind;
  Priority priority;
  bool corrupted;
  std::uint8_t pg, queue, ttl, dscp, marks;
  std::uint16_t source_port, cells;
  PortId ingress_port, egress_port;
  std::uint32_t length, flow, replica;
  HostId source, destination;
  std::uint64_t sequence;
  Picoseconds created, visible;
  PfcFrame pfc;
  std::uint64_t identity;  ///< The same as long as the frame is in use in its process.

  [[nodiscard]] static FrameFields of(const Frame& frame) noexcept {
    FrameFields fields;
    pair_up(fields, frame, [](auto& field, const auto& member) { field = member; });
    fields.identity = reinterpret_cast<std::uintptr_t>(&frame);
    return fields;
  }
  void write_to(Frame& frame) const noexcept {
    pair_up(*this, frame, [](const auto& field, auto& member) { member = field; });
  }

 private:
  // Calls f with each field and the member of a frame with the same name: the one list of them.
  template <class Fields, class AFrame, class F>
  static void pair_up(Fields& fields, AFrame& frame, F&& f) noexcept {
    // A new field does not compile until it has a name here.
    auto& [kind, priority, corrupted, pg, queue, ttl, dscp, marks, source_port, cells, ingress_port,
           egress_port, length, flow, replica, source, destination, sequence, created, visible, pfc,
           own_identity] = fields;
    static_cast<void>(own_identity);
    f(kind, frame.kind);
    f(priority, frame.priority);
    f(corrupted, frame.corrupted);
    f(pg, frame.pg);
    f(queue, frame.queue);
    f(ttl, frame.ttl);
    f(dscp, frame.dscp);
    f(marks, frame.marks);
    f(source_port, frame.source_port);
    f(cells, frame.cells);
    f(ingress_port, frame.ingress_port);
    f(egress_port, frame.egress_port);
    f(length, frame.length);
    f(flow, frame.flow);
    f(replica, frame.replica);
    f(source, frame.source);
    f(destination, frame.destination);
    f(sequence, frame.sequence);
    f(created, frame.created);
    f(visible, frame.visible);
    f(pfc, frame.pfc);
  }
};

}  // namespace weir
