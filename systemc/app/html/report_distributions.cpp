// SPDX-License-Identifier: Apache-2.0
#include "report_distributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.hpp"
#include "text/format.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/latency.hpp"

namespace weir {
namespace {

constexpr std::size_t max_share_lines = 8;
constexpr int plot_left = 70, plot_top = 10, plot_across = 640, plot_tall = 220, key_line = 18;

// Lines that share a colour differ in their dashes.
constexpr const char* dashes[] = {"",     "9 4", "2 3", "9 3 2 3",
                                  "14 3", "5 5", "1 5", "12 3 2 3 2 3"};

double at_end(std::size_t bucket) {
  return static_cast<double>(std::max<std::uint64_t>(1, Latency::end_of(bucket).count()));
}

/// Places on a logarithmic scale of whole decades or less.
class LogScale {
 public:
  explicit LogScale(const std::vector<Distribution>& lines) {
    for (const Distribution& line : lines) {
      const std::size_t first = line.buckets.front().first, last = line.buckets.back().first;
      low_ = std::min(low_, std::log10(first == 0 ? 1 : at_end(first - 1)));
      high_ = std::max(high_, std::log10(at_end(last)));
    }
    if (high_ - low_ < 0.1) high_ = low_ + 0.1;
  }
  [[nodiscard]] int place(double value) const {
    const double share = (std::log10(value) - low_) / (high_ - low_);
    return plot_left + static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * plot_across));
  }
  // 1, 2 and 5 times the powers of ten between the ends; of long scales the powers alone.
  [[nodiscard]] std::vector<std::uint64_t> ticks() const {
    std::vector<std::uint64_t> ticks;
    const bool few = high_ - low_ < 3;
    for (double power = std::floor(low_); power <= high_; ++power)
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = digit * std::pow(10, power);
        if (digit != 1 && !few) continue;
        if (std::log10(value) < low_ || high_ < std::log10(value)) continue;
        ticks.push_back(static_cast<std::uint64_t>(std::llround(value)));
      }
    return ticks;
  }
  [[nodiscard]] std::uint64_t low() const { return rounded(low_); }
  [[nodiscard]] std::uint64_t high() const { return rounded(high_); }

 private:
  [[nodiscard]] static std::uint64_t rounded(double logarithm) {
    return static_cast<std::uint64_t>(std::llround(std::pow(10, logarithm)));
  }

  double low_{20}, high_{0};
};

int height_of(double share) {
  return plot_top + static_cast<int>(std::lround((1 - share) * plot_tall));
}

std::string grid(const LogScale& scale, const std::function<std::string(std::uint64_t)>& text) {
  std::string out;
  for (const int percent : {0, 50, 90, 99, 100}) {
    const int y = height_of(percent / 100.0);
    out += fmt::format("<path class=axis d=\"M{} {}h{}\"/>", plot_left, y, plot_across);
    if (percent != 99)  // one number for two lines that are next to each other
      out += fmt::format("<text x={} y={} text-anchor=end>{}</text>", plot_left - 6,
                         percent == 100 ? y + 4 : y + 5,
                         percent == 100 ? "99, 100 %" : fmt::format("{} %", percent));
  }
  constexpr int apart = 62;
  int free = 0;
  const auto number = [&](std::uint64_t value, const char* anchor) {
    const int x = scale.place(static_cast<double>(value));
    out += fmt::format("<text x={} y={} text-anchor={}>{}</text>", x, plot_top + plot_tall + 16,
                       anchor, text(value));
    free = x + apart;
  };
  const std::vector<std::uint64_t> ticks = scale.ticks();
  for (const std::uint64_t value : ticks)
    out += fmt::format("<path class=axis d=\"M{} {}v{}\"/>",
                       scale.place(static_cast<double>(value)), plot_top, plot_tall);
  if (1 < ticks.size()) {
    for (const std::uint64_t value : ticks)
      if (free <= scale.place(static_cast<double>(value))) number(value, "middle");
    return out;
  }
  // A short scale between two round numbers: its ends say where it is.
  number(scale.low(), "start");
  for (const std::uint64_t value : ticks) {
    const int x = scale.place(static_cast<double>(value));
    if (free + apart / 2 <= x && x <= plot_left + plot_across - 2 * apart) number(value, "middle");
  }
  number(scale.high(), "end");
  return out;
}

// Steps: within a bucket nothing is known.
std::string drawn(const Distribution& line, const LogScale& scale) {
  std::uint64_t all = 0, seen = 0;
  for (const auto& [bucket, count] : line.buckets) all += count;
  all = std::max<std::uint64_t>(all, 1);
  const std::size_t first = line.buckets.front().first;
  std::string path =
      fmt::format("M{} {}", scale.place(first == 0 ? 1 : at_end(first - 1)), height_of(0));
  for (const auto& [bucket, count] : line.buckets) {
    seen += count;
    append_number(path += 'H', static_cast<std::uint64_t>(scale.place(at_end(bucket))));
    append_number(path += 'V', static_cast<std::uint64_t>(height_of(static_cast<double>(seen) /
                                                                    static_cast<double>(all))));
  }
  return path + fmt::format("H{}", plot_left + plot_across);
}

}  // namespace

