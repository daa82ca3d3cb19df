// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/headroom_sizer.hpp"

#include <algorithm>
#include <limits>

#include "weir/core/bits.hpp"
#include "weir/core/chip_limits.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/headroom/cell_packing.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir {
namespace {

constexpr std::uint64_t mm_per_metre = 1000;
constexpr Bytes shortest_slot = min_frame_bytes + slot_overhead_bytes;

constexpr std::string_view dsh = "DSH eq. (1)";
constexpr std::string_view sonic = "SONiC buffer_headroom_mellanox.lua";
constexpr std::string_view tomahawk = "SONiC tables of Tomahawk 5/6 boxes";
constexpr std::string_view model = "docs/guide/headroom.md";

constexpr Wide divide_up(Wide a, Wide b) { return (a + b - 1) / b; }

// Bytes that pass at `rate` in `time`, rounded up.
Bytes bytes_in(Picoseconds time, const HeadroomPort& port) {
  return Bytes{static_cast<std::uint64_t>(
      divide_up(Wide{time.count()} * port.rate.count(), Wide{8} * picoseconds_per_second))};
}

Picoseconds wire_time(Bytes bytes, const HeadroomPort& port) {
  return byte_time(port.rate) * bytes.count();
}

HeadroomTerm part(std::string name, Bytes bytes, const HeadroomPort& port,
                  std::string_view source) {
  return {std::move(name), bytes, wire_time(bytes, port), Cells{}, source};
}

HeadroomTerm delay(std::string name, Picoseconds time, const HeadroomPort& port,
                   std::string_view source) {
  return {std::move(name), bytes_in(time, port), time, Cells{}, source};
}

// `limit` is the name of the term where the response is that of the speed.
HeadroomTerm response_of_peer(std::string limit, Picoseconds time, const HeadroomPort& port) {
  const PortSpeed* const speed = find_port_speed(port.rate);
  if (speed != nullptr && port.peer_response() == quanta_time(speed->response, port.rate))
    return delay(std::move(limit), time, port, speed->source);
  return delay("response of the peer", time, port, "given");
}

HeadroomResult in_bytes(const HeadroomPort& port, std::vector<HeadroomTerm> terms) {
  HeadroomResult result;
  for (const HeadroomTerm& term : terms) result.bytes += term.bytes;
  result.cells = cells_for(result.bytes, Bytes{}, port.cell);
  result.terms = std::move(terms);
  return result;
}

// The parts are rounded individually; the last one makes up the difference to `total`.
HeadroomResult in_bytes_of(Bytes total, const HeadroomPort& port, std::vector<HeadroomTerm> terms,
                           const char* last, std::string_view source) {
  Bytes sum;
  for (const HeadroomTerm& term : terms) sum += term.bytes;
  terms.push_back(part(last, saturating_subtract(total, sum), port, source));
  return in_bytes(port, std::move(terms));
}

// The return path: the bytes of both directions together are rounded up once.
HeadroomTerm way_back(std::string name, const HeadroomPort& port, std::string_view source) {
  const Picoseconds one_way = port.propagation();
  return {std::move(name), bytes_in(one_way + one_way, port) - bytes_in(one_way, port), one_way,
          Cells{}, source};
}

HeadroomResult paper(const HeadroomPort& port) {
  constexpr Bytes processing{3840};
  return in_bytes(port, {part("waiting: a frame just begun", port.mtu, port, dsh),
                         delay("propagation of the PAUSE", port.propagation(), port, dsh),
                         part("processing at the peer", processing, port, dsh),
                         part("response: the peer's frame just begun", port.mtu, port, dsh),
                         way_back("propagation of the last frame", port, dsh)});
}

// The limit starts with the PFC frame at the peer's connector, so it includes the peer's
// interfaces.
HeadroomResult standard(const HeadroomPort& port) {
  constexpr std::string_view annex = "802.1Qbb annex O";
  return in_bytes(
      port, {part("largest frame of another class just begun", port.mtu, port, annex),
             delay("cable, PFC frame", port.propagation(), port, annex),
             response_of_peer("response limit of the speed: PFC frame, interfaces, processing",
                              port.peer_response(), port),
             part("largest frame just begun at the peer", port.mtu, port, annex),
             way_back("cable, last frame", port, annex)});
}

/// A sum of bytes that need not be an integer, times a factor: the form of SONiC's formulas.
struct Expanded {
  Wide numerator{0};  // of the sum, in 1/denominator bytes
  std::uint64_t denominator{1};
  Wide factor_numerator{1};
  std::uint64_t factor_denominator{1};

