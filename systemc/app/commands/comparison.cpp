// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "output/result_files.hpp"
#include "text/ends_with.hpp"
#include "text/format.hpp"
#include "weir/config/chip/configured_values.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_name = 1024;        // of a figure
constexpr std::size_t max_settings = 10'000'000;  // of both runs

[[noreturn]] void refuse(const std::string& folder, const std::string& what) {
  throw ConfigError("DIR", folder, what);
}

// Texts and keys become a line each: they are shown in lines of ours.
Json in_lines(Json json) {
  if (json.is_string()) return printable_line(json.get_ref<const std::string&>());
  if (json.is_array())
    for (Json& element : json) element = in_lines(std::move(element));
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (auto& [key, value] : json.items())
    object.push_back({printable_line(key), in_lines(std::move(value))});
  return object;
}

// What a comparison rests on; the rest may be of another version.
void check_summary(const std::string& folder, const Json& summary) {
  const auto check = [&](const std::string& key, bool good, const char* legal) {
    if (!good)
      refuse(folder, std::string{result_names::summary} + ": " + key + " must be " + legal);
  };
  const auto at = [&](const char* key) {
    return summary.is_object() ? summary.value(key, Json{}) : Json{};
  };
  check("scenario", at("scenario").is_string(), "a text");
  check("time_ps", at("time_ps").is_number_unsigned(), "a number of ps, not negative");
  check("seed", at("seed").is_number_unsigned(), "a number, not negative");
  check("switches", at("switches").is_array(), "a list");
  const Json totals = at("totals");
  check("totals", totals.is_object() && !totals.empty(), "the totals of a run");
  for (const auto& [key, value] : totals.items())
    check("totals." + key, !value.is_number_integer() || value.is_number_unsigned(),
          "not negative");
}

Json parsed(const std::string& folder, const char* file, const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse(folder, std::string{file} + " is not JSON");
  return in_lines(std::move(json));
}

// What identifies an element of a list: the first of these whose keys an element has.
const std::vector<std::vector<const char*>>& identities() {
  static const std::vector<std::vector<const char*>> table{
      {"name"},
      {"metric"},
      {"pool", "domain"},
      {"level", "priority"},           // probes
      {"switch", "port", "priority"},  // members of a deadlock
      {"switch", "key"},               // drifts
      {"from", "to"},                  // faults of links
      {"host", "kind"},                // faults of hosts
      {"port"},
      {"priority"},
      {"pg"},
      {"queue"}};
  return table;
}

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// What an element of a list is called: "tor", "lossless[1]" for pool and domain; its place where
// nothing names it.
std::string name_of(const Json& element, std::size_t index) {
  const auto has = [&](const char* key) { return element.is_object() && element.contains(key); };
  for (const std::vector<const char*>& keys : identities()) {
    if (!std::all_of(keys.begin(), keys.end(), has)) continue;
    const std::string name = text_of(element[keys.front()]);
    std::string rest;
    for (std::size_t i = 1; i < keys.size(); ++i)
      rest += (rest.empty() ? "" : ",") + text_of(element[keys[i]]);
    return rest.empty() ? name : name + "[" + rest + "]";
  }
  return std::to_string(index);
}

using Leaf = std::pair<std::string, Json>;

void flatten(const Json& json, const std::string& path, std::vector<Leaf>& leaves) {
  if (longest_name < path.size())
    throw ModelError("a figure has a name of more than " + std::to_string(longest_name) + " bytes");
  const std::string below = path.empty() ? "" : path + ".";
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      if (key != "sai") flatten(value, below + key, leaves);  // the same cells, in bytes
  } else if (json.is_array()) {
    std::map<std::string, unsigned> seen;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string name = name_of(json[i], i);
      const unsigned times = ++seen[name];
      flatten(json[i], below + name + (times == 1 ? "" : "(" + std::to_string(times) + ")"),
              leaves);
    }
  } else {
    leaves.emplace_back(path, json);
  }
}

