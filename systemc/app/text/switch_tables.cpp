// SPDX-License-Identifier: Apache-2.0
#include "switch_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "format.hpp"
#include "weir/trace/summary/row_weight.hpp"

namespace weir {
namespace {

using SwitchesOut = std::back_insert_iterator<std::string>;

constexpr std::size_t max_lines = 34;
constexpr std::size_t max_switches = 4;  // with a table each; of more there is one line each

void add_pools(SwitchesOut out, const SwitchSummary& node) {
  std::size_t width = 9;
  for (const PoolSummary& pool : node.pools) width = std::max(width, pool.pool.size());
  constexpr const char* format = "  {:<{}} {:>6}  {:>28}  {:>29}  {:>12}  {:>22}\n";
  fmt::format_to(out, format, "pool", width, "domain", "peak shared / limit B, cells",
                 "peak headroom / pool H, cells", "peak of all", "peak shared, bytes");
  for (const PoolSummary& pool : node.pools) {
    const std::uint64_t shared = pool.peak.shared.count(), limit = pool.shared_limit.count();
    const std::uint64_t headroom = pool.peak.headroom.count();
    fmt::format_to(
        out, format, pool.pool, width, pool.domain.count(),
        fmt::format("{} of {} {:>5}", format_quantity(shared), format_quantity(limit),
                    format_percent(shared, limit)),
        pool.dedicated_headroom
            ? format_quantity(headroom) + " (dedicated)"
            : format_quantity(headroom) + " of " + format_quantity(pool.headroom_limit.count()),
        format_quantity(pool.peak.total.count()),
        format_quantity(node.cell * shared) + " of " + format_quantity(node.cell * limit));
  }
  if (node.waiting.waited != 0)
    fmt::format_to(out, "  {} packets waited for an arrival slot, {} at most; up to {} at a port\n",
                   format_quantity(node.waiting.waited), format_quantity(node.waiting.longest),
                   format_quantity(node.waiting.deepest));
}

// A line of the table: one priority at one port. `pg` is null where nothing arrived.
struct Row {
  const PortSummary* port;
  const PortClassSummary* entry;
  const PgSummary* pg;

  [[nodiscard]] ClassWeight weight() const { return class_weight(entry->counts); }
};

std::vector<Row> rows_of(const SwitchSummary& node) {
  std::vector<Row> rows;
  for (const PortSummary& port : node.linked_ports) {
    for (const PortClassSummary& entry : port.classes) {
      const auto pg = std::find_if(port.pgs.begin(), port.pgs.end(),
                                   [&](const PgSummary& p) { return p.pg == entry.pg; });
      rows.push_back({&port, &entry, pg == port.pgs.end() ? nullptr : &*pg});
    }
  }
  return rows;
}

// The rows that matter most, in their order.
std::vector<Row> without_least(std::vector<Row> rows) {
  if (rows.size() <= max_lines) return rows;
  std::vector<Row> ranked = rows;
  std::stable_sort(ranked.begin(), ranked.end(), MoreWeight{});
  const ClassWeight limit = ranked[max_lines - 1].weight();
  std::vector<Row> kept;
  for (const Row& row : rows)
    if (kept.size() < max_lines && !(row.weight() < limit)) kept.push_back(row);
  return kept;
}

constexpr const char* row_format =
    "  {:>4} {:<{}} {:>4} {:<8} {:>10} {:>9} {:>10} {:>9} {:>9} {:>9} {:>15}{:>{}} {:>13} {:>8}\n";

std::string part_of(std::uint64_t part, std::uint64_t whole) {
  return format_quantity(part) + "/" + format_quantity(whole);
}

// Widths of columns: the peer as its longest name; T of the first XOFF where it is known.
struct Widths {
  std::size_t peer{4}, first_xoff{0};
};

void add_row(SwitchesOut out, const Row& row, const Widths& widths,
             const std::map<PgIndex, Cells>& first_thresholds) {
  const PortCounters::ByPriority& counts = row.entry->counts;
  const auto held = [&](bool shown, std::uint64_t part, std::uint64_t whole) {
    return row.pg != nullptr && shown ? part_of(part, whole) : std::string{"-"};
  };
  const PgCounters counters = row.pg == nullptr ? PgCounters{} : row.pg->counters;
  const bool lossless = row.pg != nullptr && row.pg->lossless;
  const auto first = row.pg == nullptr
                         ? first_thresholds.end()
                         : first_thresholds.find(pg_index(row.port->port, Priority{row.pg->pg}));
  const std::string at_xoff = widths.first_xoff == 0 ? ""
                              : first == first_thresholds.end()
                                  ? "-"
                                  : format_quantity(first->second.count());
  fmt::format_to(out, row_format, row.port->port.count(), row.port->peer, widths.peer,
                 row.entry->priority.count(),
                 row.pg == nullptr ? ""
                 : lossless        ? "lossless"
                                   : "lossy",
                 format_quantity(counts.rx_packets), format_quantity(counts.rx_bytes),
                 format_quantity(counts.tx_packets), format_quantity(counts.tx_bytes),
                 fmt::format("{}/{}", counts.pauses_sent, counts.pauses_received),
                 row.entry->upstream_pause.total == Picoseconds{0}
                     ? "-"
                     : format_quantity(row.entry->upstream_pause.total),
                 held(true, counters.shared_watermark.count(), counters.limit_at_peak.count()),
                 at_xoff, widths.first_xoff,
                 held(lossless, counters.headroom_watermark.count(),
                      row.pg == nullptr ? 0 : row.pg->headroom_limit.count()),
                 format_quantity(row.entry->drops()));
}

void add_switch(SwitchesOut out, const SwitchSummary& node,
                const FirstThresholds& first_thresholds) {
  fmt::format_to(out, "\n{}: {}, {} ports, cells of {} B\n", node.name, node.chip, node.ports,
                 node.cell.count());
  add_pools(out, node);
  const std::vector<Row> all = rows_of(node);
  const std::vector<Row> rows = without_least(all);
  const auto found = first_thresholds.find(node.name);
  const bool any = found != first_thresholds.end();
  Widths widths{4, any ? std::size_t{12} : 0};
  for (const Row& row : rows) widths.peer = std::max(widths.peer, row.port->peer.size());
  fmt::format_to(out, "\n");
  fmt::format_to(out, row_format, "", "", widths.peer, "", "", "received", "", "sent", "", "pauses",
                 "upstream", "peak shared /", any ? "T at first" : "", widths.first_xoff,
                 "headroom /", "drops");
  fmt::format_to(out, row_format, "port", "peer", widths.peer, "prio", "class", "packets", "bytes",
                 "packets", "bytes", "out/in", "paused", "threshold T", any ? "XOFF" : "",
                 widths.first_xoff, "limit eta", "packets");
  for (const Row& row : rows)
    add_row(out, row, widths, any ? found->second : std::map<PgIndex, Cells>{});
  if (rows.size() < all.size())
    fmt::format_to(out, "  ... and {} more rows in summary.json\n", all.size() - rows.size());
}

// A line of the table of switches.
struct SwitchRow {
  const SwitchSummary* node;
  std::uint64_t drops{0}, sent{0}, received{0};
  Bytes bytes;
  std::uint64_t peak{0}, limit{0};

