// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip_limits.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "weir/core/chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/headroom/cell_packing.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::chip_limits_test {
namespace {

Chip one_port() {
  Chip chip;
  chip.ports.push_back({BitRate{100'000'000'000}, DomainId{0}, {}});
  chip.ingress_pools.push_back({"main", Cells{1000}, Cells{0}, true});
  Profile profile;
  profile.name = "lossy";
  chip.profiles = {profile};
  for (unsigned pg = 0; pg < priorities; ++pg) {
    chip.profile_of_pg.push_back(ProfileIndex{0});
    chip.profile_of_queue.push_back(std::nullopt);
  }
  return chip;
}

// What check() says after `change`, or "legal".
std::string after(const std::function<void(Chip&)>& change) {
  Chip chip = one_port();
  change(chip);
  try {
    chip.check();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "legal";
}

TEST(ChipLimits, EachIsTheLastLegalValue) {
  const auto lanes = [](std::uint32_t n) { return after([&](Chip& c) { c.lanes = n; }); };
  EXPECT_EQ(lanes(max_lanes), "legal");
  EXPECT_EQ(lanes(max_lanes + 1), "chip.lanes = 1025: must be from 1 to 1024");
  const auto mtu = [](std::uint64_t n) { return after([&](Chip& c) { c.mtu = Bytes{n}; }); };
  EXPECT_EQ(mtu(min_frame_bytes.count()), "legal");
  EXPECT_EQ(mtu(max_mtu.count()), "legal");
  EXPECT_EQ(mtu(max_mtu.count() + 1), "chip.mtu = 65536 B: must be from 64 to 65535 B");
  const auto cell = [](std::uint64_t n) { return after([&](Chip& c) { c.cell = Bytes{n}; }); };
  EXPECT_EQ(cell(max_cell.count()), "legal");
  EXPECT_EQ(cell(max_cell.count() + 1), "chip.cell = 65536 B: must be from 1 to 65535 B");
  const auto clock = [](std::uint64_t ps) {
    return after([&](Chip& c) { c.clock = *ClockPeriod::of(ps, 1); });
  };
  EXPECT_EQ(clock(min_clock.count()), "legal");
  EXPECT_EQ(clock(max_clock.count()), "legal");
  EXPECT_EQ(clock(max_clock.count() + 1), "chip.clock = 10001 ps: must be from 100 to 10000 ps");
  const auto weight = [](std::uint32_t n) { return after([&](Chip& c) { c.dwrr_weight[2] = n; }); };
  EXPECT_EQ(weight(max_dwrr_weight), "legal");
  EXPECT_NE(weight(max_dwrr_weight + 1).find("from 1 to 65535"), std::string::npos);
}

TEST(ChipLimits, AlphaHasItsRangeInTheError) {
  const auto alpha = [](std::uint32_t n, std::uint8_t m) {
    return after([&](Chip& c) { c.profiles[ProfileIndex{0}].threshold.alpha = {n, m}; });
  };
  EXPECT_EQ(alpha(max_alpha_numerator, max_alpha_shift), "legal");
  EXPECT_NE(alpha(max_alpha_numerator + 1, 0)
                .find("must be n/2^m with n from 1 to 65535 and m from 0 to 16"),
            std::string::npos);
  EXPECT_NE(alpha(1, max_alpha_shift + 1).find("m from 0 to 16"), std::string::npos);
}

TEST(ChipLimits, AChipAPortAndAFrameHaveTheSameUsualValues) {
  const Chip chip;
  const HeadroomPort port;
  const FrameLimits frames;
  EXPECT_EQ(chip.mtu, port.mtu);
  EXPECT_EQ(chip.mtu, frames.mtu);
  EXPECT_EQ(chip.cell, port.cell);
  EXPECT_EQ(chip.cell, frames.cell);
  EXPECT_EQ(chip.cell_overhead, port.cell_overhead);
  EXPECT_EQ(chip.cell_overhead, frames.cell_overhead);
}

}  // namespace
}  // namespace weir::chip_limits_test
