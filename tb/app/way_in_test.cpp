// SPDX-License-Identifier: Apache-2.0
// Drives the built program as a new user would: presets, new files, lists,
// misspelt words, completions, manual pages, stdin, colour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace weir::test::way_in_test {
namespace {

using Json = nlohmann::json;

class WayIn : public InFolder {
 protected:
  [[nodiscard]] Outcome weir(const std::string& arguments) const {
    return shell(program() + " " + arguments);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream{at(name)} << text;
  }
};

TEST_F(WayIn, APresetRunsByItsNameAndAMisspeltOneIsSuggested) {
  const Outcome run =
      weir("run incast_star16_dt_trident2 --quiet --until '20 us' --out " + at("out"));
  EXPECT_LE(run.exit_code, 1) << run.text;  // its [expect] may need the whole run
  EXPECT_TRUE(run.says("results in")) << run.text;
  const Outcome wrong = weir("run incast_star16_dt_trident");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(wrong.says("did you mean incast_star16_dt_trident2?")) << wrong.text;
  EXPECT_TRUE(weir("show dsh_trident2").says("B, shared")) << "chips have names as well";
  EXPECT_EQ(weir("sweep alpha_star16_dt_trident2 --dry-run").exit_code, 0);
  EXPECT_EQ(weir("lint dsh_trident2 --cable 5m").exit_code,
            weir("lint vectors/chips/dsh_trident2.toml --cable 5m").exit_code);
}

TEST_F(WayIn, AProgramWithoutItsPresetsSaysWhereItLooked) {
  std::filesystem::create_directories(at("alone"));
  std::filesystem::copy_file(program(), at("alone/weir"));
  const std::string looked = "there are no presets: looked in " +
                             std::filesystem::canonical(at("alone")).parent_path().string() +
                             "/share/weir/vectors";
  for (const char* const command :
       {"run incast_star16_dt_trident2", "list scenarios", "list chips --json", "list"}) {
    const Outcome outcome = shell(at("alone/weir") + " " + command);
    EXPECT_EQ(outcome.exit_code, 2) << command << outcome.text;
    EXPECT_NE(outcome.text.find(looked), std::string::npos) << command << outcome.text;
  }
  EXPECT_EQ(shell(at("alone/weir") + " list metrics").exit_code, 0);
  EXPECT_TRUE(weir("lint nothing_star1").says("weir list chips and weir list scenarios show the"));
}

TEST_F(WayIn, EveryListHasALineForEachThing) {
  const Json lists = Json::parse(weir("list --json").text, nullptr, false);
  for (const char* const kind : {"scenarios", "chips", "sweeps", "commands", "metrics"}) {
    ASSERT_TRUE(lists.contains(kind)) << lists.dump();
    EXPECT_FALSE(lists[kind].empty()) << kind;
    for (const Json& line : lists[kind])
      EXPECT_EQ(line["about"].get<std::string>().find('\n'), std::string::npos) << line;
  }
  for (const Json& line : lists["chips"])
    EXPECT_EQ(weir("show " + line["file"].get<std::string>()).text,
              weir("show " + line["name"].get<std::string>()).text);
  EXPECT_FALSE(lists["metrics"][0].contains("file"));
  const Outcome names = weir("list chips --names");
  EXPECT_TRUE(names.says("tomahawk3_32x400g\n")) << names.text;
  EXPECT_FALSE(names.says(" ")) << "names only: " << names.text;
}

TEST_F(WayIn, NewWritesFilesThatRunAndOverwritesNone) {
  const Outcome made = weir("new sweep " + at("size.toml"));
  EXPECT_EQ(made.exit_code, 0) << made.text;
  for (const char* const file : {"tor.toml", "incast.toml", "size.toml"})
    EXPECT_NE(text_of(at(file)).find('#'), std::string::npos) << file << " has comments";
  EXPECT_EQ(weir("lint " + at("tor.toml") + " --cable 100m").exit_code, 0);
  EXPECT_EQ(weir("run " + at("incast.toml") + " --quiet --out " + at("out")).exit_code, 0);
  EXPECT_EQ(weir("sweep " + at("size.toml") + " --dry-run").exit_code, 0);
  write("tor.toml", "mine");
  EXPECT_EQ(weir("new chip " + at("tor.toml")).exit_code, 2);
  EXPECT_EQ(text_of(at("tor.toml")), "mine");
}

TEST_F(WayIn, NewRefusesTheNameOfAFileThatItWritesAsWell) {
  for (const char* const asked :
       {"scenario tor.toml", "sweep incast.toml", "sweep tor.toml", "scenario ./tor.toml"}) {
    const Outcome refused = shell("cd " + at("") + " && " +
                                  std::filesystem::absolute(program()).string() + " new " + asked);
    EXPECT_EQ(refused.exit_code, 2) << asked << refused.text;
    EXPECT_TRUE(refused.says("needs next to it; name another")) << refused.text;
    for (const char* const file : {"tor.toml", "incast.toml"})
      EXPECT_FALSE(std::filesystem::exists(at(file))) << asked << " writes nothing";
  }
}

TEST_F(WayIn, NewRefusesANameThatIsNotReadAsToml) {
  for (const char* const name : {"a.json", "a", "a.toml.json"}) {
    const Outcome refused = weir("new chip " + at(name));
    EXPECT_EQ(refused.exit_code, 2) << refused.text;
    EXPECT_TRUE(refused.says("must end in .toml, such as chip.toml")) << refused.text;
    EXPECT_FALSE(std::filesystem::exists(at(name))) << name;
  }
}

TEST_F(WayIn, AValueThatCannotBeCountedIsTooLarge) {
  const auto error_of = [&](const std::string& setting) {
    return weir("run incast_star4_dt_late_xoff --set '" + setting + "' --out " + at("out"));
  };
  const Outcome outcome = error_of("scenario.until=99999999999 h");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("is too large; must be a time such as")) << outcome.text;
  EXPECT_FALSE(error_of("scenario.until=5 parsecs").says("too large"));
}

