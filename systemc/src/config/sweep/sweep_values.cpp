// SPDX-License-Identifier: Apache-2.0
#include "weir/config/sweep/sweep_values.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "weir/config/format/toml_text.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/random.hpp"

namespace weir {

// A kind of number with a unit: how it is read as a whole number of its base unit.
struct SweepRange::Unit {
  std::string_view base;  // empty: written without a unit
  std::optional<std::uint64_t> (*parse)(std::string_view);
};

namespace {

using Unit = SweepRange::Unit;
constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();

template <class Quantity>
std::optional<std::uint64_t> count_of(const std::optional<Quantity>& quantity) {
  if (!quantity) return std::nullopt;
  return std::uint64_t{quantity->count()};
}

std::optional<std::uint64_t> parse_cells(std::string_view text) {
  const auto size = parse_buffer_size(text);
  return size && size->in_cells ? std::optional{size->count} : std::nullopt;
}

// In 2^-max_alpha_shift.
std::optional<std::uint64_t> parse_alpha_parts(std::string_view text) {
  const auto alpha = parse_alpha(text);
  if (!alpha) return std::nullopt;
  return std::uint64_t{alpha->numerator} << (max_alpha_shift - alpha->shift);
}

// The order has no effect: no text fits two of them.
const std::vector<Unit>& units() {
  static const std::vector<Unit> table{
      {"B", [](std::string_view text) { return count_of(parse_bytes(text)); }},
      {"cells", parse_cells},
      {"bps", [](std::string_view text) { return count_of(parse_rate(text)); }},
      {"ps", [](std::string_view text) { return count_of(parse_time(text)); }},
      {"mm", [](std::string_view text) { return count_of(parse_length(text)); }},
      {"%",
       [](std::string_view text) {
         const auto share = parse_percent(text);
         return share ? std::optional{std::uint64_t{*share}} : std::nullopt;
       }},
      {"cycles",
       [](std::string_view text) {
         const auto cycles = parse_cycles(text);
         return cycles ? std::optional{std::uint64_t{*cycles}} : std::nullopt;
       }},
      {"quanta", [](std::string_view text) { return count_of(parse_quanta(text)); }},
  };
  return table;
}

const Unit plain_number{"", parse_count};
const Unit alpha_unit{"", parse_alpha_parts};

constexpr const char* legal_end =
    "must be a whole number, an alpha such as \"1/8\", or a number with a unit such as \"8 MB\"";

const Unit& unit_of(const Node& value) {
  if (value.kind == Node::Kind::integer) return plain_number;
  if (value.kind == Node::Kind::text) {
    for (const Unit& unit : units())
      if (unit.parse(value.text)) return unit;
    if (parse_alpha(value.text)) return alpha_unit;
  }
  if (value.kind == Node::Kind::other && parse_alpha(value.text)) return alpha_unit;  // 0.125
  value.fail(legal_end);
}

std::int64_t number_in(const Unit& unit, const Node& value, std::string_view like) {
  if (&unit == &plain_number && value.kind == Node::Kind::integer) return value.integer;
  // Next to a fraction, 4 is an alpha as well.
  const bool number = value.kind == Node::Kind::integer || value.kind == Node::Kind::other;
  const bool readable = value.kind == Node::Kind::text || (&unit == &alpha_unit && number);
  const auto parsed = readable ? unit.parse(value.text) : std::nullopt;
  if (!parsed || *parsed > largest)
    value.fail("must have the unit of \"" + std::string{like} + "\"");
  return static_cast<std::int64_t>(*parsed);
}

// log2 in 2^-56: the whole part from the highest bit, each further bit by squaring. In integers,
// so that a sweep has the same values on every machine. Range: value at least 1.
std::uint64_t log2_of(std::uint64_t value) {
  constexpr unsigned fraction_bits = 56;
  unsigned whole = 0;
  while (whole < 63 && value >> (whole + 1) != 0) ++whole;
  std::uint64_t mantissa = value << (63 - whole);  // 1.xxx, 63 bits after the point
  std::uint64_t result = whole;
  for (unsigned bit = 0; bit < fraction_bits; ++bit) {
    const std::uint64_t square = multiply_high(mantissa, mantissa);  // 62 bits after the point
    const bool two = square >> 63 != 0;
    mantissa = two ? square : square << 1;
    result = result << 1 | (two ? 1 : 0);
  }
  return result;
}

// low + (high - low) x part / parts, without overflow. Range: part <= parts <= 2^26.
std::uint64_t part_of(std::uint64_t span, std::uint64_t part, std::uint64_t parts) {
  return span / parts * part + (span % parts * part + parts / 2) / parts;
}

// low^(1 - part/parts) x high^(part/parts), to the nearest.
std::uint64_t geometric(std::uint64_t low, std::uint64_t high, std::uint64_t part,
                        std::uint64_t parts) {
  const std::uint64_t from = log2_of(low);
  const std::uint64_t wanted = from + part_of(log2_of(high) - from, part, parts);
  std::uint64_t below = low, above = high;  // log2(below) <= wanted <= log2(above)
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (log2_of(middle) <= wanted ? below : above) = middle;
  }
  const std::uint64_t distance = log2_of(above) < wanted ? 0 : log2_of(above) - wanted;
  return distance <= wanted - log2_of(below) ? above : below;
}

std::string alpha_text(std::int64_t parts) {
  auto numerator = static_cast<std::uint64_t>(parts);
  unsigned shift = max_alpha_shift;
  while (shift > 0 && (numerator % 2 == 0 || numerator > max_alpha_numerator)) {
    numerator = (numerator + 1) / 2;
    --shift;
  }
  const std::string text = std::to_string(numerator);
  return shift == 0 ? text : text + "/" + std::to_string(1ULL << shift);
}

bool is_power_of_ten(std::uint64_t scale) {
  while (scale % 10 == 0) scale /= 10;
  return scale == 1;
}

// value / scale with the decimals it has. Range: scale a power of ten.
std::string decimal(std::uint64_t value, std::uint64_t scale) {
  std::string text = std::to_string(value / scale);
  std::string decimals = std::to_string(scale + value % scale).substr(1);
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  return decimals.empty() ? text : text + "." + decimals;
}

std::string toml_of(const Node& node) {
  if (node.kind == Node::Kind::text) return toml_quoted(node.text);
  if (node.kind == Node::Kind::other && parse_alpha(node.text)) return node.text;  // 0.125
  if (node.kind == Node::Kind::other)
    node.fail("must be text, a whole number, true or false, or a list or table of these");
  if (!node.is_table() && !node.is_array()) return node.text;
  std::string inside;
  for (const Node& child : node.children) {
    inside += inside.empty() ? "" : ", ";
    if (node.is_table()) inside += toml_key(child.name) + " = ";
    inside += toml_of(child);
  }
  return node.is_array() ? "[" + inside + "]" : "{ " + inside + " }";
}

}  // namespace

SweepValue to_sweep_value(const Node& node) {
  SweepValue value{toml_of(node), "", std::nullopt, 0, node.origin, node.path, false, {}};
  value.text = node.kind == Node::Kind::text ? node.text : value.toml;
  if (node.kind == Node::Kind::integer) value.integer = node.integer;
  return value;
}

SweepValue text_sweep_value(const std::string& text, const Node& from) {
  return {toml_quoted(text), text, std::nullopt, 0, from.origin, from.path, false, {}};
}

SweepRange::SweepRange(TableReader& axis) {
  from_ = axis.find("from");
  to_ = axis.find("to");
  if (from_ == nullptr) axis.node().fail_missing("from", legal_end);
  if (to_ == nullptr) axis.node().fail_missing("to", legal_end);
  unit_ = &unit_of(*from_);
  const Unit& other = unit_of(*to_);
  if (&other == &alpha_unit && unit_ == &plain_number) unit_ = &alpha_unit;
  low_ = number_in(*unit_, *from_, to_->text);
  high_ = number_in(*unit_, *to_, from_->text);
  if (high_ < low_) to_->fail("is below from = " + from_->written() + ": an empty range");
  if (unit_->base.empty()) return;
  word_ = from_->text.substr(from_->text.find_first_not_of("0123456789."));
  if (word_.front() == ' ') word_.erase(0, 1);
  scale_ = unit_->parse("1 " + word_).value_or(1);
}

void SweepRange::check_logarithmic(bool logarithmic) const {
  if (logarithmic && low_ < 1) from_->fail("must be above zero for equal ratios");
}

std::int64_t SweepRange::between(std::uint64_t part, std::uint64_t parts, bool log) const {
  if (log) {
    return static_cast<std::int64_t>(geometric(static_cast<std::uint64_t>(low_),
                                               static_cast<std::uint64_t>(high_), part, parts));
  }
  const std::uint64_t span = static_cast<std::uint64_t>(high_) - static_cast<std::uint64_t>(low_);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low_) + part_of(span, part, parts));
}

