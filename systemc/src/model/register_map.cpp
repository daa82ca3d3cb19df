// SPDX-License-Identifier: Apache-2.0
#include "weir/model/register_map.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/dynamic_threshold.hpp"
#include "weir/core/version.hpp"
#include "weir/model/register_counters.hpp"

namespace weir {
namespace {

using Access = RegisterAccess;
using Target = RegisterTarget;

constexpr std::uint32_t none_assigned = 0xffff'ffffU;

// "1.2.3" as 0x00010203.
constexpr std::uint32_t packed_version(std::string_view text) {
  std::uint32_t packed = 0, part = 0;
  for (const char c : text) {
    if (c == '.') {
      packed = (packed | part) << 8;
      part = 0;
    } else {
      part = part * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return packed | part;
}

const Chip& chip_of(const Target& t) { return t.mmu.chip(); }
const Profile& profile_of(const Target& t, std::size_t i) { return chip_of(t).profiles[i]; }
const Pool& pool_of(const Target& t, std::size_t i) {
  return chip_of(t).ingress_pools[i / chip_of(t).domains];
}
// Lets `edit` change a copy of the profile, which the core then checks and takes.
template <class Edit>
void change_profile(Target& t, std::size_t i, Edit&& edit) {
  Profile changed = profile_of(t, i);
  edit(changed);
  t.mmu.set_profile(i, changed);
}

bool any_value(std::uint32_t) { return true; }
bool legal_quanta(std::uint32_t value) { return 1 <= value && value <= 65535; }
bool legal_alpha(std::uint32_t value) { return (value & 0xffffU) != 0 && (value >> 16) <= 16; }
bool legal_cells(std::uint32_t value) { return value <= 1U << 24; }

std::uint64_t policy_number(const Target& t, std::size_t i) {
  const auto& policies = threshold_policies();
  return static_cast<std::uint64_t>(std::find_if(policies.begin(), policies.end(),
                                                 [&](const ThresholdPolicy& policy) {
                                                   return policy.name ==
                                                          profile_of(t, i).threshold.policy;
                                                 }) -
                                    policies.begin());
}

void clear_stats(Target& t, std::size_t, std::uint32_t value) {
  if ((value & 1U) == 0) return;
  t.mmu.clear_stats();
  std::fill(t.ports.begin(), t.ports.end(), PortCounters{});
}

RegisterBlock chip_block() {
  return {
      "chip",
      0x000000,
      0x100,
      "",
      [](const Chip&) { return std::size_t{1}; },
      {
          {"id", 0x00, 1, Access::ro, "0x57454952", "the letters WEIR",
           [](const Target&, std::size_t) { return std::uint64_t{0x57454952}; }},
          {"version", 0x04, 1, Access::ro, "release", "major [23:16], minor [15:8], patch [7:0]",
           [](const Target&, std::size_t) { return std::uint64_t{packed_version(version)}; }},
          {"map_version", 0x08, 1, Access::ro, "1", "version of this map",
           [](const Target&, std::size_t) { return std::uint64_t{1}; }},
          {"ports", 0x0c, 1, Access::ro, "chip", "number of ports",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).ports.size()}; }},
          {"domains", 0x10, 1, Access::ro, "chip", "number of memory domains",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).domains}; }},
          {"lanes", 0x14, 1, Access::ro, "chip", "arrivals, and releases, per domain and cycle",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).lanes}; }},
          {"cell", 0x18, 1, Access::ro, "chip", "bytes of a buffer cell",
           [](const Target& t, std::size_t) { return chip_of(t).cell.count(); }},
          {"cell_overhead", 0x1c, 1, Access::ro, "chip", "bytes each packet takes besides its own",
           [](const Target& t, std::size_t) { return chip_of(t).cell_overhead.count(); }},
          {"clock", 0x20, 1, Access::ro, "chip", "period of the core clock, ps",
           [](const Target& t, std::size_t) { return chip_of(t).clock.count(); }},
          {"admit", 0x24, 1, Access::ro, "chip", "cycles from request to verdict",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).admit_latency}; }},
          {"pfc", 0x28, 1, Access::ro, "chip", "cycles from verdict to PFC frame request",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).pfc_latency}; }},
          {"threshold_lag", 0x2c, 1, Access::ro, "chip", "cycles by which T sees S late",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).threshold_lag}; }},
          {"mtu", 0x30, 1, Access::ro, "chip", "longest frame, bytes",
           [](const Target& t, std::size_t) { return chip_of(t).mtu.count(); }},
          {"profiles", 0x34, 1, Access::ro, "chip", "number of profiles",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).profiles.size()}; }},
          {"pools", 0x38, 1, Access::ro, "chip", "number of ingress pools",
           [](const Target& t, std::size_t) {
             return std::uint64_t{chip_of(t).ingress_pools.size()};
           }},
          {"port_fifo", 0x3c, 1, Access::ro, "chip", "frames that may wait at a port for a slot",
           [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).port_fifo}; }},
          {"quanta", 0x40, 1, Access::rw, "chip", "value of the PAUSE frames sent, 1 to 65535",
           [](const Target& t, std::size_t) {
             return std::uint64_t{t.pfc_generator.quanta().count()};
           },
           legal_quanta,
           [](Target& t, std::size_t, std::uint32_t value) {
             t.pfc_generator.set_quanta(Quanta{static_cast<std::uint16_t>(value)});
           }},
          {"clear_stats", 0x44, 1, Access::w1c, "0",
           "bit 0: clears every counter and watermark; what is held is not touched",
           [](const Target&, std::size_t) { return std::uint64_t{0}; }, any_value, clear_stats},
      }};
}

