// SPDX-License-Identifier: Apache-2.0
// A file of silicon cases, JSON.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "weir/config/silicon/silicon_bounds.hpp"
#include "weir/config/silicon/silicon_cases.hpp"

namespace weir::fuzz {
namespace {

constexpr std::size_t max_chips = 4;

// The bounds of all counts; returns how many groups the test of the largest one fills.
std::size_t judge(const SiliconCase& silicon) {
  std::size_t groups = 1;
  for (const PublishedCount& count : silicon.expected) {
    const auto name = silicon_quantity(count);
    if (!name) continue;
    groups = std::max(groups, name->pgs);
    for (std::size_t entry = 0; entry < count.measured.size(); ++entry) {
      const SiliconBound bound = silicon_bound(silicon, count, name->quantity, entry);
      const std::int64_t measured = count.measured[entry];
      require(bound.accepts(measured, measured), "a bound that refuses the published count");
    }
  }
  static_cast<void>(headroom_packets(silicon.config));
  return groups;
}

}  // namespace

void read_silicon(std::string_view input) {
  static_cast<void>(taken([&] {
    const std::vector<SiliconCase> cases = parse_silicon_cases(input, "cases.json");
    for (std::size_t i = 0; i < cases.size() && i < max_chips; ++i) {
      const std::size_t groups = judge(cases[i]);
      static_cast<void>(taken([&] { static_cast<void>(silicon_chip(cases[i], groups)); }));
    }
  }));
}

}  // namespace weir::fuzz
