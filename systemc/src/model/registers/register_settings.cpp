// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/register_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "weir/core/chip_limits.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/core/version.hpp"
#include "weir/model/registers/register_counters.hpp"

namespace weir {
namespace {

using Access = RegisterAccess;
using Count = RegisterCount;
using Target = RegisterTarget;

constexpr std::uint32_t none_assigned = 0xffff'ffffU;

// What a written word may be.
const std::vector<LegalField> any_value{{}};
const std::vector<LegalField> flag{{0, 32, 0, 1}};
const std::vector<LegalField> cells{{0, 32, 0, max_cells_counted.count()}};
const std::vector<LegalField> alpha_code{{0, 16, 1, max_alpha_numerator, Count::none, false, "n"},
                                         {16, 16, 0, max_alpha_shift, Count::none, false, "m"}};

// The RTL has the policies of the first numbers.
const std::vector<LegalField> policy_code{
    {0, 32, 0, static_cast<std::uint32_t>(policy_names(true).size() - 1)}};
const std::string policy_meaning = [] {
  std::string text;
  for (const std::string& name : policy_names(false)) {
    const PolicyRow& row = *find_policy(name);
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", static_cast<unsigned>(row.policy),
                        name, row.in_rtl ? "" : " (model only)");
  }
  return text;
}();

std::vector<LegalField> up_to(std::uint32_t most, std::uint32_t least = 0) {
  return {{0, 32, least, most}};
}
template <class Unit>
std::vector<LegalField> between(Unit least, Unit most) {
  return up_to(static_cast<std::uint32_t>(most.count()), static_cast<std::uint32_t>(least.count()));
}
std::vector<LegalField> less_than(Count count) { return {{0, 32, 0, none_assigned, count}}; }
std::vector<LegalField> less_than_or_none(Count count) {
  return {{0, 32, 0, none_assigned, count, true}};
}
std::vector<LegalField> priority_map() {
  std::vector<LegalField> fields;
  constexpr std::array<std::string_view, priorities> names{"priority_0", "priority_1", "priority_2",
                                                           "priority_3", "priority_4", "priority_5",
                                                           "priority_6", "priority_7"};
  for (unsigned n = 0; n < priorities; ++n)
    fields.push_back({4 * n, 4, 0, priorities - 1, Count::none, false, names[n]});
  return fields;
}

const Chip& chip_of(const Target& t) { return t.mmu.chip(); }
const Profile& profile_of(const Target& t, std::size_t i) {
  return chip_of(t).profiles[ProfileIndex{i}];
}
const QueueProfile& queue_profile_of(const Target& t, std::size_t i) {
  return chip_of(t).queue_profiles[QueueProfileIndex{i}];
}
const Pool& pool_of(const Target& t, std::size_t i) {
  return chip_of(t).ingress_pools[pool_number(chip_of(t), PoolIndex{i})];
}

std::uint64_t packed(Alpha alpha) {
  return std::uint64_t{alpha.numerator | std::uint32_t{alpha.shift} << 16};
}

std::uint64_t policy_number(const ThresholdSetting& setting) {
  return static_cast<std::uint64_t>(setting.policy);
}

std::uint64_t packed_priority_map(const Target& t, std::size_t) {
  std::uint64_t word = 0;
  for (std::size_t n = 0; n < priorities; ++n)
    word |= std::uint64_t{chip_of(t).pg_of_priority[n]} << 4 * n;
  return word;
}

// Lets `edit` change a copy of the profile, which the core then checks and takes.
template <class Edit>
void change_profile(Target& t, std::size_t i, Edit&& edit) {
  Profile changed = profile_of(t, i);
  edit(changed);
  t.mmu.set_profile(ProfileIndex{i}, changed);
}

void clear_stats(Target& t, std::size_t, std::uint32_t value) {
  if ((value & 1U) == 0) return;
  t.mmu.clear_stats();
  std::fill(t.ports.begin(), t.ports.end(), PortCounters{});
  t.pfc_receiver.clear_times(time_of(t.now, t.mmu.chip().clock));
}

void already_started(Target&, std::size_t, std::uint32_t) {}

void sort_by_offset(std::vector<Register>& registers) {
  std::sort(registers.begin(), registers.end(),
            [](const Register& a, const Register& b) { return a.offset < b.offset; });
}

std::vector<Register> sizes_of_the_chip() {
  static const std::string map_version = std::to_string(register_map_version);
  return {
      {"id", 0x00, 1, Access::ro, "0x57454952", "the letters WEIR",
       [](const Target&, std::size_t) { return std::uint64_t{register_map_id}; }},
      {"version", 0x04, 1, Access::ro, "release", "major [23:16], minor [15:8], patch [7:0]",
       [](const Target&, std::size_t) { return std::uint64_t{packed_version()}; }},
      {"map_version", 0x08, 1, Access::ro, map_version, "version of this map",
       [](const Target&, std::size_t) { return std::uint64_t{register_map_version}; }},
      {"ports", 0x0c, 1, Access::ro, "chip", "number of ports",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).ports.size()}; }},
      {"domains", 0x10, 1, Access::ro, "chip", "number of memory domains",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).domains}; }},
      {"lanes", 0x14, 1, Access::ro, "chip", "arrivals, and releases, per domain and cycle",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).lanes}; }},
      {pipeline::admit.key, 0x24, 1, Access::ro, "chip", pipeline::admit.meaning,
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).admit_latency}; }},
      {pipeline::pfc.key, 0x28, 1, Access::ro, "chip", pipeline::pfc.meaning,
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).pfc_latency}; }},
      {pipeline::threshold_lag.key, 0x2c, 1, Access::ro, "chip", pipeline::threshold_lag.meaning,
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).threshold_lag}; }},
      {"profiles", 0x34, 1, Access::ro, "chip", "number of profiles",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).profiles.size()}; }},
      {"pools", 0x38, 1, Access::ro, "chip", "number of ingress pools",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).ingress_pools.size()}; }},
      {"queue_profiles", 0x50, 1, Access::ro, "chip", "number of queue profiles",
       [](const Target& t, std::size_t) {
         return std::uint64_t{chip_of(t).queue_profiles.size()};
       }},
      {"egress_pools", 0x54, 1, Access::ro, "chip", "number of egress pools",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).egress_pools.size()}; }},
      {pipeline::mark.key, 0x58, 1, Access::ro, "chip", pipeline::mark.meaning,
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).mark_latency}; }},
      {"wred_profiles", 0x5c, 1, Access::ro, "chip", "number of WRED profiles",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).wred_profiles.size()}; }},
  };
}