std::vector<Register> fixed_profile_registers() {
  return {
      {"lossless", 0x00, 1, Access::ro, "profile", "1: the priority group pauses and has headroom",
       [](const Target& t, std::size_t i) { return std::uint64_t{profile_of(t, i).lossless}; }},
      {"pool", 0x04, 1, Access::ro, "profile", "index of the ingress pool",
       [](const Target& t, std::size_t i) { return std::uint64_t{profile_of(t, i).pool}; }},
      {"private", 0x08, 1, Access::ro, "profile", "reserved cells of each priority group",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).private_cells.count()};
       }},
      {"headroom", 0x0c, 1, Access::ro, "profile", "headroom cells of each priority group",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).headroom.count()};
       }},
      {"policy", 0x10, 1, Access::ro, "profile",
       "0 dynamic, 1 static, 2 complete_sharing, 3 complete_partitioning", policy_number},
      {"xoff_trigger", 0x24, 1, Access::ro, "profile", "0 on_crossing, 1 on_headroom",
       [](const Target& t, std::size_t i) {
         return static_cast<std::uint64_t>(profile_of(t, i).xoff_trigger);
       }},
      {"xon_rule", 0x28, 1, Access::ro, "profile", "0 sai, 1 paper",
       [](const Target& t, std::size_t i) {
         return static_cast<std::uint64_t>(profile_of(t, i).xon_rule);
       }},
  };
}

std::vector<Register> changeable_profile_registers() {
  return {
      {"alpha", 0x14, 1, Access::rw, "profile",
       "alpha = n/2^m: n [15:0] from 1, m [31:16] up to 16; policy dynamic only",
       [](const Target& t, std::size_t i) {
         const Alpha alpha = profile_of(t, i).threshold.alpha;
         return std::uint64_t{alpha.numerator | std::uint32_t{alpha.shift} << 16};
       },
       legal_alpha,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) {
           p.threshold.alpha = {value & 0xffffU, static_cast<std::uint8_t>(value >> 16)};
         });
       }},
      {"static_limit", 0x18, 1, Access::rw, "profile", "T in cells, up to 2^24; policy static only",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).threshold.static_limit.count()};
       },
       legal_cells,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) { p.threshold.static_limit = Cells{value}; });
       }},
      {"xon", 0x1c, 1, Access::rw, "profile", "XON threshold, cells, up to 2^24",
       [](const Target& t, std::size_t i) { return std::uint64_t{profile_of(t, i).xon.count()}; },
       legal_cells,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) { p.xon = Cells{value}; });
       }},
      {"xon_offset", 0x20, 1, Access::rw, "profile", "XON below T by so many cells, up to 2^24",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).xon_offset.count()};
       },
       legal_cells,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) { p.xon_offset = Cells{value}; });
       }},
  };
}

RegisterBlock profile_block() {
  RegisterBlock block{"profile",
                      0x100000,
                      0x40,
                      "profile",
                      [](const Chip& chip) { return chip.profiles.size(); },
                      fixed_profile_registers()};
  for (const Register& reg : changeable_profile_registers()) block.registers.push_back(reg);
  std::sort(block.registers.begin(), block.registers.end(),
            [](const Register& a, const Register& b) { return a.offset < b.offset; });
  return block;
}

