// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/chip_file.hpp"

#include "chip_sections.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"

namespace weir {
namespace {

// The element or key of `node` that `step` names: `rate`, or `[2]`.
const Node* child_of(const Node& node, std::string_view step) {
  if (step.empty() || step.front() != '[') return node.find(step);
  const auto index = parse_count(step.substr(1, step.size() - 2));
  if (!node.is_array() || !index || *index >= node.children.size()) return nullptr;
  return &node.children[static_cast<std::size_t>(*index)];
}

// The core names a key of the chip; here it gets the place of that key, or of the table around it
// where the value was derived.
FileError located(const Node& document, const ConfigError& error) {
  const Node* node = &document;
  std::string_view rest = error.key();
  while (!rest.empty()) {
    std::string_view step = rest.substr(0, rest.find_first_of(".[", rest.front() == '[' ? 1 : 0));
    const Node* const child = child_of(*node, step);
    if (child == nullptr) break;
    node = child;
    rest.remove_prefix(step.size());
    if (!rest.empty() && rest.front() == '.') rest.remove_prefix(1);
  }
  const bool found = rest.empty() && !node->is_table() && !node->is_array();
  const std::string value = found && node->text != error.value()
                                ? node->written() + " (" + error.value() + ")"
                                : error.value();
  return FileError{node->origin, rest.empty() ? node->path : node->path_of(rest), value,
                   error.legal()};
}

void check(const Node& document, const Chip& chip) {
  try {
    chip.check();
  } catch (const FileError&) {
    throw;
  } catch (const ConfigError& error) {
    throw located(document, error);
  }
}

// What another command reads.
void check_is_chip(const Node& document) {
  if (document.find("chip") != nullptr) return;
  if (document.find("sweep") != nullptr)
    document.fail("is a sweep file, not a chip: weir sweep runs it");
  if (document.find("scenario") != nullptr)
    document.fail("is a scenario file, not a chip: it names its chips in [switch.NAME] file");
}

}  // namespace

Chip build_chip(const Node& document) {
  ErrorList errors;
  Chip chip = build_chip(document, errors);
  errors.check();
  return chip;
}

Chip build_chip(const Node& document, ErrorList& errors) {
  check_is_chip(document);
  Chip chip;
  TableReader reader{document, errors};
  reader.attempt([&] { chip_sections::read_chip(reader, chip); });
  reader.attempt([&] { chip_sections::read_maps(reader, chip); });
  reader.attempt([&] { chip_sections::read_forwarding(reader, chip); });
  const bool all = reader.attempt([&] {
    chip_sections::read_buffers(reader, chip);
    chip_sections::read_wred(reader, chip);
  });
  for (const char* const key : {"port", "pool", "egress_pool", "profile", "queue", "draw", "wred"})
    if (!all) static_cast<void>(reader.find(key));  // a reader that gave up asks for no more keys
  reader.finish();
  if (reader.good()) reader.attempt([&] { check(document, chip); });
  return chip;
}

Chip load_chip(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  Node document = read_document(file);
  apply_overrides(document, overrides);
  return build_chip(document);
}

Chip parse_chip(std::string_view toml, const std::string& name,
                const std::vector<std::string>& overrides) {
  Node document = parse_toml(toml, name);
  apply_overrides(document, overrides);
  return build_chip(document);
}

}  // namespace weir
