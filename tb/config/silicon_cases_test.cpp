// SPDX-License-Identifier: Apache-2.0
#include "weir/config/silicon/silicon_cases.hpp"

#include <gtest/gtest.h>

#include <string>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"

namespace weir::silicon_cases_test {
namespace {

// A case with the configuration of Trident2 in the published file.
const std::string trident2 = R"json({"cases": [{
  "id": "td2", "asic": "TD2 (Trident2)", "speed_mbps": 40000,
  "cell_bytes": 208, "domains": 1, "pool_bytes": 12766208, "pool_is_net": false,
  "shared_headroom_pool_bytes": 0,
  "reserved": [{"count": 64, "cells_each": 271, "what": "PGs"}],
  "shared_cells_per_domain_B": 44032, "inferred_parameter": null,
  "pg_min_bytes": 1248, "xoff_headroom_bytes": 55120, "xon_bytes": 18432,
  "xon_offset_bytes": 2496, "dynamic_th": -3, "packet_bytes": 64,
  "egress_lossy": {"pool_bytes": 7326924, "dynamic_th": 3, "queue_min_bytes": 1518,
                   "pool": "egress_lossy_pool", "pool_cells_reserved": 0},
  "expected": [
    {"quantity": "trig_pfc", "measured": 4898, "textbook_ge": 4898},
    {"quantity": "trig_pfc_multi", "measured": [4898, 4353]}]
}]})json";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the sample has no " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

SiliconCase only_case(const std::string& json) { return parse_silicon_cases(json, "f.json").at(0); }

