// SPDX-License-Identifier: Apache-2.0
// report.json; its fields are described in docs/guide/report.md.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "history_record.hpp"
#include "weir/core/version.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

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
  void add(const std::vector<SeriesPoint>& points) {
    std::int64_t before = 0;
    for (const SeriesPoint& point : points) {
      changes_[point.bucket] += std::int64_t{point.last} - before;
      before = point.last;
    }
  }
  [[nodiscard]] std::vector<SeriesPoint> points() const {
    std::vector<SeriesPoint> points;
    std::int64_t sum = 0;
    for (const auto& [bucket, change] : changes_) {
      if (change == 0 && !points.empty()) continue;
      sum += change;
      const auto value = static_cast<std::uint32_t>(sum);
      points.push_back({bucket, value, value, value});
    }
    return points;
  }

 private:
  std::map<std::uint32_t, std::int64_t> changes_;
};

// Each point against the one before: bucket later, last higher, least below last, most above last.
Json coded(const std::vector<SeriesPoint>& points) {
  Json list = Json::array();
  std::int64_t bucket = 0, last = 0;
  for (const SeriesPoint& point : points) {
    list.push_back(point.bucket - bucket);
    list.push_back(std::int64_t{point.last} - last);
    list.push_back(std::max(point.last, point.least) - point.least);
    list.push_back(point.most - std::min(point.last, point.most));
    bucket = point.bucket;
    last = point.last;
  }
  return list;
}

}  // namespace

class HistoryJson {
 public:
  explicit HistoryJson(const HistoryRecord& record) : record_{record} {}

  Json occupancy(Picoseconds time) {
    add_pools();
    add_groups();
    add_queues();
    add_holders();
    std::uint64_t width = record_.series_.width().count();
    while (points_shown < points() || buckets_shown * width < time.count()) {
      width *= 2;
      for (Value& value : values_) value.points = BoundedSeries::halved(value.points);
    }
    Json list = Json::array();
    for (Value& value : values_) {
      value.fields["points"] = coded(value.points);
      list.push_back(std::move(value.fields));
    }
    return {{"bucket_ps", width}, {"end_ps", time.count()}, {"values", std::move(list)}};
  }

  [[nodiscard]] Json pauses() const {
    Json rows = Json::array();
    std::vector<PausedClass> paused = record_.pauses.paused();
    std::sort(paused.begin(), paused.end(), [](const PausedClass& a, const PausedClass& b) {
      return std::tie(a.end, a.priority) < std::tie(b.end, b.priority);
    });
    for (const PausedClass& entry : paused) {
      const LinkEndInfo& end = record_.pauses.ends()[entry.end];
      Json bins = Json::array();
      for (const Picoseconds bin : entry.bins)  // per mille of the bin, rounded up
        bins.push_back((bin.count() * 1000 + record_.pauses.bin_width().count() - 1) /
                       record_.pauses.bin_width().count());
      rows.push_back({{"end", end.label()},
                      {"node", end.node},
                      {"class", entry.priority.count()},
                      {"paused_ps", entry.total().count()},
                      {"bins", std::move(bins)}});
    }
    return {{"bin_ps", record_.pauses.bin_width().count()}, {"rows", std::move(rows)}};
  }