TEST_F(WayIn, StandardInputIsReadUpToTheLimitOfADocument) {
  const Outcome outcome = shell("timeout 20 " + program() + " run - < /dev/zero");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("must not be larger than 64 MiB")) << outcome.text;
}

TEST_F(WayIn, AFullDiskIsNoErrorOfTheModel) {
  const Outcome outcome = weir("run incast_star4_dt_late_xoff --until '20 us' --quiet --out " +
                               at("out") + " --pcap /dev/full");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(outcome.says("weir: /dev/full: cannot be written: No space left")) << outcome.text;
}

TEST_F(WayIn, CompareRefusesASummaryThatNoRunWrites) {
  for (const char* const folder : {"a", "b"})
    ASSERT_LE(
        weir("run incast_star4_dt_late_xoff --until '20 us' --quiet --out " + at(folder)).exit_code,
        1);  // its [expect] may need the whole run
  const Json whole = Json::parse(text_of(at("b/summary.json")), nullptr, false);
  const auto compared = [&](const char* key, const Json& value) {
    Json changed = whole;
    changed[key] = value;
    if (value.is_null()) changed.erase(key);
    write("b/summary.json", changed.dump());
    return weir("compare " + at("a") + " " + at("b"));
  };
  EXPECT_EQ(compared("seed", whole["seed"]).exit_code, 0) << "as it was";
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, Json>>{{"time_ps", -1},
                                                 {"time_ps", nullptr},
                                                 {"totals", Json::object()},
                                                 {"totals", {{"drops", -1}}},
                                                 {"switches", nullptr},
                                                 {"scenario", 3}}) {
    const Outcome outcome = compared(key, value);
    EXPECT_EQ(outcome.exit_code, 2) << key << value << outcome.text;
    EXPECT_TRUE(outcome.says(std::string{"summary.json: "} + key)) << outcome.text;
    EXPECT_TRUE(outcome.says(at("b"))) << outcome.text;
  }
}

