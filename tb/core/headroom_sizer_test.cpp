// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/headroom_sizer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "weir/core/errors.hpp"
#include "weir/core/headroom/cell_packing.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::headroom_sizer_test {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;

HeadroomPort port_of(std::uint64_t gbps, std::uint64_t metres, std::uint64_t mtu = 9216,
                     std::uint64_t cell = 208) {
  HeadroomPort port;
  port.rate = BitRate{gbps * giga};
  port.cable = Millimetres{metres * 1000};
  port.mtu = Bytes{mtu};
  port.cell = Bytes{cell};
  return port;
}

// When the peer may no longer start a frame, computed event by event from the step that makes XOFF
// due.
Picoseconds pause_effective(const HeadroomPort& port, Picoseconds due) {
  const std::uint64_t byte = byte_time(port.rate).count();
  const std::uint64_t requested =
      due.count() + (port.admit_latency + port.pfc_latency) * port.clock.numerator();
  // The reverse frame began a picosecond before the request and keeps its gap.
  const std::uint64_t pfc_starts = requested - 1 + (8 + port.mtu.count() + 12) * byte;
  const std::uint64_t received = pfc_starts + (8 + 64) * byte + port.propagation().count();
  return Picoseconds{received + std::max(port.peer_response().count(), port.clock.numerator() - 1)};
}

TEST(HeadroomSizer, PropagationIsRoundedUpToAPicosecond) {
  HeadroomPort port = port_of(100, 300);
  EXPECT_EQ(port.propagation(), Picoseconds{1'500'000}) << "5 ns/m";
  port.cable = Millimetres{1};
  port.delay_per_metre = Picoseconds{4901};
  EXPECT_EQ(port.propagation(), Picoseconds{5}) << "4.901 ps";
}

TEST(HeadroomSizer, ResponseIsTheLimitOfTheSpeedUnlessThePeerIsFaster) {
  HeadroomPort port = port_of(100, 0);
  EXPECT_EQ(port.peer_response(), Picoseconds{394 * 512 * 10}) << "394 quanta";
  port.response = Picoseconds{0};
  EXPECT_EQ(port.peer_response(), Picoseconds{0});
}

TEST(HeadroomSizer, TheTermOfTheResponseSaysWhereItsTimeComesFrom) {
  HeadroomPort port = port_of(100, 0);
  const auto term = [&port](const char* method, const char* start) {
    const HeadroomResult result = size_headroom(method, port);
    for (const auto* list : {&result.terms, &result.window_terms})
      for (const HeadroomTerm& each : *list)
        if (each.name.rfind(start, 0) == 0) return std::string{each.source};
    return std::string{"no such term"};
  };
  for (const char* method : {"standard", "sonic", "worst_case"}) {
    port = port_of(100, 0);
    EXPECT_EQ(term(method, "response limit of the"), "802.3 31B.3.7") << method;
    port.response = port.peer_response();
    EXPECT_EQ(term(method, "response limit of the"), "802.3 31B.3.7") << "a chip file has it";
    port.response = Picoseconds{1'000'000};
    EXPECT_EQ(term(method, "response limit of the"), "no such term") << method;
    EXPECT_EQ(term(method, "response of the peer"), "given") << method;
    port = port_of(800, 0);
    EXPECT_EQ(term(method, "response limit of the"), "common practice") << "as at 400G";
  }
}

TEST(HeadroomSizer, TermsAddUpToTheResultForEveryMethodRateAndCell) {
  for (const HeadroomMethod& method : headroom_methods()) {
    for (const PortSpeed& speed : port_speeds()) {
      const std::uint64_t gbps = speed.rate.count() / giga;
      for (const std::uint64_t cell : {32, 63, 64, 80, 128, 129, 254, 420}) {
        const HeadroomPort port = port_of(gbps, 37, 1500, cell);
        const HeadroomResult result = size_headroom(method.name, port);
        Bytes sum;
        Picoseconds window;
        for (const HeadroomTerm& term : result.terms) sum += term.bytes;
        for (const HeadroomTerm& term : result.window_terms) window += term.time;
        EXPECT_EQ(sum, result.bytes) << method.name << " at " << gbps << "G, cell " << cell;
        EXPECT_EQ(window, result.window) << method.name << " at " << gbps << "G, cell " << cell;
        EXPECT_EQ(result.cells, cells_for(result.bytes, Bytes{}, port.cell)) << method.name;
        for (const HeadroomTerm& term : result.terms)
          EXPECT_FALSE(term.source.empty()) << method.name << ": " << term.name;
      }
    }
  }
}

