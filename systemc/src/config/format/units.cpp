// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/units.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

#include "format/digits.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/headroom/cable.hpp"

namespace weir {
namespace {

constexpr std::uint64_t kilo = 1'000, mega = 1'000'000, giga = 1'000'000'000;
constexpr std::uint64_t tera = 1'000'000'000'000;

// Numbers that the texts of legal:: repeat.
static_assert(max_moment == Picoseconds{4'611'686 * picoseconds_per_second});
static_assert(max_duration == Picoseconds{1000 * picoseconds_per_second});
static_assert(max_response == Picoseconds{picoseconds_per_second} && max_quanta == Quanta{65'535});
static_assert(max_cable == Millimetres{1000 * mega});
static_assert(ClockPeriod::max_parts == 10'000);
static_assert(max_alpha_numerator == 65'535 && max_alpha_shift == 16);

struct Unit {
  std::string_view word;
  std::uint64_t scale;  // in the base unit
};

constexpr std::array<Unit, 10> byte_units{{{"B", 1},
                                           {"kB", kilo},
                                           {"KB", kilo},
                                           {"MB", mega},
                                           {"GB", giga},
                                           {"TB", tera},
                                           {"KiB", 1ULL << 10},
                                           {"MiB", 1ULL << 20},
                                           {"GiB", 1ULL << 30},
                                           {"TiB", 1ULL << 40}}};
constexpr std::array<Unit, 2> cell_units{{{"cells", 1}, {"cell", 1}}};
constexpr std::array<Unit, 9> rate_units{{{"bps", 1},
                                          {"kbps", kilo},
                                          {"Mbps", mega},
                                          {"Gbps", giga},
                                          {"Tbps", tera},
                                          {"k", kilo},
                                          {"M", mega},
                                          {"G", giga},
                                          {"T", tera}}};
constexpr std::array<Unit, 7> time_units{{{"ps", 1},
                                          {"ns", kilo},
                                          {"us", mega},
                                          {"ms", giga},
                                          {"s", picoseconds_per_second},
                                          {"min", 60 * picoseconds_per_second},
                                          {"h", 3600 * picoseconds_per_second}}};
constexpr std::array<Unit, 4> frequency_units{
    {{"Hz", 1}, {"kHz", kilo}, {"MHz", mega}, {"GHz", giga}}};
constexpr std::array<Unit, 4> length_units{{{"mm", 1}, {"cm", 10}, {"m", kilo}, {"km", mega}}};
constexpr std::array<Unit, 1> percent_units{{{"%", whole_ppm / 100}}};
constexpr std::array<Unit, 1> ratio_units{{{"x", kilo}}};
constexpr std::array<Unit, 2> cycle_units{{{"cycles", 1}, {"cycle", 1}}};
constexpr std::array<Unit, 2> quanta_units{{{"quanta", 1}, {"quantum", 1}}};

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largest_32 = std::numeric_limits<std::uint32_t>::max();

// Removes the digits at the front of `text` and returns them.
std::optional<std::uint64_t> take_digits(std::string_view& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  std::uint64_t number = 0;
  while (!text.empty() && is_digit(text.front())) {
    const auto digit = static_cast<std::uint64_t>(text.front() - '0');
    if (number > (largest - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
    text.remove_prefix(1);
  }
  return number;
}

// The decimals after a point, in units of `scale`; nullopt when that is not a whole number.
std::optional<std::uint64_t> take_decimals(std::string_view& text, std::uint64_t scale) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  std::uint64_t denominator = 1, numerator = 0;
  while (!text.empty() && is_digit(text.front())) {
    if (denominator > largest / 10 || numerator > largest / 100) return std::nullopt;
    denominator *= 10;
    numerator = numerator * 10 + static_cast<std::uint64_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  while (numerator != 0 && numerator % 10 == 0) {
    numerator /= 10;
    denominator /= 10;
  }
  if (numerator == 0) return 0;
  // numerator / denominator < 1, so scale * numerator / denominator < scale.
  const std::uint64_t whole = scale / denominator, rest = scale % denominator;
  if (rest != 0 && numerator > largest / rest) return std::nullopt;
  if (rest * numerator % denominator != 0) return std::nullopt;
  return whole * numerator + rest * numerator / denominator;
}

template <std::size_t N>
std::optional<std::uint64_t> parse(std::string_view text, const std::array<Unit, N>& units) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view number = text.substr(0, end), word = text.substr(end);
  if (word.front() == ' ') word.remove_prefix(1);
  for (const Unit& unit : units) {
    if (unit.word != word) continue;
    const auto whole = take_digits(number);
    if (!whole || *whole > largest / unit.scale) return std::nullopt;
    std::uint64_t result = *whole * unit.scale;
    if (!number.empty()) {
      number.remove_prefix(1);  // the point
      const auto decimals = take_decimals(number, unit.scale);
      if (!decimals || !number.empty() || result > largest - *decimals) return std::nullopt;
      result += *decimals;
    }
    return result;
  }
  return std::nullopt;
}

template <class Count, std::size_t N>
std::optional<Count> parse_up_to(std::uint64_t limit, std::string_view text,
                                 const std::array<Unit, N>& units) {
  const auto number = parse(text, units);
  if (!number || *number > limit) return std::nullopt;
  return Count{static_cast<typename Count::rep>(*number)};
}

// 2^m = number: m, if there is one from 0 to max_alpha_shift.
std::optional<std::uint8_t> logarithm(std::uint64_t number) {
  for (std::uint8_t m = 0; m <= max_alpha_shift; ++m) {
    if (number == 1ULL << m) return m;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Cells> BufferSize::cells_up(Bytes cell) const noexcept {
  const std::uint64_t cells =
      in_cells ? count : count / cell.count() + (count % cell.count() != 0 ? 1 : 0);
  if (cells > largest_32) return std::nullopt;
  return Cells{static_cast<std::uint32_t>(cells)};
}

std::optional<Cells> BufferSize::cells_down(Bytes cell) const noexcept {
  const std::uint64_t cells = in_cells ? count : count / cell.count();
  if (cells > largest_32) return std::nullopt;
  return Cells{static_cast<std::uint32_t>(cells)};
}

std::optional<Bytes> parse_bytes(std::string_view text) {
  return parse_up_to<Bytes>(largest, text, byte_units);
}

std::optional<BufferSize> parse_buffer_size(std::string_view text) {
  if (const auto bytes = parse(text, byte_units)) return BufferSize{*bytes, false};
  if (const auto cells = parse(text, cell_units)) return BufferSize{*cells, true};
  return std::nullopt;
}

std::optional<BitRate> parse_rate(std::string_view text) {
  return parse_up_to<BitRate>(largest, text, rate_units);
}

std::string rate_text(BitRate rate) {
  const bool whole = rate.count() % giga == 0;
  return std::to_string(rate.count() / (whole ? giga : mega)) + (whole ? " Gbps" : " Mbps");
}

std::string milliseconds_text(Picoseconds time) {
  return std::to_string(time.count() / picoseconds_per_ms) + " ms";
}

std::optional<Picoseconds> parse_time(std::string_view text) {
  return parse_up_to<Picoseconds>(largest, text, time_units);
}

std::optional<ClockPeriod> parse_clock(std::string_view text) {
  if (const auto hertz = parse(text, frequency_units))
    return ClockPeriod::of(picoseconds_per_second, *hertz);
  const auto period = parse_time(text);
  return period ? ClockPeriod::of(period->count(), 1) : std::nullopt;
}

std::optional<Millimetres> parse_length(std::string_view text) {
  return parse_up_to<Millimetres>(largest, text, length_units);
}

std::optional<Millimetres> parse_cable(std::string_view text) {
  const std::optional<Millimetres> length = parse_length(text);
  return length && *length <= max_cable ? length : std::nullopt;
}

std::optional<std::uint64_t> parse_ratio(std::string_view text) {
  return parse(std::string{text} + "x", ratio_units);
}
std::optional<std::uint32_t> parse_percent(std::string_view text) {
  const auto millionths = parse(text, percent_units);
  if (!millionths || *millionths > largest_32) return std::nullopt;
  return static_cast<std::uint32_t>(*millionths);
}

std::optional<Fraction> parse_fraction(std::string_view text) {
  std::optional<std::uint64_t> part, whole;
  if (const auto ppm = parse_percent(text)) {
    part = ppm;
    whole = whole_ppm;
  } else if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    part = parse_count(text.substr(0, slash));
    whole = parse_count(text.substr(slash + 1));
  } else {
    return std::nullopt;
  }
  if (!part || !whole || *whole == 0 || max_whole < *whole || *whole < *part) return std::nullopt;
  return Fraction{static_cast<std::uint32_t>(*part), static_cast<std::uint32_t>(*whole)};
}

std::optional<std::uint32_t> parse_cycles(std::string_view text) {
  const auto cycles = parse(text, cycle_units);
  if (!cycles || *cycles > largest_32) return std::nullopt;
  return static_cast<std::uint32_t>(*cycles);
}

std::optional<Quanta> parse_quanta(std::string_view text) {
  return parse_up_to<Quanta>(max_quanta.count(), text, quanta_units);
}

std::optional<ResponseTime> parse_response(std::string_view text) {
  if (const auto quanta = parse_quanta(text)) return *quanta;
  if (const auto plain = parse_quanta(std::string{text} + " quanta")) return *plain;
  const auto time = parse_time(text);
  if (!time || max_response < *time) return std::nullopt;
  return *time;
}

Picoseconds response_at(const ResponseTime& response, BitRate rate) noexcept {
  const Quanta* const quanta = std::get_if<Quanta>(&response);
  return quanta != nullptr ? quanta_time(*quanta, rate) : *std::get_if<Picoseconds>(&response);
}

namespace {

// whole + the decimals in `text`, in lowest terms.
std::optional<Alpha> decimal_alpha(std::uint64_t whole, std::string_view text) {
  const auto decimals = take_decimals(text, 1ULL << max_alpha_shift);
  if (!decimals || !text.empty()) return std::nullopt;
  std::uint64_t n = (whole << max_alpha_shift) + *decimals;
  std::uint8_t shift = max_alpha_shift;
  for (; shift != 0 && n % 2 == 0; --shift) n /= 2;
  if (n < 1 || n > max_alpha_numerator) return std::nullopt;
  return Alpha{static_cast<std::uint32_t>(n), shift};
}

}  // namespace

std::optional<Alpha> parse_alpha(std::string_view text) {
  const auto numerator = take_digits(text);
  if (!numerator || *numerator > max_alpha_numerator) return std::nullopt;
  if (!text.empty() && text.front() == '.') return decimal_alpha(*numerator, text.substr(1));
  if (*numerator < 1) return std::nullopt;
  const auto n = static_cast<std::uint32_t>(*numerator);
  if (text.empty()) return Alpha{n, 0};
  if (text.front() != '/') return std::nullopt;
  text.remove_prefix(1);
  const auto denominator = take_digits(text);
  if (!denominator || !text.empty()) return std::nullopt;
  const auto shift = logarithm(*denominator);
  if (!shift) return std::nullopt;
  return Alpha{n, *shift};
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  const auto number = take_digits(text);
  if (!number || !text.empty()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || last != end) return std::nullopt;
  return number;
}

}  // namespace weir