  // `head` bytes and the product, rounded up to a multiple of `grain`.
  [[nodiscard]] Bytes round_up(Bytes head, std::uint64_t grain) const {
    const Wide scale = Wide{denominator} * factor_denominator;
    const Wide total = Wide{head.count()} * scale + numerator * factor_numerator;
    return Bytes{static_cast<std::uint64_t>(divide_up(total, scale * grain) * grain)};
  }
  [[nodiscard]] Bytes unexpanded() const {
    return Bytes{static_cast<std::uint64_t>(divide_up(numerator, denominator))};
  }
};

// 2 x length x speed / (8 x 1.98e8 m/s) in 1/denominator bytes.
constexpr std::uint64_t light_in_fibre = 198'000'000;
constexpr std::uint64_t cable_denominator = 8 * light_in_fibre * mm_per_metre;
Wide sonic_cable(const HeadroomPort& port) {
  return Wide{2} * port.cable.count() * port.rate.count();
}
Picoseconds sonic_cable_time(const HeadroomPort& port) {
  return Picoseconds{static_cast<std::uint64_t>(divide_up(
      Wide{2} * port.cable.count() * picoseconds_per_second, Wide{light_in_fibre} * mm_per_metre))};
}

constexpr Bytes lossless_grain{1024};
constexpr std::uint64_t tenths_of_mac_phy = 8192;  // 0.8 KiB, in 1/10 B

std::vector<HeadroomTerm> sonic_parts(const HeadroomPort& port, const Expanded& cable) {
  return {part("lossless frame that triggers XOFF", port.sonic.lossless_mtu, port, sonic),
          part("port MTU", port.mtu, port, sonic),
          {"cable, both ways", cable.unexpanded(), sonic_cable_time(port), Cells{}, sonic},
          part("MAC and PHY, 0.8 KiB", Bytes{(tenths_of_mac_phy + 9) / 10}, port, sonic)};
}

HeadroomResult sonic_current(const HeadroomPort& port) {
  constexpr std::uint64_t tenths = 10;
  const std::uint64_t cell = port.cell.count(), share = port.sonic.small_packets;
  const Bytes gearbox = bytes_in(port.sonic.gearbox, port);
  const HeadroomTerm response =
      response_of_peer("response limit of the speed", port.peer_response(), port);
  const Expanded cable{sonic_cable(port), cable_denominator, 1, 1};
  Expanded sum;
  sum.denominator = cable_denominator * tenths;
  sum.numerator = cable.numerator * tenths + Wide{cable_denominator} * tenths_of_mac_phy +
                  Wide{sum.denominator} * (port.mtu + gearbox + gearbox + response.bytes).count();
  // Cells of the smallest packets: cell / 64 of their bytes, or for small cells 2 cell / (1 +
  // cell).
  const Wide worst = cell > 128 ? cell : 2 * cell;
  const std::uint64_t of = cell > 128 ? min_frame_bytes.count() : 1 + cell;
  sum.factor_numerator = Wide{100 - share} * of + share * worst;
  sum.factor_denominator = 100 * of;
  std::vector<HeadroomTerm> terms = sonic_parts(port, cable);
  terms.push_back(part("gearbox, both ends", gearbox + gearbox, port, sonic));
  terms.push_back(response);
  return in_bytes_of(sum.round_up(port.sonic.lossless_mtu, lossless_grain.count()), port,
                     std::move(terms), "small packets in cells, and up to 1 KiB", sonic);
}

// The formula before the response by speed: 3.8 KiB at any speed, and cell / 64 for any cell.
HeadroomResult sonic_earlier(const HeadroomPort& port) {
  constexpr std::uint64_t tenths = 10, tenths_of_response = 38912;
  const Expanded cable{sonic_cable(port), cable_denominator, 1, 1};
  Expanded sum;
  sum.denominator = cable_denominator * tenths;
  sum.numerator = cable.numerator * tenths +
                  Wide{cable_denominator} * (tenths_of_mac_phy + tenths_of_response) +
                  Wide{sum.denominator} * port.mtu.count();
  sum.factor_numerator = Wide{port.cell.count()};
  sum.factor_denominator = min_frame_bytes.count();
  // The smallest packet fills a cell below 64 B, so there is nothing to expand.
  if (port.cell < min_frame_bytes) sum.factor_numerator = sum.factor_denominator;
  std::vector<HeadroomTerm> terms = sonic_parts(port, cable);
  terms.push_back(
      part("response of the peer, 3.8 KiB", Bytes{(tenths_of_response + 9) / 10}, port, sonic));
  return in_bytes_of(sum.round_up(port.sonic.lossless_mtu, lossless_grain.count()), port,
                     std::move(terms), "small packets in cells, and up to 1 KiB", sonic);
}

// A line full of 64 B packets, 84 B on the wire, while cable, two frames and 2.15 us pass.
HeadroomResult tomahawk_tables(const HeadroomPort& port) {
  constexpr Picoseconds fixed{2'150'000};
  const Picoseconds prop = port.propagation();
  std::vector<HeadroomTerm> terms{delay("cable, both ways", prop + prop, port, tomahawk),
                                  part("two largest frames", port.mtu + port.mtu, port, tomahawk),
                                  delay("response and latencies, 2.15 us", fixed, port, tomahawk)};
  Expanded sum;
  for (const HeadroomTerm& term : terms) sum.numerator += term.bytes.count();
  const Cells smallest = cells_for(min_frame_bytes, port.cell_overhead, port.cell);
  sum.factor_numerator = Wide{port.cell.count()} * smallest.count();
  sum.factor_denominator = shortest_slot.count();
  // Where cells are smaller than a packet on the wire, the bytes decide.
  if (sum.factor_numerator < sum.factor_denominator) sum.factor_numerator = shortest_slot.count();
  return in_bytes_of(sum.round_up(Bytes{}, 1), port, std::move(terms), "64 B packets in cells",
                     tomahawk);
}

HeadroomTerm in_cells(std::string name, Cells cells, const HeadroomPort& port) {
  return {std::move(name), Bytes{cells.count() * port.cell.count()}, Picoseconds{}, cells, model};
}

// From the last bit of the frame that triggers XOFF until no new frame starts.
std::vector<HeadroomTerm> window_of(const HeadroomPort& port) {
  const auto cycles = [&](std::uint64_t count) { return port.clock.max_time(Cycle{count}); };
  const Picoseconds one_ps{1};
  const Picoseconds crossing = cycles(1) - one_ps;
  // With a period that is not a whole number of ps a timer may keep it 1 ps longer.
  const Picoseconds response = port.peer_response() + (port.clock.whole() ? Picoseconds{} : one_ps);
  return {
      delay("clock crossing of the frame that triggers XOFF", crossing, port, model),
      delay("wait for its arrival slot", cycles(port.slot_wait), port, model),
      delay("admit: request to verdict", cycles(port.admit_latency), port, model),
      delay("pfc: verdict to PFC frame request", cycles(port.pfc_latency), port, model),
      // Its gap is not counted, because the frame after the trigger has one as well.
      delay("largest reverse frame, just begun",
            wire_time(preamble_bytes + port.mtu, port) - one_ps, port, model),
      delay("own PFC frame", wire_time(preamble_bytes + pfc_frame_bytes, port), port, "802.1Qbb"),
      delay("propagation of the PFC frame", port.propagation(), port, model),
      response_of_peer("response limit of the peer's speed", response, port),
      delay("clock crossing at the peer, beyond its response",
            saturating_subtract(crossing, response), port, model),
      delay("propagation of data", port.propagation(), port, model),
  };
}

HeadroomResult worst_case(const HeadroomPort& port) {
  HeadroomResult result;
  result.window_terms = window_of(port);
  for (const HeadroomTerm& term : result.window_terms) result.window += term.time;
  // A frame may start until just before the window ends; earlier ones are inside it.
  const Bytes wire{(result.window.count() - 1) / byte_time(port.rate).count()};
  const Cells largest = cells_for(port.mtu, port.cell_overhead, port.cell);
  const Cells between = max_cells(wire, {port.mtu, port.cell, port.cell_overhead});
  result.terms = {in_cells("the frame that triggers XOFF", largest, port),
                  in_cells("frames that start and end within the window", between, port),
                  in_cells("the last frame, begun just before the pause", largest, port)};
  result.cells = largest + between + largest;
  result.bytes = Bytes{result.cells.count() * port.cell.count()};
  return result;
}

}  // namespace

