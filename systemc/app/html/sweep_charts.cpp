// SPDX-License-Identifier: Apache-2.0
#include "sweep_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "html.hpp"
#include "text/ends_with.hpp"
#include "text/format.hpp"
#include "weir/trace/sweep/chart_scale.hpp"

namespace weir {
namespace {

constexpr const char* print_style =
    "<style>text{font:12px sans-serif;fill:#111}.quiet{fill:#444}"
    ".axis{stroke:#999;fill:none}.grid{stroke:#ddd}.other{fill:none;stroke:#888}"
    ".member{fill:#0b57b0;stroke:#111}.field{fill:#0b57b0;stroke:#999}.none{fill:none;stroke:#999}"
    ".bar{fill:#0b57b0}</style>";

std::string opening(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"group\" aria-label=\"{2}\">\n<text x=\"8\" y=\"16\">{2}</text>\n",
      width, height, escaped(title));
}

std::string svg_text(double x, double y, const char* anchor, const std::string& text,
                     const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, escaped(text));
}

constexpr double left = 86, right = 34, top = 28, bottom = 46, plot_width = 380, plot_height = 230;

std::string axes_of(const ScatterChart& chart, const ChartScale& x, const ChartScale& y) {
  std::string svg;
  for (const double value : x.ticks()) {
    svg +=
        fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n",
                    x.place_of(value), top, top + plot_height);
    svg += svg_text(x.place_of(value), top + plot_height + 16, "middle",
                    format_column(chart.x.column, value));
  }
  for (const double value : y.ticks()) {
    svg +=
        fmt::format("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n",
                    left, left + plot_width, y.place_of(value));
    svg += svg_text(left - 6, y.place_of(value) + 4, "end", format_column(chart.y.column, value));
  }
  svg += fmt::format("<rect class=\"axis\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left,
                     top, plot_width, plot_height);
  svg += svg_text(left + plot_width / 2, top + plot_height + 36, "middle", chart.x.title);
  return svg;
}

// Points outside the front are drawn before it; of circles in one place one is enough.
std::string circles_of(const ScatterChart& chart, const ChartScale& x, const ChartScale& y) {
  std::string svg;
  std::set<std::pair<int, int>> drawn;
  for (const ScatterPoint& point : chart.points) {
    const double px = x.place_of(point.x), py = y.place_of(point.y);
    if (point.member || !drawn.emplace(static_cast<int>(px / 3), static_cast<int>(py / 3)).second)
      continue;
    svg += fmt::format("<circle class=\"other\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", px, py);
  }
  return svg;
}

std::string diamonds_of(const ScatterChart& chart, const ChartScale& x, const ChartScale& y) {
  std::string svg;
  for (const ScatterPoint& point : chart.points) {
    if (!point.member) continue;
    svg += fmt::format(
        "<a href=\"{}\" aria-label=\"{}\"><path class=\"member\" d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 "
        "-5z\"><title>{}</title></path></a>\n",
        escaped(point.link), escaped(point.label), x.place_of(point.x), y.place_of(point.y) - 5,
        escaped(point.label));
  }
  return svg;
}

// Marks of members right of their diamonds; those of one place together. One that would lie on
// another goes to the next free of four places, and is left out where none is free: its tooltip and
// the table have it.
std::string marks_of(const ScatterChart& chart, const ChartScale& x, const ChartScale& y) {
  constexpr double letter = 6.6, line = 12;
  constexpr std::size_t max_named = 3;
  std::map<std::pair<int, int>, std::vector<std::string>> places;
  for (const ScatterPoint& point : chart.points)
    if (point.member)
      places[{static_cast<int>(x.place_of(point.x)), static_cast<int>(y.place_of(point.y))}]
          .push_back(point.mark);
  struct Area {
    double left, top, right, bottom;
  };
  std::vector<Area> taken;
  for (const auto& [place, marks] : places)
    taken.push_back({place.first - 5.0, place.second - 5.0, place.first + 5.0, place.second + 5.0});
  std::string svg;
  for (const auto& [place, marks] : places) {
    std::string text;
    for (std::size_t i = 0; i < std::min(marks.size(), max_named); ++i)
      text += (i == 0 ? "" : ", ") + marks[i];
    if (max_named < marks.size()) text += fmt::format(" and {} more", marks.size() - max_named);
    const double wide = letter * static_cast<double>(text.size());
    for (const auto& [dx, dy] :
         {std::pair{7.0, 4.0}, {-7 - wide, 4.0}, {-wide / 2, -8.0}, {-wide / 2, 17.0}}) {
      const double at_x = place.first + dx, at_y = place.second + dy;
      const Area area{at_x, at_y - line + 3, at_x + wide, at_y + 2};
      const bool free = std::none_of(taken.begin(), taken.end(), [&](const Area& other) {
        return area.left < other.right && other.left < area.right && area.top < other.bottom &&
               other.top < area.bottom;
      });
      if (!free || area.left < left || left + plot_width + right < area.right) continue;
      taken.push_back(area);
      svg += svg_text(at_x, at_y, "start", text);
      break;
    }
  }
  return svg;
}