RegisterBlock pool_block() {
  return {
      "pool",
      0x200000,
      0x40,
      "pool x domains + domain",
      [](const Chip& chip) { return chip.ingress_pools.size() * chip.domains; },
      {
          {"shared_size", 0x00, 1, Access::ro, "pool", "B: cells of the shared segment",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{pool_of(t, i).shared.count()};
           }},
          {"headroom_size", 0x04, 1, Access::ro, "pool", "H: cells of the shared headroom pool",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{pool_of(t, i).headroom.count()};
           }},
          {"dedicated", 0x08, 1, Access::ro, "pool", "1: headroom belongs to each priority group",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{pool_of(t, i).dedicated_headroom};
           }},
          {"shared", 0x0c, 1, Access::ro, "0", "S: cells in the shared segment now",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.ingress().pool(i).shared.count()};
           }},
          {"headroom", 0x10, 1, Access::ro, "0", "Hp: cells in headroom now",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.ingress().pool(i).headroom.count()};
           }},
          {"private", 0x14, 1, Access::ro, "0", "cells in private segments now",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.ingress().pool(i).private_cells.count()};
           }},
          {"shared_watermark", 0x18, 1, Access::ro, "0", "most S since the last clear",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.stats().pool(i).shared.count()};
           }},
          {"headroom_watermark", 0x1c, 1, Access::ro, "0", "most Hp since the last clear",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.stats().pool(i).headroom.count()};
           }},
          {"total_watermark", 0x20, 1, Access::ro, "0",
           "most cells in all segments since the last clear",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.stats().pool(i).total.count()};
           }},
      }};
}

RegisterBlock pg_block() {
  return {"pg",
          0x400000,
          0x20,
          "port x 8 + priority group",
          [](const Chip& chip) { return chip.ports.size() * priorities; },
          {
              {"private", 0x00, 1, Access::ro, "0", "cells in the private segment now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.ingress().pg(i).private_cells.count()};
               }},
              {"shared", 0x04, 1, Access::ro, "0", "w: cells in the shared segment now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.ingress().pg(i).shared.count()};
               }},
              {"headroom", 0x08, 1, Access::ro, "0", "cells in headroom now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.ingress().pg(i).headroom.count()};
               }},
              {"threshold", 0x0c, 1, Access::ro, "profile", "T now, cells",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.threshold(i, t.now).count()};
               }},
              {"xoff", 0x10, 1, Access::ro, "0", "1: the priority group is XOFF",
               [](const Target& t, std::size_t i) { return std::uint64_t{t.mmu.pfc().xoff(i)}; }},
              {"profile", 0x14, 1, Access::ro, "chip", "index of its profile; 0xffffffff: none",
               [](const Target& t, std::size_t i) {
                 const auto& assigned = chip_of(t).profile_of_pg[i];
                 return assigned ? std::uint64_t{*assigned} : std::uint64_t{none_assigned};
               }},
          }};
}

std::string_view to_string(Access access) {
  constexpr std::string_view names[]{"RO", "RW", "W1C"};
  return names[static_cast<std::size_t>(access)];
}

}  // namespace

const std::vector<RegisterBlock>& register_map() {
  static const std::vector<RegisterBlock> blocks{
      chip_block(), profile_block(),    pool_block(),     port_block(),
      pg_block(),   port_class_block(), pg_stats_block(), queue_stats_block()};
  return blocks;
}

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
      "Made from the table in `systemc/src/model/register_map.cpp` by "
      "`scripts/make-registers-doc`; do "
      "not edit.\n\n"
      "The block is the TLM-2.0 base-protocol target `<switch>.mmu.csr.socket`; how it answers "
      "stands in "
      "[blocks/csr.md](blocks/csr.md).\nWords have 32 bit. A register of 64 bit is two words, the "
      "low "
      "one first. An instance of a block starts at base + index x stride.\nBlocks marked *direct* "
      "can be "
      "read through a DMI pointer.\n";
  for (const RegisterBlock& block : register_map()) {
    text += fmt::format("\n## {} at 0x{:06x}\n\n", block.name, block.base);
    if (!block.index.empty())
      text += fmt::format("One for each {}, stride 0x{:02x}{}.\n\n", block.index, block.stride,
                          block.memory == nullptr ? "" : "; *direct*");
    text += "| Offset | Name | Bits | Access | Reset | Meaning |\n|---|---|---|---|---|---|\n";
    for (const Register& reg : block.registers)
      text += fmt::format("| 0x{:02x} | `{}` | {} | {} | {} | {} |\n", reg.offset, reg.name,
                          32 * reg.words, to_string(reg.access), reg.reset, reg.meaning);
  }
  return text;
}

}  // namespace weir
