// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/register_package.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "register_names.hpp"
#include "weir/core/bits.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/registers/register_settings.hpp"

namespace weir {
namespace {

constexpr unsigned address_bits = 24;
constexpr unsigned word_bits = 6;  // of a register within its block

std::string_view access_name(const Register& reg) {
  constexpr std::array<std::string_view, 5> names{"Ro", "Rw", "W1c", "Cfg", "W1s"};
  return reg.outside ? "Outside" : names[static_cast<std::size_t>(reg.access)];
}

std::string declarations() {
  std::string text =
      "  // What software may do with a word; Outside: read only, shows 0, counted at the MACs.\n"
      "  localparam logic [2:0] Nothing = 3'd0, Ro = 3'd1, Rw = 3'd2, W1c = 3'd3, Cfg = 3'd4,\n"
      "                         W1s = 3'd5, Outside = 3'd6;\n\n"
      "  // Values of chip.id, chip.version and chip.map_version.\n" +
      fmt::format(
          "  localparam logic [31:0] Id = 32'h{:08x}, Version = 32'h{:08x}, "
          "MapVersion = 32'd{};\n\n",
          register_map_id, packed_version(), register_map_version) +
      "  // Blocks, and the words of their registers.\n";
  unsigned number = 0;
  for (const RegisterBlock& block : register_map()) {
    const std::string name = camel(block.name);
    text += fmt::format("  localparam logic [3:0] {}Block = 4'd{};\n", name, number++);
    for (const Register& reg : block.registers)
      text += fmt::format("  localparam logic [{}:0] {}{} = {}'d{};\n", word_bits - 1, name,
                          camel(reg.name), word_bits, reg.offset / 4);
  }
  return text;
}

std::string block_function() {
  std::string text = fmt::format(
      "\n  // The block that an address is in: the last one that does not begin after it.\n"
      "  function automatic logic [3:0] block_of(input logic [{0}:0] address);\n"
      "    block_of = 4'd0;\n",
      address_bits - 1);
  for (const RegisterBlock& block : register_map())
    if (block.base != 0)
      text += fmt::format("    if (address >= {}'h{:06x}) block_of = {}Block;\n", address_bits,
                          block.base, camel(block.name));
  return text + "  endfunction\n";
}

std::string base_function() {
  std::string text = fmt::format(
      "\n  // The address of a block's first register.\n"
      "  function automatic logic [{0}:0] base_of(input logic [3:0] block);\n    case (block)\n",
      address_bits - 1);
  for (const RegisterBlock& block : register_map())
    text += fmt::format("      {}Block: base_of = {}'h{:06x};\n", camel(block.name), address_bits,
                        block.base);
  return text + "      default: base_of = '0;\n    endcase\n  endfunction\n";
}

// offset / stride. Where the stride is not a power of two: times a reciprocal that is exact for
// every number of address_bits.
std::string quotient(std::uint32_t stride) {
  const unsigned shift = lowest_bit(stride);
  const std::uint64_t odd = stride >> shift;
  if (odd == 1) return fmt::format("offset >> {}", shift);
  unsigned bits = 1;
  std::uint64_t reciprocal = 1;
  for (;; ++bits) {
    reciprocal = ((std::uint64_t{1} << bits) + odd - 1) / odd;
    const std::uint64_t error = reciprocal * odd - (std::uint64_t{1} << bits);
    if ((error << (address_bits - shift)) < (std::uint64_t{1} << bits)) break;
  }
  return fmt::format("{}'(((48'(offset) >> {}) * 48'd{}) >> {})", address_bits, shift, reciprocal,
                     bits);
}

std::string index_functions() {
  std::string index = fmt::format(
      "\n  // Instance and word of an address `offset` bytes after its block's first register.\n"
      "  function automatic logic [{0}:0] index_of(input logic [3:0] block,\n"
      "                                           input logic [{0}:0] offset);\n"
      "    case (block)\n",
      address_bits - 1);
  std::string start = fmt::format(
      "\n  // Bytes from the first register of the block to that of instance `index`.\n"
      "  function automatic logic [{0}:0] start_of(input logic [3:0] block,\n"
      "                                           input logic [{0}:0] index);\n"
      "    case (block)\n",
      address_bits - 1);
  for (const RegisterBlock& block : register_map()) {
    index +=
        fmt::format("      {}Block: index_of = {};\n", camel(block.name), quotient(block.stride));
    start += fmt::format("      {}Block: start_of = index * {}'d{};\n", camel(block.name),
                         address_bits, block.stride);
  }
  return index + "      default: index_of = '0;\n    endcase\n  endfunction\n" + start +
         "      default: start_of = '0;\n    endcase\n  endfunction\n";
}

// Inputs of a function that depends on the numbers of things a chip has, from `first` to `last`.
std::string count_inputs(RegisterCount first, RegisterCount last) {
  std::string text;
  for (auto i = static_cast<std::size_t>(first); i <= static_cast<std::size_t>(last); ++i)
    text += fmt::format("{}      input logic [31:0] {}", text.empty() ? "" : ",\n",
                        count_name(static_cast<RegisterCount>(i)));
  return text;
}

std::string instances_function() {
  std::string text =
      "\n  // How many instances a block has.\n"
      "  function automatic logic [31:0] instances_of(\n      input logic [3:0] block,\n" +
      count_inputs(RegisterCount::ports, RegisterCount::wred_ports) + ");\n    case (block)\n";
  for (const RegisterBlock& block : register_map()) {
    std::string product = block.by_priority ? "32'd8" : "";
    for (const RegisterCount count : block.counts)
      product.append(product.empty() ? "" : " * ").append(count_name(count));
    if (product.empty()) product = "32'd1";
    text += fmt::format("      {}Block: instances_of = {};\n", camel(block.name), product);
  }
  return text + "      default: instances_of = '0;\n    endcase\n  endfunction\n";
}

std::string access_function() {
  std::string text = fmt::format(
      "\n  // What software may do with a word of a block.\n"
      "  function automatic logic [2:0] access_of(input logic [3:0] block,\n"
      "                                           input logic [{}:0] word);\n"
      "    case ({{block, word}})\n",
      word_bits - 1);
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers)
      for (unsigned word = 0; word < reg.words; ++word)
        text += fmt::format("      {{{}Block, {}'d{}}}: access_of = {};\n", camel(block.name),
                            word_bits, reg.offset / 4 + word, access_name(reg));
  return text + "      default: access_of = Nothing;\n    endcase\n  endfunction\n";
}

std::string wide_function() {
  std::string text = fmt::format(
      "\n  // Whether a word is the low one of a register of 64 bit.\n"
      "  function automatic logic is_low_word(input logic [3:0] block, input logic [{}:0] word);\n"
      "    case ({{block, word}})\n",
      word_bits - 1);
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers)
      if (reg.words == 2)
        text += fmt::format("      {{{0}Block, {0}{1}}}: is_low_word = 1'b1;\n", camel(block.name),
                            camel(reg.name));
  return text + "      default: is_low_word = 1'b0;\n    endcase\n  endfunction\n";
}