std::vector<Register> settings_of_the_chip() {
  return {
      {"cell", 0x18, 1, Access::cfg, "chip", "bytes of a buffer cell",
       [](const Target& t, std::size_t) { return chip_of(t).cell.count(); },
       between(Bytes{1}, max_cell)},
      {"cell_overhead", 0x1c, 1, Access::cfg, "chip", "bytes added to the length of each packet",
       [](const Target& t, std::size_t) { return chip_of(t).cell_overhead.count(); },
       between(Bytes{0}, max_cell)},
      {"clock", 0x20, 1, Access::cfg, "chip", "period of the core clock, ps, rounded down",
       [](const Target& t, std::size_t) { return chip_of(t).clock.min_time(Cycle{1}).count(); },
       between(min_clock, max_clock)},
      {"mtu", 0x30, 1, Access::cfg, "chip", "longest frame, bytes",
       [](const Target& t, std::size_t) { return chip_of(t).mtu.count(); },
       between(min_frame_bytes, max_mtu)},
      {"port_fifo", 0x3c, 1, Access::cfg, "chip", "frames that may wait at a port for a slot",
       [](const Target& t, std::size_t) { return std::uint64_t{chip_of(t).port_fifo}; },
       up_to(max_port_fifo, 1)},
      {"quanta", 0x40, 1, Access::rw, "chip", "value of the PAUSE frames sent, 1 to 65535",
       [](const Target& t, std::size_t) { return std::uint64_t{t.pfc_generator.quanta().count()}; },
       between(Quanta{1}, max_quanta),
       [](Target& t, std::size_t, std::uint32_t value) {
         t.pfc_generator.set_quanta(Quanta{static_cast<std::uint16_t>(value)});
       }},
      {"clear_stats", 0x44, 1, Access::w1c, "0",
       "bit 0: clears every counter and watermark; what is held is not touched",
       [](const Target&, std::size_t) { return std::uint64_t{0}; }, any_value, clear_stats},
      {"start", 0x48, 1, Access::w1s, "1",
       "bit 0: configured, requests are taken; the model starts so, the RTL with 0",
       [](const Target&, std::size_t) { return std::uint64_t{1}; }, any_value, already_started},
      {"pg_of_priority", 0x4c, 1, Access::cfg, "chip",
       "priority group of priority n in [4n+3:4n], 0 to 7", packed_priority_map, priority_map()},
  };
}