Picoseconds HeadroomPort::propagation() const noexcept {
  return propagation_delay(cable, delay_per_metre);
}

Picoseconds HeadroomPort::peer_response() const {
  return response ? *response : quanta_time(response_limit(rate), rate);
}

void HeadroomPort::check() const {
  check_port_rate(rate);
  check_range("cable", cable.count(), 0, max_cable.count(), " mm");
  check_range("ns-per-m", delay_per_metre.count(), min_delay_per_metre.count(),
              max_delay_per_metre.count(), " ps/m");
  check_range("mtu", mtu.count(), min_frame_bytes.count(), max_mtu.count(), " B");
  check_range("cell", cell.count(), smallest_packed_cell.count(), max_cell.count(), " B");
  check_range("overhead", cell_overhead.count(), 0, cell.count() - 1, " B");
  check_clock("clock", clock);
  check_latency("", pipeline::admit, admit_latency);
  check_latency("", pipeline::pfc, pfc_latency);
  check_range("response", peer_response().count(), 0, picoseconds_per_second, " ps");
  check_range("lossless-mtu", sonic.lossless_mtu.count(), min_frame_bytes.count(), max_mtu.count(),
              " B");
  check_range("small-packets", sonic.small_packets, 0, 100, " %");
  check_range("gearbox", sonic.gearbox.count(), 0, picoseconds_per_second, " ps");
}

