// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/forensics/pause_circles.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::pause_circles_test {
namespace {

constexpr std::uint64_t storm = 10;

// `waits` is paused by `sender` from `start` to `end`.
LongPause pause(const char* waits, const char* sender, std::uint64_t start, std::uint64_t end) {
  return {waits, sender, Picoseconds{start}, Picoseconds{start + storm}, Picoseconds{end}};
}
using Numbers = std::vector<std::size_t>;

TEST(PauseCircles, TwoThatPauseEachOtherAreOne) {
  const auto found = first_circle({pause("a", "b", 0, 50), pause("b", "a", 20, 60)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pauses, (Numbers{1, 0}));
  EXPECT_EQ(found->start, Picoseconds{20});
  EXPECT_EQ(found->end, Picoseconds{50});
}

TEST(PauseCircles, ATreeIsNone) {
  EXPECT_FALSE(first_circle({pause("a", "b", 0, 50), pause("b", "c", 0, 50), pause("d", "b", 0, 50),
                             pause("e", "d", 0, 50), pause("b", "f", 0, 50)}));
  EXPECT_FALSE(first_circle({}));
}

TEST(PauseCircles, AllLastAtTheSameTimeAndAsLongAsAStorm) {
  EXPECT_TRUE(first_circle({pause("a", "b", 0, 30), pause("b", "a", 20, 60)})) << "until 30";
  EXPECT_FALSE(first_circle({pause("a", "b", 0, 29), pause("b", "a", 20, 60)})) << "one short";
  EXPECT_FALSE(first_circle({pause("a", "b", 0, 15), pause("b", "a", 20, 60)}))
      << "one after another";
}

TEST(PauseCircles, LaterPausesOfTheSameNodesCount) {
  const auto found = first_circle({pause("a", "b", 0, 15), pause("b", "a", 20, 90),
                                   pause("a", "b", 40, 70), pause("x", "a", 0, 90)});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pauses, (Numbers{2, 1}));
}

TEST(PauseCircles, OneOfManyNodesIsNamedInItsOrder) {
  std::vector<LongPause> pauses{pause("0", "x", 0, 90)};
  for (int i = 0; i < 100; ++i)
    pauses.push_back(pause(std::to_string(i).c_str(), std::to_string((i + 1) % 100).c_str(),
                           static_cast<std::uint64_t>(i), 500));
  const auto found = first_circle(pauses);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->pauses.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_EQ(pauses[found->pauses[i]].for_whom, pauses[found->pauses[(i + 1) % 100]].waits);
  EXPECT_EQ(found->start, Picoseconds{99});
  EXPECT_EQ(found->end, Picoseconds{500});
}

}  // namespace
}  // namespace weir::pause_circles_test