TEST(HeadroomSizer, WorstCaseWindowEndsWhenThePauseTakesHold) {
  for (const PortSpeed& speed : port_speeds()) {
    const std::uint64_t gbps = speed.rate.count() / giga;
    for (const std::uint64_t metres : {0, 1, 300, 40'000}) {
      HeadroomPort port = port_of(gbps, metres);
      port.slot_wait = 3;
      const Picoseconds last_bit{1'000'001};  // just missed an edge
      const Picoseconds due{last_bit.count() + port.clock.numerator() - 1 +
                            3 * port.clock.numerator()};
      const std::uint64_t byte = byte_time(port.rate).count();
      // At the peer the next frame may start a gap after the last bit left.
      const std::uint64_t first_start = last_bit.count() + 12 * byte;
      const Picoseconds window = size_headroom("worst_case", port).window;
      EXPECT_EQ(first_start + window.count(),
                pause_effective(port, due).count() + port.propagation().count())
          << gbps << "G, " << metres << " m (times shifted by the propagation of data)";
    }
  }
}

TEST(HeadroomSizer, WorstCaseCountsAFrameThatStartsAPicosecondBeforeThePauseAndNotOneAtIt) {
  HeadroomPort port = port_of(100, 0, 64, 80);  // one kind of frame: 64 B, 84 B on the wire
  const std::uint64_t slot = 84 * 80;
  // Stretch the response so that the window is a whole number of slots: a frame that would start at
  // its very end is too late.
  const HeadroomResult before = size_headroom("worst_case", port);
  const std::uint64_t missing = slot - before.window.count() % slot;
  port.response = port.peer_response() + Picoseconds{missing};
  const HeadroomResult exact = size_headroom("worst_case", port);
  ASSERT_EQ(exact.window.count() % slot, 0U);
  const std::uint64_t starts = exact.window.count() / slot;  // at 0, slot, 2 slot ...
  EXPECT_EQ(exact.cells.count(), 1 + starts) << "the trigger and those that start within";
  port.response = *port.response + Picoseconds{1};
  EXPECT_EQ(size_headroom("worst_case", port).cells.count(), 2 + starts);
}

TEST(HeadroomSizer, AClockSlowerThanTheResponseDelaysThePause) {
  HeadroomPort port = port_of(100, 0);
  port.response = Picoseconds{0};
  const Picoseconds none = size_headroom("worst_case", port).window;
  port.response = Picoseconds{999};
  EXPECT_EQ(size_headroom("worst_case", port).window, none) << "the load edge may be 999 ps away";
  port.response = Picoseconds{1000};
  EXPECT_EQ(size_headroom("worst_case", port).window, none + Picoseconds{1});
}

RC_GTEST_PROP(HeadroomSizerProperty, WorstCaseNeverShrinksWhenAnythingGetsSlowerOrLarger,
              (std::uint16_t a, std::uint16_t b, std::uint8_t c)) {
  HeadroomPort port = port_of(100, a % 2000, 64 + b % 9000, 80 + c);
  const Cells cells = size_headroom("worst_case", port).cells;
  HeadroomPort longer = port, larger = port, later = port, slower = port;
  longer.cable += Millimetres{500};
  larger.mtu += Bytes{1};
  later.admit_latency += 1;
  slower.response = port.peer_response() + Picoseconds{333};
  for (const HeadroomPort& other : {longer, larger, later, slower})
    RC_ASSERT(size_headroom("worst_case", other).cells >= cells);
}

TEST(HeadroomSizer, SonicExpandsSmallPacketsByCellOver64AndForSmallCellsByTwiceItsShare) {
  HeadroomPort port = port_of(100, 300, 9100, 144);
  // 9100 + 2 x 300 x 1e11 / (8 x 1.98e8) + 0.8 KiB + 394 x 64 = 73014.1, times 144 / 64, and 1024.
  EXPECT_EQ(size_headroom("sonic", port).bytes, Bytes{162 * 1024});
  port.cell = Bytes{96};
  // times 192 / 97
  EXPECT_EQ(size_headroom("sonic", port).bytes, Bytes{143 * 1024});
  port.sonic.small_packets = 0;
  EXPECT_EQ(size_headroom("sonic", port).bytes, Bytes{73 * 1024}) << "74038.1 B, up to 1 KiB";
}

TEST(HeadroomSizer, SonicAddsAGearboxAtBothEnds) {
  HeadroomPort port = port_of(100, 300, 9100, 144);
  port.sonic.small_packets = 0;
  port.sonic.gearbox = Picoseconds{80 * 512};
  EXPECT_EQ(size_headroom("sonic", port).bytes, Bytes{74 * 1024}) << "2 x 512 B more";
}

TEST(HeadroomSizer, EveryMethodNameIsUniqueAndAnUnknownOneNamesThem) {
  std::vector<std::string_view> names;
  for (const HeadroomMethod& method : headroom_methods()) names.push_back(method.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  try {
    static_cast<void>(size_headroom("wurst_case", port_of(100, 1)));
    FAIL() << "an unknown method was taken";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.key(), "method");
    EXPECT_NE(error.legal().find("worst_case"), std::string::npos) << error.legal();
  }
}

TEST(HeadroomSizer, RefusesWhatNoPortHas) {
  const auto refused = [](const char* key, auto change) {
    HeadroomPort port = port_of(100, 300);
    change(port);
    try {
      port.check();
      ADD_FAILURE() << key << " was taken";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), key);
    }
  };
  EXPECT_NO_THROW(port_of(1, 0).check());
  HeadroomPort fastest = port_of(max_port_rate.count() / giga, 1'000'000);
  fastest.response = Picoseconds{290'000};
  EXPECT_NO_THROW(fastest.check());
  refused("response", [](HeadroomPort& p) { p.rate = BitRate{1000 * giga}; });
  refused("rate", [](HeadroomPort& p) { p.rate = BitRate{giga - 1}; });
  refused("rate", [](HeadroomPort& p) { p.rate = max_port_rate * 2; });
  refused("rate", [](HeadroomPort& p) { p.rate = BitRate{300 * giga}; });
  refused("cable", [](HeadroomPort& p) { p.cable = Millimetres{1'000'000'001}; });
  refused("mtu", [](HeadroomPort& p) { p.mtu = Bytes{63}; });
  refused("mtu", [](HeadroomPort& p) { p.mtu = Bytes{65536}; });
  refused("cell", [](HeadroomPort& p) { p.cell = Bytes{31}; });
  refused("overhead", [](HeadroomPort& p) { p.cell_overhead = p.cell; });
  refused("ns-per-m", [](HeadroomPort& p) { p.delay_per_metre = Picoseconds{3335}; });
  refused("small-packets", [](HeadroomPort& p) { p.sonic.small_packets = 101; });
}

Chip chip_of(std::size_t ports, std::uint32_t lanes) {
  Chip chip;
  for (std::size_t p = 0; p < ports; ++p)
    chip.ports.push_back({BitRate{100 * giga}, DomainId{0}, Picoseconds{777}});
  chip.lanes = lanes;
  chip.mtu = Bytes{1500};
  chip.cell = Bytes{254};
  chip.cell_overhead = Bytes{12};
  chip.admit_latency = 7;
  chip.pfc_latency = 4;
  chip.clock = Picoseconds{800};
  return chip;
}

TEST(HeadroomSizer, TakesEverythingThatCountsFromAChip) {
  const Chip chip = chip_of(32, 5);
  const HeadroomPort port = headroom_port(chip, PortId{3}, Millimetres{300'000});
  EXPECT_EQ(port.rate, BitRate{100 * giga});
  EXPECT_EQ(port.response, Picoseconds{777});
  EXPECT_EQ(port.mtu, Bytes{1500});
  EXPECT_EQ(port.cell, Bytes{254});
  EXPECT_EQ(port.cell_overhead, Bytes{12});
  EXPECT_EQ(port.admit_latency, 7U);
  EXPECT_EQ(port.pfc_latency, 4U);
  EXPECT_EQ(port.clock, Picoseconds{800});
  EXPECT_EQ(port.slot_wait, 6U) << "32 frames at one edge, 5 a cycle: the last waits 6 cycles";
}

TEST(HeadroomSizer, AChipWithTooFewLanesMayHaveAFullPortFifoBeforeTheTrigger) {
  Chip chip = chip_of(32, 3);
  chip.port_fifo = 10;
  EXPECT_EQ(headroom_port(chip, PortId{0}, Millimetres{0}).slot_wait, 11U * 10 - 1);
}

TEST(HeadroomSizer, OnlyPortsOfTheSameDomainWaitForEachOther) {
  Chip chip = chip_of(8, 2);
  chip.domains = 2;
  for (std::size_t p = 4; p < 8; ++p) chip.ports[p].domain = DomainId{1};
  EXPECT_EQ(headroom_port(chip, PortId{0}, Millimetres{0}).slot_wait, 1U);
}

TEST(HeadroomSizer, AProfileGetsTheLargestNeedOfItsPorts) {
  Chip chip = chip_of(4, 2);
  chip.ports[2].rate = BitRate{400 * giga};
  chip.profiles.resize(2);
  chip.profiles[ProfileIndex{1}].headroom = Cells{12};
  chip.profile_of_pg.assign(4 * priorities, std::nullopt);
  chip.profile_of_pg[PgIndex{3}] = chip.profile_of_pg[PgIndex{priorities + 3}] = ProfileIndex{0};
  const HeadroomRequest request{Millimetres{300'000}, "worst_case", Picoseconds{5000}};
  const auto need = [&](std::uint16_t port) {
    return size_headroom("worst_case", headroom_port(chip, PortId{port}, request.cable)).cells;
  };
  EXPECT_EQ(requested_headroom(chip, ProfileIndex{0}, request), need(0)) << "100G ports alone";
  chip.profile_of_pg[PgIndex{2 * priorities + 3}] = ProfileIndex{0};
  EXPECT_LT(need(0), need(2));
  EXPECT_EQ(requested_headroom(chip, ProfileIndex{0}, request), need(2));
  chip.profiles.front().headroom_request = request;
  EXPECT_EQ(profile_headroom(chip, ProfileIndex{0}), need(2));
  EXPECT_EQ(profile_headroom(chip, ProfileIndex{1}), Cells{12}) << "given in cells";
}

}  // namespace
}  // namespace weir::headroom_sizer_test
