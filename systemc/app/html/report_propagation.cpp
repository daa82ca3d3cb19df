// SPDX-License-Identifier: Apache-2.0
// Who paused whom: a graph whose arrows point from the sender of a PAUSE to what it stopped.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

constexpr std::size_t max_boxes = 60, max_listed_pauses = 500, leaves_apart = 4;
constexpr int box_width = 190, box_height = 40, column_width = 370, box_pitch = 56, margin = 12;

/// One node, or several that are only paused, all by the same one.
struct Box {
  std::string label, note;
  unsigned level{0};
  bool origin{false};
  int row{0};
  [[nodiscard]] int x() const { return margin + static_cast<int>(level) * column_width; }
  [[nodiscard]] int y() const { return margin + row * box_pitch; }
};

/// All PAUSEs from one box to another.
struct Arrow {
  std::uint64_t starts{0}, paused_ps{0}, first_ps{~std::uint64_t{0}}, origins{0};
  void add(const ReportJson& flow) {
    starts += flow.at("starts").get<std::uint64_t>();
    origins += flow.at("origins").get<std::uint64_t>();
    paused_ps += flow.at("paused_ps").get<std::uint64_t>();
    first_ps = std::min(first_ps, flow.at("first_ps").get<std::uint64_t>());
  }
};

class Graph {
 public:
  explicit Graph(const ReportJson& flows) {
    for (const ReportJson& flow : flows)
      arrows_[{flow.at("from").get<std::string>(), flow.at("to").get<std::string>()}].add(flow);
    gather_leaves();
    if (too_large()) return;  // the levels of many boxes take long, and are not drawn
    find_levels();
    place();
  }
  [[nodiscard]] bool too_large() const { return max_boxes < boxes_.size(); }
  [[nodiscard]] std::size_t size() const { return boxes_.size(); }

  [[nodiscard]] std::string drawing() const {
    unsigned levels = 0;
    int rows = 0;
    for (const auto& [name, box] : boxes_) {
      levels = std::max(levels, box.level);
      rows = std::max(rows, box.row);
    }
    const int width = margin * 2 + static_cast<int>(levels) * column_width + box_width;
    const int height = margin * 2 + rows * box_pitch + box_height;
    std::string out = fmt::format(
        "<svg role=img aria-label=\"Who paused whom\" viewBox=\"0 0 {0} {1}\" width={0}>\n<defs>"
        "<marker id=head viewBox=\"0 0 8 8\" refX=8 refY=4 markerWidth=8 markerHeight=8 "
        "markerUnits=userSpaceOnUse orient=auto><path class=head d=\"M0 0L8 4L0 8z\"/></marker>"
        "</defs>\n",
        width, height);
    for (const auto& [ends, arrow] : arrows_)
      out += drawn(boxes_.at(ends.first), boxes_.at(ends.second), arrow);
    for (const auto& [name, box] : boxes_)
      out += fmt::format(
          "<g><rect class=\"box{}\" x={} y={} width={} height={} rx=4></rect><text "
          "x={} y={}>{}</text><text class=quiet x={} y={}>{}</text></g>\n",
          box.origin ? " origin" : "", box.x(), box.y(), box_width, box_height, box.x() + 8,
          box.y() + 16, escaped(box.label), box.x() + 8, box.y() + 32, escaped(box.note));
    return out + "</svg>\n";
  }

