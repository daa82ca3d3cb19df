// SPDX-License-Identifier: Apache-2.0
// report.json; its fields are described in docs/guide/report.md.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "history_record.hpp"
#include "json_tree_writer.hpp"
#include "report_texts.hpp"
#include "shown_values.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/config/scenario/headroom_need.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/version.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {
namespace {

constexpr std::size_t xoffs_shown = 1'000, pools_at_xoff_shown = 16, holders_shown = 24;

}  // namespace

/// The sections of report.json, without the points of values over time.
class HistoryJson {
 public:
  HistoryJson(const HistoryRecord& record, const Summary& summary, const ShownValues& values)
      : record_{record}, summary_{summary}, values_{values} {}

  [[nodiscard]] JsonTree tree(const std::vector<ConfiguredValue>& configuration) const {
    return JsonTreeWriter{}.whole([&](JsonTreeWriter& json) {
      json.add("version", version);
      add_configuration(json, configuration);
      add_occupancy(json);
      add_pauses(json);
      add_traffic(json);
      add_rates(json);
      add_propagation(json);
      add_headroom(json);
      add_bursts(json);
      add_first_xoffs(json);
      add_drops(json);
      add_latency(json);
      add_completions(json);
      add_watchdogs(json);
    });
  }

 private:
  using RecordedNode = HistoryRecord::Node;

  static void add_configuration(JsonTreeWriter& json,
                                const std::vector<ConfiguredValue>& configuration) {
    json.add_list("configuration", configuration, [&](const ConfiguredValue& value) {
      json.add_elements([&] {
        json.add_element(value.key);
        json.add_element(value.value);
        json.add_element(value.source);
      });
    });
  }

  void add_occupancy(JsonTreeWriter& json) const {
    json.add_object("occupancy", [&] {
      json.add("bucket_ps", values_.bucket_ps());
      json.add("end_ps", summary_.time.count());
      json.add_list("values", values_.all(), [&](const ShownValue& value) {
        json.add_object([&] {
          json.add("switch", *value.node);
          json.add("kind", value.kind);
          json.add("name", value.name);
          value.add_more(json);
        });
      });
    });
  }

  void add_pauses(JsonTreeWriter& json) const {
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
  void add_traffic(JsonTreeWriter& json) const {
    const TrafficHistory& traffic = record_.traffic;
    json.add_object("traffic", [&] {
      json.add("bin_ps", traffic.bin_width().count());
      json.add_elements("links", [&] { add_links(json); });
      json.add_list("queues", traffic.depths(summary_.time), [&](const auto& depth) {
        const auto& [place, frames] = depth;
        json.add_object([&, &frames = frames, &place = place] {
          json.add("queue", port_name(std::get<0>(place), std::uint64_t{std::get<1>(place)}));
          json.add("class", std::get<2>(place));
          json.add("max_frames", *std::max_element(frames.begin(), frames.end()));
          json.add_list("bins", frames, [&](std::uint64_t bin) { json.add_element(bin); });
        });
      });
    });
  }
  void add_links(JsonTreeWriter& json) const {
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
  void add_rates(JsonTreeWriter& json) const {
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
                      });
                    });
    });
  }

  void add_propagation(JsonTreeWriter& json) const {
    const LinkEnds& ends = record_.pauses.ends();
    json.add_list("propagation", record_.pauses.flows(), [&](const auto& entry) {
      const auto& [key, flow] = entry;
      const LinkEndInfo& from = ends[key.first];
      json.add_object([&, &flow = flow, &key = key] {
        json.add("from", from.node);
        json.add("to", ends[from.peer].node);
        json.add("end", from.label());
        json.add("paused", ends[from.peer].label());
        json.add("class", key.second.count());
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

  void add_headroom(JsonTreeWriter& json) const {
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
            json.add("max_cells", use.by_peak.rbegin()->first.count());
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
  void add_bursts(JsonTreeWriter& json) const {
    json.add_object("bursts", [&] {
      json.add("queue_count", record_.queues_.size());
      json.add_list("deepest", record_.queues_to_show(), [&](const HistoryRecord::QueuePlace& at) {
        json.add_object([&] { add(json, at, record_.queues_[at.number].bursts); });
      });
    });
  }
  void add(JsonTreeWriter& json, const HistoryRecord::QueuePlace& at,
           const QueueBursts& queue) const {
    json.add("switch", record_.nodes_[at.node].spec->name);
    json.add("name", queue_name(at.queue));
    json.add("bursts", queue.bursts());
    json.add("absorbed", queue.absorbed());
    json.add("max_absorbed_bytes", queue.max_absorbed().count());
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
  void add_first_xoffs(JsonTreeWriter& json) const {
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
  static void add_held(JsonTreeWriter& json, const Placement& held) {
    json.add_object("held", [&] {
      json.add("private_cells", held.private_cells.count());
      json.add("shared_cells", held.shared.count());
      json.add("headroom_cells", held.headroom.count());
    });
  }
  static void add(JsonTreeWriter& json, const RecordedNode& node, const FirstXoff& first) {
    json.add("switch", node.spec->name);
    json.add("name", group_name(first.pg));
    json.add("time_ps", first.time.count());
    json.add("threshold_cells", first.threshold.count());
    add_held(json, first.held);
    json.add("cell_bytes", node.spec->chip.cell.count());
  }
  static void add(JsonTreeWriter& json, const RecordedNode& node, const PoolAtXoff& pool) {
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

  void add_drops(JsonTreeWriter& json) const {
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
  static void add_buckets(JsonTreeWriter& json, std::string_view name, const Latency& latency) {
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
  void add_latency(JsonTreeWriter& json) const {
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
  void add_completions(JsonTreeWriter& json) const {
    json.add_list("completions", summary_.completions, [&](const CompletionSummary& row) {
      json.add_object([&] {
        json.add("traffic", row.traffic);
        json.add("of", row.incasts ? "incasts" : "messages");
        add_buckets(json, "times", row.counts.done.times());
        add_buckets(json, "slowdowns", row.counts.done.ratios());
      });
    });
  }

  void add_watchdogs(JsonTreeWriter& json) const {
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

  const HistoryRecord& record_;
  const Summary& summary_;
  const ShownValues& values_;
};

ReportText HistoryRecord::finish(const Summary& summary,
                                 const std::vector<ConfiguredValue>& configuration) {
  pauses.finish(summary.time);
  for (Node& node : nodes_) end_episodes(node);
  for (Queue& queue : queues_) queue.bursts.finish(summary.time);
  const ShownValues values{*this, summary.time};
  const std::vector<std::vector<SeriesPoint>> of_rates = rates.points_of_busiest();
  ChartSection occupancy{"occupancy", {}}, rate_charts{"rates", {}};
  for (const ShownValue& value : values.all()) occupancy.points.push_back(&value.points);
  for (const std::vector<SeriesPoint>& points : of_rates) rate_charts.points.push_back(&points);
  return report_text(HistoryJson{*this, summary, values}.tree(configuration),
                     {std::move(occupancy), std::move(rate_charts)});
}

}  // namespace weir
