// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/chip_drift.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "chip_keys.hpp"
#include "weir/config/chip/chip_file.hpp"

namespace weir::chip_drift_test {
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
  EXPECT_EQ(keys, (std::set<std::string>{"pool.lossless.size", "profile.lossless.private"}));
}

TEST(ChipDrift, APoolIsNamedByTheKeyThatSizesIt) {
  for (const char* const key : {"pool.lossless.size", "egress_pool.lossy.size"}) {
    const std::vector<Drift> found = drift({std::string{key} + "=10 MB"});
    ASSERT_EQ(found.size(), 1U) << key;
    EXPECT_EQ(found[0].key, key);
  }
}

// Another value of the type of a setting.
template <class Value>
void alter(Value& value) {
  if constexpr (std::is_enum_v<Value>)
    value = value == Value{} ? static_cast<Value>(1) : Value{};
  else if constexpr (std::is_integral_v<Value>)
    value = static_cast<Value>(value ^ 1U);
  else
    value = Value{static_cast<typename Value::rep>(value.count() ^ 1U)};
}
void alter(bool& value) { value = !value; }
void alter(ClockPeriod& period) { period = Picoseconds{period.numerator() + 1}; }
template <class Value>
void alter(std::optional<Value>& value) {
  if (value)
    value.reset();
  else
    value.emplace();
}
template <class Value, std::size_t count>
void alter(std::array<Value, count>& values) {
  alter(values.front());
}

// For the rows of chip_keys.hpp: alters the member of each in `object`, a part of `running`, and
// back.
template <class Object>
auto drifts_alone(const std::string& at, Object& object, const Chip& desired, const Chip& running,
                  std::size_t& compared) {
  return [=, &object, &desired, &running, &compared](std::string_view name, auto member,
                                                     const auto&...) {
    using Value = std::decay_t<decltype(object.*member)>;
    if constexpr (!std::is_same_v<Value, std::string>) {  // what a chip is called is no setting
      const Value before = object.*member;
      alter(object.*member);
      const std::vector<Drift> found = drift_between(desired, running);
      EXPECT_EQ(found.size(), 1U) << at << "." << name;
      if (!found.empty()) {
        EXPECT_EQ(found[0].key, at + "." + std::string{name});
      }
      object.*member = before;
      ++compared;
    }
  };
}

TEST(ChipDrift, EveryKeyOfTheTablesCanDriftAndNoOtherDriftsWithIt) {
  const Chip desired = chip({"wred.red={priorities=[3], min='1 kB', max='2 kB', probability='5 %'}",
                             "neighbours.incomplete=flood", "classify.trust=dscp"});
  Chip running = desired;
  std::size_t compared = 0;
  const auto in = [&](const std::string& table, auto& object) {
    return drifts_alone(table, object, desired, running, compared);
  };
  Profile& profile = *running.profiles.begin();
  QueueProfile& queue = *running.queue_profiles.begin();
  WredProfile& wred = *running.wred_profiles.begin();
  using namespace chip_sections;  // NOLINT(google-build-using-namespace): its ten tables
  for_each_chip_key(in("chip", running));
  for_each_profile_key(running.cell, in("profile." + profile.name, profile));
  for_each_queue_key(running.cell, in("queue." + queue.name, queue));
  for_each_wred_key(running.cell, in("wred." + wred.name, wred));
  for_each_draw_key(in("draw", running));
  for_each_map_key(in("map", running));
  for_each_scheduler_key(in("scheduler", running));
  for_each_classifier_key(in("classify", running.classifier));
  for_each_neighbour_key(in("neighbours", *running.neighbours));
  EXPECT_GE(compared, 39U);
}

TEST(ChipDrift, EverySettingThatFollowsFromSeveralKeysCanDrift) {
  for (const char* change :
       {"chip.domains=2", "chip.rate=10 Gbps", "chip.response=1 us",
        "profile.lossless.headroom=0 B", "profile.lossless.policy=complete_sharing",
        "queue.lossy.alpha=1", "egress_pool.lossy.size=1 MB"})
    EXPECT_FALSE(drift({change}).empty()) << change;
}