  // By what the line shows: of the load what it sent.
  [[nodiscard]] ClassWeight weight() const { return {drops, sent + received, bytes.count()}; }
};

SwitchRow row_of(const SwitchSummary& node) {
  SwitchRow row{&node, 0, 0, 0, {}, 0, 0};
  for (const Row& part : rows_of(node)) {
    row.drops += part.entry->drops();
    row.sent += part.entry->counts.pauses_sent;
    row.received += part.entry->counts.pauses_received;
    row.bytes += part.entry->counts.tx_bytes;
  }
  for (const PoolSummary& pool : node.pools) {
    if (pool.peak.shared.count() < row.peak) continue;
    row.peak = pool.peak.shared.count();
    row.limit = pool.shared_limit.count();
  }
  return row;
}

void add_switch_list(SwitchesOut out, const Summary& summary) {
  constexpr const char* format = "  {:<{}} {:>9} {:>10} {:>12} {:>12} {:>28}\n";
  std::vector<SwitchRow> rows;
  std::size_t width = 6;
  for (const SwitchSummary& node : summary.switches) {
    rows.push_back(row_of(node));
    width = std::max(width, node.name.size());
  }
  std::stable_sort(rows.begin(), rows.end(), MoreWeight{});
  fmt::format_to(out, "\n{} switches, those with most drops and pauses first\n", rows.size());
  fmt::format_to(out, format, "switch", width, "sent", "drops", "pauses out", "pauses in",
                 "peak shared / limit B, cells");
  for (std::size_t i = 0; i < rows.size() && i < max_lines; ++i) {
    const SwitchRow& row = rows[i];
    fmt::format_to(out, format, row.node->name, width, format_quantity(row.bytes),
                   format_quantity(row.drops), format_quantity(row.sent),
                   format_quantity(row.received), part_of(row.peak, row.limit));
  }
  if (max_lines < rows.size())
    fmt::format_to(out, "  ... and {} more switches in summary.json\n", rows.size() - max_lines);
}

}  // namespace

std::string switch_tables(const Summary& summary, const FirstThresholds& first_thresholds) {
  std::string text;
  const SwitchesOut out{text};
  if (max_switches < summary.switches.size()) {
    add_switch_list(out, summary);
  } else {
    for (const SwitchSummary& node : summary.switches) add_switch(out, node, first_thresholds);
  }
  return text;
}

}  // namespace weir
