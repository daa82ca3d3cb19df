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
    return {frame.kind,         frame.priority,
            frame.corrupted,    frame.pg,
            frame.queue,        frame.ttl,
            frame.dscp,         frame.marks,
            frame.source_port,  frame.cells,
            frame.ingress_port, frame.egress_port,
            frame.length,       frame.flow,
            frame.replica,      frame.source,
            frame.destination,  frame.sequence,
            frame.created,      frame.visible,
            frame.pfc,          reinterpret_cast<std::uintptr_t>(&frame)};
  }
  void write_to(Frame& frame) const noexcept {
    frame.kind = kind;
    frame.priority = priority;
    frame.corrupted = corrupted;
    frame.pg = pg;
    frame.queue = queue;
    frame.ttl = ttl;
    frame.dscp = dscp;
    frame.marks = marks;
    frame.source_port = source_port;
    frame.cells = cells;
    frame.ingress_port = ingress_port;
    frame.egress_port = egress_port;
    frame.length = length;
    frame.flow = flow;
    frame.replica = replica;
    frame.source = source;
    frame.destination = destination;
    frame.sequence = sequence;
    frame.created = created;
    frame.visible = visible;
    frame.pfc = pfc;
  }
};

}  // namespace weir
