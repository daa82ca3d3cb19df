// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scenario_sections.hpp"
#include "weir/config/format/csv.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/format/pcap.hpp"
#include "weir/config/scenario/host_dscp.hpp"

namespace weir::scenario_sections {
namespace {

constexpr std::int64_t max_ack_every = 1'000'000;

void check_destinations(const Node& to, const TrafficSpec& traffic) {
  const std::vector<std::size_t>& from = traffic.from;
  const std::vector<std::size_t>& list = traffic.to;
  if (traffic.destination != DestinationRule::paired) {
    for (const std::size_t sender : from) {
      const bool other = std::any_of(list.begin(), list.end(),
                                     [&](std::size_t receiver) { return receiver != sender; });
      if (!other) to.fail("a sender needs a receiver that is not itself");
    }
    return;
  }
  if (traffic.cast != Cast::unicast) return;  // check_cast() checks groups
  if (list.size() != 1 && list.size() != from.size()) {
    to.fail("must be one host, or as many as from, which are " + std::to_string(from.size()) +
            "; here are " + std::to_string(list.size()));
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (list[list.size() == 1 ? 0 : i] == from[i]) to.fail("a host cannot send to itself");
  }
}

// Packets to a group are flooded by the switch of the group.
void check_cast(const Node& cast, const Scenario& scenario, const TrafficSpec& traffic) {
  if (traffic.cast == Cast::unicast) return;
  if (traffic.destination != DestinationRule::paired)
    cast.fail("multicast and broadcast need destination = \"paired\"");
  if (traffic.cast == Cast::broadcast && traffic.to.size() != 1)
    cast.fail("broadcast needs a single host in to: it goes to all hosts of that host's switch");
  const std::size_t node = port_of_host(traffic.to.front(), scenario).node;
  for (const std::size_t host : traffic.to)
    if (port_of_host(host, scenario).node != node)
      cast.fail("the hosts of a group must be on one switch");
  if (!scenario.switches[node].chip.neighbours)
    cast.fail("multicast and broadcast need tables: [switch." + scenario.switches[node].name +
              ".neighbours]");
}

// "40 Gbps", "80 %" of the slowest sender's port, or "line" (0: as fast as the port allows).
BitRate to_offered_rate(const Node& value, BitRate slowest) {
  if (value.kind == Node::Kind::text && value.text == "line") return BitRate{};
  BitRate rate;
  if (const auto share =
          value.kind == Node::Kind::text ? parse_percent(value.text) : std::nullopt) {
    // In parts of a million first: the product of rate and share may overflow.
    rate = BitRate{slowest.count() / whole_ppm * *share};
  } else if (const auto written =
                 value.kind == Node::Kind::text ? parse_rate(value.text) : std::nullopt) {
    rate = *written;
  } else {
    value.fail(
        "must be a rate such as \"10 Gbps\", a share of the port's such as \"80 %\", or "
        "\"line\"");
  }
  if (rate == BitRate{} || slowest < rate) {
    value.fail("must be more than 0 and at most the " + std::to_string(slowest.count()) +
               " bps of the sender's port");
  }
  return rate;
}

BitRate slowest_sender(const Scenario& scenario, const TrafficSpec& traffic) {
  BitRate slowest = scenario.hosts[traffic.from.front()].rate;
  for (const std::size_t h : traffic.from) slowest = std::min(slowest, scenario.hosts[h].rate);
  return slowest;
}

void read_rate(TableReader& reader, const Scenario& scenario, bool mean, TrafficSpec& traffic) {
  const Node* const rate = reader.find("rate");
  if (traffic.from.empty()) return;  // they were refused
  const BitRate slowest = slowest_sender(scenario, traffic);
  if (rate == nullptr) {
    if (mean) reader.node().fail_missing("rate", "the mean rate, such as \"10 Gbps\" or \"80 %\"");
    return;
  }
  traffic.rate = to_offered_rate(*rate, slowest);
  if (mean && traffic.rate == BitRate{}) {
    rate->fail("must be a mean rate such as \"10 Gbps\" or \"80 %\" for this kind");
  }
}

void read_ends(TableReader& reader, const Scenario& scenario, const HostIndex& index,
               TrafficSpec& traffic) {
  constexpr std::array<std::pair<const char*, DestinationRule>, 2> rules{
      {{"paired", DestinationRule::paired}, {"uniform", DestinationRule::uniform}}};
  constexpr std::array<std::pair<const char*, Cast>, 3> casts{
      {{"unicast", Cast::unicast}, {"multicast", Cast::multicast}, {"broadcast", Cast::broadcast}}};
  constexpr std::array<std::pair<const char*, DestinationRule>, 2> rdma_rules{
      {{"paired", DestinationRule::paired}, {"each", DestinationRule::each}}};
  const bool rdma = traffic.kind == TrafficKind::rdma;
  const auto hosts = [&](const Node& value) { return index.hosts_in(value); };
  const Node* const cast = reader.find("cast");
  reader.set(
      "cast", [&](const Node& value) { return to_choice(value, casts); }, traffic.cast);
  traffic.from = reader.get("from", hosts, "the senders, such as \"h[0-15]\"");
  traffic.to = reader.get("to", hosts, "the receivers, such as \"h16\"");
  traffic.destination = reader.get_or(
      "destination", [&](const Node& value) { return to_choice(value, rdma ? rdma_rules : rules); },
      traffic.destination);
  if (!reader.good()) return;
  reader.attempt([&] {
    check_destinations(*reader.find("to"), traffic);
    if (cast != nullptr) check_cast(*cast, scenario, traffic);
  });
}

// The last sender begins (senders - 1) * stagger after the first one.
Picoseconds read_stagger(TableReader& reader, std::size_t senders) {
  const Picoseconds stagger = reader.get_or("stagger", to_duration, Picoseconds{});
  if (senders != 0 && max_duration.count() / senders < stagger.count())
    reader.find("stagger")->fail(
        fmt::format("{} for all {} senders together", legal::duration, senders));
  return stagger;
}

void read_times(TableReader& reader, TrafficSpec& traffic) {
  traffic.start = reader.get_or("start", to_time, Picoseconds{0});
  reader.attempt([&] { traffic.stagger = read_stagger(reader, traffic.from.size()); });
  const Node* const stop = reader.find("stop");
  if (stop == nullptr) return;
  reader.attempt([&] { traffic.stop = to_time_after(*stop, traffic.start, "start"); });
}

void read_flow(TableReader& reader, TrafficSpec& traffic) {
  traffic.ttl = reader.get_or("ttl", integer_from(1, 255), traffic.ttl);
  traffic.connections =
      reader.get_or("connections", integer_from(1, max_connections), traffic.connections);
}

// The DSCP of packets where none is set; none: the class selector.
std::optional<std::uint8_t> usual_dscp(const Scenario& scenario, const TrafficSpec& traffic) {
  const auto trusts = [](const SwitchSpec& one) {
    return one.chip.classifier.trust == ClassTrust::dscp;
  };
  if (std::none_of(scenario.switches.begin(), scenario.switches.end(), trusts)) return {};
  const HostDscp dscps{scenario};
  for (const std::size_t host : traffic.from)
    if (const auto dscp = dscps.instead(host, traffic.priority)) return dscp;
  return {};
}

// The fields of the packets that give their class, and whether they may be marked.
void read_header_fields(TableReader& reader, TrafficSpec& traffic) {
  constexpr std::array<std::pair<const char*, Ecn>, 3> codepoints{
      {{"not_ect", Ecn::not_ect}, {"ect0", Ecn::ect0}, {"ect1", Ecn::ect1}}};
  constexpr std::int64_t highest_dscp = 63;
  traffic.tagged = reader.get_or("tagged", to_boolean, traffic.tagged);
  reader.set("dscp", integer_from(0, highest_dscp), traffic.dscp);
  traffic.ecn = reader.get_or(
      "ecn", [&](const Node& value) { return to_choice(value, codepoints); }, traffic.ecn);
}

// Keys of every kind except replay.
void read_generated(TableReader& reader, const Scenario& scenario, const HostIndex& index,
                    TrafficSpec& traffic) {
  read_ends(reader, scenario, index, traffic);
  const auto priority = reader.get("priority", integer_from(0, 7), "the class, 0 to 7");
  traffic.priority = Priority{static_cast<std::uint8_t>(priority)};
  read_flow(reader, traffic);
  read_header_fields(reader, traffic);
  if (!traffic.dscp) traffic.dscp = usual_dscp(scenario, traffic);
  traffic.packet = read_packet(reader, traffic.packet, scenario);
  const bool mean = traffic.kind == TrafficKind::poisson || traffic.kind == TrafficKind::messages;
  reader.attempt([&] { read_rate(reader, scenario, mean, traffic); });
  read_times(reader, traffic);
}

void read_on_off(TableReader& reader, TrafficSpec& traffic) {
  traffic.on_time = reader.get("on_time", to_positive_duration, legal::time);
  traffic.off_time = reader.get("off_time", to_positive_duration, legal::time);
  traffic.random_periods = reader.get_or("random_periods", to_boolean, false);
}

void read_incast(TableReader& reader, TrafficSpec& traffic) {
  if (const Node* const burst = reader.find("burst")) {
    traffic.burst = to_bytes(*burst);
    if (traffic.burst == Bytes{}) burst->fail("must be at least \"1 B\"; without it, no end");
  }
  const Node* const period = reader.find("period");
  if (period == nullptr) return;
  traffic.period = to_positive_duration(*period);
  if (traffic.burst == Bytes{}) period->fail("needs a burst that ends: set burst");
}

Bytes to_window(const Node& value) {
  return value.kind == Node::Kind::text && value.text == "none" ? no_window : to_bytes(value);
}

// The switches of the receivers, which send the CNPs, can recognise their class.
void require_class_of_cnps(const Node& place, const Scenario& scenario,
                           const TrafficSpec& traffic) {
  const HostDscp dscps{scenario};
  const Priority priority = traffic.dcqcn->cnp_priority;
  for (const std::size_t host : traffic.to)
    if (!dscps.can_mean(host, priority))
      place.fail("has the cnp_priority " + std::to_string(priority.count()) +
                 ", to which no DSCP maps at the switch of " + scenario.hosts[host].name +
                 ": name one in [classify.dscp] of its chip, or set another cnp_priority");
}

// Rate control of the connections. Their packets may be marked unless `ecn` says otherwise.
void read_control(TableReader& reader, const Scenario& scenario, TrafficSpec& traffic) {
  constexpr std::array<std::pair<const char*, bool>, 2> controls{
      {{"none", false}, {"dcqcn", true}}};
  const Node* const control = reader.find("control");
  const Node* const name = reader.find("dcqcn");
  const bool controlled = control != nullptr && to_choice(*control, controls);
  if (name != nullptr && !controlled) name->fail("needs control = \"dcqcn\"");
  if (!controlled) return;
  traffic.dcqcn = name == nullptr ? dcqcn_presets().front().settings : to_dcqcn(*name, scenario);
  if (traffic.from.empty()) return;  // they were refused
  const Node& place = name != nullptr ? *name : *control;
  const BitRate slowest = slowest_sender(scenario, traffic);
  if (slowest < traffic.dcqcn->min_rate)
    place.fail("has a min_rate of " + std::to_string(traffic.dcqcn->min_rate.count()) +
               " bps, more than the " + std::to_string(slowest.count()) +
               " bps of the sender's port");
  require_class_of_cnps(place, scenario, traffic);
  const Node* const ecn = reader.find("ecn");
  if (ecn == nullptr)
    traffic.ecn = Ecn::ect0;
  else if (!is_ect(traffic.ecn) && reader.good())  // else it may be no codepoint: one error
    ecn->fail("must be ect0 or ect1 with control = \"dcqcn\", which reacts to marks alone");
}

// Connections: messages of one size or of a distribution, window, acknowledgements.
void read_rdma(TableReader& reader, const std::filesystem::path& folder, const Scenario& scenario,
               TrafficSpec& traffic) {
  if (traffic.cast != Cast::unicast)
    reader.find("cast")->fail("connections lead to one host each: only unicast");
  const Node* const message = reader.find("message");
  const Node* const sizes = reader.find("sizes");
  if (message == nullptr && sizes == nullptr)
    reader.node().fail_missing("message", "the size of a message, or sizes, a CSV file of them");
  if (message != nullptr && sizes != nullptr) sizes->fail("must not be given with message");
  if (sizes != nullptr) traffic.sizes = read_sizes(folder / to_text(*sizes), *sizes);
  if (message != nullptr) {
    traffic.message = to_bytes(*message);
    if (traffic.message == Bytes{}) message->fail("must be at least \"1 B\"");
  }
  traffic.window = reader.get_or("window", to_window, traffic.window);
  if (traffic.window < traffic.packet) {
    const Node* const window = reader.find("window");
    (window != nullptr ? *window : reader.node())
        .fail("window must hold a packet, here " + std::to_string(traffic.packet.count()) +
              " B, or be \"none\"");
  }
  traffic.ack_every = static_cast<std::uint32_t>(
      reader.get_or("ack_every", integer_from(1, max_ack_every), std::int64_t{traffic.ack_every}));
  traffic.timeout = reader.get_or("timeout", to_positive_duration, traffic.timeout);
  read_control(reader, scenario, traffic);
  std::vector<std::size_t> from = traffic.from;
  std::sort(from.begin(), from.end());
  if (std::adjacent_find(from.begin(), from.end()) != from.end())
    reader.find("from")->fail(
        "names a host twice; for several connections of a host set connections");
}

// In the order in which they come first.
class HostsOnce {
 public:
  HostsOnce(std::size_t hosts, std::vector<std::size_t>& list) : listed_(hosts), list_{list} {}
  void add(std::size_t host) {
    if (!listed_[host]) list_.push_back(host);
    listed_[host] = true;
  }

