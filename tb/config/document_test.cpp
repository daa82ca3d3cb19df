// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/document.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "weir/config/format/error_list.hpp"
#include "weir/config/format/reader.hpp"

namespace weir::document_test {
namespace {

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConfigDocument, TomlKeepsTheOrderOfTheFileAndEveryLine) {
  const Node root =
      parse_toml("[b]\nz = 1\na = 'x'\n\n[a]\nlist = [1,\n 2]\n[[t]]\nk = true\n", "f");
  ASSERT_EQ(root.children.size(), 3U);
  EXPECT_EQ(root.children[0].name, "b") << "as written, not by name";
  EXPECT_EQ(root.find("b")->children[0].name, "z");
  EXPECT_EQ(root.find("b")->find("a")->origin.line, 3U);
  EXPECT_EQ(root.find("a")->find("list")->children[1].path, "a.list[1]");
  EXPECT_EQ(root.find("a")->find("list")->children[1].origin.line, 7U);
  EXPECT_EQ(root.find("t")->children[0].find("k")->path, "t[0].k");
}

TEST(ConfigDocument, JsonGivesTheSameTreeWithLines) {
  const Node root = parse_json(
      "{\n \"chip\": {\n  \"ports\": 32,\n  \"name\": \"x\",\n"
      "  \"l\": [1,\n   2\n ], \"b\": true }\n}\n",
      "f.json");
  const Node& chip = *root.find("chip");
  EXPECT_EQ(chip.origin.line, 2U);
  EXPECT_EQ(chip.find("ports")->integer, 32);
  EXPECT_EQ(chip.find("ports")->origin.line, 3U);
  EXPECT_EQ(chip.find("name")->origin.line, 4U);
  EXPECT_EQ(chip.find("l")->children[1].origin.line, 6U)
      << "a number that ends with the line belongs to it";
  EXPECT_EQ(chip.find("l")->children[1].path, "chip.l[1]");
  EXPECT_TRUE(chip.find("b")->boolean);
}

TEST(ConfigDocument, TomlNestsNoDeeperThan64Levels) {
  const auto dotted = [](int levels) {
    std::string key = "a";
    for (int i = 1; i < levels; ++i) key += ".a";
    return key + " = 1\n";
  };
  EXPECT_EQ(message_of([&] { static_cast<void>(parse_toml(dotted(64), "f")); }), "no error");
  EXPECT_EQ(message_of([&] { static_cast<void>(parse_toml(dotted(65), "f")); }),
            "f:1: is nested deeper than 64 levels");
  EXPECT_EQ(message_of([&] { static_cast<void>(parse_toml("b = 1\n" + dotted(1'000'000), "f")); }),
            "f:2: is nested deeper than 64 levels: more than 1000 dots in one key");
  for (const std::string quotes :
       {"\"\"\"", "'''"}) {  // a text of several lines may end in a quote
    const std::string text = quotes + "x" + quotes + quotes[0];
    const std::string hidden = "a = [ " + text + ", { " + dotted(300'000);
    EXPECT_EQ(message_of([&] { static_cast<void>(parse_toml(hidden + "}]", "f")); }),
              "f:1: is nested deeper than 64 levels: more than 1000 dots in one key")
        << quotes;
    EXPECT_EQ(parse_toml("a = " + text + "\n", "f").find("a")->text, std::string{"x"} + quotes[0]);
  }
  const std::string dots(2000, '.');
  EXPECT_EQ(parse_toml("# " + dots + "\na = \"" + dots + "\"\n", "f").find("a")->text, dots);
}

// Each is refused before it takes more memory or time than its text.
TEST(ConfigDocument, ADocumentHasAMillionValuesAtMost) {
  const auto list = [](int values) {
    std::string text;
    for (int i = 1; i < values; ++i) text += "1,";
    return "[" + text + "1]";
  };
  const auto toml = [&](const std::string& text) {
    return message_of([&] { static_cast<void>(parse_toml(text, "f")); });
  };
  const auto json = [&](const std::string& text) {
    return message_of([&] { static_cast<void>(parse_json(text, "f")); });
  };
  const std::string legal = "must not have more than 1000000 values";
  EXPECT_EQ(toml("a = " + list(999'997)), "no error") << "with its table and its list";
  EXPECT_EQ(toml("0 = 1\na = " + list(999'998)), "f:2: " + legal);
  EXPECT_EQ(toml("a = " + list(2'100'000)), "f: " + legal) << "before it is read";
  EXPECT_EQ(toml("a = \"" + std::string(2'100'000, ',') + "\" # " + std::string(2'100'000, ',')),
            "no error");
  EXPECT_EQ(toml("a = \'\'\'\n" + std::string(2'100'000, '=') + "\"\n\'\'\'\nb = \"\\\",\""),
            "no error");
  EXPECT_EQ(json("{\"a\":\n" + list(999'997) + "}"), "no error");
  EXPECT_EQ(json("{\"a\":\n" + list(1'000'000) + "}"), "f:2: " + legal);
}

TEST(ConfigDocument, KeysOfAMillionValuesAreReadInOnePass) {
  std::string toml, json;
  for (int i = 0; i < 300'000; ++i) {
    toml += "k" + std::to_string(i) + "=1\n";
    json += ",\"k" + std::to_string(i) + "\":1";
  }
  EXPECT_EQ(parse_toml(toml, "f").children.size(), 300'000U);
  Node all = parse_json("{\"a\":1" + json + "}", "f");
  EXPECT_EQ(all.children.size(), 300'001U);
  merge(all, parse_toml(toml + "z = 1", "f"));
  EXPECT_EQ(all.children.size(), 300'002U);
}

TEST(ConfigDocument, PathsOfKeysAndTheTextAreBounded) {
  std::string text = "[" + std::string(1'000'000, 'a') + "]\n";
  for (int i = 100; i < 400; ++i) text += "k" + std::to_string(i) + " = 1\n";
  EXPECT_EQ(
      message_of([&] { static_cast<void>(parse_toml(text, "f")); }),
      "f:269: must not have longer keys: with the tables that they are in, all keys take more than "
      "256 MiB");
  const std::string large = "a = \"" + std::string(std::size_t{64} << 20, 'x') + "\"";
  EXPECT_EQ(message_of([&] { static_cast<void>(parse_toml(large, "f")); }),
            "f: must not be larger than 64 MiB");
  EXPECT_EQ(message_of([&] { static_cast<void>(parse_json(large, "f")); }),
            "f: must not be larger than 64 MiB");
}

TEST(ConfigDocument, AThousandErrorsAreShownAndTheOthersCounted) {
  ErrorList errors;
  for (std::uint32_t line = 3000; line > 0; --line)
    errors.add(FileError{Origin{"f", line}, "k", "", "bad"});
  EXPECT_EQ(errors.size(), 3000U);
  const std::string text = message_of([&] { errors.check(); });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1000);
  EXPECT_NE(text.find("f:2001: k: bad\nf:2002"), std::string::npos) << "sorted";
  EXPECT_NE(text.find("\n2000 more errors"), std::string::npos);
  ErrorList outer;
  outer.attempt([&] { errors.check(); });
  EXPECT_EQ(outer.size(), 3000U);
}

TEST(ConfigDocument, SyntaxErrorsNameFileAndLine) {
  EXPECT_EQ(message_of([] {
              static_cast<void>(parse_toml("a = 1\nb = = 2\n", "f.toml"));
            }).rfind("f.toml:2: is not TOML", 0),
            0U);
  EXPECT_EQ(message_of([] {
              static_cast<void>(parse_json("{\n\"a\": 1,\n}", "f.json"));
            }).rfind("f.json:3: is not JSON: syntax error while parsing object key", 0),
            0U)
      << "one line number, and no name of the library's";
  EXPECT_EQ(message_of([] { static_cast<void>(parse_json("{\"a\":1,\n\"a\":2}", "f.json")); }),
            "f.json:2: a: is given twice");
  EXPECT_EQ(message_of([] { static_cast<void>(parse_json("[1]", "f.json")); }),
            "f.json:1: [1]: a configuration must be a JSON object");
}

TEST(ConfigDocument, AMissingFileIsNamed) {
  EXPECT_EQ(message_of([] { static_cast<void>(read_document("no/such.toml")); }),
            "\"no/such.toml\": no such file");
  EXPECT_EQ(message_of([] { static_cast<void>(read_document("vectors")); }),
            "\"vectors\": must be a file, this is a directory");
}

TEST(ConfigDocument, OverridesReachTablesElementsAndNames) {
  Node root = parse_toml("[a]\nx = 1\n[[t]]\nname = 'one'\n[[t]]\nname = 'two'\nv = 3\n", "f");
  apply_overrides(root, {"a.x=7", "t[0].v=40 Gbps", "t.two.v=[1, 2]", "new.table.k=true"});
  EXPECT_EQ(root.find("a")->find("x")->integer, 7);
  EXPECT_EQ(root.find("t")->children[0].find("v")->text, "40 Gbps") << "no TOML, so a string";
  EXPECT_EQ(root.find("t")->children[1].find("v")->children.size(), 2U);
  EXPECT_TRUE(root.find("new")->find("table")->find("k")->boolean);
  EXPECT_EQ(root.find("a")->find("x")->origin.file, "--set");
  EXPECT_EQ(root.find("t")->children[1].find("v")->children[1].path, "t[1].v[1]");
}

TEST(ConfigDocument, AnOverrideCannotSmuggleInOtherKeys) {
  Node root = parse_toml("[a]\nx = 1\n", "f");
  apply_overrides(root, {"a.x=1\ny = 2", "a.z=1 # one"});
  EXPECT_EQ(root.find("a")->find("x")->text, "1\ny = 2");
  EXPECT_EQ(root.find("a")->find("z")->text, "1 # one");
}

TEST(ConfigDocument, ATableThatIsWrittenAsAValueIsReplacedAsOne) {
  Node root = parse_toml("[a]\nx = { y = 1, z = 2 }\n", "f");
  apply_overrides(root, {"a.x.y=3"});
  EXPECT_EQ(root.find("a")->find("x")->find("z")->integer, 2) << "or a key of it is set";
  root = parse_toml("[a]\nx = { y = 1, z = 2 }\n", "f");
  apply_overrides(root, {"a.x=8 kB"});
  EXPECT_EQ(root.find("a")->find("x")->text, "8 kB");
}

TEST(ConfigDocument, BadOverridesNameSet) {
  const std::string file = "[a]\nx = 1\n[[t]]\nname = 'one'\n";
  const auto with = [&](const std::string& text) {
    return message_of([&] {
      Node root = parse_toml(file, "f");
      apply_overrides(root, {text});
    });
  };
  EXPECT_EQ(with("a.x"), "--set: a.x: must be key=value, such as switch.tor.chip.lanes=2");
  EXPECT_EQ(with("=1"), "--set: =1: must be key=value, such as switch.tor.chip.lanes=2");
  EXPECT_EQ(with("a..x=1"), "--set: a..x: must be key=value, such as switch.tor.chip.lanes=2");
  EXPECT_EQ(with("t[1].v=1"), "--set: t[1].v: t has 1 elements, the first is [0]");
  EXPECT_EQ(with("t.two.v=1"), "--set: t.two.v: t has no element named two; it has: one");
  EXPECT_EQ(with("t[x].v=1"), "--set: t[x].v: an index is written [0], [1] ...");
  EXPECT_EQ(with("t[0.v=1"), "--set: t[0.v: an index is written [0], [1] ...");
  EXPECT_EQ(with("a.x.y=1"), "--set: a.x.y: a.x is a value and has no keys");
  EXPECT_EQ(with("a[0]=1"), "--set: a[0]: a is not a list");
  EXPECT_EQ(with("a=1"), "--set: a = 1: is a table; set a key in it");
}

TEST(ConfigDocument, AReaderKnowsItsKeysByWhatWasAskedFor) {
  const Node root = parse_toml("ports = 3\nlanse = 4\n", "f");
  TableReader reader{root};
  EXPECT_EQ(reader.get("ports", integer_from(1, 3), "a number"), 3);
  EXPECT_EQ(reader.get_or("lanes", integer_from(1, 9), std::int64_t{2}), 2);
  EXPECT_EQ(message_of([&] { reader.finish(); }),
            "f:2: lanse = 4: unknown key, did you mean lanes?; legal here: ports, lanes");
  EXPECT_EQ(message_of([&] { static_cast<void>(reader.get("cell", to_bytes, "a size")); }),
            "f:1: cell: is missing: a size");
}

TEST(ConfigDocument, NumbersAreReadInEveryForm) {
  const Node root = parse_toml(
      "a = '0-2,7'\nb = [0, 7]\nc = 5\nd = '3-1'\ne = '0-8'\nf = [1, 1]\n"
      "g = [8]\nh = '1,'\n",
      "f");
  const auto numbers = [&](const char* key) { return to_numbers(*root.find(key), 8); };
  EXPECT_EQ(numbers("a"), (std::vector<std::uint32_t>{0, 1, 2, 7}));
  EXPECT_EQ(numbers("b"), (std::vector<std::uint32_t>{0, 7}));
  EXPECT_EQ(numbers("c"), (std::vector<std::uint32_t>{5}));
  for (const char* bad : {"d", "e", "f", "g", "h"}) {
    EXPECT_THROW(static_cast<void>(numbers(bad)), FileError) << bad;
  }
}

}  // namespace
}  // namespace weir::document_test
