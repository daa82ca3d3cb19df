// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/admission.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/small_chip.hpp"

namespace weir::admission_test {
namespace {

// phi 2, B 20, eta 4, no pool limit; every test changes one of them to both sides of its limit.
PgSettings settings() {
  PgSettings pg;
  pg.private_limit = Cells{2};
  pg.shared_pool = Cells{20};
  pg.headroom_limit = Cells{4};
  pg.headroom_pool = Cells{0xffff'ffffU};
  pg.lossless = true;
  return pg;
}

PoolUse use(std::uint32_t shared, std::uint32_t headroom) {
  return {Cells{shared}, Cells{headroom}, Cells{0}};
}

void expect_placed(const Decision& decision, std::uint32_t private_cells, std::uint32_t shared,
                   std::uint32_t headroom) {
  EXPECT_EQ(to_string(decision.reason), "admitted");
  const Placement expected{Cells{private_cells}, Cells{shared}, Cells{headroom}};
  EXPECT_TRUE(decision.placement == expected) << test::format_placement(
      decision.placement.private_cells, decision.placement.shared, decision.placement.headroom);
}

void expect_refused(const Decision& decision, const std::string& reason) {
  EXPECT_EQ(to_string(decision.reason), reason);
  EXPECT_EQ(decision.placement.total(), Cells{0}) << "a refused packet was charged";
}

TEST(Admission, FillsPrivateBeforeAnythingElse) {
  const Placement one_free{Cells{1}, Cells{0}, Cells{0}};
  expect_placed(decide(settings(), one_free, use(0, 0), Cells{5}, Cells{1}), 1, 0, 0);
  expect_placed(decide(settings(), one_free, use(0, 0), Cells{5}, Cells{2}), 1, 1, 0);
}

TEST(Admission, NeedsNeitherThresholdNorPoolWhenPrivateTakesTheWholePacket) {
  const Placement empty;
  expect_placed(decide(settings(), empty, use(20, 0), Cells{0}, Cells{2}), 2, 0, 0);
  PgSettings lossy = settings();
  lossy.headroom_limit = Cells{0};
  expect_refused(decide(lossy, empty, use(20, 0), Cells{0}, Cells{3}), "shared_threshold");
}

TEST(Admission, TakesASharedCellAtOneBelowTheThresholdAndNotAtIt) {
  const Placement below{Cells{2}, Cells{6}, Cells{0}}, at{Cells{2}, Cells{7}, Cells{0}};
  expect_placed(decide(settings(), below, use(6, 0), Cells{7}, Cells{3}), 0, 3, 0);
  expect_placed(decide(settings(), at, use(7, 0), Cells{7}, Cells{3}), 0, 0, 3);
}

TEST(Admission, FillsTheSharedPoolToItsLastCellAndNotPastIt) {
  const Placement held{Cells{2}, Cells{0}, Cells{0}};
  expect_placed(decide(settings(), held, use(17, 0), Cells{9}, Cells{3}), 0, 3, 0);
  expect_placed(decide(settings(), held, use(18, 0), Cells{9}, Cells{3}), 0, 0, 3);
}

TEST(Admission, FillsHeadroomToEtaAndNotPastIt) {
  const Placement held{Cells{2}, Cells{9}, Cells{2}};
  expect_placed(decide(settings(), held, use(9, 2), Cells{9}, Cells{2}), 0, 0, 2);
  expect_refused(decide(settings(), held, use(9, 2), Cells{9}, Cells{3}), "headroom_limit");
}

TEST(Admission, FillsTheSharedHeadroomPoolToItsLastCellAndNotPastIt) {
  PgSettings pg = settings();
  pg.headroom_pool = Cells{10};
  const Placement held{Cells{2}, Cells{9}, Cells{0}};
  expect_placed(decide(pg, held, use(9, 7), Cells{9}, Cells{3}), 0, 0, 3);
  expect_refused(decide(pg, held, use(9, 8), Cells{9}, Cells{3}), "headroom_pool");
}

TEST(Admission, NamesEtaBeforeTheHeadroomPoolWhenBothAreExceeded) {
  PgSettings pg = settings();
  pg.headroom_pool = Cells{10};
  const Placement held{Cells{2}, Cells{9}, Cells{4}};
  expect_refused(decide(pg, held, use(9, 10), Cells{9}, Cells{1}), "headroom_limit");
}

TEST(Admission, WithoutHeadroomNamesTheThresholdBeforeThePool) {
  PgSettings lossy = settings();
  lossy.headroom_limit = Cells{0};
  lossy.lossless = false;
  const Placement held{Cells{2}, Cells{9}, Cells{0}};
  expect_refused(decide(lossy, held, use(20, 0), Cells{9}, Cells{1}), "shared_threshold");
  expect_refused(decide(lossy, held, use(20, 0), Cells{10}, Cells{1}), "shared_pool");
}

TEST(Admission, DoesNotSplitAPacketBetweenSharedAndHeadroom) {
  const Placement held{Cells{0}, Cells{0}, Cells{0}};
  expect_placed(decide(settings(), held, use(19, 0), Cells{9}, Cells{4}), 2, 0, 2);
}

TEST(Admission, GivesEveryReasonItsOwnName) {
  std::set<std::string> names;
  for (std::size_t reason = 0; reason < reasons; ++reason)
    names.insert(std::string(to_string(static_cast<Reason>(reason))));
  EXPECT_EQ(names.size(), reasons) << "two reasons share a name";
  EXPECT_EQ(names.count(""), 0U) << "a reason has no name";
}

}  // namespace
}  // namespace weir::admission_test