std::string error_of(const std::string& json) {
  try {
    for (const SiliconCase& silicon : parse_silicon_cases(json, "f.json"))
      static_cast<void>(silicon_chip(silicon, 2));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SiliconCases, SharedCellsFollowFromPoolAndReservations) {
  const Chip chip = silicon_chip(only_case(trident2), 2);
  ASSERT_EQ(chip.ingress_pools.size(), 1U);
  EXPECT_EQ(chip.ingress_pools.front().shared, Cells{44032}) << "floor(12766208/208) - 64 x 271";
  EXPECT_TRUE(chip.ingress_pools.front().dedicated_headroom) << "no shared headroom pool";
  EXPECT_EQ(chip.egress_pools.front().shared, Cells{35225}) << "floor(7326924/208)";
  EXPECT_EQ(chip.queue_profiles.front().minimum, Cells{8}) << "ceil(1518/208)";
}

TEST(SiliconCases, PrivateAndHeadroomAreRoundedUpAndXonDown) {
  const Chip chip = silicon_chip(only_case(trident2), 2);
  const Profile& profile = chip.profiles.at(*chip.profile_of_pg.at(PgIndex{3}));
  EXPECT_TRUE(profile.lossless) << "PG 3 of port 0";
  EXPECT_EQ(profile.private_cells, Cells{6}) << "1248/208 exactly";
  EXPECT_EQ(profile.headroom, Cells{265}) << "55120/208 exactly";
  EXPECT_EQ(profile.xon, Cells{88}) << "18432/208 = 88.6";
  EXPECT_EQ(profile.xon_offset, Cells{12}) << "2496/208 exactly";
  EXPECT_FALSE(chip.profiles.at(*chip.profile_of_pg.at(PgIndex{2})).lossless) << "PG 2 of port 0";
}

TEST(SiliconCases, ANetPoolIsOnlySplitOverTheDomains) {
  const std::string text =
      with(with(with(trident2, "\"pool_is_net\": false", "\"pool_is_net\": true"), "\"domains\": 1",
                "\"domains\": 4"),
           "{\"count\": 64, \"cells_each\": 271, \"what\": \"PGs\"}", "");
  EXPECT_EQ(silicon_chip(only_case(text), 2).ingress_pools.front().shared, Cells{15344})
      << "floor(61376/4)";
}

TEST(SiliconCases, ReservationsListedNextToANetPoolStillComeOff) {
  const std::string text = with(trident2, "\"pool_is_net\": false", "\"pool_is_net\": true");
  EXPECT_EQ(silicon_chip(only_case(text), 2).ingress_pools.front().shared, Cells{44032});
}

TEST(SiliconCases, TheHeadroomPoolComesOffAndIsSplitLikeTheRest) {
  const std::string text = with(with(trident2, "\"shared_headroom_pool_bytes\": 0",
                                     "\"shared_headroom_pool_bytes\": 208104"),  // 1000.5 cells
                                "\"domains\": 1", "\"domains\": 3");
  const Pool pool = silicon_chip(only_case(text), 2).ingress_pools.front();
  EXPECT_EQ(pool.headroom, Cells{333}) << "floor(1000/3)";
  EXPECT_EQ(pool.shared, Cells{14344}) << "floor((61376 - 1000 - 17344)/3)";
  EXPECT_FALSE(pool.dedicated_headroom);
}

TEST(SiliconCases, AnEgressPoolCanHaveTheSharedCellsOfIngress) {
  const std::string text = with(trident2, "\"pool_bytes\": 7326924", "\"note\": 0");
  const Chip chip =
      silicon_chip(only_case(with(text, "egress_lossy_pool", "same B as ingress")), 2);
  EXPECT_EQ(chip.egress_pools.front().shared, Cells{44032});
}

TEST(SiliconCases, TheBenchHasTheLosslessGroupsAskedForInEachDomain) {
  const SiliconCase silicon = only_case(with(trident2, "\"domains\": 1", "\"domains\": 2"));
  const Chip chip = silicon_chip(silicon, 37);
  std::size_t in_domain_0 = 0;
  for (const PortSetting& port : chip.ports) in_domain_0 += port.domain == DomainId{0} ? 1 : 0;
  EXPECT_EQ(in_domain_0, 19U) << "two lossless PGs a port";
  EXPECT_EQ(chip.ports.size(), 39U) << "19 in each domain, and one to send through";
}

TEST(SiliconCases, DomainOfPortIsTakenAsItIs) {
  const std::string text =
      with(trident2, "\"domains\": 1", "\"domains\": 2, \"domain_of_port\": [1, 0, 1]");
  const Chip chip = silicon_chip(only_case(text), 37);
  ASSERT_EQ(chip.ports.size(), 3U);
  EXPECT_EQ(chip.ports[0].domain, DomainId{1});
  EXPECT_EQ(chip.ports[1].domain, DomainId{0});
}

TEST(SiliconCases, TheChipFollowsFromTheConfigurationAlone) {
  const SiliconCase silicon = only_case(trident2);
  std::string text = with(trident2, "\"shared_cells_per_domain_B\": 44032",
                          "\"shared_cells_per_domain_B\": 7, \"pool_cells\": 1, \"alpha\": \"9\"");
  text = with(text, "\"inferred_parameter\": null", "\"inferred_parameter\": \"28 ports\"");
  text = with(text, "\"measured\": 4898", "\"measured\": 1");
  text = with(text, "\"textbook_ge\": 4898", "\"textbook_ge\": 2");
  EXPECT_EQ(silicon_chip_file(silicon.config, 4), silicon_chip_file(only_case(text).config, 4))
      << "a derived or measured figure reached the chip";
}

TEST(SiliconCases, WhatIsNullOrMissingIsOff) {
  const std::string queue =
      trident2.substr(trident2.find("\"egress_lossy\""),
                      trident2.find("\"expected\"") - trident2.find("\"egress_lossy\""));
  EXPECT_FALSE(only_case(with(trident2, queue, "")).config.egress_lossy) << "missing";
  EXPECT_FALSE(only_case(with(trident2, queue, "\"egress_lossy\": null, ")).config.egress_lossy);
  const std::string both =
      with(with(trident2, "7326924", "null"), "\"dynamic_th\": 3", "\"dynamic_th\": null");
  EXPECT_FALSE(only_case(both).config.egress_lossy) << "neither size nor threshold";
  EXPECT_EQ(only_case(with(trident2, "18432", "null")).config.xon, Bytes{0});
}

TEST(SiliconCases, PublishedCountsAreSingleOrLists) {
  const SiliconCase silicon = only_case(trident2);
  ASSERT_EQ(silicon.expected.size(), 2U);
  EXPECT_FALSE(silicon.expected[0].is_list);
  EXPECT_TRUE(silicon.expected[1].is_list);
  EXPECT_EQ(silicon.expected[1].measured, (std::vector<std::int64_t>{4898, 4353}));
}

struct Malformed {
  const char* what;
  std::string json;
  const char* key;
};

TEST(SiliconCases, MalformedInputIsOneErrorThatNamesFileCaseAndKey) {
  const Malformed all[] = {
      {"missing key", with(trident2, "\"cell_bytes\": 208,", ""), "cell_bytes"},
      {"text for a number", with(trident2, "12766208", "\"12 MB\""), "pool_bytes"},
      {"fraction", with(trident2, "\"cell_bytes\": 208", "\"cell_bytes\": 208.5"), "cell_bytes"},
      {"negative", with(trident2, "55120", "-1"), "xoff_headroom_bytes"},
      {"zero cell", with(trident2, "\"cell_bytes\": 208", "\"cell_bytes\": 0"), "cell_bytes"},
      {"alpha outside", with(trident2, "\"dynamic_th\": -3", "\"dynamic_th\": 8"), "dynamic_th"},
      {"no list", with(trident2, "[4898, 4353]", "[]"), "measured"},
      {"not a boolean", with(trident2, "\"pool_is_net\": false", "\"pool_is_net\": 0"),
       "pool_is_net"},
      {"reservation", with(trident2, "\"cells_each\": 271", "\"cells_each\": \"x\""), "cells_each"},
      {"domain", with(trident2, "\"domains\": 1", "\"domains\": 1, \"domain_of_port\": [1]"),
       "domain_of_port[0]"},
      {"expected", with(trident2, "\"quantity\": \"trig_pfc\"", "\"quantity\": 4"), "quantity"},
      {"too much reserved", with(trident2, "\"count\": 64", "\"count\": 6400"),
       "pool.lossless.size"},
      {"rate", with(trident2, "40000", "30000"), "speed_mbps = 30000"},
  };
  for (const Malformed& each : all) {
    const std::string error = error_of(each.json);
    EXPECT_EQ(error.rfind("f.json:", 0), 0U) << each.what << ": file and line: " << error;
    EXPECT_NE(error.find("case td2"), std::string::npos) << each.what << ": case: " << error;
    EXPECT_NE(error.find(each.key), std::string::npos) << each.what << ": key: " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << each.what << ": one line: " << error;
  }
}

TEST(SiliconCases, SpeedAndPacketHaveTheRangesOfAPortAndOfItsFrames) {
  const auto speed = [](std::int64_t mbps) {
    return error_of(with(trident2, "40000", std::to_string(mbps)));
  };
  const auto packet = [](std::uint64_t bytes) {
    return error_of(
        with(trident2, "\"packet_bytes\": 64", "\"packet_bytes\": " + std::to_string(bytes)));
  };
  EXPECT_NE(speed(min_port_mbps - 1).find("from 1000 to 1600000"), std::string::npos);
  EXPECT_EQ(only_case(with(trident2, "40000", "1000")).config.rate, min_port_rate);
  EXPECT_EQ(only_case(with(trident2, "40000", "1600000")).config.rate, max_port_rate);
  EXPECT_NE(speed(max_port_mbps + 1).find("speed_mbps = 1600001"), std::string::npos);
  const std::uint64_t mtu = Chip{}.mtu.count();
  EXPECT_EQ(packet(min_frame_bytes.count() - 1).rfind("f.json:", 0), 0U) << "shorter than a frame";
  EXPECT_EQ(packet(min_frame_bytes.count()), "no error");
  EXPECT_EQ(packet(mtu), "no error");
  EXPECT_EQ(packet(mtu + 1).rfind("f.json:", 0), 0U) << "longer than the MTU";
}

TEST(SiliconCases, AFileNestedWithoutEndIsRefused) {
  EXPECT_NE(error_of("{\"cases\": " + std::string(200'000, '[')).find("nested deeper"),
            std::string::npos);
}

TEST(SiliconCases, WhatIsNoListOfCasesIsRefused) {
  EXPECT_NE(error_of("{").find("f.json"), std::string::npos);
  EXPECT_NE(error_of("[]").find("JSON object"), std::string::npos);
  EXPECT_NE(error_of("{}").find("cases"), std::string::npos);
  EXPECT_NE(error_of(R"({"cases": 4})").find("cases = 4"), std::string::npos);
  EXPECT_NE(error_of(R"({"cases": [4]})").find("cases[0] = 4"), std::string::npos);
  EXPECT_NE(error_of(R"({"cases": [{}]})").find("cases[0].id"), std::string::npos);
  const std::string one =
      trident2.substr(trident2.find("{\n"), trident2.rfind(']') - trident2.find("{\n"));
  EXPECT_NE(error_of("{\"cases\": [" + one + ", " + one + "]}").find("names two cases"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::silicon_cases_test
