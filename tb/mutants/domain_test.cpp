// SPDX-License-Identifier: Apache-2.0
// clang-format off
// rtl: mutants_two = weir_domain Ports=2 Lanes=2 Copies=2 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// rtl: mutants_four = weir_domain Ports=3 Lanes=4 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2 ThresholdLag=2 AdmitLatency=Least+2
// clang-format on
//
// The lockstep of weir_domain, short enough to run once for every mutant (scripts/rtl/mutants).
#include <gtest/gtest.h>

#include <string>

#include "Vmutants_four.h"
#include "Vmutants_two.h"
#include "lockstep/domain_lockstep.hpp"

namespace weir::test {
namespace {

constexpr std::uint64_t rounds = 40, cycles_a_round = 1500;

// The first difference; empty: none.
template <class Model>
std::string difference(const RtlShape& shape) {
  return difference_in([&] {
    DomainLockstep<Model> lockstep{shape};
    for (std::uint64_t round = 0; round < rounds; ++round) lockstep.round(1, round, cycles_a_round);
  });
}

TEST(WeirDomainMutants, TwoLanesEqualTheCore) {
  RtlShape shape;
  shape.ports = 2;
  shape.lanes = 2;
  shape.copies = 2;
  EXPECT_EQ(difference<Vmutants_two>(shape), "");
}

TEST(WeirDomainMutants, FourLanesWithALaggingThresholdEqualTheCore) {
  RtlShape shape;
  shape.ports = 3;
  shape.lanes = 4;
  shape.admit = pipeline::admit.rtl_least + 2;
  shape.lag = 2;
  EXPECT_EQ(difference<Vmutants_four>(shape), "");
}

}  // namespace
}  // namespace weir::test
