// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/register_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "register_names.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/registers/register_settings.hpp"

namespace weir {
namespace {

constexpr std::string_view from_the_chip = "chip", of_draws = "draw";

// A constant that says how large the RTL is: the value of a parameter.
bool shows_a_parameter(const RegisterBlock& block, const Register& reg) {
  return block.counts.empty() && reg.access == RegisterAccess::ro && reg.reset == from_the_chip;
}

std::string parameter_of(const Register& reg) {
  for (const PipelineLatency& latency : pipeline::table)
    if (latency.key == reg.name) return std::string{latency.parameter};
  return camel(reg.name);
}

std::string parameters() {
  std::string text;
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers) {
      if (!shows_a_parameter(block, reg)) continue;
      unsigned usual = 1;
      for (const PipelineLatency& latency : pipeline::table)
        if (latency.key == reg.name) usual = latency.usual;
      text += fmt::format("{}  longint unsigned {} = {}", text.empty() ? "" : ",\n",
                          parameter_of(reg), usual);
    }
  return text;
}

// After reset, before software has written anything.
std::string reset_of(const RegisterBlock& block, const Register& reg, const LegalField& field) {
  if (shows_a_parameter(block, reg)) return parameter_of(reg);
  if (reg.reset == "release") return fmt::format("0x{:08x}", packed_version());
  // A register of draws is never 0, and its seed is not written yet.
  if (reg.access == RegisterAccess::ro && reg.reset == of_draws) return "1";
  const bool constant = reg.access == RegisterAccess::ro && block.counts.empty();
  if (constant) return std::string{reg.reset};
  return field.or_none ? fmt::format("0x{:x}", ~std::uint32_t{0} >> (32 - field.width)) : "0";
}

std::string_view properties(const RegisterBlock& block, RegisterAccess access) {
  switch (access) {
    case RegisterAccess::ro:
      return block.counts.empty() ? "sw = r; hw = na;" : "sw = r; hw = w;";
    case RegisterAccess::w1c:
      return "sw = rw; onwrite = woclr; hw = r;";
    case RegisterAccess::w1s:
      return "sw = rw; onwrite = woset; hw = r;";
    case RegisterAccess::rw:
    case RegisterAccess::cfg:
      break;
  }
  return "sw = rw; hw = r;";
}

// What W1C and W1S act on is bit 0; of the others, the fields of a legal value.
std::vector<LegalField> fields_of(const Register& reg) {
  if (reg.access == RegisterAccess::w1c || reg.access == RegisterAccess::w1s) return {{0, 1}};
  if (reg.legal.empty()) return {{}};
  return reg.legal;
}

// As in the map, but for words of SystemVerilog and C++: models in those languages use the names.
std::string instance_name(std::string_view name) {
  constexpr std::array<std::string_view, 2> reserved{"cell", "private"};
  std::string text{name};
  if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) text += '_';
  return text;
}

std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string word_of(const RegisterBlock& block, const Register& reg, unsigned word) {
  std::string text =
      fmt::format("    reg {{\n      desc = \"{}{}{}\";\n      map_access = \"{}\";\n",
                  reg.outside ? "Counted at the MACs, 0 here: " : "", quoted(reg.meaning),
                  reg.words == 1 ? ""
                  : word == 0    ? "; bits 31 to 0"
                                 : "; bits 63 to 32",
                  to_string(reg.access));
  for (const LegalField& field : fields_of(reg))
    text += fmt::format("      field {{ {} }} {}[{}:{}] = {};\n", properties(block, reg.access),
                        field.name, field.low + field.width - 1, field.low,
                        reset_of(block, reg, field));
  return text + fmt::format("    }} {}{} @0x{:02x};\n", instance_name(reg.name),
                            word == 0 ? "" : "_high", reg.offset + 4 * word);
}

bool is_of_marking(const RegisterBlock& block) {
  return std::any_of(block.counts.begin(), block.counts.end(), [](RegisterCount count) {
    return count == RegisterCount::wred_profiles || count == RegisterCount::wred_ports;
  });
}

// No array is empty, even one that is not there.
std::string number_of(RegisterCount count) {
  if (count == RegisterCount::wred_ports) return camel(count_name(RegisterCount::ports));
  const std::string name = camel(count_name(count));
  if (count == RegisterCount::wred_profiles) return fmt::format("({0} > 0 ? {0} : 1)", name);
  return name;
}

std::string instances_of(const RegisterBlock& block) {
  if (block.counts.empty()) return "";
  std::string product = block.by_priority ? "8" : "";
  for (const RegisterCount count : block.counts)
    product.append(product.empty() ? "" : " * ").append(number_of(count));
  return "[" + product + "]";
}

std::string block_of(const RegisterBlock& block) {
  std::string text = "\n  regfile {\n";
  if (!block.index.empty()) text += fmt::format("    desc = \"One for each {}\";\n", block.index);
  for (const Register& reg : block.registers)
    for (unsigned word = 0; word < reg.words; ++word) text += word_of(block, reg, word);
  text += fmt::format("  }} {}{} @0x{:06x}", block.name, instances_of(block), block.base);
  text += block.counts.empty() ? ";\n" : fmt::format(" += 0x{:02x};\n", block.stride);
  if (is_of_marking(block))
    text += fmt::format("  {}->ispresent = {} > 0;\n", block.name,
                        camel(count_name(RegisterCount::wred_profiles)));
  return text;
}

}  // namespace

std::string registers_systemrdl() {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "//\n"
      "// Register map of weir_mmu in SystemRDL 2.0: made from the table in\n"
      "// systemc/src/model/registers/register_map.cpp by scripts/doc/registers; do not edit.\n"
      "//\n"
      "// Parameters are those of the RTL. map_access: as in docs/reference/registers.md; CFG is "
      "read\n"
      "// only once chip.start is written. Of a register of 64 bit the low word is read first.\n"
      "// A name that is a word of SystemVerilog or C++ ends with an underscore: cell_, private_.\n"
      "// Without WRED profiles the blocks of marking are not there.\n"
      "property map_access { component = reg; type = string; };\n\n"
      "addrmap weir_mmu #(\n" +
      parameters() +
      "\n) {\n"
      "  desc = \"MMU of a switch: thresholds, priority groups, queues, PFC\";\n"
      "  littleendian;\n"
      "  default regwidth = 32;\n";
  for (const RegisterBlock& block : register_map()) text += block_of(block);
  return text + "};\n";
}

}  // namespace weir
