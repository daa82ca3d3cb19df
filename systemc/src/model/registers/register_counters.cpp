// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/register_counters.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/registers/register_settings.hpp"

namespace weir {
namespace {

using Access = RegisterAccess;
using Target = RegisterTarget;

// Counters of PGs and queues are read where the core keeps them, so the map has their layout.
static_assert(std::is_standard_layout_v<PgCounters> && std::is_standard_layout_v<QueueCounters>);

const PortCounters::ByPriority& port_class(const Target& t, std::size_t i) {
  return t.ports[i / priorities].priority[i % priorities];
}

const PortSetting& port_of(const Target& t, std::size_t i) { return t.mmu.chip().ports[i]; }

std::uint64_t response_cycles(const Target& t, std::size_t i) {
  return edge_at_or_after(port_of(t, i).response, t.mmu.chip().clock).count();
}

// The first octet of the address is the most significant one.
std::uint64_t station_number(std::size_t port) {
  std::uint64_t number = 0;
  for (const std::uint8_t octet : PfcGenerator::address_of(port)) number = number << 8 | octet;
  return number;
}

RegisterBlock port_settings() {
  return {
      "port",
      register_base::port,
      0x40,
      "port",
      {RegisterCount::ports},
      false,
      {
          {"rate",
           0x00,
           1,
           Access::cfg,
           "chip",
           "Mbps",
           [](const Target& t, std::size_t i) { return port_of(t, i).rate.count() / 1'000'000; },
           {{0, 32, min_port_rate.count() / 1'000'000, max_port_rate.count() / 1'000'000}}},
          {"domain",
           0x04,
           1,
           Access::cfg,
           "chip",
           "memory domain",
           [](const Target& t, std::size_t i) {
             return std::uint64_t{port_of(t, i).domain.count()};
           },
           {{0, 32, 0, 255, RegisterCount::domains}}},
          {"response",
           0x30,
           1,
           Access::cfg,
           "chip",
           "cycles from a received PFC frame until its classes are paused, rounded up",
           response_cycles,
           {{0, 32, 0, (1U << 24) - 1}}},
          {"pause_step",
           0x34,
           1,
           Access::cfg,
           "chip",
           "what a pause timer loses a cycle, in 2^-16 quanta, from 1",
           [](const Target& t, std::size_t i) {
             return CycleTimeBase{port_of(t, i).rate, t.mmu.chip().clock}.step();
           },
           {{0, 32, 1}}},
          {"source_mac_low",
           0x38,
           1,
           Access::cfg,
           "chip",
           "station address of PFC frames sent, octets 3 to 6, the last one in [7:0]",
           [](const Target&, std::size_t i) { return station_number(i) & 0xffff'ffffU; },
           {{}}},
          {"source_mac_high",
           0x3c,
           1,
           Access::cfg,
           "chip",
           "octets 1 and 2, the first one on the wire in [15:8]",
           [](const Target&, std::size_t i) { return station_number(i) >> 32; },
           {{0, 32, 0, 0xffff}}},
      }};
}

// The registers of the counters that MACs keep, from the tables of port_counters.hpp.
void add_counters(RegisterBlock& block, CounterRegister::Block which) {
  const auto add = [&](const auto& row, auto&& read) {
    if (!row.shown_at || row.shown_at->block != which) return;
    const CounterRegister& place = *row.shown_at;
    Register reg{place.name, place.offset, 2, Access::ro, "0", row.meaning, read};
    reg.outside = !place.of_mmu;
    block.registers.push_back(std::move(reg));
  };
  for_each_port_counter([&](const auto& row) {
    add(row, [row](const Target& t, std::size_t i) { return count_of(row, t.ports[i]); });
  });
  for_each_class_counter([&](const auto& row) {
    add(row, [row](const Target& t, std::size_t i) { return count_of(row, port_class(t, i)); });
  });
  std::sort(block.registers.begin(), block.registers.end(),
            [](const Register& a, const Register& b) { return a.offset < b.offset; });
}

// The same from a table of stats_counters.hpp. `counters` finds those of an instance.
template <class Rows, class Find>
void add_counters(RegisterBlock& block, const Rows& rows, Find counters) {
  for (const auto& row : rows)
    block.registers.push_back({row.name, row.offset, row.words, Access::ro, "0", row.meaning,
                               [&row, counters](const Target& t, std::size_t i) {
                                 return row.read(counters(t.mmu, i));
                               }});
}

PauseTimes pause_times(const Target& t, std::size_t i) {
  return t.pfc_receiver.pause_times(PortId{static_cast<std::uint16_t>(i / priorities)},
                                    Priority{static_cast<std::uint8_t>(i % priorities)},
                                    time_of(t.now, t.mmu.chip().clock));
}

RegisterBlock pause_registers() {
  return {"port_class_health",
          register_base::port_class_health,
          0x40,
          "port x 8 + priority",
          {RegisterCount::ports},
          true,
          {
              {"pauses", 0x00, 2, Access::ro, "0",
               "times that the peer paused the class, refreshes not counted",
               [](const Target& t, std::size_t i) { return pause_times(t, i).pauses; }},
              {"pause_time", 0x08, 2, Access::ro, "0", "how long in all, ps",
               [](const Target& t, std::size_t i) { return pause_times(t, i).total.count(); }},
              {"longest_pause", 0x10, 2, Access::ro, "0", "the longest of them, ps",
               [](const Target& t, std::size_t i) { return pause_times(t, i).longest.count(); }},
          }};
}

}  // namespace

RegisterBlock port_block() {
  RegisterBlock block = port_settings();
  add_counters(block, CounterRegister::Block::port);
  return block;
}

RegisterBlock port_class_block() {
  RegisterBlock block{"port_class",
                      register_base::port_class,
                      0x40,
                      "port x 8 + priority",
                      {RegisterCount::ports},
                      true,
                      {}};
  add_counters(block, CounterRegister::Block::port_class);
  return block;
}

RegisterBlock port_class_health_block() {
  RegisterBlock block = pause_registers();
  for (Register& reg : block.registers) reg.outside = true;
  add_counters(block, CounterRegister::Block::port_class_health);
  return block;
}

RegisterBlock pg_stats_block() {
  RegisterBlock block{"pg_stats",
                      register_base::pg_stats,
                      sizeof(PgCounters),
                      "port x 8 + priority group",
                      {RegisterCount::ports},
                      true,
                      {},
                      [](const Mmu& mmu) -> const void* { return &mmu.stats().pg(PgIndex{}); }};
  add_counters(block, pg_counter_table, [](const Mmu& mmu, std::size_t i) -> const PgCounters& {
    return mmu.stats().pg(PgIndex{i});
  });
  return block;
}

RegisterBlock queue_stats_block() {
  RegisterBlock block{
      "queue_stats",
      register_base::queue_stats,
      sizeof(QueueCounters),
      "port x 8 + queue",
      {RegisterCount::ports},
      true,
      {},
      [](const Mmu& mmu) -> const void* { return &mmu.stats().queue(QueueIndex{}); }};
  add_counters(block, queue_counter_table,
               [](const Mmu& mmu, std::size_t i) -> const QueueCounters& {
                 return mmu.stats().queue(QueueIndex{i});
               });
  return block;
}

void add_pool_marks(RegisterBlock& pool) {
  add_counters(pool, pool_mark_table, [](const Mmu& mmu, std::size_t i) -> const PoolWatermark& {
    return mmu.stats().pool(PoolIndex{i});
  });
}

}  // namespace weir
