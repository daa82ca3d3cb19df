// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/scenario/metrics.hpp"
#include "weir/config/scenario/scenario.hpp"

namespace weir {

struct SweepSetting;

/// A value that a sweep gives to a key, or an option: keys that change together under one name; and
/// its place in the sweep file.
struct SweepValue {
  std::string toml;                     ///< The text after the "=" of `--set`.
  std::string text;                     ///< As people read it: "1/8", "16 MB", "true".
  std::optional<std::int64_t> integer;  ///< The value, where it is a plain number.
  std::int64_t magnitude{0};            ///< The value of a range in whole base units; else 0.
  Origin origin;
  std::string path;               ///< Path of the value in the sweep file: `axis[0].values[2]`.
  bool is_option{false};          ///< `text` is its name, and it sets `set`.
  std::vector<SweepSetting> set;  ///< Keys of an option; they take effect together.
};

/// A key that has the same value in all points of the sweep.
struct SweepSetting {
  std::string key;  ///< The key, as for `--set`.
  SweepValue value;
};

struct SweepScenario {
  std::string name;
  std::filesystem::path file;
  std::vector<SweepSetting> set;
  Origin origin;
};

/// Keys that change together under one name.
struct SweepWorkload {
  std::string name;
  std::vector<SweepSetting> set;
};

/// One thing that changes from point to point.
struct SweepAxis {
  std::string name;               ///< Name of the column of its values.
  std::vector<std::string> keys;  ///< All of them get the value; of options: all that one sets.
  std::vector<SweepValue> values;
  bool sampled{false};  ///< Value i belongs to sample i; otherwise crossed with all other inputs.
};

/// The quantity that a [figure.NAME] measures at hosts: a row of figure_table.hpp.
struct FigureKind {
  enum class Group : std::uint8_t { delivered, latency, pause };
  std::string_view name;
  MetricUnit unit{MetricUnit::count};
  Group group{Group::delivered};

  [[nodiscard]] bool more_is_better() const noexcept { return group == Group::delivered; }
};

/// A figure of chosen hosts and priorities.
struct SweepFigure {
  std::string name;
  FigureKind of;
  std::vector<std::string> hosts;        ///< Empty: all.
  std::optional<std::uint8_t> priority;  ///< None: all.
  Origin origin;
};

/// A figure to be minimised or maximised: an axis of the Pareto front.
struct SweepAim {
  std::string name;  ///< A metric, "memory" or a figure of the sweep.
  bool most{false};
};

/// The search of `weir size`: the smallest value of some keys with which [goal] is met.
struct SweepSize {
  std::string name;                ///< The key; of several, one after the other.
  std::vector<std::string> keys;   ///< All of them get the value.
  std::vector<SweepValue> values;  ///< Ascending, at least one.
  /// [k]: the difference of two values that are k apart, with its unit; as many as values.
  std::vector<std::string> distances;
};

/// A sweep file, checked: points are the cross of scenarios, workloads, axes, samples and seeds.
struct Sweep {
  std::string name, description;
  std::filesystem::path file;
  std::vector<SweepScenario> scenarios;  ///< At least one.
  std::vector<SweepWorkload> workloads;  ///< Empty: no such input.
  std::vector<SweepSetting> set;         ///< Keys that have these values in every point.
  std::vector<SweepAxis> axes;
  std::uint64_t samples{0};          ///< 0: no axis is sampled.
  std::vector<std::uint64_t> seeds;  ///< Empty: the scenario's own.
  std::vector<SweepFigure> figures;
  std::vector<Expectation> goal;  ///< [goal]: a point is good if it meets all of it.
  std::vector<SweepAim> pareto;   ///< [pareto], or the default.
  std::optional<SweepSize> size;  ///< [size]: no input of the sweep itself.
  bool searched{false};           ///< The last axis is the key of [size]: see size_search().

  /// Number of points.
  std::uint64_t points{0};
};

/// One run of a sweep.
struct SweepPoint {
  std::uint64_t index{0};
  std::size_t scenario{0}, workload{0};
  std::vector<std::size_t> values;  ///< For each axis, the index of its value.
  std::optional<std::uint64_t> seed;
};

/// Reads a sweep file (docs/reference/sweeps.md). File names are relative to its folder; scenarios
/// are not opened yet. Errors: FileError at the first error.
[[nodiscard]] Sweep load_sweep(const std::filesystem::path& file);

/// Point `index` of `sweep`. Range: below sweep.points. Seeds change fastest, then samples, then
/// the last axis; scenarios change slowest.
[[nodiscard]] SweepPoint sweep_point(const Sweep& sweep, std::uint64_t index);

/// The sweep of all runs that a search for [size] may make: its key is one more axis, after the
/// others. Range: `sweep` has a [size].
[[nodiscard]] Sweep size_search(const Sweep& sweep);

/// The point of size_search(sweep) that is point `index` of `sweep` with value `value` of [size].
[[nodiscard]] std::uint64_t size_search_point(const Sweep& sweep, std::uint64_t index,
                                              std::size_t value) noexcept;

/// What a value of an axis sets.
[[nodiscard]] std::vector<SweepSetting> settings_of(const SweepAxis& axis, const SweepValue& value);

/// The `--set` overrides that make the point of its scenario.
[[nodiscard]] std::vector<std::string> overrides_of(const Sweep& sweep, const SweepPoint& point);

/// Loads everything that must load before the first run: every scenario with every workload, and
/// every value of every axis. A value with which no point can run, or that is written in another
/// form than the others, is an error. A value that is only too small or large for some points (a
/// pool too small for its headroom) is not: these points fail when they run.
/// Errors: FileError with file, line and key of the sweep file, or of the scenario.
void check_sweep(const Sweep& sweep);

/// Digest of the sweep file, of its scenarios and of all files that these name: results with the
/// same digest can be continued.
[[nodiscard]] std::string sweep_digest(const Sweep& sweep);

}  // namespace weir
