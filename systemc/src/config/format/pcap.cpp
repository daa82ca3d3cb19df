// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/pcap.hpp"

#include <pcap/pcap.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "format/ethernet.hpp"

namespace weir {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;
constexpr std::uint64_t ps_per_ns = 1000;
constexpr std::uint64_t longest_ns = std::numeric_limits<std::uint64_t>::max() / ps_per_ns;
constexpr std::uint16_t vlan_type = 0x8100, service_vlan_type = 0x88a8, mac_control_type = 0x8808;
constexpr std::uint16_t ipv4_type = 0x0800, ipv6_type = 0x86dd;

struct Closer {
  void operator()(pcap_t* handle) const { pcap_close(handle); }
};
using Handle = std::unique_ptr<pcap_t, Closer>;

/// The header fields of a frame.
struct FrameHeader {
  std::uint64_t source{0}, destination{0};
  std::uint16_t type{0};
  std::optional<Priority> priority;
  std::optional<std::uint8_t> dscp;
  Ecn ecn{Ecn::not_ect};
};

std::uint16_t number16(const std::uint8_t* octets, std::size_t at) {
  return static_cast<std::uint16_t>(octets[at] << 8 | octets[at + 1]);
}
std::uint64_t address(const std::uint8_t* octets) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < 6; ++k) value = value << 8 | octets[k];
  return value;
}
Priority priority_of(int value) { return Priority{static_cast<std::uint8_t>(value)}; }

FrameHeader parse(const std::uint8_t* octets, std::size_t size) {
  FrameHeader header;
  header.destination = address(octets);
  header.source = address(octets + 6);
  std::size_t at = 12;
  header.type = number16(octets, at);
  while ((header.type == vlan_type || header.type == service_vlan_type) &&
         at + tag_octets + 2 <= size) {
    if (!header.priority) header.priority = priority_of(octets[at + 2] >> 5);
    at += tag_octets;
    header.type = number16(octets, at);
  }
  if (size < at + 4) return header;
  if (header.type != ipv4_type && header.type != ipv6_type) return header;
  // The second octet of IPv4, bits 4 to 11 of IPv6: class selector, three more of the DSCP, ECN.
  const int traffic_class =
      header.type == ipv4_type ? octets[at + 3] : number16(octets, at + 2) >> 4 & 0xff;
  if (!header.priority) header.priority = priority_of(traffic_class >> 5);
  header.dscp = static_cast<std::uint8_t>(traffic_class >> 2);
  header.ecn = static_cast<Ecn>(traffic_class & 3);
  return header;
}

/// Assigns hosts to addresses in the order of their appearance.
class Hosts {
 public:
  explicit Hosts(const std::vector<std::size_t>& hosts) : hosts_{hosts} {}
  std::size_t index_of(std::uint64_t address) {
    return known_.emplace(address, known_.size() % hosts_.size()).first->second;
  }
  [[nodiscard]] std::size_t at(std::size_t index) const { return hosts_[index % hosts_.size()]; }

 private:
  const std::vector<std::size_t>& hosts_;
  std::map<std::uint64_t, std::size_t> known_;
};

/// A packet, and its time in nanoseconds since 1970: too long for picoseconds in 64 bits.
struct Stamped {
  std::int64_t ns{0};
  ReplayPacket packet;
};

/// The packets in the order of their times; that of the first is `start`.
std::vector<ReplayPacket> from_start(std::vector<Stamped>& stamped, Picoseconds start,
                                     const Node& named) {
  const auto earlier = [](const Stamped& a, const Stamped& b) { return a.ns < b.ns; };
  std::stable_sort(stamped.begin(), stamped.end(), earlier);
  const std::int64_t first = stamped.front().ns;
  const auto span = static_cast<std::uint64_t>(stamped.back().ns - first);
  if (longest_ns - start.count() / ps_per_ns <= span)
    named.fail("lasts " + std::to_string(span / ns_per_s) + " s: must end within " +
               std::to_string(longest_ns / ns_per_s) + " s of simulated time");
  std::vector<ReplayPacket> packets;
  packets.reserve(stamped.size());
  for (Stamped& each : stamped) {
    each.packet.time = start + Picoseconds{static_cast<std::uint64_t>(each.ns - first) * ps_per_ns};
    packets.push_back(each.packet);
  }
  return packets;
}

