// SPDX-License-Identifier: Apache-2.0
// Who held the buffer when pauses began.
#include <fmt/format.h>

#include <array>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

constexpr std::array<const char*, 3> placement_keys{"private_cells", "shared_cells",
                                                    "headroom_cells"};

void add_cells(HtmlTable& table, std::uint64_t cells, Bytes cell) {
  table.number(cells_text(cells, cell), static_cast<double>(cells));
}

void add_held(HtmlTable& table, const JsonValue& held, Bytes cell) {
  std::uint64_t sum = 0;
  for (const char* key : placement_keys) {
    add_cells(table, count_at(held, key), cell);
    sum += count_at(held, key);
  }
  add_cells(table, sum, cell);
}

std::string pool_at_xoff(const JsonValue& pool) {
  const JsonValue& first = pool.at("first");
  const Bytes cell{count_at(first, "cell_bytes")};
  const std::uint64_t shared = count_at(pool.at("held"), "shared_cells");
  const std::uint64_t limit = count_at(pool, "limit_cells");
  std::string out = fmt::format(
      "<h3>{}: pool {}</h3>\n<p>{} went to XOFF after {}: shared cells {}, threshold T = {}. "
      "Shared cells of the pool at that time: {}, limit B = {} ({}).</p>\n",
      escaped(text_at(pool, "switch")), escaped(text_at(pool, "name")),
      escaped(text_at(first, "name")), format_quantity(time_at(first, "time_ps")),
      cells_text(count_at(first.at("held"), "shared_cells"), cell),
      cells_text(count_at(first, "threshold_cells"), cell), cells_text(shared, cell),
      cells_text(limit, cell), format_percent(shared, limit));
  HtmlTable table{{{"priority group"},
                   {"private", true},
                   {"shared", true},
                   {"headroom", true},
                   {"all", true},
                   {"of the pool\u2019s shared cells", true}},
                  true};
  for (const JsonValue& holder : pool.at("holders")) {
    const JsonValue& held = holder.at("held");
    table.text(text_at(holder, "name"));
    add_held(table, held, cell);
    const std::uint64_t part = count_at(held, "shared_cells");
    table.number(format_percent(part, shared), static_cast<double>(part));
  }
  if (pool.at("holders").size() < count_at(pool, "holder_count"))
    out += fmt::format("<p>The {} of {} that held most.</p>\n", pool.at("holders").size(),
                       count_at(pool, "holder_count"));
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

}  // namespace

std::string cells_text(std::uint64_t cells, Bytes cell) {
  return format_quantity(cells) + (cells == 0 ? "" : " (" + format_quantity(cell * cells) + ")");
}

bool has_first_xoffs(const JsonValue& report) {
  return report.contains("first_xoffs") && !report.at("first_xoffs").at("groups").empty();
}

std::string first_xoff_section(const JsonValue& report) {
  if (!has_first_xoffs(report)) return "";
  const JsonValue& all = report.at("first_xoffs");
  std::string out =
      "<h2 id=xoff>The first XOFF</h2>\n<p>What each pool held when the first of its priority "
      "groups went to XOFF, and each group at its own first XOFF: cells (bytes), a few clock "
      "cycles "
      "after the packet that caused it, when the PFC generator sees the level.</p>\n";
  for (const JsonValue& pool : all.at("pools")) out += pool_at_xoff(pool);
  HtmlTable table{{{"switch"},
                   {"priority group"},
                   {"first XOFF", true},
                   {"T then", true},
                   {"private", true},
                   {"shared", true},
                   {"headroom", true},
                   {"all", true}},
                  true};
  for (const JsonValue& group : all.at("groups")) {
    const Bytes cell{count_at(group, "cell_bytes")};
    table.text(text_at(group, "switch")).text(text_at(group, "name"));
    table.number(format_quantity(time_at(group, "time_ps")),
                 static_cast<double>(count_at(group, "time_ps")));
    add_cells(table, count_at(group, "threshold_cells"), cell);
    add_held(table, group.at("held"), cell);
  }
  return out + "<h3>Every group</h3>\n<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

}  // namespace weir
