// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "sonic_arguments.hpp"
#include "text/counted.hpp"
#include "text/exit_codes.hpp"
#include "text/json_document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/lint/lint.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct LintOptions {
  std::string path, cable;
  std::vector<std::string> overrides;
  SonicArguments sonic;
  bool json{false}, rules{false};
};

constexpr const char* lint_about =
    "Find configuration errors that a run would not show, in a chip, scenario or SONiC folder";
constexpr const char* lint_footer =
    R"(Each finding has a code (docs/reference/lint.md): E... an error, W... a warning. What the readers of
these formats refuse (unknown keys, pools smaller than what is taken out of them ...) ends with 2, as
anywhere else.

Examples (vectors/sonic is in the source tree):
  weir lint tomahawk3_32x400g --cable 300m
  weir lint incast_star8_dt_paper_headroom
  weir lint tor.toml --cable 100m --set "profile.lossless.headroom=8 kB"
  weir lint vectors/sonic/traditional_40g --json
  weir lint --rules)";

const char* word(LintSeverity severity) {
  return severity == LintSeverity::error ? "error" : "warning";
}

Json to_json(const LintPlace& place) {
  return {{"file", place.origin.file},
          {"line", place.origin.line == 0 ? Json{} : Json(place.origin.line)},
          {"key", place.key},
          {"value", place.value}};
}

Json to_json(const LintFinding& finding) {
  Json places = Json::array();
  for (const LintPlace& place : finding.places) places.push_back(to_json(place));
  return {{"code", finding.rule->code},
          {"severity", word(finding.rule->severity)},
          {"title", finding.rule->title},
          {"what", finding.what},
          {"why", finding.rule->why},
          {"instead", finding.instead},
          {"places", places}};
}

std::size_t count(const std::vector<LintFinding>& findings, LintSeverity severity) {
  return static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(),
      [&](const LintFinding& finding) { return finding.rule->severity == severity; }));
}

std::string to_text(const LintPlace& place) {
  std::string text = place.origin.file;
  if (place.origin.line != 0) text += fmt::format(":{}", place.origin.line);
  if (!text.empty()) text += ": ";
  return text + place.key + (place.value.empty() ? "" : " = " + place.value);
}

// Without code and severity, which come first and may be in colour.
std::string to_text(const LintFinding& finding) {
  std::string text = fmt::format(": {}\n", finding.rule->title);
  for (const LintPlace& place : finding.places)
    text += fmt::format("  at       {}\n", to_text(place));
  return text + fmt::format("  what     {}\n  why      {}\n  instead  {}\n\n", finding.what,
                            finding.rule->why, finding.instead);
}

int show_rules(bool json) {
  Json list = Json::array();
  for (const LintRule& rule : lint_rules()) {
    if (json)
      list.push_back({{"code", rule.code},
                      {"severity", word(rule.severity)},
                      {"title", rule.title},
                      {"why", rule.why}});
    else
      print("{} {:<8} {}\n", rule.code, word(rule.severity), rule.title);
  }
  if (json) print_json(json_document(list, 2));
  return 0;
}

// What a chip file or a scenario says itself.
void check_sonic_options(const LintOptions& options, const LintSubject& subject) {
  if (subject.sonic != nullptr) return;
  if (subject.layers.front().second.empty())
    options.sonic.refuse("a chip file has", "chip.");
  else
    options.sonic.refuse("a scenario has", "switch.NAME.chip.");
}

int lint_path(const LintOptions& options) {
  std::optional<Millimetres> cable;
  if (!options.cable.empty()) {
    cable = parse_cable(options.cable);
    if (!cable)
      throw ConfigError{"--cable", "\"" + options.cable + "\"", std::string{legal::cable}};
  }
  const std::vector<LintSubject> subjects =
      read_lint_subjects(file_or_preset("FILE", options.path, {presets::chips, presets::scenarios}),
                         cable, options.sonic.options(), options.overrides);
  const LintSubject& subject = subjects.front();
  check_sonic_options(options, subject);
  const std::vector<LintFinding> findings = lint(subjects);
  const std::size_t errors = count(findings, LintSeverity::error);
  const std::size_t warnings = count(findings, LintSeverity::warning);
  if (options.json) {
    Json list = Json::array();
    for (const LintFinding& finding : findings) list.push_back(to_json(finding));
    print_json(json_document({{"subject", subject.name},
                              {"chip", subject.chip.name},
                              {"errors", errors},
                              {"warnings", warnings},
                              {"findings", list}},
                             2));
  } else {
    for (const LintFinding& finding : findings) {
      const bool error = finding.rule->severity == LintSeverity::error;
      show_painted(stdout, error ? Paint::error : Paint::warning,
                   fmt::format("{} {}", finding.rule->code, word(finding.rule->severity)));
      print("{}", to_text(finding));
    }
    print("{}: {}, {}, {}\n", printable_line(subject.name), counted(errors, "error"),
          counted(warnings, "warning"), counted(lint_rules().size(), "rule"));
  }
  return errors == 0 ? 0 : 1;
}

}  // namespace

void add_lint_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("lint", lint_about);
  command->footer(with_exit_codes(lint_footer, {"no error (warnings are shown)", "errors found",
                                                "usage, or unreadable or impossible input"}));
  const auto options = std::make_shared<LintOptions>();
  CLI::Option* const path =
      command->add_option("FILE", options->path, "Chip file, scenario, or SONiC folder")
          ->type_name("FILE|DIR");
  command
      ->add_option("--cable", options->cable,
                   "Cable of every port of a chip file: 300m (default: not known, and headroom is "
                   "judged as without one)")
      ->type_name("LENGTH");
  command
      ->add_option("--set", options->overrides,
                   "Override a key of a chip file or scenario; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "For machines: JSON on stdout");
  command->add_flag("--rules", options->rules, "List the rules")->excludes(path);
  add_sonic_options(*command, options->sonic);
  command->callback([options, &exit_code] {
    if (options->rules) {
      exit_code = show_rules(options->json);
      return;
    }
    if (options->path.empty()) throw CLI::RequiredError("FILE");
    exit_code = lint_path(*options);
  });
}

}  // namespace weir
