// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/scenario/monitor_spec.hpp"
#include "weir/config/scenario/nic_spec.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/host/dcqcn.hpp"
#include "weir/core/tables/ipv4.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A switch of the scenario and the chip in it.
struct SwitchSpec {
  std::string name;  ///< Name in the module hierarchy.
  Chip chip;         ///< Chip file with the scenario's overrides merged in.
};

/// A host (server with one NIC port).
struct HostSpec {
  std::string name;
  BitRate rate;          ///< Its port's rate; by default that of the switch port.
  bool obeys_pfc{true};  ///< false: a traffic generator that ignores PAUSE.
  Picoseconds response;  ///< From PAUSE received to the class paused; default by speed.
  Ipv4 address;          ///< 0: derived from its place (config/format/addresses.hpp).
  /// While it is dead it sends nothing, answers nothing and discards all frames. None: never.
  std::optional<Picoseconds> dead_from;
  std::optional<Picoseconds> dead_until;  ///< It restarts then. None: it stays dead.
  std::optional<NicSpec> nic;             ///< None: it takes packets at wire rate.
};

/// One end of a link: port `port` of switch or host `node` (index into its list; hosts have port
/// 0).
struct LinkEnd {
  bool is_host{false};
  std::size_t node{0};
  PortId port;
};

/// A full-duplex cable. Both ends run at the same rate.
struct LinkSpec {
  LinkEnd a, b;
  Picoseconds delay;  ///< Propagation one way: length x 5 ns/m by default.
};

enum class TrafficKind : std::uint8_t {
  constant,
  poisson,
  on_off,
  incast,
  messages,
  replay,
  rdma,
};
enum class DestinationRule : std::uint8_t {
  paired,   ///< i-th sender to i-th receiver (a single receiver: all to it)
  uniform,  ///< each message to a receiver drawn uniformly, never to the sender itself
  each,     ///< rdma: connections to every receiver that is not the sender itself
};

/// Destination of a packet.
enum class Cast : std::uint8_t {
  unicast,    ///< The receiver alone.
  multicast,  ///< All receivers of the entry: hosts of one switch.
  broadcast,  ///< All hosts of the receiver's switch.
};

/// A point of a message-size distribution: share of messages no larger than `size`, in 1e-6.
struct SizePoint {
  Bytes size;
  std::uint32_t share_ppm{0};
};

/// Greatest number of packets in a replay file; each takes 48 B, and again at its sender.
constexpr std::size_t max_replay_packets = std::size_t{1} << 24U;

/// One packet of a replay.
struct ReplayPacket {
  Picoseconds time;
  Bytes length;
  Priority priority;
  std::size_t from{0}, to{0};          ///< Host indices.
  Ecn ecn{Ecn::not_ect};               ///< As in the capture; packets of a CSV file are Not-ECT.
  std::optional<std::uint8_t> dscp{};  ///< As in the capture; none: class selector of `priority`.
};

constexpr std::uint8_t default_ttl = 64;
/// First UDP source port of flows, as in RoCEv2.
constexpr std::uint16_t first_source_port = 0xc000;
/// Greatest number of connections of all traffic entries together.
constexpr std::uint32_t max_connections = 0x1'0000U - first_source_port;
/// Greatest number of reliable connections of all senders together; each takes about 0.8 kB.
constexpr std::uint64_t max_rdma_connections = 1'048'576;

/// A window that limits nothing.
constexpr Bytes no_window{std::uint64_t{1} << 62};

/// Parameters of rate control under a name of the scenario's: [dcqcn.NAME].
struct DcqcnSpec {
  std::string name;
  DcqcnSettings settings;
};