std::vector<Register> fixed_profile_registers() {
  return {
      {"lossless", 0x00, 1, Access::cfg, "profile", "1: the priority group pauses and has headroom",
       [](const Target& t, std::size_t i) { return std::uint64_t{profile_of(t, i).lossless}; },
       flag},
      {"pool", 0x04, 1, Access::cfg, "profile", "index of the ingress pool",
       [](const Target& t, std::size_t i) { return std::uint64_t{profile_of(t, i).pool.value()}; },
       less_than(Count::pools)},
      {"private", 0x08, 1, Access::cfg, "profile", "reserved cells of each priority group",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).private_cells.count()};
       },
       cells},
      {"headroom", 0x0c, 1, Access::cfg, "profile", "headroom cells of each priority group",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).headroom.count()};
       },
       cells},
      {"policy", 0x10, 1, Access::cfg, "profile", policy_meaning,
       [](const Target& t, std::size_t i) { return policy_number(profile_of(t, i).threshold); },
       policy_code},
      {"xoff_trigger", 0x24, 1, Access::cfg, "profile", "0 on_crossing, 1 on_headroom",
       [](const Target& t, std::size_t i) {
         return static_cast<std::uint64_t>(profile_of(t, i).xoff_trigger);
       },
       flag},
      {"xon_rule", 0x28, 1, Access::cfg, "profile", "0 sai, 1 paper",
       [](const Target& t, std::size_t i) {
         return static_cast<std::uint64_t>(profile_of(t, i).xon_rule);
       },
       flag},
  };
}

std::vector<Register> changeable_profile_registers() {
  return {
      {"alpha", 0x14, 1, Access::rw, "profile",
       "alpha = n/2^m: n [15:0] from 1, m [31:16] up to 16; policies with alpha",
       [](const Target& t, std::size_t i) { return packed(profile_of(t, i).threshold.alpha); },
       alpha_code,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) {
           p.threshold.alpha = {value & 0xffffU, static_cast<std::uint8_t>(value >> 16)};
         });
       }},
      {"static_limit", 0x18, 1, Access::rw, "profile", "T in cells, up to 2^24; policy static only",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).threshold.static_limit.count()};
       },
       cells,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) { p.threshold.static_limit = Cells{value}; });
       }},
      {"xon", 0x1c, 1, Access::rw, "profile", "XON threshold, cells, up to 2^24",
       [](const Target& t, std::size_t i) { return std::uint64_t{profile_of(t, i).xon.count()}; },
       cells,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) { p.xon = Cells{value}; });
       }},
      {"xon_offset", 0x20, 1, Access::rw, "profile", "XON below T by so many cells, up to 2^24",
       [](const Target& t, std::size_t i) {
         return std::uint64_t{profile_of(t, i).xon_offset.count()};
       },
       cells,
       [](Target& t, std::size_t i, std::uint32_t value) {
         change_profile(t, i, [&](Profile& p) { p.xon_offset = Cells{value}; });
       }},
  };
}

}  // namespace

