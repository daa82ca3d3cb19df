// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "text/json_document.hpp"
#include "weir/config/scenario/metrics.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct Line {
  std::string name, about;
  std::string file;  // of a preset
};
using Lines = std::vector<Line>;

struct ListOptions {
  std::string what;
  bool json{false}, names{false};
};

constexpr const char* list_about = "List presets, commands or metrics, one line each";
constexpr const char* list_footer =
    R"(A preset is named without folder and ending, wherever a file of its kind is named.

Examples:
  weir list scenarios
  weir run incast_star16_dt_trident2
  weir list metrics --json
  weir list chips --json      with the file of each)";

Lines preset_lines(const PresetKind& kind, bool names) {
  if (const std::string why = why_no_presets(); !why.empty())
    throw ConfigError{"WHAT", kind.name, why};
  Lines lines;
  for (const Preset& preset : presets_of(kind))
    lines.push_back({preset.name, names ? "" : line_about(preset, kind), preset.file.string()});
  return lines;
}

Lines commands(const CLI::App& app) {
  Lines lines;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty())
      lines.push_back({command->get_name(), command->get_description(), ""});
  return lines;
}

Lines metric_lines() {
  Lines lines;
  for (const Metric& metric : metrics())
    lines.push_back({std::string{metric.name}, std::string{metric.meaning}, ""});
  return lines;
}

struct Listing {
  const char* name;
  std::function<Lines(const CLI::App& app, bool names)> lines;
};

const std::vector<Listing>& listings() {
  static const std::vector<Listing> table{
      {"scenarios",
       [](const CLI::App&, bool names) { return preset_lines(presets::scenarios, names); }},
      {"chips", [](const CLI::App&, bool names) { return preset_lines(presets::chips, names); }},
      {"sweeps", [](const CLI::App&, bool names) { return preset_lines(presets::sweeps, names); }},
      {"commands", [](const CLI::App& app, bool) { return commands(app); }},
      {"metrics", [](const CLI::App&, bool) { return metric_lines(); }}};
  return table;
}

Json to_json(const Lines& lines) {
  Json list = Json::array();
  for (const Line& line : lines) {
    list.push_back({{"name", line.name}, {"about", line.about}});
    if (!line.file.empty()) list.back()["file"] = line.file;
  }
  return list;
}

std::string to_text(const Lines& lines, bool names) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.name.size());
  std::string text;
  for (const Line& line : lines)
    text += names || line.about.empty() ? printable_line(line.name) + "\n"
                                        : fmt::format("{:<{}}  {}\n", printable_line(line.name),
                                                      width, printable_line(line.about));
  return text;
}

void list(const CLI::App& app, const ListOptions& options) {
  Json json;
  std::string text;
  for (const Listing& listing : listings()) {
    if (!options.what.empty() && options.what != listing.name) continue;
    const Lines lines = listing.lines(app, options.names);
    json[listing.name] = to_json(lines);
    if (options.what.empty() && !options.names)
      text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", listing.name);
    text += to_text(lines, options.names);
  }
  if (options.json)
    print_json(json_document(json, 2));
  else
    print("{}", text);
}

}  // namespace

void add_list_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("list", list_about);
  command->footer(list_footer);
  const auto options = std::make_shared<ListOptions>();
  std::vector<std::string> names;
  for (const Listing& listing : listings()) names.emplace_back(listing.name);
  command->add_option("WHAT", options->what, "What to list (default: all)")
      ->check(CLI::IsMember(names));
  command->add_flag("--names", options->names, "Names only, as a completion needs them");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &app, &exit_code] {
    list(app, *options);
    exit_code = 0;
  });
}

}  // namespace weir
