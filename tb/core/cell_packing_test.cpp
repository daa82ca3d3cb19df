// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/cell_packing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace weir::cell_packing_test {
namespace {

// Every legal length, every sum up to `wire`: brute force.
std::vector<std::uint64_t> brute_force(std::uint64_t wire, const FrameLimits& limits) {
  std::vector<std::uint64_t> best(wire + 1, 0);
  for (std::uint64_t used = 1; used <= wire; ++used) {
    best[used] = best[used - 1];
    for (std::uint64_t length = 64; length <= limits.mtu.count() && length + 20 <= used; ++length) {
      const auto cells = cells_for(Bytes{length}, limits.cell_overhead, limits.cell).count();
      best[used] = std::max(best[used], best[used - length - 20] + cells);
    }
  }
  return best;
}

FrameLimits limits(std::uint64_t mtu, std::uint64_t cell, std::uint64_t overhead = 0) {
  return {Bytes{mtu}, Bytes{cell}, Bytes{overhead}};
}

TEST(CellPacking, NothingFitsBelowTheSlotOfTheShortestFrame) {
  EXPECT_EQ(max_cells(Bytes{83}, limits(1500, 208)), Cells{0});
  EXPECT_EQ(max_cells(Bytes{84}, limits(1500, 208)), Cells{1});
  EXPECT_EQ(max_cells(Bytes{167}, limits(1500, 208)), Cells{1});
  EXPECT_EQ(max_cells(Bytes{168}, limits(1500, 208)), Cells{2}) << "two frames of 64 B";
}

TEST(CellPacking, AByteBeyondACellBeatsTheShortestFrameWhereCellsAreSmall) {
  EXPECT_EQ(max_cells(Bytes{100}, limits(1500, 80)), Cells{1});
  EXPECT_EQ(max_cells(Bytes{101}, limits(1500, 80)), Cells{2}) << "one frame of 81 B";
  EXPECT_EQ(max_cells(Bytes{101'000}, limits(1500, 80)), Cells{2000});
}

TEST(CellPacking, MetadataInTheFirstCellCanMakeTheShortestFrameTwoCells) {
  EXPECT_EQ(max_cells(Bytes{84}, limits(1500, 80, 16)), Cells{1}) << "64 + 16 fill one cell";
  EXPECT_EQ(max_cells(Bytes{84}, limits(1500, 80, 17)), Cells{2}) << "one byte more opens another";
}

TEST(CellPacking, AnMtuOfTheShortestFrameLeavesOnlyThat) {
  EXPECT_EQ(max_cells(Bytes{84 * 7 + 83}, limits(64, 80)), Cells{7});
}

TEST(CellPacking, MatchesBruteForceAtEveryLengthOfWireForTheCellsOfRealChips) {
  for (const std::uint64_t cell : {32, 48, 64, 65, 80, 96, 144, 208, 254, 256, 420}) {
    for (const std::uint64_t overhead : {0, 1, 16, 30}) {
      const FrameLimits frames = limits(1500, cell, overhead);
      const std::vector<std::uint64_t> expected = brute_force(4000, frames);
      for (std::uint64_t wire = 0; wire <= 4000; wire += 17) {
        ASSERT_EQ(max_cells(Bytes{wire}, frames).count(), expected[wire])
            << "cell " << cell << ", overhead " << overhead << ", wire " << wire;
      }
    }
  }
}

RC_GTEST_PROP(CellPackingProperty, MatchesBruteForceBeyondTheLengthThatIsWorkedOut,
              (std::uint16_t a, std::uint16_t b, std::uint16_t c, std::uint16_t d)) {
  const std::uint64_t cell = 32 + a % 100, overhead = b % 32, mtu = 64 + c % 300;
  const FrameLimits frames = limits(mtu, cell, overhead);
  const std::uint64_t wire = 45'000 + d % 1000;
  const std::uint64_t got = max_cells(Bytes{wire}, frames).count();
  const std::vector<std::uint64_t> expected = brute_force(wire, frames);
  RC_ASSERT(got == expected[wire]);
}

TEST(CellPacking, LongWiresAreWorkedOutAsFastAsShortOnes) {
  // 40 km at 800 Gbps, there and back: 40 MB.
  EXPECT_EQ(max_cells(Bytes{84ULL * 1'000'000'000}, limits(9216, 254)), Cells{1'000'000'000});
  EXPECT_EQ(max_cells(Bytes{~0ULL / 2}, limits(9216, 254)), Cells{0xffff'ffffU}) << "saturates";
}

// Each of them took seconds when all frames up to the MTU were tried at every byte.
TEST(CellPacking, LongFramesInSmallCellsAreWorkedOutAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  const Bytes wire{2'000'000'000};  // 1000 km at 1600 Gbps
  for (const std::uint64_t cell : {32, 48, 64, 80, 113, 128, 208, 254, 4096, 40'000})
    for (const std::uint64_t overhead : {std::uint64_t{0}, cell / 2, cell - 1})
      EXPECT_GE(max_cells(wire, limits(65'535, cell, overhead)), Cells{2'000'000'000 / 84});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds{5}) << "30 of them";
}

RC_GTEST_PROP(CellPackingProperty, TheFramesOfAPackingHoldItsCellsForAnyLongestFrame, ()) {
  const std::uint64_t cell = *rc::gen::inRange<std::uint64_t>(32, 1000);
  const FrameLimits any = limits(*rc::gen::inRange<std::uint64_t>(64, 9300), cell,
                                 *rc::gen::inRange<std::uint64_t>(0, cell));
  const Bytes wire{*rc::gen::inRange<std::uint64_t>(0, 100'000)};
  std::uint64_t cells = 0, bytes = 0;
  for (const FrameRun& run : densest_frames(wire, any)) {
    cells += run.count * cells_for(run.length, any.cell_overhead, any.cell).count();
    bytes += run.count * (run.length.count() + 20);
  }
  RC_ASSERT(cells == max_cells(wire, any).count());
  RC_ASSERT(bytes <= wire.count());
}

TEST(CellPacking, TheFramesOfAPackingAreLegalFitTheWireAndHoldAllItsCells) {
  for (const std::uint64_t cell : {32, 64, 80, 144, 208, 254, 420}) {
    for (const std::uint64_t overhead : {0, 16}) {
      const FrameLimits frames = limits(1500, cell, overhead);
      for (const std::uint64_t wire : {0, 83, 84, 85, 101, 1000, 4001, 123'456}) {
        std::uint64_t taken = 0, cells = 0;
        for (const FrameRun& run : densest_frames(Bytes{wire}, frames)) {
          EXPECT_GE(run.length, Bytes{64}) << "cell " << cell << ", wire " << wire;
          EXPECT_LE(run.length, frames.mtu) << "cell " << cell << ", wire " << wire;
          taken += run.count * (run.length.count() + 20);
          cells += run.count * cells_for(run.length, frames.cell_overhead, frames.cell).count();
        }
        EXPECT_LE(taken, wire) << "cell " << cell << ", overhead " << overhead;
        EXPECT_EQ(cells, max_cells(Bytes{wire}, frames).count())
            << "cell " << cell << ", overhead " << overhead << ", wire " << wire;
      }
    }
  }
}

}  // namespace
}  // namespace weir::cell_packing_test
