// SPDX-License-Identifier: Apache-2.0
#include "text/pfc_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/counted.hpp"
#include "text/format.hpp"
#include "weir/core/printable.hpp"
#include "weir/trace/summary/report_shape.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t bins = report_bins;

std::string name_at(const PfcReport& report, std::size_t station) {
  return printable_line(report.stations[station].name);
}

std::string range_of(const std::optional<Picoseconds>& least,
                     const std::optional<Picoseconds>& most) {
  if (!least) return "-";
  return *least == *most ? format_quantity(*least)
                         : format_quantity(*least) + " to " + format_quantity(*most);
}

std::string causes(const PfcReport& report, const PfcFlow& flow) {
  std::string text;
  if (flow.origins != 0) text = fmt::format("{} as origin", format_quantity(flow.origins));
  for (const auto& [station, times] : flow.because)
    text += fmt::format("{}{} while {} was paused by {}", text.empty() ? "" : ", ",
                        format_quantity(times), name_at(report, station),
                        name_at(report, report.stations[station].peer));
  return text;
}

std::string flow_text(const PfcReport& report, const PfcFlow& flow) {
  const PfcStation& to = report.stations[flow.to];
  std::string text =
      fmt::format("{}  {} pauses {}, class {}: {}\n", format_quantity(flow.first_sent),
                  name_at(report, flow.from), name_at(report, flow.to), flow.priority.count(),
                  to_string(flow.verdict));
  text += fmt::format("    frames        {} PAUSE ({} of them refreshes), {} XON; {}\n",
                      format_quantity(flow.pauses), format_quantity(flow.refreshes),
                      format_quantity(flow.xons), causes(report, flow));
  text += fmt::format(
      "    paused        {} in {} {} ({} of the capture), longest {}; {} ended by XON, {} by the "
      "timer, {} open\n",
      format_quantity(flow.pause.total), format_quantity(flow.pause.pauses),
      flow.pause.pauses == 1 ? "interval" : "intervals",
      format_percent(flow.pause.total.count(), report.end.count()),
      format_quantity(flow.pause.longest), format_quantity(flow.by_xon),
      format_quantity(flow.by_timer), format_quantity(flow.open));
  text += fmt::format("    gaps          refresh after {}; from pause to pause {}\n",
                      range_of(flow.min_refresh, flow.max_refresh),
                      range_of(flow.min_gap, flow.max_gap));
  text += fmt::format("    quanta        {} unused when XON came\n",
                      format_quantity(flow.unused_quanta));
  if (to.data_frames != 0)
    text += fmt::format(
        "    data          {} frames, {} of the class since the first pause; {} "
        "after the response limit\n",
        format_quantity(flow.data_frames), format_quantity(flow.data),
        format_quantity(flow.late_frames));
  return text;
}

std::string interval_text(const PauseInterval& interval) {
  return fmt::format("      {} ps to {} ps, {}, ended by {}\n", interval.start.count(),
                     interval.end.count(), format_quantity(interval.end - interval.start),
                     interval.how == PauseEnd::open ? "the capture" : to_string(interval.how));
}

std::string finding_text(const PfcFinding& finding) {
  const PfcFaultRow& row = row_of(finding.fault);
  std::string text = fmt::format("  {:<5} {:<15} {}", row.bad ? "fault" : "note", row.name,
                                 printable_line(finding.where));
  if (finding.priority) text += fmt::format(", class {}", finding.priority->count());
  text += fmt::format(": {}", format_quantity(finding.count));
  if (finding.first != Picoseconds{})
    text += fmt::format(", the first at {}", format_quantity(finding.first));
  if (finding.packet != 0) text += fmt::format(" (packet {})", finding.packet);
  if (!finding.detail.empty()) text += "; " + printable_line(finding.detail);
  return text + fmt::format("\n        {}\n", row.text);
}

Json or_null(const std::optional<Picoseconds>& time) { return time ? Json(time->count()) : Json{}; }

