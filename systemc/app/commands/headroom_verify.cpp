// SPDX-License-Identifier: Apache-2.0
#include "headroom_verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t margin(Cells asked, Cells need) {
  return std::int64_t{asked.count()} - std::int64_t{need.count()};
}

std::string_view verdict(const HeadroomProof& proof) {
  if (!proof.confirmed()) return "NOT CONFIRMED: the measured need is not the edge of dropping";
  if (!proof.sufficient()) return "TOO SMALL: worst_case drops";
  if (!proof.tight()) return "TOO LARGE: worst_case exceeds the need by more than is allowed";
  return proof.enough() ? "good: the chip file gives enough; worst_case suffices and is tight"
                        : "SHORT: the chip file gives too little; worst_case suffices and is tight";
}

bool all_good(const HeadroomProof& proof) { return proof.good() && proof.enough(); }

// As `weir headroom --chip` says it of the formulas.
std::string chip_row(const HeadroomProof& proof) {
  const std::int64_t spare = margin(proof.configured, proof.need);
  return fmt::format("  {:<16} {:>12} {:>+12}  {}\n", "chip file",
                     format_quantity(std::uint64_t{proof.configured.count()}), spare,
                     proof.enough()
                         ? "enough"
                         : fmt::format("SHORT by {} {}", -spare, spare == -1 ? "cell" : "cells"));
}

Json json_of(const HeadroomProof& proof) {
  Json methods = Json::object();
  for (const HeadroomProof::Method& method : proof.methods)
    methods[std::string{method.name}] = {{"cells", method.cells.count()},
                                         {"margin_cells", margin(method.cells, proof.need)},
                                         {"sufficient", proof.need <= method.cells}};
  return {{"port", proof.port.count()},
          {"rate_bps", proof.setting.rate.count()},
          {"cable_mm", proof.setting.cable.count()},
          {"need_cells", proof.need.count()},
          {"drops_at_need", proof.drops_at_need},
          {"drops_one_cell_below", proof.drops_below},
          {"allowed_excess_cells", proof.allowed.count()},
          {"configured_cells", proof.configured.count()},
          {"configured_margin_cells", margin(proof.configured, proof.need)},
          {"worst_case_good", proof.good()},
          {"good", all_good(proof)},
          {"methods", methods}};
}

}  // namespace

std::string verification_text(const Chip& chip, const std::vector<HeadroomProof>& proofs) {
  std::string text = fmt::format("{}: {} ports attacked at once, MTU {}, cells of {}\n",
                                 printable_line(chip.name), chip.ports.size() - chip.domains,
                                 format_quantity(chip.mtu), format_quantity(chip.cell));
  auto out = std::back_inserter(text);
  for (const HeadroomProof& proof : proofs) {
    fmt::format_to(out, "\n{}, {} one way, worst-case port {}\n", rate_text(proof.setting.rate),
                   format_quantity(proof.setting.propagation()), proof.port.count());
    fmt::format_to(out, "  measured need {} cells; drops with it: {}; with one cell less: {}\n",
                   format_quantity(std::uint64_t{proof.need.count()}), proof.drops_at_need,
                   proof.drops_below);
    fmt::format_to(out, "  {:<16} {:>12} {:>12}\n", "method", "cells", "margin");
    for (const HeadroomProof::Method& method : proof.methods)
      fmt::format_to(out, "  {:<16} {:>12} {:>+12}{}\n", method.name,
                     format_quantity(std::uint64_t{method.cells.count()}),
                     margin(method.cells, proof.need),
                     method.cells < proof.need ? "  too small" : "");
    fmt::format_to(out, "{}  {}\n", chip_row(proof), verdict(proof));
  }
  return text;
}

std::string verification_json(const Chip& chip, const std::vector<HeadroomProof>& proofs) {
  Json list = Json::array();
  for (const HeadroomProof& proof : proofs) list.push_back(json_of(proof));
  const Json json{{"chip", chip.name},
                  {"cell_bytes", chip.cell.count()},
                  {"mtu_bytes", chip.mtu.count()},
                  {"good", verification_exit_code(proofs) == 0},
                  {"kinds_of_port", list}};
  return json_document(json, 2);
}

int verification_exit_code(const std::vector<HeadroomProof>& proofs) {
  return std::all_of(proofs.begin(), proofs.end(), all_good) ? 0 : 1;
}

}  // namespace weir