std::string condition(const LegalField& field) {
  const std::uint32_t ones = ~std::uint32_t{0} >> (32 - field.width);
  const std::string value =
      field.width == 32 ? "value"
                        : fmt::format("value[{}:{}]", field.low + field.width - 1, field.low);
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += " && ";
    text += part;
  };
  if (field.least != 0) add(fmt::format("{} >= {}'d{}", value, field.width, field.least));
  if (field.most < ones) add(fmt::format("{} <= {}'d{}", value, field.width, field.most));
  if (field.below != RegisterCount::none)
    add(fmt::format("{} < {}", value, count_name(field.below)));
  if (field.or_none) text = fmt::format("({} || {} == '1)", text, value);
  return text;
}

std::string legal_function() {
  std::string text = fmt::format(
      "\n  // Whether a value may be written to a word that takes values.\n"
      "  function automatic logic is_legal(\n      input logic [3:0] block,\n"
      "      input logic [{}:0] word,\n      input logic [31:0] value,\n",
      word_bits - 1);
  text += count_inputs(RegisterCount::domains, RegisterCount::wred_profiles) +
          ");\n    case ({block, word})\n";
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers) {
      std::string all;
      for (const LegalField& field : reg.legal) {
        const std::string one = condition(field);
        if (one.empty()) continue;
        all += (all.empty() ? "" : " &&\n          ") + one;
      }
      if (all.empty()) continue;
      text += fmt::format("      {{{0}Block, {0}{1}}}: is_legal = {2};\n", camel(block.name),
                          camel(reg.name), all);
    }
  return text + "      default: is_legal = 1'b1;\n    endcase\n  endfunction\n";
}

}  // namespace

std::string registers_systemverilog() {
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "//\n"
         "// Register map of the MMU: made from the table in "
         "systemc/src/model/registers/register_map.cpp "
         "by\n"
         "// scripts/doc/registers; do not edit.\n"
         "//\n"
         "// Units:   addresses are bytes, words have 32 bit; what a register means is in\n"
         "//          docs/reference/registers.md.\n"
         "// Golden:  the table, compared by tb/model/csr_test.cpp and tb/lockstep/csr_test.cpp.\n"
         "package csr_map_pkg;\n\n" +
         declarations() + block_function() + base_function() + index_functions() +
         instances_function() + access_function() + wide_function() + legal_function() +
         "\nendpackage\n";
}

}  // namespace weir