Json interval_json(const PauseInterval& interval) {
  return {{"start_ps", interval.start.count()},
          {"end_ps", interval.end.count()},
          {"ended_by", to_string(interval.how)},
          {"passed_on", interval.passed_on}};
}

Json flow_json(const PfcReport& report, const PfcFlow& flow) {
  Json intervals = Json::array();
  for (const PauseInterval& interval : flow.intervals) intervals.push_back(interval_json(interval));
  return {{"from", report.stations[flow.from].name},
          {"to", report.stations[flow.to].name},
          {"class", flow.priority.count()},
          {"verdict", to_string(flow.verdict)},
          {"first_ps", flow.first_sent.count()},
          {"pauses", flow.pauses},
          {"refreshes", flow.refreshes},
          {"xons", flow.xons},
          {"pause_time_ps", flow.pause.total.count()},
          {"pause_intervals", flow.pause.pauses},
          {"longest_pause_ps", flow.pause.longest.count()},
          {"ended_by_xon", flow.by_xon},
          {"ended_by_timer", flow.by_timer},
          {"open", flow.open},
          {"min_refresh_ps", or_null(flow.min_refresh)},
          {"max_refresh_ps", or_null(flow.max_refresh)},
          {"min_gap_ps", or_null(flow.min_gap)},
          {"max_gap_ps", or_null(flow.max_gap)},
          {"asked_quanta", flow.asked_quanta},
          {"unused_quanta", flow.unused_quanta},
          {"data_frames", flow.data_frames},
          {"data_bytes", flow.data.count()},
          {"late_frames", flow.late_frames},
          {"late_bytes", flow.late.count()},
          {"worst_late_ps", flow.worst_late.count()},
          {"unheeded_xons", flow.unheeded_xons},
          {"intervals", std::move(intervals)}};
}

// Positive: the history has too much.
std::int64_t history_error(const PfcFlow& flow) {
  return static_cast<std::int64_t>(flow.history->total.count()) -
         static_cast<std::int64_t>(flow.pause.total.count());
}

Json history_json(const PfcReport& report, const PfcFlow& flow) {
  const PfcHistory& history = *flow.history;
  return {{"period_ps", report.poll->count()},
          {"transitions", history.transitions},
          {"total_pause_time_ps", history.total.count()},
          {"recent_pause_time_ps", history.recent.count()},
          {"recent_pause_start_ps", history.recent_start.count()},
          {"pause_time_error_ps", history_error(flow)}};
}

// Rounded; not of unsigned type, as errors are made of them.
std::int64_t microseconds(Picoseconds time) {
  constexpr std::uint64_t us = 1'000'000;
  return static_cast<std::int64_t>((time.count() + us / 2) / us);
}

// "show pfc counters --history", and next to it what was so.
std::string history_text(const PfcReport& report) {
  std::string text = fmt::format(
      "\nPFC history of polls every {}\n  {:<20} {:>8} {:>11} {:>15} {:>15} {:>15}   {:>11} {:>15} "
      "{:>16}\n",
      format_quantity(*report.poll), "port", "priority", "transitions", "total us", "recent us",
      "recent since us", "true pauses", "true us", "error us");
  for (const PfcFlow& flow : report.flows) {
    const PfcHistory& history = *flow.history;
    const std::int64_t total = microseconds(history.total), truth = microseconds(flow.pause.total);
    text +=
        fmt::format("  {:<20} {:>8} {:>11} {:>15} {:>15} {:>15}   {:>11} {:>15} {:>+16}\n",
                    name_at(report, flow.to), "PFC" + std::to_string(flow.priority.count()),
                    history.transitions, total, microseconds(history.recent),
                    microseconds(history.recent_start), flow.pause.pauses, truth, total - truth);
  }
  return text;
}

