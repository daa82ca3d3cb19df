// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weir {

// Charts as SVG elements without colours of their own: the page styles them (light and dark), and
// standalone_svg() gives a file for papers. Nothing is shown by colour alone: marks differ in
// shape, fields carry their value.

/// Values along one side of a chart.
struct ChartAxis {
  std::string title;
  std::string column;  ///< Column of the values; its ending is the unit (`_ps`, `_bytes` ...).
};

struct ScatterPoint {
  double x{0}, y{0};
  bool member{false};  ///< The point is of the front: a diamond with a link; else a circle.
  std::string label;   ///< What it is, for tooltips and readers of the screen.
  std::string link;    ///< Target of a member's link: `#p12`.
  std::string mark;    ///< Short text next to a member's diamond.
};

struct ScatterChart {
  std::string title;
  ChartAxis x, y;
  std::vector<ScatterPoint> points;
};

struct HeatChart {
  std::string title, x_title, y_title;
  std::vector<std::string> columns, rows;
  std::vector<std::optional<double>> fields;  ///< Row by row; none: no run.
  std::string column;                         ///< Whose values they are: the unit.
  std::vector<std::string> texts;             ///< In the fields, in place of their numbers.
};

struct BarChart {
  struct Bar {
    std::string name, text;  ///< Left and right of it.
    double share{0};         ///< Of the whole width, 0 to 1.
  };
  std::string title;
  std::vector<Bar> bars;
};

[[nodiscard]] std::string to_svg(const ScatterChart& chart);
[[nodiscard]] std::string to_svg(const HeatChart& chart);
[[nodiscard]] std::string to_svg(const BarChart& chart);

/// The same as a file of its own: black on white, for print.
[[nodiscard]] std::string standalone_svg(const std::string& svg);

/// A value of a figure with the unit that the end of its column says: "1.5 ms", "12.8 MB".
[[nodiscard]] std::string format_column(const std::string& column, double value);

}  // namespace weir
