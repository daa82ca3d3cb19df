// SPDX-License-Identifier: Apache-2.0
// report.json; its fields are described in docs/guide/report.md.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "history_record.hpp"
#include "json_text.hpp"
#include "weir/config/scenario/headroom_need.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/version.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {
namespace {

// More than a screen has columns, and what a browser still draws at once.
constexpr std::size_t points_shown = 100'000;  // of all values together
constexpr std::uint64_t buckets_shown = 4096;
constexpr std::size_t xoffs_shown = 1'000, pools_at_xoff_shown = 16, holders_shown = 24;

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
  void add(const BoundedSeries& series, std::size_t value) {
    if (!series.touched(value)) return;
    const std::size_t end = std::size_t{series.last_bucket(value)} + 1;
    if (changes_.size() < end) {
      changes_.resize(end);
      changed_.resize(end / word_bits + 1);
    }
    std::int64_t before = 0;
    series.for_each_point(value, [&](const SeriesPoint& point) {
      changes_[point.bucket] += std::int64_t{point.last} - before;
      changed_[point.bucket / word_bits] |= std::uint64_t{1} << point.bucket % word_bits;
      before = point.last;
    });
  }
  [[nodiscard]] std::vector<SeriesPoint> points() const {
    std::vector<SeriesPoint> points;
    std::int64_t sum = 0;
    for (std::size_t word = 0; word < changed_.size(); ++word)
      for (std::uint64_t left = changed_[word]; left != 0; left &= left - 1) {
        const std::size_t bucket = word * word_bits + lowest_bit(left);
        if (changes_[bucket] == 0 && !points.empty()) continue;
        sum += changes_[bucket];
        const auto value = static_cast<std::uint32_t>(sum);
        points.push_back({static_cast<std::uint32_t>(bucket), value, value, value});
      }
    return points;
  }

 private:
  static constexpr std::size_t word_bits = 64;
  std::vector<std::int64_t> changes_;   // of each bucket
  std::vector<std::uint64_t> changed_;  // a bit for each bucket
};

// Each point against the one before: bucket later, last higher, least below last, most above last.
void add_points(JsonText& json, const std::vector<SeriesPoint>& points) {
  json.add_numbers("points", [&](const auto& add) {
    std::uint32_t bucket = 0;
    std::int64_t last = 0;
    for (const SeriesPoint& point : points) {
      add(point.bucket - bucket);
      add(std::int64_t{point.last} - last);
      add(std::max(point.last, point.least) - point.least);
      add(point.most - std::min(point.last, point.most));
      bucket = point.bucket;
      last = point.last;
    }
  });
}

}  // namespace

/// The texts of report.json, part by part.
class HistoryJson {
 public:
  HistoryJson(const HistoryRecord& record, const Summary& summary)
      : record_{record}, summary_{summary} {}

  [[nodiscard]] ReportText written(const std::vector<ConfiguredValue>& configuration) {
    collect();
    const std::string before = part([&](JsonText& json) {
      json.add("version", version);
      add_configuration(json, configuration);
    });
    const std::string middle = part([&](JsonText& json) {
      add_pauses(json);
      add_traffic(json);
    });
    const std::string after = part([&](JsonText& json) {
      add_propagation(json);
      add_headroom(json);
      add_bursts(json);
      add_first_xoffs(json);
      add_drops(json);
      add_latency(json);
      add_completions(json);
      add_watchdogs(json);
    });
    const std::string rates = part([&](JsonText& json) { add_rates(json, true); });
    const std::string no_charts = part([&](JsonText& json) { add_occupancy(json, false); });
    const std::string no_rates = part([&](JsonText& json) { add_rates(json, false); });
    // The largest part, which is in two of the texts; it is copied once.
    JsonText json{JsonLayout::compact};
    constexpr std::size_t letters = 12;  // of a point, about
    json.reserve(points() * letters + rates.size());
    std::string charts = std::move(json).object([&] { add_occupancy(json, true); });
    const std::string_view occupancy{charts.data() + 1, charts.size() - 2};
    std::string file = joined({before, occupancy, middle, rates, after});
    file += '\n';
    charts.back() = ',';
    charts += rates;
    charts += '}';
    return {std::move(file), joined({before, no_charts, middle, no_rates, after}),
            std::move(charts)};
  }