std::string SweepRange::text_of(std::int64_t value, bool in_base_unit) const {
  if (unit_ == &alpha_unit) return alpha_text(value);
  if (unit_ == &plain_number) return std::to_string(value);
  const auto count = static_cast<std::uint64_t>(value);
  if (in_base_unit) return std::to_string(count) + " " + std::string{unit_->base};
  if (is_power_of_ten(scale_)) return decimal(count, scale_) + " " + word_;
  return std::to_string(count / scale_) + " " + word_;
}

// One unit for all of them: that of `from`, if every value can be written in it exactly.
std::vector<SweepValue> SweepRange::written(const std::vector<std::int64_t>& values) const {
  const bool in_base_unit =
      !is_power_of_ten(scale_) && std::any_of(values.begin(), values.end(), [this](auto value) {
        return static_cast<std::uint64_t>(value) % scale_ != 0;
      });
  std::vector<SweepValue> result;
  for (const std::int64_t number : values) {
    SweepValue value = text_sweep_value(text_of(number, in_base_unit), *from_);
    value.magnitude = number;
    if (unit_ == &plain_number) {
      value.toml = value.text;
      value.integer = number;
    }
    result.push_back(std::move(value));
  }
  return result;
}

namespace {

void check_count(const Node& node, std::uint64_t values) {
  if (values > max_sweep_values)
    node.fail("makes " + std::to_string(values) + " values; an axis has at most " +
              std::to_string(max_sweep_values));
}

}  // namespace

std::vector<SweepValue> SweepRange::by_step(const Node& step) const {
  const std::int64_t width = number_in(*unit_, step, from_->text);
  if (width < 1) step.fail("must be above zero");
  const std::uint64_t span = static_cast<std::uint64_t>(high_) - static_cast<std::uint64_t>(low_);
  const std::uint64_t last = span / static_cast<std::uint64_t>(width);
  check_count(step, last == std::numeric_limits<std::uint64_t>::max() ? last : last + 1);
  std::vector<std::int64_t> values;
  // The span may take all 64 bits, which a signed product does not hold.
  for (std::uint64_t i = 0; i <= last; ++i)
    values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(low_) +
                                               i * static_cast<std::uint64_t>(width)));
  return written(values);
}

std::vector<std::string> SweepRange::distances(const Node& step) const {
  const auto width = static_cast<std::uint64_t>(number_in(*unit_, step, from_->text));
  const std::uint64_t span = static_cast<std::uint64_t>(high_) - static_cast<std::uint64_t>(low_);
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i <= span / width; ++i) {
    const std::uint64_t distance = i * width;
    const bool exact = is_power_of_ten(scale_) || distance % scale_ == 0;
    if (unit_ == &plain_number || distance == 0)  // the only unit with values below zero
      texts.push_back(std::to_string(distance));
    else
      texts.push_back(text_of(static_cast<std::int64_t>(distance), !exact));
  }
  return texts;
}

std::vector<SweepValue> SweepRange::by_factor(const Node& factor) const {
  const std::int64_t ratio = to_integer(factor, 2, 1'000'000);
  check_logarithmic(true);
  std::vector<std::int64_t> values{low_};
  while (values.back() <= high_ / ratio) values.push_back(values.back() * ratio);
  return written(values);
}

std::vector<SweepValue> SweepRange::in_steps(const Node& steps, bool logarithmic) const {
  const auto count =
      static_cast<std::uint64_t>(to_integer(steps, 1, static_cast<std::int64_t>(max_sweep_values)));
  check_logarithmic(logarithmic);
  std::vector<std::int64_t> values{low_};
  for (std::uint64_t i = 1; i < count; ++i) {
    values.push_back(between(i, count - 1, logarithmic));
    if (values[i] == values[i - 1])
      steps.fail("is more values than lie between from = " + from_->written() +
                 " and to = " + to_->written());
  }
  return written(values);
}

std::vector<SweepValue> SweepRange::latin_hypercube(std::uint64_t samples, std::uint64_t seed,
                                                    const std::string& key,
                                                    bool logarithmic) const {
  constexpr std::uint64_t places = 1024;  // possible places of a value in its part
  check_logarithmic(logarithmic);
  RandomStream random{seed, "latin_hypercube." + key};
  std::vector<std::uint64_t> parts(static_cast<std::size_t>(samples));
  std::iota(parts.begin(), parts.end(), std::uint64_t{0});
  for (std::size_t i = parts.size(); i > 1; --i)
    std::swap(parts[i - 1], parts[static_cast<std::size_t>(random.uniform(i))]);
  std::vector<std::int64_t> values;
  values.reserve(parts.size());
  for (const std::uint64_t part : parts)
    values.push_back(
        between(part * places + random.uniform(places), samples * places, logarithmic));
  return written(values);
}

}  // namespace weir
