// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/capture.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::capture_test {
namespace {

namespace fs = std::filesystem;
using test::us;

Scenario scenario() {
  Scenario scenario = test::star(test::small_chip(4, test::gbps(100)), test::ns(200), us(300));
  scenario.traffic = {test::flood("a", 0, 3, 3, 1000), test::flood("b", 1, 3, 3, 1500),
                      test::flood("c", 2, 3, 1, 700)};
  return scenario;
}

class CaptureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-capture-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }

  // Captures into `name`; returns "time node port quanta3" of each PFC frame sent.
  std::string run(const std::string& name, const std::string& frames, Picoseconds until = us(300),
                  Ecn ecn = Ecn::not_ect, std::optional<std::uint8_t> dscp = {}) const {
    return run_in_child([&] {
      Scenario described = scenario();
      described.traffic.front().ecn = ecn;
      described.traffic.front().dscp = dscp;
      Network network{described};
      test::EventLog log;
      Capture capture{at(name), capture_filter(frames, described), described};
      network.watch(log);
      network.watch(capture);
      network.run_until(until);
      capture.finish(until);
      std::ostringstream sent;
      for (const auto& pfc : log.sent)
        sent << pfc.time.count() / 1000 << ' ' << pfc.node << ".port[" << pfc.port.count() << "] "
             << pfc.frame.time[3].count() << '\n';
      return sent.str();
    });
  }
  [[nodiscard]] std::string tshark(const std::string& name, const std::string& arguments) const {
    const std::string command = "tshark -r '" + at(name) + "' " + arguments + " 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    std::string answer;
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) != 0;) answer.append(buffer, n);
    EXPECT_EQ(pclose(pipe), 0) << command;
    return answer;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream{at(name), std::ios::binary} << text;
  }
  [[nodiscard]] std::string bytes_of(const std::string& name) const {
    std::ifstream in{at(name), std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  // A scenario whose traffic is the capture `name`.
  [[nodiscard]] Scenario replay(const std::string& name,
                                const std::vector<std::string>& overrides = {}) const {
    write("replay.toml",
          "[scenario]\nname = \"replay\"\nuntil = \"1 ms\"\n[switch.tor]\nfile = \"" +
              fs::absolute("vectors/chips/arista_7050qx_32.toml").string() +
              "\"\n[hosts]\ncount = 4\ncable = \"10 m\"\n[[traffic]]\nname = "
              "\"again\"\nkind = \"replay\"\nfile = \"" +
              name + "\"\nfrom = \"h[0-2]\"\nto = \"h3\"\nstart = \"2 us\"\n");
    return load_scenario(at("replay.toml"), overrides);
  }
  [[nodiscard]] std::string error_of(const std::string& name) const {
    try {
      static_cast<void>(replay(name));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  fs::path folder_;
};

TEST_F(CaptureTest, TsharkReadsEveryPfcFrameWithItsPortStampAndQuanta) {
  const std::string sent = run("a.pcapng", "pfc");
  ASSERT_NE(sent.find(" 65535\n"), std::string::npos) << "a PAUSE";
  ASSERT_NE(sent.find(" 0\n"), std::string::npos) << "a RESUME";
  const std::string read =
      tshark("a.pcapng",
             "-T fields -E separator=' ' -e frame.time_epoch -e frame.interface_name "
             "-e macc.cbfc.pause_time.c3 -e macc.cbfc.enbv.c3 -e eth.type");
  std::istringstream expected{sent}, lines{read};
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line); ++compared) {
    std::istringstream fields{line};
    std::string stamp, interface, quanta, enabled, type, time, port, value;
    fields >> stamp >> interface >> quanta >> enabled >> type;
    ASSERT_TRUE(expected >> time >> port >> value) << "more frames than were sent";
    stamp.erase(stamp.find('.'), 1);
    EXPECT_EQ(std::stoull(stamp), std::stoull(time)) << "nanoseconds";
    EXPECT_EQ(interface, port);
    EXPECT_EQ(quanta, value) << line;
    EXPECT_EQ(enabled, "1") << line;
    EXPECT_EQ(type, "0x8808") << line;
  }
  EXPECT_GT(compared, 2U) << read;
  std::string left;
  EXPECT_FALSE(expected >> left) << "sent, but not captured: " << left;
}

TEST_F(CaptureTest, AllFramesComeInOrderAndWellFormed) {
  run("a.pcapng", "all", us(20));
  EXPECT_EQ(tshark("a.pcapng", "-Y '_ws.malformed || ip.checksum.status == 0'"), "");
  const std::string lines = tshark("a.pcapng",
                                   "-T fields -E separator=' ' -e frame.time_epoch -e frame.len -e "
                                   "vlan.priority -e udp.srcport");
  std::istringstream in{lines};
  std::string stamp, before;
  std::size_t length = 0, priority = 0, port = 0, count = 0;
  for (; in >> stamp >> length >> priority >> port; ++count) {
    EXPECT_LE(before, stamp);
    before = stamp;
    EXPECT_EQ(length, port == 49152 ? 996U : port == 49153 ? 1496U : 696U) << "without FCS";
    EXPECT_EQ(priority, port == 49154 ? 1U : 3U);
  }
  EXPECT_GT(count, 500U);
}

TEST_F(CaptureTest, OnePortIsBothWaysOfItsLink) {
  run("a.pcapng", "port:sw.port[0]");
  const std::string names = tshark("a.pcapng", "-T fields -e frame.interface_name");
  EXPECT_NE(names.find("sw.port[0]\n"), std::string::npos);
  EXPECT_NE(names.find("h0\n"), std::string::npos);
  EXPECT_EQ(names.find("sw.port[1]"), std::string::npos);
  EXPECT_EQ(names.find("h1\n"), std::string::npos);
}

TEST_F(CaptureTest, ByTheNamePcapTheFormatIsTheClassicOne) {
  run("a.pcapng", "port:h0", us(20));
  run("a.pcap", "port:h0", us(20));
  EXPECT_EQ(bytes_of("a.pcapng").substr(0, 4), "\x0a\x0d\x0d\x0a");
  EXPECT_EQ(bytes_of("a.pcap").substr(0, 4), "\x4d\x3c\xb2\xa1") << "stamps in nanoseconds";
  const std::string fields =
      "-T fields -e frame.time_epoch -e frame.len -e frame.cap_len -e ip.src";
  const std::string read = tshark("a.pcap", fields);
  EXPECT_GT(std::count(read.begin(), read.end(), '\n'), 10);
  EXPECT_EQ(read, tshark("a.pcapng", fields));
}

TEST_F(CaptureTest, TheSameRunGivesTheSameBytes) {
  run("a.pcapng", "all", us(50));
  run("b.pcapng", "all", us(50));
  EXPECT_EQ(bytes_of("a.pcapng"), bytes_of("b.pcapng"));
}

TEST_F(CaptureTest, AnUnknownFilterOrPortIsRefused) {
  EXPECT_THROW(capture_filter("some", scenario()), ConfigError);
  EXPECT_THROW(capture_filter("port:sw.port[4]", scenario()), ConfigError);
  EXPECT_EQ(capture_filter("port:h3", scenario()).port, "h3");
}

TEST_F(CaptureTest, ACaptureIsTrafficAgain) {
  run("a.pcapng", "port:h0", us(20));
  const Scenario again = replay("a.pcapng");
  const std::vector<ReplayPacket>& packets = again.traffic.front().replay;
  ASSERT_GT(packets.size(), 100U);
  EXPECT_EQ(packets.front().time, us(2)) << "start";
  EXPECT_EQ(packets[1].time - packets[0].time, Picoseconds{81'600});
  for (const ReplayPacket& packet : packets) {
    EXPECT_EQ(packet.length, Bytes{1000});
    EXPECT_EQ(packet.priority, Priority{3});
    EXPECT_EQ(packet.from, 0U);
    EXPECT_EQ(packet.to, 3U);
  }
}

TEST_F(CaptureTest, EcnBitsAreInTheIpHeaderAndAReplayTakesThemOver) {
  for (const Ecn ecn : {Ecn::not_ect, Ecn::ect0, Ecn::ect1, Ecn::ce}) {
    run("a.pcapng", "port:h0", us(5), ecn);
    const std::string bits = std::to_string(static_cast<int>(ecn));
    std::istringstream lines{tshark("a.pcapng",
                                    "-o ip.check_checksum:TRUE -T fields -E separator=' ' "
                                    "-e ip.dsfield.ecn -e ip.dsfield.dscp -e ip.checksum.status")};
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      ASSERT_EQ(line, bits + " 24 1") << "packet " << count;
    EXPECT_GT(count, 10U);
    const Scenario again = replay("a.pcapng");
    for (const ReplayPacket& packet : again.traffic.front().replay) {
      ASSERT_EQ(packet.ecn, ecn);
      ASSERT_EQ(packet.priority, Priority{3}) << "the tag still gives the class";
    }
  }
}

TEST_F(CaptureTest, AReplayKeepsTheDscpAndASwitchThatTrustsItGivesTheClass) {
  run("a.pcapng", "port:h0", us(5), Ecn::not_ect, 26);
  const Scenario by_pcp = replay("a.pcapng");
  for (const ReplayPacket& packet : by_pcp.traffic.front().replay) {
    ASSERT_EQ(packet.dscp, 26);
    ASSERT_EQ(packet.priority, Priority{3}) << "PCP";
  }
  const std::vector<std::string> trusted{"switch.tor.classify.trust=dscp",
                                         "switch.tor.classify.dscp.4=26"};
  const Scenario by_dscp = replay("a.pcapng", trusted);
  for (const ReplayPacket& packet : by_dscp.traffic.front().replay)
    ASSERT_EQ(packet.priority, Priority{4}) << "the host sends in the class of its switch";
  const std::string delivered = run_in_child([&] {
    Network network{by_dscp};
    network.run_until(us(20));
    const Summary summary = summarize(network);
    std::uint64_t received = 0;
    for (const HostClassSummary& one : summary.hosts[3].classes)
      if (one.priority == Priority{4}) received = one.counts.rx_packets;
    return std::to_string(received);
  });
  EXPECT_EQ(delivered, std::to_string(by_dscp.traffic.front().replay.size()));
}

TEST_F(CaptureTest, ACaptureThatIsCutOffNamesThePacket) {
  run("a.pcapng", "port:h0", us(1));
  const std::size_t packets = replay("a.pcapng").traffic.front().replay.size();
  const std::string whole = bytes_of("a.pcapng");
  // The last blocks are the statistics of the two interfaces.
  const std::size_t statistics = static_cast<unsigned char>(whole[whole.size() - 4]);
  write("cut.pcapng", whole.substr(0, whole.size() - 2 * statistics - 10));
  EXPECT_NE(error_of("cut.pcapng").find("packet " + std::to_string(packets) + ":"),
            std::string::npos)
      << error_of("cut.pcapng");
}

TEST_F(CaptureTest, ACaptureThatIsSpoiledInTheMiddleNamesThePacket) {
  run("a.pcapng", "port:h0", us(2));
  std::string spoiled = bytes_of("a.pcapng");
  spoiled.replace(spoiled.size() / 2, 400, std::string(400, '\xff'));
  write("spoiled.pcapng", spoiled);
  const std::string error = error_of("spoiled.pcapng");
  const std::size_t at = error.find("packet ");
  ASSERT_NE(at, std::string::npos) << error;
  const int packet = std::atoi(error.c_str() + at + 7);
  EXPECT_GT(packet, 1) << error;
  EXPECT_LT(packet, 25) << error;
}

TEST_F(CaptureTest, WhatIsNoCaptureIsRefused) {
  write("a.pcap", "no capture at all, only words");
  EXPECT_NE(error_of("a.pcap").find("cannot be read as a capture"), std::string::npos)
      << error_of("a.pcap");
  EXPECT_NE(error_of("missing.pcap").find("missing.pcap"), std::string::npos)
      << error_of("missing.pcap");
  // Classic pcap, Ethernet, one packet of which only two octets are captured.
  std::string classic{"\xd4\xc3\xb2\xa1\x02\x00\x04\x00\0\0\0\0\0\0\0\0\xff\xff\0\0\x01\0\0\0", 24};
  write("empty.pcap", classic);
  EXPECT_NE(error_of("empty.pcap").find("holds no packet"), std::string::npos)
      << error_of("empty.pcap");
  classic += std::string{"\0\0\0\0\0\0\0\0\x02\0\0\0\x02\0\0\0ab", 18};
  write("short.pcap", classic);
  EXPECT_NE(error_of("short.pcap").find("packet 1"), std::string::npos) << error_of("short.pcap");
}

// The source addresses in the frames that hosts send, by host and kind.
class Sources final : public Observer {
 public:
  explicit Sources(const Scenario& scenario) : addresses_{plan_addresses(scenario).hosts} {}

  using Octets = std::vector<std::uint8_t>;
  std::map<std::string, std::map<FrameKind, std::set<Octets>>> by_node;

  [[nodiscard]] bool wants_details() const override { return true; }
  void frame_started(const std::string& node, PortId, const Frame& frame, Picoseconds) override {
    const Octets octets = wire_octets(frame, addresses_, 12);
    by_node[node][frame.kind].insert(Octets{octets.begin() + 6, octets.end()});
  }

 private:
  const std::vector<Ipv4> addresses_;
};

// [802.3] 31.4.1: a MAC control frame has the individual address of the station that sends it.
TEST_F(CaptureTest, AHostHasOneAddressInDataAndInPfcFrames) {
  Scenario described = scenario();
  for (HostSpec& host : described.hosts) {  // slower than the wire: all of them pause
    host.nic.emplace();
    host.nic->pipeline = test::gbps(10);
    host.nic->classes = 1U << 3;
  }
  described.hosts[2].address = Ipv4{0x0a09'0807};
  for (std::size_t host = 0; host < 3; ++host)
    described.traffic.push_back(test::flood("to" + std::to_string(host), 3, host, 3, 1000));
  described.until = us(900);
  Network network{described};
  Sources sources{described};
  network.watch(sources);
  network.run_until(described.until);
  std::set<Sources::Octets> seen;
  for (const char* const host : {"h0", "h1", "h2", "h3"}) {
    const auto& kinds = sources.by_node[host];
    ASSERT_EQ(kinds.count(FrameKind::data), 1U) << host;
    ASSERT_EQ(kinds.count(FrameKind::pfc), 1U) << host;
    EXPECT_EQ(kinds.at(FrameKind::data).size(), 1U) << host;
    EXPECT_EQ(kinds.at(FrameKind::pfc), kinds.at(FrameKind::data)) << host;
    EXPECT_TRUE(seen.insert(*kinds.at(FrameKind::data).begin()).second) << host << ": its own";
  }
  EXPECT_EQ(seen.count({0x02, 0x01, 0x0a, 0x09, 0x08, 0x07}), 1U)
      << "the address that h2 was given";
}

}  // namespace
}  // namespace weir::capture_test