std::uint32_t packed_version() {
  std::uint32_t packed = 0, part = 0;
  for (const char c : std::string_view{version}) {
    if (c == '.') {
      packed = (packed | part) << 8;
      part = 0;
    } else {
      part = part * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return packed | part;
}

RegisterBlock chip_block() {
  RegisterBlock block{"chip", register_base::chip, 0x100, "", {}, false, sizes_of_the_chip()};
  for (const Register& reg : settings_of_the_chip()) block.registers.push_back(reg);
  sort_by_offset(block.registers);
  return block;
}

RegisterBlock profile_block() {
  RegisterBlock block{"profile", register_base::profile,   0x40, "profile", {Count::profiles},
                      false,     fixed_profile_registers()};
  for (const Register& reg : changeable_profile_registers()) block.registers.push_back(reg);
  sort_by_offset(block.registers);
  return block;
}

RegisterBlock partition_block() {
  return {"partition",
          register_base::partition,
          0x04,
          "profile x domains + domain",
          {Count::profiles, Count::domains},
          false,
          {
              {"cells", 0x00, 1, Access::cfg, "chip",
               "floor(B / priority groups that share it): T of policy complete_partitioning",
               [](const Target& t, std::size_t i) {
                 const Chip& chip = chip_of(t);
                 const PoolNumber pool = profile_of(t, i / chip.domains).pool;
                 const DomainId domain{static_cast<std::uint8_t>(i % chip.domains)};
                 return std::uint64_t{chip.ingress_pools[pool].shared.count() /
                                      pg_sharers(chip, pool, domain)};
               },
               cells},
          }};
}

RegisterBlock queue_profile_block() {
  return {"queue_profile",
          register_base::queue_profile,
          0x20,
          "queue profile",
          {Count::queue_profiles},
          false,
          {
              {"pool", 0x00, 1, Access::cfg, "queue profile", "index of the egress pool",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{queue_profile_of(t, i).pool.value()};
               },
               less_than(Count::egress_pools)},
              {"minimum", 0x04, 1, Access::cfg, "queue profile",
               "reserved cells of each queue, per memory domain",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{queue_profile_of(t, i).minimum.count()};
               },
               cells},
              {"policy", 0x08, 1, Access::cfg, "queue profile", policy_meaning,
               [](const Target& t, std::size_t i) {
                 return policy_number(queue_profile_of(t, i).threshold);
               },
               policy_code},
              {"alpha", 0x0c, 1, Access::cfg, "queue profile",
               "alpha = n/2^m: n [15:0] from 1, m [31:16] up to 16; policies with alpha",
               [](const Target& t, std::size_t i) {
                 return packed(queue_profile_of(t, i).threshold.alpha);
               },
               alpha_code},
              {"static_limit", 0x10, 1, Access::cfg, "queue profile",
               "T in cells, up to 2^24; policy static only",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{queue_profile_of(t, i).threshold.static_limit.count()};
               },
               cells},
              {"partition", 0x14, 1, Access::cfg, "chip",
               "floor(B / limited queues of the pool): T of policy complete_partitioning",
               [](const Target& t, std::size_t i) {
                 const EgressPoolNumber pool = queue_profile_of(t, i).pool;
                 return std::uint64_t{chip_of(t).egress_pools[pool].shared.count() /
                                      queue_sharers(chip_of(t), pool)};
               },
               cells},
          }};
}

