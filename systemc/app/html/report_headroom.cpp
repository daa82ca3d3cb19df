// SPDX-License-Identifier: Apache-2.0
// Use of headroom in the report page: which share of the times that a group took some stayed
// within how many cells, against eta and against what the cable needs.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::size_t max_charts = 8;

// Where the chart is drawn.
struct HeadroomPlot {
  static constexpr int left = 70, top = 42, across = 640, tall = 200;
};

/// A chart over cells from 0 on.
class CellScale {
 public:
  // Cells are counted in 32 bits; a file that says more is not ours.
  explicit CellScale(std::uint64_t last)
      : last_{std::clamp<std::uint64_t>(last, 1, std::numeric_limits<std::uint32_t>::max())} {}
  [[nodiscard]] int place(std::uint64_t cells) const {
    return HeadroomPlot::left +
           static_cast<int>(std::min(cells, last_) * HeadroomPlot::across / last_);
  }
  // 1, 2 or 5 times a power of ten, such that there are ten steps at most.
  [[nodiscard]] std::uint64_t step() const {
    std::uint64_t power = 1;
    while (true) {
      for (const std::uint64_t digit : {1, 2, 5})
        if (last_ <= digit * power * 10) return digit * power;
      power *= 10;
    }
  }
  [[nodiscard]] std::uint64_t last() const { return last_; }

 private:
  std::uint64_t last_;
};

int height_of(std::uint64_t times, std::uint64_t all) {
  return HeadroomPlot::top + HeadroomPlot::tall -
         static_cast<int>(times * HeadroomPlot::tall / all);
}

std::string grid(const CellScale& scale) {
  std::string out;
  for (const std::uint64_t percent : {0, 50, 100}) {
    const int y = height_of(percent, 100);
    out += fmt::format(
        "<path class=axis d=\"M{} {}h{}\"/><text x={} y={} text-anchor=end>{} %</text>",
        HeadroomPlot::left, y, HeadroomPlot::across, HeadroomPlot::left - 6, y + 5, percent);
  }
  for (std::uint64_t cells = 0; cells <= scale.last(); cells += scale.step())
    out += fmt::format("<text x={} y={} text-anchor=middle>{}</text>", scale.place(cells),
                       HeadroomPlot::top + HeadroomPlot::tall + 16, format_quantity(cells));
  return out;
}

std::optional<std::uint64_t> needed(const JsonValue& use) {
  if (!use.contains("needed_cells")) return std::nullopt;
  return count_at(use, "needed_cells");
}

struct Mark {
  std::uint64_t cells;
  std::string words;
  int colour;
  const char* dashes;
};

// A vertical line up to the row of its words, which are to the right of it or to the left.
std::string drawn(const CellScale& scale, const Mark& mark, int row, bool right) {
  const int x = scale.place(mark.cells), y = 14 + 16 * row;
  return fmt::format(
      "<path class=\"line c{}\" stroke-dasharray=\"{}\" d=\"M{} {}V{}\"/><text x={} "
      "y={}{}>{}</text>",
      mark.colour, mark.dashes, x, y - 10, HeadroomPlot::top + HeadroomPlot::tall,
      right ? x + 6 : x - 6, y, right ? "" : " text-anchor=end", mark.words);
}

// Words go towards the emptier side, so they may pass the other line: then they are in the upper
// row, and that line ends below them.
std::string marks(const CellScale& scale, const JsonValue& use, Bytes cell) {
  constexpr int middle = HeadroomPlot::left + HeadroomPlot::across / 2,
                last_to_the_right = HeadroomPlot::left + HeadroomPlot::across - 120;
  const std::uint64_t eta = count_at(use, "limit_cells");
  std::vector<Mark> marks{{eta, "eta " + cells_text(eta, cell), 2, "9 4"}};
  if (const auto cells = needed(use))
    marks.push_back({*cells, "needed " + cells_text(*cells, cell), 3, "2 3"});
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.cells < b.cells; });
  const bool right = scale.place(marks.front().cells) < middle;
  if (!right) std::reverse(marks.begin(), marks.end());
  std::string out;
  for (std::size_t row = 0; row < marks.size(); ++row)
    out += drawn(scale, marks[row], static_cast<int>(row),
                 right && scale.place(marks[row].cells) < last_to_the_right);
  return out;
}

