// SPDX-License-Identifier: Apache-2.0
#include "headroom_against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t margin(const HeadroomGrade& grade) {
  return std::int64_t{grade.given.count()} - std::int64_t{grade.need.count()};
}

GradedHeadroom graded_row(const PublishedHeadroom& row, HeadroomPort port) {
  port.rate = row.rate;
  port.cable = row.cable;
  port.cell = row.cell;
  port.response.reset();
  try {
    port.check();
    return {row, grade_headroom(port, whole_cells(row.xoff, row.cell))};
  } catch (const FileError&) {
    throw;
  } catch (const ConfigError& error) {
    throw FileError{row.place, error.key(), error.value(), error.legal()};
  }
}

Json json_of(const GradedHeadroom& row) {
  const HeadroomGrade& grade = row.grade;
  return {{"line", row.published.place.line},
          {"platform", row.published.platform.empty() ? Json{} : Json(row.published.platform)},
          {"rate_bps", row.published.rate.count()},
          {"cable_mm", row.published.cable.count()},
          {"cell_bytes", row.published.cell.count()},
          {"published_bytes", row.published.xoff.count()},
          {"published_cells", grade.given.count()},
          {"standard_cells", grade.standard.count()},
          {"worst_case_cells", grade.worst_case.count()},
          {"need_cells", grade.need.count()},
          {"margin_cells", margin(grade)},
          {"drops", grade.drops}};
}

}  // namespace

std::vector<GradedHeadroom> graded(const std::vector<PublishedHeadroom>& rows,
                                   const HeadroomPort& port) {
  std::vector<GradedHeadroom> list;
  list.reserve(rows.size());
  for (const PublishedHeadroom& row : rows) list.push_back(graded_row(row, port));
  return list;
}

std::string grades_text(const std::vector<GradedHeadroom>& rows, const HeadroomPort& port) {
  std::string text = fmt::format(
      "headroom of a priority group in cells; frames of up to {}, peers as slow as the "
      "standard allows\n",
      format_quantity(port.mtu));
  auto out = std::back_inserter(text);
  constexpr const char* line = "{:>5} {:<24} {:>6} {:>8} {:>5} {:>10} {:>10} {:>10} {:>10} {:>9}";
  fmt::format_to(out, line, "line", "platform", "speed", "cable", "cell", "published", "standard",
                 "worst_case", "need", "margin");
  text += "  under attack\n";
  for (const GradedHeadroom& row : rows) {
    const PublishedHeadroom& published = row.published;
    const HeadroomGrade& grade = row.grade;
    fmt::format_to(out, line, published.place.line,
                   published.platform.empty() ? "-" : printable_line(published.platform),
                   fmt::format("{}G", published.rate.count() / 1'000'000'000),
                   fmt::format("{} m", published.cable.count() / 1000), published.cell.count(),
                   grade.given.count(), grade.standard.count(), grade.worst_case.count(),
                   grade.need.count(), fmt::format("{:+}", margin(grade)));
    text += grade.drops == 0 ? "  no drop\n"
                             : fmt::format("  drops {}\n", format_quantity(grade.drops));
  }
  const auto drop = std::count_if(rows.begin(), rows.end(),
                                  [](const GradedHeadroom& row) { return row.grade.drops != 0; });
  return text + fmt::format("{} rows, {} of them drop\n", rows.size(), drop);
}

std::string grades_json(const std::vector<GradedHeadroom>& rows, const HeadroomPort& port) {
  Json list = Json::array();
  for (const GradedHeadroom& row : rows) list.push_back(json_of(row));
  const Json json{{"mtu_bytes", port.mtu.count()}, {"rows", list}};
  return json_document(json, 2);
}

int grades_exit_code(const std::vector<GradedHeadroom>& rows) {
  return std::all_of(rows.begin(), rows.end(),
                     [](const GradedHeadroom& row) { return row.grade.drops == 0; })
             ? 0
             : 1;
}

}  // namespace weir
