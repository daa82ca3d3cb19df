// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/register_wred.hpp"

#include <cstddef>

#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/model/registers/register_settings.hpp"

namespace weir {
namespace {

using Access = RegisterAccess;
using Count = RegisterCount;
using Target = RegisterTarget;

constexpr std::uint32_t without_profile = 0xffff'ffffU;

const WredProfile& wred_of(const Target& t, std::size_t i) { return t.mmu.chip().wred_profiles[i]; }

PortId port_id(std::size_t i) { return PortId{static_cast<PortId::rep>(i)}; }

// nullptr: the queue has no profile.
const EcnMarker* marker_of(const Target& t, std::size_t queue) {
  const EcnMarker* const marker = t.mmu.marker();
  return marker != nullptr && marker->has_profile(QueueIndex{queue}) ? marker : nullptr;
}

void add_counters(RegisterBlock& block) {
  for (const auto& row : wred_counter_table)
    block.registers.push_back({row.name, row.offset, row.words, Access::ro, "0", row.meaning,
                               [&row](const Target& t, std::size_t i) {
                                 const EcnMarker* const marker = marker_of(t, i);
                                 return marker == nullptr
                                            ? std::uint64_t{0}
                                            : row.read(marker->counters(QueueIndex{i}));
                               }});
}

}  // namespace

RegisterBlock wred_block() {
  return {
      "wred",
      register_base::wred,
      0x20,
      "WRED profile",
      {Count::wred_profiles},
      false,
      {
          {"min", 0x00, 1, Access::ro, "wred", "cells below which nothing is marked or dropped",
           [](const Target& t, std::size_t i) { return std::uint64_t{wred_of(t, i).min.count()}; }},
          {"max", 0x04, 1, Access::ro, "wred", "cells from which on everything is",
           [](const Target& t, std::size_t i) { return std::uint64_t{wred_of(t, i).max.count()}; }},
          {"probability", 0x08, 1, Access::ro, "wred", "just below max, in 2^-16, 1 to 65536",
           [](const Target& t, std::size_t i) { return std::uint64_t{wred_of(t, i).probability}; }},
          {"control", 0x0c, 1, Access::ro, "wred",
           "bit 0: marks, bit 1: drops, bit 2: marks at enqueue",
           [](const Target& t, std::size_t i) {
             const WredProfile& profile = wred_of(t, i);
             return std::uint64_t{(profile.mark ? 1U : 0U) | (profile.drop ? 2U : 0U) |
                                  (profile.at == WredPoint::enqueue ? 4U : 0U)};
           }},
      }};
}

RegisterBlock port_draw_block() {
  return {"port_draw",
          register_base::port_draw,
          0x10,
          "port",
          {Count::wred_ports},
          false,
          {
              {"polynomial", 0x00, 1, Access::ro, "draw", "taps of the register of draws",
               [](const Target& t, std::size_t) {
                 return std::uint64_t{t.mmu.chip().draw_polynomial};
               }},
              {"seed", 0x04, 1, Access::ro, "draw", "its first state, never 0",
               [](const Target& t, std::size_t i) {
                 const EcnMarker* const marker = t.mmu.marker();
                 return marker == nullptr ? std::uint64_t{0}
                                          : std::uint64_t{marker->first_draw_state_of(port_id(i))};
               }},
              {"state", 0x08, 1, Access::ro, "draw", "its state; its low half is the last draw",
               [](const Target& t, std::size_t i) {
                 const EcnMarker* const marker = t.mmu.marker();
                 return marker == nullptr ? std::uint64_t{0}
                                          : std::uint64_t{marker->draw_state(port_id(i))};
               }},
          }};
}

RegisterBlock queue_wred_block() {
  RegisterBlock block{"queue_wred",
                      register_base::queue_wred,
                      0x20,
                      "port x 8 + queue",
                      {Count::wred_ports},
                      true,
                      {}};
  add_counters(block);
  block.registers.push_back({"waiting", 0x18, 1, Access::ro, "0", "q: cells that wait now",
                             [](const Target& t, std::size_t i) {
                               const EcnMarker* const marker = marker_of(t, i);
                               return marker == nullptr
                                          ? std::uint64_t{0}
                                          : std::uint64_t{marker->waiting(QueueIndex{i}).count()};
                             }});
  block.registers.push_back(
      {"profile", 0x1c, 1, Access::ro, "chip", "index of its WRED profile; 0xffffffff: none",
       [](const Target& t, std::size_t i) {
         const EcnMarker* const marker = marker_of(t, i);
         return marker == nullptr ? std::uint64_t{without_profile}
                                  : std::uint64_t{marker->profile_of(QueueIndex{i})};
       }});
  return block;
}

}  // namespace weir