/// One traffic source, replicated at each host of `from`.
struct TrafficSpec {
  std::string name;
  TrafficKind kind{TrafficKind::constant};
  std::vector<std::size_t> from, to;  ///< Host indices.
  DestinationRule destination{DestinationRule::paired};
  Priority priority;
  std::uint8_t ttl{default_ttl};  ///< TTL of its packets when they leave the host.
  /// Flows from each sender, distinguished by their UDP source port. They take turns packet by
  /// packet, messages message by message.
  std::uint16_t connections{1};
  Cast cast{Cast::unicast};
  std::optional<std::uint8_t> dscp;  ///< None: the class selector of the priority, 8 x priority.
  bool tagged{true};                 ///< Packets bear the priority in an 802.1Q tag.
  Ecn ecn{Ecn::not_ect};             ///< ECN bits of its packets when they leave the host.
  Bytes packet{1000};                ///< Frame length, FCS included, 64 B to the chip's MTU.
  Picoseconds start{0};
  std::optional<Picoseconds> stop;  ///< No packet is created at or after it.
  /// Wire rate offered by a sender, preamble and gap included; 0 = as fast as its port allows.
  /// constant: of the packets; poisson, messages: mean; on_off: while on.
  BitRate rate;
  Picoseconds on_time, off_time;  ///< on_off: lengths, exponential when `random_periods`.
  bool random_periods{false};
  Bytes burst;                   ///< incast: bytes each sender sends per burst; 0 = no end.
  Picoseconds period;            ///< incast: from burst to burst; 0 = one burst only.
  Picoseconds stagger;           ///< The i-th sender starts i * stagger later.
  std::vector<SizePoint> sizes;  ///< messages: distribution, ascending.
  std::vector<ReplayPacket> replay;
  // rdma: reliable connections. `rate` 0: the next message begins when the previous one is sent.
  Bytes message;               ///< Size of each message; 0: `sizes` decides.
  Bytes window{65'536};        ///< In flight in a connection, at most; or no_window.
  std::uint32_t ack_every{4};  ///< Packets per acknowledgement; the last of a message always.
  Picoseconds timeout{16'000'000'000};  ///< Without an answer for so long all is resent.
  std::optional<DcqcnSettings> dcqcn;   ///< Rate control of each connection; none: no control.
};

/// A static route that is configured on a switch.
struct RouteSpec {
  std::size_t node{0};  ///< Index into Scenario::switches.
  Ipv4Prefix to;
  std::vector<PortId> ports;  ///< Equal-cost, ascending; none: packets to `to` are discarded.
  Picoseconds from;
  std::optional<Picoseconds> until;  ///< The route is removed then; none: never.
};

/// How switches choose among equal-cost ports.
struct EcmpSpec {
  std::string hash{"murmur3"};        ///< A name of flow_hashes() (core/tables/flow_hash.hpp).
  std::optional<std::uint32_t> seed;  ///< The same at every switch; none: each has its own.
};

enum class FaultDirection : std::uint8_t { both, a_to_b, b_to_a };
enum class FaultFrames : std::uint8_t { pfc, data, all };
enum class FaultAction : std::uint8_t {
  lose,     ///< The frame never arrives.
  corrupt,  ///< It arrives with a wrong FCS.
  delay,    ///< It arrives later; the frames after it are not delayed.
};

/// A fault of a link: affects some of the frames that pass, counted per direction.
struct FaultSpec {
  std::size_t link{0};  ///< Index into Scenario::links.
  FaultDirection direction{FaultDirection::both};
  FaultFrames frames{FaultFrames::all};
  FaultAction action{FaultAction::lose};
  std::vector<std::uint32_t> nth;       ///< Affected frames, from 1; empty: `share` decides.
  std::uint32_t share{1}, share_of{1};  ///< Affects `share` in `share_of`, drawn frame by frame.
  Picoseconds by;                       ///< delay: how much later.
};

enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

/// One line of `[expect]`: a metric of the summary and its bound, in the metric's base unit.
struct Expectation {
  std::string metric;  ///< A name of the metric table (docs/reference/scenario-format.md).
  Comparison comparison{Comparison::equal};
  std::int64_t bound{0};  ///< Count, bytes, cells or picoseconds, depending on the metric.
  std::string text;       ///< As written, for the report.
};

/// All inputs of a run, checked and independent of the files that they came from.
struct Scenario {
  std::string name, description;
  Picoseconds until;
  Picoseconds warm_up;  ///< Results count from then on (Measurement).
  std::uint64_t seed{1};
  bool stop_on_deadlock{false};  ///< The run ends when a deadlock is found.
  std::vector<SwitchSpec> switches;
  std::vector<HostSpec> hosts;
  std::vector<LinkSpec> links;
  std::vector<RouteSpec> routes;
  EcmpSpec ecmp;
  std::vector<DcqcnSpec> dcqcn;
  std::vector<TrafficSpec> traffic;
  std::vector<FaultSpec> faults;
  MonitorSpec monitor;
  std::optional<PingmeshSpec> pingmesh;
  std::vector<HostFaultSpec> host_faults;
  std::vector<PfcWatchdogSpec> watchdogs;
  std::vector<Expectation> expect;
};

}  // namespace weir