 private:
  using RecordedNode = HistoryRecord::Node;

  /// A value over time, with what is said of it.
  struct Value {
    const std::string* node;
    const char* kind;
    std::string name;
    std::function<void(JsonText&)> add_more;
    std::vector<SeriesPoint> points;
  };

  // An object of members that are written already, with room for a newline.
  [[nodiscard]] static std::string joined(std::initializer_list<std::string_view> parts) {
    std::size_t size = 2;
    for (const std::string_view part : parts) size += part.size() + 1;
    std::string text;
    text.reserve(size);
    for (const std::string_view part : parts) {
      text += text.empty() ? '{' : ',';
      text += part;
    }
    text += '}';
    return text;
  }
  template <class Members>
  [[nodiscard]] static std::string part(Members&& members) {
    JsonText json{JsonLayout::compact};
    return std::move(json).part([&] { members(json); });
  }

  static void add_configuration(JsonText& json, const std::vector<ConfiguredValue>& configuration) {
    json.add_list("configuration", configuration, [&](const ConfiguredValue& value) {
      json.add_elements([&] {
        json.add_element(value.key);
        json.add_element(value.value);
        json.add_element(value.source);
      });
    });
  }

  // Takes the values, in the order of report.json, and makes them as coarse as they are shown.
  void collect() {
    width_ = record_.series_.width().count();
    while (buckets_shown * width_ < summary_.time.count()) {
      width_ *= 2;
      ++halvings_;
    }
    collect_pools();
    collect_groups();
    collect_queues();
    collect_holders();
    while (points_shown < points()) {
      width_ *= 2;
      for (Value& value : values_) BoundedSeries::merge_buckets(value.points, 1);
    }
  }
  void add_occupancy(JsonText& json, bool with_points) const {
    json.add_object("occupancy", [&] {
      json.add("bucket_ps", width_);
      json.add("end_ps", summary_.time.count());
      json.add_list("values", values_, [&](const Value& value) {
        json.add_object([&] {
          json.add("switch", *value.node);
          json.add("kind", value.kind);
          json.add("name", value.name);
          value.add_more(json);
          if (with_points) add_points(json, value.points);
        });
      });
    });
  }

  void add_pauses(JsonText& json) const {
    std::vector<const PausedClass*> paused;
    for (const PausedClass& entry : record_.pauses.paused()) paused.push_back(&entry);
    std::sort(paused.begin(), paused.end(), [](const PausedClass* a, const PausedClass* b) {
      return std::tie(a->end, a->priority) < std::tie(b->end, b->priority);
    });
    const std::uint64_t width = record_.pauses.bin_width().count();
    json.add_object("pauses", [&] {
      json.add("bin_ps", width);
      json.add_list("rows", paused, [&](const PausedClass* entry) {
        const LinkEndInfo& end = record_.pauses.ends()[entry->end];
        json.add_object([&] {
          json.add("end", end.label());
          json.add("node", end.node);
          json.add("class", entry->priority.count());
          json.add("paused_ps", entry->total().count());
          json.add_list("bins", entry->bins, [&](Picoseconds bin) {
            // Per mille of the bin, rounded up.
            json.add_element(bin.count() == 0 ? 0 : (bin.count() * 1000 + width - 1) / width);
          });
        });
      });
    });
  }

