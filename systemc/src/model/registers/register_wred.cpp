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

// What a written word may be.
const std::vector<LegalField> any_word{{}};
const std::vector<LegalField> limits{{0, 32, 0, max_cells_counted.count()}};
const std::vector<LegalField> chance{{0, 32, 0, 1U << 16}};
const std::vector<LegalField> control_bits{{0, 32, 0, 7}};
const std::vector<LegalField> slope_end{{0, 32, 0, 0x3ff}};
// The RTL takes sixteen shifts at once: the lower half of its polynomial is 0.
const std::vector<LegalField> upper_half{{0, 16, 0, 0, Count::none, false, "zero"},
                                         {16, 16, 0x8000, 0xffff, Count::none, false, "taps"}};
const std::vector<LegalField> not_zero{{0, 32, 1, 0xffff'ffffU}};
const std::vector<LegalField> profile_or_none{
    {0, 32, 0, without_profile, Count::wred_profiles, true}};

const WredProfile& wred_of(const Target& t, std::size_t i) {
  return t.mmu.chip().wred_profiles[WredProfileIndex{i}];
}

std::uint64_t slope_of(const Target& t, std::size_t i) { return WredLine{wred_of(t, i)}.slope(); }

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
          {"min", 0x00, 1, Access::cfg, "wred", "cells below which nothing is marked or dropped",
           [](const Target& t, std::size_t i) { return std::uint64_t{wred_of(t, i).min.count()}; },
           limits},
          {"max", 0x04, 1, Access::cfg, "wred", "cells from which on everything is",
           [](const Target& t, std::size_t i) { return std::uint64_t{wred_of(t, i).max.count()}; },
           limits},
          {"probability", 0x08, 1, Access::cfg, "wred",
           "just below max, in 2^-16, up to 65536; for software to read back; the RTL uses the "
           "slope",
           [](const Target& t, std::size_t i) { return std::uint64_t{wred_of(t, i).probability}; },
           chance},
          {"control", 0x0c, 1, Access::cfg, "wred",
           "bit 0: marks, bit 1: drops, bit 2: marks at enqueue",
           [](const Target& t, std::size_t i) {
             const WredProfile& profile = wred_of(t, i);
             return std::uint64_t{(profile.mark ? 1U : 0U) | (profile.drop ? 2U : 0U) |
                                  (profile.at == WredPoint::enqueue ? 4U : 0U)};
           },
           control_bits},
          {"slope_low", 0x10, 1, Access::cfg, "wred",
           "round(probability x 2^25 / (max - min)), 0 where max = min: bits 31 to 0",
           [](const Target& t, std::size_t i) { return slope_of(t, i) & 0xffff'ffffU; }, any_word},
          {"slope_high", 0x14, 1, Access::cfg, "wred", "its bits 41 to 32",
           [](const Target& t, std::size_t i) { return slope_of(t, i) >> 32; }, slope_end},
      }};
}

RegisterBlock port_draw_block() {
  return {
      "port_draw",
      register_base::port_draw,
      0x10,
      "port",
      {Count::wred_ports},
      false,
      {
          {"polynomial", 0x00, 1, Access::cfg, "draw",
           "taps of the register of draws, the highest bit 1; in the RTL the lower half is 0",
           [](const Target& t, std::size_t) { return std::uint64_t{t.mmu.chip().draw_polynomial}; },
           upper_half},
          {"seed", 0x04, 1, Access::cfg, "draw", "its first state, never 0",
           [](const Target& t, std::size_t i) {
             const EcnMarker* const marker = t.mmu.marker();
             return marker == nullptr ? std::uint64_t{0}
                                      : std::uint64_t{marker->first_draw_state_of(port_id(i))};
           },
           not_zero},
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
      {"profile", 0x1c, 1, Access::cfg, "chip", "index of its WRED profile; 0xffffffff: none",
       [](const Target& t, std::size_t i) {
         const EcnMarker* const marker = marker_of(t, i);
         return marker == nullptr ? std::uint64_t{without_profile}
                                  : std::uint64_t{marker->profile_of(QueueIndex{i}).value()};
       },
       profile_or_none});
  return block;
}

}  // namespace weir
