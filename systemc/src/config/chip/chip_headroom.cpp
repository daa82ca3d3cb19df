// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "chip_sections.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::chip_sections {
namespace {

std::string_view to_method(const Node& value) {
  std::vector<std::pair<std::string_view, std::string_view>> names;
  for (const HeadroomMethod& method : headroom_methods()) {
    names.emplace_back(method.name, method.name);
  }
  return to_choice(value, names);
}

bool same_need(const PortSetting& a, const PortSetting& b) {
  return a.rate == b.rate && a.response == b.response && a.domain == b.domain;
}

// The cable of { cable, method, delay_per_metre }, as the sizer of a port of `chip` sees it.
Cells sized(const Node& value, std::string_view method, const HeadroomPort& port) {
  try {
    return size_headroom(method, port).cells;
  } catch (const FileError&) {
    throw;
  } catch (const ConfigError& error) {
    const Node* const key = value.find(error.key() == "ns-per-m" ? "delay_per_metre" : error.key());
    (key == nullptr ? value : *key).fail(error.key() + " " + error.legal());
  }
}

}  // namespace

Cells to_headroom(const Node& value, const Chip& chip) {
  if (!value.is_table()) return to_cells_up(value, chip.cell);
  TableReader reader{value};
  const Millimetres cable = reader.get("cable", to_length, legal::length);
  const std::string_view method =
      reader.get("method", to_method, "a method of docs/guide/headroom.md, such as \"worst_case\"");
  const Picoseconds per_metre =
      reader.get_or("delay_per_metre", to_time, HeadroomPort{}.delay_per_metre);
  reader.finish();

  // The profile being read is the next one; its ports may differ, the neediest decides.
  Cells most;
  const PortSetting* last = nullptr;
  for (std::size_t slot = 0; slot < chip.profile_of_pg.size(); ++slot) {
    if (chip.profile_of_pg[slot] != chip.profiles.size()) continue;
    const std::size_t index = slot / priorities;
    if (last != nullptr && same_need(*last, chip.ports[index])) continue;
    last = &chip.ports[index];
    HeadroomPort port = headroom_port(chip, PortId{static_cast<std::uint16_t>(index)}, cable);
    port.delay_per_metre = per_metre;
    most = std::max(most, sized(value, method, port));
  }
  return most;
}

}  // namespace weir::chip_sections
