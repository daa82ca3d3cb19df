// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/chip_drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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
std::string text(Cycle cycles) { return fmt::format("{} cycles", cycles.count()); }
std::string text(bool value) { return value ? "true" : "false"; }

template <class Numbers>
std::string list(const Numbers& numbers) {
  std::string all;
  for (const auto number : numbers)
    all += (all.empty() ? "" : ", ") + std::to_string(static_cast<std::uint64_t>(number));
  return "[" + all + "]";
}

void add_chip(const Chip& chip, Settings& into) {
  into.emplace_back("chip.ports", std::to_string(chip.ports.size()));
  into.emplace_back("chip.cell", text(chip.cell));
  into.emplace_back("chip.cell_overhead", text(chip.cell_overhead));
  into.emplace_back("chip.domains", std::to_string(chip.domains));
  into.emplace_back("chip.clock", text(chip.clock));
  into.emplace_back("chip.lanes", std::to_string(chip.lanes));
  into.emplace_back("chip.admit", fmt::format("{} cycles", chip.admit_latency));
  into.emplace_back("chip.pfc", fmt::format("{} cycles", chip.pfc_latency));
  into.emplace_back("chip.threshold_lag", fmt::format("{} cycles", chip.threshold_lag));
  into.emplace_back("chip.quanta", std::to_string(chip.quanta.count()));
  into.emplace_back("chip.mtu", text(chip.mtu));
  into.emplace_back("chip.port_fifo", std::to_string(chip.port_fifo));
  into.emplace_back("chip.memory", text(chip.memory));
}

void add_pools(const std::vector<Pool>& pools, const std::string& kind, Settings& into) {
  for (const Pool& pool : pools) {
    into.emplace_back(kind + "." + pool.name + ".shared", text(pool.shared));
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
    into.emplace_back(at + ".xon", text(profile.xon));
    into.emplace_back(at + ".xon_offset", text(profile.xon_offset));
    into.emplace_back(at + ".xoff_trigger", profile.xoff_trigger == XoffTrigger::on_crossing
                                                ? "on_crossing"
                                                : "on_headroom");
    into.emplace_back(at + ".xon_rule", profile.xon_rule == XonRule::sai ? "sai" : "paper");
  }
  for (const QueueProfile& queue : chip.queue_profiles) {
    const std::string at = "queue." + queue.name;
    into.emplace_back(at + ".pool", chip.egress_pools[queue.pool].name);
    into.emplace_back(at + ".minimum", text(queue.minimum));
    add_threshold(at, queue.threshold, into);
  }
}

template <class Profiles>
std::string profiles_at(const Profiles& profiles,
                        const std::vector<std::optional<std::size_t>>& chosen, std::size_t port) {
  std::string all;
  for (std::size_t n = 0; n < priorities; ++n) {
    const std::optional<std::size_t> index = chosen[port * priorities + n];
    all += (n == 0 ? "" : ", ") + (index ? profiles[*index].name : std::string{"none"});
  }
  return "[" + all + "]";
}

void add_ports(const Chip& chip, Settings& into) {
  Settings common;
  for (std::size_t p = 0; p < chip.ports.size(); ++p) {
    const PortSetting& port = chip.ports[p];
    const Settings settings{{"rate", fmt::format("{} bps", port.rate.count())},
                            {"domain", std::to_string(port.domain.count())},
                            {"response", text(port.response)},
                            {"profiles", profiles_at(chip.profiles, chip.profile_of_pg, p)},
                            {"queues", profiles_at(chip.queue_profiles, chip.profile_of_queue, p)}};
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
  return entry == settings.end() ? "none" : entry->second;
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
  add_chip(chip, settings);
  add_pools(chip.ingress_pools, "pool", settings);
  add_profiles(chip, settings);
  add_pools(chip.egress_pools, "egress_pool", settings);
  settings.emplace_back("map.pg_of_priority", list(chip.pg_of_priority));
  settings.emplace_back("map.queue_of_priority", list(chip.queue_of_priority));
  settings.emplace_back("scheduler.kind",
                        chip.scheduler == SchedulerKind::dwrr ? "dwrr" : "strict");
  settings.emplace_back("scheduler.weights", list(chip.dwrr_weight));
  settings.emplace_back("scheduler.strict", std::to_string(chip.strict_queues));
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
