// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

// What differs between two runs, and how it is shown.
namespace weir {

/// A run, as its result folder has it.
struct ComparedRun {
  std::string folder;
  std::string summary_json, report_json;  ///< Contents of the files; report_json may be empty.
};

/// A figure that both or one of the runs has. An absent one is empty.
struct FigureDifference {
  std::string name;    ///< "totals.pauses_sent", "switches.tor.ports.3.priorities.3.rx_packets".
  std::string a, b;    ///< In words, with units.
  std::string change;  ///< B - A; empty where it is not a number.
  double share{0};     ///< |B - A| of the larger one; 1 where one is absent or no number.
};

/// A key that both or one of the runs sets. A key of a chip file is called as --set calls it, by
/// its path inside the switch: "switch.tor.profile.lossless.alpha". An absent one has no source.
struct SettingDifference {
  std::string key, a, b, a_source, b_source;
};

struct RunComparison {
  std::string a_heading, b_heading;         ///< Folder, scenario, simulated time, seed, version.
  std::vector<SettingDifference> settings;  ///< Names and [expect], which change no result, last.
  bool settings_known{true};                ///< Both runs have a report.json.
  /// Verdicts: checks of [expect] that turned, "ok" and "FAILED". Checked: what these measured, and
  /// their conditions. Others: numbers that both runs have, the largest share first; then text;
  /// then what only one run has.
  std::vector<FigureDifference> totals, verdicts, checked, others;
  std::uint64_t figures{0};  ///< Compared in all.
};

/// Errors: ConfigError (key "DIR") when a file is not what a run has written.
[[nodiscard]] RunComparison compare(const ComparedRun& a, const ComparedRun& b);

/// For the screen; of other figures the `most` that differ most.
[[nodiscard]] std::string to_text(const RunComparison& comparison, std::size_t most);
/// One page without network; pauses of both runs are below each other.
[[nodiscard]] std::string comparison_page(const RunComparison& comparison, const ComparedRun& a,
                                          const ComparedRun& b);

}  // namespace weir
