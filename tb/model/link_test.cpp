// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/link.hpp"

#include <gtest/gtest.h>

#include "support/small_network.hpp"
#include "support/wire_probe.hpp"

namespace weir::link_test {
namespace {

using namespace test;

TEST(Link, DelaysEachDirectionByItsPropagationTimeAndNothingElse) {
  FramePool frames;
  Link link{"link", ps(4'321)};
  WireProbe a{"a", frames, gbps(100)}, b{"b", frames, gbps(100)};
  a.tx.bind(link.a_to_b.in);
  link.a_to_b.out.bind(b.rx);
  b.tx.bind(link.b_to_a.in);
  link.b_to_a.out.bind(a.rx);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  a.data(ps(1'000), 64, 0);
  a.data(ps(1'001), 9000, 0);  // a link has no rate of its own
  b.data(ps(2'000), 1500, 0);
  sc_core::sc_start(1, sc_core::SC_US);
  ASSERT_EQ(b.seen.size(), 2U);
  EXPECT_EQ(b.seen[0].start, ps(5'321));
  EXPECT_EQ(b.seen[1].start, ps(5'322));
  ASSERT_EQ(a.seen.size(), 1U);
  EXPECT_EQ(a.seen[0].start, ps(6'321));
  EXPECT_EQ(a.seen[0].length, 1500U);
  EXPECT_EQ(frames.in_use(), 0U) << "every frame was handed on once and given back once";
}

TEST(Link, AnOpenEndSwallowsFrames) {
  FramePool frames;
  Link link{"link", ps(1)};
  WireProbe a{"a", frames, gbps(100)};
  a.tx.bind(link.a_to_b.in);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  a.data(ps(10), 64, 0);
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(frames.allocated(), 1U);
  EXPECT_EQ(frames.in_use(), 0U);
}

}  // namespace
}  // namespace weir::link_test
