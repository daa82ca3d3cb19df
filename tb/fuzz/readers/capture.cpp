// SPDX-License-Identifier: Apache-2.0
// A capture, pcap or pcapng by its first octets.
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "weir/config/format/pcap.hpp"

namespace weir::fuzz {

void read_capture(std::string_view input) {
  constexpr Bytes mtu{9216};
  const std::filesystem::path file = Scratch::folder().file("frames.pcap", input);
  const PcapReplay replay{{0, 1}, {1, 2, 3}, Priority{3}, Picoseconds{1'000'000}};
  static_cast<void>(taken([&] {
    const std::vector<ReplayPacket> packets = read_pcap(file, Node{}, replay, mtu);
    require(!packets.empty(), "a capture without packets");
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const ReplayPacket& packet = packets[i];
      require(packet.time >= (i == 0 ? replay.start : packets[i - 1].time), "time that goes back");
      require(packet.from < 2 && 1 <= packet.to && packet.to < 4, "a host that is not there");
      require(packet.from != packet.to, "a packet to its sender");
      require(Bytes{64} <= packet.length && packet.length <= mtu, "a length that is not legal");
      require(packet.priority.count() < priorities, "a priority that is not legal");
    }
  }));
}

}  // namespace weir::fuzz