  // Of a scenario with [monitor]: how busy each link end was, in per mille of its rate, and how
  // many frames were in each egress queue.
  [[nodiscard]] Json traffic() const {
    const TrafficHistory& traffic = record_.traffic;
    const LinkEnds& ends = record_.pauses.ends();
    Json links = Json::array(), queues = Json::array();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto sent = traffic.sent().find({ends[i].node, ends[i].port.count()});
      if (sent == traffic.sent().end()) continue;
      const std::uint64_t capacity =
          std::max<std::uint64_t>(1, traffic.bin_width().count() / byte_time(ends[i].rate).count());
      std::uint64_t sum = 0;
      Json bins = Json::array();
      for (const std::uint64_t bytes : sent->second) {
        sum += bytes;
        bins.push_back(std::min<std::uint64_t>(1000, (bytes * 1000 + capacity - 1) / capacity));
      }
      links.push_back({{"end", ends[i].label()},
                       {"rate_bps", ends[i].rate.count()},
                       {"wire_bytes", sum},
                       {"bins", std::move(bins)}});
    }
    for (const auto& [place, frames] : traffic.depths()) {
      const std::string port = "port[" + std::to_string(std::get<1>(place)) + "]";
      queues.push_back({{"queue", std::get<0>(place) + "." + port},
                        {"class", std::get<2>(place)},
                        {"most_frames", *std::max_element(frames.begin(), frames.end())},
                        {"bins", frames}});
    }
    return {{"bin_ps", traffic.bin_width().count()},
            {"links", std::move(links)},
            {"queues", std::move(queues)}};
  }

  // Of a scenario with [monitor]: R_C of the connections that are cut most.
  [[nodiscard]] Json rates(Picoseconds time) const {
    Json list = Json::array();
    for (const RateHistory::Connection* const connection : record_.rates.busiest())
      list.push_back({{"receiver", connection->receiver},
                      {"name", connection->name},
                      {"cnps", connection->cnps},
                      {"at_start_mbps", connection->at_start},
                      {"points", coded(record_.rates.points(*connection))}});
    return {{"bucket_ps", record_.rates.bucket_width().count()},
            {"end_ps", time.count()},
            {"values", std::move(list)}};
  }

  [[nodiscard]] Json propagation() const {
    const LinkEnds& ends = record_.pauses.ends();
    Json list = Json::array();
    for (const auto& [key, flow] : record_.pauses.flows()) {
      const LinkEndInfo& from = ends[key.first];
      Json because = Json::array();
      for (const auto& [end, times] : flow.because)
        because.push_back(
            {{"end", ends[end].label()}, {"by", ends[ends[end].peer].node}, {"starts", times}});
      list.push_back({{"from", from.node},
                      {"to", ends[from.peer].node},
                      {"end", from.label()},
                      {"paused", ends[from.peer].label()},
                      {"class", key.second},
                      {"frames", flow.frames},
                      {"starts", flow.starts},
                      {"origins", flow.origins},
                      {"first_ps", flow.first.count()},
                      {"paused_ps", paused_time(from.peer, key.second)},
                      {"because", std::move(because)}});
    }
    return list;
  }

  [[nodiscard]] Json headroom() const {
    Json list = Json::array();
    for (const auto& node : record_.nodes_)
      for (const auto& [profile, use] : node.headroom_use)
        list.push_back({{"switch", node.spec->name},
                        {"profile", use.profile},
                        {"limit_cells", use.limit.count()},
                        {"times", use.times},
                        {"most_cells", use.most.count()},
                        {"by_peak", use.by_peak}});
    return list;
  }

  // Who held each pool at the first XOFF of its groups, and T of each group at its own first.
  [[nodiscard]] Json first_xoffs() const {
    Json pools = Json::array(), groups = Json::array();
    for (const auto& node : record_.nodes_) {
      for (const FirstXoff& first : node.first_xoffs)
        if (groups.size() < xoffs_shown) groups.push_back(json_of(node, first));
      for (const PoolAtXoff& pool : node.pools_at_xoff)
        if (pools.size() < pools_at_xoff_shown) pools.push_back(json_of(node, pool));
    }
    return {{"pools", std::move(pools)}, {"groups", std::move(groups)}};
  }

  [[nodiscard]] Json drops() const {
    Json list = Json::array();
    for (const auto& [key, count] : record_.drops_)
      list.push_back({{"switch", record_.name_of(std::get<0>(key))},
                      {"port", std::get<1>(key)},
                      {"priority", std::get<2>(key)},
                      {"reason", std::string{std::get<3>(key)}},
                      {"packets", count.packets},
                      {"bytes", count.bytes},
                      {"first_ps", count.first.count()},
                      {"last_ps", count.last.count()}});
    return list;
  }

  // Number and count of each bucket of class Latency that has any.
  [[nodiscard]] static Json buckets_of(const Latency& latency) {
    Json buckets = Json::array();
    for (std::size_t i = 0; i < latency.buckets().size(); ++i)
      if (latency.buckets()[i] != 0) buckets.push_back({i, latency.buckets()[i]});
    return buckets;
  }

  // Of every traffic entry with messages; the other figures are in the summary.
  [[nodiscard]] static Json completions(const Summary& summary) {
    Json list = Json::array();
    for (const CompletionSummary& row : summary.completions)
      list.push_back({{"traffic", row.traffic},
                      {"of", row.incasts ? "incasts" : "messages"},
                      {"times", buckets_of(row.counts.done.times())},
                      {"slowdowns", buckets_of(row.counts.done.ratios())}});
    return list;
  }

  // Of every priority: all hosts together; a bucket is a number of class Latency.
  [[nodiscard]] static Json latency(const Summary& summary) {
    std::array<Latency, priorities> all{};
    for (const HostSummary& host : summary.hosts)
      for (const HostClassSummary& entry : host.classes)
        all[entry.priority.count()].merge(entry.latency);
    Json list = Json::array();
    for (std::size_t n = 0; n < priorities; ++n) {
      if (all[n].packets == 0) continue;
      list.push_back({{"priority", n},
                      {"packets", all[n].packets},
                      {"average_ps", all[n].average().count()},
                      {"p50_ps", all[n].percentile(500).count()},
                      {"p99_ps", all[n].percentile(990).count()},
                      {"p999_ps", all[n].percentile(999).count()},
                      {"longest_ps", all[n].longest.count()},
                      {"buckets", buckets_of(all[n])}});
    }
    return list;
  }

  [[nodiscard]] Json watchdogs() const {
    Json rows = Json::array();
    for (const WatchdogAct& act : record_.watchdog_acts_) {
      Json classes = Json::array();
      for (std::size_t n = 0; n < priorities; ++n)
        if ((act.classes >> n & 1U) != 0) classes.push_back(n);
      rows.push_back({{"time_ps", act.time.count()},
                      {"node", act.node},
                      {"port", act.port.count()},
                      {"classes", std::move(classes)},
                      {"action", std::string{to_string(act.event)}}});
    }
    return {{"count", record_.watchdog_count_}, {"first", std::move(rows)}};
  }

 private:
  using RecordedNode = HistoryRecord::Node;

  static Json json_of(const Placement& held) {
    return {{"private_cells", held.private_cells.count()},
            {"shared_cells", held.shared.count()},
            {"headroom_cells", held.headroom.count()}};
  }
  static Json json_of(const RecordedNode& node, const FirstXoff& first) {
    return {{"switch", node.spec->name},     {"name", group_name(first.pg)},
            {"time_ps", first.time.count()}, {"threshold_cells", first.threshold.count()},
            {"held", json_of(first.held)},   {"cell_bytes", node.spec->chip.cell.count()}};
  }
  static Json json_of(const RecordedNode& node, const PoolAtXoff& pool) {
    const Chip& chip = node.spec->chip;
    Json holders = Json::array();
    for (std::size_t i = 0; i < std::min(pool.holders.size(), holders_shown); ++i)
      holders.push_back(
          {{"name", group_name(pool.holders[i].first)}, {"held", json_of(pool.holders[i].second)}});
    return {
        {"switch", node.spec->name},
        {"name", pool_name(chip, pool.pool)},
        {"limit_cells", chip.ingress_pools[pool_number(chip, pool.pool)].shared.count()},
        {"first", json_of(node, pool.first)},
        {"held", json_of(Placement{pool.use.private_cells, pool.use.shared, pool.use.headroom})},
        {"holder_count", pool.holders.size()},
        {"holders", std::move(holders)}};
  }

  struct Value {
    Json fields;
    std::vector<SeriesPoint> points;
  };

  [[nodiscard]] std::size_t points() const {
    std::size_t sum = 0;
    for (const Value& value : values_) sum += value.points.size();
    return sum;
  }
  void add(const std::string& node, const char* kind, const std::string& name, std::size_t value,
           const Json& more) {
    const std::vector<SeriesPoint> points = record_.series_.points(value);
    if (points.empty()) return;
    Json fields{{"switch", node}, {"kind", kind}, {"name", name}};
    fields.update(more);
    values_.push_back({std::move(fields), points});
  }
  void add_pools() {
    for (const auto& place : record_.pools_to_show()) {
      const auto& node = record_.nodes_[place.node];
      const Chip& chip = node.spec->chip;
      const Pool& pool = chip.ingress_pools[pool_number(chip, place.pool)];
      const std::string name = pool_name(chip, place.pool);
      add(node.spec->name, "pool", name, node.pools + place.pool.value(),
          {{"limit_cells", pool.shared.count()}});
      add(node.spec->name, "pool_headroom", name, node.pool_headroom + place.pool.value(),
          {{"limit_cells", pool.dedicated_headroom ? 0 : pool.headroom.count()}});
    }
  }
  void add_groups() {
    for (const auto& place : record_.groups_to_show()) {
      const auto& node = record_.nodes_[place.node];
      const Chip& chip = node.spec->chip;
      const PgSettings& settings = node.mmu->settings_of(place.pg);
      const std::string limit = "T_" + chip.profiles[*chip.profile_of_pg[place.pg]].name +
                                ", domain " +
                                std::to_string(node.mmu->domain_of_pg(place.pg).count());
      add(node.spec->name, "group", group_name(place.pg), node.shared + place.pg.value(),
          {{"limit", limit}, {"lossless", settings.lossless}});
      add(node.spec->name, "headroom", group_name(place.pg), node.headroom + place.pg.value(),
          {{"limit_cells", settings.headroom_limit.count()}});
      add_limit(node.spec->name, limit, settings.threshold,
                node.pools + settings.pool_domain.value());
    }
  }
  void add_queues() {
    for (const auto& place : record_.queues_to_show()) {
      const auto& node = record_.nodes_[place.node];
      const Chip& chip = node.spec->chip;
      const WredProfile& profile = chip.wred_profiles[*chip.wred_of_queue[place.queue]];
      add(node.spec->name, "queue", queue_name(place.queue), node.waiting + place.queue.value(),
          {{"cell_bytes", chip.cell.count()},
           {"profile", profile.name},
           {"min_cells", profile.min.count()},
           {"max_cells", profile.max.count()}});
    }
  }
  // Who holds a pool: bands that add up to all of it.
  void add_holders() {
    for (const auto& place : record_.pools_to_show()) {
      const auto& node = record_.nodes_[place.node];
      add_band(node, place.pool, "private, all classes",
               record_.series_.points(node.pool_private + place.pool.value()));
      for (std::size_t n = 0; n < priorities; ++n) {
        add_class(node, place.pool, n, "shared", node.shared);
        add_class(node, place.pool, n, "headroom", node.headroom);
      }
    }
  }
  void add_class(const RecordedNode& node, PoolIndex pool, std::size_t number, const char* part,
                 std::size_t series) {
    SumOverTime sum;
    bool lossless = false;
    for (std::size_t port = 0; port < node.spec->chip.ports.size(); ++port) {
      const PgIndex pg = pg_index(PortId{static_cast<PortId::rep>(port)},
                                  Priority{static_cast<Priority::rep>(number)});
      if (!node.mmu->has_profile(pg) || node.mmu->settings_of(pg).pool_domain != pool) continue;
      lossless = lossless || node.mmu->settings_of(pg).lossless;
      sum.add(record_.series_.points(series + pg.value()));
    }
    add_band(node, pool,
             "PG " + std::to_string(number) + (lossless ? " lossless, " : " lossy, ") + part,
             sum.points());
  }
  void add_band(const RecordedNode& node, PoolIndex pool, const std::string& band,
                std::vector<SeriesPoint> points) {
    const bool empty = std::all_of(points.begin(), points.end(),
                                   [](const SeriesPoint& point) { return point.most == 0; });
    if (empty) return;
    values_.push_back({{{"switch", node.spec->name},
                        {"kind", "band"},
                        {"name", pool_name(node.spec->chip, pool)},
                        {"band", band},
                        {"cell_bytes", node.spec->chip.cell.count()}},
                       std::move(points)});
  }
  // T is kept once for all priority groups of a profile and domain.
  void add_limit(const std::string& node, const std::string& name, const Threshold& threshold,
                 std::size_t series) {
    for (const Value& value : values_)
      if (value.fields["kind"] == "limit" && value.fields["switch"] == node &&
          value.fields["name"] == name)
        return;
    Json fields{{"switch", node}, {"kind", "limit"}, {"name", name}};
    fields["at_start_cells"] = threshold.at(Cells{0}).count();
    values_.push_back({std::move(fields), limit_points(threshold, record_.series_.points(series))});
  }
  [[nodiscard]] std::uint64_t paused_time(std::size_t end, std::size_t priority) const {
    for (const PausedClass& entry : record_.pauses.paused())
      if (entry.end == end && entry.priority.count() == priority) return entry.total().count();
    return 0;
  }

  const HistoryRecord& record_;
  std::vector<Value> values_;
};

std::string HistoryRecord::finish(const Summary& summary,
                                  const std::vector<ConfiguredValue>& configuration) {
  const Picoseconds time = summary.time;
  pauses.finish(time);
  for (Node& node : nodes_)
    for (PgIndex pg; pg < node.episode_peak.end_index(); ++pg) end_episode(node, pg);
  Json configured = Json::array();
  for (const ConfiguredValue& value : configuration)
    configured.push_back({value.key, value.value, value.source});
  HistoryJson json{*this};
  const Json all{{"version", version},
                 {"configuration", std::move(configured)},
                 {"occupancy", json.occupancy(time)},
                 {"pauses", json.pauses()},
                 {"traffic", json.traffic()},
                 {"rates", json.rates(time)},
                 {"propagation", json.propagation()},
                 {"headroom", json.headroom()},
                 {"first_xoffs", json.first_xoffs()},
                 {"drops", json.drops()},
                 {"latency", HistoryJson::latency(summary)},
                 {"completions", HistoryJson::completions(summary)},
                 {"watchdogs", json.watchdogs()}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir
