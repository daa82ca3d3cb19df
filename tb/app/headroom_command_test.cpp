// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir headroom.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::headroom_command_test {
namespace {

using weir::test::Outcome;
using weir::test::program;
using weir::test::shell;

using Json = nlohmann::json;

Outcome headroom(const std::string& arguments) {
  return shell(program() + " headroom " + arguments);
}

Json json_of(const std::string& arguments) {
  const Outcome outcome = headroom(arguments + " --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  return Json::parse(outcome.text, nullptr, false);
}

TEST(HeadroomCommand, JsonHasBytesAndCellsOfEveryMethodAsPlainNumbers) {
  const Json json = json_of("--rate 40G --cable 300m --mtu 1500 --cell 208");
  const Json& methods = json["methods"];
  for (const char* name :
       {"paper", "standard", "sonic", "sonic_earlier", "tomahawk_tables", "worst_case"}) {
    ASSERT_TRUE(methods.contains(name)) << name;
    EXPECT_TRUE(methods[name]["bytes"].is_number_unsigned()) << name;
    EXPECT_TRUE(methods[name]["cells"].is_number_unsigned()) << name;
    std::uint64_t sum = 0;
    for (const Json& term : methods[name]["terms"]) sum += term["bytes"].get<std::uint64_t>();
    EXPECT_EQ(sum, methods[name]["bytes"]) << name << ": the terms do not add up";
  }
  EXPECT_EQ(methods["paper"]["bytes"], 21'840);
  EXPECT_EQ(methods["paper"]["cells"], 105) << "21,840 / 208";
  EXPECT_EQ(methods["standard"]["bytes"], 25'552);
}

TEST(HeadroomCommand, OptionsWithoutAnEffectAreRefused) {
  for (const char* const option : {"--beta 0", "--beta 8", "--ports 64", "--classes 3",
                                   "--private 1kB", "--oversubscription 3", "--t-flight 1kB"}) {
    const Outcome outcome = headroom("--rate 100G --cable 100m " + std::string{option});
    EXPECT_EQ(outcome.exit_code, 2) << option << outcome.text;
    EXPECT_TRUE(outcome.says("requires --memory or --chip")) << outcome.text;
    const Outcome read = headroom("--rate 100G --cable 100m --memory 12MB " + std::string{option});
    EXPECT_EQ(read.exit_code, std::string{option} == "--beta 0" ? 2 : 0) << option;
  }
  for (const char* const option : {"--small-packets 50", "--lossless-mtu 1024", "--gearbox 1us"}) {
    const std::string command = "--rate 100G --cable 100m " + std::string{option} + " --method ";
    const Outcome outcome = headroom(command + "paper");
    EXPECT_EQ(outcome.exit_code, 2) << option << outcome.text;
    EXPECT_TRUE(outcome.says("requires --method sonic")) << outcome.text;
    for (const char* const method : {"all", "sonic", "sonic_earlier"})
      EXPECT_EQ(headroom(command + method).exit_code, 0) << option << " " << method;
  }
}

TEST(HeadroomCommand, IntegersAreDecimal) {
  for (const char* const option :
       {"--ports 010", "--ports -1", "--ports 0x8", "--ports 4294967296", "--classes 02",
        "--oversubscription 03", "--beta 010", "--small-packets 050", "--admit 03", "--pfc 02"}) {
    const Outcome outcome =
        headroom("--rate 100G --cable 100m --memory 12MB " + std::string{option});
    EXPECT_EQ(outcome.exit_code, 2) << option << outcome.text;
    EXPECT_TRUE(outcome.says("must be a decimal integer")) << option << outcome.text;
  }
  const Outcome outcome = headroom("--rate 100G --cable 100m --memory 12MB --ports 0");
  EXPECT_TRUE(outcome.says("--ports = 0: must be from 1 to")) << outcome.text;
}

TEST(HeadroomCommand, RatesAndCablesMayBeWrittenShortOrLong) {
  const Json expected = json_of("--rate '100 Gbps' --cable '40 km'");
  EXPECT_EQ(json_of("--rate 100G --cable 40km"), expected);
  EXPECT_EQ(json_of("--rate 100Gbps --cable 40000m"), expected);
  EXPECT_EQ(json_of("--rate 100000Mbps --cable '40000 m' --mtu '9216 B'"), expected);
}

TEST(HeadroomCommand, EverySpeedOfTheTableIsSized) {
  std::uint64_t last = 0;
  for (const weir::PortSpeed& speed : weir::port_speeds()) {
    const std::string rate = std::to_string(speed.rate.count() / 1'000'000'000) + "G";
    const Json json = json_of("--cable 300m --method paper --rate " + rate);
    EXPECT_GT(json["methods"]["paper"]["bytes"].get<std::uint64_t>(), last) << rate;
    last = json["methods"]["paper"]["bytes"];
  }
}

TEST(HeadroomCommand, ASpeedWithoutAKnownResponseNeedsIt) {
  const Outcome refused = headroom("--rate 1000G --cable 3m");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.text.find("weir: --response = none: must be given at 1000 Gbps"), 0U)
      << refused.text;
  const Json json = json_of("--rate 1000G --cable 3m --response '905 quanta' --method standard");
  EXPECT_EQ(json["methods"]["standard"]["bytes"], 2 * (9216 + 1875) + 905 * 64)
      << "two frames, 15 ns of cable twice and 905 x 64 B";
}

TEST(HeadroomCommand, MethodChoosesOneOrAFamily) {
  const Json one = json_of("--rate 100G --cable 300m --method worst_case");
  EXPECT_EQ(one["methods"].size(), 1U);
  const Json two = json_of("--rate 100G --cable 300m --method sonic");
  EXPECT_EQ(two["methods"].size(), 2U) << "both forms of SONiC's";
}

TEST(HeadroomCommand, TheTableShowsEveryTermWithItsSource) {
  const Outcome outcome = headroom("--rate 100G --cable 300m");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* word : {"59,772 B", "81,148 B", "worst_case", "own PFC frame", "802.3 31B.3.7",
                           "DSH eq. (1)", "SONiC buffer_headroom_mellanox.lua"})
    EXPECT_NE(outcome.text.find(word), std::string::npos) << word << " is not in\n" << outcome.text;
}

TEST(HeadroomCommand, AResponseMayBeQuantaOrTime) {
  const auto standard = [](const std::string& more) {
    return json_of("--rate 100G --cable 300m --mtu 1500 --method standard " +
                   more)["methods"]["standard"]["bytes"];
  };
  EXPECT_EQ(standard(""), 65'716);
  EXPECT_EQ(standard("--response 394"), 65'716);
  EXPECT_EQ(standard("--response '60 quanta'"), 44'340) << "3840 B: what paper takes";
  EXPECT_EQ(standard("--response 307.2ns"), 44'340);
  EXPECT_EQ(standard("--response 0"), 40'500);
}

TEST(HeadroomCommand, MemoryShowsWhatTheChipLosesAndDcqcnsThresholds) {
  const Json json = json_of(
      "--rate 40G --cable 300m --mtu 1500 --memory 12MiB --ports 32 --classes 8 --method paper");
  const Json& dedicated = json["methods"]["paper"]["chip"]["dedicated"];
  EXPECT_EQ(dedicated["chip_bytes"], 5'591'040);
  EXPECT_EQ(dedicated["share_ppm"], 444'336);
  const Json dcqcn = json_of("--rate 40G --cable 300m --memory 12MB --t-flight 22.4kB")["dcqcn"];
  EXPECT_EQ(dcqcn["static_pfc_bytes"], 24'475);
  EXPECT_EQ(dcqcn["ecn_tenths_of_a_byte"], 217'556);
}

TEST(HeadroomCommand, AChipFileGivesThePortAndWhatItIsConfiguredWith) {
  const Json json = json_of("--chip vectors/chips/arista_7050qx_32.toml --cable 300m");
  EXPECT_EQ(json["port"]["rate_bps"], 40'000'000'000);
  EXPECT_EQ(json["port"]["cell_bytes"], 208);
  EXPECT_EQ(json["plan"]["ports"], 32);
  EXPECT_EQ(json["plan"]["memory_bytes"], 12'766'208);
  EXPECT_TRUE(json["configured_cells"].is_number_unsigned());
}

TEST(HeadroomCommand, BadInputIsOneClearLineAndExitCode2) {
  const auto refused = [](const std::string& arguments, const std::string& expected) {
    const Outcome outcome = headroom(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.text.find(expected), 0U) << arguments << ": " << outcome.text;
    EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << "more than a line";
  };
  refused("--cable 300m", "weir: --rate = none: must be a rate such as");
  refused("--rate 100G", "weir: --cable = none: must be a length such as");
  refused("--rate 100X --cable 300m", "weir: --rate = \"100X\": must be a rate such as");
  refused("--rate 300G --cable 300m", "weir: --rate = \"300G\": must be from 1 to ");
  refused("--rate 0G --cable 300m", "weir: --rate = \"0G\": ");
  refused("--rate 100G --cable 300", "weir: --cable = \"300\": must be a length such as");
  refused("--rate 100G --cable -3m", "weir: --cable = \"-3m\": ");
  refused("--rate 100G --cable 300m --method best",
          "weir: --method = \"best\": must be one of all,");
  refused("--rate 100G --cable 300m --mtu 63", "weir: --mtu = 63 B: must be from 64 to 65535 B");
  refused("--rate 100G --cable 300m --cell 31", "weir: --cell = 31 B: ");
  refused("--rate 100G --cable 300m --cell big", "weir: --cell = \"big\": ");
  refused("--rate 100G --cable 300m --overhead 208", "weir: --overhead = 208 B: ");
  refused("--rate 100G --cable 300m --ns-per-m 2", "weir: --ns-per-m = 2000 ps/m: ");
  refused("--rate 100G --cable 300m --response soon", "weir: --response = \"soon\": ");
  refused("--rate 100G --cable 300m --memory 0", "weir: --memory = 0 B: ");
  refused("--rate 100G --cable 300m --memory 1MB --classes 9", "weir: --classes = 9: ");
  refused("--rate 100G --cable 300m --port 1", "weir: --port requires --chip");
  refused("--chip nowhere.toml --cable 300m", "weir: \"nowhere.toml\": ");
  refused("--chip vectors/chips/arista_7050qx_32.toml --cable 1m --port 32",
          "weir: --port = 32: must be from 0 to 31");
  refused("--rate 100G --cable 300m --colour red", "weir: ");
}

TEST(HeadroomCommand, TheTablesAndThePictureOfTheDocumentationAreUpToDate) {
  const Outcome outcome = shell("scripts/doc/headroom-tables --check");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

}  // namespace
}  // namespace weir::headroom_command_test
