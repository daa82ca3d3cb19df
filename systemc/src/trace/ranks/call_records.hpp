// SPDX-License-Identifier: Apache-2.0
// The calls of observers as records of fixed length. `node`: a switch, or after all switches a
// host.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "weir/core/mmu.hpp"
#include "weir/model/host/message_log.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/network/ping_account.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/ranks/call_order.hpp"
#include "weir/model/ranks/frame_fields.hpp"

namespace weir::records {

struct VerdictGiven {
  std::uint32_t node;
  FrameFields frame;
  Verdict verdict;
  Picoseconds time;
  bool port_off;  ///< Of the port that the frame came in at, as the step left it.
};
struct CopyQueued {
  std::uint32_t node;
  FrameFields frame;
  Picoseconds visible;
};
struct Refused {
  std::uint32_t node;
  FrameFields frame;
  Verdict verdict;
  Picoseconds time;
};
struct MacDropped {
  std::uint32_t node;
  FrameFields frame;
  PortId port;
  MacDrop reason;
  Picoseconds time;
};
struct FcsError {
  std::uint32_t node;
  PortId port;
  Picoseconds time;
};
struct WatchdogActed {
  std::uint32_t node;
  PortId port;
  std::uint8_t classes;
  WatchdogEvent event;
  Picoseconds time;
};
struct Level {
  std::uint32_t node;
  PortId port;
  Priority pg;
  bool xoff;
  Picoseconds time;
  Cells threshold;  ///< T of the group, where it is XOFF and details are wanted.
};
struct PfcSent {
  std::uint32_t node;
  PortId port;
  PfcFrame frame;
  Picoseconds time;
};
struct PfcReceived {
  std::uint32_t node;
  PortId port;
  PfcFrame frame;
  Picoseconds time;
};
struct Delivered {
  std::uint32_t node;
  FrameFields frame;
  Picoseconds last_bit;
};
struct PortSampled {
  std::uint32_t node;
  PortId port;
  Priority priority;
  PortCounters::ByPriority counts;
  PauseTimes pause;
  std::uint64_t queue_frames;
  std::optional<Cells> held;
  Picoseconds time;
};
struct PoolSampled {
  std::uint32_t node;
  PoolIndex row;
  PoolUse use;
  Picoseconds time;
};
struct QueueSampled {
  std::uint32_t node;
  QueueIndex queue;
  Cells waiting;
  WredCounters counters;
  Picoseconds time;
};
struct RateSampled {
  std::uint32_t node;
  ConnectionRate rate;
  Picoseconds time;
};
struct Stepped {
  std::uint32_t node;
  PgIndex pg;
  Placement held;
  PoolUse use;
  bool xoff;
  Picoseconds edge;
};
struct Waiting {
  std::uint32_t node;
  QueueIndex queue;
  Cells q;
  Picoseconds time;
};
struct FrameStarted {
  std::uint32_t node;
  PortId port;
  FrameFields frame;
  Picoseconds start;
};
struct MessageBegins {
  std::uint32_t flow;
  HostId sender;
  MessageStart start;
};
struct BeginsOnConnection {
  std::uint32_t flow;
  Picoseconds created;
};
struct Completes {
  FrameFields last;
  Bytes size;
  Picoseconds when;
};
struct PingRequested {
  std::uint32_t way;
  Picoseconds due;
};
struct PingAnswered {
  HostId host;
  PingRequest request;
};
/// A call that rank 0 keeps.
struct Own {
  std::uint64_t number;
};

/// All of them: the place in this list is the kind of a record.
using All = std::tuple<VerdictGiven, CopyQueued, Refused, MacDropped, FcsError, WatchdogActed,
                       Level, PfcSent, PfcReceived, Delivered, PortSampled, PoolSampled,
                       QueueSampled, RateSampled, Stepped, Waiting, FrameStarted, MessageBegins,
                       BeginsOnConnection, Completes, PingRequested, PingAnswered, Own>;

template <class Record, std::size_t at = 0>
[[nodiscard]] constexpr std::uint32_t kind_of() {
  if constexpr (std::is_same_v<Record, std::tuple_element_t<at, All>>)
    return at;
  else
    return kind_of<Record, at + 1>();
}

/// In front of each record.
struct Head {
  CallPlace place;
  std::uint32_t kind;
};

}  // namespace weir::records
