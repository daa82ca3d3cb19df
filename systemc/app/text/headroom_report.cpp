// SPDX-License-Identifier: Apache-2.0
#include "headroom_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "clock_json.hpp"
#include "format.hpp"
#include "text/json_document.hpp"
#include "weir/config/format/units.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

std::string exact(Bytes bytes) { return format_quantity(bytes.count()) + " B"; }
std::string exact(Cells cells) { return format_quantity(std::uint64_t{cells.count()}) + " cells"; }
std::string percent(std::uint32_t ppm) {
  return fmt::format("{}.{:02} %", ppm / 10'000, ppm % 10'000 / 100);
}
std::string tenths(const ByteFraction& fraction) {
  return fmt::format("{}.{} B", format_quantity(fraction.tenths() / 10), fraction.tenths() % 10);
}
std::string metres(Millimetres length) {
  const std::uint64_t rest = length.count() % 1000;
  return format_quantity(length.count() / 1000) + (rest == 0 ? "" : fmt::format(".{:03}", rest)) +
         " m";
}

class HeadroomLines {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void write_port(HeadroomLines& text, const HeadroomReport& report) {
  const HeadroomPort& port = report.port;
  if (!report.chip.empty()) text.line("{}", report.chip);
  text.line("{}, {} of cable ({} one way), MTU {}", rate_text(port.rate), metres(port.cable),
            format_quantity(port.propagation()), exact(port.mtu));
  text.line("cells of {}{}, clock {}, admit {} and pfc {} cycles, response of the peer {}",
            exact(port.cell),
            port.cell_overhead == Bytes{}
                ? ""
                : fmt::format(" with {} of metadata in the first", exact(port.cell_overhead)),
            format_clock(port.clock), port.admit_latency, port.pfc_latency,
            format_quantity(port.peer_response()));
}

void write_terms(HeadroomLines& text, const std::vector<HeadroomTerm>& terms) {
  for (const HeadroomTerm& term : terms) {
    text.line("    {:<66} {:>14} {:>13}  {}", term.name,
              term.cells == Cells{} ? exact(term.bytes) : exact(term.cells),
              term.time == Picoseconds{} ? "" : format_quantity(term.time), term.source);
  }
}

void write_method(HeadroomLines& text, const SizedMethod& sized) {
  const HeadroomResult& result = sized.result;
  text.line("");
  text.line("{:<16}{:<54} {:>14} {:>13}", sized.method->name, sized.method->meaning,
            exact(result.bytes), exact(result.cells));
  write_terms(text, result.terms);
  if (result.window_terms.empty()) return;
  text.line("  in which a frame may start: {}", format_quantity(result.window));
  write_terms(text, result.window_terms);
}

void write_share(HeadroomLines& text, const char* name, const HeadroomShare& share) {
  text.line("    {:<44} {:>14} a port {:>16} {:>10}  left {:>14}", name, exact(share.per_port),
            exact(share.chip), percent(share.share_ppm), exact(share.left));
}

void write_chip(HeadroomLines& text, const HeadroomReport& report) {
  const HeadroomPlan& plan = *report.plan;
  text.line("");
  text.line("Of a memory of {} with {} such ports, {} lossless classes each, {} private a class:",
            exact(plan.memory), plan.ports, plan.classes, exact(plan.private_buffer));
  for (const SizedMethod& sized : report.methods) {
    text.line("  {}", sized.method->name);
    write_share(text, "dedicated", sized.budget->dedicated);
    write_share(text,
                fmt::format("shared pool, oversubscribed {} to 1", plan.oversubscription).c_str(),
                sized.budget->pool);
    write_share(text, "DSH insurance, the rest inside shared", sized.budget->insurance);
  }
  text.line(
      "  \"left\" is what Dynamic Threshold shares out. An oversubscribed pool guarantees nothing: "
      "it holds as long");
  text.line("  as no more than 1 in {} classes needs all of its headroom at once.",
            plan.oversubscription);
}

void write_configured(HeadroomLines& text, const HeadroomReport& report) {
  text.line("");
  text.line("The chip file gives {}:", exact(*report.configured));
  for (const SizedMethod& sized : report.methods) {
    const Cells need = sized.result.cells;
    const bool enough = need <= *report.configured;
    text.line("    {:<16} {} {}", sized.method->name, enough ? "enough, spare" : "SHORT by",
              exact(enough ? *report.configured - need : need - *report.configured));
  }
}

void write_dcqcn(HeadroomLines& text, const DcqcnReport& report) {
  text.line("");
  text.line("DCQCN, t_flight {} for each of 8 priorities:", exact(report.flight));
  text.line("    static PFC threshold at most  {:>14}", tenths(report.thresholds.static_pfc));
  text.line("    ECN threshold below           {:>14}   (beta {})", tenths(report.thresholds.ecn),
            report.beta);
}

Json to_json(const std::vector<HeadroomTerm>& terms) {
  Json list = Json::array();
  for (const HeadroomTerm& term : terms) {
    Json entry{{"name", term.name}, {"bytes", term.bytes.count()}};
    if (term.cells != Cells{}) entry["cells"] = term.cells.count();
    entry["time_ps"] = term.time.count();
    entry["source"] = term.source;
    list.push_back(entry);
  }
  return list;
}

Json to_json(const HeadroomShare& share) {
  return {{"port_bytes", share.per_port.count()},
          {"chip_bytes", share.chip.count()},
          {"share_ppm", share.share_ppm},
          {"left_bytes", share.left.count()}};
}

Json to_json(const SizedMethod& sized) {
  const HeadroomResult& result = sized.result;
  Json json{{"bytes", result.bytes.count()},
            {"cells", result.cells.count()},
            {"meaning", sized.method->meaning},
            {"source", sized.method->source},
            {"terms", to_json(result.terms)}};
  if (!result.window_terms.empty())
    json["window"] = {{"time_ps", result.window.count()}, {"terms", to_json(result.window_terms)}};
  if (sized.budget)
    json["chip"] = {{"dedicated", to_json(sized.budget->dedicated)},
                    {"shared_pool", to_json(sized.budget->pool)},
                    {"dsh_insurance", to_json(sized.budget->insurance)}};
  return json;
}

Json to_json(const HeadroomPort& port) {
  return {{"rate_bps", port.rate.count()},
          {"cable_mm", port.cable.count()},
          {"propagation_ps", port.propagation().count()},
          {"mtu_bytes", port.mtu.count()},
          {"cell_bytes", port.cell.count()},
          {"cell_overhead_bytes", port.cell_overhead.count()},
          {"clock_ps", clock_json(port.clock)},
          {"admit_cycles", port.admit_latency},
          {"pfc_cycles", port.pfc_latency},
          {"slot_wait_cycles", port.slot_wait},
          {"response_ps", port.peer_response().count()}};
}

Json to_json(const HeadroomPlan& plan) {
  return {{"memory_bytes", plan.memory.count()},
          {"ports", plan.ports},
          {"lossless_classes", plan.classes},
          {"private_bytes", plan.private_buffer.count()},
          {"oversubscription", plan.oversubscription}};
}

Json to_json(const DcqcnReport& report) {
  return {{"t_flight_bytes", report.flight.count()},
          {"beta", report.beta},
          {"static_pfc_bytes", report.thresholds.static_pfc.rounded_down().count()},
          {"ecn_bytes", report.thresholds.ecn.rounded_down().count()},
          {"ecn_tenths_of_a_byte", report.thresholds.ecn.tenths()}};
}

}  // namespace

std::string to_text(const HeadroomReport& report) {
  HeadroomLines text;
  write_port(text, report);
  for (const SizedMethod& sized : report.methods) write_method(text, sized);
  if (report.configured) write_configured(text, report);
  if (report.plan) write_chip(text, report);
  if (report.dcqcn) write_dcqcn(text, *report.dcqcn);
  return text.take();
}

std::string to_json(const HeadroomReport& report) {
  Json json{{"port", to_json(report.port)}};
  if (!report.chip.empty()) json["chip"] = report.chip;
  if (report.configured) json["configured_cells"] = report.configured->count();
  Json methods = Json::object();
  for (const SizedMethod& sized : report.methods)
    methods[std::string{sized.method->name}] = to_json(sized);
  json["methods"] = methods;
  if (report.plan) json["plan"] = to_json(*report.plan);
  if (report.dcqcn) json["dcqcn"] = to_json(*report.dcqcn);
  return json_document(json, 2);
}

}  // namespace weir