  // Of a scenario with [monitor]: how busy each link end was, in per mille of its rate, and how
  // many frames were in each egress queue.
  void add_traffic(JsonText& json) const {
    const TrafficHistory& traffic = record_.traffic;
    json.add_object("traffic", [&] {
      json.add("bin_ps", traffic.bin_width().count());
      json.add_elements("links", [&] { add_links(json); });
      json.add_list("queues", traffic.depths(summary_.time), [&](const auto& depth) {
        const auto& [place, frames] = depth;
        const std::string port = "port[" + std::to_string(std::get<1>(place)) + "]";
        json.add_object([&, &frames = frames, &place = place] {
          json.add("queue", std::get<0>(place) + "." + port);
          json.add("class", std::get<2>(place));
          json.add("most_frames", *std::max_element(frames.begin(), frames.end()));
          json.add_list("bins", frames, [&](std::uint64_t bin) { json.add_element(bin); });
        });
      });
    });
  }
  void add_links(JsonText& json) const {
    const TrafficHistory& traffic = record_.traffic;
    const LinkEnds& ends = record_.pauses.ends();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto sent = traffic.sent().find({ends[i].node, ends[i].port.count()});
      if (sent == traffic.sent().end()) continue;
      const std::uint64_t capacity =
          std::max<std::uint64_t>(1, traffic.bin_width().count() / byte_time(ends[i].rate).count());
      std::uint64_t sum = 0;
      for (const std::uint64_t bytes : sent->second) sum += bytes;
      json.add_object([&] {
        json.add("end", ends[i].label());
        json.add("rate_bps", ends[i].rate.count());
        json.add("wire_bytes", sum);
        json.add_list("bins", sent->second, [&](std::uint64_t bytes) {
          json.add_element(std::min<std::uint64_t>(1000, (bytes * 1000 + capacity - 1) / capacity));
        });
      });
    }
  }

  // Of a scenario with [monitor]: R_C of the connections that are cut most.
  void add_rates(JsonText& json, bool with_points) const {
    json.add_object("rates", [&] {
      json.add("bucket_ps", record_.rates.bucket_width().count());
      json.add("end_ps", summary_.time.count());
      json.add_list("values", record_.rates.busiest(),
                    [&](const RateHistory::Connection* connection) {
                      json.add_object([&] {
                        json.add("receiver", connection->receiver);
                        json.add("name", connection->name);
                        json.add("cnps", connection->cnps);
                        json.add("at_start_mbps", connection->at_start);
                        if (with_points) add_points(json, record_.rates.points(*connection));
                      });
                    });
    });
  }

  void add_propagation(JsonText& json) const {
    const LinkEnds& ends = record_.pauses.ends();
    json.add_list("propagation", record_.pauses.flows(), [&](const auto& entry) {
      const auto& [key, flow] = entry;
      const LinkEndInfo& from = ends[key.first];
      json.add_object([&, &flow = flow, &key = key] {
        json.add("from", from.node);
        json.add("to", ends[from.peer].node);
        json.add("end", from.label());
        json.add("paused", ends[from.peer].label());
        json.add("class", key.second);
        json.add("frames", flow.frames);
        json.add("starts", flow.starts);
        json.add("origins", flow.origins);
        json.add("first_ps", flow.first.count());
        json.add("paused_ps", record_.pauses.paused_time(from.peer, key.second).count());
        json.add_list("because", flow.because, [&](const auto& cause) {
          const auto& [end, times] = cause;
          json.add_object([&, end = end, times = times] {
            json.add("end", ends[end].label());
            json.add("by", ends[ends[end].peer].node);
            json.add("starts", times);
          });
        });
      });
    });
  }

  void add_headroom(JsonText& json) const {
    json.add_elements("headroom", [&] {
      for (std::size_t number = 0; number < record_.nodes_.size(); ++number)
        for (const auto& [profile, use] : record_.nodes_[number].headroom_use)
          json.add_object([&, profile = profile, &use = use] {
            const SwitchSpec& node = *record_.nodes_[number].spec;
            json.add("switch", node.name);
            json.add("profile", node.chip.profiles[profile].name);
            json.add("cell_bytes", node.chip.cell.count());
            json.add("limit_cells", use.limit.count());
            json.add("times", use.times);
            json.add("most_cells", use.by_peak.rbegin()->first.count());
            json.add_list("by_peak", use.by_peak, [&](const auto& peak) {
              json.add_elements([&] {
                json.add_element(peak.first.count());
                json.add_element(peak.second);
              });
            });
            if (const auto needed = headroom_needed(record_.scenario_, number, profile))
              json.add("needed_cells", needed->count());
          });
    });
  }

  // How much of the bursts that came for them the deepest egress queues held.
  void add_bursts(JsonText& json) const {
    json.add_object("bursts", [&] {
      json.add("queue_count", record_.queues_.size());
      json.add_list("deepest", record_.queues_to_show(), [&](const HistoryRecord::QueuePlace& at) {
        json.add_object([&] { add(json, at, record_.queues_[at.number].bursts); });
      });
    });
  }
  void add(JsonText& json, const HistoryRecord::QueuePlace& at, const QueueBursts& queue) const {
    json.add("switch", record_.nodes_[at.node].spec->name);
    json.add("name", queue_name(at.queue));
    json.add("bursts", queue.bursts());
    json.add("absorbed", queue.absorbed());
    json.add("most_absorbed_bytes", queue.most_absorbed().count());
    json.add_object("largest", [&] {
      const QueueBurst& largest = queue.largest();
      json.add("from_ps", largest.from.count());
      json.add("until_ps", largest.until.count());
      json.add("came_bytes", largest.came.count());
      json.add("held_bytes", largest.held.count());
      json.add("came_by_then_bytes", largest.came_by_then.count());
      json.add("refused_bytes", largest.refused.count());
      json.add("xoffs", largest.xoffs);
    });
  }

  // Who held each pool at the first XOFF of its groups, and T of each group at its own first.
  void add_first_xoffs(JsonText& json) const {
    json.add_object("first_xoffs", [&] {
      json.add_elements("pools", [&] {
        std::size_t shown = 0;
        for (const RecordedNode& node : record_.nodes_)
          for (const PoolAtXoff& pool : node.pools_at_xoff)
            if (++shown <= pools_at_xoff_shown) json.add_object([&] { add(json, node, pool); });
      });
      json.add_elements("groups", [&] {
        std::size_t shown = 0;
        for (const RecordedNode& node : record_.nodes_)
          for (const FirstXoff& first : node.first_xoffs)
            if (++shown <= xoffs_shown) json.add_object([&] { add(json, node, first); });
      });
    });
  }
  static void add_held(JsonText& json, const Placement& held) {
    json.add_object("held", [&] {
      json.add("private_cells", held.private_cells.count());
      json.add("shared_cells", held.shared.count());
      json.add("headroom_cells", held.headroom.count());
    });
  }
  static void add(JsonText& json, const RecordedNode& node, const FirstXoff& first) {
    json.add("switch", node.spec->name);
    json.add("name", group_name(first.pg));
    json.add("time_ps", first.time.count());
    json.add("threshold_cells", first.threshold.count());
    add_held(json, first.held);
    json.add("cell_bytes", node.spec->chip.cell.count());
  }
  static void add(JsonText& json, const RecordedNode& node, const PoolAtXoff& pool) {
    const Chip& chip = node.spec->chip;
    json.add("switch", node.spec->name);
    json.add("name", pool_name(chip, pool.pool));
    json.add("limit_cells", chip.ingress_pools[pool_number(chip, pool.pool)].shared.count());
    json.add_object("first", [&] { add(json, node, pool.first); });
    add_held(json, {pool.use.private_cells, pool.use.shared, pool.use.headroom});
    json.add("holder_count", pool.holders.size());
    json.add_elements("holders", [&] {
      for (std::size_t i = 0; i < std::min(pool.holders.size(), holders_shown); ++i)
        json.add_object([&] {
          json.add("name", group_name(pool.holders[i].first));
          add_held(json, pool.holders[i].second);
        });
    });
  }

  void add_drops(JsonText& json) const {
    json.add_list("drops", record_.drops_, [&](const auto& entry) {
      const auto& [key, count] = entry;
      json.add_object([&, &key = key, &count = count] {
        json.add("switch", record_.name_of(std::get<0>(key)));
        json.add("port", std::get<1>(key));
        json.add("priority", std::get<2>(key));
        json.add("reason", std::get<3>(key));
        json.add("packets", count.packets);
        json.add("bytes", count.bytes);
        json.add("first_ps", count.first.count());
        json.add("last_ps", count.last.count());
      });
    });
  }

  // Number and count of each bucket of class Latency that has any.
  static void add_buckets(JsonText& json, std::string_view name, const Latency& latency) {
    json.add_elements(name, [&] {
      for (std::size_t i = 0; i < latency.buckets().size(); ++i)
        if (latency.buckets()[i] != 0)
          json.add_elements([&] {
            json.add_element(latency.first_bucket() + i);
            json.add_element(latency.buckets()[i]);
          });
    });
  }

  // Of every priority: all hosts together; a bucket is a number of class Latency.
  void add_latency(JsonText& json) const {
    std::array<Latency, priorities> all{};
    for (const HostSummary& host : summary_.hosts)
      for (const HostClassSummary& entry : host.classes)
        all[entry.priority.count()].merge(entry.latency);
    json.add_elements("latency", [&] {
      for (std::size_t n = 0; n < priorities; ++n) {
        if (all[n].packets == 0) continue;
        json.add_object([&] {
          json.add("priority", n);
          json.add("packets", all[n].packets);
          json.add("average_ps", all[n].average().count());
          json.add("p50_ps", all[n].percentile(500).count());
          json.add("p99_ps", all[n].percentile(990).count());
          json.add("p999_ps", all[n].percentile(999).count());
          json.add("longest_ps", all[n].longest.count());
          add_buckets(json, "buckets", all[n]);
        });
      }
    });
  }

  // Of every traffic entry with messages; the other figures are in the summary.
  void add_completions(JsonText& json) const {
    json.add_list("completions", summary_.completions, [&](const CompletionSummary& row) {
      json.add_object([&] {
        json.add("traffic", row.traffic);
        json.add("of", row.incasts ? "incasts" : "messages");
        add_buckets(json, "times", row.counts.done.times());
        add_buckets(json, "slowdowns", row.counts.done.ratios());
      });
    });
  }

  void add_watchdogs(JsonText& json) const {
    json.add_object("watchdogs", [&] {
      json.add("count", record_.watchdog_count_);
      json.add_list("first", record_.watchdog_acts_, [&](const WatchdogAct& act) {
        json.add_object([&] {
          json.add("time_ps", act.time.count());
          json.add("node", act.node);
          json.add("port", act.port.count());
          json.add_elements("classes", [&] {
            for (std::size_t n = 0; n < priorities; ++n)
              if ((act.classes >> n & 1U) != 0) json.add_element(n);
          });
          json.add("action", to_string(act.event));
        });
      });
    });
  }

  // What was made of values as they were recorded.
  [[nodiscard]] std::vector<SeriesPoint> merged(std::vector<SeriesPoint> points) const {
    BoundedSeries::merge_buckets(points, halvings_);
    return points;
  }
  [[nodiscard]] std::size_t points() const {
    std::size_t sum = 0;
    for (const Value& value : values_) sum += value.points.size();
    return sum;
  }
  template <class More>
  void collect(const std::string& node, const char* kind, std::string name, std::size_t series,
               More&& more) {
    std::vector<SeriesPoint> points = record_.series_.points(series, halvings_);
    if (points.empty()) return;
    values_.push_back({&node, kind, std::move(name), std::forward<More>(more), std::move(points)});
  }
  void collect_pools() {
    for (const auto& place : record_.pools_to_show()) {
      const RecordedNode& node = record_.nodes_[place.node];
      const Chip& chip = node.spec->chip;
      const Pool& pool = chip.ingress_pools[pool_number(chip, place.pool)];
      const std::string name = pool_name(chip, place.pool);
      const auto limit = [](Cells cells) {
        return [cells](JsonText& json) { json.add("limit_cells", cells.count()); };
      };
      collect(node.spec->name, "pool", name, node.pools + place.pool.value(), limit(pool.shared));
      collect(node.spec->name, "pool_headroom", name, node.pool_headroom + place.pool.value(),
              limit(pool.dedicated_headroom ? Cells{0} : pool.headroom));
    }
  }
  void collect_groups() {
    for (const auto& place : record_.groups_to_show()) {
      const RecordedNode& node = record_.nodes_[place.node];
      const Chip& chip = node.spec->chip;
      const PgSettings& settings = node.mmu->settings_of(place.pg);
      const std::string limit = "T_" + chip.profiles[*chip.profile_of_pg[place.pg]].name +
                                ", domain " +
                                std::to_string(node.mmu->domain_of_pg(place.pg).count());
      collect(node.spec->name, "group", group_name(place.pg), node.shared + place.pg.value(),
              [limit, lossless = settings.lossless](JsonText& json) {
                json.add("limit", limit);
                json.add("lossless", lossless);
              });
      collect(node.spec->name, "headroom", group_name(place.pg), node.headroom + place.pg.value(),
              [eta = settings.headroom_limit](JsonText& json) {
                json.add("limit_cells", eta.count());
              });
      collect_limit(node.spec->name, limit, settings.threshold,
                    node.pools + settings.pool_domain.value());
    }
  }
  void collect_queues() {
    for (const auto& place : record_.queues_to_show()) {
      const RecordedNode& node = record_.nodes_[place.node];
      const Chip& chip = node.spec->chip;
      collect(node.spec->name, "queue", queue_name(place.queue),
              record_.queues_[place.number].series,
              [&chip, profile = wred_profile(chip, place.queue)](JsonText& json) {
                json.add("cell_bytes", chip.cell.count());
                if (!profile) return;
                json.add("profile", profile->name);
                json.add("min_cells", profile->min.count());
                json.add("max_cells", profile->max.count());
              });
    }
  }
  // Who holds a pool: bands that add up to all of it.
  void collect_holders() {
    for (const auto& place : record_.pools_to_show()) {
      const RecordedNode& node = record_.nodes_[place.node];
      collect_band(node, place.pool, "private, all classes",
                   record_.series_.points(node.pool_private + place.pool.value(), halvings_));
      for (std::size_t n = 0; n < priorities; ++n) {
        collect_class(node, place.pool, n, "shared", node.shared);
        collect_class(node, place.pool, n, "headroom", node.headroom);
      }
    }
  }
  void collect_class(const RecordedNode& node, PoolIndex pool, std::size_t number, const char* what,
                     std::size_t series) {
    SumOverTime sum;
    bool lossless = false;
    for (std::size_t port = 0; port < node.spec->chip.ports.size(); ++port) {
      const PgIndex pg = pg_index(PortId{static_cast<PortId::rep>(port)},
                                  Priority{static_cast<Priority::rep>(number)});
      if (!node.mmu->has_profile(pg) || node.mmu->settings_of(pg).pool_domain != pool) continue;
      lossless = lossless || node.mmu->settings_of(pg).lossless;
      sum.add(record_.series_, series + pg.value());
    }
    collect_band(node, pool,
                 "PG " + std::to_string(number) + (lossless ? " lossless, " : " lossy, ") + what,
                 merged(sum.points()));
  }
  void collect_band(const RecordedNode& node, PoolIndex pool, const std::string& band,
                    std::vector<SeriesPoint> points) {
    const bool empty = std::all_of(points.begin(), points.end(),
                                   [](const SeriesPoint& point) { return point.most == 0; });
    if (empty) return;
    const Chip& chip = node.spec->chip;
    values_.push_back({&node.spec->name, "band", pool_name(chip, pool),
                       [band, cell = chip.cell](JsonText& json) {
                         json.add("band", band);
                         json.add("cell_bytes", cell.count());
                       },
                       std::move(points)});
  }
  // T is kept once for all priority groups of a profile and domain.
  void collect_limit(const std::string& node, const std::string& name, const Threshold& threshold,
                     std::size_t series) {
    constexpr std::string_view kind = "limit";
    for (const Value& value : values_)
      if (value.kind == kind && *value.node == node && value.name == name) return;
    values_.push_back({&node, kind.data(), name,
                       [cells = threshold.at(Cells{0})](JsonText& json) {
                         json.add("at_start_cells", cells.count());
                       },
                       merged(limit_points(threshold, record_.series_.points(series)))});
  }

  const HistoryRecord& record_;
  const Summary& summary_;
  std::vector<Value> values_;
  std::uint64_t width_{0};  // of a bucket of the values
  unsigned halvings_{0};    // of those that were recorded
};

ReportText HistoryRecord::finish(const Summary& summary,
                                 const std::vector<ConfiguredValue>& configuration) {
  pauses.finish(summary.time);
  for (Node& node : nodes_)
    for (PgIndex pg; pg < node.episode_peak.end_index(); ++pg) end_episode(node, pg);
  for (Queue& queue : queues_) queue.bursts.finish(summary.time);
  return HistoryJson{*this, summary}.written(configuration);
}

}  // namespace weir