struct Change {
  std::string override_text;
  Drift drift;
};

void expect_only(const std::vector<std::string>& common, const Change& change) {
  std::vector<std::string> changed = common;
  changed.push_back(change.override_text);
  const std::vector<Drift> found = drift_between(chip(common), chip(changed));
  ASSERT_EQ(found.size(), 1U) << change.override_text;
  EXPECT_EQ(found[0], change.drift) << change.override_text << ": " << found[0].key << " is "
                                    << found[0].running << ", desired " << found[0].desired;
}

TEST(ChipDrift, EveryKeyOfTheClassifierIsNamedWithBothValues) {
  const std::vector<std::string> common{"classify.trust=dscp", "classify.dscp.3=24-26",
                                        "classify.dscp.4=[34, 46]"};
  for (const Change& change :
       {Change{"classify.untagged=2", {"classify.untagged", "0", "2"}},
        Change{"classify.group=7", {"classify.group", "none", "7"}},
        Change{"classify.dscp.3=24-25", {"classify.dscp.3", "24-26", "24-25"}},
        Change{"classify.dscp.4=34", {"classify.dscp.4", "34,46", "34"}},
        Change{"classify.dscp.5=[1]", {"classify.dscp.5", "none", "1"}}})
    expect_only(common, change);
  expect_only({}, {"classify.trust=dscp", {"classify.trust", "pcp", "dscp"}});
}

TEST(ChipDrift, DscpTablesOfPortsAreNamedWithTheirPorts) {
  const std::vector<std::string> common{"classify.trust=dscp", "dscp_map.up.ports=0",
                                        "dscp_map.up.3=[3, 24]"};
  expect_only(common, {"dscp_map.up.3=24", {"dscp_map.up.3", "3,24", "24"}});
  expect_only(common, {"dscp_map.up.4=46", {"dscp_map.up.4", "none", "46"}});
  expect_only(common, {"dscp_map.up.ports=0-1", {"port[1].dscp_map", "none", "up"}});
}

TEST(ChipDrift, StrictQueuesAreNamedByTheirNumbers) {
  expect_only({}, {"scheduler.strict=[7]", {"scheduler.strict", "none", "7"}});
  expect_only({"scheduler.strict=[6, 7]"},
              {"scheduler.strict=[0, 6, 7]", {"scheduler.strict", "6-7", "0,6-7"}});
}

TEST(ChipDrift, ADscpThatMovedToAnotherPriorityIsMissingAtTheOldOne) {
  const std::vector<std::string> common{"classify.trust=dscp"};
  std::vector<std::string> desired = common, running = common;
  desired.push_back("classify.dscp.3=26");
  running.push_back("classify.dscp.4=26");
  const std::vector<Drift> found = drift_between(chip(desired), chip(running));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (Drift{"classify.dscp.3", "26", "none"}));
  EXPECT_EQ(found[1], (Drift{"classify.dscp.4", "none", "26"}));
}

TEST(ChipDrift, EveryKeyOfNeighboursIsNamedWithBothValues) {
  const std::vector<std::string> common{"neighbours.incomplete=flood"};
  for (const Change& change :
       {Change{"neighbours.arp_timeout=2 h",
               {"neighbours.arp_timeout", "14400000000000000 ps", "7200000000000000 ps"}},
        Change{"neighbours.mac_timeout=4 min",
               {"neighbours.mac_timeout", "300000000000000 ps", "240000000000000 ps"}},
        Change{"neighbours.incomplete=to_cpu", {"neighbours.incomplete", "flood", "to_cpu"}},
        Change{"neighbours.cpu_queue=7", {"neighbours.cpu_queue", "512", "7"}},
        Change{"neighbours.cpu_packet_time=50 us",
               {"neighbours.cpu_packet_time", "100000000 ps", "50000000 ps"}}})
    expect_only(common, change);
}

