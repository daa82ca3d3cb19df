// SPDX-License-Identifier: Apache-2.0
// clang-format off
// rtl: domain_2_1 = weir_domain Ports=2 Lanes=1 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// rtl: domain_2_2 = weir_domain Ports=2 Lanes=2 Copies=4 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// clang-format on
#include <gtest/gtest.h>

#include <string>

#include "Vdomain_2_1.h"
#include "Vdomain_2_2.h"
#include "lockstep/domain_lockstep.hpp"
#include "lockstep/lockstep_cycles.hpp"

namespace weir::test {
namespace {

// Each round is another chip, from a reset in the middle of what the one before was doing. A run of
// less than `cycles` need not reach every functional point.
// Returns the first difference, or what makes the comparison worthless; empty: neither.
template <class Model>
std::string complaints(const RtlShape& shape, std::uint64_t cycles, std::uint64_t cycles_a_round) {
  DomainLockstep<Model> lockstep{shape};
  const std::uint64_t all = lockstep_cycles(cycles), length = lockstep_round(cycles_a_round);
  const std::string difference = difference_in([&] {
    for (std::uint64_t n = 0; n < all / length; ++n)
      lockstep.round(shape.ports * 10 + shape.lanes, n, length);
  });
  return !difference.empty() || all < cycles ? difference : lockstep.board().complaints();
}

RtlShape shape_of(unsigned ports, unsigned lanes, unsigned copies) {
  RtlShape shape;
  shape.ports = ports;
  shape.lanes = lanes;
  shape.copies = copies;
  return shape;
}

TEST(WeirDomain, EqualsTheCoreWithTwoPortsAndOneLane) {
  EXPECT_EQ(complaints<Vdomain_2_1>(shape_of(2, 1, 1), 1'000'000, 20'000), "");
}

TEST(WeirDomain, EqualsTheCoreWithTwoPortsTwoLanesAndMulticast) {
  EXPECT_EQ(complaints<Vdomain_2_2>(shape_of(2, 2, 4), 750'000, 20'000), "");
}

TEST(WeirDomain, CountsManyReleasesOfMoreThanThereIs) {
  EXPECT_EQ(difference_in([] {
              DomainLockstep<Vdomain_2_1> lockstep{shape_of(2, 1, 1)};
              lockstep.release_too_much();
              lockstep.round(3, 0, 100'000);
              lockstep.round(3, 1, 1'000);
            }),
            "");
}

}  // namespace
}  // namespace weir::test
