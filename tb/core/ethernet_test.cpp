// SPDX-License-Identifier: Apache-2.0
#include "weir/core/ethernet.hpp"

#include <gtest/gtest.h>

#include "weir/core/pfc/pfc_frame.hpp"

namespace weir::ethernet_test {
namespace {

TEST(Ethernet, TheShortestFrameTakes672BitTimesOfTheWire) {
  EXPECT_EQ(8 * (min_frame_bytes + slot_overhead_bytes).count(), 672U);
}

TEST(Ethernet, APfcFrameEndsInItsFcs) {
  const PfcFrameBytes frame = encode(PfcFrame{});
  ASSERT_EQ(frame.size(), min_frame_bytes.count());
  const std::size_t body = frame.size() - fcs_octets;
  const std::uint32_t fcs = frame_check_sequence(frame.data(), body);
  for (std::size_t k = 0; k < fcs_octets; ++k)
    EXPECT_EQ(frame[body + k], fcs >> 8 * k & 0xffU) << "octet " << k;
}

}  // namespace
}  // namespace weir::ethernet_test