RegisterBlock pool_block() {
  RegisterBlock block{
      "pool",
      register_base::pool,
      0x40,
      "pool x domains + domain",
      {Count::pools, Count::domains},
      false,
      {
          {"shared_size", 0x00, 1, Access::cfg, "pool", "B: cells of the shared segment",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{pool_of(t, i).shared.count()};
           },
           cells},
          {"headroom_size", 0x04, 1, Access::cfg, "pool", "H: cells of the shared headroom pool",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{pool_of(t, i).headroom.count()};
           },
           cells},
          {"dedicated", 0x08, 1, Access::cfg, "pool", "1: headroom belongs to each priority group",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{pool_of(t, i).dedicated_headroom};
           },
           flag},
          {"shared", 0x0c, 1, Access::ro, "0", "S: cells in the shared segment now",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.ingress().pool(PoolIndex{i}).shared.count()};
           }},
          {"headroom", 0x10, 1, Access::ro, "0", "Hp: cells in headroom now",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.ingress().pool(PoolIndex{i}).headroom.count()};
           }},
          {"private", 0x14, 1, Access::ro, "0", "cells in private segments now",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{t.mmu.ingress().pool(PoolIndex{i}).private_cells.count()};
           }},
      }};
  add_pool_marks(block);
  return block;
}

RegisterBlock egress_pool_block() {
  return {"egress_pool",
          register_base::egress_pool,
          0x10,
          "egress pool x domains + domain",
          {Count::egress_pools, Count::domains},
          false,
          {
              {"shared_size", 0x00, 1, Access::cfg, "egress pool", "B: cells of the shared segment",
               [](const Target& t, std::size_t i) {
                 const Chip& chip = chip_of(t);
                 return std::uint64_t{
                     chip.egress_pools[EgressPoolNumber{i / chip.domains}].shared.count()};
               },
               cells},
              {"shared", 0x04, 1, Access::ro, "0", "S: cells in the shared segment now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.egress().pool_shared(EgressPoolIndex{i}).count()};
               }},
          }};
}

RegisterBlock pg_block() {
  return {"pg",
          register_base::pg,
          0x20,
          "port x 8 + priority group",
          {Count::ports},
          true,
          {
              {"private", 0x00, 1, Access::ro, "0", "cells in the private segment now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.ingress().pg(PgIndex{i}).private_cells.count()};
               }},
              {"shared", 0x04, 1, Access::ro, "0", "w: cells in the shared segment now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.ingress().pg(PgIndex{i}).shared.count()};
               }},
              {"headroom", 0x08, 1, Access::ro, "0", "cells in headroom now",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.ingress().pg(PgIndex{i}).headroom.count()};
               }},
              {"threshold", 0x0c, 1, Access::ro, "profile", "T now, cells",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.threshold(PgIndex{i}, t.now).count()};
               }},
              {"xoff", 0x10, 1, Access::ro, "0", "1: the priority group is XOFF",
               [](const Target& t, std::size_t i) {
                 return std::uint64_t{t.mmu.pfc().xoff(PgIndex{i})};
               }},
              {"profile", 0x14, 1, Access::cfg, "chip", "index of its profile; 0xffffffff: none",
               [](const Target& t, std::size_t i) {
                 const auto& assigned = chip_of(t).profile_of_pg[PgIndex{i}];
                 return assigned ? std::uint64_t{assigned->value()} : std::uint64_t{none_assigned};
               },
               less_than_or_none(Count::profiles)},
          }};
}

RegisterBlock queue_block() {
  return {"queue",
          register_base::queue,
          0x20,
          "port x 8 + queue",
          {Count::ports},
          true,
          {
              {"profile", 0x00, 1, Access::cfg, "chip",
               "index of its queue profile; 0xffffffff: none, so no limit",
               [](const Target& t, std::size_t i) {
                 const auto& assigned = chip_of(t).profile_of_queue[QueueIndex{i}];
                 return assigned ? std::uint64_t{assigned->value()} : std::uint64_t{none_assigned};
               },
               less_than_or_none(Count::queue_profiles)},
          }};
}

}  // namespace weir
