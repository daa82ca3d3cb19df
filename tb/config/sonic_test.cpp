// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/sonic/sonic_import.hpp"
#include "weir/config/sonic/sonic_tables.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::sonic_test {
namespace {

namespace fs = std::filesystem;

const fs::path samples = "vectors/sonic";

struct Imported {
  SonicTables tables;
  SonicImport import;
  Chip chip;
};

Imported import_of(const fs::path& folder, const SonicOptions& options = {}) {
  Imported result;
  result.tables = read_sonic(folder);
  result.import = import_sonic(result.tables, options);
  result.chip = parse_chip(sonic_chip_toml(result.import, result.tables), "chip.toml");
  return result;
}

// A copy of a sample that a test may change.
class SonicFolder : public testing::Test {
 protected:
  SonicFolder() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SonicFolder() override { fs::remove_all(folder_); }
  SonicFolder(const SonicFolder&) = delete;
  SonicFolder& operator=(const SonicFolder&) = delete;

  void copy(const std::string& sample) {
    for (const fs::directory_entry& entry : fs::directory_iterator(samples / sample))
      fs::copy_file(entry.path(), folder_ / entry.path().filename());
  }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream{folder_ / file} << text;
  }
  void replace(const std::string& file, const std::string& from, const std::string& to) const {
    std::ifstream in{folder_ / file};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    in.close();
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << "the test looks for what is not there: " << from;
    text.replace(at, from.size(), to);
    write(file, text);
  }
  // The error message of the import, without the folder's own name.
  [[nodiscard]] std::string error(const SonicOptions& options = {}) const {
    try {
      static_cast<void>(import_of(folder_, options));
    } catch (const ConfigError& failure) {
      std::string text = failure.what();
      const std::string name = folder_.string();
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
        text.replace(at, name.size() + 1, "");
      return text;
    }
    return "no error";
  }

  const fs::path folder_ = fs::temp_directory_path() / ("weir_sonic_" + std::to_string(getpid()));
};

bool mentions(const std::vector<SonicNote>& notes, const std::string& table,
              const std::string& field, const std::string& key = "") {
  return std::any_of(notes.begin(), notes.end(), [&](const SonicNote& note) {
    return note.table == table && note.field == field &&
           (key.empty() || std::find(note.keys.begin(), note.keys.end(), key) != note.keys.end());
  });
}

const Profile& profile_at(const Chip& chip, std::size_t port, std::size_t priority) {
  return chip
      .profiles[*chip.profile_of_pg[PgIndex{port * priorities + chip.pg_of_priority[priority]}]];
}

