// SPDX-License-Identifier: Apache-2.0
// What model and RTL share: the ranges of the model fit the widths of the RTL, and codes are equal.
#include "weir/model/rtl/weir_pkg.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/chip_limits.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"

namespace weir::weir_pkg_test {
namespace {

constexpr bool fits(std::uint64_t most, unsigned bits) {
  return most < std::uint64_t{1} << bits && std::uint64_t{1} << (bits - 1) <= most;
}

TEST(WeirPkg, ItsWidthsHoldTheGreatestValuesOfTheModelAndNoMore) {
  EXPECT_TRUE(fits(max_cells_counted.count(), weir_pkg::LimitW));
  EXPECT_TRUE(fits(max_alpha_numerator, weir_pkg::AlphaNW));
  EXPECT_TRUE(fits(max_alpha_shift, weir_pkg::AlphaMW));
  EXPECT_TRUE(fits(policy_names(true).size() - 1, weir_pkg::PolicyW));
}

TEST(WeirPkg, ItsRangesAreThoseOfTheModel) {
  EXPECT_EQ(weir_pkg::Priorities, priorities);
  EXPECT_EQ(weir_pkg::MaxPorts, ArrivalArbiter::max_ports);
  EXPECT_EQ(weir_pkg::MaxDomains, max_domains);
  EXPECT_LE(weir_pkg::MaxLanes, max_lanes);
  EXPECT_EQ(weir_pkg::Reasons, step_reasons);
}

template <class Code>
unsigned number(Code code) {
  return static_cast<unsigned>(code);
}

TEST(WeirPkg, ItsCodesAreThoseOfTheModel) {
  EXPECT_EQ(weir_pkg::PolicyDynamic, number(Policy::dynamic));
  EXPECT_EQ(weir_pkg::PolicyStatic, number(Policy::fixed));
  EXPECT_EQ(weir_pkg::PolicySharing, number(Policy::complete_sharing));
  EXPECT_EQ(weir_pkg::PolicyPartitioning, number(Policy::complete_partitioning));
  EXPECT_EQ(weir_pkg::XoffOnCrossing, number(XoffTrigger::on_crossing));
  EXPECT_EQ(weir_pkg::XoffOnHeadroom, number(XoffTrigger::on_headroom));
  EXPECT_EQ(weir_pkg::XonSai, number(XonRule::sai));
  EXPECT_EQ(weir_pkg::XonPaper, number(XonRule::paper));
}

}  // namespace
}  // namespace weir::weir_pkg_test