 private:
  // Nodes that pause none, many of them upstream of one: one box.
  void gather_leaves() {
    std::map<std::string, std::vector<std::string>> leaves;
    for (const auto& [ends, arrow] : arrows_)
      if (!sends(ends.second)) leaves[ends.first].push_back(ends.second);
    for (const auto& [from, names] : leaves) {
      if (names.size() <= leaves_apart) continue;
      const std::string group = fmt::format("{} nodes such as {}", names.size(), names.front());
      Arrow sum;
      for (const std::string& name : names) {
        const Arrow arrow = arrows_.at({from, name});
        sum.starts += arrow.starts;
        sum.origins += arrow.origins;
        sum.paused_ps += arrow.paused_ps;
        sum.first_ps = std::min(sum.first_ps, arrow.first_ps);
        arrows_.erase({from, name});
      }
      arrows_[{from, group}] = sum;
    }
    for (const auto& [ends, arrow] : arrows_) {
      boxes_[ends.first].label = ends.first;
      boxes_[ends.second].label = ends.second;
    }
  }
  [[nodiscard]] bool sends(const std::string& name) const {
    const auto found = arrows_.lower_bound({name, ""});
    return found != arrows_.end() && found->first.first == name;
  }
  // Origins are at the left; each other node right of the nearest one that pauses it.
  void find_levels() {
    constexpr unsigned far = ~0U;
    for (auto& [name, box] : boxes_) box.level = far;
    for (const auto& [ends, arrow] : arrows_) {
      if (arrow.origins == 0) continue;
      boxes_.at(ends.first).level = 0;
      boxes_.at(ends.first).origin = true;
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (const auto& [ends, arrow] : arrows_) {
        const unsigned from = boxes_.at(ends.first).level;
        unsigned& to = boxes_.at(ends.second).level;
        if (from == far || to <= from + 1) continue;
        to = from + 1;
        moved = true;
      }
    }
    for (auto& [name, box] : boxes_)
      if (box.level == far) box.level = 0;  // in a circle without an origin
  }
  void place() {
    std::map<unsigned, int> rows;
    std::map<std::string, std::uint64_t> first;
    for (const auto& [ends, arrow] : arrows_) {
      const auto [place, fresh] = first.emplace(ends.second, arrow.first_ps);
      if (!fresh) place->second = std::min(place->second, arrow.first_ps);
    }
    for (auto& [name, box] : boxes_) {
      box.row = rows[box.level]++;
      const auto found = first.find(name);
      box.note = found == first.end()
                     ? "never paused itself"
                     : "first paused at " + format_quantity(Picoseconds{found->second});
      if (box.origin) box.note = "origin; " + box.note;
    }
  }
  static std::string drawn(const Box& from, const Box& to, const Arrow& arrow) {
    const bool forward = from.level < to.level;
    const int x1 = forward ? from.x() + box_width : from.x() + box_width / 2;
    const int x2 = forward ? to.x() : to.x() + box_width / 2;
    const int y1 = from.y() + (forward ? box_height / 2 : box_height);
    const int y2 = to.y() + (forward ? box_height / 2 : box_height);
    const int bend = forward ? 0 : 34;
    return fmt::format(
        "<path class=\"arc{}\" marker-end=\"url(#head)\" d=\"M{} {}Q{} {} {} {}\"/><text "
        "text-anchor=middle x={} y={}>{} pauses, {}</text>\n",
        forward ? "" : " back", x1, y1, (x1 + x2) / 2, (y1 + y2) / 2 + bend, x2, y2, (x1 + x2) / 2,
        (y1 + y2) / 2 + bend / 2 - 4, format_quantity(arrow.starts),
        format_quantity(Picoseconds{arrow.paused_ps}));
  }

  std::map<std::pair<std::string, std::string>, Arrow> arrows_;
  std::map<std::string, Box> boxes_;
};

std::string causes(const ReportJson& flow) {
  std::string out;
  for (const ReportJson& cause : flow.at("because"))
    out += fmt::format("{}{} times {} was paused by {}", out.empty() ? "" : "; ",
                       format_quantity(cause.at("starts").get<std::uint64_t>()),
                       cause.at("end").get<std::string>(), cause.at("by").get<std::string>());
  const auto origins = flow.at("origins").get<std::uint64_t>();
  if (origins != 0)
    out = fmt::format("{} times as origin{}{}", format_quantity(origins), out.empty() ? "" : "; ",
                      out);
  return out;
}

}  // namespace

std::string propagation_section(const ReportJson& report) {
  std::string out = "<h2 id=propagation>Pause propagation</h2>\n";
  const ReportJson& flows = report.at("propagation");
  if (flows.empty()) return out + "<p>No PAUSE was sent.</p>\n";
  out +=
      "<p>An arrow leads from the sender of PAUSE to the paused node, with the number of pauses "
      "(without refreshes) and the time that the other end was paused. An origin (thick frame) "
      "paused others while none of its own ports was paused in that class; congestion spreads "
      "from there to the right. A dashed arrow leads back.</p>\n";
  const Graph graph{flows};
  out += graph.too_large()
             ? fmt::format("<p>{} nodes took part, too many to draw; see the table.</p>\n",
                           graph.size())
             : graph.drawing();
  HtmlTable table{{{"sent by"},
                   {"paused"},
                   {"class", true},
                   {"pauses", true},
                   {"frames", true},
                   {"pause time", true},
                   {"first", true},
                   {"why"}},
                  true};
  std::size_t rows = 0;
  for (const ReportJson& flow : flows) {
    if (max_listed_pauses < ++rows) continue;
    const auto number = [&](const char* key) { return flow.at(key).get<std::uint64_t>(); };
    const auto exact = [&](const std::string& shown, const char* key) {
      table.number(shown, static_cast<double>(number(key)));
    };
    table.text(flow.at("end").get<std::string>()).text(flow.at("paused").get<std::string>());
    exact(std::to_string(number("class")), "class");
    exact(format_quantity(number("starts")), "starts");
    exact(format_quantity(number("frames")), "frames");
    exact(format_quantity(Picoseconds{number("paused_ps")}), "paused_ps");
    exact(format_quantity(Picoseconds{number("first_ps")}), "first_ps");
    table.text(causes(flow));
  }
  out += "<h3>Every link</h3>\n";
  if (max_listed_pauses < rows)
    out += fmt::format("<p>The first {} of {}.</p>\n", max_listed_pauses, rows);
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

}  // namespace weir