TEST(ConfigSonic, ATraditionalFolderIsTheTrident2OfThePresets) {
  const Imported sonic = import_of(samples / "traditional_40g");
  const Chip& chip = sonic.chip;
  EXPECT_EQ(chip.ports.size(), 8U);
  EXPECT_EQ(chip.cell, Bytes{208});
  EXPECT_EQ(chip.mtu, Bytes{9122}) << "9100 and Ethernet header, VLAN tag, FCS";
  EXPECT_EQ(chip.ports[0].rate, BitRate{40'000'000'000});
  EXPECT_EQ(chip.ports[7].rate, BitRate{10'000'000'000}) << "its own block";
  const Profile& near = profile_at(chip, 0, 3);
  EXPECT_EQ(near.headroom, Cells{195}) << "ceil(40560 / 208): 40G, 5 m";
  EXPECT_EQ(near.private_cells, Cells{6}) << "size 41808 less xoff 40560";
  EXPECT_EQ(near.xon_offset, Cells{12});
  EXPECT_EQ(near.threshold.alpha, (Alpha{1, 3})) << "threshold -3";
  EXPECT_EQ(profile_at(chip, 6, 4).headroom, Cells{265}) << "ceil(55120 / 208): 40G, 300 m";
  EXPECT_FALSE(profile_at(chip, 0, 1).lossless);
  EXPECT_FALSE(profile_at(chip, 7, 3).lossless) << "a port that is down gets no lossless group";
  EXPECT_EQ(chip.pg_of_priority[1], 0) << "TC_TO_PRIORITY_GROUP_MAP";
  EXPECT_EQ(chip.dwrr_weight[3], 15U);
  EXPECT_EQ(chip.dwrr_weight[0], 14U);
  EXPECT_FALSE(chip.profile_of_queue[QueueIndex{3}]) << "static_th is the whole pool: no limit";
  ASSERT_TRUE(chip.profile_of_queue[QueueIndex{0}]);
  EXPECT_EQ(chip.queue_profiles[*chip.profile_of_queue[QueueIndex{0}]].minimum, Cells{8})
      << "1518 B";
}

TEST(ConfigSonic, AWredProfileOfAQueueIsInTheChip) {
  const Chip chip = import_of(samples / "traditional_40g").chip;
  ASSERT_EQ(chip.wred_profiles.size(), 1U);
  const WredProfile& profile = chip.wred_profiles.front();
  EXPECT_EQ(profile.min, whole_cells(Bytes{1'048'576}, chip.cell));
  EXPECT_EQ(profile.max, whole_cells(Bytes{2'097'152}, chip.cell));
  EXPECT_EQ(profile.probability, 3277U) << "5 %";
  EXPECT_TRUE(profile.mark) << "ecn_all";
  EXPECT_FALSE(profile.drop) << "no wred_green_enable";
  EXPECT_TRUE(chip.wred_of_queue[queue_index(PortId{0}, Priority{3})]);
  EXPECT_TRUE(chip.wred_of_queue[queue_index(PortId{7}, Priority{4})]);
  EXPECT_FALSE(chip.wred_of_queue[queue_index(PortId{0}, Priority{0})]);
}

TEST(ConfigSonic, ADscpMapIsTheClassifierOfTheChip) {
  const Imported sonic = import_of(samples / "traditional_40g");
  const ClassifierSettings& classifier = sonic.chip.classifier;
  EXPECT_EQ(classifier.trust, ClassTrust::dscp);
  EXPECT_EQ(classifier.priority_of_dscp[3], Priority{3});
  EXPECT_EQ(classifier.priority_of_dscp[4], Priority{4});
  EXPECT_EQ(classifier.priority_of_dscp[46], Priority{5});
  EXPECT_EQ(classifier.priority_of_dscp[0], Priority{1});
  EXPECT_EQ(classifier.priority_of_dscp[24], Priority{0}) << "not in the map: class 0";
  EXPECT_TRUE(mentions(sonic.import.assumed, "DSCP_TO_TC_MAP", "", "AZURE"));
  EXPECT_FALSE(mentions(sonic.import.unmapped, "DSCP_TO_TC_MAP", "3"));
  EXPECT_FALSE(mentions(sonic.import.unmapped, "PORT_QOS_MAP", "dscp_to_tc_map"));
}

TEST(ConfigSonic, WithoutADscpMapTheTagGivesTheClass) {
  SonicOptions options;
  options.cell = Bytes{208};
  EXPECT_EQ(import_of(samples / "incomplete", options).chip.classifier.trust, ClassTrust::pcp);
}

TEST_F(SonicFolder, AnotherDscpMapOfAPortIsListed) {
  copy("traditional_40g");
  replace("config_db.json", R"("DSCP_TO_TC_MAP": {)",
          R"("DSCP_TO_TC_MAP": { "OTHER": { "5": "3" },)");
  const Imported one = import_of(folder_);
  EXPECT_EQ(one.chip.classifier.priority_of_dscp[5], Priority{0});
  EXPECT_TRUE(mentions(one.import.unmapped, "DSCP_TO_TC_MAP", "5", "OTHER"))
      << "no port has this map";
}

// Two rows of one port each say `map`, one row of six ports says AZURE.
class SonicMaps : public SonicFolder {
 protected:
  Imported import_with(const std::string& map, const std::string& rows) {
    copy("traditional_40g");
    replace("config_db.json", R"("DSCP_TO_TC_MAP": {)",
            R"("DSCP_TO_TC_MAP": { ")" + map + R"(": {)" + rows + "},");
    replace("config_db.json", R"(,Ethernet24,Ethernet28": {
      "dscp_to_tc_map")",
            R"(": {
      "dscp_to_tc_map")");
    const std::string others = R"(": {"dscp_to_tc_map": ")" + map +
                               R"(", "tc_to_queue_map": "AZURE", "tc_to_pg_map": "AZURE",
      "pfc_to_queue_map": "AZURE", "pfc_enable": "3,4"},)";
    replace("config_db.json", R"("PORT_QOS_MAP": {)",
            R"("PORT_QOS_MAP": { "Ethernet24)" + others + R"("Ethernet28)" + others);
    return import_of(folder_);
  }
};

TEST_F(SonicMaps, EachPortGoesByItsOwnDscpMap) {
  const Imported one = import_with("OTHER", R"("3": "3", "5": "3", "46": "4")");
  EXPECT_EQ(one.chip.classifier.priority_of_dscp[46], Priority{5}) << "six ports have AZURE";
  EXPECT_EQ(one.chip.dscp_table(PortId{5})[46], Priority{5});
  ASSERT_EQ(one.chip.dscp_maps.size(), 1U);
  EXPECT_EQ(one.chip.dscp_maps[0].name, "OTHER");
  for (const std::uint16_t port : {std::uint16_t{6}, std::uint16_t{7}}) {
    const auto& table = one.chip.dscp_table(PortId{port});
    EXPECT_EQ(table[46], Priority{4}) << port;
    EXPECT_EQ(table[5], Priority{3}) << port;
    EXPECT_EQ(table[4], Priority{0}) << port << ": not in this map";
  }
  EXPECT_FALSE(mentions(one.import.unmapped, "PORT_QOS_MAP", "dscp_to_tc_map"));
  EXPECT_FALSE(mentions(one.import.unmapped, "DSCP_TO_TC_MAP", "46"));
  EXPECT_TRUE(mentions(one.import.assumed, "DSCP_TO_TC_MAP", "", "OTHER"));
}

TEST_F(SonicMaps, TheGlobalMapIsThatOfThePortsWithoutOne) {
  copy("traditional_40g");
  replace("config_db.json", R"("DSCP_TO_TC_MAP": {)", R"("DSCP_TO_TC_MAP": { "UP": {"9": "3"},)");
  replace("config_db.json",
          R"(Ethernet4,Ethernet8,Ethernet12,Ethernet16,Ethernet20,Ethernet24,Ethernet28": {
      "dscp_to_tc_map")",
          R"(Ethernet4": {"dscp_to_tc_map": "UP", "pfc_enable": "3,4"},
      "global": { "dscp_to_tc_map")");
  const Imported one = import_of(folder_);
  EXPECT_EQ(one.chip.classifier.priority_of_dscp[46], Priority{5}) << "six ports go by it";
  EXPECT_EQ(one.chip.dscp_table(PortId{0})[9], Priority{3});
  EXPECT_EQ(one.chip.dscp_table(PortId{1})[46], Priority{0});
  EXPECT_EQ(one.chip.dscp_table(PortId{2})[46], Priority{5});
  EXPECT_FALSE(mentions(one.import.assumed, "PORT_QOS_MAP", "", "Ethernet8")) << "it has a map";
}

TEST_F(SonicMaps, TwoMapsOfOnePortAreAContradiction) {
  copy("traditional_40g");
  replace("config_db.json", R"("DSCP_TO_TC_MAP": {)", R"("DSCP_TO_TC_MAP": { "UP": {"9": "3"},)");
  replace("config_db.json", R"("PORT_QOS_MAP": {)",
          R"("PORT_QOS_MAP": { "Ethernet4": {"dscp_to_tc_map": "UP"},)");
  const std::string message = error();
  EXPECT_NE(message.find("config_db.json:134"), std::string::npos) << message;
  EXPECT_NE(message.find("which gives Ethernet4 the map UP"), std::string::npos) << message;
}

TEST_F(SonicMaps, OtherMapsOfTrafficClassesAreListedWithWhatDiffers) {
  copy("traditional_40g");
  replace("config_db.json", R"("TC_TO_QUEUE_MAP": {)",
          R"("TC_TO_QUEUE_MAP": { "OTHER": {"3": "2"},)");
  replace("config_db.json", R"(,Ethernet24,Ethernet28": {
      "dscp_to_tc_map")",
          R"(": {
      "dscp_to_tc_map")");
  replace("config_db.json", R"("PORT_QOS_MAP": {)",
          R"("PORT_QOS_MAP": { "Ethernet24": {"tc_to_queue_map": "OTHER", "pfc_enable": "3,4"},)");
  const Imported one = import_of(folder_);
  const auto note = std::find_if(
      one.import.unmapped.begin(), one.import.unmapped.end(), [](const SonicNote& candidate) {
        return candidate.table == "PORT_QOS_MAP" && candidate.field == "tc_to_queue_map";
      });
  ASSERT_NE(note, one.import.unmapped.end());
  EXPECT_EQ(note->keys, (std::vector<std::string>{"Ethernet24"}));
  EXPECT_EQ(note->why.rfind("a chip has one map for all ports: AZURE, not the same for ", 0), 0U)
      << note->why;
  EXPECT_TRUE(mentions(one.import.assumed, "PORT_QOS_MAP", "", "Ethernet24"))
      << "it has no DSCP map";
}

TEST_F(SonicMaps, OneOfTheSameRowsUnderAnotherNameIsTheSame) {
  const Imported one = import_with("COPY", R"("46": "5", "4": "4", "3": "3", "0": "1")");
  EXPECT_FALSE(mentions(one.import.unmapped, "PORT_QOS_MAP", "dscp_to_tc_map"));
  EXPECT_FALSE(mentions(one.import.unmapped, "DSCP_TO_TC_MAP", "46"));
}

TEST_F(SonicFolder, BadDscpMapsNameFileLineKeyAndWhatIsLegal) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) fs::remove(entry);
    copy("traditional_40g");
    replace("config_db.json", from, to);
    return error();
  };
  const std::string number = refused(R"("46": "5")", R"("64": "5")");
  EXPECT_NE(number.find("config_db.json:92"), std::string::npos) << number;
  EXPECT_NE(number.find("must be a DSCP from 0 to 63"), std::string::npos) << number;
  const std::string traffic_class = refused(R"("46": "5")", R"("46": "8")");
  EXPECT_NE(traffic_class.find("config_db.json:92"), std::string::npos) << traffic_class;
  const std::string missing = refused("[DSCP_TO_TC_MAP|AZURE]", "[DSCP_TO_TC_MAP|AZUR]");
  EXPECT_NE(missing.find("is not a row of DSCP_TO_TC_MAP"), std::string::npos) << missing;
}

TEST(ConfigSonic, WhatCannotBeMappedIsListed) {
  const SonicImport import = import_of(samples / "traditional_40g").import;
  EXPECT_TRUE(mentions(import.unmapped, "PFC_WD", "POLL_INTERVAL", "GLOBAL"));
  EXPECT_FALSE(mentions(import.unmapped, "PFC_WD", "detection_time")) << "in the scenario";
  EXPECT_TRUE(mentions(import.unmapped, "VLAN", "", "Vlan1000"));
  EXPECT_TRUE(mentions(import.unmapped, "PORT", "alias", "Ethernet0"));
  EXPECT_FALSE(mentions(import.unmapped, "WRED_PROFILE", "ecn")) << "in the chip";
  EXPECT_TRUE(mentions(import.unmapped, "pg_profile_lookup.ini", "", "40000 40m"));
  EXPECT_FALSE(mentions(import.unmapped, "BUFFER_POOL", "size"));
  for (const SonicNote& note : import.unmapped) {
    EXPECT_FALSE(note.why.empty()) << note.table << " " << note.field;
    EXPECT_NE(note.why, "is not known to the importer") << note.table << " " << note.field;
  }
}

TEST_F(SonicFolder, WatchdogsAreInTheScenario) {
  copy("traditional_40g");
  const auto scenario = [&] { return sonic_scenario_toml(import_of(folder_).import, "chip.toml"); };
  EXPECT_NE(scenario().find("[watchdog.pfc0]  # PFC_WD\nports = [6]\ndetect = \"200 ms\"\n"
                            "restore = \"200 ms\"\naction = \"drop\"\n"),
            std::string::npos)
      << scenario();
  replace("config_db.json", R"("Ethernet24": {
      "action": "drop",
      "detection_time": "200",
      "restoration_time": "200")",
          R"("Ethernet24,Ethernet20": { "detection_time": "150")");
  replace("config_db.json", R"("POLL_INTERVAL": "200"
    },)",
          R"("POLL_INTERVAL": "200"
    }, "Ethernet16": { "action": "explode", "detection_time": "400", "restoration_time": "1" },)");
  const SonicImport import = import_of(folder_).import;
  EXPECT_NE(scenario().find("ports = [5, 6]\ndetect = \"150 ms\"\n"), std::string::npos);
  EXPECT_NE(scenario().find("ports = [4]\ndetect = \"400 ms\"\nrestore = \"1 ms\"\n"),
            std::string::npos);
  EXPECT_TRUE(mentions(import.unmapped, "PFC_WD", "action", "Ethernet16"));
  EXPECT_TRUE(mentions(import.assumed, "PFC_WD", "", "Ethernet24,Ethernet20"));
}

