// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "chip_keys.hpp"
#include "chip_sections.hpp"

namespace weir::chip_sections {
namespace {

// Lines of a table of DSCPs: priority = the DSCPs that map to it. A DSCP that no line names maps to
// priority 0.
class DscpLines {
 public:
  explicit DscpLines(DscpTable& table) : table_{table} { table_.fill(Priority{0}); }

  // A line whose name is a priority.
  void add(const Node& line) {
    const Priority priority{static_cast<std::uint8_t>(line.name[0] - '0')};
    for (const std::uint32_t dscp : to_numbers(line, ClassifierSettings::dscps)) {
      if (named_[dscp] != nullptr)
        line.fail("DSCP " + std::to_string(dscp) + " is priority " + named_[dscp]->name +
                  " already");
      named_[dscp] = &line;
      table_[dscp] = priority;
    }
  }

 private:
  DscpTable& table_;
  std::array<const Node*, ClassifierSettings::dscps> named_{};
};

// [classify.dscp]
void read_dscp_table(const Node& table, ClassifierSettings& classifier) {
  if (!table.is_table()) table.fail("must be a table: priority = the DSCPs that map to it");
  DscpLines lines{classifier.priority_of_dscp};
  for (const Node& line : table.children) {
    if (line.name.size() != 1 || line.name[0] < '0' || '7' < line.name[0])
      line.fail("must have a priority, 0 to 7, as its name");
    lines.add(line);
  }
}

void read_classifier(TableReader reader, ClassifierSettings& classifier) {
  for_each_classifier_key(reads_into(classifier, reader));
  const Node* const table = reader.find("dscp");
  if (table != nullptr && reader.good() && classifier.trust != ClassTrust::dscp)
    reader.attempt([&] { table->fail("needs trust = \"dscp\""); });
  else if (table != nullptr)
    reader.attempt([&] { read_dscp_table(*table, classifier); });
  reader.finish();
}

// [dscp_map.NAME]
void read_dscp_map(TableReader reader, Chip& chip) {
  DscpMap map{reader.node().name, {}};
  DscpLines lines{map.priority_of_dscp};
  for (std::size_t n = 0; n < priorities; ++n)
    if (const Node* const line = reader.find(std::to_string(n)))
      reader.attempt([&] { lines.add(*line); });
  const auto end = static_cast<std::uint32_t>(chip.dscp_map_of_port.size());
  const auto ports = reader.get("ports", numbers_below(end), "the ports, such as \"0-3\"");
  for (const std::uint32_t port : ports) {
    std::optional<std::size_t>& own = chip.dscp_map_of_port[port];
    if (own)
      reader.attempt([&] {
        reader.find("ports")->fail("port " + std::to_string(port) + " has the map " +
                                   chip.dscp_maps[*own].name + " already");
      });
    own = chip.dscp_maps.size();
  }
  reader.finish();
  chip.dscp_maps.push_back(std::move(map));
}

void read_dscp_maps(TableReader& document, const Node& group, Chip& chip) {
  if (chip.ports.empty()) return;  // they were refused
  chip.dscp_map_of_port.resize(chip.ports.size());
  for (const Node& node : tables_in(group))
    document.attempt([&] {
      read_dscp_map(document.table(node), chip);
      if (chip.classifier.trust != ClassTrust::dscp)
        node.fail("needs trust = \"dscp\" in [classify]");
    });
}

NeighbourSettings read_neighbours(TableReader reader) {
  NeighbourSettings neighbours;
  for_each_neighbour_key(reads_into(neighbours, reader));
  reader.finish();
  return neighbours;
}

}  // namespace

Priority to_priority(const Node& value) {
  return Priority{static_cast<std::uint8_t>(to_integer(value, 0, priorities - 1))};
}

void read_forwarding(TableReader& document, Chip& chip) {
  if (const Node* const node = document.find("classify"))
    document.attempt([&] { read_classifier(document.table(*node), chip.classifier); });
  if (const Node* const node = document.find("dscp_map"))
    document.attempt([&] { read_dscp_maps(document, *node, chip); });
  if (const Node* const node = document.find("neighbours"))
    chip.neighbours = read_neighbours(document.table(*node));
}

}  // namespace weir::chip_sections
