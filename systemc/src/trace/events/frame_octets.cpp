// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/frame_octets.hpp"

#include <algorithm>

#include "weir/config/format/addresses.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr std::size_t ip_at = 18, udp_at = ip_at + 20, payload_at = udp_at + 8;
constexpr std::uint16_t discard_port = 9;

class Octets {
 public:
  explicit Octets(std::size_t size) : octets_(size) {}
  void put(std::size_t at, std::uint64_t value, std::size_t octets) {
    for (std::size_t k = 0; k < octets; ++k)
      octets_[at + k] = static_cast<std::uint8_t>(value >> 8 * (octets - 1 - k));
  }
  [[nodiscard]] std::uint16_t sum16(std::size_t from, std::size_t to) const {
    std::uint32_t sum = 0;
    for (std::size_t at = from; at < to; at += 2)
      sum += static_cast<std::uint32_t>(octets_[at] << 8 | octets_[at + 1]);
    while (sum >> 16 != 0) sum = (sum & 0xffffU) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
  }
  [[nodiscard]] std::vector<std::uint8_t>& all() { return octets_; }

 private:
  std::vector<std::uint8_t> octets_;
};

Octets data_octets(const Frame& frame, Ipv4 source, Ipv4 destination) {
  const std::size_t length = frame.length - fcs_octets;
  Octets octets{std::max(length, payload_at + 8)};
  octets.put(0, mac_of(destination).count(), 6);
  octets.put(6, mac_of(source).count(), 6);
  octets.put(12, 0x8100, 2);
  octets.put(14, std::uint64_t{frame.priority.count()} << 13, 2);
  octets.put(16, 0x0800, 2);
  octets.put(ip_at, 0x45, 1);
  octets.put(ip_at + 1, std::uint64_t{frame.dscp} << 2 | static_cast<unsigned>(frame.ecn()), 1);
  octets.put(ip_at + 2, length - ip_at, 2);
  octets.put(ip_at + 8, frame.ttl, 1);
  octets.put(ip_at + 9, 17, 1);
  octets.put(ip_at + 12, source.count(), 4);
  octets.put(ip_at + 16, destination.count(), 4);
  octets.put(ip_at + 10, octets.sum16(ip_at, udp_at), 2);
  octets.put(udp_at, frame.source_port, 2);
  octets.put(udp_at + 2, discard_port, 2);
  octets.put(udp_at + 4, length - udp_at, 2);
  octets.put(payload_at, frame.sequence, 8);
  return octets;
}

}  // namespace

std::vector<std::uint8_t> wire_octets(const Frame& frame, const std::vector<Ipv4>& addresses,
                                      std::size_t most) {
  if (frame.kind == FrameKind::pfc) {
    const PfcFrameBytes octets = encode(frame.pfc);
    return {octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(most, octets.size() - fcs_octets))};
  }
  std::vector<std::uint8_t> octets =
      std::move(data_octets(frame, addresses[frame.source], addresses[frame.destination]).all());
  octets.resize(std::min<std::size_t>(most, frame.length - fcs_octets));
  return octets;
}

}  // namespace weir
