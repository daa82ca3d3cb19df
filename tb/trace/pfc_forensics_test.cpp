// SPDX-License-Identifier: Apache-2.0
// Captures made by hand, with the times worked out: at 100G an octet is 80 ps, a PFC frame with its
// preamble 5760 ps, a quantum 5120 ps, the response limit 394 quanta = 2,017,280 ps.
#include "weir/trace/forensics/pfc_forensics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "support/capture_text.hpp"
#include "support/program.hpp"
#include "weir/core/errors.hpp"

namespace weir::pfc_forensics_test {
namespace {

using test::CaptureText;
using test::data_octets;
using test::pfc_octets;

constexpr std::uint64_t g100 = 100'000'000'000, quantum = 5120, arrival = 5760;
constexpr std::uint64_t limit = 394 * quantum;

class PfcForensicsTest : public test::InFolder {
 protected:
  [[nodiscard]] PfcReport of(const CaptureText& capture, PfcAssumptions assumptions = {}) const {
    std::ofstream{at("a.pcapng"), std::ios::binary} << capture.text();
    PfcForensics forensics{std::move(assumptions)};
    forensics.read(at("a.pcapng"));
    return forensics.finish();
  }
  [[nodiscard]] std::string error_of(const std::string& octets) const {
    std::ofstream{at("bad.pcapng"), std::ios::binary} << octets;
    PfcForensics forensics{{}};
    forensics.read(at("bad.pcapng"));
    try {
      static_cast<void>(forensics.finish());
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }
};

const PfcFinding* found(const PfcReport& report, PfcFault fault) {
  for (const PfcFinding& finding : report.findings)
    if (finding.fault == fault) return &finding;
  return nullptr;
}

TEST_F(PfcForensicsTest, APauseLastsFromTheResponseLimitToTheXon) {
  CaptureText capture;
  capture.interface("eth0", g100);
  capture.packet(0, 1'000'000, pfc_octets({{3, 1000}}), CaptureText::outbound);
  capture.packet(0, 4'000'000, pfc_octets({{3, 0}}), CaptureText::outbound);
  capture.statistics(0, 10'000'000);
  const PfcReport report = of(capture);
  ASSERT_EQ(report.flows.size(), 1U);
  const PfcFlow& flow = report.flows.front();
  EXPECT_EQ(report.stations[flow.from].name, "eth0");
  EXPECT_EQ(report.stations[flow.to].name, "other end of eth0");
  EXPECT_EQ(flow.pause.total, Picoseconds{3'000'000 - limit});
  EXPECT_EQ(flow.pause.pauses, 1U);
  ASSERT_EQ(flow.intervals.size(), 1U);
  EXPECT_EQ(flow.intervals[0].start, Picoseconds{1'000'000 + arrival + limit});
  EXPECT_EQ(flow.intervals[0].end, Picoseconds{4'000'000 + arrival});
  EXPECT_EQ(flow.intervals[0].how, PauseEnd::xon);
  EXPECT_EQ(flow.unused_quanta, 1000U - 586U) << "3,000,000 ps are 585.9 quanta";
  EXPECT_EQ(flow.verdict, PfcVerdict::congestion);
  EXPECT_EQ(report.end, Picoseconds{10'000'000});
  EXPECT_TRUE(report.findings.empty());
}

TEST_F(PfcForensicsTest, TheDelayOfTheCableAndTheResponseAreThoseOfTheUser) {
  CaptureText capture;
  capture.interface("eth0", 0);
  capture.packet(0, 1'000'000, pfc_octets({{3, 1000}}), CaptureText::outbound);
  capture.statistics(0, 20'000'000);
  PfcAssumptions assumptions;
  assumptions.rate = BitRate{g100};
  assumptions.response = Quanta{100};
  assumptions.delay = Picoseconds{50'000};
  const PfcReport report = of(capture, assumptions);
  const PauseInterval& interval = report.flows.front().intervals.front();
  EXPECT_EQ(interval.start, Picoseconds{1'050'000 + arrival + 100 * quantum});
  EXPECT_EQ(interval.end, Picoseconds{1'050'000 + arrival + 1000 * quantum});
  EXPECT_EQ(interval.how, PauseEnd::timer);
  ASSERT_NE(found(report, PfcFault::by_timer), nullptr);
  EXPECT_FALSE(report.bad()) << "a pause may end by its timer";
  EXPECT_THROW(static_cast<void>(of(capture)), ConfigError) << "no speed";
}

TEST_F(PfcForensicsTest, AFrameIsLateFromTheResponseLimitOnAndNotAPicosecondBefore) {
  const std::uint64_t paused = 1'000'000 + arrival + limit;
  for (const std::uint64_t start : {paused - 1, paused}) {
    CaptureText capture;
    capture.interface("eth0", g100);
    capture.packet(0, 1'000'000, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.packet(0, start, data_octets(4, 1500), CaptureText::inbound);
    capture.packet(0, start, data_octets(3, 1500), CaptureText::inbound);
    capture.packet(0, start + 1, data_octets(3, 1500), CaptureText::outbound);
    const PfcReport report = of(capture);
    const PfcFlow& flow = report.flows.front();
    EXPECT_EQ(flow.data_frames, 1U) << "of the class, in the paused direction";
    EXPECT_EQ(flow.late_frames, start == paused ? 1U : 0U) << start;
    EXPECT_EQ(found(report, PfcFault::late_frames) != nullptr, start == paused);
    EXPECT_EQ(report.bad(), start == paused);
  }
}

TEST_F(PfcForensicsTest, AFrameOfTheOtherEndStartsADelayBeforeItIsCaptured) {
  const std::uint64_t delay = 50'000, paused = 1'000'000 + arrival + delay + limit;
  for (const std::uint64_t start : {paused - 1, paused}) {
    CaptureText capture;
    capture.interface("eth0", g100, "weir delay_ps=50000");
    capture.packet(0, 1'000'000, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.packet(0, start + delay, data_octets(3, 64), CaptureText::inbound);
    EXPECT_EQ(of(capture).flows.front().late_frames, start == paused ? 1U : 0U) << start;
  }
}

TEST_F(PfcForensicsTest, StampsOfTheLastBitAreLaterByTheFrame) {
  CaptureText capture;
  capture.interface("eth0", g100);
  capture.packet(0, 1'000'000, pfc_octets({{3, 1000}}), CaptureText::outbound);
  capture.statistics(0, 20'000'000);
  PfcAssumptions assumptions;
  assumptions.stamps_are_of_last_bit = true;
  EXPECT_EQ(of(capture, assumptions).flows.front().intervals.front().start,
            Picoseconds{1'000'000 + limit});
}

TEST_F(PfcForensicsTest, AClassThatGoesOnOnlyAtTheEndOfItsTimerHasNotHeededTheXon) {
  const std::uint64_t timer_end = 1'000'000 + arrival + 2000 * quantum;
  const std::uint64_t slack = (1500 + 8) * 80;
  for (const std::uint64_t start : {timer_end - 1, timer_end, timer_end + slack + 1}) {
    CaptureText capture;
    capture.interface("eth0", g100);
    capture.packet(0, 1'000'000, pfc_octets({{3, 2000}}), CaptureText::outbound);
    capture.packet(0, 5'000'000, pfc_octets({{3, 0}}), CaptureText::outbound);
    capture.packet(0, start, data_octets(3, 1500), CaptureText::inbound);
    capture.packet(0, start + 200'000, data_octets(3, 1500), CaptureText::inbound);
    const PfcReport report = of(capture);
    EXPECT_EQ(report.flows.front().unheeded_xons, start == timer_end ? 1U : 0U) << start;
    EXPECT_EQ(found(report, PfcFault::unheeded_xon) != nullptr, start == timer_end);
  }
}

TEST_F(PfcForensicsTest, TwoFullTimersWithoutXonAreAStormAndAPicosecondLessIsNone) {
  const std::uint64_t storm = 2 * 65535 * quantum;
  for (const std::uint64_t length : {storm - 1, storm}) {
    CaptureText capture;
    capture.interface("eth0", g100, "weir response_ps=0");
    for (std::uint64_t i = 0; i < 6; ++i)
      capture.packet(0, i * 100'000'000, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.statistics(0, arrival + length);
    const PfcReport report = of(capture);
    EXPECT_EQ(report.flows.front().pause.longest, Picoseconds{length});
    EXPECT_EQ(report.flows.front().refreshes, 5U);
    EXPECT_EQ(report.flows.front().verdict, length == storm ? PfcVerdict::storm : PfcVerdict::open);
    EXPECT_EQ(report.bad(), length == storm);
  }
}

TEST_F(PfcForensicsTest, APauseThatNeverEndedIsNoCongestionAndNoFault) {
  CaptureText capture;
  capture.interface("eth0", g100, "weir response_ps=0");
  capture.packet(0, 0, pfc_octets({{3, 65535}}), CaptureText::outbound);
  capture.statistics(0, 5'000'000);
  const PfcReport report = of(capture);
  const PfcFlow& flow = report.flows.front();
  EXPECT_EQ(flow.verdict, PfcVerdict::open);
  EXPECT_EQ(flow.open, 1U);
  EXPECT_EQ(flow.by_xon + flow.by_timer, 0U);
  const PfcFinding* const finding = found(report, PfcFault::still_paused);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->where, "eth0") << "who sends PAUSE";
  EXPECT_NE(finding->detail.find("other end of eth0 is paused for "), std::string::npos)
      << finding->detail;
  EXPECT_FALSE(report.bad());
}

// A pause of 3 us that an XON ended, and one that is open.
TEST_F(PfcForensicsTest, AnOpenPauseIsOrdinaryUntilItIsLongerThanEachThatEnded) {
  constexpr std::uint64_t ended = 3'000'000, second = 10'000'000;
  for (const std::uint64_t length : {ended, ended + 1}) {
    CaptureText capture;
    capture.interface("eth0", g100, "weir response_ps=0");
    capture.packet(0, 0, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.packet(0, ended, pfc_octets({{3, 0}}), CaptureText::outbound);
    capture.packet(0, second, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.statistics(0, second + arrival + length);
    const PfcReport report = of(capture);
    const PfcFlow& flow = report.flows.front();
    ASSERT_EQ(flow.intervals.size(), 2U);
    EXPECT_EQ(flow.by_xon, 1U);
    EXPECT_EQ(flow.open, 1U);
    EXPECT_EQ(flow.verdict, length == ended ? PfcVerdict::congestion : PfcVerdict::open);
    EXPECT_EQ(found(report, PfcFault::still_paused) != nullptr, length != ended);
  }
}

TEST_F(PfcForensicsTest, ALongPauseThatXonEndsIsCongestion) {
  CaptureText capture;
  capture.interface("eth0", g100);
  for (std::uint64_t i = 0; i < 9; ++i)
    capture.packet(0, i * 100'000'000, pfc_octets({{3, 65535}}), CaptureText::outbound);
  capture.packet(0, 900'000'000, pfc_octets({{3, 0}}), CaptureText::outbound);
  EXPECT_EQ(of(capture).flows.front().verdict, PfcVerdict::congestion);
}

// b pauses sw.port[1] first, sw then pauses a: the origin is b.
TEST_F(PfcForensicsTest, APauseThatIsPassedOnNamesWhomItsSenderWaitsFor) {
  CaptureText capture;
  capture.interface("b", g100, "weir response_ps=0 peer=sw.port[1]");
  capture.interface("sw.port[1]", g100, "weir response_ps=0 peer=b");
  capture.interface("sw.port[0]", g100, "weir response_ps=0 peer=a");
  capture.interface("a", g100, "weir response_ps=0 peer=sw.port[0]");
  for (std::uint64_t i = 0; i < 9; ++i) {
    capture.packet(0, i * 100'000'000, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.packet(2, i * 100'000'000 + 9'000, pfc_octets({{3, 65535}}), CaptureText::outbound);
  }
  const PfcReport report = of(capture);
  ASSERT_EQ(report.flows.size(), 2U);
  EXPECT_EQ(report.stations[report.flows[0].from].name, "b") << "first";
  EXPECT_EQ(report.flows[0].origins, 1U);
  EXPECT_EQ(report.flows[0].verdict, PfcVerdict::storm);
  EXPECT_EQ(report.flows[1].origins, 0U);
  ASSERT_EQ(report.flows[1].because.size(), 1U);
  EXPECT_EQ(report.stations[report.flows[1].because.begin()->first].name, "sw.port[1]");
  EXPECT_EQ(report.flows[1].verdict, PfcVerdict::passed_on);
  EXPECT_EQ(found(report, PfcFault::circle), nullptr);
}

TEST_F(PfcForensicsTest, EachIllegalFieldIsNamedWithItsPacket) {
  const std::string good = pfc_octets({{3, 100}});
  struct Case {
    PfcFault fault;
    std::size_t at;
    char value;
    bool obeyed;
  };
  for (const Case& one : {Case{PfcFault::wrong_address, 5, 2, false},
                          {PfcFault::group_source, 6, 3, true},
                          {PfcFault::unknown_opcode, 15, 2, false},
                          {PfcFault::pause_of_all, 14, 0, false},
                          {PfcFault::reserved_octet, 16, 1, true},
                          {PfcFault::no_class, 17, 0, true},
                          {PfcFault::stray_time, 19, 1, true},
                          {PfcFault::padding, 59, 1, true}}) {
    std::string octets = good;
    octets[one.at] = one.value;
    CaptureText capture;
    capture.interface("eth0", g100);
    capture.packet(0, 1000, data_octets(0, 64), CaptureText::outbound);
    capture.packet(0, 2000, octets, CaptureText::outbound);
    const PfcReport report = of(capture);
    const PfcFinding* const finding = found(report, one.fault);
    ASSERT_NE(finding, nullptr) << row_of(one.fault).name;
    EXPECT_EQ(finding->packet, 2U) << row_of(one.fault).name;
    EXPECT_EQ(finding->count, 1U);
    EXPECT_EQ(report.pfc_frames, one.obeyed ? 1U : 0U) << row_of(one.fault).name;
    EXPECT_EQ(report.bad(), row_of(one.fault).bad) << row_of(one.fault).name;
  }
}

TEST_F(PfcForensicsTest, LengthTagAndFcsAreChecked) {
  const std::string good = pfc_octets({{3, 100}});
  const PfcFrameBytes octets = [] {
    PfcFrame frame;
    frame.class_enable = 8;
    frame.time[3] = Quanta{100};
    return encode(frame);
  }();
  const std::string with_fcs{octets.begin(), octets.end()};
  std::string tagged = good;
  tagged.insert(12, std::string{"\x81\0\x60\0", 4});
  const auto report_of = [&](const std::string& text) {
    CaptureText capture;
    capture.interface("eth0", g100);
    capture.packet(0, 2000, text, CaptureText::outbound);
    return of(capture);
  };
  EXPECT_TRUE(report_of(with_fcs).findings.empty())
      << "an FCS that the capture does not announce is known by its value";
  EXPECT_EQ(report_of(with_fcs).pfc_frames, 1U);
  std::string longer = good + std::string(20, '\0');
  EXPECT_NE(found(report_of(longer), PfcFault::wrong_length), nullptr);
  EXPECT_NE(found(report_of(tagged), PfcFault::tagged), nullptr);
  EXPECT_EQ(report_of(tagged).pfc_frames, 0U);
  EXPECT_NE(found(report_of(good.substr(0, 30)), PfcFault::cut_off), nullptr);
  EXPECT_NE(found(report_of(good.substr(0, 14)), PfcFault::cut_off), nullptr);
}

TEST_F(PfcForensicsTest, WithoutADirectionStationsAreTheAddressesOfPfc) {
  CaptureText capture;
  capture.interface("eth0", g100);
  capture.packet(0, 1000, pfc_octets({{3, 65535}}, 7), CaptureText::none);
  capture.packet(0, 9'000'000, data_octets(3, 64, 7, 9), CaptureText::none);
  capture.packet(0, 9'000'000, data_octets(3, 64, 9, 7), CaptureText::none);
  capture.packet(0, 9'000'000, data_octets(3, 64, 8, 9), CaptureText::none);
  const PfcReport report = of(capture);
  ASSERT_EQ(report.flows.size(), 1U);
  EXPECT_EQ(report.stations[report.flows[0].from].name, "02:00:00:00:00:07");
  EXPECT_EQ(report.flows[0].late_frames, 1U) << "to 07; the one from 07 is not paused";
  ASSERT_NE(found(report, PfcFault::no_direction), nullptr);
  EXPECT_EQ(found(report, PfcFault::no_direction)->count, 1U);
}

// `order`: of the data frames, which start every 100 ns.
std::string data_after_a_pause(const std::vector<std::uint64_t>& order) {
  CaptureText capture;
  capture.interface("eth0", g100);
  capture.packet(0, 0, pfc_octets({{3, 65535}}), CaptureText::inbound);
  for (const std::uint64_t n : order)
    capture.packet(0, 100'000 * n, data_octets(3, 64), CaptureText::outbound);
  capture.statistics(0, 400'000'000'000);
  return capture.text();
}

TEST_F(PfcForensicsTest, DataFramesAreNotKept) {
  std::vector<std::uint64_t> order;
  for (std::uint64_t n = 1; n <= 50'000; ++n) order.push_back(n);
  const auto report_of = [&](const std::string& text) {
    std::ofstream{at("a.pcapng"), std::ios::binary} << text;
    PfcForensics forensics{{}};
    forensics.read(at("a.pcapng"));
    return forensics.finish();
  };
  const PfcReport report = report_of(data_after_a_pause(order));
  EXPECT_EQ(report.frames, 50'001U);
  ASSERT_EQ(report.flows.size(), 1U);
  EXPECT_EQ(report.flows[0].data_frames, 50'000U);
  // From the response limit, at 2,023,040 ps, until the last 1/5000 of the pause, which ends at
  // 335,544,960 ps: frames 21 to 3354.
  EXPECT_EQ(report.flows[0].late_frames, 3334U);
  EXPECT_LE(report.max_held, 2U);

  // Neighbours 30 places apart are exchanged: as many are held as stamps are out of order.
  for (std::size_t n = 0; n + 30 < order.size(); n += 60) std::swap(order[n], order[n + 30]);
  const PfcReport mixed = report_of(data_after_a_pause(order));
  EXPECT_EQ(mixed.flows[0].data_frames, report.flows[0].data_frames);
  EXPECT_EQ(mixed.flows[0].late_frames, report.flows[0].late_frames);
  EXPECT_EQ(mixed.flows[0].worst_late, report.flows[0].worst_late);
  EXPECT_GE(mixed.max_held, 30U);
  EXPECT_LE(mixed.max_held, 64U);
}

TEST_F(PfcForensicsTest, EveryByteOrderAndResolutionGivesTheSameTimes) {
  // 2^-20 s: 3 ticks are 2,861,022.9 ps, rounded down.
  const auto pause_time = [&](bool big, unsigned resolution, std::uint64_t ticks) {
    CaptureText capture{big};
    capture.interface("eth0", g100, "weir response_ps=0", resolution);
    capture.packet(0, 0, pfc_octets({{3, 65535}}), CaptureText::outbound);
    capture.packet(0, ticks, pfc_octets({{3, 0}}), CaptureText::outbound);
    return of(capture).flows.front().pause.total.count();
  };
  EXPECT_EQ(pause_time(false, 12, 7'654'321), 7'654'321U);
  EXPECT_EQ(pause_time(true, 12, 7'654'321), 7'654'321U);
  EXPECT_EQ(pause_time(true, 9, 7'654), 7'654'000U);
  EXPECT_EQ(pause_time(false, 6, 7), 7'000'000U);
  EXPECT_EQ(pause_time(false, 15, 7'654'321'999), 7'654'321U);
  EXPECT_EQ(pause_time(false, 0x80 | 20, 3), 2'861'022U);
  EXPECT_EQ(pause_time(true, 0x80 | 63, std::uint64_t{1} << 44), 1'907'348U);
}

TEST_F(PfcForensicsTest, ClassicCapturesAreReadWithTheirResolution) {
  for (const bool nano : {false, true}) {
    const CaptureText writer;
    std::string text;
    writer.put(text, nano ? 0xa1b2'3c4d : 0xa1b2'c3d4, 4);
    writer.put(text, 4U << 16 | 2U, 4);
    for (const std::uint32_t word : {0U, 0U, 65535U, 1U}) writer.put(text, word, 4);
    for (const std::uint32_t part : {10U, 30U}) {
      const std::string octets =
          pfc_octets({{3, static_cast<std::uint16_t>(part == 10 ? 9999 : 0)}});
      for (const std::size_t word :
           {std::size_t{1'700'000'000}, std::size_t{part}, octets.size(), octets.size()})
        writer.put(text, word, 4);
      text += octets;
    }
    std::ofstream{at("a.pcap"), std::ios::binary} << text;
    PfcAssumptions assumptions;
    assumptions.rate = BitRate{g100};
    assumptions.response = Quanta{0};
    PfcForensics forensics{assumptions};
    forensics.read(at("a.pcap"));
    const PfcReport report = forensics.finish();
    EXPECT_EQ(report.begin.seconds, 1'700'000'000U);
    EXPECT_EQ(report.flows.front().pause.total, Picoseconds{nano ? 20'000U : 20'000'000U});
  }
}

TEST_F(PfcForensicsTest, DscpGivesTheClassOfUntaggedFrames) {
  std::string untagged = data_octets(0, 128);
  untagged.erase(12, 4);
  untagged += std::string(4, '\0');
  untagged[15] = static_cast<char>(26 << 2);
  CaptureText capture;
  capture.interface("eth0", g100);
  capture.packet(0, 0, pfc_octets({{3, 65535}, {5, 65535}}), CaptureText::outbound);
  capture.packet(0, 9'000'000, untagged, CaptureText::inbound);
  PfcAssumptions assumptions;
  assumptions.class_of_dscp[26] = Priority{5};
  for (const PfcFlow& flow : of(capture, assumptions).flows)
    EXPECT_EQ(flow.late_frames, flow.priority == Priority{5} ? 1U : 0U);
  for (const PfcFlow& flow : of(capture).flows)
    EXPECT_EQ(flow.late_frames, flow.priority == Priority{3} ? 1U : 0U) << "class selector";
}

TEST_F(PfcForensicsTest, ABrokenCaptureIsRefusedWithItsPacket) {
  CaptureText capture;
  capture.interface("eth0", g100);
  capture.packet(0, 1000, pfc_octets({{3, 1}}), CaptureText::outbound);
  const std::string good = capture.text();
  const auto says = [&](const std::string& octets, const std::string& words) {
    const std::string error = error_of(octets);
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_NE(error.find("bad.pcapng"), std::string::npos) << error;
  };
  says("", "is empty");
  says("no capture at all", "neither pcap nor pcapng");
  says(good.substr(0, good.size() - 1), "packet 1: its block is cut off");
  CaptureText other = capture;
  other.packet(5, 1000, pfc_octets({{3, 1}}), CaptureText::outbound);
  says(other.text(), "packet 2 = 5: names an interface");
  other = capture;
  other.packet(0, 1000, "short", CaptureText::outbound);
  says(other.text(), "shorter than an Ethernet header");
  other = capture;
  other.interface("lo", g100, "", 12, 113);
  other.packet(1, 1000, pfc_octets({{3, 1}}), CaptureText::outbound);
  says(other.text(), "must be a capture of Ethernet");
  other = capture;
  other.block(3, std::string(64, '\0'));
  says(other.text(), "no time stamp");
  other = capture;
  other.interface("eth1", g100, "", 20);
  says(other.text(), "resolution");
  std::string lengths = good;
  lengths.back() = 1;
  says(lengths, "same length at its end");
}

TEST_F(PfcForensicsTest, ANodeHasNoMorePortsThanASwitch) {
  CaptureText capture;
  for (int i = 0; i < 4096; ++i)
    capture.interface("sw.port[" + std::to_string(i) + "]", g100, "weir delay_ps=1000");
  capture.packet(0, 1'000'000, pfc_octets({{3, 1000}}), CaptureText::inbound);
  capture.interface("other.port[0]", g100, "weir delay_ps=1000");
  EXPECT_EQ(of(capture).flows.size(), 1U);
  capture.interface("sw.port[4096]", g100, "weir delay_ps=1000");
  const std::string error = error_of(capture.text());
  EXPECT_NE(error.find("bad.pcapng: must not have more than 4096 interfaces of one node"),
            std::string::npos)
      << error;
}

TEST_F(PfcForensicsTest, ACaptureWithoutASpeedNeedsOne) {
  CaptureText capture;
  capture.interface("eth0", 0);
  capture.packet(0, 1'000'000, pfc_octets({{3, 1000}}), CaptureText::outbound);
  EXPECT_EQ(error_of(capture.text()).rfind("--rate = none: must be given: ", 0), 0U)
      << error_of(capture.text());
}

// Each of 1,500 ports is paused, then each pauses its peer: 2,250,000 pairs, in a capture of 400
// kB.
TEST_F(PfcForensicsTest, CausesAreCounted) {
  CaptureText capture;
  for (std::uint32_t i = 0; i < 1500; ++i)
    capture.interface("sw.port[" + std::to_string(i) + "]", g100, "weir delay_ps=1000");
  for (const auto direction : {CaptureText::inbound, CaptureText::outbound})
    for (std::uint32_t i = 0; i < 1500; ++i)
      capture.packet(i, (direction == CaptureText::inbound ? 1'000'000 : 9'000'000) + i,
                     pfc_octets({{3, 65535}}), direction);
  const std::string error = error_of(capture.text());
  EXPECT_NE(error.find("must not have more than 2000000 pairs of a PAUSE and a paused port"),
            std::string::npos)
      << error;
}

// Each of 65,537 links is two ends, whose timers are followed.
TEST_F(PfcForensicsTest, LinksAreCounted) {
  CaptureText capture;
  capture.interface("", g100);
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t i = from; i < to; ++i) {
      std::string octets = pfc_octets({{3, 1000}});
      for (unsigned k = 0; k < 4; ++k) octets[8 + k] = static_cast<char>(i >> 8 * k & 0xffU);
      capture.packet(0, 1'000'000 + i, octets, CaptureText::none);
    }
  };
  add(0, 65'536);
  EXPECT_EQ(of(capture).flows.size(), 65'536U);
  add(65'536, 65'537);
  const std::string error = error_of(capture.text());
  EXPECT_NE(error.find("bad.pcapng: must not show more than 65536 links"), std::string::npos)
      << error;
}

TEST(PfcForensicsPage, ListsEveryFindingInTheWordsOfTheTable) {
  std::string rows;
  for (const PfcFaultRow& row : pfc_faults())
    rows += "| `" + std::string{row.name} + "` | " + (row.bad ? "yes" : "no") + " | " +
            std::string{row.text} + " |\n";
  EXPECT_NE(test::text_of("docs/guide/pfc.md").find("|---|---|---|\n" + rows), std::string::npos)
      << rows;
}

}  // namespace
}  // namespace weir::pfc_forensics_test
