// SPDX-License-Identifier: Apache-2.0
#include "support/random_chip.hpp"

#include <rapidcheck.h>

#include <array>
#include <ostream>
#include <string>

namespace weir::test {
namespace {

constexpr int full_size = 100;  // RapidCheck scales ranges with its size; chips need all

// A number of [low, high].
std::uint32_t draw(std::uint32_t low, std::uint32_t high) {
  return *rc::gen::resize(full_size, rc::gen::inRange<std::uint32_t>(low, high + 1));
}

// Zero and tiny sizes as often as large ones, because they are the corner cases.
Cells draw_cells(std::uint32_t high) {
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
}

ThresholdSetting draw_threshold(bool lossless_dedicated) {
  const std::vector<PolicyRow>& policies = policy_table();
  ThresholdSetting setting;
  // `dynamic` has the most variants, so it gets half of the draws.
  const std::size_t row =
      draw(0, 1) == 0 ? 0 : draw(0, static_cast<std::uint32_t>(policies.size()) - 1);
  const bool legal = policies[row].for_lossy || lossless_dedicated;
  setting.policy = policies[legal ? row : 0].policy;
  setting.alpha = draw(0, 1) == 0 ? Alpha::power_of_two(static_cast<int>(draw(0, 15)) - 8)
                                  : Alpha{draw(1, 40), static_cast<std::uint8_t>(draw(0, 6))};
  setting.static_limit = draw_cells(120);
  setting.port_alpha = Alpha{draw(1, 20), static_cast<std::uint8_t>(draw(0, 4))};
  setting.window = Cycle{draw(1, 60)};
  setting.burst = Cycle{draw(1, 200)};
  return setting;
}

Profile draw_profile(const Chip& chip, std::size_t index) {
  Profile profile;
  profile.name = "profile" + std::to_string(index);
  profile.lossless = draw(0, 3) != 0;
  profile.pool = PoolNumber{draw(0, static_cast<std::uint32_t>(chip.ingress_pools.size()) - 1)};
  profile.private_cells = draw_cells(40);
  if (profile.lossless) profile.headroom = draw_cells(120);
  profile.threshold =
      draw_threshold(profile.lossless && chip.ingress_pools[profile.pool].dedicated_headroom);
  profile.xon = draw_cells(30);
  profile.xon_offset = draw_cells(30);
  profile.xoff_trigger = draw(0, 1) == 0 ? XoffTrigger::on_crossing : XoffTrigger::on_headroom;
  profile.xon_rule = draw(0, 1) == 0 ? XonRule::sai : XonRule::paper;
  return profile;
}

void draw_pools(Chip& chip) {
  const std::uint32_t ingress = draw(1, 3), egress = draw(1, 2);
  for (std::uint32_t pool = 0; pool < ingress; ++pool) {
    const bool dedicated = draw(0, 1) == 0;
    chip.ingress_pools.push_back({"in" + std::to_string(pool), draw_cells(400),
                                  dedicated ? Cells{0} : draw_cells(150), dedicated});
  }
  for (std::uint32_t pool = 0; pool < egress; ++pool)
    chip.egress_pools.push_back({"out" + std::to_string(pool), draw_cells(300), Cells{0}, true});
}

// Queues 0..3 of a port are lossless, 4..7 usually limited.
void draw_maps(Chip& chip) {
  const std::uint32_t profiles = static_cast<std::uint32_t>(chip.profiles.size());
  const std::uint32_t queues = static_cast<std::uint32_t>(chip.queue_profiles.size());
  for (std::size_t slot = 0; slot < chip.ports.size() * priorities; ++slot) {
    chip.profile_of_pg.push_back(ProfileIndex{draw(0, profiles - 1)});
    const bool limited = slot % priorities >= priorities / 2 && draw(0, 7) != 0;
    if (limited) {
      chip.profile_of_queue.push_back(QueueProfileIndex{draw(0, queues - 1)});
    } else {
      chip.profile_of_queue.push_back(std::nullopt);
    }
  }
}

// Gives the first profile and the first queue profile these policies.
void set_first_policies(Chip& chip, const PolicyPair& policies) {
  Profile& profile = chip.profiles.front();
  profile.threshold.policy = policies.ingress;
  chip.queue_profiles.front().threshold.policy = policies.egress;
  if (row_of(policies.ingress).for_lossy) return;
  Pool& pool = chip.ingress_pools[profile.pool];
  profile.lossless = pool.dedicated_headroom = true;
  pool.headroom = Cells{0};
}

}  // namespace

std::vector<PolicyPair> policy_pairs() {
  std::vector<PolicyPair> pairs;
  for (const PolicyRow& ingress : policy_table())
    for (const PolicyRow& egress : policy_table())
      if (egress.for_lossy) pairs.push_back({ingress.policy, egress.policy});
  return pairs;
}

Chip random_chip() {
  constexpr std::array<std::uint64_t, 5> cell_sizes{64, 80, 208, 254, 256};
  Chip chip;
  chip.name = "random";
  chip.cell = Bytes{cell_sizes[draw(0, cell_sizes.size() - 1)]};
  chip.cell_overhead = Bytes{draw(0, 1) == 0 ? 0 : draw(1, 40)};
  chip.mtu = chip.cell * draw(2, 50) - chip.cell_overhead;
  chip.threshold_lag = draw(0, 1) == 0 ? 0 : draw(0, 3);
  const std::uint32_t ports = draw(1, 8);
  chip.domains = draw(1, ports < 4 ? ports : 4);
  for (std::uint32_t port = 0; port < ports; ++port)
    chip.ports.push_back({BitRate{100'000'000'000},
                          DomainId{static_cast<std::uint8_t>(port % chip.domains)}, Picoseconds{}});
  draw_pools(chip);
  const std::uint32_t profiles = draw(1, 4), queues = draw(1, 3);
  for (std::uint32_t p = 0; p < profiles; ++p) chip.profiles.push_back(draw_profile(chip, p));
  for (std::uint32_t q = 0; q < queues; ++q)
    chip.queue_profiles.push_back(
        {"queue" + std::to_string(q),
         EgressPoolNumber{draw(0, static_cast<std::uint32_t>(chip.egress_pools.size()) - 1)},
         draw_cells(30), draw_threshold(false)});
  set_first_policies(chip, *rc::gen::elementOf(policy_pairs()));
  draw_maps(chip);
  return chip;
}

std::ostream& operator<<(std::ostream& out, const RawStep& step) {
  return out << "{" << step.action << ", " << step.pg << ", " << step.size << ", " << step.queue
             << ", " << step.copies << ", " << step.cycles << "}";
}

std::vector<RawStep> random_trace(int longest) {
  const auto number = [](std::uint32_t below) {
    return rc::gen::resize(full_size, rc::gen::inRange<std::uint32_t>(0, below));
  };
  const auto step = rc::gen::build<RawStep>(
      rc::gen::set(&RawStep::action, number(100)), rc::gen::set(&RawStep::pg, number(1U << 12)),
      rc::gen::set(&RawStep::size, number(1U << 16)),
      rc::gen::set(&RawStep::queue, number(1U << 12)), rc::gen::set(&RawStep::copies, number(6)),
      rc::gen::set(&RawStep::cycles, number(3)));
  return *rc::gen::resize(longest, rc::gen::container<std::vector<RawStep>>(step));
}

}  // namespace weir::test
