// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir probe --qos-params counts on SONiC folders what weir probe --cases
// counts on the configurations that these folders are made of (scripts/doc/silicon-folders).
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "support/program.hpp"

namespace weir::test {
namespace {

using Json = nlohmann::json;

const std::string folders = "vectors/sonic/silicon/";

class ProbeQos : public InFolder {
 protected:
  [[nodiscard]] static Outcome probe(const std::string& arguments) {
    return shell(program() + " probe " + arguments);
  }
  static Json json_of(const Outcome& outcome) { return Json::parse(outcome.text, nullptr, false); }
};

// Predictions of a case, by quantity.
Json predictions(const std::string& name) {
  const Outcome outcome =
      shell(program() + " probe --cases vectors/silicon/public.json --case " + name + " --json");
  Json figures = Json::object();
  for (const Json& figure : Json::parse(outcome.text, nullptr, false))
    figures[figure["quantity"].get<std::string>()] = figure["predicted"];
  return figures;
}

struct Folder {
  const char *name, *asic, *block;
  std::size_t figures;  // of the case that the folder shows
};

TEST_F(ProbeQos, FoldersOfEveryChipFamilyGiveThePredictionsOfTheirCases) {
  for (const Folder& folder : {Folder{"td2_any_40g_300m", "td2", "40000_300m", 4},
                               {"th_any_40g_300m", "th", "40000_300m", 7},
                               {"th_any_100g_300m", "th", "100000_300m", 7},
                               {"th2_any_40g_300m_alpha1_8", "th2", "40000_300m", 7},
                               {"td3_t0_100g_300m_alpha1_8", "td3", "100000_300m", 7},
                               {"th3_t1_400g_300m", "th3", "400000_300m", 4},
                               {"th5_ft2_800g_5m_old", "th5", "800000_5m", 6}}) {
    const Outcome outcome = probe("--qos-params " + folders + folder.name + " --json");
    const Json made = json_of(outcome);
    ASSERT_FALSE(made.is_discarded()) << outcome.text;
    EXPECT_EQ(made["asic"], folder.asic);
    const Json& block = made["blocks"][folder.block];
    std::size_t compared = 0;
    const Json figures = predictions(folder.name);
    for (const auto& [name, predicted] : figures.items()) {
      const auto same = [&](const Json& counted) {
        ++compared;
        EXPECT_EQ(counted, predicted) << folder.name << ": " << name;
      };
      const Json pool = block.value("hdrm_pool_size", Json::object());
      if (name == "trig_pfc") {
        for (const char* section : {"wm_pg_headroom", "wm_buf_pool_lossless", "pg_drop"})
          EXPECT_EQ(block[section]["pkts_num_trig_pfc"], predicted) << folder.name << section;
        same(block["xoff_1"]["pkts_num_trig_pfc"]);
      } else if (name == "trig_ingr_drp") {
        same(block["xoff_1"]["pkts_num_trig_ingr_drp"]);
        EXPECT_EQ(block["xoff_2"]["pkts_num_trig_ingr_drp"], predicted) << folder.name;
      } else if (name == "xon_dismiss") {
        same(block["xon_1"]["pkts_num_dismiss_pfc"]);
      } else if (name == "lossy_trig_egr_drp" && block.contains("lossy_queue_1")) {
        same(block["lossy_queue_1"]["pkts_num_trig_egr_drp"]);
      } else if (name == "hdrm_full" && !pool.empty()) {
        same(pool["pkts_num_hdrm_full"]);
      } else if (name.rfind("hdrm_pool_total", 0) == 0 && !pool.empty()) {
        same(pool["pkts_num_hdrm_full"].get<std::int64_t>() *
                 (pool["pgs_num"].get<std::int64_t>() - 1) +
             pool["pkts_num_hdrm_partial"].get<std::int64_t>());
      } else if (name == "trig_pfc_equal_fill_" + pool.value("pgs_num", Json{0}).dump() + "pgs") {
        same(pool["pkts_num_trig_pfc"]);
      }
    }
    EXPECT_EQ(compared, folder.figures) << folder.name;
  }
}

TEST_F(ProbeQos, TheFoldersAreWhatTheScriptMakesOfTheCases) {
  const Outcome outcome = shell("scripts/doc/silicon-folders --check");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

TEST_F(ProbeQos, ItsOwnFileIsNotStaleAndAChangedNumberIs) {
  const std::string folder = folders + "td2_any_40g_300m", file = at("qos.yaml");
  const Outcome written = probe("--qos-params " + folder + " --out " + file);
  EXPECT_EQ(written.exit_code, 0) << written.text;
  const std::string text = text_of(file);
  EXPECT_NE(text.find("pg_profile_lookup.ini:2"), std::string::npos)
      << "the line that made it: " << text;
  EXPECT_EQ(probe("--qos-params " + folder + " --against " + file).exit_code, 0);
  // 4898 and 5164 are published; the bound is one packet.
  for (const auto& [xoff, exit_code] : {std::pair{"4899", 0}, {"4900", 1}, {"4896", 1}}) {
    std::ofstream{at("changed.yaml")}
        << "qos_params:\n  td2:\n    topo-any:\n      40000_300m:\n        xoff_1: # both\n"
        << "            dscp: 3\n            ids: [1,\n               2]\n            "
        << "pkts_num_trig_pfc: " << xoff << "\n            pkts_num_trig_ingr_drp: 5164\n"
        << "  th:\n    topo-any:\n      40000_300m:\n        xoff_1:\n          "
        << "pkts_num_trig_pfc: 1\n";
    const Outcome outcome = probe("--qos-params " + folder + " --against " + at("changed.yaml"));
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.text;
    EXPECT_TRUE(outcome.says("2 numbers compared")) << "of its chip alone: " << outcome.text;
    const bool names_it = outcome.says(
        "changed.yaml:9: qos_params/td2/topo-any/40000_300m/xoff_1/pkts_num_trig_pfc = " +
        std::string{xoff} + ": Weir counts 4898");
    EXPECT_EQ(names_it, exit_code != 0) << outcome.text;
  }
}

TEST_F(ProbeQos, BadFilesAndFoldersAreRefused) {
  const std::string folder = folders + "td2_any_40g_300m";
  std::ofstream{at("tab.yaml")} << "qos_params:\n\ttd2:\n";
  std::ofstream{at("other.yaml")} << "qos_params:\n  td2:\n    topo-any:\n      1_5m: 3\n";
  const Outcome tab = probe("--qos-params " + folder + " --against " + at("tab.yaml"));
  EXPECT_EQ(tab.exit_code, 2) << tab.text;
  EXPECT_TRUE(tab.says("tab.yaml:2: a tab")) << tab.text;
  const Outcome other = probe("--qos-params " + folder + " --against " + at("other.yaml"));
  EXPECT_EQ(other.exit_code, 2) << other.text;
  EXPECT_TRUE(other.says("has no number of td2 40000_300m")) << other.text;
  EXPECT_EQ(probe("--qos-params " + at("none")).exit_code, 2);
  EXPECT_EQ(probe("--against " + at("tab.yaml")).exit_code, 2);
  EXPECT_EQ(probe("vectors/chips/dsh_trident2.toml --qos-params " + folder).exit_code, 2);
}

}  // namespace
}  // namespace weir::test
