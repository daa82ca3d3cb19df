// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/mtt_cache.hpp"

#include <gtest/gtest.h>

#include <string>

namespace weir::mtt_cache_test {
namespace {

constexpr Bytes page{4096};

MttCache cache(std::uint32_t entries, MttReplacement replacement = MttReplacement::lru) {
  return MttCache{entries, page, replacement, RandomStream{1, "test"}};
}
// Touches one byte of page `number`; "h" where it was cached, "m" where not.
std::string touch(MttCache& mtt, std::initializer_list<std::uint64_t> pages) {
  std::string seen;
  for (const std::uint64_t number : pages)
    seen += mtt.translate(number * page.count(), Bytes{1}) == 0 ? 'h' : 'm';
  return seen;
}

TEST(MttCache, TwoThousandEntriesReachEightMegabytesWithSmallPagesAndFourGigabytesWithLarge) {
  EXPECT_EQ(cache(2048).reach(), Bytes{8ULL << 20}) << "2048 x 4 KiB";
  const MttCache large{2048, Bytes{2ULL << 20}, MttReplacement::lru, RandomStream{1, "test"}};
  EXPECT_EQ(large.reach(), Bytes{4ULL << 30}) << "2048 x 2 MiB";
}

TEST(MttCache, WhatFitsItsReachMissesOnceAndNeverAgain) {
  for (const MttReplacementRow& row : mtt_replacements) {
    MttCache mtt = cache(16, row.replacement);
    for (int round = 0; round < 4; ++round)
      for (std::uint64_t number = 0; number < 16; ++number)
        (void)mtt.translate(number * page.count(), page);
    EXPECT_EQ(mtt.misses(), 16U) << row.name;
    EXPECT_EQ(mtt.hits(), 48U) << row.name;
  }
}

TEST(MttCache, OnePageMoreThanItHoldsMissesEveryTimeInARoundUnderLruAndFifo) {
  for (const MttReplacement replacement : {MttReplacement::lru, MttReplacement::fifo}) {
    MttCache mtt = cache(16, replacement);
    for (int round = 0; round < 4; ++round)
      for (std::uint64_t number = 0; number < 17; ++number)
        (void)mtt.translate(number * page.count(), page);
    EXPECT_EQ(mtt.misses(), 4U * 17U);
  }
}

TEST(MttCache, LruKeepsWhatWasUsedFifoWhatCameLast) {
  MttCache lru = cache(3);
  EXPECT_EQ(touch(lru, {1, 2, 3, 1, 4, 1, 2}), "mmmhmhm") << "2 gave way to 4";
  MttCache fifo = cache(3, MttReplacement::fifo);
  EXPECT_EQ(touch(fifo, {1, 2, 3, 1, 4, 1, 2}), "mmmhmmm") << "1 gave way to 4, then 2 to 1";
}

TEST(MttCache, RandomReplacementIsTheSameUnderTheSameSeedAndSparesSomeOfALongRound) {
  std::uint64_t hits[2];
  for (std::uint64_t& sum : hits) {
    MttCache mtt = cache(16, MttReplacement::random);
    for (int round = 0; round < 100; ++round)
      for (std::uint64_t number = 0; number < 17; ++number)
        (void)mtt.translate(number * page.count(), page);
    sum = mtt.hits();
  }
  EXPECT_EQ(hits[0], hits[1]);
  EXPECT_GT(hits[0], 1000U) << "LRU would have none";
}

TEST(MttCache, AFrameThatCrossesAPageLooksUpBoth) {
  MttCache mtt = cache(16);
  EXPECT_EQ(mtt.translate(4095, Bytes{1}), 1U) << "the last byte of page 0";
  EXPECT_EQ(mtt.translate(4095, Bytes{2}), 1U) << "page 0 is there, page 1 is not";
  EXPECT_EQ(mtt.translate(4096, page), 0U) << "page 1, whole";
  EXPECT_EQ(mtt.translate(4097, page), 1U) << "and a byte of page 2";
}

TEST(MttCache, NeverHoldsMoreThanItsEntries) {
  for (const MttReplacementRow& row : mtt_replacements) {
    MttCache mtt = cache(5, row.replacement);
    RandomStream draws{7, "pages"};
    for (int i = 0; i < 1000; ++i) {
      (void)mtt.translate(draws.uniform(50) * page.count(), Bytes{1});
      ASSERT_LE(mtt.held(), 5U) << row.name;
    }
    EXPECT_EQ(mtt.hits() + mtt.misses(), 1000U) << row.name;
  }
}

}  // namespace
}  // namespace weir::mtt_cache_test
