// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "chip_keys.hpp"
#include "chip_sections.hpp"

namespace weir::chip_sections {
namespace {

// [classify.dscp]: priority = the DSCPs that mean it. What no line names is priority 0.
void read_dscp_table(const Node& table, ClassifierSettings& classifier) {
  if (!table.is_table()) table.fail("must be a table: priority = the DSCPs that mean it");
  classifier.priority_of_dscp.fill(Priority{0});
  std::array<const Node*, ClassifierSettings::dscps> named{};
  for (const Node& line : table.children) {
    if (line.name.size() != 1 || line.name[0] < '0' || '7' < line.name[0])
      line.fail("must have a priority, 0 to 7, as its name");
    const Priority priority{static_cast<std::uint8_t>(line.name[0] - '0')};
    for (const std::uint32_t dscp : to_numbers(line, ClassifierSettings::dscps)) {
      if (named[dscp] != nullptr)
        line.fail("DSCP " + std::to_string(dscp) + " is priority " + named[dscp]->name +
                  " already");
      named[dscp] = &line;
      classifier.priority_of_dscp[dscp] = priority;
    }
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
  if (const Node* const node = document.find("neighbours"))
    chip.neighbours = read_neighbours(document.table(*node));
}

}  // namespace weir::chip_sections
