// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/pcap.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "weir/config/format/capture_file.hpp"
#include "weir/core/pfc/pfc_frame.hpp"

namespace weir {
namespace {

constexpr Picoseconds latest{std::numeric_limits<std::uint64_t>::max()};

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

CaptureFile opened(const std::filesystem::path& file, const Node& named) {
  try {
    return CaptureFile{file};
  } catch (const FileError& error) {
    named.fail(error.legal());
  }
}

// By the tag, else by the class selector.
Priority class_of(const EthernetHeader& header, Priority otherwise) {
  if (header.priority) return *header.priority;
  return header.dscp ? class_of_selector(*header.dscp) : otherwise;
}

}  // namespace

bool is_pcap(const std::filesystem::path& file) {
  const std::filesystem::path extension = file.extension();
  return extension == ".pcap" || extension == ".pcapng" || extension == ".cap";
}

std::vector<ReplayPacket> read_pcap(const std::filesystem::path& file, const Node& named,
                                    const PcapReplay& replay, Bytes mtu, std::size_t most) {
  CaptureFile capture = opened(file, named);
  Hosts from{replay.from}, to{replay.to};
  std::vector<std::pair<CaptureStamp, ReplayPacket>> stamped;
  for (CapturedFrame frame; capture.next(frame);) {
    const EthernetHeader header = ethernet_header(frame.octets);
    if (header.type == mac_control_type) continue;
    if (stamped.size() == most)
      capture.fail("",
                   "is one too many: a replay has at most " + std::to_string(most) + " packets");
    ReplayPacket packet;
    packet.length = Bytes{frame.length};
    if (mtu < packet.length)
      capture.fail(
          std::to_string(frame.length) + " B",
          "is longer than the " + std::to_string(mtu.count()) + " bytes of the chip's mtu");
    packet.priority = class_of(header, replay.priority);
    packet.ecn = header.ecn;
    packet.dscp = header.dscp;
    packet.from = from.at(from.index_of(header.source));
    const std::size_t receiver = to.index_of(header.destination);
    packet.to = to.at(receiver) == packet.from ? to.at(receiver + 1) : to.at(receiver);
    if (packet.to == packet.from)
      capture.fail("", "its sender has no other host to send to; give `to` more hosts");
    stamped.emplace_back(frame.stamp, packet);
  }
  if (stamped.empty()) named.fail("holds no packet to replay");
  std::stable_sort(stamped.begin(), stamped.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const CaptureStamp first = stamped.front().first;
  if (max_capture_span_s < stamped.back().first.seconds - first.seconds)
    named.fail("its stamps must lie within " + std::to_string(max_capture_span_s) + " s");
  std::vector<ReplayPacket> packets;
  packets.reserve(stamped.size());
  for (auto& [stamp, packet] : stamped) {
    const Picoseconds since_first{(stamp.seconds - first.seconds) * picoseconds_per_second +
                                  stamp.picoseconds - first.picoseconds};
    if (latest - replay.start < since_first)
      named.fail("its last packet, counted from `start`, must be sent within 2^64 ps");
    packet.time = since_first + replay.start;
    packets.push_back(packet);
  }
  return packets;
}

}  // namespace weir
