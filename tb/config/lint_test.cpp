// SPDX-License-Identifier: Apache-2.0
#include "weir/config/lint/lint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::lint_test {
namespace {

namespace fs = std::filesystem;

const fs::path samples = "vectors/lint";

// A scenario or chip file, or a SONiC folder.
fs::path sample(std::string_view code, const char* kind) {
  const std::string name = std::string{code} + "_" + kind;
  const fs::path file = samples / (name + ".toml");
  return fs::exists(file) ? file : samples / name;
}

std::vector<LintFinding> findings_of(const fs::path& path, const char* cable = nullptr) {
  std::optional<Millimetres> length;
  if (cable != nullptr) length = parse_length(cable);
  return lint(read_lint_subjects(path, length, SonicOptions{}));
}

bool has(const std::vector<LintFinding>& findings, std::string_view code) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const LintFinding& finding) { return finding.rule->code == code; });
}

std::string text_of(const std::vector<LintFinding>& findings) {
  std::string text;
  for (const LintFinding& finding : findings)
    text += std::string{finding.rule->code} + ": " + finding.what + "\n";
  return text;
}

std::string contents(const fs::path& file) {
  std::ifstream in{file};
  return {std::istreambuf_iterator<char>{in}, {}};
}

// Findings of the base chip with some keys changed, each on a line of its own.
std::vector<LintFinding> findings_with(const std::vector<std::string>& overrides,
                                       const char* cable = "100 m") {
  Node document = read_document(samples / "base.toml");
  for (const std::string& key : overrides) {
    // A size replaces the table that derives it.
    if (key.rfind("profile.lossless.headroom=", 0) != 0) continue;
    auto& keys = document.find("profile")->find("lossless")->children;
    keys.erase(std::remove_if(keys.begin(), keys.end(),
                              [](const Node& child) { return child.name == "headroom"; }),
               keys.end());
  }
  apply_overrides(document, overrides);
  LintSubject subject;
  subject.chip = build_chip(document);
  subject.ports.resize(subject.chip.ports.size());
  const Picoseconds delay{parse_length(cable)->count() * 5};
  for (LintPort& port : subject.ports) port.delay = delay;
  subject.layers.emplace_back(std::move(document), "");
  return lint(subject);
}

TEST(ConfigLint, CodesAreUniqueAndTheirLetterIsTheSeverity) {
  std::set<std::string_view> codes;
  for (const LintRule& rule : lint_rules()) {
    EXPECT_TRUE(codes.insert(rule.code).second) << rule.code << " is in the table twice";
    ASSERT_EQ(rule.code.size(), 4U) << rule.code;
    EXPECT_EQ(rule.code.front(), rule.severity == LintSeverity::error ? 'E' : 'W') << rule.code;
    EXPECT_FALSE(rule.title.empty() || rule.why.empty()) << rule.code;
  }
}

TEST(ConfigLint, EachRuleFindsItsBadSampleAndNothingInItsGoodOne) {
  for (const LintRule& rule : lint_rules()) {
    const auto bad = findings_of(sample(rule.code, "bad"));
    EXPECT_TRUE(has(bad, rule.code)) << rule.code << " does not find its bad sample:\n"
                                     << text_of(bad);
    const auto good = findings_of(sample(rule.code, "good"));
    EXPECT_FALSE(has(good, rule.code)) << rule.code << " finds its good sample:\n" << text_of(good);
    for (const LintFinding& finding : good)
      EXPECT_NE(finding.rule->severity, LintSeverity::error)
          << "the good sample of " << rule.code << " has " << finding.rule->code << ": "
          << finding.what;
  }
}

TEST(ConfigLint, EachFindingNamesFileLineAndWhatToWriteInstead) {
  for (const LintRule& rule : lint_rules()) {
    for (const LintFinding& finding : findings_of(sample(rule.code, "bad"))) {
      ASSERT_FALSE(finding.places.empty()) << finding.rule->code;
      const LintPlace& first = finding.places.front();
      EXPECT_TRUE(fs::exists(first.origin.file)) << finding.rule->code << " " << first.origin.file;
      EXPECT_NE(first.origin.line, 0U)
          << finding.rule->code << " of " << rule.code << " " << first.key;
      EXPECT_FALSE(first.key.empty()) << finding.rule->code;
      EXPECT_FALSE(finding.what.empty() || finding.instead.empty()) << finding.rule->code;
    }
  }
}

