// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/dynamic_threshold.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "weir/core/errors.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::dynamic_threshold_test {
namespace {

ThresholdContext context(Policy policy, std::uint32_t pool) {
  ThresholdContext context;
  context.setting.policy = policy;
  context.pool = Cells{pool};
  return context;
}

Threshold dynamic(std::uint32_t pool, Alpha alpha) {
  ThresholdContext c = context(Policy::dynamic, pool);
  c.setting.alpha = alpha;
  return make_threshold(c, "profile.p");
}

// The error when this threshold is constructed, or "none".
std::string error_of(const ThresholdContext& c) {
  try {
    static_cast<void>(make_threshold(c, "profile.p"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(Threshold, DynamicIsTheFloorOfAlphaTimesWhatIsFree) {
  const Threshold eighth = dynamic(100, Alpha::power_of_two(-3));
  EXPECT_EQ(eighth.at(Cells{0}), Cells{12}) << "100/8 = 12.5 rounds down";
  EXPECT_EQ(eighth.at(Cells{4}), Cells{12}) << "96/8 is exactly 12";
  EXPECT_EQ(eighth.at(Cells{5}), Cells{11}) << "95/8 = 11.9 rounds down";
  EXPECT_EQ(eighth.at(Cells{92}), Cells{1});
  EXPECT_EQ(eighth.at(Cells{93}), Cells{0}) << "7/8 rounds down to 0";
}

TEST(Threshold, DynamicIsZeroFromTheFullPoolOn) {
  const Threshold t = dynamic(100, Alpha::power_of_two(7));
  EXPECT_EQ(t.at(Cells{99}), Cells{128}) << "one free cell, alpha 128";
  EXPECT_EQ(t.at(Cells{100}), Cells{0}) << "no free cell";
  EXPECT_EQ(t.at(Cells{101}), Cells{0}) << "more in use than there is must not wrap";
}

TEST(Threshold, AlphaMayBeAnyFractionOfAPowerOfTwo) {
  const Threshold t = dynamic(1000, Alpha{5, 4});
  EXPECT_EQ(t.at(Cells{0}), Cells{312}) << "1000 x 5/16 = 312.5";
  EXPECT_EQ(dynamic(1U << 24, Alpha{65535, 0}).at(Cells{0}), Cells{0xffff'ffffU})
      << "2^24 x 65535 saturates";
  EXPECT_EQ(dynamic(1U << 24, Alpha{1, 16}).at(Cells{0}), Cells{256});
}

TEST(Threshold, StaticDoesNotFollowThePool) {
  ThresholdContext c = context(Policy::fixed, 100);
  c.setting.static_limit = Cells{40};
  const Threshold t = make_threshold(c, "profile.p");
  for (const std::uint32_t used : {0U, 50U, 100U, 200U}) {
    EXPECT_EQ(t.at(Cells{used}), Cells{40}) << "S = " << used;
  }
}

TEST(Threshold, CompleteSharingAllowsTheWholePool) {
  const Threshold t = make_threshold(context(Policy::complete_sharing, 100), "profile.p");
  EXPECT_EQ(t.at(Cells{0}), Cells{100});
  EXPECT_EQ(t.at(Cells{99}), Cells{100}) << "w = 99 is below T, the last cell may still be taken";
  EXPECT_EQ(t.at(Cells{100}), Cells{100}) << "w = 100 is not";
}

TEST(Threshold, CompletePartitioningGivesEachSharerItsWholePart) {
  ThresholdContext c = context(Policy::complete_partitioning, 100);
  c.sharers = 3;
  EXPECT_EQ(make_threshold(c, "profile.p").at(Cells{99}), Cells{33});
  c.sharers = 1;
  EXPECT_EQ(make_threshold(c, "profile.p").at(Cells{0}), Cells{100});
  c.sharers = 101;
  EXPECT_EQ(make_threshold(c, "profile.p").at(Cells{0}), Cells{0}) << "fewer cells than sharers";
}

TEST(Threshold, PolicyTableNamesEachPolicyOnceAndSaysWhatItIs) {
  std::set<std::string_view> names;
  for (const PolicyRow& policy : policy_table()) {
    EXPECT_TRUE(names.insert(policy.name).second) << policy.name << " is in the table twice";
    EXPECT_FALSE(policy.summary.empty()) << policy.name;
    EXPECT_EQ(error_of(context(policy.policy, 100)), "none") << policy.name;
  }
  EXPECT_EQ(names.size(), policy_table().size());
}

TEST(Threshold, UnknownPolicyIsRefusedWithTheLegalNames) {
  const std::string error = error_of(context(static_cast<Policy>(200), 100));
  EXPECT_NE(error.find("profile.p.policy = 200"), std::string::npos) << error;
  std::string names;
  for (const PolicyRow& policy : policy_table())
    names += (names.empty() ? "" : ", ") + std::string{policy.name};
  EXPECT_NE(error.find(names), std::string::npos) << error;
}

TEST(Threshold, AlphaOutsideTheTableIsRefused) {
  ThresholdContext c = context(Policy::dynamic, 100);
  for (const Alpha legal : {Alpha{1, 0}, Alpha{65535, 0}, Alpha{1, 16}, Alpha{65535, 16}}) {
    c.setting.alpha = legal;
    EXPECT_EQ(error_of(c), "none") << legal.numerator << "/2^" << +legal.shift;
  }
  for (const Alpha illegal : {Alpha{0, 0}, Alpha{65536, 0}, Alpha{1, 17}}) {
    c.setting.alpha = illegal;
    EXPECT_NE(error_of(c).find("profile.p.alpha"), std::string::npos)
        << illegal.numerator << "/2^" << +illegal.shift;
  }
}

TEST(Threshold, PoolBeyondTwoToThe24IsRefused) {
  EXPECT_EQ(error_of(context(Policy::dynamic, 1U << 24)), "none");
  EXPECT_NE(error_of(context(Policy::dynamic, (1U << 24) + 1)).find("16777217 cells"),
            std::string::npos);
}

RC_GTEST_PROP(Threshold, NeverGrowsWhileMoreIsInUse, ()) {
  const auto pool = *rc::gen::inRange<std::uint32_t>(0, (1U << 24) + 1);
  const auto numerator = *rc::gen::inRange<std::uint32_t>(1, 65536);
  const auto shift = *rc::gen::inRange<std::uint32_t>(0, 17);
  const auto used = *rc::gen::inRange<std::uint32_t>(0, 1U << 24);
  const Threshold t = dynamic(pool, Alpha{numerator, static_cast<std::uint8_t>(shift)});
  RC_ASSERT(t.at(Cells{used + 1}) <= t.at(Cells{used}));
}

RC_GTEST_PROP(Threshold, DynamicIsTheLargestIntegerNotAboveTheQuotient, ()) {
  const auto pool = *rc::gen::inRange<std::uint32_t>(0, 1U << 20);
  const auto numerator = *rc::gen::inRange<std::uint32_t>(1, 4096);
  const auto shift = *rc::gen::inRange<std::uint32_t>(0, 17);
  const auto used = *rc::gen::inRange<std::uint32_t>(0, 1U << 20);
  const std::uint64_t t =
      dynamic(pool, Alpha{numerator, static_cast<std::uint8_t>(shift)}).at(Cells{used}).count();
  const std::uint64_t product = std::uint64_t{numerator} * (used < pool ? pool - used : 0);
  RC_ASSERT((t << shift) <= product);
  RC_ASSERT(product < (t + 1) << shift);
}

}  // namespace
}  // namespace weir::dynamic_threshold_test