TEST_F(WayIn, ShowPrintsTheSameFiguresInCellsAndBytes) {
  const Json chip = Json::parse(weir("show tomahawk3_32x400g --json").text, nullptr, false);
  ASSERT_TRUE(chip.is_object());
  const std::uint64_t cell = chip["cell_bytes"];
  ASSERT_FALSE(chip["pools"].empty());
  for (const Json& pool : chip["pools"]) {
    EXPECT_GT(pool["shared"]["cells"].get<std::uint64_t>(), 0U);
    EXPECT_EQ(pool["shared"]["bytes"], pool["shared"]["cells"].get<std::uint64_t>() * cell);
  }
  // T of an empty switch is alpha x B, rounded down.
  const Json first = Json::parse(
      weir("show docs/guide/first/tor.toml --set profile.lossless.alpha=1/8 --json").text, nullptr,
      false);
  EXPECT_EQ(first["profiles"][0]["threshold_empty"]["cells"].get<std::uint64_t>(),
            first["pools"][0]["shared"]["cells"].get<std::uint64_t>() / 8);
}

TEST_F(WayIn, ShowSaysWhatIsOfADomainAndWhatOfTheChip) {
  const Json chip = Json::parse(weir("show tomahawk3_32x400g --json").text, nullptr, false);
  ASSERT_EQ(chip["domains"], 2);
  for (const char* const pools : {"pools", "egress_pools"})
    for (const Json& pool : chip[pools]) {
      EXPECT_EQ(pool.value("first_domain", -1), 0) << pools << pool;
      EXPECT_EQ(pool.value("last_domain", -1), 1) << pools << pool;
    }
  const Outcome two = weir("show tomahawk3_32x400g");
  EXPECT_TRUE(two.says("pool lossless, in each of domains 0 to 1\n")) << two.text;
  EXPECT_TRUE(two.says("egress pool lossless, in each of domains 0 to 1\n")) << two.text;
  // 27,200,352 B of the chip file are 107,088 cells of the chip.
  EXPECT_TRUE(two.says("53,544 cells, 13,600,176 B per domain; 107,088 cells of the chip\n"))
      << two.text;
  EXPECT_TRUE(two.says("; of each group\n")) << two.text;
  const Outcome one = weir("show arista_7050qx_32");
  EXPECT_FALSE(one.says("domains 0")) << one.text;
  EXPECT_FALSE(one.says("per domain")) << one.text;
  const Outcome first = weir("show docs/guide/first/tor.toml");
  EXPECT_TRUE(first.says("headroom pool  none: every group has its own\n")) << first.text;
  EXPECT_TRUE(first.says("headroom pool  none\n")) << "lossy groups have none: " << first.text;
}

// Files that the program names after one of the user's, such as the list for GTKWave.
TEST_F(WayIn, AnOutputWithoutAFolderIsInTheCurrentOne) {
  const std::string here = "cd " + at("") + " && " + std::filesystem::absolute(program()).string();
  const Outcome run = shell(here + " run incast_star4_dt_late_xoff --until '20 us' --quiet --out " +
                            at("out") + " --wave run.vcd");
  EXPECT_LE(run.exit_code, 1) << run.text;
  EXPECT_NE(text_of(at("run.gtkw")).find("run.vcd"), std::string::npos) << run.text;
}

// Who reads "quiet" expects to see nothing at all.
TEST_F(WayIn, TheHelpOfQuietSaysWhatIsStillPrinted) {
  for (const auto& [command, words] : std::vector<std::pair<std::string, std::string>>{
           {"run", "the summary is printed"},
           {"sweep", "No progress on stderr; the closing lines are printed"},
           {"size", "No progress on stderr; the sizes are printed"}}) {
    std::string help = weir(command + " --help").text;
    for (std::size_t at = 0; (at = help.find_first_of(" \n", at)) != std::string::npos; ++at)
      help.replace(at, std::min(help.find_first_not_of(" \n", at), help.size()) - at, " ");
    EXPECT_NE(help.find(words), std::string::npos) << help;
  }
}

