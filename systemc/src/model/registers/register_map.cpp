// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/register_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/model/registers/register_counters.hpp"
#include "weir/model/registers/register_settings.hpp"
#include "weir/model/registers/register_wred.hpp"

namespace weir {
namespace {

bool is_legal(const LegalField& field, const Chip& chip, std::uint32_t word) {
  const std::uint32_t ones = ~std::uint32_t{0} >> (32 - field.width);
  const std::uint32_t value = word >> field.low & ones;
  if (field.or_none && value == ones) return true;
  if (field.below != RegisterCount::none && value >= count_of(chip, field.below)) return false;
  return field.least <= value && value <= field.most;
}

}  // namespace

std::string_view to_string(RegisterAccess access) {
  constexpr std::string_view names[]{"RO", "RW", "W1C", "CFG", "W1S"};
  return names[static_cast<std::size_t>(access)];
}

// In the order of their bases.
const std::vector<RegisterBlock>& register_map() {
  static const std::vector<RegisterBlock> blocks{
      chip_block(),      profile_block(),     partition_block(),  queue_profile_block(),
      pool_block(),      egress_pool_block(), port_block(),       wred_block(),
      port_draw_block(), pg_block(),          port_class_block(), pg_stats_block(),
      queue_block(),     queue_stats_block(), queue_wred_block(), port_class_health_block()};
  return blocks;
}

std::size_t count_of(const Chip& chip, RegisterCount count) {
  const std::array<std::size_t, register_counts> counts{
      0,
      chip.ports.size(),
      chip.domains,
      chip.profiles.size(),
      chip.ingress_pools.size(),
      chip.queue_profiles.size(),
      chip.egress_pools.size(),
      chip.wred_profiles.size(),
      chip.wred_profiles.empty() ? std::size_t{0} : chip.ports.size()};
  return counts[static_cast<std::size_t>(count)];
}

std::size_t RegisterBlock::instances(const Chip& chip) const {
  std::size_t product = by_priority ? priorities : 1;
  for (const RegisterCount count : counts) product *= count_of(chip, count);
  return product;
}

bool is_legal(const Register& reg, const Chip& chip, std::uint32_t value) {
  return std::all_of(reg.legal.begin(), reg.legal.end(),
                     [&](const LegalField& field) { return is_legal(field, chip, value); });
}

namespace {

std::string section_of(const RegisterBlock& block) {
  std::string text = fmt::format("\n## {} at 0x{:06x}\n\n", block.name, block.base);
  if (!block.index.empty())
    text += fmt::format("One for each {}, stride 0x{:02x}{}.\n\n", block.index, block.stride,
                        block.memory == nullptr ? "" : "; *direct*");
  text += "| Offset | Name | Bits | Access | Reset | Meaning |\n|---|---|---|---|---|---|\n";
  for (const Register& reg : block.registers)
    text += fmt::format("| 0x{:02x} | `{}` | {} | {} | {} | {} |\n", reg.offset, reg.name,
                        32 * reg.words, to_string(reg.access), reg.reset,
                        std::string{reg.outside ? "*MAC*: " : ""} + std::string{reg.meaning});
  return text;
}

}  // namespace

std::optional<RegisterWord> find_register(const Chip& chip, std::uint64_t address) {
  for (const RegisterBlock& block : register_map()) {
    if (address < block.base || block.base + block.instances(chip) * block.stride <= address)
      continue;
    const std::uint64_t within = (address - block.base) % block.stride;
    for (const Register& reg : block.registers)
      if (reg.offset <= within && within < reg.offset + 4 * reg.words)
        return RegisterWord{&block, &reg,
                            static_cast<std::size_t>((address - block.base) / block.stride),
                            static_cast<unsigned>((within - reg.offset) / 4)};
  }
  return std::nullopt;
}

std::optional<std::uint64_t> register_address(std::string_view name, std::size_t index) {
  const std::size_t dot = name.find('.');
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers)
      if (block.name == name.substr(0, dot) && dot != std::string_view::npos &&
          reg.name == name.substr(dot + 1))
        return block.base + index * block.stride + reg.offset;
  return std::nullopt;
}

std::string registers_markdown() {
  std::string text =
      "# Registers\n\n"
      "Made from the table in `systemc/src/model/registers/register_map.cpp` by "
      "`scripts/doc/registers`; do "
      "not edit.\n\n"
      "The block is the TLM-2.0 base-protocol target `<switch>.mmu.csr.socket`; its protocol: "
      "[blocks/csr.md](../blocks/csr.md).\nWords have 32 bit. A register of 64 bit is two words, "
      "the "
      "low "
      "one first. An instance of a block starts at base + index x stride.\nBlocks marked *direct* "
      "can be "
      "read through a DMI pointer.\n\n"
      "CFG is configuration: fixed in the model, which shows it; the RTL takes it from "
      "software "
      "until `chip.start`\nis written, and has 0 before (maps: none). W1S: writing 1 sets it until "
      "reset.\n"
      "Registers marked *MAC* are counted at the MACs; `rtl/csr/csr.sv` shows 0 there.\n"
      "`wred`, `port_draw` and `queue_wred` belong to marking and early drop "
      "([ecn_marker](../blocks/ecn_marker.md)):\na chip without a WRED profile, and RTL built "
      "for none, have nothing at their addresses.\n";
  for (const RegisterBlock& block : register_map()) text += section_of(block);
  return text;
}

}  // namespace weir
