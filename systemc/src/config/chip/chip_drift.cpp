// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/chip_drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "chip_keys.hpp"
#include "weir/config/format/toml_text.hpp"

namespace weir {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

std::string text(Alpha alpha) {
  return alpha.shift == 0 ? std::to_string(alpha.numerator)
                          : fmt::format("{}/{}", alpha.numerator, std::uint64_t{1} << alpha.shift);
}
std::string text(Cells cells) { return fmt::format("{} cells", cells.count()); }
std::string text(Bytes bytes) { return fmt::format("{} B", bytes.count()); }
std::string text(Picoseconds time) { return fmt::format("{} ps", time.count()); }
std::string text(const ClockPeriod& period) { return format_period(period); }
std::string text(Cycle cycles) { return fmt::format("{} cycles", cycles.count()); }
std::string text(bool value) { return value ? "true" : "false"; }

std::string text(Quanta quanta) { return std::to_string(quanta.count()); }
std::string text(std::uint32_t number) { return std::to_string(number); }
std::string text(const std::optional<std::uint32_t>& number) {
  return number ? std::to_string(*number) : "none";
}
std::string text(Priority priority) { return std::to_string(priority.count()); }

constexpr const char* none = "none";

std::string text(const std::vector<std::uint32_t>& numbers) {
  return numbers.empty() ? none : ranges_of(numbers);
}

// Queues, one a bit.
std::string text(std::uint8_t queues) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t queue = 0; queue < priorities; ++queue)
    if ((queues >> queue & 1U) != 0) numbers.push_back(queue);
  return text(numbers);
}

template <class Value>
std::string text(const std::optional<Value>& value) {
  return value ? text(*value) : none;
}

template <class Number>
std::string text(const std::array<Number, priorities>& numbers) {
  std::string all;
  for (const Number number : numbers)
    all += (all.empty() ? "" : ", ") + std::to_string(static_cast<std::uint64_t>(number));
  return "[" + all + "]";
}

// Adds the rows of chip_keys.hpp whose value is a setting.
template <class Object>
auto add_members(const std::string& at, const Object& object, Settings& into) {
  return [at, &object, &into](std::string_view name, auto member, const auto& convert,
                              std::string_view = {}, std::string_view unit = {}) {
    const std::string key = at + "." + std::string{name};
    const auto& value = object.*member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) into.emplace_back(key, convert.name_of(value));
    // What a chip is called is not a setting.
    else if constexpr (!std::is_same_v<Value, std::string>)
      into.emplace_back(key, text(value) + std::string{unit});
  };
}

template <class I>
void add_pools(const IndexedVector<I, Pool>& pools, const std::string& kind, Settings& into) {
  for (const Pool& pool : pools) {
    // Of the size what is shared in a domain takes effect.
    into.emplace_back(kind + "." + pool.name + ".size", text(pool.shared));
    into.emplace_back(kind + "." + pool.name + ".headroom_pool",
                      pool.dedicated_headroom ? "dedicated" : text(pool.headroom));
  }
}

void add_threshold(const std::string& at, const ThresholdSetting& setting, Settings& into) {
  const PolicyRow& policy = row_of(setting.policy);
  into.emplace_back(at + ".policy", policy.name);
  for (const PolicyKey* key : policy.keys)
    into.emplace_back(at + "." + std::string{key->name},
                      std::visit([&](auto member) { return text(setting.*member); }, key->member));
}

void add_profiles(const Chip& chip, Settings& into) {
  for (const Profile& profile : chip.profiles) {
    const std::string at = "profile." + profile.name;
    into.emplace_back(at + ".pool", chip.ingress_pools[profile.pool].name);
    into.emplace_back(at + ".lossless", text(profile.lossless));
    into.emplace_back(at + ".private", text(profile.private_cells));
    into.emplace_back(at + ".headroom", text(profile.headroom));
    add_threshold(at, profile.threshold, into);
    chip_sections::for_each_profile_key(chip.cell, add_members(at, profile, into));
  }
  for (const QueueProfile& queue : chip.queue_profiles) {
    const std::string at = "queue." + queue.name;
    into.emplace_back(at + ".pool", chip.egress_pools[queue.pool].name);
    chip_sections::for_each_queue_key(chip.cell, add_members(at, queue, into));
    add_threshold(at, queue.threshold, into);
  }
  for (const WredProfile& profile : chip.wred_profiles)
    chip_sections::for_each_wred_key(chip.cell, add_members("wred." + profile.name, profile, into));
}

// The lines of a table of DSCPs, without priority 0: a DSCP that no other line names maps to it.
void add_dscps(const std::string& at, const DscpTable& table, Settings& into) {
  std::array<std::vector<std::uint32_t>, priorities> meaning;
  for (std::uint32_t dscp = 0; dscp < ClassifierSettings::dscps; ++dscp)
    meaning[table[dscp].count()].push_back(dscp);
  for (std::size_t priority = 1; priority < priorities; ++priority)
    into.emplace_back(fmt::format("{}.{}", at, priority), text(meaning[priority]));
}

