// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/units.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weir::units_test {
namespace {

TEST(ConfigUnits, ARateIsAWholeNumberOfItsUnit) {
  EXPECT_EQ(rate_text(BitRate{400'000'000'000}), "400 Gbps");
  EXPECT_EQ(rate_text(BitRate{2'500'000'000}), "2500 Mbps");
  EXPECT_EQ(parse_rate(rate_text(BitRate{2'500'000'000})), BitRate{2'500'000'000});
}

TEST(ConfigUnits, BytesComeInPowersOf1000AndOf1024) {
  EXPECT_EQ(parse_bytes("254 B"), Bytes{254});
  EXPECT_EQ(parse_bytes("254B"), Bytes{254}) << "the space may be missing";
  EXPECT_EQ(parse_bytes("12 MB"), Bytes{12'000'000});
  EXPECT_EQ(parse_bytes("12 MiB"), Bytes{12'582'912});
  EXPECT_EQ(parse_bytes("1.5 TB"), Bytes{1'500'000'000'000});
  EXPECT_EQ(parse_bytes("1024 TiB"), Bytes{std::uint64_t{1} << 50});
  EXPECT_EQ(parse_bytes("1.5 kB"), Bytes{1500});
  EXPECT_EQ(parse_bytes("0.5 KiB"), Bytes{512});
}

TEST(ConfigUnits, TimeoutsOfTablesAreWrittenInMinutesAndHours) {
  EXPECT_EQ(parse_time("5 min"), Picoseconds{300'000'000'000'000});
  EXPECT_EQ(parse_time("4 h"), Picoseconds{14'400'000'000'000'000});
  EXPECT_EQ(parse_time("0.5 h"), parse_time("30 min"));
}

TEST(ConfigUnits, FractionsAreReadOnlyWhenExact) {
  EXPECT_EQ(parse_time("6.4 us"), Picoseconds{6'400'000});
  EXPECT_EQ(parse_time("0.001 ns"), Picoseconds{1});
  EXPECT_FALSE(parse_time("0.0001 ns")) << "a tenth of a picosecond is no time here";
  EXPECT_EQ(parse_time("1.5000000000000000 us"), Picoseconds{1'500'000}) << "zeros change nothing";
  EXPECT_EQ(parse_rate("1.6 Tbps"), BitRate{1'600'000'000'000});
  EXPECT_EQ(parse_rate("400G"), parse_rate("400 Gbps"));
  EXPECT_EQ(parse_rate("1.6 T"), parse_rate("1.6 Tbps"));
  EXPECT_EQ(parse_rate("2500M"), parse_rate("2.5 Gbps"));
  EXPECT_FALSE(parse_rate("400g"));
  EXPECT_FALSE(parse_bytes("1.5 B"));
  EXPECT_FALSE(parse_bytes("0.3 KiB")) << "307.2 bytes";
}

TEST(ConfigUnits, WhatIsNoNumberWithItsUnitIsNotRead) {
  for (const std::string text :
       {"", " ", "B", "12", "12 mb", "12 MB ", " 12 MB", "-1 B", "+1 B", "1e3 B", "0x10 B", "1. B",
        ".5 kB", "1.2.3 kB", "12  MB", "12 MBit", "1,000 B", "12 m"}) {
    EXPECT_FALSE(parse_bytes(text)) << "\"" << text << "\"";
  }
  EXPECT_FALSE(parse_rate("40 GB")) << "bytes are no rate";
  EXPECT_FALSE(parse_rate("40 GBps"));
  EXPECT_FALSE(parse_time("2 days"));
}

TEST(ConfigUnits, TheLargestValueIsReadAndOneMoreIsNot) {
  EXPECT_EQ(parse_bytes("18446744073709551615 B"), Bytes{18'446'744'073'709'551'615ULL});
  EXPECT_FALSE(parse_bytes("18446744073709551616 B"));
  EXPECT_FALSE(parse_bytes("18446744073709551615 kB"));
  EXPECT_EQ(parse_quanta("65535 quanta"), Quanta{65535});
  EXPECT_FALSE(parse_quanta("65536 quanta"));
  EXPECT_EQ(parse_response("65535"), ResponseTime{Quanta{65535}});
  EXPECT_FALSE(parse_response("65536"));
  EXPECT_EQ(parse_response("1 s"), ResponseTime{max_response});
  EXPECT_FALSE(parse_response("1000000000001 ps"));
  EXPECT_EQ(parse_cycles("4294967295 cycles"), 4'294'967'295U);
  EXPECT_FALSE(parse_cycles("4294967296 cycles"));
}

TEST(ConfigUnits, AResponseIsInQuantaOfTheSpeedOrATime) {
  constexpr BitRate rate{100'000'000'000};
  for (const char* const text : {"60", "60 quanta", "307.2 ns"}) {
    const auto response = parse_response(text);
    ASSERT_TRUE(response) << text;
    EXPECT_EQ(response_at(*response, rate), Picoseconds{307'200}) << text;
  }
  EXPECT_FALSE(parse_response("soon"));
  EXPECT_FALSE(parse_response("-1"));
}

// Whether each text in quotes in a message is one that `parse` takes; at least one is there.
template <class Parse>
bool takes_examples(std::string_view message, Parse&& parse) {
  std::size_t taken = 0;
  for (std::size_t at = message.find('"'); at != std::string_view::npos;) {
    const std::size_t end = message.find('"', at + 1);
    if (!parse(message.substr(at + 1, end - at - 1))) return false;
    ++taken;
    at = message.find('"', end + 1);
  }
  return taken != 0;
}

TEST(ConfigUnits, TheExamplesOfAMessageAreLegal) {
  EXPECT_TRUE(takes_examples(legal::bytes, parse_bytes));
  EXPECT_TRUE(takes_examples(legal::buffer_size, parse_buffer_size));
  EXPECT_TRUE(takes_examples(legal::rate, parse_rate));
  for (const std::string_view message : {legal::moment, legal::duration, legal::time})
    EXPECT_TRUE(takes_examples(message, parse_time)) << message;
  EXPECT_TRUE(takes_examples(legal::response, parse_response));
  EXPECT_TRUE(takes_examples(legal::clock, parse_clock));
  EXPECT_EQ(legal::clock.find("whole MHz"), std::string_view::npos) << "156.25 MHz is taken";
  EXPECT_TRUE(takes_examples(legal::cable, parse_cable));
  EXPECT_TRUE(takes_examples(legal::percent, parse_percent));
  EXPECT_TRUE(takes_examples(legal::cycles, parse_cycles));
  EXPECT_TRUE(takes_examples(legal::alpha, parse_alpha));
}

TEST(ConfigUnits, AClockIsReadExactly) {
  EXPECT_EQ(parse_clock("1 GHz"), Picoseconds{1000});
  EXPECT_EQ(parse_clock("156.25 MHz"), Picoseconds{6400});
  EXPECT_EQ(parse_clock("800 ps"), Picoseconds{800});
  EXPECT_EQ(parse_clock("1.35 GHz"), ClockPeriod::of(20'000, 27));
  EXPECT_EQ(parse_clock("1325 MHz"), ClockPeriod::of(40'000, 53));
  EXPECT_EQ(parse_clock("1312.5 MHz"), ClockPeriod::of(16'000, 21));
  EXPECT_EQ(parse_clock("3 GHz"), ClockPeriod::of(1000, 3));
  EXPECT_FALSE(parse_clock("1.2345678 GHz")) << "more parts than are counted";
  EXPECT_FALSE(parse_clock("0 ps"));
  EXPECT_FALSE(parse_clock("0 GHz"));
}

TEST(ConfigUnits, LengthsSharesAndCounts) {
  EXPECT_EQ(parse_length("300 m"), Millimetres{300'000});
  EXPECT_EQ(parse_length("0.5 m"), Millimetres{500});
  EXPECT_EQ(parse_percent("80 %"), 800'000U);
  EXPECT_EQ(parse_percent("0.0001%"), 1U);
  EXPECT_FALSE(parse_percent("0.00001 %"));
  EXPECT_EQ(parse_count("42"), 42U);
  EXPECT_FALSE(parse_count("42 "));
  EXPECT_FALSE(parse_count("-1"));
}

TEST(ConfigUnits, BufferSizesRoundToCellsAsTheCallerSays) {
  const Bytes cell{208};
  EXPECT_EQ(parse_buffer_size("1248 B")->cells_up(cell), Cells{6});
  EXPECT_EQ(parse_buffer_size("1249 B")->cells_up(cell), Cells{7});
  EXPECT_EQ(parse_buffer_size("1249 B")->cells_down(cell), Cells{6});
  EXPECT_EQ(parse_buffer_size("1247 B")->cells_down(cell), Cells{5});
  EXPECT_EQ(parse_buffer_size("10 cells")->cells_up(cell), Cells{10});
  EXPECT_EQ(parse_buffer_size("1 cell")->cells_down(cell), Cells{1});
  EXPECT_EQ(parse_buffer_size("4294967295 cells")->cells_up(cell), Cells{4'294'967'295U});
  EXPECT_FALSE(parse_buffer_size("4294967296 cells")->cells_up(cell));
  EXPECT_FALSE(parse_buffer_size("0.5 cells"));
}

TEST(ConfigUnits, AlphaIsAFractionOverAPowerOfTwo) {
  EXPECT_EQ(parse_alpha("1/8"), (Alpha{1, 3}));
  EXPECT_EQ(parse_alpha("3/4"), (Alpha{3, 2}));
  EXPECT_EQ(parse_alpha("8"), (Alpha{8, 0}));
  EXPECT_EQ(parse_alpha("65535/65536"), (Alpha{65535, 16}));
  EXPECT_EQ(parse_alpha("0.125"), (Alpha{1, 3})) << "the same value, in lowest terms";
  EXPECT_EQ(parse_alpha("1.50"), (Alpha{3, 1}));
  EXPECT_EQ(parse_alpha("2.0"), (Alpha{2, 0}));
  EXPECT_EQ(parse_alpha("0.0000152587890625"), (Alpha{1, 16}));
  for (const std::string text :
       {"0", "65536", "1/131072", "1/3", "0/8", "1/0", "1/", "/8", "0.1", "-1/8", "1 / 8", "1/8x",
        "0.0", "0.", ".5", "0.125x", "65535.5", "0.00000762939453125"}) {
    EXPECT_FALSE(parse_alpha(text)) << "\"" << text << "\"";
  }
}

}  // namespace
}  // namespace weir::units_test
