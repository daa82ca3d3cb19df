// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// Values of packets that a capture does not contain.
struct PcapReplay {
  std::vector<std::size_t> from, to;  ///< Hosts used for the addresses, in turn.
  Priority priority;                  ///< Priority of frames that have none.
  Picoseconds start;                  ///< Time at which the first packet is sent.
};

/// Packets of a capture (pcap or pcapng, Ethernet) as a replay: gaps between them from the time
/// stamps, lengths including the FCS, which captures leave out (at least 64 B), priority from the
/// 802.1Q tag, else from the class selector of IPv4 or IPv6, else `replay.priority`, ECN bits
/// from the IP header. MAC control frames are left out.
///
/// Packets of the first source address that appears are sent by the first host of `from`, those of
/// the second by the second, and so on in turn; likewise destinations and `to`, where a packet to
/// its own sender goes to the next host.
///
/// Errors: FileError: no such file (reported at `named`), no capture, a packet that is truncated,
/// longer than `mtu` or shorter than an Ethernet header, or has no legal time stamp (with its
/// number, from 1), no packets, more than `most`, a time between the first and the last of more
/// than 10^6 s, or a last packet that is sent after 2^64 ps.
[[nodiscard]] std::vector<ReplayPacket> read_pcap(const std::filesystem::path& file,
                                                  const Node& named, const PcapReplay& replay,
                                                  Bytes mtu, std::size_t most = max_replay_packets);

/// Whether `file` has the name of a capture: .pcap, .pcapng or .cap.
[[nodiscard]] bool is_pcap(const std::filesystem::path& file);

}  // namespace weir
