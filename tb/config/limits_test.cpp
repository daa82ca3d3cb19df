// SPDX-License-Identifier: Apache-2.0
// What a scenario may be called and how much of it there may be: refused before it is built, with
// file, key, value and limit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "weir/config/format/document.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/format/node.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/scenario/scenario_file.hpp"

namespace weir::limits_test {
namespace {

constexpr const char* chip_file = R"([chip]
name = "small"
ports = 64
rate = "40 Gbps"
cell = "208 B"
[pool.main]
size = "12 MB"
[profile.lossless]
priorities = "0-7"
pool = "main"
headroom = "20 kB"
alpha = "1/8"
)";

constexpr const char* star = R"([scenario]
name = "n"
until = "1 ms"
[switch.tor]
file = "chip.toml"
[hosts]
count = 64
cable = "3 m"
)";

constexpr const char* clos = R"([scenario]
name = "n"
until = "1 ms"
[topology]
kind = "leaf_spine"
leaves = 4
spines = 2
hosts = 2
cable = "30 m"
[switches]
file = "chip.toml"
[hosts]
cable = "3 m"
)";

class ConfigLimits : public testing::Test {
 protected:
  ConfigLimits() {
    std::filesystem::create_directory(folder_);
    std::ofstream{folder_ / "chip.toml"} << chip_file;
  }
  ~ConfigLimits() override { std::filesystem::remove_all(folder_); }

  // The message about `text`, without the folder; "taken" when there is none.
  [[nodiscard]] std::string error(const std::string& text,
                                  const std::vector<std::string>& overrides = {}) const {
    std::ofstream{folder_ / "s.toml"} << text;
    try {
      static_cast<void>(load_scenario(folder_ / "s.toml", overrides));
    } catch (const FileError& e) {
      std::string message = e.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at = 0; (at = message.find(prefix)) != std::string::npos;)
        message.erase(at, prefix.size());
      return message;
    }
    return "taken";
  }

 private:
  const std::filesystem::path folder_{testing::TempDir() + "weir_limits_" +
                                      std::to_string(getpid())};
};

constexpr const char* legal_name = "must be 1 to 64 letters, digits, \"_\" or \"-\"";

TEST(ConfigNames, AreLettersDigitsUnderscoreAndHyphen) {
  for (const char* good : {"tor", "T0h31", "0", "_", "leaf-1_a", "agenda", "Ethernet0"})
    EXPECT_TRUE(is_name(good)) << good;
  EXPECT_TRUE(is_name(std::string(64, 'a')));
  EXPECT_FALSE(is_name(std::string(65, 'a')));
  for (int c = 1; c < 256; ++c) {
    const bool plain = c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-');
    EXPECT_EQ(is_name(std::string{"a"} + static_cast<char>(c)), plain) << "character " << c;
  }
  EXPECT_FALSE(is_name(""));
  EXPECT_FALSE(is_name(std::string_view{"a\0b", 3}));
}

TEST_F(ConfigLimits, NamesOfSwitchesAndHostsAreRefusedWhereTheyAreWritten) {
  for (const char* name : {"to r", "", "a.b", "a\\nb", "a[0]", "a,b", "\\u00e4"}) {
    const std::string key = "\"" + std::string{name} + "\"";
    std::string text = star;
    text.replace(text.find("switch.tor"), 10, "switch." + key);
    EXPECT_EQ(error(text).rfind("s.toml:4: switch.", 0), 0U) << error(text);
    EXPECT_NE(error(text).find("the name of a switch " + std::string{legal_name}),
              std::string::npos)
        << error(text);
    const std::string host = star + ("[host." + key + "]\nport = 3\ncable = '1 m'\n");
    EXPECT_NE(error(host).find("the name of a host " + std::string{legal_name}), std::string::npos)
        << error(host);
  }
  EXPECT_EQ(error(star + std::string{"prefix = 'a b'\n"}),
            "s.toml:9: hosts.prefix = \"a b\": the name of a host " + std::string{legal_name});
  EXPECT_EQ(error(clos, {"switches.names=[\"x y\"]"}),
            "--set: switches.names = [\"x y\"]: the name of a switch " + std::string{legal_name});
  EXPECT_EQ(error(star, {"hosts.prefix=agenda"}), "taken");
}

TEST_F(ConfigLimits, NamesOfPoolsAndProfilesAreRefusedWhereTheyAreWritten) {
  EXPECT_EQ(error(star + std::string{"[switch.tor.pool.'a b']\nsize = '1 MB'\n"}),
            "s.toml:9: switch.tor.pool.a b: the name of a pool " + std::string{legal_name});
  EXPECT_NE(error(star + std::string{"[switch.tor.profile.'a.b']\npool = 'main'\n"})
                .find("the name of a profile"),
            std::string::npos);
}

