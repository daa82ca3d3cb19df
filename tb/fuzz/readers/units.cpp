// SPDX-License-Identifier: Apache-2.0
// A value with a unit, an address, or a pattern of names. What is taken is written again in the
// base unit and must be read as the same.
#include "weir/config/format/units.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/format/node.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/scenario/metrics.hpp"
#include "weir/core/tables/ipv4.hpp"

namespace weir::fuzz {
namespace {

template <class Value>
using Parse = std::optional<Value> (*)(std::string_view);

template <class Value>
void in_base_unit(std::string_view text, Parse<Value> parse, const std::string& unit) {
  const std::optional<Value> value = parse(text);
  if (!value) return;
  const std::string written = std::to_string(value->count()) + unit;
  require(parse(written) == value, written + " is not read as it was written");
}

void read_numbers(std::string_view text) {
  if (const auto count = parse_count(text))
    require(parse_count(std::to_string(*count)) == count, "a count that changes");
  if (const auto cycles = parse_cycles(text))
    require(parse_cycles(std::to_string(*cycles) + " cycles") == cycles, "cycles that change");
  if (const auto share = parse_percent(text)) {
    const std::string decimals = std::to_string(10'000 + *share % 10'000).substr(1);
    const std::string written = std::to_string(*share / 10'000) + "." + decimals + " %";
    require(parse_percent(written) == share, written + " is not read as it was written");
  }
  if (const auto alpha = parse_alpha(text)) {
    const std::string written =
        std::to_string(alpha->numerator) + "/" + std::to_string(1U << alpha->shift);
    const auto again = parse_alpha(written);
    require(again && std::uint64_t{again->numerator} << alpha->shift ==
                         std::uint64_t{alpha->numerator} << again->shift,
            written + " is not read as it was written");
  }
}

void read_sizes_in_cells(std::string_view text) {
  const std::optional<BufferSize> size = parse_buffer_size(text);
  if (!size) return;
  const std::string written = std::to_string(size->count) + (size->in_cells ? " cells" : " B");
  const std::optional<BufferSize> again = parse_buffer_size(written);
  require(again && again->count == size->count && again->in_cells == size->in_cells,
          written + " is not read as it was written");
  for (const std::uint64_t bytes : {64, 80, 208, 254, 9216}) {
    const auto up = size->cells_up(Bytes{bytes}), down = size->cells_down(Bytes{bytes});
    if (up && down)
      require(*down <= *up && up->count() - down->count() <= 1, "cells up and down differ by more");
    require(!up || down, "a size that fits in cells when it is rounded up only");
  }
}

void read_clock(std::string_view input) {
  if (const auto parts = parse_parts(input))
    require(parse_parts(format_parts(*parts)) == parts, "parts that change");
  const auto clock = parse_clock(input);
  if (!clock) return;
  const std::string written = format_parts(*clock);
  require(parse_parts(written) == clock, written + " is not read as it was written");
  if (!is_legal_clock(*clock))
    return;  // check_clock() refuses it; its cycles may not fit in a time
  const Cycle cycles{1000};
  require(edge_at_or_after(clock->min_time(cycles), *clock) == cycles ||
              clock->numerator() < clock->denominator(),
          written + ": an edge is not its own");
}

void read_addresses(std::string_view text) {
  if (const auto address = parse_ipv4(text))
    require(parse_ipv4(to_dotted(*address)) == address, "an address that changes");
  if (const auto prefix = parse_ipv4_prefix(text)) {
    const auto again = parse_ipv4_prefix(to_dotted(*prefix));
    require(again && again->address == prefix->address && again->length == prefix->length,
            "a prefix that changes");
  }
}

// Texts that are lists or bounds, as the value of a key.
void read_texts(std::string_view input) {
  Node value;
  value.kind = Node::Kind::text;
  value.origin = {"units", 1};
  value.path = "value";
  value.text = std::string{input};
  static_cast<void>(taken([&] {
    const std::vector<std::string> names = to_names(value);
    require(!names.empty() && names.size() <= max_names, "a pattern of no names, or of too many");
    for (const std::string& name : names)
      require(!natural_less(name, name), "a name before itself");
  }));
  constexpr std::uint32_t end = 4096;
  static_cast<void>(taken([&] {
    for (const std::uint32_t number : to_numbers(value, end))
      require(number < end, "a number outside of its range");
  }));
  static_cast<void>(
      taken([&] { require(is_plain_text(to_title(value)), "a title that commands"); }));
  for (const Metric& metric : metrics()) {
    value.name = std::string{metric.name};
    static_cast<void>(taken([&] { static_cast<void>(to_expectation(value)); }));
    if (metric.unit != MetricUnit::count) break;
  }
}

}  // namespace

void read_units(std::string_view input) {
  in_base_unit<Bytes>(input, parse_bytes, " B");
  in_base_unit<BitRate>(input, parse_rate, " bps");
  in_base_unit<Picoseconds>(input, parse_time, " ps");
  read_clock(input);
  in_base_unit<Millimetres>(input, parse_length, " mm");
  in_base_unit<Quanta>(input, parse_quanta, " quanta");
  read_numbers(input);
  read_sizes_in_cells(input);
  read_addresses(input);
  read_texts(input);
}

}  // namespace weir::fuzz
