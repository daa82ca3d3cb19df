// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/csv.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace weir::csv_test {
namespace {

class ConfigCsv : public testing::Test {
 protected:
  ~ConfigCsv() override { std::filesystem::remove(file_); }

  std::string sizes_error(const std::string& text) {
    write(text);
    return message([&] { static_cast<void>(read_sizes(file_, named_)); });
  }
  std::string replay_error(const std::string& rows, std::size_t most = max_replay_packets) {
    write("time_ps,from,to,priority,length_bytes\n" + rows);
    return message(
        [&] { static_cast<void>(read_replay(file_, named_, hosts_, Bytes{9216}, most)); });
  }
  void write(const std::string& text) { std::ofstream{file_} << text; }

  const std::filesystem::path file_{testing::TempDir() + "weir_csv_" + std::to_string(getpid())};
  Node named_;
  std::vector<HostSpec> hosts_{named("h0"), named("h1")};

 private:
  static HostSpec named(const char* name) {
    HostSpec host;
    host.name = name;
    return host;
  }
  template <class Act>
  std::string message(Act act) {
    try {
      act();
    } catch (const FileError& error) {
      const std::string text = error.what();
      const std::string name = file_.string();
      return text.rfind(name, 0) == 0 ? text.substr(name.size()) : text;
    }
    return "no error";
  }
};

TEST_F(ConfigCsv, EveryShippedDistributionIsRead) {
  for (const auto& entry : std::filesystem::directory_iterator{"vectors/workloads"}) {
    if (entry.path().extension() != ".csv") continue;
    const auto points = read_sizes(entry.path(), named_);
    EXPECT_GT(points.size(), 5U) << entry.path();
    EXPECT_EQ(points.back().share_ppm, 1'000'000U) << entry.path();
  }
}

TEST_F(ConfigCsv, SharesAreRoundedToTheNearestMillionth) {
  write("message_bytes,cdf_percent\n1,0.00004\n2,0.00005\n3,10.8913\n4,100.0\n");
  const auto points = read_sizes(file_, named_);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].share_ppm, 0U);
  EXPECT_EQ(points[1].share_ppm, 1U);
  EXPECT_EQ(points[2].share_ppm, 108'913U);
}

TEST_F(ConfigCsv, BadDistributionsNameLineAndColumn) {
  const std::string head = "message_bytes,cdf_percent\n";
  EXPECT_EQ(sizes_error("bytes,cdf\n1,100\n"),
            ":1: header = bytes, cdf: must be message_bytes, cdf_percent");
  EXPECT_EQ(sizes_error(head), ":1: holds no row");
  EXPECT_EQ(sizes_error(""), ": holds no row");
  EXPECT_EQ(sizes_error(head + "1,50\n2,40\n"),
            ":3: cdf_percent = \"40\": must not be smaller than in the row before");
  EXPECT_EQ(sizes_error(head + "1,50\n1,100\n"),
            ":3: message_bytes = \"1\": must be larger than in the row before");
  EXPECT_EQ(sizes_error(head + "1,50\n2,100.1\n"),
            ":3: cdf_percent = \"100.1\": must be a share from 0 to 100 percent");
  EXPECT_EQ(sizes_error(head + "1,1e2\n"),
            ":2: cdf_percent = \"1e2\": must be a share from 0 to 100 percent");
  EXPECT_EQ(sizes_error(head + "1,50\n"),
            ":2: cdf_percent = \"50\": the last row must reach 100 percent; is the file cut off?");
}

TEST_F(ConfigCsv, ACutFileIsNoticed) {
  EXPECT_EQ(sizes_error("message_bytes,cdf_percent\n1,50\n2\n"),
            ":3: row = 2: has 1 values, must have 2: message_bytes, cdf_percent");
  EXPECT_EQ(sizes_error("message_bytes,cdf_percent\n1,50\n2,100"),
            ":3: the last line has no line break: the file is cut off");
  EXPECT_EQ(replay_error("0,h0,h1,3,1000\n5,h0,h1,3,10"),
            ":3: the last line has no line break: the file is cut off");
  EXPECT_EQ(replay_error("0,h0,h1,3\n"),
            ":2: row = 0, h0, h1, 3: has 4 values, must have 5: time_ps, from, to, priority, "
            "length_bytes");
}

