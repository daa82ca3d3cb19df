// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "text/json_document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/lint/lint.hpp"
#include "weir/config/scenario/metrics.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions {
  std::string word;
  bool json{false};
};

constexpr const char* explain_about = "Explain a code of weir lint, or a metric";
constexpr const char* explain_footer =
    R"(Examples:
  weir explain W202
  weir explain pause_time)";

// What is shown about a word: its kind, then lines of name and text.
struct Explanation {
  std::string word;
  std::vector<std::pair<std::string, std::string>> lines;
};

std::optional<Explanation> rule_of(const std::string& word) {
  std::string code = word;
  for (char& letter : code)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  for (const LintRule& rule : lint_rules()) {
    if (rule.code != code) continue;
    const bool error = rule.severity == LintSeverity::error;
    return Explanation{
        code,
        {{"kind", error ? "error of weir lint: lossless packets can be lost, or a link stay paused"
                        : "warning of weir lint: legal, but probably not intended"},
         {"what", std::string{rule.title}},
         {"why", std::string{rule.why}},
         {"shown by", rule.shown_by_run ? "a run as well: its [expect] fails" : "lint alone"},
         {"page", "docs/reference/lint.md"}}};
  }
  return std::nullopt;
}

std::optional<Explanation> metric_of(const std::string& word) {
  for (const Metric& metric : metrics()) {
    if (metric.name != word) continue;
    return Explanation{word,
                       {{"kind", "metric: a figure of the summary, and a name in [expect]"},
                        {"what", std::string{metric.meaning}},
                        {"page", "docs/reference/scenario-format.md"}}};
  }
  return std::nullopt;
}

std::vector<std::string> all_words() {
  std::vector<std::string> words;
  for (const LintRule& rule : lint_rules()) words.emplace_back(rule.code);
  for (const Metric& metric : metrics()) words.emplace_back(metric.name);
  return words;
}

void explain(const ExplainOptions& options) {
  std::optional<Explanation> found = rule_of(options.word);
  if (!found) found = metric_of(options.word);
  if (!found) {
    const std::string meant = nearest(options.word, all_words());
    throw ConfigError{"WORD", "\"" + options.word + "\"",
                      "is not a code of weir lint, nor a metric" +
                          (meant.empty() ? "" : ", did you mean " + meant + "?") +
                          "; weir lint --rules and weir list metrics show them"};
  }
  if (options.json) {
    Json json{{"word", found->word}};
    for (const auto& [name, text] : found->lines) json[name] = text;
    print_json(json_document(json, 2));
    return;
  }
  print("{}\n", found->word);
  for (const auto& [name, text] : found->lines) print("  {:<9} {}\n", name, text);
}

}  // namespace

void add_explain_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("explain", explain_about);
  command->footer(explain_footer);
  const auto options = std::make_shared<ExplainOptions>();
  command->add_option("WORD", options->word, "A code such as W202, or a metric")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &exit_code] {
    explain(*options);
    exit_code = 0;
  });
}

}  // namespace weir
