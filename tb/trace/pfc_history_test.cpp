// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/forensics/pfc_history.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace weir::pfc_history_test {
namespace {

constexpr Picoseconds period{100};

PfcHistory history_of(const std::vector<std::uint64_t>& frames, std::uint64_t end) {
  PfcHistoryPolls polls{period};
  for (const std::uint64_t frame : frames) polls.frame(Picoseconds{frame});
  return polls.at(Picoseconds{end});
}

void expect_history(const PfcHistory& history, std::uint64_t transitions, std::uint64_t total,
                    std::uint64_t recent, std::uint64_t start) {
  EXPECT_EQ(history.transitions, transitions);
  EXPECT_EQ(history.total, Picoseconds{total});
  EXPECT_EQ(history.recent, Picoseconds{recent});
  EXPECT_EQ(history.recent_start, Picoseconds{start});
}

TEST(PfcHistory, WithoutFramesThereIsNothing) { expect_history(history_of({}, 1000), 0, 0, 0, 0); }

TEST(PfcHistory, APauseBeginsAtThePollThatSeesItAndEndsAtTheOneThatSeesNone) {
  expect_history(history_of({150}, 199), 0, 0, 0, 0);
  expect_history(history_of({150}, 200), 1, 0, 0, 200);
  expect_history(history_of({150}, 299), 1, 0, 0, 200);
  expect_history(history_of({150}, 300), 1, 100, 100, 200);
  expect_history(history_of({150}, 9000), 1, 100, 100, 200);
}

TEST(PfcHistory, AFrameAtAPollCountsThereAndAPicosecondLaterAtTheNext) {
  expect_history(history_of({200}, 300), 1, 100, 100, 200);
  expect_history(history_of({201}, 300), 1, 0, 0, 300);
  expect_history(history_of({0}, 100), 1, 0, 0, 100);
}

TEST(PfcHistory, FramesInEveryPeriodAreOnePause) {
  expect_history(history_of({10, 20, 110, 190, 210}, 1000), 1, 300, 300, 100);
}

TEST(PfcHistory, APeriodWithoutAFrameEndsThePause) {
  expect_history(history_of({10, 210}, 1000), 2, 200, 100, 300);
}

// The rule of every poll, one after the other.
PfcHistory polled(const std::vector<std::uint64_t>& frames, std::uint64_t end) {
  PfcHistory history;
  std::size_t seen = 0;
  bool was_paused = false;
  for (std::uint64_t now = period.count(); now <= end; now += period.count()) {
    const std::size_t before = seen;
    while (seen < frames.size() && frames[seen] <= now) ++seen;
    if (!was_paused && seen > before) {
      ++history.transitions;
      history.recent_start = Picoseconds{now};
      history.recent = Picoseconds{};
    } else if (was_paused) {
      const Picoseconds recent = Picoseconds{now} - history.recent_start;
      history.total = history.total - history.recent + recent;
      history.recent = recent;
    }
    was_paused = seen > before;
  }
  return history;
}

TEST(PfcHistory, IsWhatPollAfterPollComesTo) {
  std::mt19937_64 random{7};
  std::uint64_t transitions = 0;
  for (int run = 0; run < 500; ++run) {
    std::vector<std::uint64_t> frames;
    std::uint64_t time = random() % 300;
    for (std::uint64_t left = random() % 20; left != 0; --left) {
      frames.push_back(time);
      time += random() % 4 == 0 ? random() % 500 : random() % 120;
    }
    const std::uint64_t end = time + random() % 400;
    const PfcHistory expected = polled(frames, end), made = history_of(frames, end);
    ASSERT_EQ(made.transitions, expected.transitions) << "run " << run;
    ASSERT_EQ(made.total, expected.total) << "run " << run;
    ASSERT_EQ(made.recent, expected.recent) << "run " << run;
    ASSERT_EQ(made.recent_start, expected.recent_start) << "run " << run;
    transitions += expected.transitions;
  }
  EXPECT_GT(transitions, 500U);
}

}  // namespace
}  // namespace weir::pfc_history_test