TEST(ChipDrift, TablesOfNeighboursThatOnlyOneOfBothHasAreMissingInTheOther) {
  const std::vector<Drift> found = drift({"neighbours.cpu_queue=7"});
  ASSERT_GE(found.size(), 5U) << "every key of [neighbours]";
  for (const Drift& one : found) {
    EXPECT_EQ(one.key.rfind("neighbours.", 0), 0U) << one.key;
    EXPECT_EQ(one.desired, "none") << one.key;
  }
}

TEST(ChipDrift, EverySettingOfAWredProfileCanDrift) {
  const std::string red = "wred.red={priorities=[3], min='1 kB', max='2 kB', probability='5 %'}";
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), red);
    return chip(more);
  };
  EXPECT_TRUE(drift_between(with({}), with({"draw.polynomial=2734686208"})).empty());
  for (const char* change :
       {"wred.red.min=0 B", "wred.red.max=4 kB", "wred.red.probability=1/10", "wred.red.drop=true",
        "wred.red.at=enqueue", "wred.red.ports=[0]", "draw.seed=1", "draw.polynomial=3988292384"})
    EXPECT_EQ(drift_between(with({}), with({change})).empty(), false) << change;
  EXPECT_FALSE(drift_between(chip(), with({})).empty());
}

// A value of a key, or another one, by its kind.
std::string value_of(const PolicyKey& key, bool drifted) {
  if (std::holds_alternative<Alpha ThresholdSetting::*>(key.member))
    return drifted ? "1/64" : "1/8";
  if (std::holds_alternative<Cells ThresholdSetting::*>(key.member))
    return drifted ? "9 cells" : "8 cells";
  return drifted ? "26 us" : "25 us";
}

// A chip whose lossless profile has a policy, one key of which may have drifted, and dedicated
// headroom, which `dsh` asks for.
Chip chip_under(const PolicyRow& policy, const PolicyKey* drifted) {
  std::vector<std::string> overrides{"pool.lossless.headroom_pool=0 B",
                                     "profile.lossless.headroom=10 kB",
                                     "profile.lossless.policy=" + std::string{policy.name}};
  for (const PolicyKey* key : policy.keys)
    overrides.push_back("profile.lossless." + std::string{key->name} + "=" +
                        value_of(*key, key == drifted));
  return chip(overrides);
}

TEST(ChipDrift, EveryKeyThatAPolicyReadsCanDrift) {
  std::size_t compared = 0;
  for (const PolicyRow& policy : policy_table()) {
    for (const PolicyKey* key : policy.keys) {
      const Chip before = chip_under(policy, nullptr), after = chip_under(policy, key);
      const std::vector<Drift> found = drift_between(before, after);
      ASSERT_EQ(found.size(), 1U) << policy.name << ": " << key->name << " drifted";
      EXPECT_EQ(found[0].key, "profile.lossless." + std::string{key->name}) << policy.name;
      EXPECT_FALSE(same_running_settings(before, after)) << policy.name << ": " << key->name;
      ++compared;
    }
  }
  EXPECT_GE(compared, 9U) << "of eight policies";
}

TEST(ChipDrift, WhatOnlyOneOfBothHasIsMissingInTheOther) {
  Chip larger = chip();
  Pool spare;
  spare.name = "spare";
  spare.shared = Cells{10};
  larger.ingress_pools.push_back(spare);
  const std::vector<Drift> more = drift_between(chip(), larger);
  ASSERT_EQ(more.size(), 2U);
  EXPECT_EQ(more[0].key, "pool.spare.size");
  EXPECT_EQ(more[0].desired, "none");
  const std::vector<Drift> less = drift_between(larger, chip());
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
}  // namespace weir::chip_drift_test
