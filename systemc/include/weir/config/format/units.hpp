// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "weir/core/chip_limits.hpp"
#include "weir/core/pfc/port_speeds.hpp"
#include "weir/core/policies/dynamic_threshold.hpp"
#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Values with units as people write them: a number, possibly with a decimal point, and a unit
/// word; the space between them is optional. Every result is exact: a value that is not a whole
/// number of the base unit, or does not fit, is refused (nullopt). Nothing here rounds unless
/// stated.

/// A buffer size, in bytes or in cells.
struct BufferSize {
  std::uint64_t count{0};
  bool in_cells{false};  ///< Otherwise bytes.

  /// The size in cells; bytes are rounded up. Errors: nullopt when more than 2^32 - 1.
  [[nodiscard]] std::optional<Cells> cells_up(Bytes cell) const noexcept;
  /// The same, bytes rounded down.
  [[nodiscard]] std::optional<Cells> cells_down(Bytes cell) const noexcept;
};

/// "254 B", "12 kB", "12 MB", "1 GB" (powers of 1000), "4 KiB", "12 MiB", "1 GiB" (of 1024).
[[nodiscard]] std::optional<Bytes> parse_bytes(std::string_view text);
/// "10 cells", "1 cell", or bytes as above.
[[nodiscard]] std::optional<BufferSize> parse_buffer_size(std::string_view text);
/// "400 Gbps", "2500 Mbps", "9600 bps", "1.6 Tbps", "400G".
[[nodiscard]] std::optional<BitRate> parse_rate(std::string_view text);
/// The latest moment of a run: the sum of three of them fits in 64 bits. 4611686 s, below 2^62 ps.
constexpr Picoseconds max_moment{4'611'686'000'000'000'000};
/// The longest time that is added to a moment, also in parts of a picosecond: 1000 s.
constexpr Picoseconds max_duration{1000 * picoseconds_per_second};
/// "2 s", "2 ms", "1.5 us", "40 ns", "8 ps".
[[nodiscard]] std::optional<Picoseconds> parse_time(std::string_view text);
/// SONiC writes speeds in Mb/s and times in ms.
constexpr std::uint64_t bps_per_mbps = 1'000'000, picoseconds_per_ms = 1'000'000'000;
/// Slowest and fastest port in Mb/s.
constexpr auto min_port_mbps = static_cast<std::int64_t>(min_port_rate.count() / bps_per_mbps);
constexpr auto max_port_mbps = static_cast<std::int64_t>(max_port_rate.count() / bps_per_mbps);
/// "40 Gbps", "2500 Mbps". Range: whole Mbps, as all port rates are.
[[nodiscard]] std::string rate_text(BitRate rate);
/// "200 ms". Range: whole ms.
[[nodiscard]] std::string milliseconds_text(Picoseconds time);
/// The period of "1 GHz", "156.25 MHz", "100 kHz", exact also as a fraction of ps; or a time.
[[nodiscard]] std::optional<ClockPeriod> parse_clock(std::string_view text);
/// "300 m", "0.5 m", "2 km", "150 cm", "5 mm".
[[nodiscard]] std::optional<Millimetres> parse_length(std::string_view text);
/// The same, of a cable: at most max_cable.
[[nodiscard]] std::optional<Millimetres> parse_cable(std::string_view text);
/// "3.5", in thousandths.
[[nodiscard]] std::optional<std::uint64_t> parse_ratio(std::string_view text);
/// A whole in 1e-6.
constexpr std::uint32_t whole_ppm = 1'000'000;
/// The largest whole of a Fraction.
constexpr std::uint32_t max_whole = 1'000'000'000;
/// "80 %" in 1e-6.
[[nodiscard]] std::optional<std::uint32_t> parse_percent(std::string_view text);
/// A part of a whole. Range: part <= whole, whole 1 .. max_whole.
struct Fraction {
  std::uint32_t part{0}, whole{1};
};
/// "1/20", or "5 %" as parts of `whole_ppm`.
[[nodiscard]] std::optional<Fraction> parse_fraction(std::string_view text);
/// "3 cycles", "1 cycle".
[[nodiscard]] std::optional<std::uint32_t> parse_cycles(std::string_view text);
/// "60 quanta".
[[nodiscard]] std::optional<Quanta> parse_quanta(std::string_view text);
/// The response time of a paused end, whatever the speed of its port is.
using ResponseTime = std::variant<Quanta, Picoseconds>;
/// The longest one, for which headroom can still be sized: 1 s.
constexpr Picoseconds max_response{picoseconds_per_second};
/// "60", "60 quanta", "1.5 us". Range: max_quanta, max_response.
[[nodiscard]] std::optional<ResponseTime> parse_response(std::string_view text);
/// The same of a port.
[[nodiscard]] Picoseconds response_at(const ResponseTime& response, BitRate rate) noexcept;
/// Of dynamic_th: alpha is 2^dynamic_th.
constexpr std::int64_t min_dynamic_th = -8, max_dynamic_th = 7;
/// "1/16", "8", "3/4", "0.125": n or n/2^m; a decimal fraction is exactly one of these.
/// Range: n 1 .. max_alpha_numerator, m 0 .. max_alpha_shift.
[[nodiscard]] std::optional<Alpha> parse_alpha(std::string_view text);
/// "42": digits only.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);
/// The same, possibly with a minus: "-8".
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// Texts for error messages: the legal forms of such values.
namespace legal {
constexpr std::string_view bytes = "must be a size such as \"254 B\", \"12 MB\" or \"12 MiB\"";
constexpr std::string_view buffer_size =
    "must be a size such as \"1248 B\", \"12 MB\", \"12 MiB\" or \"6 cells\"";
constexpr std::string_view rate = "must be a rate such as \"40 Gbps\" or \"40G\"";
constexpr std::string_view moment = "must be at most \"4611686 s\"";
constexpr std::string_view duration = "must be at most \"1000 s\"";
constexpr std::string_view time = "must be a time such as \"2 ms\", \"1.5 us\" or \"800 ps\"";
constexpr std::string_view response =
    "must be quanta of the port's speed such as \"60\", from 0 to 65535, or a time such as "
    "\"1.5 us\", at most \"1 s\"";
constexpr std::string_view clock =
    "must be a frequency such as \"1.35 GHz\" or \"156.25 MHz\", whose period is n/d ps with d at "
    "most 10000, or a period in whole ps such as \"800 ps\"";
/// SONiC compares lengths as texts and writes no blank.
constexpr std::string_view cable = "must be a length such as \"300m\", at most \"1000km\"";
constexpr std::string_view percent = "must be a share such as \"80 %\"";
constexpr std::string_view cycles = "must be a number of clock cycles such as \"3 cycles\"";
constexpr std::string_view alpha =
    "must be n/2^m with n from 1 to 65535 and m from 0 to 16, such as \"1/8\", \"4\" or 0.125";
}  // namespace legal

}  // namespace weir
