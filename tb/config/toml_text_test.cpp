// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/toml_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "weir/config/format/document.hpp"

namespace weir::toml_text_test {
namespace {

void expect_same(const Node& a, const Node& b) {
  EXPECT_EQ(a.kind, b.kind) << a.path;
  EXPECT_EQ(a.text, b.text) << a.path;
  ASSERT_EQ(a.children.size(), b.children.size()) << a.path;
  for (const Node& child : a.children) {
    if (a.is_array()) continue;
    const Node* const other = b.find(child.name);
    ASSERT_NE(other, nullptr) << child.path;
    expect_same(child, *other);
  }
  for (std::size_t i = 0; a.is_array() && i < a.children.size(); ++i)
    expect_same(a.children[i], b.children[i]);
}

TEST(ConfigTomlText, WhatIsWrittenReadsBackAsTheSame) {
  const Node document = parse_toml(
      "title = \"a \\\"b\\\" \\\\ \\u0007\"\n[one]\nn = -3\nyes = true\nlist = [1, 2, [3]]\n"
      "[one.\"two.three\"]\nx = [{ a = 1, b = \"c\" }]\n[pool.main]\nsize = \"1 B\"\n[pool.other]\n"
      "size = \"2 B\"\n[[port]]\nports = \"0-3\"\n[[port]]\nports = \"4\"\n",
      "a.toml");
  for (const bool origins : {false, true})
    expect_same(document, parse_toml(to_toml(document, origins), "b.toml"));
}

TEST(ConfigTomlText, OriginsAreAfterTheirValues) {
  const Node document = parse_toml("\n[one]\nn = 4\n", "a.toml");
  EXPECT_EQ(to_toml(document, false), "[one]\nn = 4\n");
  EXPECT_NE(to_toml(document, true).find("# a.toml:3\n"), std::string::npos);
}

TEST(ConfigTomlText, MadeNodesKeepWhereTheyComeFrom) {
  const Node read = parse_toml("a = 1\n", "x.toml");
  Node made;
  put(table_in(made, "t", Node{}), "k", text_node("v", read.children.front()));
  const Node& value = *made.find("t")->find("k");
  EXPECT_EQ(value.origin.line, 1U);
  EXPECT_EQ(value.path, "a") << "messages name it as it is written";
  put(table_in(made, "t", Node{}), "k", integer_node(5, Node{}));
  EXPECT_EQ(made.find("t")->find("k")->path, "t.k");
  EXPECT_EQ(made.find("t")->children.size(), 1U) << "replaced";
}

}  // namespace
}  // namespace weir::toml_text_test
