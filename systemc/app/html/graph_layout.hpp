// SPDX-License-Identifier: Apache-2.0
// Where the boxes and arrows of a picture go.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// A picture of boxes and arrows; sizes in pixels.
struct GraphShape {
  struct Arrow {
    std::size_t from{0}, to{0};  ///< Numbers of boxes.
    int label_width{0};          ///< Of the text at it.
  };
  std::size_t boxes{0};
  int box_width{0}, box_height{0}, label_height{0};
  bool downwards{false};  ///< Arrows lead down, else to the right.
  std::vector<Arrow> arrows;
};

/// The same with places, in pixels from the top left.
struct GraphLayout {
  struct Point {
    double x{0}, y{0};
  };
  struct Arrow {
    /// Cubic curve: the first point, then three for each piece.
    std::vector<Point> curve;
    Point tip;    ///< Where the arrow ends; the curve ends just before.
    Point label;  ///< The middle of its text.
  };
  double width{0}, height{0};
  std::vector<Point> boxes;   ///< Their middles.
  std::vector<Arrow> arrows;  ///< As in the shape.
};

/// Lays out a shape; nothing where it cannot.
using GraphLayouter = std::function<std::optional<GraphLayout>(const GraphShape&)>;

/// By `dot` of Graphviz, as a program: no text lies on another, and none on a box. Nothing where
/// there is no such program. Same shape, same version of Graphviz: same layout.
[[nodiscard]] std::optional<GraphLayout> lay_out_by_dot(const GraphShape& shape);

/// What `dot -Tjson0` has written for `shape`. Nothing when it is anything else.
[[nodiscard]] std::optional<GraphLayout> layout_of_dot(const GraphShape& shape,
                                                       const std::string& json);

}  // namespace weir
