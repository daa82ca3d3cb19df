// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_registers.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

const RegisterBlock& block_of(std::string_view name) {
  for (const RegisterBlock& block : register_map())
    if (block.name == name) return block;
  throw ModelError(fmt::format("no block {} in the register map", name));
}

std::uint64_t read_named(RtlMmu& rtl, const RegisterBlock& block, std::string_view name,
                         std::size_t index) {
  for (const Register& reg : block.registers)
    if (reg.name == name) return rtl.read(block, reg, index);
  throw ModelError(fmt::format("no register {}.{} in the map", block.name, name));
}

Cells read_cells(RtlMmu& rtl, const RegisterBlock& block, std::string_view name,
                 std::size_t index) {
  return Cells{static_cast<std::uint32_t>(read_named(rtl, block, name, index))};
}

// Counters lie in the map as in memory (register_counters.cpp asserts it).
template <class Counters>
Counters read_counters(RtlMmu& rtl, const RegisterBlock& block, std::size_t index) {
  Counters counters{};
  for (const Register& reg : block.registers) {
    const std::uint64_t value = rtl.read(block, reg, index);
    std::memcpy(reinterpret_cast<unsigned char*>(&counters) + reg.offset, &value, 4 * reg.words);
  }
  return counters;
}

std::uint64_t read_without_wave(RtlMmu& rtl, const RegisterBlock& block, const Register& reg,
                                std::size_t index) {
  const RtlMmu::WavePause pause{rtl};
  return rtl.read(block, reg, index);
}

std::string place_of(const RegisterBlock& block, std::size_t index) {
  if (!block.by_priority) return fmt::format("{}[{}]", block.name, index);
  return fmt::format("port {}, {} {}", index / priorities,
                     block.name.substr(0, 5) == "queue" ? "queue" : "PG", index % priorities);
}

}  // namespace

MmuState read_state(RtlMmu& rtl, const Chip& chip) {
  const RtlMmu::WavePause pause{rtl};
  const RegisterBlock &pg = block_of("pg"), &pool = block_of("pool");
  const RegisterBlock &pg_stats = block_of("pg_stats"), &queue_stats = block_of("queue_stats");
  MmuState state;
  for (std::size_t i = 0; i < pg.instances(chip); ++i) {
    state.pgs.push_back({read_cells(rtl, pg, "private", i), read_cells(rtl, pg, "shared", i),
                         read_cells(rtl, pg, "headroom", i)});
    state.xoff.push_back(read_named(rtl, pg, "xoff", i) != 0 ? 1 : 0);
    state.pg_counters.push_back(read_counters<PgCounters>(rtl, pg_stats, i));
    state.queue_counters.push_back(read_counters<QueueCounters>(rtl, queue_stats, i));
  }
  for (std::size_t i = 0; i < pool.instances(chip); ++i) {
    state.pools.push_back({read_cells(rtl, pool, "shared", i), read_cells(rtl, pool, "headroom", i),
                           read_cells(rtl, pool, "private", i)});
    state.pool_marks.push_back({read_cells(rtl, pool, "shared_watermark", i),
                                read_cells(rtl, pool, "headroom_watermark", i),
                                read_cells(rtl, pool, "total_watermark", i)});
  }
  return state;
}

void for_each_counter(const RegisterTarget& target, bool with_ports,
                      const std::function<bool(const RegisterBlock& block, const Register& reg,
                                               std::size_t index)>& take) {
  constexpr std::string_view counting[]{"pg",          "pool",      "egress_pool", "pg_stats",
                                        "queue_stats", "port_draw", "queue_wred",  "port"};
  for (const std::string_view name : counting) {
    if (name == "port" && !with_ports) continue;
    const RegisterBlock& block = block_of(name);
    for (std::size_t i = 0; i < block.instances(target.mmu.chip()); ++i)
      for (const Register& reg : block.registers)
        if (!reg.outside && !take(block, reg, i)) return;
  }
}

std::optional<RegisterDifference> first_difference(RtlMmu& rtl, const RegisterTarget& target,
                                                   bool with_ports) {
  std::optional<RegisterDifference> found;
  const auto compare = [&](const RegisterBlock& block, const Register& reg, std::size_t i) {
    const std::uint64_t expected = reg.read(target, i),
                        actual = read_without_wave(rtl, block, reg, i);
    if (expected == actual) return true;
    static_cast<void>(rtl.read(block, reg, i));  // once more, for a waveform
    found = RegisterDifference{place_of(block, i), fmt::format("{}.{}", block.name, reg.name),
                               expected, actual};
    return false;
  };
  for_each_counter(target, with_ports, compare);
  return found;
}

}  // namespace weir
