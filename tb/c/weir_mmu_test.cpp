// SPDX-License-Identifier: Apache-2.0
// weir_mmu.h: a chip, steps, registers and snapshots.
#include "weir_mmu.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "c/open_mmu.hpp"

namespace weir::test::weir_mmu_test {
namespace {

TEST_F(WeirMmu, TheVersionOfTheLibraryIsThatOfTheHeader) {
  EXPECT_EQ(weir_mmu_version(), WEIR_MMU_VERSION_MAJOR * 65536 + WEIR_MMU_VERSION_MINOR);
}

TEST_F(WeirMmu, AChipIsShownAsItsFileSaysIt) {
  weir_mmu_chip_info info{};
  info.size = sizeof info;
  ASSERT_EQ(weir_mmu_chip(mmu_, &info), WEIR_MMU_OK);
  EXPECT_EQ(info.ports, 4U);
  EXPECT_EQ(info.domains, 2U);
  EXPECT_EQ(info.cell, 208U);
  EXPECT_EQ(info.clock, 1000U);
  std::uint32_t cells = 0;
  ASSERT_EQ(weir_mmu_cells(mmu_, 209, &cells), WEIR_MMU_OK);
  EXPECT_EQ(cells, 2U) << "209 bytes in cells of 208";
  info.size = sizeof info - 1;
  EXPECT_EQ(weir_mmu_chip(mmu_, &info), WEIR_MMU_SIZE);
  EXPECT_EQ(weir_mmu_chip(mmu_, nullptr), WEIR_MMU_NULL);
}

TEST_F(WeirMmu, AnErrorOfAChipFileNamesFileLineKeyAndLegalValues) {
  const std::string text = "[chip]\nname = \"x\"\nports = 0\n";
  weir_mmu number = 0;
  ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "broken.toml", &number), WEIR_MMU_CONFIG);
  const std::string error = weir_mmu_last_error();
  EXPECT_NE(error.find("weir_mmu_open_text: broken.toml:1: chip.rate: is missing"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("broken.toml:3: chip.ports = 0: must be"), std::string::npos) << error;
  EXPECT_EQ(number, 0U);
}

TEST_F(WeirMmu, AClosedNumberIsRefusedAlsoWhenItsPlaceIsTakenAgain) {
  const std::string text = c_chip("alpha = \"1/4\"\n", 0);
  std::vector<weir_mmu> numbers(4095);
  for (weir_mmu& number : numbers)
    ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &number), WEIR_MMU_OK);
  weir_mmu one_more = 0;
  EXPECT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &one_more), WEIR_MMU_FULL);
  const weir_mmu closed = numbers[100];
  ASSERT_EQ(weir_mmu_close(closed), WEIR_MMU_OK);
  ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &numbers[100]), WEIR_MMU_OK);
  EXPECT_NE(numbers[100], closed);
  std::uint8_t classes = 0;
  EXPECT_EQ(weir_mmu_xoff_classes(closed, 0, &classes), WEIR_MMU_HANDLE);
  EXPECT_EQ(weir_mmu_close(closed), WEIR_MMU_HANDLE);
  EXPECT_EQ(weir_mmu_xoff_classes(numbers[100], 0, &classes), WEIR_MMU_OK);
  for (const weir_mmu number : numbers) EXPECT_EQ(weir_mmu_close(number), WEIR_MMU_OK);
}

TEST_F(WeirMmu, TheCycleOfAStepNeverGoesBack) {
  arrival_.now = 10;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  arrival_.now = 9;
  EXPECT_EQ(arrive(), WEIR_MMU_ORDER);
  departure_.now = 9;
  EXPECT_EQ(release(), WEIR_MMU_ORDER);
  std::uint32_t cells = 0;
  EXPECT_EQ(weir_mmu_threshold(mmu_, 3, 9, &cells), WEIR_MMU_ORDER);
  EXPECT_EQ(weir_mmu_threshold(mmu_, 3, 10, &cells), WEIR_MMU_OK);
  arrival_.now = 10;
  EXPECT_EQ(arrive(), WEIR_MMU_OK) << "two steps of one cycle";
}

TEST_F(WeirMmu, CellsLeaveOnlyWhereTheyAre) {
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "nothing is held";
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  departure_.cells = 6;
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "5 cells are held";
  departure_.cells = 5;
  EXPECT_EQ(release(), WEIR_MMU_OK) << weir_mmu_last_error();
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "they have left";

  arrival_.pg = 0;  // lossy, to a limited queue
  arrival_.queue = 8;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  ASSERT_EQ(verdict_.reason, WEIR_MMU_ADMITTED);
  departure_.pg = 0;
  departure_.queue = 9;
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "they wait in another queue";
  departure_.queue = 8;
  departure_.pg = 1;
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "another group holds them";
  departure_.pg = 0;
  EXPECT_EQ(release(), WEIR_MMU_OK) << weir_mmu_last_error();
}

