// SPDX-License-Identifier: Apache-2.0
// No text of a file reaches the screen with control characters in it, whatever the command.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "weir/core/printable.hpp"

namespace weir::screen_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using test::Outcome;
using test::text_of;
using test::with_all;

constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";
constexpr const char* chip = "vectors/chips/arista_7050qx_32.toml";

// A title for the window, a cleared screen, C1, a false line, text that runs backwards, NUL.
const std::string hostile =
    "a\x1b]0;x\x07\x1b[2J\u009b2J\nFAKE\r\u202eb\u2066\x7f" + std::string(1, '\0');
constexpr const char* hostile_in_toml =
    R"("a\u001b]0;x\u0007\u001b[2J\u009b2J\nFAKE\r\u202eb\u2066\u007f\u0000")";

class Screen : public test::InFolder {
 protected:
  void SetUp() override {
    // The value of `name` becomes the hostile one, all else stays.
    const auto write = [&](const std::string& from, const std::string& key, const std::string& to) {
      std::string text = text_of(from);
      const std::size_t begin = text.find("\n" + key + " = ") + 1;
      ASSERT_NE(begin, 0U) << key;
      text.replace(begin, text.find('\n', begin) - begin, key + " = " + hostile_in_toml);
      std::ofstream{at(to), std::ios::binary} << with_all(text, "../", fs::absolute("vectors/"));
    };
    write(scenario, "description", "s.toml");
    write(scenario, "until", "bad.toml");
    write(chip, "source", "chip.toml");
    write(chip, "name", "chip_name.toml");
    write(chip, "rate", "bad_chip.toml");
    std::ofstream{at("sweep.toml")} << "[sweep]\nname = " << hostile_in_toml << "\nscenarios = \""
                                    << fs::absolute(scenario).string() << "\"\n";
    make_summary();
  }
  static Outcome weir(const std::string& arguments) {
    return test::shell("timeout 60 '" + test::program() + "' " + arguments);
  }
  [[nodiscard]] std::string named(const std::string& name) const { return " '" + at(name) + "'"; }

 private:
  static void spoil(Json& json) {
    if (json.is_string()) json = json.get<std::string>() + hostile;
    if (json.is_structured())
      for (Json& value : json) spoil(value);
  }
  // A stranger's result folder: each text, and a key, is hostile.
  void make_summary() const {
    ASSERT_EQ(weir("run " + std::string{scenario} + " --until '20 us' --quiet --out" + named("o"))
                  .exit_code,
              1);
    fs::copy(at("o"), at("x"), fs::copy_options::recursive);
    for (const char* const file : {"summary.json", "report.json"}) {
      Json json = Json::parse(text_of(at("o/" + std::string{file})));
      spoil(json);
      json[hostile] = 1;
      std::ofstream{at("x/" + std::string{file}), std::ios::binary} << json.dump();
    }
  }
};

void expect_printable(const Outcome& outcome, const std::string& command) {
  EXPECT_TRUE(outcome.text == printable(outcome.text)) << command << "\n"
                                                       << printable(outcome.text);
  EXPECT_FALSE(outcome.says("\nFAKE")) << command << " shows a line that it does not write";
  EXPECT_FALSE(outcome.text.empty()) << command;
}

TEST_F(Screen, NoCommandShowsAControlCharacterOfAFile) {
  struct Row {
    int exit_code;
    std::string command;
  };
  const std::string run = "run" + named("s.toml") + " --until '20 us' --out" + named("r");
  for (const Row& row : std::vector<Row>{
           {1, run},
           {1, run + " --json"},
           {1, run + " --log-level debug"},
           {2, "run" + named("bad.toml")},
           {2, "run" + named("s.toml") + " --set 'scenario.name=" + hostile_in_toml + "'"},
           {2, "run" + named("s.toml") + " --set 'switch.tor.nope=" + hostile_in_toml + "'"},
           {0, "lint" + named("s.toml")},
           {0, "lint" + named("s.toml") + " --json"},
           {0, "lint" + named("chip.toml")},
           {0, "lint" + named("chip.toml") + " --json"},
           {2, "lint" + named("bad_chip.toml")},
           {2, "lint" + named("chip_name.toml")},
           {0, "probe" + named("chip.toml")},
           {0, "probe" + named("chip.toml") + " --json"},
           {2, "probe" + named("bad_chip.toml")},
           {0, "headroom --chip" + named("chip.toml") + " --cable 100m"},
           {0, "headroom --chip" + named("chip.toml") + " --cable 100m --json"},
           {0, "compare" + named("x") + named("o")},
           {0, "compare" + named("o") + named("x")},
           {2, "size" + named("sweep.toml")}}) {
    const Outcome outcome = weir(row.command);
    EXPECT_EQ(outcome.exit_code, row.exit_code) << row.command << "\n" << printable(outcome.text);
    expect_printable(outcome, row.command);
    if (row.exit_code == 2) {
      EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << row.command;
    }
  }
  // Names on the command line, and a name of a sweep.
  for (const std::string& command : {"sweep --dry-run" + named("sweep.toml"), "report" + named("x"),
                                     "run \"$(printf '" + at("a\\033]0;x\\007.toml") + "')\"",
                                     "lint \"$(printf '" + at("\\302\\233\\377.toml") + "')\""})
    expect_printable(weir(command), command);
}

TEST_F(Screen, JsonHasTheTextOfTheFileEscaped) {
  const Outcome outcome =
      weir("run" + named("s.toml") + " --quiet --json --until '20 us' --out" + named("r"));
  const Json shown = Json::parse(outcome.text, nullptr, false);
  ASSERT_TRUE(shown.is_object()) << printable(outcome.text);
  EXPECT_EQ(shown["description"].get<std::string>(), hostile);
  EXPECT_TRUE(outcome.says("\\u009b")) << printable(outcome.text);
}

TEST_F(Screen, ANulDoesNotCutTheErrorLine) {
  const Outcome outcome = weir("run" + named("s.toml") + " --set 'scenario.until=\"a\\u0000b\"'");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(outcome.says("scenario.until = \"a?b\": must be")) << outcome.text;
}

// One place cleans what is shown: nothing else writes to stdout or stderr.
TEST(ScreenSources, NothingElseWritesToTheScreen) {
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator("systemc/app")) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || name == "screen.cpp") continue;
    const std::string text = text_of(entry.path());
    for (const char* const call : {"fmt::print", "std::cerr", "cout <<", "printf(", "fputs("})
      EXPECT_EQ(text.find(call), std::string::npos) << entry.path() << ": " << call;
    ++files;
  }
  EXPECT_GT(files, 50U);
}

}  // namespace
}  // namespace weir::screen_test
