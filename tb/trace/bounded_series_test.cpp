// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/bounded_series.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace weir::bounded_series_test {
namespace {

using Points = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>;

Points points_of(const BoundedSeries& series, std::size_t value) {
  Points points;
  series.for_each_point(value, [&](const SeriesPoint& point) {
    points.emplace_back(point.bucket, point.least, point.most, point.last);
  });
  return points;
}

struct Change {
  std::uint64_t time, ahead;
  std::size_t value;
  std::uint32_t now;
};

// Times ascend and end early, late, or not at all before the end of the run. Some changes are known
// ahead of their time.
std::vector<Change> drawn_changes(std::uint64_t end, std::size_t values) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 2000);
  const auto longest = *rc::gen::inRange<std::uint64_t>(1, 2 + end / 500);
  std::vector<Change> changes;
  std::uint64_t time = 0;
  for (std::size_t i = 0; i < count && time < end; ++i) {
    const bool known_ahead = *rc::gen::inRange(0, 8) == 0;
    changes.push_back({time, known_ahead ? *rc::gen::inRange<std::uint64_t>(1, 4 * longest) : 0,
                       *rc::gen::inRange<std::size_t>(0, values),
                       *rc::gen::inRange<std::uint32_t>(0, 100)});
    time += *rc::gen::inRange<std::uint64_t>(0, longest);
  }
  return changes;
}

void record(BoundedSeries& series, const Change& change) {
  if (change.ahead != 0)
    return series.set_at(change.value, change.now, Picoseconds{change.time + change.ahead});
  series.move_to(Picoseconds{change.time});
  series.set(change.value, change.now);
}

// The order of the parts and how values are shared among them do not matter either.
RC_GTEST_PROP(BoundedSeries, PartsPutTogetherHaveTheBucketsAndPointsOfTheWhole, ()) {
  const auto end = *rc::gen::inRange<std::uint64_t>(1, 100'000'000);
  const auto values = *rc::gen::inRange<std::size_t>(1, 20);
  const auto parts = *rc::gen::inRange<std::size_t>(1, 5);
  const auto budget = *rc::gen::inRange<std::size_t>(1, 1500);
  const std::vector<Change> changes = drawn_changes(end, values);
  std::vector<BoundedSeries> all(parts + 1, BoundedSeries{Picoseconds{end}, budget});
  for (BoundedSeries& series : all) series.add(values);
  BoundedSeries& whole = all.back();
  for (const Change& change : changes) {
    record(whole, change);
    record(all[change.value % parts], change);
  }
  BoundedSeries& first = all.front();
  for (std::size_t value = 0; value < values; ++value) {
    const BoundedSeries& owner = all[value % parts];
    if (&owner != &first) first.take(value, owner.points(value, 0), owner.width());
  }
  RC_ASSERT(first.width() == whole.width());
  for (std::size_t value = 0; value < values; ++value)
    RC_ASSERT(points_of(first, value) == points_of(whole, value));
  RC_CLASSIFY(changes.size() > budget, "more changes than the budget");
}

}  // namespace
}  // namespace weir::bounded_series_test