TEST_F(WayIn, AKeyIsSetWhereverAChipIsRead) {
  const std::string tor = "docs/guide/first/tor.toml";
  const std::string small = "--set 'profile.lossless.headroom=8 kB' ";
  EXPECT_EQ(weir("lint --cable 100m " + tor).exit_code, 0);
  const Outcome chip = weir("lint --cable 100m " + small + tor);
  EXPECT_EQ(chip.exit_code, 1);
  EXPECT_TRUE(chip.says("E102")) << chip.text;
  EXPECT_TRUE(chip.says("--set: profile.lossless.headroom = \"8 kB\"")) << chip.text;
  const Outcome scenario =
      weir("lint --set 'switch.tor.profile.lossless.headroom=8 kB' docs/guide/first/incast.toml");
  EXPECT_EQ(scenario.exit_code, 1);
  EXPECT_TRUE(scenario.says("--set: switch.tor.profile.lossless.headroom = \"8 kB\""))
      << scenario.text;
  const Outcome folder = weir("lint --set chip.cell='256 B' vectors/sonic/traditional_40g");
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_TRUE(folder.says("--set = chip.cell=256 B: is for chip files and scenarios"))
      << folder.text;
  const Outcome probed = weir("probe --set profile.lossless.alpha=1/2 " + tor);
  EXPECT_EQ(probed.exit_code, 0) << probed.text;
  EXPECT_NE(probed.text, weir("probe " + tor).text);
  const Outcome cosim = weir("cosim --set chip.lanes=65 arista_7050qx_32");
  EXPECT_EQ(cosim.exit_code, 2);
  EXPECT_TRUE(cosim.says("chip.lanes = 65: must be 1 to 64")) << cosim.text;
}

