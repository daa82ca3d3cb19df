// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario_sections.hpp"
#include "weir/config/format/names.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/host/dcqcn.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::scenario_sections {
namespace {

constexpr Picoseconds min_timer{1'000'000}, longest_timer{picoseconds_per_second};
constexpr BitRate min_rate{1'000'000};
constexpr Bytes max_bytes{1'000'000'000'000};
constexpr std::int64_t max_recoveries = 255;

// n/2^m, at most 1, in parts of 2^32.
std::uint64_t to_weight(const Node& value) {
  constexpr unsigned shift_of_whole = 32;
  constexpr std::string_view legal =
      "must be n/2^m, more than 0 and at most 1, with m from 0 to 16, such as \"1/256\"";
  const Alpha weight = to_alpha(value, legal);
  const std::uint64_t parts = std::uint64_t{weight.numerator} << (shift_of_whole - weight.shift);
  if (parts == 0 || DcqcnSettings::whole < parts) value.fail(std::string{legal});
  return parts;
}

Picoseconds to_timer(const Node& value) {
  const Picoseconds time = to_time(value);
  if (time < min_timer || longest_timer < time) value.fail("must be from \"1 us\" to \"1 s\"");
  return time;
}

Picoseconds to_interval(const Node& value) {
  const Picoseconds time = to_time(value);
  if (longest_timer < time) value.fail("must be at most \"1 s\"");
  return time;
}

Bytes to_counter(const Node& value) {
  const Bytes bytes = to_bytes(value);
  if (bytes < min_frame_bytes || max_bytes < bytes)
    value.fail("must be from \"" + std::to_string(min_frame_bytes.count()) + " B\" to \"1000 GB\"");
  return bytes;
}

std::string fastest_port() { return "\"" + rate_text(max_port_rate) + "\""; }

// A step of the target rate: 0 would never recover.
BitRate to_step(const Node& value) {
  const BitRate rate = to_rate(value);
  if (rate == BitRate{} || max_port_rate < rate)
    value.fail("must be more than 0 and at most " + fastest_port());
  return rate;
}

BitRate to_least_rate(const Node& value) {
  const BitRate rate = to_rate(value);
  if (rate < min_rate || max_port_rate < rate)
    value.fail("must be from \"1 Mbps\" to " + fastest_port() +
               ", and at most the rate of the senders");
  return rate;
}

std::vector<std::pair<std::string, DcqcnSettings>> preset_choices() {
  std::vector<std::pair<std::string, DcqcnSettings>> choices;
  for (const DcqcnPreset& preset : dcqcn_presets())
    choices.emplace_back(preset.name, preset.settings);
  return choices;
}

// [dcqcn.NAME]
DcqcnSpec read_one(TableReader reader) {
  DcqcnSpec spec{reader.node().name, dcqcn_presets().front().settings};
  DcqcnSettings& s = spec.settings;
  s = reader.get_or(
      "preset", [&](const Node& value) { return to_choice(value, preset_choices()); }, s);
  s.g = reader.get_or("g", to_weight, s.g);
  s.alpha_time = reader.get_or("alpha_time", to_timer, s.alpha_time);
  s.increase_time = reader.get_or("increase_time", to_timer, s.increase_time);
  s.increase_bytes = reader.get_or("increase_bytes", to_counter, s.increase_bytes);
  s.fast_recovery = static_cast<std::uint32_t>(reader.get_or(
      "fast_recovery", integer_from(1, max_recoveries), std::int64_t{s.fast_recovery}));
  s.additive_rate = reader.get_or("additive_rate", to_step, s.additive_rate);
  s.hyper_rate = reader.get_or("hyper_rate", to_step, s.hyper_rate);
  s.min_rate = reader.get_or("min_rate", to_least_rate, s.min_rate);
  s.cnp_interval = reader.get_or("cnp_interval", to_interval, s.cnp_interval);
  s.cnp_priority = Priority{static_cast<std::uint8_t>(
      reader.get_or("cnp_priority", integer_from(0, 7), std::int64_t{s.cnp_priority.count()}))};
  reader.finish();
  return spec;
}

}  // namespace

void read_dcqcn(TableReader& document, Scenario& scenario) {
  for (const Node& node : document.named_tables("dcqcn")) {
    document.attempt([&] {
      check_name(node, "dcqcn", node.name);
      for (const DcqcnPreset& preset : dcqcn_presets())
        if (preset.name == node.name) node.fail("is the name of a preset; choose another");
      scenario.dcqcn.push_back(read_one(document.table(node)));
    });
  }
}

DcqcnSettings to_dcqcn(const Node& value, const Scenario& scenario) {
  std::vector<std::pair<std::string, DcqcnSettings>> choices = preset_choices();
  for (const DcqcnSpec& spec : scenario.dcqcn) choices.emplace_back(spec.name, spec.settings);
  return to_choice(value, choices);
}

}  // namespace weir::scenario_sections
