// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/json_tree.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "weir/core/errors.hpp"

namespace weir::json_tree_test {
namespace {

TEST(JsonTree, ItsTextIsThatOfTheJsonLibrary) {
  const nlohmann::ordered_json json{
      {"number", 18446744073709551615U},
      {"negative", -9223372036854775807},
      {"small", {0, 9, 10, 999, 1000, 1023, 1024, 65536, -1, -999, -1000, -1024}},
      {"large", {18446744073709551615U, 1}},
      {"flags", {true, false, nullptr}},
      {"a \"key\" \u00e4", "quote \", \\, \x1b, \x7f, \u00e4, </script>"},
      {"empty",
       {{"list", nlohmann::ordered_json::array()},
        {"object", nlohmann::ordered_json::object()},
        {"text", ""}}},
      {"rows", {{{"name", "a"}, {"bins", {1, 2, 3}}}, {{"name", "b"}, {"bins", {4}}}}}};
  const JsonTree tree = JsonTree::parse(json.dump(2));
  EXPECT_EQ(to_text(tree.root()), json.dump());
  EXPECT_EQ(to_text(tree.root().at("rows").at(1)), json["rows"][1].dump());
}

TEST(JsonTree, MembersAreFoundByTheirNamesAndElementsByTheirPlaces) {
  const JsonTree tree = JsonTree::parse(R"({"a": [7, true, "x", null], "b": {}})");
  const JsonValue& list = tree.root().at("a");
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list.at(0).number(), 7U);
  EXPECT_TRUE(list.at(1).flag());
  EXPECT_EQ(list.at(2).text(), "x");
  EXPECT_TRUE(list.at(3).is_null());
  EXPECT_TRUE(list.at(3).empty());
  EXPECT_TRUE(tree.root().contains("b"));
  EXPECT_FALSE(tree.root().contains("c"));
  EXPECT_EQ(tree.root().find("c"), nullptr);
  EXPECT_TRUE(tree.root().at("b").empty());
  std::size_t seen = 0;
  for (const JsonValue& member : tree.root()) seen += member.key() == "a" || member.key() == "b";
  EXPECT_EQ(seen, 2U);
}

TEST(JsonTree, WhatIsNotThereAndWhatIsOfAnotherKindIsRefused) {
  const JsonTree tree = JsonTree::parse(R"({"a": [7, -1, "x"]})");
  const JsonValue& list = tree.root().at("a");
  EXPECT_THROW(static_cast<void>(tree.root().at("b")), ModelError);
  EXPECT_THROW(static_cast<void>(tree.root().at(0)), ModelError);
  EXPECT_THROW(static_cast<void>(list.at("a")), ModelError);
  EXPECT_THROW(static_cast<void>(list.at(3)), ModelError);
  EXPECT_THROW(static_cast<void>(list.at(1).number()), ModelError) << "below 0";
  EXPECT_THROW(static_cast<void>(list.at(2).number()), ModelError);
  EXPECT_THROW(static_cast<void>(list.at(0).text()), ModelError);
  EXPECT_THROW(static_cast<void>(list.at(0).flag()), ModelError);
  EXPECT_THROW(static_cast<void>(list.at(0).size()), ModelError);
}

TEST(JsonTree, NoJsonAndNumbersThatAreNoIntegersAreRefused) {
  for (const char* const text : {"", "{", "{\"a\": 1", "[1,]", "{\"a\": 1.5}", "1e3", "{} {}"})
    EXPECT_THROW(static_cast<void>(JsonTree::parse(text)), ModelError) << text;
}

}  // namespace
}  // namespace weir::json_tree_test
