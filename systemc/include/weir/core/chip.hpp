// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "weir/core/chip_limits.hpp"
#include "weir/core/index.hpp"
#include "weir/core/pfc/port_speeds.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// When a PG goes to XOFF.
/// Source: docs/design/contract.md, 2; `on_headroom` is the state machine of the DSH paper [DSH].
enum class XoffTrigger : std::uint8_t {
  on_crossing,  ///< private full and w >= T, or a cell went to headroom, or refused (silicon)
  on_headroom,  ///< a cell went to headroom, or refused
};

/// When an XOFF PG goes back to XON (its headroom is empty in any case).
enum class XonRule : std::uint8_t {
  sai,    ///< w <= max(xon, T - xon_offset) [SAI]
  paper,  ///< w < xon or w = 0 [DSH]
};

/// How an egress port chooses among its queues.
enum class SchedulerKind : std::uint8_t { strict, dwrr };

/// An ingress or egress buffer pool. Every memory domain has its own copy of these cells.
struct Pool {
  std::string name;
  Cells shared;    ///< B: cells of the shared segment, per domain.
  Cells headroom;  ///< H: shared headroom pool, per domain; 0 with dedicated headroom.
  bool dedicated_headroom{true};  ///< No pool limit: each PG's headroom is its own.
};

/// Headroom that a profile asks for by its cable: `headroom = { cable, method, delay_per_metre }`.
struct HeadroomRequest {
  Millimetres cable;
  std::string method;
  Picoseconds delay_per_metre;
};

/// Settings of a priority group (SAI: buffer profile attached to an ingress PG).
struct Profile {
  std::string name;
  bool lossless{false};
  PoolNumber pool;      ///< Of Chip::ingress_pools.
  Cells private_cells;  ///< phi: reserved minimum.
  Cells headroom;       ///< eta: lossless only.
  /// The request that `headroom` was sized from; none: the chip file gives cells.
  std::optional<HeadroomRequest> headroom_request;
  ThresholdSetting threshold;  ///< T of the shared part.
  Cells xon;                   ///< SAI XON_TH; Xon of rule `paper`.
  Cells xon_offset;            ///< SAI XON_OFFSET_TH.
  XoffTrigger xoff_trigger{XoffTrigger::on_crossing};
  XonRule xon_rule{XonRule::sai};
};

/// Admission of lossy packets at an egress queue.
struct QueueProfile {
  std::string name;
  EgressPoolNumber pool;       ///< Of Chip::egress_pools.
  Cells minimum;               ///< Reserved cells of the queue, per (domain, queue).
  ThresholdSetting threshold;  ///< Limit of the shared part w_q.
};

/// Where a WRED profile marks.
enum class WredPoint : std::uint8_t {
  dequeue,  ///< When a packet begins to leave, by the cells that it leaves waiting.
  enqueue,  ///< When a packet arrives, by the cells that wait before it.
};

/// Marking and early drop at an egress queue (SAI: WRED profile).
struct WredProfile {
  std::string name;
  Cells min, max;                    ///< q < min: never; q >= max: always.
  std::uint32_t probability{0};      ///< Of a hit just below max, in 2^-16: 1 to 65536.
  bool mark{true}, drop{false};      ///< ECT packets are marked; others are dropped at enqueue.
  WredPoint at{WredPoint::dequeue};  ///< Where ECT packets are marked.
};

/// Default of Chip::draw_polynomial: x^32 + x^30 + x^26 + x^25 + 1 as the taps of a Galois LFSR
/// that shifts right.
constexpr std::uint32_t default_draw_polynomial = 0xa300'0000U;

struct PortSetting {
  BitRate rate;          ///< Range: is_port_rate().
  DomainId domain;       ///< Memory domain that holds the cells of arrivals.
  Picoseconds response;  ///< PFC response time of the transmitter; port_speeds() has the limits.
};

/// The field of a frame that gives its class.
enum class ClassTrust : std::uint8_t {
  pcp,   ///< The priority of its 802.1Q tag; a frame without one is `untagged`.
  dscp,  ///< The DSCP of its IP header, through a table.
};

/// The class that each DSCP means; DSCP has 6 bits [RFC 2474].
using DscpTable = std::array<Priority, 64>;

/// How a switch finds the class of a received frame; the frame leaves with this priority in its
/// tag.
struct ClassifierSettings {
  static constexpr std::size_t dscps = std::tuple_size_v<DscpTable>;

