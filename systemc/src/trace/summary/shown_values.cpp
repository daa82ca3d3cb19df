// SPDX-License-Identifier: Apache-2.0
#include "shown_values.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t points_shown =
    100'000;  // of all values together: a browser draws them at once

const WredProfile* wred_profile(const Chip& chip, QueueIndex queue) {
  if (chip.wred_profiles.empty() || !chip.wred_of_queue[queue]) return nullptr;
  return &chip.wred_profiles[*chip.wred_of_queue[queue]];
}

// The limit T falls as S rises: T is smallest where S is largest. Of constant stretches one point
// is enough.
std::vector<SeriesPoint> limit_points(const Threshold& threshold,
                                      const std::vector<SeriesPoint>& pool) {
  const auto at = [&](std::uint32_t shared) { return threshold.at(Cells{shared}).count(); };
  std::vector<SeriesPoint> points;
  std::uint32_t before = at(0);
  for (const SeriesPoint& point : pool) {
    const SeriesPoint limit{point.bucket, at(point.most), at(point.least), at(point.last)};
    if (points.empty() || limit.least != before || limit.most != before) points.push_back(limit);
    before = limit.last;
  }
  return points;
}

// The sum of several values at the end of each bucket in which one of them changed.
class SumOverTime {
 public:
  explicit SumOverTime(unsigned halvings) : halvings_{halvings} {}
  void add(const BoundedSeries& series, std::size_t value) {
    if (!series.was_set(value)) return;
    changes_.resize(BoundedSeries::max_buckets + 1);
    std::int64_t before = 0;
    series.for_each_point(value, [&](const SeriesPoint& point) {
      changes_[point.bucket >> halvings_] += std::int64_t{point.last} - before;
      before = point.last;
    });
  }
  [[nodiscard]] std::vector<SeriesPoint> points() const {
    std::vector<SeriesPoint> points;
    std::int64_t sum = 0;
    for (std::size_t bucket = 0; bucket < changes_.size(); ++bucket) {
      if (changes_[bucket] == 0) continue;
      sum += changes_[bucket];
      const auto value = static_cast<std::uint32_t>(sum);
      points.push_back({static_cast<std::uint32_t>(bucket), value, value, value});
    }
    return points;
  }

 private:
  const unsigned halvings_;            // of the buckets of what is added
  std::vector<std::int64_t> changes_;  // of each bucket
};

}  // namespace

std::string group_name(PgIndex pg) {
  return "port[" + std::to_string(port_of(pg).count()) + "].pg[" +
         std::to_string(number_in_port(pg).count()) + "]";
}

std::string queue_name(QueueIndex queue) {
  return "port[" + std::to_string(port_of(queue).count()) + "].queue[" +
         std::to_string(number_in_port(queue).count()) + "]";
}

std::string pool_name(const Chip& chip, PoolIndex pool) {
  return chip.ingress_pools[pool_number(chip, pool)].name + ", domain " +
         std::to_string(domain_of(chip, pool).count());
}

ShownValues::ShownValues(const HistoryRecord& record, Picoseconds end)
    : record_{record}, width_{record.series_.width().count()} {
  while (BoundedSeries::max_buckets * width_ < end.count()) {
    width_ *= 2;
    ++halvings_;
  }
  collect_pools();
  collect_groups();
  collect_queues();
  collect_holders();
  while (points_shown < points()) {
    width_ *= 2;
    for (ShownValue& value : values_) BoundedSeries::merge_buckets(value.points, 1);
  }
}

std::size_t ShownValues::points() const {
  std::size_t sum = 0;
  for (const ShownValue& value : values_) sum += value.points.size();
  return sum;
}

template <class More>
void ShownValues::collect(const std::string& node, const char* kind, std::string name,
                          std::size_t series, More&& more) {
  std::vector<SeriesPoint> points = record_.series_.points(series, halvings_);
  if (points.empty()) return;
  values_.push_back({&node, kind, std::move(name), std::forward<More>(more), std::move(points)});
}

void ShownValues::collect_pools() {
  for (const auto& place : record_.pools_to_show()) {
    const RecordedNode& node = record_.nodes_[place.node];
    const Chip& chip = node.spec->chip;
    const Pool& pool = chip.ingress_pools[pool_number(chip, place.pool)];
    const std::string name = pool_name(chip, place.pool);
    const auto limit = [](Cells cells) {
      return [cells](JsonTreeWriter& json) { json.add("limit_cells", cells.count()); };
    };
    collect(node.spec->name, "pool", name, node.pools + place.pool.value(), limit(pool.shared));
    collect(node.spec->name, "pool_headroom", name, node.pool_headroom + place.pool.value(),
            limit(pool.dedicated_headroom ? Cells{0} : pool.headroom));
  }
}

