// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// What a capture does not say of the packets in it.
struct PcapReplay {
  std::vector<std::size_t> from, to;  ///< Hosts that stand for the addresses, in turn.
  Priority priority;                  ///< Of frames that carry none.
  Picoseconds start;                  ///< When the first packet is sent.
};

/// Packets of a capture (pcap or pcapng, Ethernet) as a replay: gaps between them as stamped,
/// lengths with the FCS that captures leave out (at least 64 B), priority from the 802.1Q tag, else
/// from the class selector of IPv4 or IPv6, else `replay.priority`. MAC control frames are left
/// out.
///
/// The first source address that appears is sent by the first host of `from`, the second by the
/// second, and over again; likewise destinations and `to`, where a packet to its own sender goes to
/// the next host.
///
/// Errors: FileError: no such file (at `named`), no capture, a packet that is cut off, longer than
/// `mtu` or shorter than an Ethernet header (with its number, from 1), no packet at all.
[[nodiscard]] std::vector<ReplayPacket> read_pcap(const std::filesystem::path& file,
                                                  const Node& named, const PcapReplay& replay,
                                                  Bytes mtu);

/// Whether the name of `file` is that of a capture: .pcap, .pcapng or .cap.
[[nodiscard]] bool is_pcap(const std::filesystem::path& file);

}  // namespace weir
