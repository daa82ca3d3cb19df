// SPDX-License-Identifier: Apache-2.0
// docs/design/verification.md names tests and files that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

constexpr const char* document = "docs/design/verification.md";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// "Suite.Test" of every test in the sources below tb.
std::set<std::string> tests_in_the_sources() {
  const std::regex heading{R"((?:^|\n)(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+))"};
  std::set<std::string> tests;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{"tb"}) {
    const std::string name = entry.path().filename().string();
    if (name.size() < 9 || name.substr(name.size() - 9) != "_test.cpp") continue;
    const std::string source = text_of(entry.path());
    for (std::sregex_iterator at{source.begin(), source.end(), heading}, end; at != end; ++at)
      tests.insert((*at)[1].str() + "." + (*at)[2].str());
  }
  return tests;
}

// First group of every match of `pattern` in the document.
std::set<std::string> named_in_the_document(const std::string& pattern) {
  const std::string text = text_of(document);
  const std::regex expression{pattern};
  std::set<std::string> names;
  for (std::sregex_iterator at{text.begin(), text.end(), expression}, end; at != end; ++at)
    names.insert((*at)[1].str());
  return names;
}

TEST(VerificationDocument, EveryTestItNamesExists) {
  const std::set<std::string> tests = tests_in_the_sources();
  const std::set<std::string> named = named_in_the_document("`([A-Z]\\w+\\.[A-Z]\\w+)`");
  EXPECT_GT(named.size(), 100U) << "the tables of " << document << " were not read";
  for (const std::string& name : named)
    EXPECT_EQ(tests.count(name), 1U) << document << " names a test that is not in tb: " << name;
}

TEST(VerificationDocument, EveryPathItNamesExists) {
  const std::set<std::string> named =
      named_in_the_document("`((?:tb|vectors|scripts|docs)/[A-Za-z0-9_./-]+)[ `]");
  EXPECT_GT(named.size(), 5U) << "the paths of " << document << " were not read";
  for (const std::string& path : named)
    EXPECT_TRUE(std::filesystem::exists(path)) << document << " names a missing file: " << path;
}

}  // namespace
