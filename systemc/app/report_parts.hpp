// SPDX-License-Identifier: Apache-2.0
// Sections of the report page: HTML from summary.json and report.json.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace weir {

using ReportJson = nlohmann::ordered_json;

// Tables (report_tables.cpp).
[[nodiscard]] std::string headline_section(const ReportJson& summary);
[[nodiscard]] std::string verdict_section(const ReportJson& summary);
[[nodiscard]] std::string configuration_section(const ReportJson& report);
[[nodiscard]] std::string drop_section(const ReportJson& summary, const ReportJson& report);
[[nodiscard]] std::string counter_section(const ReportJson& summary);

// Drawings (report_drawings.cpp, report_propagation.cpp).
[[nodiscard]] std::string pause_section(const ReportJson& report);
[[nodiscard]] std::string propagation_section(const ReportJson& report);
[[nodiscard]] std::string latency_section(const ReportJson& summary);
[[nodiscard]] std::string headroom_section(const ReportJson& report);

}  // namespace weir