class Capture {
 public:
  Capture(const std::filesystem::path& file, const Node& named) : file_{file.string()} {
    char reason[PCAP_ERRBUF_SIZE] = "";
    handle_.reset(
        pcap_open_offline_with_tstamp_precision(file_.c_str(), PCAP_TSTAMP_PRECISION_NANO, reason));
    if (handle_ == nullptr) named.fail(std::string{"cannot be read as a capture: "} + reason);
    if (pcap_datalink(handle_.get()) != DLT_EN10MB) named.fail("must be a capture of Ethernet");
  }

  /// The next packet; false at the end of the file.
  bool next() {
    ++number_;
    const int result = pcap_next_ex(handle_.get(), &header_, &octets_);
    if (result == PCAP_ERROR_BREAK) return false;
    if (result != 1) fail("", pcap_geterr(handle_.get()));
    if (header_->caplen < header_octets)
      fail(std::to_string(header_->caplen) + " B", "is shorter than an Ethernet header");
    return true;
  }
  /// Nanoseconds since 1970.
  [[nodiscard]] std::int64_t stamp() const {
    constexpr std::int64_t last_second = std::numeric_limits<std::int64_t>::max() / ns_per_s - 1;
    const std::int64_t seconds = header_->ts.tv_sec, fraction = header_->ts.tv_usec;
    if (seconds < 0 || last_second < seconds || fraction < 0 || ns_per_s <= fraction)
      fail(std::to_string(seconds) + " s and " + std::to_string(fraction) + " ns",
           "is no legal time stamp: seconds from 1970 to 2262, and less than 1 s");
    return seconds * ns_per_s + fraction;
  }
  [[nodiscard]] FrameHeader frame() const { return parse(octets_, header_->caplen); }
  [[nodiscard]] Bytes length(Bytes mtu) const {
    const Bytes length{std::max(min_frame, std::uint64_t{header_->len} + fcs_octets)};
    if (mtu < length)
      fail(std::to_string(length.count()) + " B",
           "is longer than the " + std::to_string(mtu.count()) + " bytes of the chip's mtu");
    return length;
  }
  [[noreturn]] void fail(const std::string& value, const std::string& legal) const {
    throw FileError{Origin{file_, 0}, "packet " + std::to_string(number_), value, legal};
  }

 private:
  const std::string file_;
  Handle handle_;
  pcap_pkthdr* header_{nullptr};
  const std::uint8_t* octets_{nullptr};
  std::uint64_t number_{0};
};

}  // namespace

bool is_pcap(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".pcap" || extension == ".pcapng" || extension == ".cap";
}

std::vector<ReplayPacket> read_pcap(const std::filesystem::path& file, const Node& named,
                                    const PcapReplay& replay, Bytes mtu) {
  Capture capture{file, named};
  Hosts from{replay.from}, to{replay.to};
  std::vector<Stamped> stamped;
  while (capture.next()) {
    const FrameHeader frame = capture.frame();
    if (frame.type == mac_control_type) continue;
    ReplayPacket packet;
    packet.length = capture.length(mtu);
    packet.priority = frame.priority.value_or(replay.priority);
    packet.ecn = frame.ecn;
    packet.dscp = frame.dscp;
    packet.from = from.at(from.index_of(frame.source));
    const std::size_t receiver = to.index_of(frame.destination);
    packet.to = to.at(receiver) == packet.from ? to.at(receiver + 1) : to.at(receiver);
    if (packet.to == packet.from)
      capture.fail("", "its sender has no other host to send to; give `to` more hosts");
    stamped.push_back({capture.stamp(), packet});
  }
  if (stamped.empty()) named.fail("holds no packet to replay");
  return from_start(stamped, replay.start, named);
}

}  // namespace weir
