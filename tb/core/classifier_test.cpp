// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/classifier.hpp"

#include <gtest/gtest.h>

namespace weir::classifier_test {
namespace {

constexpr Priority lossless{3}, best_effort{0};

TEST(Classifier, TakesThePriorityOfTheTagByDefault) {
  const Classifier classifier{ClassifierSettings{}};
  for (std::uint8_t p = 0; p < priorities; ++p)
    EXPECT_EQ(classifier.classify({Priority{p}, 46, true, false}), Priority{p});
}

TEST(Classifier, AFrameWithoutATagHasTheClassOfTheUntagged) {
  ClassifierSettings settings;
  EXPECT_EQ(Classifier{settings}.classify({lossless, 24, false, false}), best_effort)
      << "whatever its sender meant";
  settings.untagged = Priority{5};
  EXPECT_EQ(Classifier{settings}.classify({lossless, 24, false, false}), Priority{5});
}

TEST(Classifier, DscpFollowsTheClassSelectorsByDefault) {
  ClassifierSettings settings;
  settings.trust = ClassTrust::dscp;
  const Classifier classifier{settings};
  for (std::uint8_t dscp = 0; dscp < ClassifierSettings::dscps; ++dscp) {
    const Priority expected{static_cast<std::uint8_t>(dscp / 8)};
    EXPECT_EQ(classifier.classify({Priority{7}, dscp, true, false}), expected) << +dscp;
    EXPECT_EQ(classifier.classify({Priority{7}, dscp, false, false}), expected)
        << "a tag is not needed: " << +dscp;
  }
}

TEST(Classifier, DscpGoesThroughTheTable) {
  ClassifierSettings settings;
  settings.trust = ClassTrust::dscp;
  settings.priority_of_dscp.fill(best_effort);
  settings.priority_of_dscp[26] = lossless;
  const Classifier classifier{settings};
  EXPECT_EQ(classifier.classify({Priority{6}, 25, true, false}), best_effort);
  EXPECT_EQ(classifier.classify({Priority{6}, 26, true, false}), lossless);
  EXPECT_EQ(classifier.classify({Priority{6}, 27, true, false}), best_effort);
}

TEST(Classifier, GroupFramesAreKeptOutOfTheirClassOnlyWhereThatIsAskedFor) {
  for (const ClassTrust trust : {ClassTrust::pcp, ClassTrust::dscp}) {
    ClassifierSettings settings;
    settings.trust = trust;
    EXPECT_EQ(Classifier{settings}.classify({lossless, 24, true, true}), lossless);
    settings.group_priority = Priority{1};
    EXPECT_EQ(Classifier{settings}.classify({lossless, 24, true, true}), Priority{1});
    EXPECT_EQ(Classifier{settings}.classify({lossless, 24, true, false}), lossless)
        << "frames to one host are not touched";
  }
}

}  // namespace
}  // namespace weir::classifier_test