const std::vector<HeadroomMethod>& headroom_methods() {
  static const std::vector<HeadroomMethod> table{
      {"paper", "paper", "2 (C D + MTU) + 3840 B", "DSH, the five delays", paper},
      {"standard", "standard", "the same with the response limit of the port's own speed",
       "802.3 31B.3.7, 802.1Qbb annex O", standard},
      {"sonic", "sonic", "SONiC's dynamic buffer formula, small packets in cells", sonic,
       sonic_current},
      {"sonic_earlier", "sonic", "its earlier form: one response for all speeds", sonic,
       sonic_earlier},
      {"tomahawk_tables", "tomahawk_tables", "a line full of 64 B packets for 2.15 us, cable, MTUs",
       tomahawk, tomahawk_tables},
      {"worst_case", "worst_case", "cells of all frames that may still start, and of two more",
       model, worst_case},
  };
  return table;
}

HeadroomResult size_headroom(std::string_view method, const HeadroomPort& port) {
  const auto& methods = headroom_methods();
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const HeadroomMethod& m) { return m.name == method; });
  if (found == methods.end()) {
    std::string names;
    for (const HeadroomMethod& m : methods) names.append(names.empty() ? "" : ", ").append(m.name);
    throw ConfigError{"method", "\"" + std::string{method} + "\"", "must be one of " + names};
  }
  port.check();
  return found->size(port);
}

HeadroomPort headroom_port(const Chip& chip, PortId port, Millimetres cable) {
  const PortSetting& setting = chip.ports.at(port.count());
  const auto sharing = static_cast<std::uint32_t>(
      std::count_if(chip.ports.begin(), chip.ports.end(),
                    [&](const PortSetting& p) { return p.domain == setting.domain; }));
  const std::uint32_t round = (sharing + chip.lanes - 1) / chip.lanes;
  HeadroomPort result;
  result.rate = setting.rate;
  result.cable = cable;
  result.mtu = chip.mtu;
  result.cell = chip.cell;
  result.cell_overhead = chip.cell_overhead;
  result.clock = chip.clock;
  result.admit_latency = chip.admit_latency;
  result.pfc_latency = chip.pfc_latency;
  result.slot_wait = (chip.lanes < default_lanes(chip) ? round * chip.port_fifo : round) - 1;
  result.response = setting.response;
  return result;
}

namespace {

bool same_need(const PortSetting& a, const PortSetting& b) {
  return a.rate == b.rate && a.response == b.response && a.domain == b.domain;
}

}  // namespace

Cells requested_headroom(const Chip& chip, ProfileIndex profile, const HeadroomRequest& request) {
  Cells most;
  std::vector<const PortSetting*> sized;  // one of each need: few, even on a chip of many ports
  for (PgIndex pg; pg < chip.profile_of_pg.end_index(); ++pg) {
    if (chip.profile_of_pg[pg] != profile) continue;
    const PortSetting& port_setting = chip.ports[port_of(pg).count()];
    const bool known = std::any_of(sized.rbegin(), sized.rend(), [&](const PortSetting* other) {
      return same_need(*other, port_setting);
    });
    if (known) continue;
    sized.push_back(&port_setting);
    HeadroomPort port = headroom_port(chip, port_of(pg), request.cable);
    port.delay_per_metre = request.delay_per_metre;
    most = std::max(most, size_headroom(request.method, port).cells);
  }
  return most;
}

Cells profile_headroom(const Chip& chip, ProfileIndex profile) {
  const Profile& wanted = chip.profiles[profile];
  return wanted.headroom_request ? requested_headroom(chip, profile, *wanted.headroom_request)
                                 : wanted.headroom;
}

}  // namespace weir
