// SPDX-License-Identifier: Apache-2.0
// Captures as the traffic of a replay: time stamps.
#include "weir/config/format/pcap.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace weir::pcap_test {
namespace {

/// When a packet was seen, as a capture of microseconds has it.
struct Stamp {
  std::uint32_t seconds, microseconds;
};

class ConfigPcap : public testing::Test {
 protected:
  ~ConfigPcap() override { std::filesystem::remove(file_); }

  /// The times of the packets of a capture with these stamps; the first is sent at `start`.
  std::vector<Picoseconds> times_of(const std::vector<Stamp>& stamps,
                                    Picoseconds start = Picoseconds{1'000'000},
                                    std::size_t most = max_replay_packets) {
    write(stamps);
    const PcapReplay replay{{0}, {1}, Priority{3}, start};
    std::vector<Picoseconds> times;
    for (const ReplayPacket& packet : read_pcap(file_, Node{}, replay, Bytes{9216}, most))
      times.push_back(packet.time);
    return times;
  }
  std::string error_of(const std::vector<Stamp>& stamps, Picoseconds start = Picoseconds{1'000'000},
                       std::size_t most = max_replay_packets) {
    try {
      times_of(stamps, start, most);
    } catch (const FileError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  void write(const std::vector<Stamp>& stamps) {
    std::ofstream out{file_, std::ios::binary};
    const auto word = [&](std::uint32_t value) {
      for (int shift = 0; shift < 32; shift += 8) out.put(static_cast<char>(value >> shift & 0xff));
    };
    constexpr std::uint32_t version = 4U << 16 | 2U, ethernet = 1, octets = 60;
    for (const std::uint32_t field : {0xa1b2c3d4U, version, 0U, 0U, 65535U, ethernet}) word(field);
    for (const Stamp& stamp : stamps) {
      for (const std::uint32_t field : {stamp.seconds, stamp.microseconds, octets, octets})
        word(field);
      out << std::string(octets, '\1');
    }
  }

  const std::filesystem::path file_{testing::TempDir() + "weir_pcap_" + std::to_string(getpid())};
};

TEST_F(ConfigPcap, TheFirstPacketIsAtTheStartAndTheOthersFollowAsStamped) {
  EXPECT_EQ(times_of({{5, 10}, {5, 12}, {6, 0}}),
            (std::vector<Picoseconds>{Picoseconds{1'000'000}, Picoseconds{3'000'000},
                                      Picoseconds{999'991'000'000}}));
}

// 18,446,744 s are 2^64 ps: the seconds of today, in picoseconds, take more than 64 bits.
TEST_F(ConfigPcap, TimesDoNotWrapAtASecondOfTheCalendar) {
  const std::vector<Picoseconds> expected{Picoseconds{1'000'000}, Picoseconds{1'000'001'000'000}};
  for (std::uint32_t second = 18'446'743; second < 18'446'746; ++second)
    EXPECT_EQ(times_of({{second, 500'000}, {second + 1, 500'000}}), expected) << second;
  EXPECT_EQ(times_of({{18'446'745, 0}, {18'446'744, 0}}), expected) << "sorted by time";
}

TEST_F(ConfigPcap, AFractionOfASecondOrMoreIsRefused) {
  EXPECT_EQ(times_of({{0, 999'999}}), std::vector<Picoseconds>{Picoseconds{1'000'000}});
  for (const std::uint32_t part : {1'000'000U, 0xffffffffU})
    EXPECT_NE(error_of({{0, 0}, {0, part}})
                  .find("packet 2 = " + std::to_string(part) + ": must be a part of a second"),
              std::string::npos)
        << error_of({{0, 0}, {0, part}});
}

TEST_F(ConfigPcap, ACaptureThatIsTooLongForPicosecondsIsRefused) {
  EXPECT_EQ(times_of({{0, 0}, {1'000'000, 0}}).size(), 2U);
  EXPECT_NE(error_of({{0, 0}, {1'000'001, 0}}).find("must lie within 1000000 s"),
            std::string::npos);
}

TEST_F(ConfigPcap, AReplayHasALimit) {
  EXPECT_EQ(times_of({{0, 0}, {0, 1}}, Picoseconds{}, 2).size(), 2U);
  EXPECT_NE(error_of({{0, 0}, {0, 1}}, Picoseconds{}, 1)
                .find("packet 2: is one too many: a replay has at most 1 packets"),
            std::string::npos)
      << error_of({{0, 0}, {0, 1}}, Picoseconds{}, 1);
}

TEST_F(ConfigPcap, AStartAfterWhichTheLastPacketIsTooLateIsRefused) {
  constexpr Picoseconds last{std::numeric_limits<std::uint64_t>::max()};
  EXPECT_EQ(times_of({{0, 0}, {0, 1}}, last - Picoseconds{1'000'000}).back(), last);
  EXPECT_NE(error_of({{0, 0}, {0, 2}}, last - Picoseconds{1'000'000}).find("within 2^64 ps"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::pcap_test
