// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "weir/core/chip.hpp"
#include "weir/core/random.hpp"

namespace weir::test {

/// Bits that tell `count` values apart; at least one.
constexpr unsigned bits_for(std::uint64_t count) {
  unsigned width = 1;
  while ((std::uint64_t{1} << width) < count) ++width;
  return width;
}

/// What the RTL of a test was built for.
struct RtlShape {
  unsigned ports{2}, domains{1}, lanes{1}, copies{1};
  unsigned profiles{4}, queue_profiles{2}, pools{2}, egress_pools{2};
  unsigned cell_w{17}, len_w{8}, byte_w{14}, stat_w{48};
  unsigned admit{3}, pfc{2}, lag{0}, axis_w{512};

  [[nodiscard]] constexpr unsigned rows() const { return ports * priorities; }
  [[nodiscard]] constexpr unsigned row_w() const { return bits_for(rows()); }
};

/// Policies that the RTL has: those of one line in S, which stand first.
inline std::size_t rtl_policies() {
  const auto& policies = threshold_policies();
  return static_cast<std::size_t>(
      std::count_if(policies.begin(), policies.end(),
                    [](const ThresholdPolicy& policy) { return policy.rule == PolicyRule::line; }));
}

/// The number of a policy in the words of the RTL.
inline std::uint64_t policy_number(const ThresholdSetting& setting) {
  const auto& policies = threshold_policies();
  std::uint64_t number = 0;
  while (policies[number].name != setting.policy) ++number;
  return number;
}

/// A legal chip that fits `shape`, drawn at random, most so small that every limit is met often.
/// `round` walks through all pairs of XOFF trigger and XON rule, all threshold policies and all
/// powers of two of alpha.
inline Chip random_chip_of(const RtlShape& shape, RandomStream& random, std::uint64_t round) {
  const auto draw = [&](std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint32_t>(low + random.uniform(high - low + 1));
  };
  const auto cells = [&](std::uint32_t high) {
    switch (draw(0, 4)) {
      case 0:
        return Cells{0};
      case 1:
        return Cells{draw(1, 4)};
      case 2:
        return Cells{draw(1, 20)};
      default:
        return Cells{draw(1, high)};
    }
  };
  // Some are so large that the counts reach their widths.
  const bool large = draw(0, 5) == 0;
  const auto threshold = [&](std::uint64_t n) {
    ThresholdSetting setting;
    setting.policy = threshold_policies()[n % 2 == 0 ? 0 : n / 2 % rtl_policies()].name;
    setting.alpha = draw(0, 2) != 0 ? Alpha::power_of_two(static_cast<int>(round % 16) - 8)
                                    : Alpha{draw(1, 65535), static_cast<std::uint8_t>(draw(0, 16))};
    setting.static_limit = cells(large ? 40'000 : 120);
    return setting;
  };
  const std::uint32_t longest = (1U << shape.len_w) - 1;
  const auto pool_cells = [&](std::uint32_t small, std::uint32_t share) {
    const std::uint32_t most = (1U << shape.cell_w) / 100 * share / shape.pools;
    return large ? Cells{draw(most / 2, most)} : cells(small);
  };
  Chip chip;
  chip.name = "random";
  chip.cell = Bytes{64};
  chip.mtu = Bytes{64 * (large ? longest : draw(2, std::min(60U, longest)))};
  chip.domains = shape.domains;
  chip.lanes = shape.lanes;
  chip.admit_latency = shape.admit;
  chip.pfc_latency = shape.pfc;
  chip.threshold_lag = shape.lag;
  for (unsigned port = 0; port < shape.ports; ++port) {
    constexpr std::uint64_t gbps[]{10, 25, 100, 400, 800};
    chip.ports.push_back({BitRate{gbps[draw(0, 4)] * 1'000'000'000},
                          DomainId{static_cast<std::uint8_t>(port % shape.domains)},
                          Picoseconds{draw(0, 3) * draw(0, 30'000)}});
  }
  chip.quanta = Quanta{static_cast<std::uint16_t>(draw(1, draw(0, 7) == 0 ? 65535 : 200))};
  for (std::uint8_t& pg : chip.pg_of_priority) pg = static_cast<std::uint8_t>(draw(0, 7));
  for (unsigned pool = 0; pool < shape.pools; ++pool) {
    const bool dedicated = draw(0, 1) == 0;
    chip.ingress_pools.push_back({"in" + std::to_string(pool), pool_cells(400, 55),
                                  dedicated ? Cells{0} : pool_cells(150, 10), dedicated});
  }
  for (unsigned pool = 0; pool < shape.egress_pools; ++pool)
    chip.egress_pools.push_back(
        {"out" + std::to_string(pool), pool_cells(300, 55), Cells{0}, true});
  for (unsigned p = 0; p < shape.profiles; ++p) {
    Profile profile;
    profile.name = "profile" + std::to_string(p);
    profile.lossless = draw(0, 3) != 0;
    profile.pool = draw(0, shape.pools - 1);
    profile.private_cells = cells(40);
    if (profile.lossless) profile.headroom = cells(large && shape.ports <= 4 ? 800 : 120);
    profile.threshold = threshold(round + p);
    profile.xon = cells(30);
    profile.xon_offset = cells(30);
    profile.xoff_trigger =
        (round + p) % 2 == 0 ? XoffTrigger::on_crossing : XoffTrigger::on_headroom;
    profile.xon_rule = (round + p) / 2 % 2 == 0 ? XonRule::sai : XonRule::paper;
    chip.profiles.push_back(profile);
  }
  for (unsigned q = 0; q < shape.queue_profiles; ++q)
    chip.queue_profiles.push_back({"queue" + std::to_string(q), draw(0, shape.egress_pools - 1),
                                   cells(30), threshold(round + q)});
  for (std::size_t slot = 0; slot < std::size_t{shape.ports} * priorities; ++slot) {
    chip.profile_of_pg.emplace_back(draw(0, shape.profiles - 1));
    const bool limited = slot % priorities >= priorities / 2 && draw(0, 7) != 0;
    if (limited)
      chip.profile_of_queue.emplace_back(draw(0, shape.queue_profiles - 1));
    else
      chip.profile_of_queue.emplace_back(std::nullopt);
  }
  chip.check();
  return chip;
}

}  // namespace weir::test
