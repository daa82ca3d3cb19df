// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "weir/core/ethernet.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The parameters of DCQCN, with the values of the paper as defaults.
///
/// Units:  shares in parts of 2^32. Source: [DCQCN].
struct DcqcnSettings {
  static constexpr std::uint64_t whole = std::uint64_t{1} << 32;

  std::uint64_t g{whole / 256};           ///< Weight of a CNP in alpha. Range: 1 to whole.
  Picoseconds alpha_time{55'000'000};     ///< K: without a CNP for so long, alpha falls.
  Picoseconds increase_time{55'000'000};  ///< T_inc: from one increase by time to the next.
  Bytes increase_bytes{10'000'000};       ///< B: wire bytes from one increase by bytes to the next.
  std::uint32_t fast_recovery{5};         ///< F: increases before the target moves.
  BitRate additive_rate{40'000'000};      ///< R_AI
  BitRate hyper_rate{400'000'000};        ///< R_HAI
  BitRate min_rate{10'000'000};           ///< R_C never falls below. At most the line rate.
  Picoseconds cnp_interval{50'000'000};   ///< A receiver's least time between two CNPs.
  Priority cnp_priority{6};               ///< Class of the CNPs.
};

/// Parameters under a name. Source: where they are published.
struct DcqcnPreset {
  std::string_view name;
  std::string_view source;
  DcqcnSettings settings;
};

/// The one table of presets; that of the paper is the first.
[[nodiscard]] const std::array<DcqcnPreset, 3>& dcqcn_presets() noexcept;

/// Length of a CNP without an 802.1Q tag, FCS included: between header and FCS are IPv4 20, UDP 8,
/// BTH 12, reserved 16, ICRC 4. Source: [IBTA], annex A17.
constexpr Bytes cnp_bytes{header_octets + 20 + 8 + 12 + 16 + 4 + fcs_octets};

/// The sender's side of one connection (reaction point): how fast it may send.
///
/// Before the first CNP the rate is the line rate, and neither timers nor byte counter run. Events
/// of one moment act in this order: increases by time, then the CNP or the packet. Timers cost
/// nothing between calls: the next call makes up for them, with the result of timers that fire.
///
/// Units:  bit/s. Preamble and gap count as bytes of a packet.
/// Range:  current rate from min_rate to line rate; it is never above the target rate. A CNP rounds
///         R_C and alpha down, an increase rounds R_C up, so that it reaches its target.
/// Timing: `now` never falls from call to call.
/// Source: [DCQCN], 5.1 and figure 7.
class DcqcnRate {
 public:
  static constexpr Picoseconds never{std::numeric_limits<std::uint64_t>::max()};

  /// `settings` is borrowed.
  DcqcnRate(const DcqcnSettings& settings, BitRate line) noexcept
      : settings_{&settings}, line_{line}, current_{line}, target_{line} {}

  /// A CNP came in.
  void notified(Picoseconds now) noexcept;

  /// A packet of `wire` bytes, preamble and gap included, starts; returns when the next one may,
  /// at the rate of now, rounded up.
  [[nodiscard]] Picoseconds sent(Bytes wire, Picoseconds now) noexcept {
    if (next_increase_ <= now) increase_until(now);
    sent_ += wire.count();
    if (next_bytes_ <= sent_) count_bytes();
    return now + pacing_gap(wire, current_);
  }

  /// R_C at `now`; nothing changes.
  [[nodiscard]] BitRate rate(Picoseconds now) const noexcept;
  /// R_T at `now`; nothing changes.
  [[nodiscard]] BitRate target(Picoseconds now) const noexcept;
  /// alpha at `now` in parts of 2^32; nothing changes.
  [[nodiscard]] std::uint64_t alpha(Picoseconds now) const noexcept;
  [[nodiscard]] std::uint64_t cnps() const noexcept { return cnps_; }

  /// Time of `wire` bytes at `rate`, rounded up. Range: up to 2 MB.
  [[nodiscard]] static Picoseconds pacing_gap(Bytes wire, BitRate rate) noexcept {
    constexpr std::uint64_t ps_bits = 8 * picoseconds_per_second;
    return Picoseconds{(wire.count() * ps_bits + rate.count() - 1) / rate.count()};
  }

 private:
  void increase_until(Picoseconds now) noexcept;
  void count_bytes() noexcept;
  void increase() noexcept;
  void cut() noexcept;
  [[nodiscard]] std::uint64_t decayed_alpha(Picoseconds now) const noexcept;

  const DcqcnSettings* settings_;
  BitRate line_, current_, target_;
  std::uint64_t alpha_{DcqcnSettings::whole};  // at the last CNP
  Picoseconds last_cnp_;
  Picoseconds next_increase_{never};
  std::uint64_t sent_{0};  // bytes
  std::uint64_t next_bytes_{std::numeric_limits<std::uint64_t>::max()};
  std::uint32_t time_count_{0}, byte_count_{0};  // T and BC
  std::uint64_t cnps_{0};
};

/// The receiver's side of one connection (notification point): which marked packets make a CNP.
///
/// Source: [DCQCN], 5.1: at most one in an interval, and the first at once.
class DcqcnNotifier {
 public:
  /// A marked packet came in at `now`: whether it makes a CNP.
  [[nodiscard]] bool marked(Picoseconds now, Picoseconds interval) noexcept {
    if (now < next_) return false;
    next_ = now + interval;
    return true;
  }

 private:
  Picoseconds next_;
};

}  // namespace weir