TEST_F(WayIn, OptionsOfSonicFoldersAreRefusedForOtherFiles) {
  const std::string tor = "docs/guide/first/tor.toml";
  const auto refused = [&](const std::string& command, const std::string& text) {
    const Outcome outcome = weir(command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_TRUE(outcome.says(text)) << command << "\n" << outcome.text;
  };
  const std::string chip = ": is for SONiC folders; a chip file has chip.";
  refused("lint --cell 999 " + tor, "--cell = 999" + chip + "cell");
  refused("lint --domains 7 " + tor, "--domains = 7" + chip + "domains");
  refused("lint --domain-ports 0=0 " + tor, "--domain-ports = 0=0" + chip + "domain_of_port");
  refused("lint --memory '16 MB' " + tor, "--memory = 16 MB" + chip + "memory");
  refused("probe --asic trident2 " + tor, "--asic = trident2" + chip + "cell and domains");
  refused("probe --asic trident2 --cases vectors/silicon/public.json",
          "--asic = trident2: is for SONiC folders; each case has its chip");
  refused("lint --cell 999 docs/guide/first/incast.toml",
          "--cell = 999: is for SONiC folders; a scenario has switch.NAME.chip.cell");
}

TEST_F(WayIn, ExplainKnowsCodesAndMetrics) {
  EXPECT_TRUE(weir("explain W202").says("why"));
  EXPECT_EQ(weir("explain w202").text, weir("explain W202").text);
  EXPECT_TRUE(weir("explain pause_time").says("metric"));
  const Outcome wrong = weir("explain pause_tim");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(wrong.says("did you mean pause_time?")) << wrong.text;
}

TEST_F(WayIn, AMisspeltWordIsNamedWithWhatItMayMean) {
  for (const auto& [arguments, words] : std::vector<std::pair<std::string, std::string>>{
           {"runn", "no such command: runn, did you mean run?"},
           {"", "a command is missing"},
           {"run x.toml --untill '1 ms'", "no such option: --untill, did you mean --until?"},
           {"import soni", "no such command: soni, did you mean sonic?"},
           {"run vectors/chips/dsh_trident2.toml", "is a chip file, not a scenario"},
           {"run vectors/sweeps/late.toml", "is a sweep file, not a scenario"},
           {"sweep vectors/scenarios/incast_star16_dt_trident2.toml",
            "is a scenario file, not a sweep"},
           {"show vectors/scenarios/incast_star16_dt_trident2.toml",
            "is a scenario file, not a chip"},
           {"cosim vectors/sweeps/late.toml", "is a sweep file, not a chip"},
           {"run incast_star16_dt_trident2 --set "
            "switch.tor.file=incast_star4_dt_late_xoff.toml",
            "is a scenario file, not a chip"},
           {"run vectors", "this is a directory"},
           {"run incast_star16_dt_trident2 --set alpha=1/16",
            "did you mean switch.tor.profile.lossless.alpha or "},
           {"lint vectors/lint/E101_bad.toml --cable 5m", "--cable = 5 m: "}}) {
    const Outcome outcome = weir(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.text;
    EXPECT_TRUE(outcome.says(words)) << arguments << "\n" << outcome.text;
  }
  EXPECT_EQ(weir("-V").text, weir("--version").text);
}

TEST_F(WayIn, HelpIsAlsoAWord) {
  for (const auto& [words, options] : std::vector<std::pair<std::string, std::string>>{
           {"help", "--help"},
           {"help run", "run --help"},
           {"help import sonic", "import sonic --help"}}) {
    const Outcome outcome = weir(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_TRUE(outcome.says("Usage: weir")) << outcome.text;
    EXPECT_EQ(outcome.text, weir(options).text);
  }
  const Outcome wrong = weir("help runn");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(wrong.says("no such command: runn, did you mean run?")) << wrong.text;
}

TEST_F(WayIn, AllErrorsOfAFileAreLinesOfTheirOwn) {
  write(
      "bad.toml",
      "[chip]\nname = \"x\"\nports = 4\nrate = \"100 Gbps\"\ncell = \"0 B\"\nmtuu = 1\n"
      "[pool.main]\nsize = 4\n[profile.all]\npriorities = \"0-7\"\npool = \"main\"\nalpha = 0.3\n");
  const Outcome outcome = weir("lint " + at("bad.toml"));
  EXPECT_EQ(outcome.exit_code, 2);
  std::size_t from = 0;
  for (const char* const place :
       {"bad.toml:5: ", "bad.toml:6: ", "bad.toml:8: ", "bad.toml:12: "}) {
    const std::size_t found = outcome.text.find(place, from);
    EXPECT_NE(found, std::string::npos) << place << "\n" << outcome.text;
    from = std::min(found, outcome.text.size());
  }
  EXPECT_TRUE(outcome.says("weir: 4 errors")) << outcome.text;
}

TEST_F(WayIn, StdinIsAFileCalledMinus) {
  const Outcome run = shell("cd docs/guide/first && cat incast.toml | " + program() +
                            " run - --quiet --out " + at("out"));
  EXPECT_EQ(run.exit_code, 0) << run.text;
  const Outcome bad = shell("echo '[scenario]' | " + program() + " run -");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_TRUE(bad.says("stdin:1: ")) << bad.text;
  EXPECT_EQ(
      shell("cat docs/guide/first/tor.toml | " + program() + " lint - --cable 100m").exit_code, 0);
}

TEST_F(WayIn, TheCommandOfARunCanBePastedIntoAShell) {
  const std::string out = at("a b");
  ASSERT_EQ(weir("run docs/guide/first/incast.toml --quiet --until '100 us' --out '" + out + "'")
                .exit_code,
            0);
  const Json run = Json::parse(text_of(out + "/run.json"));
  const std::string command = run["command"];
  EXPECT_NE(command.find("--until '100 us'"), std::string::npos) << command;
  const Outcome again =
      shell("weir() { " + program() + " \"$@\"; }; " + command + " && echo pasted");
  EXPECT_TRUE(again.says("pasted")) << again.text;
}

TEST_F(WayIn, JsonIsThereWhereTextIs) {
  ASSERT_EQ(
      weir("run docs/guide/first/incast.toml --quiet --until '50 us' --out " + at("a")).exit_code,
      0);
  const Json compared =
      Json::parse(weir("compare " + at("a") + " " + at("a") + " --json").text, nullptr, false);
  EXPECT_GT(compared["compared_figures"].get<std::uint64_t>(), 0U);
  EXPECT_TRUE(compared["totals"].empty()) << "a run is equal to itself";
  const Json page = Json::parse(weir("report " + at("a") + " --json").text, nullptr, false);
  EXPECT_EQ(page["page"], at("a") + "/report.html");
  const Json sweep =
      Json::parse(weir("sweep docs/guide/first/size.toml --json --quiet --out " + at("s")).text,
                  nullptr, false);
  EXPECT_EQ(sweep["finished_points"], 3);
  EXPECT_EQ(sweep["failed_points"], 0);
}

// Runs the completion in bash itself.
TEST_F(WayIn, BashCompletesCommandsOptionsValuesAndPresets) {
  const auto complete = [&](const std::string& line) {
    const std::string words = "(weir " + line + ")";
    return shell("bash -c '" + program() + " completion bash > " + at("weir.bash") + "; source " +
                 at("weir.bash") + "; COMP_WORDS=" + words + "; COMP_WORDS[0]=" + program() +
                 "; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _weir; printf \"%s\\n\" "
                 "\"${COMPREPLY[@]}\"'")
        .text;
  };
  EXPECT_EQ(complete("ru"), "run\n");
  EXPECT_EQ(complete("run --unt"), "--until\n");
  EXPECT_EQ(complete("run --backend lo"), "lockstep\n");
  EXPECT_EQ(complete("run incast_star16_dt_tr"), "incast_star16_dt_trident2\n");
  EXPECT_EQ(complete("headroom --chip dsh_tri"), "dsh_trident2\n");
  EXPECT_EQ(complete("list chi"), "chips\n");
}

TEST_F(WayIn, EveryCommandHasAManualPageAndIsInEachCompletion) {
  ASSERT_EQ(weir("man --all " + at("share")).exit_code, 0);
  const Json commands = Json::parse(weir("list commands --json").text)["commands"];
  ASSERT_GT(commands.size(), 10U);
  for (const Json& command : commands) {
    const std::string name = command["name"];
    const std::string page = at("share/man/man1/weir-" + name + ".1");
    EXPECT_NE(text_of(page).find(".SH OPTIONS"), std::string::npos) << name;
    for (const char* const script : {"bash-completion/completions/weir", "zsh/site-functions/_weir",
                                     "fish/vendor_completions.d/weir.fish"})
      EXPECT_NE(text_of(at(std::string{"share/"} + script)).find(name), std::string::npos)
          << name << " in " << script;
  }
  for (const Json& command : commands) {
    const std::string page = at("share/man/man1/weir-" + command["name"].get<std::string>() + ".1");
    EXPECT_EQ(shell("groff -man -Tascii -ww -z " + page).text, "") << "nothing to complain of";
  }
  const Outcome shown = shell("MANWIDTH=80 man -l " + at("share/man/man1/weir-run.1"));
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_TRUE(shown.says("--until")) << shown.text;
}

TEST_F(WayIn, ColourIsForTerminalsWithoutNoColor) {
  const std::string bad = program() + " lint vectors/lint/E101_bad.toml";
  EXPECT_FALSE(shell(bad).says("\033[")) << "a pipe";
  const auto on_terminal = [&](const std::string& environment) {
    return shell("script -qec '" + environment + " " + bad + "' /dev/null < /dev/null");
  };
  EXPECT_TRUE(on_terminal("env -u NO_COLOR TERM=xterm").says("\033[1;31mE101 error\033[0m"));
  EXPECT_FALSE(on_terminal("env NO_COLOR=1 TERM=xterm").says("\033["));
  EXPECT_FALSE(on_terminal("env -u NO_COLOR TERM=dumb").says("\033["));
}

}  // namespace
}  // namespace weir::test::way_in_test
