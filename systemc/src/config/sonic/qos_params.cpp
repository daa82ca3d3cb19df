// SPDX-License-Identifier: Apache-2.0
#include "weir/config/sonic/qos_params.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "weir/config/format/document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

constexpr std::size_t max_depth = 32;

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \r") - from + 1);
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// "4898" or "[1, 2]"; nothing where it is anything else.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> values;
  if (text.empty() || text.front() != '[') {
    if (const auto value = parse_integer(text)) values.push_back(*value);
    return values;
  }
  if (text.back() != ']') return values;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto value = parse_integer(trimmed(text.substr(0, comma)));
    if (!value) return {};
    values.push_back(*value);
    text.remove_prefix(std::min(text.size(), comma + 1));
  }
  return values;
}

/// The keys above a line, by their indentation.
class KeyStack {
 public:
  void enter(std::size_t indent, std::string_view key, const Origin& place) {
    while (!keys_.empty() && indent <= keys_.back().first) keys_.pop_back();
    if (max_depth <= keys_.size()) throw FileError{place, "", "", "keys are nested too deeply"};
    keys_.emplace_back(indent, std::string{key});
  }
  [[nodiscard]] std::vector<std::string> path() const {
    std::vector<std::string> names;
    names.reserve(keys_.size());
    for (const auto& [indent, name] : keys_) names.push_back(name);
    return names;
  }

 private:
  std::vector<std::pair<std::size_t, std::string>> keys_;
};

// A list in brackets may go on for several lines.
void join_list(std::string& value, std::istringstream& lines, Origin& place) {
  if (value.empty() || value.front() != '[') return;
  for (std::string more; value.back() != ']' && std::getline(lines, more);) {
    ++place.line;
    value += std::string{trimmed(std::string_view{more}.substr(0, more.find(" #")))};
  }
}

std::string path_text(const std::vector<std::string>& path) {
  return fmt::format("{}", fmt::join(path, "/"));
}

const QosSection* find_section(const std::vector<QosSection>& sections, const std::string& name) {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [&](const QosSection& each) { return each.name == name; });
  return found == sections.end() ? nullptr : &*found;
}

const QosParam* find_param(const QosSection& section, const std::string& key) {
  const auto found = std::find_if(section.params.begin(), section.params.end(),
                                  [&](const QosParam& each) { return each.key == key; });
  return found == section.params.end() ? nullptr : &*found;
}

// The section that a line is about: ".../BLOCK/section/key", or "chip/topology/section/key".
const QosSection* counterpart(const QosParams& params, const std::vector<std::string>& path) {
  if (path.size() < 5) return nullptr;
  const std::string& section = path[path.size() - 2];
  for (const QosBlock& block : params.blocks)
    if (path[path.size() - 3] == block.name) return find_section(block.sections, section);
  if (path.size() != 5) return nullptr;
  const QosSection* const found = find_section(params.topology, section);
  if (found != nullptr || params.blocks.size() != 1) return found;
  return find_section(params.blocks.front().sections, section);
}

// A line of a file, and what it is compared with.
struct Pair {
  const QosFileLine& line;
  const QosSection& section;
  const QosParam& param;

  [[nodiscard]] std::string section_path() const {
    return path_text({line.path.begin(), line.path.end() - 1});
  }
};

std::vector<Pair> pairs_of(const QosParams& params, const std::vector<QosFileLine>& lines) {
  const auto of_chip = [&](const QosFileLine& line) {
    return 1 < line.path.size() && line.path[1] == params.asic;
  };
  const bool has_chip = std::any_of(lines.begin(), lines.end(), of_chip);
  std::vector<Pair> pairs;
  for (const QosFileLine& line : lines) {
    if (has_chip && !of_chip(line)) continue;
    const QosSection* const section = counterpart(params, line.path);
    const QosParam* const param =
        section == nullptr ? nullptr : find_param(*section, line.path.back());
    if (param != nullptr) pairs.push_back({line, *section, *param});
  }
  return pairs;
}