TEST_F(SonicFolder, EveryFieldIsInTheChipOrInTheList) {
  copy("traditional_40g");
  replace("buffers.json", R"("dynamic_th": "3")", R"("dynamic_th": "3", "colour": "blue")");
  replace("config_db.json", R"("mtu": "9100")", R"("mtu": "9100", "flavour": "sour")");
  const SonicImport import = import_of(folder_).import;
  EXPECT_TRUE(mentions(import.unmapped, "BUFFER_PROFILE", "colour"));
  EXPECT_TRUE(mentions(import.unmapped, "PORT", "flavour"));
}

TEST(ConfigSonic, TheDynamicModelSizesHeadroomBySonicsFormula) {
  const Imported sonic = import_of(samples / "dynamic_100g");
  const Chip& chip = sonic.chip;
  EXPECT_EQ(chip.cell, Bytes{96});
  EXPECT_EQ(chip.ingress_pools.front().headroom, Cells{651264 / 96});
  EXPECT_FALSE(chip.ingress_pools.front().dedicated_headroom);
  const Profile& near = profile_at(chip, 0, 3);
  const Profile& far = profile_at(chip, 4, 3);
  // KiB.
  EXPECT_EQ(near.headroom, Cells{843}) << "80896 B: 100G, 40 m in docs/guide/headroom.md";
  EXPECT_LT(near.headroom, far.headroom) << "300 m";
  EXPECT_EQ(near.private_cells, Cells{192}) << "xon of 18 KiB: the headroom is a pool";
  EXPECT_EQ(near.threshold.alpha, (Alpha{1, 0})) << "default_dynamic_th";
  EXPECT_EQ(profile_at(chip, 7, 3).threshold.alpha, (Alpha{1, 1})) << "the profile's own";
  EXPECT_LT(profile_at(chip, 5, 3).headroom, far.headroom)
      << "mtu 1500 on a port of the same cable";
}