// What fits a field of a heat-map: counts as "1.23 M", shares (of no column) in percent.
std::string short_text(const std::string& column, double value) {
  if (column.empty()) return fmt::format("{:.0f} %", value);
  for (const std::string_view unit : {"_ps", "_bytes", "_bps"})
    if (ends_with(column, unit)) return format_column(column, value);
  if (value < 10'000) return fmt::format("{:.4g}", value);
  if (value < 1e6) return fmt::format("{:.3g} k", value / 1e3);
  return value < 1e9 ? fmt::format("{:.3g} M", value / 1e6) : fmt::format("{:.3g} G", value / 1e9);
}

std::size_t longest_of(const std::vector<std::string>& texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest;
}

}  // namespace

std::string format_column(const std::string& column, double value) {
  constexpr double past_all = 18446744073709551616.0;  // 2^64
  const double whole = std::round(std::max(value, 0.0));
  const std::uint64_t count = whole < past_all ? static_cast<std::uint64_t>(whole)
                                               : std::numeric_limits<std::uint64_t>::max();
  if (ends_with(column, "_ps")) return format_quantity(Picoseconds{count});
  if (ends_with(column, "_thousandths")) return format_ratio(count);
  if (ends_with(column, "_ppm")) return format_share(count);
  if (ends_with(column, "_bytes")) return format_quantity(Bytes{count});
  if (ends_with(column, "_bps")) return format_quantity(BitRate{count});
  if (ends_with(column, "_cells")) return format_quantity(count) + " cells";
  return format_quantity(count);
}

std::string to_svg(const ScatterChart& chart) {
  std::vector<double> xs, ys;
  for (const ScatterPoint& point : chart.points) {
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
  const ChartScale x{xs, left, left + plot_width}, y{ys, top + plot_height, top};
  return opening(left + plot_width + right, top + plot_height + bottom, chart.title) +
         axes_of(chart, x, y) + circles_of(chart, x, y) + diamonds_of(chart, x, y) +
         marks_of(chart, x, y) + "</svg>\n";
}

std::string to_svg(const HeatChart& chart) {
  constexpr double field_height = 26, letter = 6.6;
  const double labels =
      20 + letter * static_cast<double>(std::max(longest_of(chart.rows), chart.y_title.size() + 2));
  const double field_width =
      std::max(66.0, 12 + letter * static_cast<double>(std::max(longest_of(chart.columns),
                                                                longest_of(chart.texts))));
  const double first_row = 64;
  double least = 0, most = 0;
  bool any = false;
  for (const auto& field : chart.fields) {
    if (!field) continue;
    least = any ? std::min(least, *field) : *field;
    most = any ? std::max(most, *field) : *field;
    any = true;
  }
  const double width = labels + field_width * static_cast<double>(chart.columns.size()) + 12;
  const double title_width = 24 + letter * static_cast<double>(chart.title.size());
  std::string svg =
      opening(std::max(width, title_width),
              first_row + field_height * static_cast<double>(chart.rows.size()) + 10, chart.title);
  svg += svg_text(labels + 4, 36, "start", chart.x_title + " \u2192", " class=\"quiet\"");
  svg += svg_text(labels - 8, 52, "end", chart.y_title + " \u2193", " class=\"quiet\"");
  for (std::size_t i = 0; i < chart.columns.size(); ++i)
    svg += svg_text(labels + field_width * (static_cast<double>(i) + 0.5), 56, "middle",
                    chart.columns[i]);
  for (std::size_t row = 0; row < chart.rows.size(); ++row) {
    const double y = first_row + field_height * static_cast<double>(row);
    svg += svg_text(labels - 8, y + 17, "end", chart.rows[row]);
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
      const double x = labels + field_width * static_cast<double>(i);
      const auto& field = chart.fields[row * chart.columns.size() + i];
      const double share = !field || most <= least ? 0 : (*field - least) / (most - least);
      svg += fmt::format(
          "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\""
          " fill-opacity=\"{:.2f}\"/>\n",
          field ? "field" : "none", x, y, field_width, field_height, field ? share * 0.5 : 0);
      svg += svg_text(x + field_width / 2, y + 17, "middle",
                      !chart.texts.empty() ? chart.texts[row * chart.columns.size() + i]
                      : field              ? short_text(chart.column, *field)
                                           : "-");
    }
  }
  return svg + "</svg>\n";
}

std::string to_svg(const BarChart& chart) {
  constexpr double line = 24, width = 300, letter = 6.6;
  std::vector<std::string> names, texts;
  for (const BarChart::Bar& bar : chart.bars) {
    names.push_back(bar.name);
    texts.push_back(bar.text);
  }
  const double labels = 20 + letter * static_cast<double>(longest_of(names));
  std::string svg = opening(labels + width + 24 + letter * static_cast<double>(longest_of(texts)),
                            30 + line * static_cast<double>(chart.bars.size()), chart.title);
  double y = 28;
  for (const BarChart::Bar& bar : chart.bars) {
    const double long_is = std::max(1.0, width * std::clamp(bar.share, 0.0, 1.0));
    svg += svg_text(labels - 8, y + 13, "end", bar.name);
    svg += fmt::format(
        "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\""
        " height=\"16\"/>\n",
        labels, y, long_is);
    svg += svg_text(labels + long_is + 6, y + 13, "start", bar.text);
    y += line;
  }
  return svg + "</svg>\n";
}

std::string standalone_svg(const std::string& svg) {
  const std::size_t end = svg.find('>') + 1;
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg.substr(0, end) + print_style +
         "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>" + svg.substr(end);
}

}  // namespace weir
