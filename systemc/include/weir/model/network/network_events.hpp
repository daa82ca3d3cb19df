// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/chip/chip_drift.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/index.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/source.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// An egress queue that takes part in a deadlock.
struct DeadlockMember {
  std::string node;  ///< The switch of the queue.
  PortId port;
  Priority priority;
  Picoseconds since;        ///< No frame of it has left since then.
  std::uint64_t frames{0};  ///< Frames that wait in the queue.
  Bytes bytes;              ///< Bytes of these frames, FCS included.
  std::string waits_for;    ///< The port that pauses it: "leaf.port[2]".
};

/// Egress queues that wait for each other in a circle and can never drain.
struct DeadlockReport {
  std::vector<DeadlockMember> members;  ///< Each waits for the next, the last for the first.
  Picoseconds formed;                   ///< Simulated time at which the last member was paused.
  Picoseconds found;                    ///< Simulated time at which the circle was found.
  /// Queues that can never drain because of the circle, members included.
  std::uint64_t queues{0};
  std::uint64_t frames{0};  ///< Frames in these queues.
  Bytes bytes;              ///< Bytes of these frames, FCS included.
};

/// What one class of a port has counted since the start of the run.
struct PortSample {
  const std::string& node;
  PortId port;
  Priority priority;
  const PortCounters::ByPriority& counts;
  PauseTimes pause;               ///< How often and how long it was paused.
  std::uint64_t queue_frames{0};  ///< Frames in its egress queue now; 0 for a host.
  std::optional<Cells> held;      ///< Cells of its priority group now; none: host, or RTL decides.
};

/// An ingress pool in one memory domain, now.
struct PoolSample {
  const std::string& node;
  const std::string& pool;
  DomainId domain;
  PoolUse use;
};

/// An egress queue with a WRED profile, now.
struct QueueSample {
  const std::string& node;
  QueueIndex queue;
  const WredProfile& profile;
  Cells waiting;                 ///< q
  const WredCounters& counters;  ///< Since the start of the run.
};

/// The rate control of a connection, now.
struct RateSample {
  const std::string& host;  ///< The host at which the connection begins.
  const std::string& peer;  ///< The host at which the connection ends.
  ConnectionRate rate;
};

/// A setting that was found not to be what it ought to be.
struct DriftReport {
  std::string node;
  Drift drift;
  Picoseconds found;
  std::optional<Picoseconds> repaired;  ///< It was as desired again.
};

/// How far apart two servers are: switches on the shortest way between them.
enum class PingLevel : std::uint8_t {
  tor,          ///< 1
  podset,       ///< 2 or 3
  data_centre,  ///< more
};
constexpr std::size_t ping_levels = 3;
[[nodiscard]] std::string_view to_string(PingLevel level) noexcept;

/// What became of a probe.
enum class PingCode : std::uint8_t {
  ok,
  timeout,          ///< No answer in time, for no known reason.
  request_dropped,  ///< A switch dropped the probe.
  answer_dropped,   ///< A switch dropped the answer.
  pending,          ///< The run ended before answer or timeout: counts neither way.
};
constexpr std::size_t ping_codes = 5;
[[nodiscard]] std::string_view to_string(PingCode code) noexcept;

/// A probe that has ended.
struct PingResult {
  const std::string& source;
  const std::string& destination;
  Priority priority;
  PingLevel level{PingLevel::tor};
  PingCode code{PingCode::ok};
  Picoseconds sent;                ///< Time at which the source made the probe.
  std::optional<Picoseconds> rtt;  ///< From `sent` to the last bit of the answer; none: no answer.
  std::string where;               ///< Place and reason of a drop: "tor.port[3] headroom_limit".
};

}  // namespace weir
