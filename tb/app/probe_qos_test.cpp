// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir probe --qos-params counts on SONiC folders what weir probe --cases
// counts on the configurations that these folders are made of (scripts/doc/silicon-folders).
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "support/program.hpp"

namespace weir::test::probe_qos_test {
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

// The published test fills 37 groups of one memory domain: 19 ports, of 32 in two domains.
TEST_F(ProbeQos, PortsOfADomainAreSaidByAnOption) {
  const std::string folder = folders + "th3_t1_400g_300m";
  const Json made = json_of(
      probe("--qos-params " + folder + " --json --domain-ports 0=0,2,4,6,8,10,12,14,16-26"));
  ASSERT_FALSE(made.is_discarded());
  const Json pool = made["blocks"]["400000_300m"]["hdrm_pool_size"];
  EXPECT_EQ(pool["pgs_num"], 37);
  EXPECT_EQ(pool["pkts_num_hdrm_full"], 1472);
  EXPECT_EQ(pool["pkts_num_hdrm_partial"], 552);
  EXPECT_EQ(pool["pkts_num_trig_pfc"], 1857) << "1856 published";
  EXPECT_EQ(pool["src_port_ids"].size(), 19U);
  const Json figures = predictions("th3_t1_400g_300m");
  EXPECT_EQ(figures["hdrm_pool_total=(pgs_num-1)*full+partial"], 36 * 1472 + 552);
  EXPECT_EQ(figures["trig_pfc_equal_fill_37pgs"], pool["pkts_num_trig_pfc"]);
  for (const auto& [ports, message] : {std::pair{"0", "must be a domain and its ports"},
                                       {"2=0", "from 0 to 1"},
                                       {"0=32", "from 0 to 31"},
                                       {"0=3 --domain-ports 1=0-4", "port 3 is in two domains"}}) {
    const Outcome refused = probe("--qos-params " + folder + " --domain-ports " + ports);
    EXPECT_EQ(refused.exit_code, 2) << refused.text;
    EXPECT_TRUE(refused.says(message)) << refused.text;
    EXPECT_TRUE(refused.says("--domain-ports")) << refused.text;
  }
}

// What tests/qos/test_qos_sai.py of sonic-mgmt reads of each section without a default.
TEST_F(ProbeQos, EverySectionHasTheKeysThatItsTestReads) {
  const std::map<std::string, std::set<std::string>> keys{
      {"xoff_1", {"dscp", "ecn", "pg", "pkts_num_trig_pfc", "pkts_num_trig_ingr_drp"}},
      {"xoff_2", {"dscp", "ecn", "pg", "pkts_num_trig_pfc", "pkts_num_trig_ingr_drp"}},
      {"xon_1", {"dscp", "ecn", "pg", "pkts_num_trig_pfc", "pkts_num_dismiss_pfc"}},
      {"xon_2", {"dscp", "ecn", "pg", "pkts_num_trig_pfc", "pkts_num_dismiss_pfc"}},
      {"hdrm_pool_size",
       {"dscps", "ecn", "pgs", "src_port_ids", "dst_port_id", "pgs_num", "pkts_num_trig_pfc",
        "pkts_num_hdrm_full", "pkts_num_hdrm_partial"}},
      {"lossy_queue_1", {"dscp", "ecn", "pg", "pkts_num_trig_egr_drp"}},
      {"wm_pg_shared_lossless",
       {"dscp", "ecn", "pg", "pkts_num_fill_min", "pkts_num_trig_pfc", "cell_size"}},
      {"wm_pg_shared_lossy",
       {"dscp", "ecn", "pg", "pkts_num_fill_min", "pkts_num_trig_egr_drp", "cell_size"}},
      {"wm_pg_headroom",
       {"dscp", "ecn", "pg", "pkts_num_trig_pfc", "pkts_num_trig_ingr_drp", "cell_size"}},
      {"wm_q_shared_lossless",
       {"dscp", "ecn", "queue", "pkts_num_fill_min", "pkts_num_trig_ingr_drp", "cell_size"}},
      {"wm_q_shared_lossy",
       {"dscp", "ecn", "queue", "pkts_num_fill_min", "pkts_num_trig_egr_drp", "cell_size"}},
      {"wm_buf_pool_lossless",
       {"dscp", "ecn", "pg", "queue", "pkts_num_fill_ingr_min", "pkts_num_trig_pfc", "cell_size"}},
      {"wm_buf_pool_lossy",
       {"dscp", "ecn", "pg", "queue", "pkts_num_fill_egr_min", "pkts_num_trig_egr_drp",
        "cell_size"}},
      {"pg_drop",
       {"dscp", "ecn", "pg", "queue", "pkts_num_trig_pfc", "pkts_num_trig_ingr_drp", "iterations",
        "pkts_num_margin"}}};
  const Json made = json_of(probe("--qos-params " + folders + "td3_t0_100g_300m_alpha1_8 --json"));
  ASSERT_FALSE(made.is_discarded());
  const Json& block = made["blocks"]["100000_300m"];
  for (const auto& [section, names] : keys)
    for (const std::string& name : names)
      EXPECT_TRUE(block.value(section, Json::object()).contains(name)) << section << " " << name;
  const Json pool = block["hdrm_pool_size"];
  EXPECT_EQ(pool["pgs"], (Json{3, 4}));
  EXPECT_LE(pool["pgs_num"], 2 * pool["src_port_ids"].size());
  EXPECT_EQ(made["topology"]["cell_size"], 256);
}

TEST_F(ProbeQos, ASectionHasADscpThatMeansItsClass) {
  const Json made = json_of(probe("--qos-params vectors/sonic/traditional_40g --json"));
  ASSERT_FALSE(made.is_discarded());
  const Json& block = made["blocks"]["40000_5m"];
  EXPECT_EQ(block["xoff_2"]["dscp"], 4);
  EXPECT_EQ(block["lossy_queue_1"]["dscp"], 1) << "0 is class 1; what is not mapped is class 0";
}

TEST_F(ProbeQos, SharedReservationsAreFillsThatEndAtAnXoff) {
  const std::string folder = folders + "td2_any_40g_300m";
  const Json made = json_of(probe("--qos-params " + folder + " --json"));
  ASSERT_FALSE(made.is_discarded());
  // Weir's own test of the same chip fills the same groups to their XOFF, one after the other.
  shell(program() + " import sonic " + folder + " --out " + at("td2"));
  const Json chip = json_of(probe(at("td2/chip.toml") + " --json"));
  for (const auto& [name, step] : {std::pair{"shared_res_size_1", 1U}, {"shared_res_size_2", 2U}}) {
    const Json section = made["topology"][name];
    const std::size_t fills = section["pkt_counts"].size();
    ASSERT_EQ(fills, 9U) << section;
    for (const char* const list : {"dscps", "pgs", "queues", "src_port_i", "dst_port_i"})
      EXPECT_EQ(section[list].size(), fills) << list;
    for (const char* const list : {"pgs", "src_port_i"})
      EXPECT_EQ(section[list][fills - 1], section[list][fills - 2]) << "the same group " << list;
    std::uint64_t sum = 0;
    for (const Json& count : section["pkt_counts"]) sum += count.get<std::uint64_t>();
    EXPECT_EQ(section["pkt_counts"][fills - 1], 1);
    EXPECT_EQ(section["shared_limit_bytes"], sum * 208) << "one packet less is below it";
    EXPECT_EQ(section["pkt_counts"][0],
              made["blocks"]["40000_300m"]["xoff_1"]["pkts_num_trig_pfc"]);
    for (std::size_t i = 0; step == 1 && i + 2 < fills; ++i)
      EXPECT_EQ(section["pkt_counts"][i], chip["each_to_xoff_then_headroom"][i]["xoff_packet"])
          << i;
    for (std::size_t i = 0; i + 2 < fills; ++i)
      EXPECT_EQ(section["src_port_i"][i], i * step / 2) << name;
  }
}

TEST_F(ProbeQos, SharedReservationsAreComparedWhereTheFillsAreTheSame) {
  const std::string folder = folders + "td2_any_40g_300m", file = at("qos.yaml");
  EXPECT_EQ(probe("--qos-params " + folder + " --out " + file).exit_code, 0);
  const std::string text = text_of(file);
  const auto against = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t where = changed.find(from, changed.find("shared_res_size_1"));
    EXPECT_NE(where, std::string::npos) << from;
    changed.replace(where, from.size(), to);
    std::ofstream{at("changed.yaml")} << changed;
    return probe("--qos-params " + folder + " --against " + at("changed.yaml"));
  };
  const Outcome stale = against("pkt_counts: [4898", "pkt_counts: [4888");
  EXPECT_EQ(stale.exit_code, 1) << stale.text;
  EXPECT_TRUE(stale.says("shared_res_size_1/pkt_counts[0] = 4888: Weir counts 4898")) << stale.text;
  const Outcome others = against("src_port_i: [0, 0", "src_port_i: [5, 5");
  EXPECT_EQ(others.exit_code, 0) << others.text;
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
}  // namespace weir::test::probe_qos_test
