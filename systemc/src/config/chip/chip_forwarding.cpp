// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <limits>

#include "chip_sections.hpp"

namespace weir::chip_sections {
namespace {

Priority to_priority(const Node& value) {
  return Priority{static_cast<std::uint8_t>(to_integer(value, 0, priorities - 1))};
}

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

void read_classifier(const Node& node, ClassifierSettings& classifier) {
  constexpr std::array<std::pair<std::string_view, ClassTrust>, 2> fields{
      {{"pcp", ClassTrust::pcp}, {"dscp", ClassTrust::dscp}}};
  TableReader reader{node};
  classifier.trust = reader.get_or(
      "trust", [&](const Node& value) { return to_choice(value, fields); }, classifier.trust);
  classifier.untagged = reader.get_or("untagged", to_priority, classifier.untagged);
  if (const Node* const group = reader.find("group"))
    classifier.group_priority = to_priority(*group);
  if (const Node* const table = reader.find("dscp")) {
    if (classifier.trust != ClassTrust::dscp) table->fail("needs trust = \"dscp\"");
    read_dscp_table(*table, classifier);
  }
  reader.finish();
}

NeighbourSettings to_neighbours(const Node& node) {
  constexpr std::array<std::pair<std::string_view, IncompleteArp>, 3> choices{
      {{"flood", IncompleteArp::flood},
       {"to_cpu", IncompleteArp::to_cpu},
       {"drop_lossless", IncompleteArp::drop_lossless}}};
  TableReader reader{node};
  NeighbourSettings neighbours;
  neighbours.arp_timeout = reader.get_or("arp_timeout", to_positive_time, neighbours.arp_timeout);
  neighbours.mac_timeout = reader.get_or("mac_timeout", to_positive_time, neighbours.mac_timeout);
  neighbours.incomplete = reader.get_or(
      "incomplete", [&](const Node& value) { return to_choice(value, choices); },
      neighbours.incomplete);
  neighbours.cpu_queue = reader.get_or("cpu_queue", integer_from(1, 1 << 20), neighbours.cpu_queue);
  neighbours.cpu_packet_time =
      reader.get_or("cpu_packet_time", to_positive_time, neighbours.cpu_packet_time);
  reader.finish();
  return neighbours;
}

}  // namespace

void read_forwarding(TableReader& document, Chip& chip) {
  if (const Node* const node = document.find("classify")) read_classifier(*node, chip.classifier);
  if (const Node* const node = document.find("neighbours")) chip.neighbours = to_neighbours(*node);
}

}  // namespace weir::chip_sections
