// SPDX-License-Identifier: Apache-2.0
#include <optional>
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

// The key of the file that the core calls `name`: of the request, else of [chip]; nullptr: neither.
const Node* key_of(const std::string& name, const Node& value, const Node& chip_table) {
  if (const Node* const own = value.find(name == "ns-per-m" ? "delay_per_metre" : name)) return own;
  return chip_table.find(name == "overhead" ? "cell_overhead" : name);
}

// The cells of a request; what is wrong with it is at a key of the file, if it has one.
Cells sized(const Node& value, const Chip& chip, const Node& chip_table,
            const HeadroomRequest& request) {
  try {  // the profile being read is the next one
    return requested_headroom(chip, chip.profiles.end_index(), request);
  } catch (const FileError&) {
    throw;
  } catch (const ConfigError& error) {
    const Node* const key = key_of(error.key(), value, chip_table);
    if (key == nullptr) value.fail(error.key() + " " + error.legal());
    const bool own = value.find(key->name) == key;
    key->fail(error.legal() + (own ? "" : " where " + value.path + " has a cable"));
  }
}

}  // namespace

Headroom to_headroom(const Node& value, const Chip& chip, const Node& chip_table) {
  if (!value.is_table()) return {to_cells_up(value, chip.cell), std::nullopt};
  ErrorList errors;
  TableReader reader{value, errors};
  HeadroomRequest request;
  request.cable = reader.get("cable", to_cable, legal::cable);
  request.method =
      reader.get("method", to_method, "a method of docs/guide/headroom.md, such as \"worst_case\"");
  request.delay_per_metre = reader.get_or("delay_per_metre", to_time, usual_delay_per_metre);
  reader.finish();
  errors.check();
  if (chip.ports.empty()) return {};  // the ports were refused: there is no rate to size it for
  const Cells cells = sized(value, chip, chip_table, request);
  return {cells, std::move(request)};
}

}  // namespace weir::chip_sections