// As in report.json (docs/reference/results.md), for the same drawing.
Json propagation_json(const PfcReport& report, const PfcFlow& flow) {
  const PfcStation &from = report.stations[flow.from], &to = report.stations[flow.to];
  Json because = Json::array();
  for (const auto& [station, times] : flow.because)
    because.push_back({{"end", report.stations[station].name},
                       {"by", report.stations[report.stations[station].peer].node},
                       {"starts", times}});
  return {{"from", from.node},
          {"to", to.node},
          {"end", from.name},
          {"paused", to.name},
          {"class", flow.priority.count()},
          {"frames", flow.pauses},
          {"starts", flow.pauses - flow.refreshes},
          {"origins", flow.origins},
          {"first_ps", flow.first_sent.count()},
          {"paused_ps", flow.pause.total.count()},
          {"because", std::move(because)}};
}

// The share of each bin that was paused, per mille, rounded up.
Json bins_json(const PfcFlow& flow, std::uint64_t width) {
  std::vector<std::uint64_t> paused(bins);
  for (const PauseInterval& interval : flow.intervals) {
    for (std::uint64_t at = interval.start.count(); at < interval.end.count();) {
      const std::size_t bin = std::min<std::size_t>(bins - 1, at / width);
      const std::uint64_t until = bin + 1 == bins
                                      ? interval.end.count()
                                      : std::min(interval.end.count(), (bin + 1) * width);
      paused[bin] += until - at;
      at = until;
    }
  }
  Json list = Json::array();
  for (const std::uint64_t time : paused)
    list.push_back(time / width * 1000 + (time % width * 1000 + width - 1) / width);
  return list;
}

Json pauses_json(const PfcReport& report) {
  const std::uint64_t width = std::max<std::uint64_t>(1, (report.end.count() + bins - 1) / bins);
  Json rows = Json::array();
  for (const PfcFlow& flow : report.flows)
    rows.push_back({{"end", report.stations[flow.to].name},
                    {"node", report.stations[flow.to].node},
                    {"class", flow.priority.count()},
                    {"paused_ps", flow.pause.total.count()},
                    {"bins", bins_json(flow, width)}});
  return {{"bin_ps", width}, {"rows", std::move(rows)}};
}

Json finding_json(const PfcFinding& finding) {
  const PfcFaultRow& row = row_of(finding.fault);
  return {{"finding", row.name},
          {"fault", row.bad},
          {"where", finding.where},
          {"class", finding.priority ? Json(finding.priority->count()) : Json{}},
          {"count", finding.count},
          {"first_ps", finding.first.count()},
          {"packet", finding.packet == 0 ? Json{} : Json(finding.packet)},
          {"detail", finding.detail},
          {"text", row.text}};
}

}  // namespace

std::string to_text(const PfcReport& report, bool timeline) {
  std::string text = fmt::format("{}, {} of them PFC, in {}\n", counted(report.frames, "frame"),
                                 format_quantity(report.pfc_frames), format_quantity(report.end));
  if (!report.flows.empty()) text += "\nwho paused whom, in the order of the first PAUSE\n";
  for (const PfcFlow& flow : report.flows) {
    text += flow_text(report, flow);
    if (!timeline) continue;
    for (const PauseInterval& interval : flow.intervals) text += interval_text(interval);
  }
  if (report.poll && !report.flows.empty()) text += history_text(report);
  text += report.findings.empty() ? "\nnothing found\n" : "\nfindings\n";
  for (const PfcFinding& finding : report.findings) text += finding_text(finding);
  return text;
}

Json to_json(const PfcReport& report) {
  Json flows = Json::array(), propagation = Json::array(), findings = Json::array();
  for (const PfcFlow& flow : report.flows) {
    flows.push_back(flow_json(report, flow));
    if (flow.history) flows.back()["history"] = history_json(report, flow);
    propagation.push_back(propagation_json(report, flow));
  }
  for (const PfcFinding& finding : report.findings) findings.push_back(finding_json(finding));
  return {{"begin_s", report.begin.seconds},
          {"begin_ps", report.begin.picoseconds},
          {"end_ps", report.end.count()},
          {"frames", report.frames},
          {"pfc_frames", report.pfc_frames},
          {"findings", std::move(findings)},
          {"flows", std::move(flows)},
          {"pauses", pauses_json(report)},
          {"propagation", std::move(propagation)}};
}

}  // namespace weir