std::string format_figure(const std::string& name, std::uint64_t value) {
  if (ends_with(name, "_ps")) return format_quantity(Picoseconds{value});
  if (ends_with(name, "_bps")) return format_quantity(BitRate{value});
  if (ends_with(name, "_bytes") || ends_with(name, ".bytes")) return format_quantity(Bytes{value});
  return format_quantity(value);
}

bool is_of_expect(const std::string& name) { return name.rfind("expect.", 0) == 0; }
bool is_verdict(const std::string& name) { return is_of_expect(name) && ends_with(name, ".met"); }

std::string format_figure(const std::string& name, const Json* value) {
  if (value == nullptr) return "";
  if (is_verdict(name) && value->is_boolean()) return value->get<bool>() ? "ok" : "FAILED";
  if (value->is_number_unsigned()) return format_figure(name, value->get<std::uint64_t>());
  return text_of(*value);
}

FigureDifference difference(const std::string& name, const Json* a, const Json* b) {
  FigureDifference found{name, format_figure(name, a), format_figure(name, b), "", 1};
  if (a == nullptr || b == nullptr || !a->is_number_unsigned() || !b->is_number_unsigned())
    return found;
  const auto before = a->get<std::uint64_t>(), after = b->get<std::uint64_t>();
  const std::uint64_t by = before < after ? after - before : before - after;
  found.change = (before < after ? "+" : "-") + format_figure(name, by);
  found.share = static_cast<double>(by) / static_cast<double>(std::max(before, after));
  return found;
}

std::string heading(const ComparedRun& run, const Json& summary, const Json& report) {
  std::string text = run.folder + ": " + summary.at("scenario").get<std::string>() + ", " +
                     format_quantity(Picoseconds{summary.at("time_ps").get<std::uint64_t>()}) +
                     " simulated, seed " + summary.at("seed").dump();
  if (report.contains("version")) text += ", Weir " + report["version"].get<std::string>();
  return text;
}

// Switches and topologies of a run that name a chip file: their keys by the label of the file.
std::multimap<std::string, std::string> users_of_chip_files(const Json& configuration) {
  std::vector<std::string> keys, files;
  for (const Json& entry : configuration) {
    const auto key = entry.at(0).get<std::string>();
    const bool of_a_chip = key.rfind("switch", 0) == 0 || key.rfind("topology", 0) == 0;
    if (!of_a_chip || !ends_with(key, ".file")) continue;
    keys.push_back(key.substr(0, key.size() - std::strlen(".file")));
    files.push_back(entry.at(1).get<std::string>());
  }
  const std::vector<std::string> labels = chip_file_labels(files);
  std::multimap<std::string, std::string> users;
  for (std::size_t i = 0; i < keys.size(); ++i) users.emplace(labels[i], keys[i]);
  return users;
}

// The keys that an entry sets: that of a scenario itself; "x.toml: chip.rate" of a chip file in
// every switch that names the file.
std::vector<std::string> keys_of(const std::string& written,
                                 const std::multimap<std::string, std::string>& users) {
  const std::size_t colon = written.find(": ");
  const auto [first, last] = users.equal_range(written.substr(0, colon));
  if (colon == std::string::npos || first == last) return {written};
  std::vector<std::string> keys;
  for (auto user = first; user != last; ++user)
    keys.push_back(user->second + "." + written.substr(std::min(colon + 2, written.size())));
  return keys;
}

bool changes_no_result(const std::string& key) {
  return key == "scenario.name" || key == "scenario.description" || key.rfind("expect.", 0) == 0 ||
         ends_with(key, ".chip.name") || ends_with(key, ".chip.source");
}

