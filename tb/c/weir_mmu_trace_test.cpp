// SPDX-License-Identifier: Apache-2.0
// weir_mmu.h against the classes of the core, with legal traces.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <thread>

#include "c/c_chips.hpp"
#include "c/two_sides.hpp"

namespace weir::test::weir_mmu_trace_test {
namespace {

TEST(WeirMmuTrace, TheSameStepsGiveTheSameBytesInCAndInCpp) {
  Occurred all;
  for (const std::string& text : c_chips()) {
    TwoSides sides{text, 1, Entry::at_arrival};
    for (int step = 0; step < 4000; ++step) {
      sides.step();
      if (step % 500 == 0) sides.look();
    }
    sides.look();
    ASSERT_GT(sides.in_c().size(), 100'000U);
    EXPECT_TRUE(sides.in_c() == sides.in_cpp()) << "C and C++ differ on\n" << text;
    const Occurred& seen = sides.occurred();
    for (std::size_t reason = 0; reason < reasons; ++reason)
      all.verdicts[reason] += seen.verdicts[reason];
    all.marks += seen.marks;
    all.pauses += seen.pauses;
    all.resumes += seen.resumes;
    all.port_offs += seen.port_offs;
    all.partly_taken += seen.partly_taken;
  }
  for (std::size_t reason = 0; reason < reasons; ++reason) {
    if (static_cast<Reason>(reason) == Reason::headroom_pool) continue;  // headroom is dedicated
    EXPECT_GT(all.verdicts[reason], 0U) << to_string(static_cast<Reason>(reason));
  }
  EXPECT_GT(all.marks, 0U);
  EXPECT_GT(all.pauses, 0U);
  EXPECT_GT(all.resumes, 0U);
  EXPECT_GT(all.port_offs, 0U);
  EXPECT_GT(all.partly_taken, 0U);
}

TEST(WeirMmuTrace, PacketsEnterTheirQueuesWhenTheCallerSaysSo) {
  TwoSides sides{c_chip("alpha = \"1/4\"\n", 0), 4, Entry::later};
  for (int step = 0; step < 20000; ++step) {
    sides.step();
    if (step % 1000 == 0) sides.look();
  }
  sides.look();
  EXPECT_TRUE(sides.in_c() == sides.in_cpp()) << "C and C++ differ";
  EXPECT_GT(sides.occurred().entry_marks, 0U) << "at enqueue";
  EXPECT_GT(sides.occurred().marks, 0U) << "at dequeue";
  EXPECT_GT(sides.occurred().verdicts[static_cast<std::size_t>(Reason::wred)], 0U);
}

TEST(WeirMmuThreads, MmusOfTwoThreadsDoNotMeet) {
  const std::string text = c_chip("alpha = \"1/4\"\n", 0);
  const auto trace = [&](std::string& bytes) {
    TwoSides sides{text, 3, Entry::at_arrival};
    for (int step = 0; step < 5000; ++step) sides.step();
    sides.look();
    bytes = sides.in_c();
  };
  std::string alone, first, second;
  trace(alone);
  std::thread one{trace, std::ref(first)}, two{trace, std::ref(second)};
  one.join();
  two.join();
  EXPECT_TRUE(first == alone && second == alone) << "a thread changed what another one saw";
}

}  // namespace
}  // namespace weir::test::weir_mmu_trace_test
