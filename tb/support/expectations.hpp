// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include "weir/trace/summary/summary.hpp"

namespace weir::test {

/// The scenario has an [expect], and every line of it is met.
inline void expect_all_met(const Summary& summary) {
  EXPECT_FALSE(summary.expect.empty());
  for (const ExpectationResult& result : summary.expect)
    EXPECT_TRUE(result.met) << result.expectation.metric << " must be " << result.expectation.text
                            << ", is " << result.measured;
}

}  // namespace weir::test
