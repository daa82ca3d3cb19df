// SPDX-License-Identifier: Apache-2.0
// A CSV file; its header says which reader takes it.
#include "weir/config/format/csv.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"

namespace weir::fuzz {
namespace {

constexpr Bytes mtu{9216};

std::vector<HostSpec> four_hosts() {
  std::vector<HostSpec> hosts(4);
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].name = "h" + std::to_string(i);
  return hosts;
}

void check_sizes(const std::vector<SizePoint>& sizes) {
  require(!sizes.empty(), "sizes without a point");
  for (std::size_t i = 1; i < sizes.size(); ++i)
    require(sizes[i - 1].size < sizes[i].size, "sizes that do not ascend");
}

void check_packets(const std::vector<ReplayPacket>& packets) {
  require(!packets.empty(), "a replay without packets");
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const ReplayPacket& packet = packets[i];
    require(i == 0 || packets[i - 1].time <= packet.time, "time that goes back");
    require(packet.from < 4 && packet.to < 4, "a host that is not there");
    require(Bytes{64} <= packet.length && packet.length <= mtu, "a length that is not legal");
    require(packet.priority.count() < priorities, "a priority that is not legal");
  }
}

}  // namespace

void read_csv_file(std::string_view input) {
  static const std::vector<HostSpec> hosts = four_hosts();
  const std::filesystem::path file = Scratch::folder().file("table.csv", input);
  const Node named;
  const bool sizes = taken([&] { check_sizes(read_sizes(file, named)); });
  const bool packets = taken([&] { check_packets(read_replay(file, named, hosts, mtu)); });
  require(!sizes || !packets, "a file with two headers");
}

}  // namespace weir::fuzz
