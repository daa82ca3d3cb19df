// SPDX-License-Identifier: Apache-2.0
// A sweep file. It may name the files of vectors.
#include "weir/config/sweep/sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"

namespace weir::fuzz {
namespace {

constexpr std::size_t max_loads = 24;

// Scenarios that check_sweep() loads, about: too many, or too large ones, leave no time for others.
std::size_t loads_of(const Sweep& sweep) {
  std::size_t values = 1 + sweep.set.size();
  for (const SweepAxis& axis : sweep.axes) values += axis.values.size();
  std::size_t loads = 0;
  for (const SweepScenario& scenario : sweep.scenarios) {
    const bool large = scenario.file.string().find("clos") != std::string::npos;
    loads += (large ? max_loads : values) * std::max<std::size_t>(1, sweep.workloads.size());
  }
  return loads;
}

void check_points(const Sweep& sweep) {
  require(sweep.points != 0, "a sweep without points");
  for (const std::uint64_t index : {std::uint64_t{0}, sweep.points / 2, sweep.points - 1}) {
    const SweepPoint point = sweep_point(sweep, index);
    require(point.index == index && point.scenario < sweep.scenarios.size() &&
                point.values.size() == sweep.axes.size(),
            "a point that is not of its sweep");
    require(overrides_of(sweep, point).size() >= sweep.set.size(), "a point without its settings");
  }
}

}  // namespace

void read_sweep(std::string_view input) {
  const std::filesystem::path file = Scratch::folder().file("sweep.toml", input);
  static_cast<void>(taken([&] {
    const Sweep sweep = load_sweep(file);
    check_points(sweep);
    if (sweep.size) check_points(size_search(sweep));
    if (loads_of(sweep) > max_loads) return;
    require(sweep_digest(sweep) == sweep_digest(sweep), "the same sweep has two digests");
    check_sweep(sweep);
  }));
}

}  // namespace weir::fuzz