// Steps: each number of cells that was taken lifts the share of the times that stayed within it.
std::string steps(const CellScale& scale, const JsonValue& use) {
  const std::uint64_t all = std::max<std::uint64_t>(1, count_at(use, "times"));
  std::uint64_t seen = 0, before = 0;
  std::string path = fmt::format("M{} {}", HeadroomPlot::left, height_of(0, all));
  for (const JsonValue& pair : use.at("by_peak")) {
    const auto cells = pair.at(0).number();
    if (cells <= before) throw ModelError("peaks of headroom do not ascend");
    before = cells;
    seen = std::min(all, seen + pair.at(1).number());
    path += fmt::format("H{}V{}", scale.place(cells), height_of(seen, all));
  }
  return fmt::format("<path class=\"line c1\" d=\"{}H{}\"/>", path,
                     HeadroomPlot::left + HeadroomPlot::across);
}

std::string chart(const JsonValue& use, const std::string& title, Bytes cell) {
  const std::uint64_t eta = count_at(use, "limit_cells");
  const CellScale scale{std::max({eta, count_at(use, "max_cells"), needed(use).value_or(0)})};
  const int whole = HeadroomPlot::left + HeadroomPlot::across + 40,
            height = HeadroomPlot::top + HeadroomPlot::tall + 40;
  std::string out =
      fmt::format("<svg role=img aria-label=\"{}\" viewBox=\"0 0 {} {}\" width={} height={}>\n{}\n",
                  escaped(title), whole, height, whole, height, grid(scale));
  out += steps(scale, use) + marks(scale, use, cell);
  return out + fmt::format(
                   "<text class=quiet x={} y={} text-anchor=end>cells of headroom taken at "
                   "most</text>\n</svg>\n",
                   HeadroomPlot::left + HeadroomPlot::across, height - 6);
}

std::string use_text(const JsonValue& use, Bytes cell) {
  const std::uint64_t most = count_at(use, "max_cells"), eta = count_at(use, "limit_cells");
  const std::uint64_t times = count_at(use, "times");
  std::string out = fmt::format("Taken {}, at most {} cells ({}): {} of the headroom limit eta",
                                times == 1 ? "once" : format_quantity(times) + " times",
                                format_quantity(most), format_quantity(cell * most),
                                format_percent(most, std::max<std::uint64_t>(eta, 1)));
  if (const auto cells = needed(use)) {
    out += fmt::format(", {} of what the worst case needs",
                       format_percent(most, std::max<std::uint64_t>(*cells, 1)));
    if (eta < *cells) out += "; <b>eta is less than that</b>";
  }
  return out + ".";
}

}  // namespace

std::string headroom_section(const JsonValue& report) {
  std::string out = "<h2 id=headroom>Headroom</h2>\n";
  const JsonValue& uses = report.at("headroom");
  if (uses.empty()) return out + "<p>No cell of headroom was taken.</p>\n";
  out +=
      "<p>Each time that a priority group took headroom, from the first cell until all was free "
      "again, it came to some number of cells: the line is the share of these times that stayed "
      "within a number. eta is the headroom that a group has, needed what the cable, the rates and "
      "the response times of the ports ask for by method worst_case.</p>\n";
  std::size_t shown = 0;
  for (const JsonValue& use : uses) {
    if (max_charts < ++shown) continue;
    const Bytes cell{count_at(use, "cell_bytes")};
    const std::string title =
        fmt::format("{}, profile {}", text_at(use, "switch"), text_at(use, "profile"));
    out += fmt::format("<h3>{}</h3>\n<p>{}</p>\n{}", escaped(title), use_text(use, cell),
                       chart(use, "Headroom taken: " + title, cell));
  }
  if (max_charts < uses.size())
    out += fmt::format("<p>The first {} of {}.</p>\n", max_charts, uses.size());
  return out;
}

}  // namespace weir