TEST(ConfigLint, TheLineIsTheOneThatHasTheValue) {
  const auto findings = findings_of(samples / "E102_bad.toml");
  const auto found = std::find_if(findings.begin(), findings.end(), [](const LintFinding& finding) {
    return finding.rule->code == "E102";
  });
  ASSERT_NE(found, findings.end());
  std::istringstream lines{contents(samples / "E102_bad.toml")};
  std::string line;
  for (std::uint32_t n = 0; n < found->places.front().origin.line; ++n) std::getline(lines, line);
  EXPECT_EQ(line, "headroom = \"40 cells\"");
  EXPECT_NE(found->what.find("worst_case"), std::string::npos) << found->what;
  EXPECT_NE(found->instead.find("cable = \"100 m\""), std::string::npos) << found->instead;
}

TEST(ConfigLint, AValueThatIsATableIsShownAsItIsWritten) {
  const auto findings = findings_with({}, "101 m");
  const auto found = std::find_if(findings.begin(), findings.end(), [](const LintFinding& finding) {
    return finding.rule->code == "W201";
  });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->places.front().key, "profile.lossless.headroom");
  EXPECT_EQ(found->places.front().value, "{ cable = \"100 m\", method = \"worst_case\" }");
}

TEST(ConfigLint, TheBaseOfTheSamplesIsCleanUpToItsCable) {
  EXPECT_EQ(text_of(findings_with({})), "");
  EXPECT_EQ(text_of(findings_of(samples / "base.toml", "100 m")), "");
  EXPECT_TRUE(has(findings_with({}, "101 m"), "W201")) << "a metre more takes cells that it lacks";
}

// The headroom of a paper, for frames of 1500 B, is too small for the default of 9216 B; that of
// switches is not.
TEST(ConfigLint, PresetsOfRealSwitchesHaveNoErrors) {
  for (const fs::directory_entry& entry : fs::directory_iterator("vectors/chips")) {
    if (entry.path().filename().string().rfind("dsh_", 0) == 0) {
      const auto of_the_paper = findings_of(entry.path(), "400 m");
      EXPECT_TRUE(has(of_the_paper, "E103") || has(of_the_paper, "E102")) << entry.path();
      continue;
    }
    const auto findings = findings_of(entry.path());
    for (const LintFinding& finding : findings)
      EXPECT_NE(finding.rule->severity, LintSeverity::error)
          << entry.path() << " " << finding.rule->code << ": " << finding.what;
  }
}