TEST_F(ConfigLimits, TitlesAreALineOfText) {
  EXPECT_EQ(error(star, {"switch.tor.chip.name=\"Br\\u00fccke 7: 32 x 40G\""}), "taken");
  for (const char* title : {"a\\u001bb", "a\\u007fb", "a\\u009bb", "a\\nb", "a\\u202eb"})
    EXPECT_NE(error(star, {"switch.tor.chip.name=\"" + std::string{title} + "\""})
                  .find("must be a line of text, without control characters"),
              std::string::npos)
        << title;
}

// It is the name of a folder as well.
TEST_F(ConfigLimits, TheNameOfAScenarioHasNoControlCharacter) {
  EXPECT_EQ(error(star, {"scenario.name=\"Br\\u00fccke 7\""}), "taken");
  for (const char* name : {"a\\u001bb", "a\\u007fb", "a\\u009bb", "a\\u202eb", "a/b", ".a", ""})
    EXPECT_NE(error(star, {"scenario.name=\"" + std::string{name} + "\""})
                  .find("must be a name for a folder"),
              std::string::npos)
        << name;
}

TEST(ConfigNames, APatternIsCountedBeforeItIsMade) {
  const auto made = [](const std::string& text) {
    Node pattern;
    pattern.kind = Node::Kind::text;
    pattern.text = text;
    return to_names(pattern).size();
  };
  EXPECT_EQ(made("h[0-65534]"), 65'535U);
  EXPECT_EQ(made("h[0-255][0-255]"), max_names);
  EXPECT_THROW(static_cast<void>(made("h[0-256][0-255]")), FileError);
  EXPECT_THROW(static_cast<void>(made("h[0-999][0-999][0-999]")), FileError);
  std::string many = "h";
  for (int i = 0; i < 1000; ++i) many += "[0-65534]";
  EXPECT_THROW(static_cast<void>(made(many)), FileError) << "the product would wrap";
}

TEST_F(ConfigLimits, TheNamesOfAListAreCountedTogether) {
  const std::string traffic =
      star + std::string{"[[traffic]]\nname = 'x'\nkind = 'constant'\npriority = 3\nto = 'h0'\n"};
  EXPECT_EQ(error(traffic + "from = 'h[0-999][0-999][0-999]'\n"),
            "s.toml:14: traffic[0].from = \"h[0-999][0-999][0-999]\": makes too many names: at "
            "most 65536");
  EXPECT_EQ(error(clos, {"switches.names=[\"a[0-40000]\", \"b[0-40000]\"]"}),
            "--set: switches.names[1] = \"b[0-40000]\": makes too many names: at most 65536");
}

TEST_F(ConfigLimits, SwitchesWithNamesAreCountedBeforeTheirChipsAreRead) {
  std::string switches =
      "[scenario]\nname = 'n'\nuntil = '1 ms'\n[hosts]\ncount = 2\ncable = '3 m'\n";
  for (int i = 0; i < 4097; ++i)
    switches += "[switch.s" + std::to_string(i) + "]\nfile = 'chip.toml'\n";
  EXPECT_EQ(error(switches),
            "s.toml:8199: switch.s4096: is one switch too many: a scenario has 4096 at most");
  EXPECT_EQ(
      error(star, {"switches.names='a[0-4096]'"}),
      "--set: switches.names = \"a[0-4096]\": is one switch too many: a scenario has 4096 at most");
}

TEST_F(ConfigLimits, ATopologyIsCountedBeforeItIsMade) {
  EXPECT_EQ(error(clos, {"topology.leaves=4096", "topology.hosts=4096"}),
            "s.toml:4: topology: makes 4098 switches; at most 4096");
  EXPECT_EQ(error(clos, {"topology.leaves=4000", "topology.hosts=4096"}),
            "s.toml:4: topology: makes 16384000 hosts; at most 65536");
  EXPECT_EQ(error(clos, {"topology.leaves=2000", "topology.spines=2000", "topology.links=4096"}),
            "s.toml:4: topology: makes 16384000000 links between switches; at most 262144");
}

TEST_F(ConfigLimits, ReliableConnectionsOfAllSendersAreCounted) {
  const std::string rdma =
      star + std::string{
                 "[[traffic]]\nname = 'x'\nkind = 'rdma'\npriority = 3\nto = 'h[0-63]'\n"
                 "from = 'h[0-63]'\ndestination = 'each'\nmessage = '1 kB'\n"
                 "connections = "};
  EXPECT_EQ(error(rdma + "256\n"), "taken") << "64 x 64 x 256";
  EXPECT_EQ(error(rdma + "257\n"),
            "s.toml:17: traffic[0].connections = 257: all senders together have 1052672 reliable "
            "connections; at most 1048576");
}

// 64 links, both ends, 8 classes: 1024 places; 1 ms in 102 ps is 9803922 looks.
TEST_F(ConfigLimits, AMonitorTakesAsManySamplesAsARunCanBear) {
  const std::string monitor = star + std::string{"[monitor]\nperiod = "};
  EXPECT_EQ(error(monitor + "'103 ps'\n"), "taken");
  EXPECT_EQ(error(monitor + "'102 ps'\n"),
            "s.toml:10: monitor.period = \"102 ps\": must be at least \"103 ps\": a look at the "
            "1024 classes of all ports every period makes at most 10000000000 samples");
}

TEST_F(ConfigLimits, TheHostsOfAListAreCountedTogether) {
  std::string list = "'h[0-63]'";
  for (int i = 1; i < 1024; ++i) list += ", 'h[0-63]'";
  const std::string traffic = star +
                              std::string{
                                  "[[traffic]]\nname = 'x'\nkind = 'constant'\npriority = 3\n"
                                  "from = 'h0'\ndestination = 'uniform'\nto = ["} +
                              list;
  EXPECT_EQ(error(traffic + "]\n"), "taken");
  EXPECT_EQ(error(traffic + ", 'h1']\n"),
            "s.toml:15: traffic[0].to[1024] = \"h1\": makes too many names: at most 65536");
}

TEST_F(ConfigLimits, PairsOfProbesAreCountedBeforeTheyAreMade) {
  const std::string probes = clos + std::string{
                                        "[pingmesh]\npriorities = [3]\n"
                                        "from = 'L[0-512]h[0-1]'\n"};
  EXPECT_EQ(error(probes, {"topology.leaves=513", "topology.spines=1", "switches.chip.ports=513",
                           "switches.pool.main.size=3 GB"}),
            "s.toml:16: pingmesh.from = \"L[0-512]h[0-1]\": makes 1052676 pairs; at most 1048576");
}

// As many links and hosts as there may be: each against every other would be 10^11 comparisons.
TEST_F(ConfigLimits, TheLargestNetworksAreReadInMoments) {
  EXPECT_EQ(error(clos, {"topology.leaves=64", "topology.spines=63", "topology.links=64",
                         "topology.hosts=64", "switches.chip.ports=4096",
                         "switches.pool.main.size=3 GB"}),
            "taken");
}

TEST(ConfigOverrides, AQuotedTextIsWhatIsBetweenTheQuotes) {
  const auto taken = [](const std::string& value) {
    Node root = parse_toml("", "f");
    apply_overrides(root, {"a=" + value});
    EXPECT_EQ(root.children.size(), 1U) << value;
    return root.children.front().text;
  };
  for (const auto& [value, text] :
       std::vector<std::pair<std::string, std::string>>{{"\"a#b\"", "a#b"},
                                                        {"'#'", "#"},
                                                        {"\"a\" # \"b\"", "\"a\" # \"b\""},
                                                        {"a # b", "a # b"},
                                                        {"1 # 2", "1 # 2"},
                                                        {"'a'\nb = 1", "'a'\nb = 1"},
                                                        {"\"a\\\"b\"", "a\"b"},
                                                        {"\"a", "\"a"},
                                                        {"'''a\nb'''", "a\nb"}})
    EXPECT_EQ(taken(value), text) << value;
}

TEST(ConfigOverrides, AreAsDeepAsADocumentMayBe) {
  const auto levels = [](std::size_t count) {
    std::string key = "a";
    for (std::size_t i = 1; i < count; ++i) key += ".a";
    return key + "=1";
  };
  Node root = parse_toml("", "f");
  apply_overrides(root, {levels(64)});
  EXPECT_THROW(apply_overrides(root, {levels(65)}), FileError);
  EXPECT_THROW(apply_overrides(root, {levels(60'000)}), FileError);
  std::string indices = "a";
  for (int i = 0; i < 65; ++i) indices += "[0]";
  EXPECT_THROW(apply_overrides(root, {indices + "=1"}), FileError);
}

}  // namespace
}  // namespace weir::limits_test
