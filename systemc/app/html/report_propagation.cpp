// SPDX-License-Identifier: Apache-2.0
// Who paused whom: a graph whose arrows point from the sender of a PAUSE to what it stopped.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "graph_layout.hpp"
#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/config/format/port_name.hpp"

namespace weir {
namespace {

constexpr std::size_t max_boxes = 60, max_listed_pauses = 500, leaves_apart = 4;
constexpr int box_width = 216, box_height = 40, label_height = 16, margin = 12;
constexpr int page_width = 1150;  // more is drawn smaller by a browser
constexpr int letter_width = 7;   // at least that of the page's font at 12 pixels, on average

/// Nodes whose queues wait for each other in a circle: who pauses whom in it.
using CircleArrows = std::set<std::pair<std::string, std::string>>;

/// One node, or several that are only paused, all by the same one.
struct Box {
  std::size_t number{0};
  std::string label, note;
  bool origin{false}, caught{false};
};

/// All PAUSEs from one box to another.
struct Arrow {
  std::uint64_t starts{0}, paused_ps{0}, first_ps{~std::uint64_t{0}}, origins{0};
  bool caught{false};  // part of a deadlock
  void add(const JsonValue& flow) {
    starts += flow.at("starts").number();
    origins += flow.at("origins").number();
    paused_ps += flow.at("paused_ps").number();
    first_ps = std::min(first_ps, flow.at("first_ps").number());
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{} {}, {}{}", format_quantity(starts), starts == 1 ? "pause" : "pauses",
                       format_quantity(Picoseconds{paused_ps}), caught ? ", deadlock" : "");
  }
};

// At most what fits into a box.
std::string fitting(const std::string& text) {
  constexpr std::size_t most = (box_width - 12) / letter_width;
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

class Graph {
 public:
  Graph(const JsonValue& flows, const CircleArrows& circles) {
    for (const JsonValue& flow : flows)
      arrows_[{std::string{text_at(flow, "from")}, std::string{text_at(flow, "to")}}].add(flow);
    gather_leaves();
    for (auto& [name, box] : boxes_) box.number = number_++;
    for (auto& [ends, arrow] : arrows_) {
      arrow.caught = circles.count(ends) != 0;
      if (arrow.caught) boxes_.at(ends.first).caught = boxes_.at(ends.second).caught = true;
    }
    add_notes();
  }
  [[nodiscard]] bool too_large() const { return max_boxes < boxes_.size(); }
  [[nodiscard]] std::size_t size() const { return boxes_.size(); }

  /// Nothing where `layouter` has no layout.
  [[nodiscard]] std::optional<std::string> drawing(const GraphLayouter& layouter) const {
    GraphShape shape;
    shape.boxes = boxes_.size();
    shape.box_width = box_width;
    shape.box_height = box_height;
    shape.label_height = label_height;
    for (const auto& [ends, arrow] : arrows_)
      shape.arrows.push_back({boxes_.at(ends.first).number, boxes_.at(ends.second).number,
                              letter_width * static_cast<int>(arrow.text().size())});
    std::optional<GraphLayout> layout = layouter(shape);
    if (!layout) return std::nullopt;
    if (page_width < layout->width) {  // downwards, where that is narrower
      shape.downwards = true;
      std::optional<GraphLayout> other = layouter(shape);
      if (other && other->width < layout->width) layout = std::move(other);
    }
    std::string out = fmt::format(
        "<svg role=img aria-label=\"Who paused whom\" viewBox=\"-{0} -{0} {1:.0f} {2:.0f}\" "
        "width={1:.0f}>\n{3}",
        margin, layout->width + 2 * margin, layout->height + 2 * margin, arrow_heads());
    std::size_t number = 0;
    for (const auto& [ends, arrow] : arrows_) out += drawn(arrow, layout->arrows[number++]);
    for (const auto& [name, box] : boxes_) out += drawn(box, layout->boxes[box.number]);
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
  // An origin began: it paused others before anyone paused it.
  void add_notes() {
    std::map<std::string, std::uint64_t> paused, sent;
    const auto note_first = [](auto& firsts, const std::string& name, std::uint64_t time) {
      const auto [place, fresh] = firsts.emplace(name, time);
      if (!fresh) place->second = std::min(place->second, time);
    };
    for (const auto& [ends, arrow] : arrows_) {
      note_first(paused, ends.second, arrow.first_ps);
      if (arrow.origins != 0) note_first(sent, ends.first, arrow.first_ps);
    }
    for (auto& [name, box] : boxes_) {
      const auto first = paused.find(name), began = sent.find(name);
      box.origin = began != sent.end() && (first == paused.end() || began->second < first->second);
      box.note = first == paused.end()
                     ? "never paused itself"
                     : "paused from " + format_quantity(Picoseconds{first->second});
      if (box.origin) box.note = "origin; " + box.note;
    }
  }
  [[nodiscard]] static std::string drawn(const Box& box, const GraphLayout::Point& middle) {
    const double x = middle.x - box_width / 2.0, y = middle.y - box_height / 2.0;
    return fmt::format(
        "<g><title>{}: {}{}</title><rect class=\"box{}{}\" x={:.1f} y={:.1f} width={} height={} "
        "rx=4></rect><text x={:.1f} y={:.1f}>{}</text><text class=quiet x={:.1f} "
        "y={:.1f}>{}</text></g>\n",
        escaped(box.label), escaped(box.note), box.caught ? "; in the deadlock" : "",
        box.origin ? " origin" : "", box.caught ? " caught" : "", x, y, box_width, box_height,
        x + 8, y + 16, escaped(fitting(box.label)), x + 8, y + 32, escaped(fitting(box.note)));
  }
  [[nodiscard]] static std::string drawn(const Arrow& arrow, const GraphLayout::Arrow& place) {
    std::string path = fmt::format("M{:.1f} {:.1f}C", place.curve[0].x, place.curve[0].y);
    for (std::size_t i = 1; i < place.curve.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}", i == 1 ? "" : " ", place.curve[i].x, place.curve[i].y);
    path += fmt::format("L{:.1f} {:.1f}", place.tip.x, place.tip.y);
    return fmt::format(
        "<path class=\"arc{0}\" marker-end=\"url(#head{0})\" d=\"{1}\"/><text "
        "text-anchor=middle x={2:.1f} y={3:.1f}>{4}</text>\n",
        arrow.caught ? "-caught" : "", path, place.label.x, place.label.y + 4, arrow.text());
  }

  std::map<std::pair<std::string, std::string>, Arrow> arrows_;
  std::map<std::string, Box> boxes_;
  std::size_t number_{0};
};

// A port is waited for by the port that it pauses: the pauses of a circle go the other way.
CircleArrows circles_of(const JsonValue& deadlocks) {
  CircleArrows circles;
  for (const JsonValue& deadlock : deadlocks)
    for (const JsonValue& member : deadlock.at("members")) {
      circles.emplace(node_of_end(text_at(member, "waits_for")), text_at(member, "switch"));
    }
  return circles;
}

std::string times(std::uint64_t count) {
  return count == 1 ? "once" : format_quantity(count) + " times";
}

std::string causes(const JsonValue& flow) {
  std::string out;
  for (const JsonValue& cause : flow.at("because"))
    out += fmt::format("{}{} {} was paused by {}", out.empty() ? "" : "; ",
                       times(cause.at("starts").number()), cause.at("end").text(),
                       cause.at("by").text());
  const auto origins = flow.at("origins").number();
  if (origins != 0)
    out = fmt::format("{} as origin{}{}", times(origins), out.empty() ? "" : "; ", out);
  return out;
}

}  // namespace

std::string propagation_section(const JsonValue& deadlocks, const JsonValue& report,
                                const GraphLayouter& layouter) {
  std::string out = "<h2 id=propagation>Pause propagation</h2>\n";
  const JsonValue& flows = report.at("propagation");
  if (flows.empty()) return out + "<p>No PAUSE was sent.</p>\n";
  out +=
      "<p>An arrow leads from the sender of PAUSE to the paused node, with the number of pauses "
      "(without refreshes) and the time that the other end was paused. An origin (thick frame) "
      "paused others before any of its own ports was paused; congestion spreads from there along "
      "the arrows. A circle of queues that can never drain has double frames and thick arrows with "
      "the word deadlock.</p>\n";
  const Graph graph{flows, circles_of(deadlocks)};
  if (graph.too_large())
    out +=
        fmt::format("<p>{} nodes took part, too many to draw; see the table.</p>\n", graph.size());
  else
    out += graph.drawing(layouter).value_or(
        "<p>There is no picture: it is laid out by Graphviz, whose program <code>dot</code> was "
        "not found (package graphviz). The table says the same.</p>\n");
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
  for (const JsonValue& flow : flows) {
    if (max_listed_pauses < ++rows) continue;
    const auto number = [&](const char* key) { return flow.at(key).number(); };
    const auto exact = [&](const std::string& shown, const char* key) {
      table.number(shown, static_cast<double>(number(key)));
    };
    table.text(flow.at("end").text()).text(flow.at("paused").text());
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
