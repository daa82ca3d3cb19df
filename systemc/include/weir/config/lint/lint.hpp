// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/lint/lint_subject.hpp"

namespace weir {

enum class LintSeverity : std::uint8_t {
  error,    ///< Lossless packets can be lost, or a link can stay paused.
  warning,  ///< Legal, but probably not intended.
};

/// A value that a finding is about.
struct LintPlace {
  Origin origin;
  std::string key, value;
};

struct LintRule;

/// A finding of a rule.
struct LintFinding {
  const LintRule* rule{nullptr};
  std::vector<LintPlace> places;
  std::string what;     ///< The present value, in figures.
  std::string instead;  ///< What to write instead.
};

/// One row of the table of rules.
struct LintRule {
  std::string_view code;  ///< E101 ..., W201 ...: the letter is the severity.
  LintSeverity severity;
  std::string_view title;
  std::string_view why;  ///< The consequence.
  void (*check)(const LintSubject& subject, std::vector<LintFinding>& findings);
  /// The samples of the rule are scenarios: the bad one fails its [expect], the good one meets it.
  bool shown_by_run;
};

/// All rules, in the order in which they are checked. Documents and tests walk this table.
[[nodiscard]] const std::vector<LintRule>& lint_rules();

/// All findings of the rules. Errors: ConfigError where headroom cannot be sized at all (cells
/// below 32 B).
[[nodiscard]] std::vector<LintFinding> lint(const LintSubject& subject);
/// The same for several subjects; identical findings are reported once.
[[nodiscard]] std::vector<LintFinding> lint(const std::vector<LintSubject>& subjects);

}  // namespace weir