void compare_settings(const Json& a, const Json& b, RunComparison& comparison) {
  std::map<std::string, SettingDifference> settings;
  std::vector<std::string> order;
  const auto note = [&](const Json& report, std::string SettingDifference::*value,
                        std::string SettingDifference::*source) {
    const Json& configuration = report.at("configuration");
    const auto users = users_of_chip_files(configuration);
    for (const Json& written : configuration) {
      for (const std::string& key : keys_of(written.at(0).get<std::string>(), users)) {
        const auto [entry, is_new] = settings.try_emplace(key);
        if (is_new) order.push_back(key);
        if (max_settings < order.size())
          throw ModelError("more than " + std::to_string(max_settings) + " settings");
        // The scenario comes before its chip files, and its own value counts.
        if (!(entry->second.*source).empty()) continue;
        entry->second.*value = written.at(1).get<std::string>();
        entry->second.*source = written.at(2).get<std::string>();
      }
    }
  };
  note(a, &SettingDifference::a, &SettingDifference::a_source);
  note(b, &SettingDifference::b, &SettingDifference::b_source);
  std::stable_partition(order.begin(), order.end(),
                        [](const std::string& key) { return !changes_no_result(key); });
  for (const std::string& key : order) {
    SettingDifference& entry = settings[key];
    // The same value from another place is not a difference; to be there or not is one.
    if (entry.a == entry.b && entry.a_source.empty() == entry.b_source.empty()) continue;
    entry.key = key;
    comparison.settings.push_back(entry);
  }
}

void compare_figures(const Json& a, const Json& b, RunComparison& comparison) {
  std::vector<Leaf> of_a, of_b;
  flatten(a, "", of_a);
  flatten(b, "", of_b);
  std::map<std::string, const Json*> in_b;
  for (const auto& [name, value] : of_b) in_b.emplace(name, &value);
  const auto note = [&](const std::string& name, const Json* before, const Json* after) {
    ++comparison.figures;
    if (before != nullptr && after != nullptr && *before == *after) return;
    std::vector<FigureDifference>& list = name.rfind("totals.", 0) == 0 ? comparison.totals
                                          : is_verdict(name)            ? comparison.verdicts
                                          : is_of_expect(name)          ? comparison.checked
                                                                        : comparison.others;
    list.push_back(difference(name, before, after));
  };
  for (const auto& [name, value] : of_a) {
    const auto found = in_b.find(name);
    note(name, &value, found == in_b.end() ? nullptr : found->second);
    if (found != in_b.end()) in_b.erase(found);
  }
  for (const auto& [name, value] : of_b)
    if (in_b.count(name) != 0) note(name, nullptr, &value);
  const auto rank = [](const FigureDifference& figure) {
    return std::make_tuple(figure.a.empty() || figure.b.empty(), figure.change.empty(),
                           -figure.share);
  };
  std::stable_sort(comparison.others.begin(), comparison.others.end(),
                   [&](const auto& x, const auto& y) { return rank(x) < rank(y); });
}

}  // namespace

RunComparison compare(const ComparedRun& a, const ComparedRun& b) {
  const auto report_of = [](const ComparedRun& run) {
    return run.report_json.empty() ? Json::object()
                                   : parsed(run.folder, result_names::report_data, run.report_json);
  };
  const Json a_summary = parsed(a.folder, result_names::summary, a.summary_json);
  const Json b_summary = parsed(b.folder, result_names::summary, b.summary_json);
  check_summary(a.folder, a_summary);
  check_summary(b.folder, b_summary);
  const Json a_report = report_of(a), b_report = report_of(b);
  return use_results(a.folder + ", " + b.folder, [&] {
    RunComparison comparison;
    comparison.a_heading = heading(a, a_summary, a_report);
    comparison.b_heading = heading(b, b_summary, b_report);
    comparison.settings_known = !a_report.empty() && !b_report.empty();
    if (comparison.settings_known) compare_settings(a_report, b_report, comparison);
    compare_figures(a_summary, b_summary, comparison);
    return comparison;
  });
}

}  // namespace weir