TEST_F(SonicFolder, AnXoffOfZeroIsAPoolByTheRatioOrNone) {
  copy("dynamic_100g");
  replace("config_db.json", R"("xoff": "651264")", R"("xoff": "0")");
  const Chip by_ratio = import_of(folder_).chip;
  EXPECT_FALSE(by_ratio.ingress_pools.front().dedicated_headroom);
  std::uint64_t all = 0;
  for (const auto& profile : by_ratio.profile_of_pg)
    if (profile) all += by_ratio.profiles[*profile].headroom.count();
  EXPECT_LE(by_ratio.ingress_pools.front().headroom, Cells{static_cast<std::uint32_t>(all / 2)});
  EXPECT_GT(by_ratio.ingress_pools.front().headroom,
            Cells{static_cast<std::uint32_t>(all / 2 - 32)});
  replace("config_db.json", R"("over_subscribe_ratio": "2")", R"("over_subscribe_ratio": "0")");
  const Chip own = import_of(folder_).chip;
  EXPECT_TRUE(own.ingress_pools.front().dedicated_headroom);
  EXPECT_EQ(profile_at(own, 0, 3).headroom, Cells{843});
  EXPECT_EQ(profile_at(own, 0, 3).private_cells, Cells{192}) << "xon: the headroom is not in it";
}