void ShownValues::collect_groups() {
  for (const auto& place : record_.groups_to_show()) {
    const RecordedNode& node = record_.nodes_[place.node];
    const Chip& chip = node.spec->chip;
    const PgSettings& settings = node.mmu->settings_of(place.pg);
    const std::string limit = "T_" + chip.profiles[*chip.profile_of_pg[place.pg]].name +
                              ", domain " +
                              std::to_string(node.mmu->domain_of_pg(place.pg).count());
    collect(node.spec->name, "group", group_name(place.pg), node.shared + place.pg.value(),
            [limit, lossless = settings.lossless](JsonTreeWriter& json) {
              json.add("limit", limit);
              json.add("lossless", lossless);
            });
    collect(node.spec->name, "headroom", group_name(place.pg), node.headroom + place.pg.value(),
            [eta = settings.headroom_limit](JsonTreeWriter& json) {
              json.add("limit_cells", eta.count());
            });
    collect_limit(node.spec->name, limit, settings.threshold,
                  node.pools + settings.pool_domain.value());
  }
}

void ShownValues::collect_queues() {
  for (const auto& place : record_.queues_to_show()) {
    const RecordedNode& node = record_.nodes_[place.node];
    const Chip& chip = node.spec->chip;
    collect(node.spec->name, "queue", queue_name(place.queue), record_.queues_[place.number].series,
            [&chip, profile = wred_profile(chip, place.queue)](JsonTreeWriter& json) {
              json.add("cell_bytes", chip.cell.count());
              if (!profile) return;
              json.add("profile", profile->name);
              json.add("min_cells", profile->min.count());
              json.add("max_cells", profile->max.count());
            });
  }
}

// Cells of a pool by holder: bands that add up to all of them.
void ShownValues::collect_holders() {
  for (const auto& place : record_.pools_to_show()) {
    const RecordedNode& node = record_.nodes_[place.node];
    SumOverTime private_cells{halvings_};
    private_cells.add(record_.series_, node.pool_private + place.pool.value());
    collect_band(node, place.pool, "private, all classes", private_cells.points());
    for (std::size_t n = 0; n < priorities; ++n) {
      collect_class(node, place.pool, n, "shared", node.shared);
      collect_class(node, place.pool, n, "headroom", node.headroom);
    }
  }
}

void ShownValues::collect_class(const RecordedNode& node, PoolIndex pool, std::size_t number,
                                const char* what, std::size_t series) {
  SumOverTime sum{halvings_};
  bool lossless = false;
  for (std::size_t port = 0; port < node.spec->chip.ports.size(); ++port) {
    const PgIndex pg = pg_index(port_id(port), priority_id(number));
    if (!node.mmu->has_profile(pg) || node.mmu->settings_of(pg).pool_domain != pool) continue;
    lossless = lossless || node.mmu->settings_of(pg).lossless;
    sum.add(record_.series_, series + pg.value());
  }
  collect_band(node, pool,
               "PG " + std::to_string(number) + (lossless ? " lossless, " : " lossy, ") + what,
               sum.points());
}

void ShownValues::collect_band(const RecordedNode& node, PoolIndex pool, const std::string& band,
                               std::vector<SeriesPoint> points) {
  if (points.empty()) return;
  const Chip& chip = node.spec->chip;
  values_.push_back({&node.spec->name, "band", pool_name(chip, pool),
                     [band, cell = chip.cell](JsonTreeWriter& json) {
                       json.add("band", band);
                       json.add("cell_bytes", cell.count());
                     },
                     std::move(points)});
}

// T is kept once for all priority groups of a profile and domain.
void ShownValues::collect_limit(const std::string& node, const std::string& name,
                                const Threshold& threshold, std::size_t series) {
  constexpr std::string_view kind = "limit";
  for (const ShownValue& value : values_)
    if (value.kind == kind && *value.node == node && value.name == name) return;
  values_.push_back({&node, kind.data(), name,
                     [cells = threshold.at(Cells{0})](JsonTreeWriter& json) {
                       json.add("at_start_cells", cells.count());
                     },
                     limit_points(threshold, record_.series_.points(series, halvings_))});
}

}  // namespace weir
