// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/scenario/scenario_file.hpp"

namespace weir::presets_test {
namespace {

std::int64_t published(const Node& cases, const std::string& id, const std::string& figure) {
  for (const Node& entry : cases.find("cases")->children) {
    if (entry.find("id")->text == id) return entry.find(figure)->integer;
  }
  ADD_FAILURE() << "no case " << id;
  return -1;
}

// B is no key of a chip file: it follows from published figures, also in each preset.
TEST(ConfigPresets, SharedCellsEqualThoseOfThePublishedCase) {
  const struct {
    const char* file;
    const char* published_case;
  } presets[] = {
      {"arista_7050qx_32", "td2_any_40g_300m"},  {"arista_7050cx3_32", "td3_t0_100g_300m_alpha1_8"},
      {"tomahawk1_32x100g", "th_any_100g_300m"}, {"tomahawk2_64x100g", "th2_t1_100g_40m_alpha1_8"},
      {"tomahawk3_32x400g", "th3_t1_400g_300m"}, {"tomahawk5_128x400g", "th5_lt2o128_400g_500m"}};
  const Node cases = read_document("vectors/silicon/public.json");
  for (const auto& preset : presets) {
    SCOPED_TRACE(preset.file);
    const Chip chip = load_chip("vectors/chips/" + std::string{preset.file} + ".toml");
    const auto figure = [&](const char* name) {
      return published(cases, preset.published_case, name);
    };
    EXPECT_EQ(chip.ingress_pools.front().shared.count(), figure("shared_cells_per_domain_B"));
    EXPECT_EQ(chip.ingress_pools.front().headroom.count(),
              figure("shared_headroom_cells_per_domain"));
    EXPECT_EQ(chip.cell.count(), static_cast<std::uint64_t>(figure("cell_bytes")));
    EXPECT_EQ(chip.domains, figure("domains"));
    EXPECT_EQ(chip.profiles.front().private_cells.count(), figure("pg_min_cells"));
    EXPECT_EQ(chip.profiles.front().headroom.count(), figure("xoff_headroom_cells"));
    EXPECT_EQ(chip.ports[0].rate.count(),
              static_cast<std::uint64_t>(figure("speed_mbps")) * 1'000'000U);
  }
}

TEST(ConfigPresets, TheDshChipsHaveThePapersHeadroom) {
  const Chip trident2 = load_chip("vectors/chips/dsh_trident2.toml");
  EXPECT_EQ(trident2.profiles.front().headroom.count() * trident2.cell.count(), 21'840U);
  EXPECT_EQ(trident2.ports.size() * priorities * 21'840U, 5'591'040U) << "44.43 % of 12 MiB";
  EXPECT_EQ(trident2.ingress_pools.front().shared.count(), 12'582'912U / 208 - 256 * 105);

  const Chip tomahawk = load_chip("vectors/chips/dsh_tomahawk.toml");
  EXPECT_EQ(tomahawk.profiles.front().headroom, Cells{274}) << "56,840 B, rounded up";
  EXPECT_EQ(tomahawk.profiles.front().private_cells, Cells{15}) << "3 KiB, rounded up";
  EXPECT_TRUE(tomahawk.profiles.front().lossless);
  EXPECT_FALSE(tomahawk.profiles[ProfileIndex{1}].lossless) << "the eighth class";
}

TEST(ConfigPresets, EveryChipLoadsAndNamesItsSource) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator{"vectors/chips"}) {
    const Chip chip = load_chip(entry.path());
    EXPECT_FALSE(chip.source.empty()) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 8U);
}

TEST(ConfigPresets, EveryScenarioLoadsUnderItsOwnName) {
  std::set<TrafficKind> kinds;
  for (const auto& entry : std::filesystem::directory_iterator{"vectors/scenarios"}) {
    if (entry.path().extension() != ".toml") continue;
    const Scenario scenario = load_scenario(entry.path());
    EXPECT_EQ(scenario.name, entry.path().stem().string());
    EXPECT_FALSE(scenario.expect.empty()) << scenario.name << " checks nothing";
    for (const TrafficSpec& traffic : scenario.traffic) kinds.insert(traffic.kind);
  }
  EXPECT_EQ(kinds.size(), 7U) << "a kind of traffic is shown by no scenario";
}

}  // namespace
}  // namespace weir::presets_test