  ClassTrust trust{ClassTrust::pcp};
  Priority untagged;                              ///< `pcp`: class of a frame without a tag.
  DscpTable priority_of_dscp{class_selectors()};  ///< `dscp`: the table.
  /// Class of every broadcast and multicast frame, independent of its fields; none: by its fields.
  std::optional<Priority> group_priority;

  /// DSCP to class by the class selectors: DSCP / 8 [RFC 2474].
  [[nodiscard]] static constexpr DscpTable class_selectors() noexcept {
    DscpTable map{};
    for (std::size_t dscp = 0; dscp < dscps; ++dscp)
      map[dscp] = Priority{static_cast<std::uint8_t>(dscp / priorities)};
    return map;
  }
};

/// A DSCP table that some ports have in place of ClassifierSettings::priority_of_dscp.
struct DscpMap {
  std::string name;
  DscpTable priority_of_dscp{};
};

/// Treatment of a frame whose destination has an ARP entry, but no MAC entry any more.
enum class IncompleteArp : std::uint8_t {
  flood,          ///< To all ports but the one it came in at, as in Ethernet.
  to_cpu,         ///< To the switch's processor, which asks the host (option 1).
  drop_lossless,  ///< Lossless classes are dropped, others flooded (option 3).
};

/// The ARP table and the MAC table of a switch, for the hosts on its own ports.
/// Source: [RDMA16] section 4.2.
struct NeighbourSettings {
  Picoseconds arp_timeout{14'400'000'000'000'000};  ///< 4 h since the host last answered.
  Picoseconds mac_timeout{300'000'000'000'000};     ///< 5 min since its last frame.
  IncompleteArp incomplete{IncompleteArp::flood};
  std::uint32_t cpu_queue{512};              ///< Frames that may wait for the processor.
  Picoseconds cpu_packet_time{100'000'000};  ///< Per frame; 100 us: 10,000 a second.
};

/// One switch chip, checked and in whole cells: the input of the MMU.
///
/// weir::config makes it from a chip file; tests may fill it by hand and call check().
/// Source: docs/design/contract.md, 2 and 3.
struct Chip {
  std::string name;
  std::string source;
  Bytes cell{usual_cell};
  Bytes cell_overhead{0};            ///< Metadata bytes in the first cell of each packet.
  ClockPeriod clock{default_clock};  ///< Period of the core clock.
  std::uint32_t domains{1};
  std::uint32_t lanes{1};  ///< Arrivals, and as many releases, per domain and cycle.
  std::uint32_t admit_latency{pipeline::admit.usual};  ///< Cycles from request to verdict.
  std::uint32_t pfc_latency{pipeline::pfc.usual};      ///< Cycles from verdict to PFC request.
  std::uint32_t threshold_lag{pipeline::threshold_lag.usual};  ///< Cycles by which T sees S late.
  std::uint32_t mark_latency{pipeline::mark.usual};            ///< Cycles to the RTL's answer.
  Quanta quanta{max_quanta};                                   ///< Value of the PAUSE frames sent.
  Bytes mtu{usual_mtu};         ///< Largest frame; longer ones are refused at the MAC.
  std::uint32_t port_fifo{64};  ///< Frames that may wait at a port for an arrival slot.

  std::vector<PortSetting> ports;
  IndexedVector<PoolNumber, Pool> ingress_pools;
  IndexedVector<EgressPoolNumber, Pool> egress_pools;
  IndexedVector<ProfileIndex, Profile> profiles;
  IndexedVector<QueueProfileIndex, QueueProfile> queue_profiles;
  IndexedVector<WredProfileIndex, WredProfile> wred_profiles;

  std::array<std::uint8_t, priorities> pg_of_priority{0, 1, 2, 3, 4, 5, 6, 7};
  std::array<std::uint8_t, priorities> queue_of_priority{0, 1, 2, 3, 4, 5, 6, 7};
  /// Profile of each PG; every PG that a priority maps to has one.
  IndexedVector<PgIndex, std::optional<ProfileIndex>> profile_of_pg;
  /// Queue profile of each queue; none: no limit at egress (lossless).
  IndexedVector<QueueIndex, std::optional<QueueProfileIndex>> profile_of_queue;
  /// WRED profile of each queue; none: it neither marks nor drops. Empty without wred_profiles.
  IndexedVector<QueueIndex, std::optional<WredProfileIndex>> wred_of_queue;
  /// Taps of the LFSR that draws for WRED, the same at every port.
  std::uint32_t draw_polynomial{default_draw_polynomial};
  /// Seed of the first states of the LFSRs; none: the seed of the run.
  std::optional<std::uint32_t> draw_seed;

