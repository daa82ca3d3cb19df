// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Counters of a MAC, by priority where the frame has one. Host and switch ports have the same.
struct PortCounters {
  static constexpr Picoseconds never{~std::uint64_t{0}};

  /// Aligned so that what each packet counts shares a cache line.
  struct alignas(32) ByPriority {
    std::uint64_t tx_packets{0}, rx_packets{0};
    Bytes tx_bytes, rx_bytes;
    std::uint64_t pauses_sent{0}, pauses_received{0};    ///< Class enabled with time > 0.
    std::uint64_t resumes_sent{0}, resumes_received{0};  ///< Class enabled with time 0.
    std::uint64_t mac_drops{0};      ///< Dropped before the MMU or by a NIC, for whatever reason.
    std::uint64_t stray_copies{0};   ///< Flooded copies dropped at the head of the egress queue.
    std::uint64_t ingress_drops{0};  ///< Came in here, refused by the MMU's ingress side.
    std::uint64_t egress_drops{0};   ///< To leave here, refused by its queue or WRED.
    std::uint64_t watchdog_egress_drops{0};  ///< Admitted, dropped from the queue by a watchdog.
    Picoseconds first_pause_sent{never}, first_pause_received{never};  ///< Never cleared.
  };
  std::array<ByPriority, priorities> priority{};
  std::uint64_t pfc_frames_sent{0}, pfc_frames_received{0};
  std::uint64_t fcs_errors{0};       ///< Data frames with a wrong FCS, ignored.
  std::uint64_t pfc_fcs_errors{0};   ///< PFC frames with a wrong FCS, not obeyed.
  std::uint64_t oversize{0};         ///< Longer than the chip's MTU: dropped at the MAC.
  std::uint64_t no_route{0};         ///< No egress port: dropped before the MMU.
  std::uint64_t ttl_expired{0};      ///< TTL reached 0: dropped before the MMU.
  std::uint64_t watchdog_drops{0};   ///< By the port's PFC watchdog, at ingress or egress.
  std::uint64_t port_fifo_drops{0};  ///< The port FIFO was full: dropped before the MMU.

  std::uint64_t incomplete_arp{0};  ///< Lossless, to a host without MAC entry: dropped.
  std::uint64_t no_neighbour{0};    ///< To a host that does not answer ARP requests: dropped.
  std::uint64_t cpu_queue{0};       ///< The processor's queue was full: dropped.
  std::uint64_t dead_host{0};       ///< Hosts only: frames that came in while it was dead.

  void count_fcs_error(bool pfc) noexcept { ++(pfc ? pfc_fcs_errors : fcs_errors); }
  /// Counts a PFC frame that is sent. `now`: its first bit leaves.
  void count_sent(const PfcFrame& frame, Picoseconds now) noexcept {
    ++pfc_frames_sent;
    for_each_class(frame, [&](ByPriority& p, bool pause) {
      ++(pause ? p.pauses_sent : p.resumes_sent);
      if (pause && p.first_pause_sent == never) p.first_pause_sent = now;
    });
  }
  /// Counts a received PFC frame. `now`: its last bit has arrived.
  void count_received(const PfcFrame& frame, Picoseconds now) noexcept {
    ++pfc_frames_received;
    for_each_class(frame, [&](ByPriority& p, bool pause) {
      ++(pause ? p.pauses_received : p.resumes_received);
      if (pause && p.first_pause_received == never) p.first_pause_received = now;
    });
  }

 private:
  template <class F>
  void for_each_class(const PfcFrame& frame, F&& f) noexcept {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.class_enable >> n & 1U) != 0) f(priority[n], frame.time[n] != Quanta{0});
  }
};

/// Where registers show a counter of a MAC.
struct CounterRegister {
  enum class Block : std::uint8_t { port, port_class, port_class_health };
  Block block;
  std::uint32_t offset;
  std::string_view name;
  bool of_mmu{false};  ///< RTL of the MMU alone counts it, too; else it shows 0.
};

/// The ports of which summary.json shows a counter.
enum class CounterScope : std::uint8_t { none, switches, hosts_too };

/// A counter of a MAC: a row of one of the two tables below.
template <class Counters, class Count>
struct CounterRow {
  std::string_view name;  ///< Name of the field of summary.json.
  Count Counters::*count;
  CounterScope scope;
  std::string_view meaning;
  std::optional<CounterRegister> shown_at;
};

