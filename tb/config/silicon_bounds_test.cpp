// SPDX-License-Identifier: Apache-2.0
#include "weir/config/silicon/silicon_bounds.hpp"

#include <gtest/gtest.h>

namespace weir::silicon_bounds_test {
namespace {

PublishedCount single(const std::string& quantity, std::int64_t measured) {
  return {quantity, false, {measured}};
}
PublishedCount list(const std::string& quantity, std::vector<std::int64_t> measured) {
  return {quantity, true, std::move(measured)};
}

// A case whose headroom is 10 cells, with these counts.
SiliconCase case_with(std::vector<PublishedCount> expected) {
  SiliconCase silicon;
  silicon.id = "some case";
  silicon.config.cell = Bytes{200};
  silicon.config.headroom = Bytes{1999};
  silicon.expected = std::move(expected);
  return silicon;
}

// Largest difference accepted for entry `entry` of count `count`.
std::int64_t bound(const SiliconCase& silicon, std::size_t count, std::size_t entry = 0) {
  const PublishedCount& published = silicon.expected[count];
  const auto name = silicon_quantity(published);
  EXPECT_TRUE(name) << published.quantity;
  return silicon_bound(silicon, published, name->quantity, entry).difference;
}

TEST(SiliconBounds, EveryPublishedQuantityIsKnown) {
  EXPECT_EQ(silicon_quantity(single("trig_pfc", 1))->quantity, SiliconQuantity::xoff);
  EXPECT_EQ(silicon_quantity(single("trig_ingr_drp", 1))->quantity, SiliconQuantity::first_drop);
  EXPECT_EQ(silicon_quantity(single("hdrm_full", 1))->quantity, SiliconQuantity::headroom);
  EXPECT_EQ(silicon_quantity(single("hdrm_pool_total=(pgs_num-1)*full+partial", 1))->quantity,
            SiliconQuantity::headroom_total);
  EXPECT_EQ(silicon_quantity(single("lossy_trig_egr_drp", 1))->quantity,
            SiliconQuantity::lossy_drop);
  EXPECT_EQ(silicon_quantity(single("xon_dismiss", 1))->quantity, SiliconQuantity::xon);
}

TEST(SiliconBounds, ANameHasTheNumberOfGroups) {
  const auto equal = silicon_quantity(single("trig_pfc_equal_fill_19pgs", 1));
  ASSERT_TRUE(equal);
  EXPECT_EQ(equal->quantity, SiliconQuantity::equal_fill);
  EXPECT_EQ(equal->pgs, 19U);
  const auto multi = silicon_quantity(list("trig_pfc_multi", {3, 2, 1}));
  ASSERT_TRUE(multi);
  EXPECT_EQ(multi->quantity, SiliconQuantity::xoff);
  EXPECT_EQ(multi->pgs, 3U);
  EXPECT_EQ(silicon_quantity(list("trig_ingr_drp", {3, 2}))->pgs, 2U) << "a list without _multi";
}

TEST(SiliconBounds, WhatTheTestDoesNotCountIsNoQuantity) {
  for (const char* name : {"wm_pg_shared", "", "trig_pfc_", "trig_pfc_equal_fill_pgs",
                           "trig_pfc_equal_fill_0pgs", "trig_pfc_equal_fill_99999999pgs"})
    EXPECT_FALSE(silicon_quantity(single(name, 1))) << name;
  EXPECT_FALSE(silicon_quantity(single("trig_pfc_multi", 1))) << "a single count of several PGs";
  EXPECT_FALSE(silicon_quantity(list("xon_dismiss", {1, 2}))) << "a list of a single thing";
}

TEST(SiliconBounds, EdgesAreWithinOneWhereTheCountsAgree) {
  const SiliconCase silicon = case_with({single("trig_pfc", 100), single("trig_ingr_drp", 111)});
  EXPECT_EQ(bound(silicon, 0), 1) << "drop - trig = h + 1";
  EXPECT_EQ(bound(silicon, 1), 1);
}

TEST(SiliconBounds, EdgesAreWithinTwoWhereThePublishedCountsDisagree) {
  EXPECT_EQ(bound(case_with({single("trig_pfc", 100), single("trig_ingr_drp", 112)}), 1), 1)
      << "h + 2";
  EXPECT_EQ(bound(case_with({single("trig_pfc", 100), single("trig_ingr_drp", 110)}), 1), 2) << "h";
  EXPECT_EQ(bound(case_with({single("trig_pfc", 100), single("trig_ingr_drp", 109)}), 1), 2)
      << "h - 1";
  EXPECT_EQ(bound(case_with({single("trig_pfc", 100), single("trig_ingr_drp", 108)}), 1), 1)
      << "h - 2";
}

TEST(SiliconBounds, EntriesOfListsAreComparedEachWithItsOwn) {
  const SiliconCase silicon =
      case_with({list("trig_pfc_multi", {100, 50}), list("trig_ingr_drp_multi", {111, 60})});
  EXPECT_EQ(bound(silicon, 1, 0), 1) << "h + 1";
  EXPECT_EQ(bound(silicon, 1, 1), 2) << "h";
}

TEST(SiliconBounds, TheEntryThatItsSourceMarksStaleIsWithinTwo) {
  SiliconCase silicon = case_with({single("trig_pfc", 100)});
  silicon.id = "th2_any_50g_300m_alpha1";
  EXPECT_EQ(bound(silicon, 0), 2);
}

TEST(SiliconBounds, HeadroomIsExactButForOneTotal) {
  SiliconCase silicon = case_with({single("hdrm_full", 9407), single("hdrm_pool_total", 9407),
                                   single("hdrm_pool_total", 9408)});
  silicon.asic = "TH2 (Tomahawk2)";
  EXPECT_EQ(bound(silicon, 0), 0);
  EXPECT_EQ(bound(silicon, 1), 1);
  EXPECT_EQ(bound(silicon, 2), 0);
  silicon.asic = "TH (Tomahawk)";
  EXPECT_EQ(bound(silicon, 1), 0);
}

TEST(SiliconBounds, BothSidesOfABound) {
  const SiliconBound two{false, 2};
  EXPECT_TRUE(two.accepts(98, 100) && two.accepts(102, 100));
  EXPECT_FALSE(two.accepts(97, 100) || two.accepts(103, 100));
  const SiliconBound upper{true, 0};
  EXPECT_TRUE(upper.accepts(0, 100) && upper.accepts(100, 100));
  EXPECT_FALSE(upper.accepts(101, 100));
}

}  // namespace
}  // namespace weir::silicon_bounds_test
