// SPDX-License-Identifier: Apache-2.0
#include "weir/core/latency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "weir/core/random.hpp"

namespace weir::latency_test {
namespace {

constexpr Picoseconds ps(std::uint64_t count) { return Picoseconds{count}; }

TEST(Latency, OfNoPacketIsZero) {
  const Latency none;
  EXPECT_EQ(none.average(), ps(0));
  EXPECT_EQ(none.percentile(990), ps(0));
}

TEST(Latency, BucketsAbutAndEachEndsWhereTheNextBegins) {
  for (std::size_t bucket = 0; bucket + 1 < Latency::bucket_count; ++bucket) {
    const Picoseconds end = Latency::end_of(bucket);
    ASSERT_EQ(Latency::bucket_of(end), bucket);
    ASSERT_EQ(Latency::bucket_of(end + ps(1)), bucket + 1);
  }
  EXPECT_EQ(Latency::bucket_of(ps(0)), 0U);
}

TEST(Latency, NoBucketIsWiderThanASixtyFourthOfWhatIsInIt) {
  for (std::size_t bucket = 128; bucket < Latency::bucket_count; ++bucket) {
    const std::uint64_t begin = Latency::end_of(bucket - 1).count() + 1;
    const std::uint64_t width = Latency::end_of(bucket).count() + 1 - begin;
    ASSERT_LE(width * 64, begin) << "bucket " << bucket;
  }
  for (std::size_t bucket = 1; bucket < 128; ++bucket)
    ASSERT_EQ((Latency::end_of(bucket) - Latency::end_of(bucket - 1)).count(), 1024U) << bucket;
}

TEST(Latency, WhatIsBeyondTheRangeSharesTheLastBucket) {
  const Picoseconds last = ps((std::uint64_t{1} << Latency::range_bits) - 1);
  EXPECT_EQ(Latency::bucket_of(last), Latency::bucket_count - 1);
  EXPECT_EQ(Latency::bucket_of(last + ps(1)), Latency::bucket_count - 1);
  EXPECT_EQ(Latency::bucket_of(ps(~std::uint64_t{0})), Latency::bucket_count - 1);
  Latency latency;
  latency.add(ps(std::uint64_t{1} << 60));
  EXPECT_EQ(latency.percentile(500), ps(std::uint64_t{1} << 60)) << "the longest, not the bucket";
}

TEST(Latency, ThePercentileIsThatOfTheFirstPacketThatCompletesTheShare) {
  Latency latency;
  for (std::uint64_t i = 1; i <= 100; ++i) latency.add(ps(i << Latency::unit_bits));
  const auto rank = [&](std::uint64_t thousandths) {
    return latency.percentile(thousandths).count() >> Latency::unit_bits;
  };
  EXPECT_EQ(rank(990), 99U);
  EXPECT_EQ(rank(991), 100U) << "99 of 100 packets are fewer than 99.1 %";
  EXPECT_EQ(rank(500), 50U);
  EXPECT_EQ(rank(501), 51U);
  EXPECT_EQ(rank(1), 1U);
  EXPECT_EQ(rank(1000), 100U);
  EXPECT_EQ(latency.average(), ps(50 * 1024 + 512));
}

TEST(Latency, APercentileIsNeverBelowTheTrueOneNorMuchAbove) {
  RandomStream random{1, "latency"};
  for (int round = 0; round < 50; ++round) {
    Latency latency;
    std::vector<std::uint64_t> all;
    const std::uint64_t count = 1 + random.uniform(3000);
    for (std::uint64_t i = 0; i < count; ++i) {
      all.push_back(random.uniform(std::uint64_t{1} << (1 + random.uniform(45))));
      latency.add(ps(all.back()));
    }
    std::sort(all.begin(), all.end());
    for (const std::uint64_t thousandths : {1U, 500U, 900U, 990U, 999U, 1000U}) {
      const std::uint64_t exact =
          all[static_cast<std::size_t>((count * thousandths + 999) / 1000 - 1)];
      const std::uint64_t reported = latency.percentile(thousandths).count();
      ASSERT_GE(reported, exact) << thousandths << " of 1000 among " << count;
      ASSERT_LE(reported, exact + std::max<std::uint64_t>(exact / 64, 1024)) << thousandths;
    }
    ASSERT_EQ(latency.percentile(1000), latency.longest);
  }
}

TEST(Latency, ACopyIsTheSameAndTakesMore) {
  Latency latency;
  for (const std::uint64_t ps : {0, 700, 150'000, 3'000'000}) latency.add(Picoseconds{ps});
  Latency copy{latency};
  EXPECT_LT(copy.buckets().size(), latency.buckets().size()) << "none beyond the longest delay";
  for (const std::uint64_t share : {1, 250, 500, 750, 1000})
    EXPECT_EQ(copy.percentile(share), latency.percentile(share));
  Latency sum = copy;
  sum.merge(latency);
  EXPECT_EQ(sum.packets, 8U);
  for (std::size_t i = 0; i < sum.buckets().size(); ++i)
    EXPECT_EQ(sum.buckets()[i], 2 * latency.buckets()[i]) << i;
  copy.add(Picoseconds{5'000'000'000});
  EXPECT_EQ(copy.packets, 5U);
  EXPECT_EQ(copy.longest, Picoseconds{5'000'000'000});
  EXPECT_EQ(copy.buckets()[Latency::bucket_of(copy.longest)], 1U);
  EXPECT_EQ(copy.percentile(1000), copy.longest);
}

TEST(Latency, ACopyHasTheBucketsFromTheShortestDelayToTheLongest) {
  const Picoseconds shortest = ps(6'000'000), longest = ps(7'000'000);
  Latency latency;
  latency.add(longest);
  latency.add(shortest);
  const std::size_t first = Latency::bucket_of(shortest), last = Latency::bucket_of(longest);
  for (const Latency& copy : {Latency{latency}, Latency{Latency{latency}}}) {
    EXPECT_EQ(copy.first_bucket(), first);
    EXPECT_EQ(copy.buckets().size(), last - first + 1);
    EXPECT_EQ(copy.percentile(500), latency.percentile(500));
    Latency more{copy};
    more.merge(copy);
    more.add(ps(1));
    EXPECT_EQ(more.first_bucket(), 0U);
    EXPECT_EQ(more.buckets()[0], 1U);
    EXPECT_EQ(more.buckets()[first], 2U);
    EXPECT_EQ(more.buckets()[last], 2U);
  }
  EXPECT_EQ(Latency{Latency{}}.packets, 0U);
  EXPECT_TRUE(Latency{Latency{}}.buckets().empty());
}

TEST(Latency, MergedIsAsIfAllHadBeenAddedToOne) {
  RandomStream random{2, "latency"};
  Latency parts[3], whole, merged;
  for (int i = 0; i < 1000; ++i) {
    const Picoseconds taken = ps(random.uniform(1'000'000'000));
    parts[random.uniform(2)].add(taken);
    whole.add(taken);
  }
  for (const Latency& part : parts) merged.merge(part);
  EXPECT_EQ(merged.packets, whole.packets);
  EXPECT_EQ(merged.sum, whole.sum);
  EXPECT_EQ(merged.longest, whole.longest);
  for (std::uint64_t thousandths = 1; thousandths <= 1000; ++thousandths)
    ASSERT_EQ(merged.percentile(thousandths), whole.percentile(thousandths)) << thousandths;
}

}  // namespace
}  // namespace weir::latency_test