/// Calls f with the row of each counter by priority, in the order of summary.json. The one table of
/// them: registers, sums and summaries walk it.
template <class F>
void for_each_class_counter(F&& f) {
  using C = PortCounters::ByPriority;
  using Packets = CounterRow<C, std::uint64_t>;
  using Octets = CounterRow<C, Bytes>;
  constexpr auto wire = CounterRegister::Block::port_class;
  constexpr auto health = CounterRegister::Block::port_class_health;
  constexpr auto all = CounterScope::hosts_too, ports = CounterScope::switches;
  const auto at = [](CounterRegister::Block block, std::uint32_t offset, std::string_view name) {
    return std::optional{CounterRegister{block, offset, name}};
  };
  f(Packets{"rx_packets", &C::rx_packets, all, "data frames received, before any drop",
            at(wire, 0x08, "rx_packets")});
  f(Octets{"rx_bytes", &C::rx_bytes, all, "their bytes, FCS included", at(wire, 0x18, "rx_bytes")});
  f(Packets{"tx_packets", &C::tx_packets, all, "data frames sent", at(wire, 0x00, "tx_packets")});
  f(Octets{"tx_bytes", &C::tx_bytes, all, "their bytes, FCS included", at(wire, 0x10, "tx_bytes")});
  f(Packets{"pauses_sent", &C::pauses_sent, all, "PFC frames that paused the class",
            at(wire, 0x20, "pauses_sent")});
  f(Packets{"resumes_sent", &C::resumes_sent, all, "PFC frames that resumed the class",
            at(wire, 0x30, "resumes_sent")});
  f(Packets{"pauses_received", &C::pauses_received, all, "PFC frames that paused the class",
            at(wire, 0x28, "pauses_received")});
  f(Packets{"resumes_received", &C::resumes_received, all, "PFC frames that resumed the class",
            at(wire, 0x38, "resumes_received")});
  f(Packets{"mac_drops", &C::mac_drops, ports, "packets dropped before the MMU, or by a NIC", {}});
  f(Packets{"stray_copies",
            &C::stray_copies,
            ports,
            "flooded copies dropped at the head of the egress queue",
            {}});
  f(Packets{"ingress_drops", &C::ingress_drops, ports,
            "packets that came in here and were refused by the ingress side of the MMU",
            at(health, 0x18, "ingress_drops")});
  f(Packets{"egress_drops", &C::egress_drops, ports,
            "packets that were to leave here and were refused by their egress queue or by its WRED "
            "profile",
            at(health, 0x20, "egress_drops")});
  f(Packets{"watchdog_egress_drops",
            &C::watchdog_egress_drops,
            ports,
            "packets that a PFC watchdog dropped from their egress queue here",
            {}});
}

/// Calls f with the row of each counter of a port as a whole, in the order of summary.json.
template <class F>
void for_each_port_counter(F&& f) {
  using C = PortCounters;
  using Row = CounterRow<C, std::uint64_t>;
  constexpr auto shown = CounterScope::switches, hidden = CounterScope::none;
  const auto at = [](std::uint32_t offset, std::string_view name, bool of_mmu) {
    return std::optional{CounterRegister{CounterRegister::Block::port, offset, name, of_mmu}};
  };
  f(Row{"pfc_frames_sent", &C::pfc_frames_sent, shown, "PFC frames, XON ones included",
        at(0x08, "pfc_frames_sent", true)});
  f(Row{"pfc_frames_received", &C::pfc_frames_received, shown, "PFC frames, XON ones included",
        at(0x10, "pfc_frames_received", true)});
  f(Row{"packet_fcs_errors", &C::fcs_errors, hidden, "data frames with a wrong FCS, ignored", {}});
  f(Row{
      "pfc_fcs_errors", &C::pfc_fcs_errors, hidden, "PFC frames with a wrong FCS, not obeyed", {}});
  f(Row{"oversize_drops", &C::oversize, shown, "frames longer than the MTU, dropped",
        at(0x18, "oversize", false)});
  f(Row{"no_route_drops", &C::no_route, shown, "frames to an unknown destination, dropped",
        at(0x20, "no_route", false)});
  f(Row{"port_fifo_drops", &C::port_fifo_drops, shown,
        "frames that found the port FIFO full, dropped", at(0x28, "fifo_drops", false)});
  f(Row{"ttl_drops", &C::ttl_expired, shown, "packets whose TTL had reached 0", {}});
  f(Row{"watchdog_drops",
        &C::watchdog_drops,
        hidden,
        "packets dropped by the port's PFC watchdog, at ingress or egress",
        {}});
  f(Row{"incomplete_arp_drops",
        &C::incomplete_arp,
        shown,
        "lossless packets to a host without MAC entry",
        {}});
  f(Row{"no_neighbour_drops",
        &C::no_neighbour,
        shown,
        "packets to a host that does not answer ARP requests",
        {}});
  f(Row{"cpu_queue_drops",
        &C::cpu_queue,
        shown,
        "packets that found the processor's queue full",
        {}});
  f(Row{"dead_host",
        &C::dead_host,
        hidden,
        "a host's own: packets that came in while it was dead",
        {}});
}

/// The count of a row as a plain number.
template <class Counters>
[[nodiscard]] constexpr std::uint64_t count_of(const CounterRow<Counters, std::uint64_t>& row,
                                               const Counters& counters) noexcept {
  return counters.*row.count;
}
template <class Counters>
[[nodiscard]] constexpr std::uint64_t count_of(const CounterRow<Counters, Bytes>& row,
                                               const Counters& counters) noexcept {
  return (counters.*row.count).count();
}

/// Adds every counter of a class.
inline PortCounters::ByPriority& operator+=(PortCounters::ByPriority& sum,
                                            const PortCounters::ByPriority& counters) {
  for_each_class_counter([&](const auto& row) { sum.*row.count += counters.*row.count; });
  return sum;
}
/// Subtracts `before` from every counter of a class; the times of first pauses stay.
inline PortCounters::ByPriority& operator-=(PortCounters::ByPriority& counters,
                                            const PortCounters::ByPriority& before) {
  for_each_class_counter([&](const auto& row) {
    using Count = std::decay_t<decltype(counters.*row.count)>;
    counters.*row.count = Count{count_of(row, counters) - count_of(row, before)};
  });
  return counters;
}
/// Subtracts `before` from every counter of a port and its classes.
inline PortCounters& operator-=(PortCounters& counters, const PortCounters& before) {
  for_each_port_counter([&](const auto& row) { counters.*row.count -= before.*row.count; });
  for (std::size_t n = 0; n < priorities; ++n) counters.priority[n] -= before.priority[n];
  return counters;
}

/// Adds every counter of a port and its classes.
inline PortCounters& operator+=(PortCounters& sum, const PortCounters& counters) {
  for_each_port_counter([&](const auto& row) { sum.*row.count += counters.*row.count; });
  for (std::size_t n = 0; n < priorities; ++n) sum.priority[n] += counters.priority[n];
  return sum;
}

}  // namespace weir