  SchedulerKind scheduler{SchedulerKind::dwrr};
  std::array<std::uint32_t, priorities> dwrr_weight{1, 1, 1, 1, 1, 1, 1, 1};
  /// Queues served in strict priority (highest index first) before the DWRR ones; bit q = queue q.
  std::uint8_t strict_queues{0};

  ClassifierSettings classifier;
  std::vector<DscpMap> dscp_maps;
  /// Index into dscp_maps, by port; none: the table of `classifier`. Empty: no port has one.
  std::vector<std::optional<std::size_t>> dscp_map_of_port;
  /// None: a switch always knows the ports of its hosts.
  std::optional<NeighbourSettings> neighbours;

  Cells memory;  ///< All cells of one domain; 0: exactly what the settings add up to.

  /// Cells that a frame of `length` occupies, rounded up.
  [[nodiscard]] Cells cells(Bytes length) const noexcept {
    return cells_for(length, cell_overhead, cell);
  }

  /// The DSCP table of a port.
  [[nodiscard]] const DscpTable& dscp_table(PortId port) const noexcept {
    const std::size_t p = port.count();
    const bool own = p < dscp_map_of_port.size() && dscp_map_of_port[p];
    return own ? dscp_maps[*dscp_map_of_port[p]].priority_of_dscp : classifier.priority_of_dscp;
  }

  /// Throws ConfigError (dotted key of the chip file, value, legal values) when a setting is
  /// impossible: no port, a domain out of range, lanes or latencies out of range, reservations
  /// above the memory ...
  void check() const;
};

/// Index of the sums of ingress pool `pool` in memory domain `domain`.
[[nodiscard]] inline PoolIndex pool_index(const Chip& chip, PoolNumber pool,
                                          DomainId domain) noexcept {
  return PoolIndex{pool.value() * chip.domains + domain.count()};
}
/// Index of the sums of egress pool `pool` in memory domain `domain`.
[[nodiscard]] inline EgressPoolIndex egress_pool_index(const Chip& chip, EgressPoolNumber pool,
                                                       DomainId domain) noexcept {
  return EgressPoolIndex{pool.value() * chip.domains + domain.count()};
}

/// The ingress pool whose sums have index `pool`.
[[nodiscard]] inline PoolNumber pool_number(const Chip& chip, PoolIndex pool) noexcept {
  return PoolNumber{pool.value() / chip.domains};
}
/// The memory domain whose sums have index `pool`.
[[nodiscard]] inline DomainId domain_of(const Chip& chip, PoolIndex pool) noexcept {
  return DomainId{static_cast<DomainId::rep>(pool.value() % chip.domains)};
}

/// Least number of lanes that is enough for minimum-size frames on all ports of the busiest domain:
/// ceil(sum of rates / (672 bit x clock frequency)), at least 1.
[[nodiscard]] std::uint32_t default_lanes(const Chip& chip);

/// Priority groups that share the cells of ingress pool `pool` in `domain`; at least 1.
[[nodiscard]] std::uint32_t pg_sharers(const Chip& chip, PoolNumber pool, DomainId domain);

/// Limited queues of all ports that take from egress pool `pool`, each a sharer in every domain; at
/// least 1.
[[nodiscard]] std::uint32_t queue_sharers(const Chip& chip, EgressPoolNumber pool);

/// Insurance of a port in ingress pool `pool`: the largest eta of its PGs whose policy is insured;
/// 0: none is. Source: [DSH], B_i = ports x eta.
[[nodiscard]] Cells insurance_of(const Chip& chip, PoolNumber pool, PortId port);

/// N_q: PGs of a port in ingress pool `pool` whose policy is insured.
[[nodiscard]] std::uint32_t insured_groups(const Chip& chip, PoolNumber pool, PortId port);

/// Cells that `pool` reserves for the PGs of a port outside of the shared segment: phi of each PG,
/// and with dedicated headroom eta of each. PGs with an insured policy have one insurance together
/// in place of their eta.
[[nodiscard]] std::uint64_t reserved_cells(const Chip& chip, PoolNumber pool, PortId port);

/// Time of `quanta` at `rate`: quanta x 512 bit times, exact where is_exact_rate() holds.
[[nodiscard]] constexpr Picoseconds quanta_time(Quanta quanta, BitRate rate) noexcept {
  return Picoseconds{quanta.count() * 64ULL * byte_time(rate).count()};
}

}  // namespace weir
