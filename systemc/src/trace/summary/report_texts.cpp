// SPDX-License-Identifier: Apache-2.0
#include "report_texts.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "json_text.hpp"

namespace weir {
namespace {

// Each point against the one before: bucket later, last higher, least below last, most above last.
void add_points(JsonText& json, const std::vector<SeriesPoint>& points) {
  std::int64_t bucket = 0, last = 0;
  json.add_numbers<4>("points", points, [&](const SeriesPoint& point, auto&& put) {
    put(point.bucket - bucket);
    put(point.last - last);
    put(std::max(point.last, point.least) - point.least);
    put(point.most - std::min(point.last, point.most));
    bucket = point.bucket;
    last = point.last;
  });
}

std::string with_points(const JsonValue& section, const ChartSection& chart) {
  constexpr std::size_t letters = 12;  // of a point, about
  std::size_t points = 0;
  for (const std::vector<SeriesPoint>* of_value : chart.points) points += of_value->size();
  JsonText json{JsonLayout::compact};
  json.reserve(points * letters);
  return std::move(json).object([&] {
    for (const JsonValue& member : section)
      if (member.key() != "values") json.add_member(member);
    std::size_t number = 0;
    json.add_list("values", section.at("values"), [&](const JsonValue& value) {
      json.add_object([&] {
        for (const JsonValue& member : value) json.add_member(member);
        add_points(json, *chart.points[number++]);
      });
    });
  });
}

}  // namespace

ReportText report_text(JsonTree sections, const std::vector<ChartSection>& charts) {
  std::vector<ReportText::Chart> texts;
  texts.reserve(charts.size());
  for (const ChartSection& chart : charts)
    texts.push_back({std::string{chart.name}, with_points(sections.root().at(chart.name), chart)});
  return {std::move(sections), std::move(texts)};
}

void write_json(const ReportText& report, const std::function<void(std::string_view)>& write) {
  JsonText json{JsonLayout::compact, write};
  std::move(json).whole([&] {
    for (const JsonValue& section : report.sections.root()) {
      const auto chart =
          std::find_if(report.charts.begin(), report.charts.end(),
                       [&](const ReportText::Chart& one) { return one.name == section.key(); });
      if (chart == report.charts.end())
        json.add_member(section);
      else
        json.add_written(chart->name, chart->json);
    }
  });
}

}  // namespace weir