// Names of strangers are in comments of the chip file.
TEST_F(SonicFolder, ANameThatIsNoLineStaysInItsComment) {
  copy("traditional_40g");
  replace("config_db.json", "\"Ethernet0\": {",
          "\"Ethernet0\": { \"a\\n[pool.mine]\\nsize = \\\"1 GB\\\" # \\u001b\": \"1\",");
  const Imported sonic = import_of(folder_);
  const std::string text = sonic_chip_toml(sonic.import, sonic.tables);
  EXPECT_EQ(text.find("\n[pool.mine]"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(sonic.chip.ingress_pools.size(), 1U);
}

TEST_F(SonicFolder, OverSubscriptionMakesAPoolOfAShareOfAllHeadroom) {
  copy("dynamic_100g");
  replace("config_db.json", ",\n      \"xoff\": \"651264\"", "");
  const Imported sonic = import_of(folder_);
  std::uint64_t cells = 0;
  for (const auto& index : sonic.chip.profile_of_pg) {
    if (index) cells += sonic.chip.profiles[*index].headroom.count();
  }
  const std::uint64_t pool = sonic.chip.ingress_pools.front().headroom.count();
  EXPECT_NEAR(static_cast<double>(pool), static_cast<double>(cells) / 2, 20) << "ratio 2";
}

TEST(ConfigSonic, AListOfOperationsIsReadLikeTables) {
  const Imported sonic = import_of(samples / "operations_25g");
  const Chip& chip = sonic.chip;
  EXPECT_EQ(chip.domains, 4U);
  EXPECT_EQ(chip.ingress_pools.front().shared, Cells{13071})
      << "floor(52284 / 4): published sizes are net";
  EXPECT_EQ(chip.ingress_pools.front().headroom, Cells{5041});
  EXPECT_EQ(profile_at(chip, 0, 3).headroom, Cells{320});
  EXPECT_EQ(profile_at(chip, 0, 3).private_cells, Cells{6})
      << "headroom is a pool: size is private";
}

TEST(ConfigSonic, WhatIsMissingIsAssumedAndSaid) {
  SonicOptions options;
  options.cell = Bytes{208};
  const Imported sonic = import_of(samples / "incomplete", options);
  EXPECT_TRUE(mentions(sonic.import.assumed, "CABLE_LENGTH", "", "Ethernet0"));
  EXPECT_TRUE(mentions(sonic.import.assumed, "TC_TO_PRIORITY_GROUP_MAP", ""));
  EXPECT_TRUE(mentions(sonic.import.assumed, "BUFFER_PG", "", "Ethernet12|3"));
  EXPECT_TRUE(profile_at(sonic.chip, 0, 3).lossless);
  EXPECT_FALSE(profile_at(sonic.chip, 3, 3).lossless);
}

TEST_F(SonicFolder, AnUnknownChipNeedsAnOption) {
  copy("incomplete");
  EXPECT_NE(error().find("DEVICE_METADATA|localhost.hwsku: does not say which switch chip"),
            std::string::npos)
      << error();
  SonicOptions options;
  options.asic = "trident9";
  EXPECT_EQ(error(options).substr(0, 35), "--asic = \"trident9\": must be one of")
      << error(options);
  options.asic = "trident2";
  EXPECT_EQ(error(options), "no error");
}

struct Spoiled {
  const char *file, *from, *to;
  std::string message;
};

// One error each, with file, line, key, value and what is legal.
TEST_F(SonicFolder, BadValuesNameFileLineKeyAndWhatIsLegal) {
  const Spoiled cases[] = {
      {"config_db.json", R"("speed": "40000")", R"("speed": "fast")",
       "config_db.json:15: PORT|Ethernet0.speed = \"fast\": must be a whole number"},
      {"config_db.json", R"("speed": "40000")", R"("speed": "1000000")",
       "config_db.json:15: PORT|Ethernet0.speed = \"1000000\": has no known PFC response time"},
      {"config_db.json", R"("speed": "40000")", R"("speed": "30000")",
       "config_db.json:15: PORT|Ethernet0.speed = \"30000\": " + legal_port_rates()},
      {"config_db.json", R"("speed": "40000",)", "",
       "PORT|Ethernet0.speed: is missing: the speed of the port in Mb/s"},
      {"config_db.json", R"("Ethernet0": "5m")", R"("Ethernet0": "far")",
       "CABLE_LENGTH|AZURE.Ethernet0 = \"far\": must be a length such as \"300m\", at most "
       "\"1000km\""},
      {"config_db.json", R"("Ethernet0": "5m")", R"("Ethernet0": "10000000000km")",
       "CABLE_LENGTH|AZURE.Ethernet0 = \"10000000000km\": is too large; must be a length such as "
       "\"300m\", at most \"1000km\""},
      {"config_db.json", R"("Ethernet0": "5m")", R"("Ethernet0": "7m")",
       "pg_profile_lookup.ini: row = 40000 7m: is missing, and Ethernet0 needs it; cables of this "
       "speed are 5m, 40m, 300m"},
      {"config_db.json", R"("admin_status": "up")", R"("admin_status": "maybe")",
       "PORT|Ethernet0.admin_status = \"maybe\": must be \"up\" or \"down\""},
      {"config_db.json", R"("pfc_enable": "3,4")", R"("pfc_enable": "3,9")",
       "\"3,9\": must be numbers from 0 to 7"},
      {"config_db.json", R"("pfc_enable": "3,4")", R"("pfc_enable": ["3", "4"])",
       "\"3\", \"4\"]: must be a string in quotes"},
      {"config_db.json", R"("ecn": "ecn_all")", R"("ecn": "ecn_al")",
       "WRED_PROFILE|AZURE_LOSSLESS.ecn = \"ecn_al\": must be one of ecn_none, ecn_green, "
       "ecn_yellow, ecn_red, ecn_green_yellow, ecn_green_red, ecn_yellow_red, ecn_all"},
      {"config_db.json", R"("ecn": "ecn_all")", R"("wred_green_enable": "yes")",
       "WRED_PROFILE|AZURE_LOSSLESS.wred_green_enable = \"yes\": must be \"true\" or \"false\""},
      {"config_db.json", R"("green_min_threshold": "1048576")",
       R"("green_min_threshold": "9999999")", "must be at least the 48076 cells of min"},
      {"buffers.json", R"("dynamic_th": "3")", R"("dynamic_th": "8")",
       "BUFFER_PROFILE|egress_lossy_profile.dynamic_th = \"8\": must be a whole number from -8 to "
       "7"},
      {"buffers.json", R"("dynamic_th": "3")", R"("static_th": "1", "dynamic_th": "3")",
       "must not be given with dynamic_th"},
      {"buffers.json", "[BUFFER_POOL|ingress_lossless_pool]", "[BUFFER_POOL|pond]",
       "BUFFER_PROFILE|ingress_lossy_profile.pool = \"[BUFFER_POOL|pond]\": is not a row of "
       "BUFFER_POOL"},
      {"buffers.json", "[BUFFER_POOL|ingress_lossless_pool]", "[PORT|ingress_lossless_pool]",
       "must refer to BUFFER_POOL"},
      {"buffers.json", R"("type": "ingress")", R"("type": "sideways")",
       "BUFFER_POOL|ingress_lossless_pool.type = \"sideways\": must be \"ingress\" or \"egress\""},
      {"buffers.json", R"("size": "12766208")", R"("size": "100000")",
       "BUFFER_POOL|ingress_lossless_pool.size"},
      {"buffers.json", "Ethernet28|0\"", "Ethernet99|0\"", "\"Ethernet99\": is not a port"},
      {"pg_profile_lookup.ini", "40000 5m 41808 18432 40560 -3", "40000 5m 41808 18432 40560 -9",
       "pg_profile_lookup.ini:6: threshold = \"-9\": must be a whole number from -8"},
      {"pg_profile_lookup.ini", "40000 5m 41808 18432 40560 -3", "40000 5m 41808 18432 40560 8",
       "pg_profile_lookup.ini:6: threshold = 8: must be from -8 to 7 where the pool has mode "
       "dynamic"},
      {"buffers.json", R"("mode": "dynamic")", R"("mode": "static")",
       "threshold = -3: must be from 0 to 1099511627776 where the pool has mode static, in bytes"},
      {"pg_profile_lookup.ini", "40000 5m 41808", "40000 5m 4180",
       "pg_profile_lookup.ini:6: size = 4180: must not be smaller than xoff, 40560"},
      {"pg_profile_lookup.ini", "10000 5m 34816 18432 33568 -3 2496", "10000 5m",
       "pg_profile_lookup.ini:3: row = 2 values: must be speed, cable"},
  };
  for (const Spoiled& spoiled : cases) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    copy("traditional_40g");
    replace(spoiled.file, spoiled.from, spoiled.to);
    const std::string message = error();
    EXPECT_NE(message.find(spoiled.message), std::string::npos)
        << spoiled.to << "\n  gave     " << message << "\n  expected " << spoiled.message;
  }
}

TEST_F(SonicFolder, AMissingPoolOfMadeProfilesIsNamedWithTheRowsThatThereAre) {
  copy("traditional_40g");
  replace("buffers.json", R"("ingress_lossless_pool": {)", R"("my_pool": {)");
  replace("buffers.json", "[BUFFER_POOL|ingress_lossless_pool]", "[BUFFER_POOL|my_pool]");
  const std::string message = error();
  EXPECT_NE(message.find("buffers.json:"), std::string::npos) << message;
  EXPECT_NE(message.find("BUFFER_POOL: row ingress_lossless_pool is missing; profiles made from "
                         "pg_profile_lookup.ini for Ethernet0 use it, as SONiC does; there are: "
                         "my_pool, egress_lossless_pool, egress_lossy_pool"),
            std::string::npos)
      << message;
}

TEST_F(SonicFolder, TheThresholdOfALookupRowIsInBytesWhereThePoolIsStatic) {
  copy("traditional_40g");
  replace("buffers.json", R"("mode": "dynamic")", R"("mode": "static")");
  std::ifstream in{folder_ / "pg_profile_lookup.ini"};
  std::string rows{std::istreambuf_iterator<char>{in}, {}};
  for (std::size_t at = rows.find(" -3"); at != std::string::npos; at = rows.find(" -3"))
    rows.replace(at, 3, " 1048576");
  write("pg_profile_lookup.ini", rows);
  EXPECT_EQ(error(), "no error");
  const Chip chip = import_of(folder_).chip;
  EXPECT_EQ(profile_at(chip, 0, 3).threshold.static_limit, Cells{5041}) << "1048576 B of 208 B";
}

TEST_F(SonicFolder, ContradictionsBetweenFilesAndRowsAreErrors) {
  copy("traditional_40g");
  replace("config_db.json", R"("VLAN": {)",
          R"("BUFFER_POOL": {"egress_lossy_pool": {"size": "1", "type": "egress"}}, "VLAN": {)");
  EXPECT_NE(error().find("BUFFER_POOL|egress_lossy_pool: contradicts config_db.json"),
            std::string::npos)
      << error();
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  copy("incomplete");
  replace("config_db.json", R"("Ethernet0|3-4": {)",
          R"("Ethernet0|4": {"profile": "other"}, "Ethernet0|3-4": {)");
  replace("config_db.json", R"("pg_lossless": {)",
          R"("other": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "0"},
             "pg_lossless": {)");
  SonicOptions options;
  options.cell = Bytes{208};
  EXPECT_NE(error(options).find("gives number 4 of Ethernet0 a second profile"), std::string::npos)
      << error(options);
}

TEST_F(SonicFolder, WhatIsNoSonicFolderIsRefused) {
  EXPECT_NE(error().find("is not a SONiC configuration"), std::string::npos) << error();
  write("config_db.json", "{\"PORT\": {}");
  EXPECT_NE(error().find("is not JSON"), std::string::npos) << error();
  write("config_db.json", "{\"PORT\": 4}");
  EXPECT_NE(error().find("PORT = 4: must be a table of CONFIG_DB"), std::string::npos) << error();
  write("config_db.json", "[{\"PORT_TABLE:Ethernet0\": {\"speed\": \"40000\"}, \"OP\": \"DEL\"}]");
  EXPECT_NE(error().find("must be \"SET\""), std::string::npos) << error();
  EXPECT_THROW(static_cast<void>(read_sonic(folder_ / "none")), FileError);
}

TEST(ConfigSonic, EveryNamedChipImportsAndBuilds) {
  for (const SonicAsic& asic : sonic_asics()) {
    SonicOptions options;
    options.asic = std::string{asic.name};
    const Imported sonic = import_of(samples / "incomplete", options);
    EXPECT_EQ(sonic.chip.cell, asic.cell) << asic.name;
    EXPECT_EQ(sonic.chip.domains, asic.domains) << asic.name;
  }
}

// 100,000 rows were compared with each other, row by row.
TEST_F(SonicFolder, RowsAreFoundWithoutASearch) {
  std::string rows, operations;
  for (int i = 0; i < 100'000; ++i) {
    const std::string name = "p" + std::to_string(i);
    rows += (rows.empty() ? "\"" : ",\"") + name + "\": {\"size\": \"0\"}";
    operations += (operations.empty() ? "" : ",") + std::string{"{\"T"} + std::to_string(i) +
                  ":x\": {}, \"OP\": \"SET\"}";
  }
  copy("dynamic_100g");
  write("qos.json", "{\"BUFFER_PROFILE\": {" + rows + "}}");
  write("buffers.json", "[" + operations + "]");
  const SonicTables tables = read_sonic(folder_);
  EXPECT_NE(tables.row("BUFFER_PROFILE", "p99999"), nullptr);
  EXPECT_NE(tables.row("T99999", "x"), nullptr);
  EXPECT_EQ(tables.row("T99999", "y"), nullptr);
  EXPECT_EQ(tables.table("T100000"), nullptr);
  const SonicImport import = import_sonic(tables, {});
  const auto unused = std::find_if(
      import.unmapped.begin(), import.unmapped.end(),
      [](const SonicNote& note) { return note.table == "BUFFER_PROFILE" && note.field == "size"; });
  ASSERT_NE(unused, import.unmapped.end());
  EXPECT_GE(unused->keys.size(), 100'000U);
}

TEST_F(SonicFolder, PortsAndRowsOfTheLookupAreCountedBeforeTheyAreRead) {
  std::string ports, lookup;
  for (int i = 0; i < 4097; ++i)
    ports +=
        (i == 0 ? "" : ",") + ("\"Ethernet" + std::to_string(i) + "\": {\"speed\": \"100000\"}");
  SonicOptions options;
  options.asic = "tomahawk";
  write("config_db.json", "{\"PORT\": {" + ports + "}}");
  EXPECT_EQ(error(options),
            "config_db.json:1: PORT|Ethernet4096: is one port too many: a chip has 4096 at most, "
            "and PORT has 4097 rows");
  for (int i = 0; i <= 10'000; ++i)
    lookup += "100000 " + std::to_string(i) + "m 1248 2288 99840 0\n";
  write("pg_profile_lookup.ini", lookup);
  EXPECT_EQ(error(options),
            "pg_profile_lookup.ini:10001: row = 10001: must not have more than 10000 rows");
}

}  // namespace
}  // namespace weir::sonic_test
