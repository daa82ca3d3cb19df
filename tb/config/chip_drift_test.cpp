// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/chip_drift.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/config/chip/chip_file.hpp"

namespace weir {
namespace {

Chip chip(const std::vector<std::string>& overrides = {}) {
  return load_chip("vectors/chips/arista_7050qx_32.toml", overrides);
}

std::vector<Drift> drift(const std::vector<std::string>& overrides) {
  return drift_between(chip(), chip(overrides));
}

TEST(ChipDrift, AChipAsItOughtToBeHasNone) { EXPECT_TRUE(drift_between(chip(), chip()).empty()); }

TEST(ChipDrift, AnAlphaThatDriftedIsNamedWithBothValues) {
  const std::vector<Drift> found = drift({"profile.lossless.alpha=1/64"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (Drift{"profile.lossless.alpha", "1/8", "1/64"}));
}

TEST(ChipDrift, WhatFollowsFromASettingDriftsWithIt) {
  // The pool is divided after the reservations: less private memory leaves more shared cells.
  const std::vector<Drift> found = drift({"profile.lossless.private=0 B"});
  std::set<std::string> keys;
  for (const Drift& one : found) keys.insert(one.key);
  EXPECT_EQ(keys, (std::set<std::string>{"pool.lossless.shared", "profile.lossless.private"}));
}

TEST(ChipDrift, EverySettingOfAChipCanDrift) {
  for (const char* change : {"chip.cell_overhead=16 B",
                             "chip.clock=1.25 GHz",
                             "chip.lanes=1",
                             "chip.admit=4 cycles",
                             "chip.pfc=9 cycles",
                             "chip.threshold_lag=8 cycles",
                             "chip.quanta=100",
                             "chip.mtu=1500 B",
                             "chip.port_fifo=7",
                             "chip.domains=2",
                             "chip.rate=10 Gbps",
                             "chip.response=1 us",
                             "profile.lossless.xon=0 B",
                             "profile.lossless.xon_offset=0 B",
                             "profile.lossless.headroom=0 B",
                             "profile.lossless.xoff_trigger=on_headroom",
                             "profile.lossless.xon_rule=paper",
                             "profile.lossless.policy=complete_sharing",
                             "profile.lossy.limit=4 cells",
                             "queue.lossy.alpha=1",
                             "queue.lossy.minimum=0 B",
                             "egress_pool.lossy.size=1 MB",
                             "map.pg_of_priority=[1, 0, 2, 3, 4, 5, 6, 7]",
                             "map.queue_of_priority=[1, 0, 2, 3, 4, 5, 6, 7]",
                             "scheduler.kind=strict",
                             "scheduler.weights=[2, 1, 1, 1, 1, 1, 1, 1]",
                             "scheduler.strict=[7]"})
    EXPECT_FALSE(drift({change}).empty()) << change;
}

// A chip whose lossless profile has a policy, and dedicated headroom, which `dsh` asks for.
Chip chip_under(const std::string& policy, const std::string& change) {
  return chip({"pool.lossless.headroom_pool=0 B", "profile.lossless.headroom=10 kB",
               "profile.lossless.port_alpha=1/2", "profile.lossless.policy=" + policy,
               "profile.lossless." + change});
}

TEST(ChipDrift, EveryKeyThatAPolicyReadsCanDrift) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> keys{
      {"dynamic", {"alpha"}}, {"static", {"limit"}},        {"two_level", {"alpha", "port_alpha"}},
      {"dsh", {"alpha"}},     {"abm", {"alpha", "window"}}, {"edt", {"alpha", "burst"}}};
  const std::map<std::string, std::pair<std::string, std::string>> values{
      {"alpha", {"1/8", "1/64"}},
      {"limit", {"8 cells", "9 cells"}},
      {"port_alpha", {"1/2", "1/4"}},
      {"window", {"25 us", "26 us"}},
      {"burst", {"1 ms", "2 ms"}}};
  for (const auto& [policy, read] : keys) {
    for (const std::string& key : read) {
      const auto& [desired, running] = values.at(key);
      const Chip before = chip_under(policy, key + "=" + desired);
      const Chip after = chip_under(policy, key + "=" + running);
      const std::vector<Drift> found = drift_between(before, after);
      ASSERT_EQ(found.size(), 1U) << policy << ": " << key << " drifted";
      EXPECT_EQ(found[0].key, "profile.lossless." + key) << policy;
      EXPECT_FALSE(same_running_settings(before, after)) << policy << ": " << key;
    }
  }
}

TEST(ChipDrift, WhatOnlyOneOfBothHasIsMissingInTheOther) {
  const std::vector<Drift> more = drift_between(chip(), chip({"pool.spare.size=10 cells"}));
  ASSERT_EQ(more.size(), 2U);
  EXPECT_EQ(more[0].key, "pool.spare.shared");
  EXPECT_EQ(more[0].desired, "none");
  const std::vector<Drift> less = drift_between(chip({"pool.spare.size=10 cells"}), chip());
  ASSERT_EQ(less.size(), 2U);
  EXPECT_EQ(less[0].running, "none");
}

TEST(ChipDrift, APortThatDiffersFromPortZeroIsNamed) {
  Chip running = chip();
  running.ports[5].rate = BitRate{10'000'000'000};
  const std::vector<Drift> found = drift_between(chip(), running);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (Drift{"port[5].rate", "40000000000 bps", "10000000000 bps"}));
}

TEST(ChipDrift, APortThatStoppedDifferingIsNamedToo) {
  Chip desired = chip();
  desired.ports[5].rate = BitRate{10'000'000'000};
  const std::vector<Drift> found = drift_between(desired, chip());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (Drift{"port[5].rate", "10000000000 bps", "40000000000 bps"}));
}

TEST(ChipDrift, RunningSettingsAreThoseThatSoftwareMayChange) {
  EXPECT_TRUE(same_running_settings(chip(), chip({"chip.quanta=100"})));
  for (const char* change : {"profile.lossless.alpha=1/64", "profile.lossless.xon=0 B",
                             "profile.lossless.xon_offset=0 B", "profile.lossy.limit=4 cells",
                             "profile.lossless.policy=complete_sharing"})
    EXPECT_FALSE(same_running_settings(chip(), chip({change}))) << change;
}

}  // namespace
}  // namespace weir
