// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "weir/model/registers/register_description.hpp"
#include "weir/model/registers/register_map.hpp"

namespace weir {
namespace {

// A field of RFC 4180.
std::string csv_field(std::string_view field) {
  std::string text = "\"";
  for (const char c : field) text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

}  // namespace

std::string registers_csv() {
  std::string text = "block,one_for_each,base,stride,register,offset,bits,access,reset,meaning\n";
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers)
      text += fmt::format(
          "{},{},0x{:06x},0x{:02x},{},0x{:02x},{},{},{},{}\n", block.name, csv_field(block.index),
          block.base, block.index.empty() ? 0 : block.stride, reg.name, reg.offset, 32 * reg.words,
          to_string(reg.access), csv_field(reg.reset), csv_field(reg.meaning));
  return text;
}

}  // namespace weir