// Sections of the file that count something else.
std::set<std::string> other_counts(const std::vector<Pair>& pairs) {
  std::set<std::string> others;
  for (const Pair& pair : pairs) {
    const auto& conditions = pair.section.conditions;
    const bool condition =
        std::find(conditions.begin(), conditions.end(), pair.param.key) != conditions.end();
    if (condition && pair.line.values != pair.param.values) others.insert(pair.section_path());
  }
  return others;
}

void compare_line(const QosFileLine& line, const QosParam& param, QosComparison& comparison) {
  if (!param.quantity || line.values.empty()) return;
  const SiliconBound bound = usual_bound(*param.quantity);
  const std::size_t entries = std::min(line.values.size(), param.values.size());
  comparison.compared += entries;
  for (std::size_t i = 0; i < entries; ++i) {
    if (bound.accepts(param.values[i], line.values[i])) continue;
    const std::string entry = param.is_list ? fmt::format("[{}]", i) : "";
    comparison.stale.push_back(
        {line.place, path_text(line.path) + entry, line.values[i], param.values[i]});
  }
}

std::string yaml_of(const QosSection& section, std::string indent) {
  std::string text;
  if (!section.name.empty()) {
    text = fmt::format("{}{}:\n", indent, section.name);
    indent += "    ";
  }
  for (const QosParam& param : section.params)
    text += param.is_list
                ? fmt::format("{}{}: [{}]\n", indent, param.key, fmt::join(param.values, ", "))
                : fmt::format("{}{}: {}\n", indent, param.key, param.values.front());
  return text;
}

}  // namespace

std::string to_yaml(const QosParams& params) {
  std::string text = fmt::format(
      "# Made by weir probe --qos-params of {}.\n"
      "# pkts_num_leak_out is 0: silicon lets packets leak into the transmitter that is switched\n"
      "# off; the model does not. Add what leaks to each count of packets that are sent.\n"
      "# Ports are numbers in the order of PORT.\n"
      "qos_params:\n    {}:\n        topo-any:\n",
      printable_line(params.folder), params.asic);
  const std::string inner(12, ' '), innermost(16, ' ');
  for (const QosSection& section : params.topology) text += yaml_of(section, inner);
  for (const QosBlock& block : params.blocks) {
    text += fmt::format("{}{}:\n", inner, block.name);
    for (const std::string& source : block.sources)
      text += fmt::format("{}# {}\n", innermost, printable_line(source));
    text += innermost + "pkts_num_leak_out: 0\n";
    for (const QosSection& section : block.sections) text += yaml_of(section, innermost);
  }
  return text;
}

std::vector<QosFileLine> read_qos_params(const std::filesystem::path& file) {
  std::istringstream in{read_text(file, Origin{}, "--against")};
  Origin place{file.string(), 0};
  KeyStack keys;
  std::vector<QosFileLine> lines;
  for (std::string line; std::getline(in, line);) {
    ++place.line;
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.rfind("---", 0) == 0) continue;
    const std::size_t indent = line.find_first_not_of(' ');
    if (line[indent] == '\t')
      throw FileError{place, "", "", "a tab in the indentation, which YAML does not allow"};
    if (text.front() == '-') continue;  // an entry of a list: no number that is compared
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
      throw FileError{place, "", "\"" + std::string{text} + "\"", "must be KEY: or KEY: VALUE"};
    keys.enter(indent, unquoted(trimmed(text.substr(0, colon))), place);
    std::string value{text.substr(colon + 1)};
    value = std::string{trimmed(std::string_view{value}.substr(0, value.find(" #")))};
    const Origin begins = place;
    join_list(value, in, place);
    std::vector<std::int64_t> values = numbers_in(value);
    if (!values.empty()) lines.push_back({begins, keys.path(), std::move(values)});
  }
  return lines;
}

QosComparison compare_qos(const QosParams& params, const std::vector<QosFileLine>& lines) {
  const std::vector<Pair> pairs = pairs_of(params, lines);
  const std::set<std::string> others = other_counts(pairs);
  QosComparison comparison;
  for (const Pair& pair : pairs)
    if (others.count(pair.section_path()) == 0) compare_line(pair.line, pair.param, comparison);
  return comparison;
}

}  // namespace weir