TEST_F(ConfigCsv, ReplayRowsAreRead) {
  write("time_ps,from,to,priority,length_bytes\r\n0,h0,h1,3,64\r\n7,h1,h0,7,9216\r\n");
  const auto packets = read_replay(file_, named_, hosts_, Bytes{9216});
  ASSERT_EQ(packets.size(), 2U);
  EXPECT_EQ(packets[1].time, Picoseconds{7});
  EXPECT_EQ(packets[1].from, 1U);
  EXPECT_EQ(packets[1].to, 0U);
  EXPECT_EQ(packets[1].priority, Priority{7});
  EXPECT_EQ(packets[1].length, Bytes{9216});
}

TEST_F(ConfigCsv, ARowWithoutAnEndIsRefused) {
  EXPECT_EQ(replay_error("0,h0,h1,3,64\n" + std::string(100'000, '0') + ",h0,h1,3,64\n"),
            ":3: is longer than 65535 bytes");
}

TEST_F(ConfigCsv, AReplayNeedsTheMemoryOfItsPacketsOnly) {
  constexpr std::size_t rows = 1'000'000;
  {
    std::ofstream out{file_};
    out << "time_ps,from,to,priority,length_bytes\n";
    for (std::size_t i = 0; i < rows; ++i) out << i << ",h0,h1,3,1024\n";
  }
  const auto kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss);
  };
  const std::size_t before = kilobytes();
  EXPECT_EQ(read_replay(file_, named_, hosts_, Bytes{9216}).size(), rows);
#ifdef __SANITIZE_ADDRESS__
  constexpr std::size_t kept = 1U << 18U;  // kB of freed memory that the sanitizer keeps
#else
  constexpr std::size_t kept = 0;
#endif
  // A vector that grows holds its packets twice for a moment, in up to twice the place.
  EXPECT_LT(kilobytes() - before, kept + rows * sizeof(ReplayPacket) * 4 / 1000);
}

TEST_F(ConfigCsv, AReplayHasALimit) {
  const std::string rows = "0,h0,h1,3,64\n7,h1,h0,7,9216\n";
  EXPECT_EQ(replay_error(rows, 2), "no error");
  EXPECT_EQ(replay_error(rows, 1),
            ":3: time_ps = \"7\": is one packet too many: a replay has at most 1");
}

TEST_F(ConfigCsv, BadReplayRowsNameLineAndColumn) {
  EXPECT_EQ(replay_error("0,h0,h2,3,64\n"),
            ":2: to = \"h2\": there is no such host in the scenario");
  EXPECT_EQ(replay_error("0,h0,h0,3,64\n"), ":2: to = \"h0\": a host cannot send to itself");
  EXPECT_EQ(replay_error("0,h0,h1,8,64\n"), ":2: priority = \"8\": must be from 0 to 7");
  EXPECT_EQ(replay_error("0,h0,h1,3,63\n"),
            ":2: length_bytes = \"63\": must be from 64 to the 9216 bytes of the chip's mtu");
  EXPECT_EQ(replay_error("0,h0,h1,3,9217\n"),
            ":2: length_bytes = \"9217\": must be from 64 to the 9216 bytes of the chip's mtu");
  EXPECT_EQ(replay_error("5,h0,h1,3,64\n4,h0,h1,3,64\n"),
            ":3: time_ps = \"4\": must not be earlier than in the row before");
  EXPECT_EQ(replay_error("x,h0,h1,3,64\n"), ":2: time_ps = \"x\": must be a whole number");
}

}  // namespace
}  // namespace weir::csv_test