 private:
  std::vector<bool> listed_;
  std::vector<std::size_t>& list_;
};

// The hosts that replace the addresses of a capture.
PcapReplay read_pcap_ends(TableReader& reader, const HostIndex& index) {
  const auto hosts = [&](const Node& value) { return index.hosts_in(value); };
  PcapReplay replay;
  replay.from = reader.get("from", hosts, "the hosts that send, such as \"h[0-15]\"");
  replay.to = reader.get("to", hosts, "the hosts that receive, such as \"h16\"");
  const auto priority = reader.get_or("priority", integer_from(0, 7), std::int64_t{0});
  replay.priority = Priority{static_cast<std::uint8_t>(priority)};
  replay.start = reader.get_or("start", to_time, Picoseconds{0});
  return replay;
}

// A host sends a captured packet in the class that its switch gives the packet. A host that sends
// in another class is not paused when the switch pauses that class.
void take_classes_of_dscp(const Scenario& scenario, std::vector<ReplayPacket>& packets) {
  const HostDscp dscps{scenario};
  for (ReplayPacket& packet : packets) {
    if (!packet.dscp)
      packet.dscp = dscps.instead(packet.from, packet.priority);
    else if (const DscpTable* const table = dscps.table_of(packet.from))
      packet.priority = (*table)[*packet.dscp];
  }
}

void read_replay_file(TableReader& reader, const std::filesystem::path& folder,
                      const Scenario& scenario, const HostIndex& index, TrafficSpec& traffic) {
  const Node* const file = reader.find("file");
  if (file == nullptr) reader.node().fail_missing("file", "a CSV file of packets, or a capture");
  const std::filesystem::path path = folder / to_text(*file);
  const Bytes mtu = min_mtu(scenario);
  if (is_pcap(path)) {
    const PcapReplay ends = read_pcap_ends(reader, index);
    if (reader.good()) traffic.replay = read_pcap(path, *file, ends, mtu);
  } else {
    traffic.replay = read_replay(path, *file, scenario.hosts, mtu);
  }
  take_classes_of_dscp(scenario, traffic.replay);
  HostsOnce from{scenario.hosts.size(), traffic.from}, to{scenario.hosts.size(), traffic.to};
  for (const ReplayPacket& packet : traffic.replay) {
    from.add(packet.from);
    to.add(packet.to);
  }
}

// The keys of each kind.
void read_kind(TableReader& reader, const std::filesystem::path& folder, const Scenario& scenario,
               const HostIndex& index, TrafficSpec& traffic) {
  if (traffic.kind == TrafficKind::replay)
    return read_replay_file(reader, folder, scenario, index, traffic);
  read_generated(reader, scenario, index, traffic);
  if (traffic.kind == TrafficKind::on_off) read_on_off(reader, traffic);
  if (traffic.kind == TrafficKind::incast) reader.attempt([&] { read_incast(reader, traffic); });
  if (traffic.kind == TrafficKind::rdma) read_rdma(reader, folder, scenario, traffic);
  if (traffic.kind == TrafficKind::messages) {
    const Node* const sizes = reader.find("sizes");
    if (sizes == nullptr) reader.node().fail_missing("sizes", "a CSV file of message sizes");
    traffic.sizes = read_sizes(folder / to_text(*sizes), *sizes);
  }
}

TrafficSpec read_traffic_entry(TableReader reader, const std::filesystem::path& folder,
                               const Scenario& scenario, const HostIndex& index) {
  constexpr std::array<std::pair<const char*, TrafficKind>, 7> kinds{
      {{"constant", TrafficKind::constant},
       {"poisson", TrafficKind::poisson},
       {"on_off", TrafficKind::on_off},
       {"incast", TrafficKind::incast},
       {"messages", TrafficKind::messages},
       {"replay", TrafficKind::replay},
       {"rdma", TrafficKind::rdma}}};
  TrafficSpec traffic;
  traffic.name = reader.get("name", to_title, "what the traffic is called");
  const std::optional<TrafficKind> kind = reader.get(
      "kind", [&](const Node& v) { return std::optional{to_choice(v, kinds)}; }, one_of(kinds));
  if (!kind) return traffic;  // which keys there are depends on it
  traffic.kind = *kind;
  read_kind(reader, folder, scenario, index, traffic);
  reader.finish();
  return traffic;
}

// From each sender to its receiver, or to every other host of `to`: an upper bound where it is one
// of them.
std::uint64_t reliable_connections(const TrafficSpec& traffic) {
  if (traffic.kind != TrafficKind::rdma) return 0;
  const std::uint64_t peers =
      traffic.destination == DestinationRule::each ? traffic.to.size() : std::size_t{1};
  return traffic.from.size() * peers * traffic.connections;
}

const Node& place_of_connections(const Node& entry) {
  const Node* const connections = entry.find("connections");
  return connections != nullptr ? *connections : entry;
}

// What all entries share: the source ports, the connections, their names.
void check_together(const Node& list, const Scenario& scenario) {
  std::uint32_t connections = 0;
  std::uint64_t reliable = 0;
  for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
    const Node& node = list.children[i];
    const TrafficSpec& traffic = scenario.traffic[i];
    connections += traffic.connections;
    if (max_connections < connections)
      node.fail("all entries together have more than " + std::to_string(max_connections) +
                " connections, one for each UDP source port of RoCEv2");
    reliable += reliable_connections(traffic);
    if (max_rdma_connections < reliable)
      place_of_connections(node).fail("all senders together have " + std::to_string(reliable) +
                                      " reliable connections; at most " +
                                      std::to_string(max_rdma_connections));
    for (std::size_t other = 0; other < i; ++other) {
      if (scenario.traffic[other].name != traffic.name) continue;
      node.find("name")->fail("is the name of traffic[" + std::to_string(other) + "] already");
    }
  }
}

}  // namespace

void read_traffic(TableReader& document, const std::filesystem::path& folder, Scenario& scenario) {
  const Node* const list = document.find("traffic");
  if (list == nullptr) return;
  const HostIndex index{scenario};
  for (const Node& node : document.tables("traffic")) {
    document.attempt([&] {
      scenario.traffic.push_back(read_traffic_entry(document.table(node), folder, scenario, index));
    });
  }
  if (document.good()) check_together(*list, scenario);
}

}  // namespace weir::scenario_sections
