// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "text/words.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& folder, const char* file, const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw ConfigError("DIR", folder, std::string{file} + " is no JSON");
  return json;
}

// What an element of a list is called: its own name rather than its place.
std::string name_of(const Json& element, std::size_t index) {
  for (const char* key : {"name", "metric", "pool", "port", "priority", "pg", "queue"}) {
    const auto found = element.is_object() ? element.find(key) : element.end();
    if (!element.is_object() || found == element.end()) continue;
    return found->is_string() ? found->get<std::string>() : found->dump();
  }
  return std::to_string(index);
}

using Leaf = std::pair<std::string, Json>;

void flatten(const Json& json, const std::string& path, std::vector<Leaf>& leaves) {
  const std::string below = path.empty() ? "" : path + ".";
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      if (key != "sai") flatten(value, below + key, leaves);  // said once already
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i)
      flatten(json[i], below + name_of(json[i], i), leaves);
  } else {
    leaves.emplace_back(path, json);
  }
}

bool ends_with(const std::string& text, const std::string& end) {
  return end.size() <= text.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string in_words(const std::string& name, std::uint64_t value) {
  if (ends_with(name, "_ps")) return words(Picoseconds{value});
  if (ends_with(name, "_bytes") || ends_with(name, ".bytes")) return words(Bytes{value});
  return words(value);
}

std::string in_words(const std::string& name, const Json* value) {
  if (value == nullptr) return "";
  if (value->is_number_unsigned()) return in_words(name, value->get<std::uint64_t>());
  return value->is_string() ? value->get<std::string>() : value->dump();
}

FigureDifference difference(const std::string& name, const Json* a, const Json* b) {
  FigureDifference found{name, in_words(name, a), in_words(name, b), "", 1};
  if (a == nullptr || b == nullptr || !a->is_number_unsigned() || !b->is_number_unsigned())
    return found;
  const auto before = a->get<std::uint64_t>(), after = b->get<std::uint64_t>();
  const std::uint64_t by = before < after ? after - before : before - after;
  found.change = (before < after ? "+" : "-") + in_words(name, by);
  found.share = static_cast<double>(by) / static_cast<double>(std::max(before, after));
  return found;
}

std::string heading(const ComparedRun& run, const Json& summary, const Json& report) {
  std::string text = run.folder + ": " + summary.at("scenario").get<std::string>() + ", " +
                     words(Picoseconds{summary.at("time_ps").get<std::uint64_t>()}) +
                     " simulated, seed " + summary.at("seed").dump();
  if (report.contains("version")) text += ", Weir " + report["version"].get<std::string>();
  return text;
}

void compare_settings(const Json& a, const Json& b, Comparison& comparison) {
  std::map<std::string, SettingDifference> settings;
  std::vector<std::string> order;
  const auto note = [&](const Json& report, auto&& put) {
    for (const Json& value : report.at("configuration")) {
      const auto key = value.at(0).get<std::string>();
      if (settings.count(key) == 0) order.push_back(key);
      put(settings[key], value.at(1).get<std::string>(), value.at(2).get<std::string>());
    }
  };
  note(a, [](SettingDifference& entry, const std::string& value, const std::string& source) {
    entry.a = value;
    entry.a_source = source;
  });
  note(b, [](SettingDifference& entry, const std::string& value, const std::string& source) {
    entry.b = value;
    entry.b_source = source;
  });
  for (const std::string& key : order) {
    SettingDifference& entry = settings[key];
    // The same value from another place is no difference; to be there or not is one.
    if (entry.a == entry.b && entry.a_source.empty() == entry.b_source.empty()) continue;
    entry.key = key;
    comparison.settings.push_back(entry);
  }
}

void compare_figures(const Json& a, const Json& b, Comparison& comparison) {
  std::vector<Leaf> of_a, of_b;
  flatten(a, "", of_a);
  flatten(b, "", of_b);
  std::map<std::string, const Json*> in_b;
  for (const auto& [name, value] : of_b) in_b.emplace(name, &value);
  const auto note = [&](const std::string& name, const Json* before, const Json* after) {
    ++comparison.figures;
    if (before != nullptr && after != nullptr && *before == *after) return;
    std::vector<FigureDifference>& list = name.rfind("totals.", 0) == 0   ? comparison.totals
                                          : name.rfind("expect.", 0) == 0 ? comparison.verdicts
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
  std::stable_sort(comparison.others.begin(), comparison.others.end(),
                   [](const auto& x, const auto& y) { return y.share < x.share; });
}

}  // namespace

Comparison compare(const ComparedRun& a, const ComparedRun& b) {
  const auto report_of = [](const ComparedRun& run) {
    return run.report_json.empty() ? Json::object()
                                   : parsed(run.folder, "report.json", run.report_json);
  };
  const Json a_summary = parsed(a.folder, "summary.json", a.summary_json);
  const Json b_summary = parsed(b.folder, "summary.json", b.summary_json);
  const Json a_report = report_of(a), b_report = report_of(b);
  try {
    Comparison comparison;
    comparison.a_heading = heading(a, a_summary, a_report);
    comparison.b_heading = heading(b, b_summary, b_report);
    comparison.settings_known = !a_report.empty() && !b_report.empty();
    if (comparison.settings_known) compare_settings(a_report, b_report, comparison);
    compare_figures(a_summary, b_summary, comparison);
    return comparison;
  } catch (const Json::exception& error) {
    throw ConfigError("DIR", a.folder + ", " + b.folder,
                      std::string{"hold no results of this version: "} + error.what());
  }
}

}  // namespace weir