void add_forwarding(const Chip& chip, Settings& into) {
  chip_sections::for_each_classifier_key(add_members("classify", chip.classifier, into));
  add_dscps("classify.dscp", chip.classifier.priority_of_dscp, into);
  for (const DscpMap& map : chip.dscp_maps)
    add_dscps("dscp_map." + map.name, map.priority_of_dscp, into);
  if (chip.neighbours)
    chip_sections::for_each_neighbour_key(add_members("neighbours", *chip.neighbours, into));
}

template <class P, class Row, class I>
std::string profiles_at(const IndexedVector<P, Row>& profiles,
                        const IndexedVector<I, std::optional<P>>& chosen, PortId port) {
  std::string all;
  for (std::uint8_t n = 0; n < priorities; ++n) {
    const std::optional<P> index = chosen[index_in_port<I>(port, Priority{n})];
    all += (n == 0 ? "" : ", ") + (index ? profiles[*index].name : std::string{none});
  }
  return "[" + all + "]";
}

void add_ports(const Chip& chip, Settings& into) {
  Settings common;
  for (std::size_t p = 0; p < chip.ports.size(); ++p) {
    const PortSetting& port = chip.ports[p];
    const PortId id{static_cast<std::uint16_t>(p)};
    Settings settings{{"rate", fmt::format("{} bps", port.rate.count())},
                      {"domain", std::to_string(port.domain.count())},
                      {"response", text(port.response)},
                      {"profiles", profiles_at(chip.profiles, chip.profile_of_pg, id)},
                      {"queues", profiles_at(chip.queue_profiles, chip.profile_of_queue, id)}};
    if (!chip.wred_profiles.empty())
      settings.emplace_back("wred", profiles_at(chip.wred_profiles, chip.wred_of_queue, id));
    if (!chip.dscp_maps.empty()) {
      const auto& map = chip.dscp_map_of_port[p];
      settings.emplace_back("dscp_map", map ? chip.dscp_maps[*map].name : std::string{none});
    }
    if (p == 0) common = settings;
    for (std::size_t i = 0; i < settings.size(); ++i)
      if (p == 0 || settings[i] != common[i])
        into.emplace_back(fmt::format("port[{}].{}", p, settings[i].first), settings[i].second);
  }
}

// A port that is not listed is like port 0.
std::string value_in(const std::map<std::string, std::string>& settings, const std::string& key) {
  auto entry = settings.find(key);
  if (entry == settings.end() && key.rfind("port[", 0) == 0)
    entry = settings.find("port[0]" + key.substr(key.find(']') + 1));
  return entry == settings.end() ? none : entry->second;
}

bool same_threshold(const ThresholdSetting& a, const ThresholdSetting& b) {
  const std::vector<const PolicyKey*>& keys = policy_keys();
  return a.policy == b.policy && std::all_of(keys.begin(), keys.end(), [&](const PolicyKey* key) {
           return std::visit([&](auto member) { return a.*member == b.*member; }, key->member);
         });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settings_of(const Chip& chip) {
  Settings settings;
  settings.emplace_back("chip.ports", std::to_string(chip.ports.size()));
  chip_sections::for_each_chip_key(add_members("chip", chip, settings));
  add_pools(chip.ingress_pools, "pool", settings);
  add_profiles(chip, settings);
  add_pools(chip.egress_pools, "egress_pool", settings);
  if (!chip.wred_profiles.empty())
    chip_sections::for_each_draw_key(add_members("draw", chip, settings));
  chip_sections::for_each_map_key(add_members("map", chip, settings));
  chip_sections::for_each_scheduler_key(add_members("scheduler", chip, settings));
  add_forwarding(chip, settings);
  add_ports(chip, settings);
  return settings;
}

std::vector<Drift> drift_between(const Chip& desired, const Chip& running) {
  const Settings wanted = settings_of(desired), found = settings_of(running);
  const std::map<std::string, std::string> wanted_by_key{wanted.begin(), wanted.end()};
  const std::map<std::string, std::string> found_by_key{found.begin(), found.end()};
  std::vector<Drift> drifts;
  for (const auto& [key, value] : wanted)
    if (const std::string now = value_in(found_by_key, key); now != value)
      drifts.push_back({key, value, now});
  for (const auto& [key, value] : found) {
    if (wanted_by_key.count(key) != 0) continue;
    if (const std::string due = value_in(wanted_by_key, key); due != value)
      drifts.push_back({key, due, value});
  }
  return drifts;
}

bool same_running_settings(const Chip& a, const Chip& b) {
  return std::equal(a.profiles.begin(), a.profiles.end(), b.profiles.begin(), b.profiles.end(),
                    [](const Profile& x, const Profile& y) {
                      return same_threshold(x.threshold, y.threshold) && x.xon == y.xon &&
                             x.xon_offset == y.xon_offset;
                    });
}

}  // namespace weir
