// SPDX-License-Identifier: Apache-2.0
// docs/design/verification.md and published-rows.md name tests and files that exist.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace weir::verification_document_test {
namespace {

struct Document {
  const char* path;
  std::size_t tests, paths;  // At least so many must be found, or the tables were not read.
};
constexpr Document documents[] = {{"docs/design/verification.md", 100, 5},
                                  {"docs/design/published-rows.md", 50, 3}};

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
std::set<std::string> named_in(const char* document, const std::string& pattern) {
  const std::string text = text_of(document);
  const std::regex expression{pattern};
  std::set<std::string> names;
  for (std::sregex_iterator at{text.begin(), text.end(), expression}, end; at != end; ++at)
    names.insert((*at)[1].str());
  return names;
}

TEST(VerificationDocument, EveryTestItNamesExists) {
  const std::set<std::string> tests = tests_in_the_sources();
  for (const Document& document : documents) {
    const std::set<std::string> named = named_in(document.path, "`([A-Z]\\w+\\.[A-Z]\\w+)`");
    EXPECT_GT(named.size(), document.tests)
        << "the tables of " << document.path << " were not read";
    for (const std::string& name : named)
      EXPECT_EQ(tests.count(name), 1U)
          << document.path << " names a test that is not in tb: " << name;
  }
}

TEST(VerificationDocument, EveryPathItNamesExists) {
  for (const Document& document : documents) {
    const std::set<std::string> named =
        named_in(document.path, "`((?:tb|vectors|scripts|docs)/[A-Za-z0-9_./-]+)[ `]");
    EXPECT_GT(named.size(), document.paths) << "the paths of " << document.path << " were not read";
    for (const std::string& path : named)
      EXPECT_TRUE(std::filesystem::exists(path))
          << document.path << " names a missing file: " << path;
  }
}

}  // namespace
}  // namespace weir::verification_document_test