// A network has a subject for each switch; a finding common to all is reported once.
TEST(ConfigLint, EverySwitchOfANetworkIsLinted) {
  const fs::path file = "vectors/scenarios/permutation_leafspine16_dt_tomahawk1.toml";
  const std::vector<LintSubject> subjects = read_lint_subjects(file, std::nullopt, SonicOptions{});
  ASSERT_EQ(subjects.size(), 8U);
  EXPECT_TRUE(subjects[0].ports[0].linked) << "a host of L0";
  EXPECT_TRUE(subjects[0].ports[4].linked) << "a spine";
  EXPECT_FALSE(subjects[0].ports[8].linked);
  EXPECT_EQ(subjects[0].ports[4].delay, Picoseconds{150'000});
  EXPECT_EQ(subjects[7].ports[3].peer_response, subjects[0].chip.ports[4].response);
  // Leaves and spines have different numbers of links, so W202 reports a figure for each of the
  // two.
  EXPECT_EQ(lint(subjects).size(), 2U) << text_of(lint(subjects));
}

TEST(ConfigLint, HeadroomIsJudgedAtBothSidesOfEachBound) {
  const auto with = [](std::uint32_t cells) {
    return findings_with({"profile.lossless.headroom=" + std::to_string(cells) + " cells"});
  };
  const std::vector<LintSubject> subjects =
      read_lint_subjects(samples / "base.toml", std::nullopt, SonicOptions{});
  const LintSubject& base = subjects.front();
  HeadroomPort port = headroom_port(base.chip, PortId{0}, Millimetres{100'000});
  const std::uint32_t standard = size_headroom("standard", port).cells.count();
  const std::uint32_t worst = size_headroom("worst_case", port).cells.count();
  EXPECT_TRUE(has(with(standard - 1), "E102"));
  EXPECT_FALSE(has(with(standard), "E102"));
  EXPECT_TRUE(has(with(standard), "W201"));
  EXPECT_TRUE(has(with(worst - 1), "W201"));
  EXPECT_EQ(text_of(with(worst)), "");
}

TEST(ConfigLint, MarksAreJudgedAtBothSidesOfEachBound) {
  const auto with = [](std::uint64_t min, const std::string& more = "") {
    return findings_with({"wred.red={priorities=[3], min='" + std::to_string(min) +
                          " cells', max='16000000 cells', probability='5 %'" + more + "}"});
  };
  const std::vector<LintSubject> subjects =
      read_lint_subjects(samples / "base.toml", std::nullopt, SonicOptions{});
  const Chip& chip = subjects.front().chip;
  const std::uint64_t shared = chip.ingress_pools.front().shared.count();
  // alpha = 1/8: the least w with w >= floor((B - w) / 8), and 6 private cells.
  std::uint64_t xoff = 0;
  while (xoff < (shared - xoff) / 8) ++xoff;
  xoff += chip.profiles.front().private_cells.count();
  EXPECT_TRUE(has(with(xoff), "W211"));
  EXPECT_FALSE(has(with(xoff - 1), "W211"));
  EXPECT_TRUE(has(with(xoff - 1, ", drop=true"), "W212"));
  EXPECT_FALSE(has(with(xoff, ", drop=true"), "W212"));
  // 1/8 B / (8 (1 + 2/8)): 8 ports, 2 lossless classes.
  const std::uint64_t bound = shared / (8 * 10);
  EXPECT_TRUE(has(with(bound), "W213"));
  EXPECT_FALSE(has(with(bound - 1), "W213"));
  EXPECT_EQ(text_of(with(bound - 1)), "");
  EXPECT_FALSE(has(findings_with({"wred.red={priorities=[0], min='8 MB', max='8 MB', "
                                  "probability='5 %', drop=true}"}),
                   "W212"))
      << "a lossy queue may drop";
}

TEST(ConfigLint, MarksAreSetAgainstTheKeyThatIsWritten) {
  // SONiC says alpha as SAI does, as an exponent of 2: here in a column of pg_profile_lookup.ini.
  const auto findings = findings_of("vectors/sonic/traditional_40g");
  std::size_t found = 0;
  for (const LintFinding& finding : findings) {
    if (finding.rule->code != "W213") continue;
    ++found;
    ASSERT_EQ(finding.places.size(), 2U);
    EXPECT_EQ(finding.places[1].key, "threshold");
    EXPECT_EQ(finding.places[1].value, "-3");
  }
  EXPECT_EQ(found, 1U);
}

TEST(ConfigLint, PoolsAreJudgedAtBothSidesOfEachBound) {
  const auto pool = [](std::uint32_t cells) {
    return findings_with({"profile.lossless.headroom=600 cells",
                          "pool.main.headroom_pool=" + std::to_string(cells) + " cells"});
  };
  EXPECT_TRUE(has(pool(599), "E104"));
  EXPECT_FALSE(has(pool(600), "E104"));
  EXPECT_TRUE(has(pool(16 * 600 - 1), "W202")) << "8 ports, 2 groups each";
  EXPECT_FALSE(has(pool(16 * 600), "W202"));
  const auto listed = [](std::uint32_t cells) {
    return findings_with(
        {"profile.lossless.headroom=600 cells",
         "pool.main.reserved=[{count=1, size='" + std::to_string(cells) + " cells', what='all'}]"});
  };
  EXPECT_TRUE(has(listed(16 * 606 - 1), "E105")) << "6 private cells each";
  EXPECT_FALSE(has(listed(16 * 606), "E105"));
}

TEST(ConfigLint, XonIsJudgedByTheRuleInForce) {
  EXPECT_TRUE(has(findings_with({"profile.lossless.xon_rule=paper"}), "E109")) << "xon is 0";
  EXPECT_FALSE(has(
      findings_with({"profile.lossless.xon_rule=paper", "profile.lossless.xon=1 cell"}), "E109"));
  EXPECT_TRUE(has(findings_with({"profile.lossless.xon_offset=0 cells"}), "W206"));
  EXPECT_FALSE(has(findings_with({"profile.lossless.xon_offset=1 cell"}), "W206"));
  const auto fixed = [](const std::string& offset) {
    return findings_with({"profile.lossless.policy=static", "profile.lossless.limit=100 cells",
                          "profile.lossless.xon_offset=" + offset});
  };
  EXPECT_TRUE(has(fixed("100 cells"), "W205"));
  EXPECT_FALSE(has(fixed("99 cells"), "W205"));
}

TEST(ConfigLint, LanesSayFromWhichFrameOnTheyKeepLineRate) {
  const auto findings = findings_with({"chip.lanes=1"});
  ASSERT_TRUE(has(findings, "W208"));
  // 800 Gb/s and one frame a ns: 100 B of wire, 80 B of frame.
  EXPECT_NE(text_of(findings).find("line rate from 80 B on"), std::string::npos)
      << text_of(findings);
}

TEST(ConfigLint, StaticLimitsThatThePoolCannotKeepAreFound) {
  const auto limit = [](const std::string& cells) {
    return has(findings_with({"profile.lossless.policy=static", "profile.lossless.limit=" + cells}),
               "W203");
  };
  EXPECT_TRUE(limit("4000 cells")) << "16 x 4000 cells of 38461 less what is reserved";
  EXPECT_FALSE(limit("1000 cells"));
}

// Every policy with an alpha starts from alpha x (B - S), whatever it does next to it.
TEST(ConfigLint, AlphasOfAClassAreComparedUnderEveryPolicyThatHasOne) {
  std::size_t compared = 0;
  for (const PolicyRow& row : policy_table()) {
    const auto far_apart = [&](const std::string& alpha) {
      std::vector<std::string> keys{"profile.lossless.ports=0-5",
                                    "profile.lossless.policy=" + std::string{row.name}};
      std::string other =
          "profile.storage={priorities=[3, 4], ports='6-7', pool='main', "
          "private='1248 B', headroom='600 cells', xon_offset='16 cells', alpha='" +
          alpha + "', policy='" + std::string{row.name} + "'";
      if (row.reads("port_alpha")) {
        keys.emplace_back("profile.lossless.port_alpha=1");
        other += ", port_alpha='1'";
      }
      keys.push_back(other + "}");
      return has(findings_with(keys), "W216");
    };
    if (!row.reads("alpha")) continue;
    EXPECT_TRUE(far_apart("1")) << row.name << ": 1 next to 1/8";
    EXPECT_FALSE(far_apart("1/2")) << row.name << ": 1/2 next to 1/8";
    ++compared;
  }
  EXPECT_GE(compared, 5U) << "dynamic, two_level, dsh, abm, edt";
}

TEST(ConfigLint, ACableIsOnlyForChipFiles) {
  EXPECT_THROW(static_cast<void>(findings_of(samples / "E101_bad.toml", "5 m")), ConfigError);
  EXPECT_THROW(static_cast<void>(findings_of(samples / "E108_bad", "5 m")), ConfigError);
  EXPECT_NO_THROW(static_cast<void>(findings_of(samples / "base.toml", "5 m")));
}

TEST(ConfigLint, AProfileThatLosesItsHeadroomNamesTheLineOfItsXon) {
  const auto of_file = findings_of(samples / "W219_bad.toml");
  ASSERT_EQ(of_file.size(), 1U) << text_of(of_file);
  EXPECT_EQ(of_file[0].places[0].origin.line, 21U);
  EXPECT_EQ(of_file[0].places[0].key, "switch.tor.profile.lossless.xon_offset");
  EXPECT_EQ(of_file[0].instead, "write headroom, or lossless = false");
  const std::string xon = "profile.lossy.xon=1 kB";
  EXPECT_TRUE(has(findings_with({xon}), "W219"));
  EXPECT_TRUE(has(findings_with({"profile.lossy.xon_rule=paper"}), "W219"));
  EXPECT_FALSE(has(findings_with({xon, "profile.lossy.lossless=false"}), "W219"))
      << "it says that it is lossy";
}

TEST(ConfigLint, APoolIsUsedByAProfileOrByAnEgressPoolOfItsSize) {
  Node document = read_document(samples / "base.toml");
  apply_overrides(document, {"pool.spare={size='1 MB'}", "egress_pool.more={same_as='spare'}",
                             "queue.lossy.pool=more"});
  LintSubject subject;
  subject.chip = build_chip(document);
  subject.ports.resize(subject.chip.ports.size());
  subject.layers.emplace_back(std::move(document), "");
  EXPECT_FALSE(has(lint(subject), "W220"));
  const auto unused = findings_of(samples / "W220_bad.toml");
  ASSERT_EQ(unused.size(), 1U) << text_of(unused);
  EXPECT_EQ(unused[0].places[0].key, "switch.tor.pool.spare");
  EXPECT_EQ(unused[0].what, "no profile has the pool spare");
}

TEST(ConfigLint, TheDocumentHasTheTableOfRules) {
  const std::string text = contents("docs/reference/lint.md");
  for (const LintRule& rule : lint_rules()) {
    const std::string row = "| " + std::string{rule.code} + " | " + std::string{rule.title} +
                            " | " + std::string{rule.why} + " | " +
                            (rule.shown_by_run ? "yes" : "no") + " |\n";
    EXPECT_NE(text.find(row), std::string::npos) << "docs/reference/lint.md lacks the row\n" << row;
  }
  std::size_t rows = 0;
  for (const char* start : {"\n| E", "\n| W"}) {
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1))
      ++rows;
  }
  EXPECT_EQ(rows, lint_rules().size())
      << "docs/reference/lint.md has rows of rules that are not there";
}

}  // namespace
}  // namespace weir::lint_test