TEST_F(WeirMmu, AQueueCountsAPacketFromItsEntryOn) {
  std::uint8_t marked = 0;
  EXPECT_EQ(weir_mmu_enter(mmu_, 11, 5, 1000, 2, 0, &marked), WEIR_MMU_ORDER)
      << "packets enter as they arrive";
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 5U);
  ASSERT_EQ(weir_mmu_enter_later(mmu_), WEIR_MMU_OK);
  arrival_.now = 101;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 5U) << "its verdict has not come yet";
  ASSERT_EQ(weir_mmu_enter(mmu_, 11, 5, 1000, 2, 104, &marked), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 10U);
  EXPECT_EQ(weir_mmu_mark(mmu_, 11, 11, 1000, 2, 104, &marked), WEIR_MMU_ORDER) << "10 wait";
  EXPECT_EQ(weir_mmu_discard(mmu_, 11, 11, 104), WEIR_MMU_ORDER) << "10 wait";
  ASSERT_EQ(weir_mmu_discard(mmu_, 11, 10, 104), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 0U);
  ASSERT_EQ(weir_mmu_enter(mmu_, 11, 1U << 24, 1000, 2, 104, &marked), WEIR_MMU_OK);
  EXPECT_EQ(weir_mmu_enter(mmu_, 11, 1, 64, 2, 104, &marked), WEIR_MMU_RANGE)
      << "more than any memory holds";
}

TEST_F(WeirMmu, AGroupWithoutProfileIsRefused) {
  const std::string text =
      "[chip]\nname = \"x\"\nports = 2\nrate = \"40 Gbps\"\ncell = \"208 B\"\n[map]\n"
      "pg_of_priority = [0, 0, 0, 0, 0, 0, 0, 0]\n[pool.main]\nsize = \"1 MB\"\n"
      "[profile.lossy]\npriorities = \"0-7\"\npool = \"main\"\nalpha = \"1\"\nlossless = false\n";
  weir_mmu number = 0;
  ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "one.toml", &number), WEIR_MMU_OK)
      << weir_mmu_last_error();
  arrival_.pg = 0;
  EXPECT_EQ(weir_mmu_arrive(number, &arrival_, &verdict_), WEIR_MMU_OK) << weir_mmu_last_error();
  arrival_.pg = 1;
  EXPECT_EQ(weir_mmu_arrive(number, &arrival_, &verdict_), WEIR_MMU_RANGE);
  EXPECT_EQ(weir_mmu_close(number), WEIR_MMU_OK);
}

TEST_F(WeirMmu, RegistersAreReadAndWrittenByTheirMap) {
  EXPECT_EQ(read("chip.id"), 0x57454952U);
  EXPECT_EQ(read("chip.ports"), 4U);
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  EXPECT_EQ(read("pg.private", 3) + read("pg.shared", 3), 5U);
  EXPECT_EQ(read("pg_stats.packets", 3), 1U);
  EXPECT_EQ(weir_mmu_write32(mmu_, address_of("pg.shared", 3), 100, 0), WEIR_MMU_ACCESS);

  const std::uint32_t xon = address_of("profile.xon", 0);
  EXPECT_EQ(weir_mmu_write32(mmu_, xon, 100, (1U << 24) + 1), WEIR_MMU_VALUE);
  ASSERT_EQ(weir_mmu_write32(mmu_, xon, 100, 17), WEIR_MMU_OK) << weir_mmu_last_error();
  EXPECT_EQ(read("profile.xon", 0), 17U);
  ASSERT_EQ(weir_mmu_write32(mmu_, address_of("chip.clear_stats"), 100, 1), WEIR_MMU_OK);
  EXPECT_EQ(read("pg_stats.packets", 3), 0U);
}

TEST_F(WeirMmu, TheLowWordOfACounterLatchesItsHighWord) {
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  const std::uint32_t low = address_of("pg_stats.bytes", 3);
  std::uint32_t value = 0;
  ASSERT_EQ(weir_mmu_read32(mmu_, low, 0, &value), WEIR_MMU_OK);
  EXPECT_EQ(value, 1000U);
  // 2^32 bytes later; the latched high word is of before.
  arrival_.bytes = most;
  arrival_.cells = 1;
  departure_.cells = 1;
  for (int packet = 0; packet < 2; ++packet) {
    ASSERT_EQ(arrive(), WEIR_MMU_OK);
    ASSERT_EQ(release(), WEIR_MMU_OK);
  }
  ASSERT_EQ(weir_mmu_read32(mmu_, low + 4, 0, &value), WEIR_MMU_OK);
  EXPECT_EQ(value, 0U) << "as it was when the low word was read";
  ASSERT_EQ(weir_mmu_read32(mmu_, low + 4, 0, &value), WEIR_MMU_OK);
  EXPECT_EQ(value, 2U) << "as it is now";
}

TEST_F(WeirMmu, ASnapshotSaysHowMuchRoomItNeeds) {
  std::uint32_t count = 0;
  ASSERT_EQ(weir_mmu_snapshot(mmu_, 0, nullptr, sizeof(weir_mmu_group), &count), WEIR_MMU_OK);
  EXPECT_EQ(count, 32U);
  std::vector<weir_mmu_group> all(count);
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  ASSERT_EQ(weir_mmu_snapshot(mmu_, 0, all.data(), sizeof(weir_mmu_group), &count), WEIR_MMU_OK);
  EXPECT_EQ(all[3].private_cells, 2U);
  EXPECT_EQ(all[3].shared_cells, 3U);
  count = 31;
  EXPECT_EQ(weir_mmu_snapshot(mmu_, 0, all.data(), sizeof(weir_mmu_group), &count), WEIR_MMU_SIZE);
}

}  // namespace
}  // namespace weir::test::weir_mmu_test
