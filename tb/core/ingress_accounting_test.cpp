// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/ingress_accounting.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/errors.hpp"

namespace weir::ingress_accounting_test {
namespace {

using namespace test::index_literals;

constexpr Cycle now{0};

void expect_held(const Placement& held, std::uint32_t private_cells, std::uint32_t shared,
                 std::uint32_t headroom, const std::string& when) {
  EXPECT_EQ(held.private_cells, Cells{private_cells}) << "private " << when;
  EXPECT_EQ(held.shared, Cells{shared}) << "shared " << when;
  EXPECT_EQ(held.headroom, Cells{headroom}) << "headroom " << when;
}

TEST(IngressAccounting, ChargesThePgAndItsPoolAndNoOther) {
  Chip chip = test::small_chip(2, Cells{100});
  chip.ingress_pools.push_back(chip.ingress_pools.front());
  IngressAccounting accounting{chip};
  accounting.charge(11_pg, 1_pool, {Cells{2}, Cells{5}, Cells{3}}, now);
  expect_held(accounting.pg(11_pg), 2, 5, 3, "of the charged PG");
  expect_held(accounting.pg(3_pg), 0, 0, 0, "of another PG");
  EXPECT_EQ(accounting.pool(1_pool).shared, Cells{5}) << "S";
  EXPECT_EQ(accounting.pool(1_pool).headroom, Cells{3}) << "Hp";
  EXPECT_EQ(accounting.pool(1_pool).private_cells, Cells{2}) << "private cells of the pool";
  EXPECT_EQ(accounting.pool(0_pool).shared, Cells{0}) << "S of the other pool";
}

TEST(IngressAccounting, GivesBackHeadroomThenSharedThenPrivate) {
  IngressAccounting accounting{test::small_chip(1, Cells{100})};
  accounting.charge(0_pg, 0_pool, {Cells{2}, Cells{5}, Cells{3}}, now);
  accounting.release(0_pg, 0_pool, Cells{2}, now);
  expect_held(accounting.pg(0_pg), 2, 5, 1, "after 2");
  accounting.release(0_pg, 0_pool, Cells{1}, now);
  expect_held(accounting.pg(0_pg), 2, 5, 0, "after headroom is exactly empty");
  accounting.release(0_pg, 0_pool, Cells{5}, now);
  expect_held(accounting.pg(0_pg), 2, 0, 0, "after shared is exactly empty");
  accounting.release(0_pg, 0_pool, Cells{2}, now);
  expect_held(accounting.pg(0_pg), 0, 0, 0, "after all");
}

TEST(IngressAccounting, OneReleaseMayEmptyAllThreeSegments) {
  IngressAccounting accounting{test::small_chip(1, Cells{100})};
  accounting.charge(0_pg, 0_pool, {Cells{2}, Cells{5}, Cells{3}}, now);
  const Placement given = accounting.release(0_pg, 0_pool, Cells{9}, now);
  expect_held(given, 1, 5, 3, "given back");
  expect_held(accounting.pg(0_pg), 1, 0, 0, "left");
  EXPECT_EQ(accounting.pool(0_pool).shared, Cells{0}) << "S";
  EXPECT_EQ(accounting.pool(0_pool).headroom, Cells{0}) << "Hp";
  EXPECT_EQ(accounting.pool(0_pool).private_cells, Cells{1}) << "private cells of the pool";
}

TEST(IngressAccounting, RefusesToReleaseOneCellMoreThanHeld) {
  IngressAccounting accounting{test::small_chip(2, Cells{100})};
  accounting.charge(11_pg, 0_pool, {Cells{2}, Cells{5}, Cells{3}}, now);
  try {
    accounting.release(11_pg, 0_pool, Cells{11}, now);
    FAIL() << "released 11 of 10 cells";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("port 1 PG 3"), std::string::npos) << text;
    EXPECT_NE(text.find("11 cells"), std::string::npos) << text;
    EXPECT_NE(text.find("holds 10"), std::string::npos) << text;
  }
  expect_held(accounting.pg(11_pg), 2, 5, 3, "after the refused release");
  EXPECT_NO_THROW(accounting.release(11_pg, 0_pool, Cells{10}, now)) << "exactly what is held";
}

TEST(IngressAccounting, ShowsTheLiveSumWithoutALagAndAnOldOneWithIt) {
  Chip chip = test::small_chip(1, Cells{100});
  IngressAccounting live{chip};
  live.charge(0_pg, 0_pool, {Cells{0}, Cells{5}, Cells{0}}, Cycle{7});
  EXPECT_EQ(live.shared_seen(0_pool, Cycle{7}), Cells{5});

  chip.threshold_lag = 2;
  IngressAccounting late{chip};
  late.charge(0_pg, 0_pool, {Cells{0}, Cells{5}, Cells{0}}, Cycle{7});
  late.release(0_pg, 0_pool, Cells{1}, Cycle{8});
  EXPECT_EQ(late.shared_seen(0_pool, Cycle{8}), Cells{0}) << "end of cycle 6";
  EXPECT_EQ(late.shared_seen(0_pool, Cycle{9}), Cells{5}) << "end of cycle 7";
  EXPECT_EQ(late.shared_seen(0_pool, Cycle{10}), Cells{4}) << "end of cycle 8";
  EXPECT_EQ(late.pool(0_pool).shared, Cells{4}) << "the pool itself never lags";
}

}  // namespace
}  // namespace weir::ingress_accounting_test