LatencyBuckets latency_buckets(const JsonValue& list) {
  LatencyBuckets buckets;
  for (const JsonValue& pair : list) {
    const auto index = pair.at(0).number();
    if (Latency::bucket_count <= index)
      throw ModelError("latency has no bucket " + std::to_string(index));
    if (!buckets.empty() && index <= buckets.back().first)
      throw ModelError("buckets of latency do not ascend");
    buckets.emplace_back(index, pair.at(1).number());
  }
  return buckets;
}

std::string share_chart(const std::string& title, const std::vector<Distribution>& lines,
                        const std::function<std::string(std::uint64_t)>& text) {
  std::vector<Distribution> shown;
  for (const Distribution& line : lines)
    if (!line.buckets.empty() && shown.size() < max_share_lines) shown.push_back(line);
  if (shown.empty()) return "";
  const LogScale scale{shown};
  const int whole = plot_left + plot_across + 40;
  const int tall = plot_top + plot_tall + 26 + key_line * static_cast<int>(shown.size());
  std::string out =
      fmt::format("<svg role=img aria-label=\"{}\" viewBox=\"0 0 {} {}\" width={} height={}>\n{}\n",
                  escaped(title), whole, tall, whole, tall, grid(scale, text));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string look =
        fmt::format("class=\"line c{}\" stroke-dasharray=\"{}\"", i % 4 + 1, dashes[i]);
    const int y = plot_top + plot_tall + 34 + key_line * static_cast<int>(i);
    out += fmt::format("<path {} d=\"{}\"/><path {} d=\"M{} {}h44\"/><text x={} y={}>{}</text>\n",
                       look, drawn(shown[i], scale), look, plot_left, y - 4, plot_left + 52, y,
                       escaped(shown[i].name));
  }
  out += "</svg>\n";
  if (max_share_lines < lines.size())
    out += fmt::format("<p>The first {} of {}.</p>\n", max_share_lines, lines.size());
  return out;
}

std::string completion_section(const JsonValue& summary, const JsonValue& report) {
  if (!summary.contains("completions") || !report.contains("completions")) return "";
  std::string out =
      "<h2 id=completion>Completion times</h2>\n<p>Of messages (FCT) and of incasts, one burst of "
      "all senders (ICT): from the beginning to the last bit of the last packet. Slowdown: "
      "completion time divided by that of the same message or incast in the empty network.</p>\n";
  HtmlTable table{{{"traffic"},
                   {"of"},
                   {"completed", true},
                   {"unfinished", true},
                   {"p50", true},
                   {"p99", true},
                   {"longest", true},
                   {"slowdown p50", true},
                   {"p99", true},
                   {"largest", true}}};
  for (const JsonValue& row : summary.at("completions")) {
    table.text(text_at(row, "traffic")).text(text_at(row, "of"));
    const bool any = count_at(row, "completed") != 0;
    for (const char* key : {"completed", "unfinished"})
      table.text(format_quantity(count_at(row, key)));
    for (const char* key : {"p50_ps", "p99_ps", "longest_ps"})
      table.text(any ? format_quantity(time_at(row, key)) : "-");
    for (const char* key :
         {"slowdown_p50_thousandths", "slowdown_p99_thousandths", "largest_slowdown_thousandths"})
      table.text(count_at(row, key) == 0 ? "-" : format_ratio(count_at(row, key)));
  }
  out += "<div class=wide tabindex=0>" + table.done() + "</div>\n";
  std::vector<Distribution> times, slowdowns;
  for (const JsonValue& row : report.at("completions")) {
    const std::string name = fmt::format("{}, {}", text_at(row, "traffic"), text_at(row, "of"));
    const auto add = [&](const char* key, std::vector<Distribution>& lines) {
      Distribution line{name, latency_buckets(row.at(key))};
      if (!line.buckets.empty()) lines.push_back(std::move(line));
    };
    add("times", times);
    add("slowdowns", slowdowns);
  }
  if (times.empty()) return out + "<p>None was completed.</p>\n";
  constexpr std::uint64_t millionths = 1'000;  // of a thousandth
  return out + "<h3>Share that was complete within a time</h3>\n" +
         share_chart("Share that was complete within a time", times,
                     [](std::uint64_t ps) { return format_quantity(Picoseconds{ps}); }) +
         (slowdowns.empty() ? "" : "<h3>Share with a slowdown of at most</h3>\n") +
         share_chart("Share with a slowdown of at most", slowdowns, [](std::uint64_t parts) {
           return format_ratio((parts + millionths / 2) / millionths);
         });
}

}  // namespace weir
