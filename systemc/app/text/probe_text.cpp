// SPDX-License-Identifier: Apache-2.0
#include "probe_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "format.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

std::string_view name_of(std::string_view quantity) {
  return quantity.substr(0, quantity.find_first_of("[="));
}

bool is_entry(const SiliconComparison& figure) { return figure.quantity.back() == ']'; }

std::string number_or_dash(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "-";
}

// "4898", or "60096 .. 74" for the entries of a list.
std::string range(const std::string& first, const std::string& last) {
  return first == last ? first : first + " .. " + last;
}

// One line for figures [first, last] of one quantity.
std::string figure_line(const SiliconComparison& first, const SiliconComparison& last,
                        std::size_t entry, std::size_t entries) {
  std::string quantity{name_of(first.quantity)};
  if (is_entry(first))
    quantity += entries == 1 ? fmt::format("[{}]", entry)
                             : fmt::format("[{}-{}]", entry, entry + entries - 1);
  const std::string difference =
      first.predicted ? fmt::format("{:+}", *first.predicted - first.measured) : "-";
  return fmt::format("  {:<26}{:>14}{:>14}{:>8}  {}\n", quantity,
                     range(number_or_dash(first.predicted), number_or_dash(last.predicted)),
                     range(std::to_string(first.measured), std::to_string(last.measured)),
                     difference, first.verdict);
}

bool one_line(const SiliconComparison& a, const SiliconComparison& b) {
  return a.case_id == b.case_id && is_entry(a) && name_of(a.quantity) == name_of(b.quantity) &&
         a.verdict == b.verdict && a.predicted.has_value() == b.predicted.has_value() &&
         (!a.predicted || *a.predicted - a.measured == *b.predicted - b.measured);
}

bool same_list(const SiliconComparison& a, const SiliconComparison& b) {
  return a.case_id == b.case_id && is_entry(a) && name_of(a.quantity) == name_of(b.quantity);
}

std::string packet_or_dash(std::uint64_t packet) {
  return packet == 0 ? "-" : format_quantity(packet);
}

// A row of the table of PGs, without the PGs themselves.
std::string fate(const ProbePgResult& pool, const ProbePgResult& drop) {
  return fmt::format("{:>11}{:>12}{:>10}   {:>11}{:>12}{:>10}", packet_or_dash(pool.xoff),
                     packet_or_dash(pool.first_drop), format_quantity(pool.headroom),
                     packet_or_dash(drop.xoff), packet_or_dash(drop.first_drop),
                     format_quantity(drop.headroom));
}

std::string name_of(const ProbePg& pg) {
  return fmt::format("{}.{}", pg.port.count(), pg.pg.count());
}

std::string pg_table(const ChipProbe& probe) {
  std::string text =
      fmt::format("{:<16}{:>33}   {:>33}\n{:<16}{:>11}{:>12}{:>10}   {:>11}{:>12}{:>10}\n", "",
                  "each to XOFF, then headroom", "each to its first drop", "  port.PG", "XOFF at",
                  "first drop", "headroom", "XOFF at", "first drop", "headroom");
  const std::vector<ProbePg>& pgs = probe.bench.lossless;
  const auto fate_of = [&](std::size_t i) {
    return fate(probe.to_xoff_then_headroom.pgs[i], probe.to_first_drop.pgs[i]);
  };
  for (std::size_t first = 0; first < pgs.size();) {
    std::size_t end = first + 1;
    while (end < pgs.size() && fate_of(end) == fate_of(first)) ++end;
    const std::string who = end == first + 1 ? name_of(pgs[first])
                                             : name_of(pgs[first]) + " .. " + name_of(pgs[end - 1]);
    text += fmt::format("  {:<14}{}\n", who, fate_of(first));
    first = end;
  }
  return text;
}

std::string first_pg_lines(const ChipProbe& probe) {
  const ProbePgResult& pg = probe.one_pg.pgs.front();
  std::string text = fmt::format("Port.PG {} alone\n", name_of(probe.bench.lossless.front()));
  text += fmt::format("  XOFF at packet {}\n", packet_or_dash(pg.xoff));
  text += fmt::format("  first drop at packet {} ({})\n", packet_or_dash(pg.first_drop),
                      to_string(pg.reason));
  text += fmt::format("  headroom used: {} packets\n", format_quantity(pg.headroom));
  text += probe.to_xon.xon_dismiss ? fmt::format("  XON after {} packets released\n",
                                                 format_quantity(*probe.to_xon.xon_dismiss))
                                   : std::string{"  no XON\n"};
  return text;
}

std::string total_lines(const ChipProbe& probe) {
  std::uint64_t total = 0, pgs = 0;
  for (const ProbePgResult& pg : probe.to_xoff_then_headroom.pgs) {
    total += pg.headroom;
    pgs += pg.headroom != 0 ? 1 : 0;
  }
  std::string text = fmt::format(
      "Totals\n  headroom of {} PGs together: {} packets{}\n", pgs, format_quantity(total),
      probe.to_xoff_then_headroom.pool_was_empty ? ", all of the shared headroom pool" : "");
  for (std::size_t i = 0; i < probe.equal_fill.pgs.size(); ++i)
    if (probe.equal_fill.pgs[i].xoff != 0)
      text +=
          fmt::format("  {} PGs in turn, one packet each: first XOFF at packet {} of {}\n",
                      probe.equal_fill.pgs.size(), format_quantity(probe.equal_fill.pgs[i].xoff),
                      name_of(probe.bench.lossless[i]));
  if (probe.lossy)
    text +=
        fmt::format("  lossy PG {}: first drop at packet {} ({})\n", name_of(*probe.bench.lossy),
                    packet_or_dash(probe.lossy->pgs.front().first_drop),
                    to_string(probe.lossy->pgs.front().reason));
  else
    text += "  no lossy egress queue with a limit\n";
  return text;
}

}  // namespace

std::string to_text(const std::vector<SiliconComparison>& figures) {
  std::string text = fmt::format("  {:<26}{:>14}{:>14}{:>8}  {}\n", "quantity", "predicted",
                                 "measured", "diff", "verdict");
  std::size_t accepted = 0;
  std::size_t entry = 0;  // of the list that figure `first` belongs to
  for (std::size_t first = 0; first < figures.size();) {
    if (first == 0 || figures[first].case_id != figures[first - 1].case_id)
      text += figures[first].case_id + "\n";
    if (first == 0 || !same_list(figures[first - 1], figures[first])) entry = 0;
    std::size_t end = first + 1;
    while (end < figures.size() && one_line(figures[first], figures[end])) ++end;
    text += figure_line(figures[first], figures[end - 1], entry, end - first);
    entry += end - first;
    first = end;
  }
  for (const SiliconComparison& figure : figures) accepted += figure.accepted ? 1 : 0;
  return text + fmt::format("{} of {} counts accepted\n", accepted, figures.size());
}

std::string to_text(const ChipProbe& probe, const Chip& chip, Bytes packet) {
  std::string text = fmt::format(
      "{}: {} ports, {} memory domain{}, cells of {} B\n"
      "{} B packets of {} cell{}; the transmitter of port {} is off; packets are counted from "
      "1\n\n",
      printable_line(chip.name), chip.ports.size(), chip.domains, chip.domains == 1 ? "" : "s",
      chip.cell.count(), packet.count(), chip.cells(packet).count(),
      chip.cells(packet) == Cells{1} ? "" : "s", probe.bench.egress.count());
  return text + first_pg_lines(probe) + "\n" + pg_table(probe) + "\n" + total_lines(probe);
}

}  // namespace weir
