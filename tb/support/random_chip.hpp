// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "weir/core/chip.hpp"

namespace weir::test {

/// A policy of priority groups, and one of the queues of the same chip.
struct PolicyPair {
  Policy ingress, egress;
};
/// Every policy of the table with every one that queues may have.
[[nodiscard]] std::vector<PolicyPair> policy_pairs();

/// A legal chip drawn at random, small enough that every limit is met often: 1..8 ports, 1..4
/// domains, 1..3 pools, all threshold policies, triggers and rules, sizes down to zero. Every pair
/// of policy_pairs() is as likely at the first profiles.
/// Call it inside a RapidCheck property only.
[[nodiscard]] Chip random_chip();

/// One step before it is made legal: the numbers are taken modulo the number of ports, queues etc.
struct RawStep {
  std::uint32_t action{0};  ///< 0..99, compared with the share of arrivals
  std::uint32_t pg{0};
  std::uint32_t size{0};  ///< of the packet, or which packet leaves
  std::uint32_t queue{0};
  std::uint32_t copies{0};  ///< 0: unicast, else a multicast of up to 4 queues
  std::uint32_t cycles{0};  ///< since the step before
};
std::ostream& operator<<(std::ostream& out, const RawStep& step);

/// Up to `longest` steps; shrinks to a shorter trace. Inside a RapidCheck property only.
[[nodiscard]] std::vector<RawStep> random_trace(int longest);

}  // namespace weir::test
