// SPDX-License-Identifier: Apache-2.0
// Every input that once broke a reader (tb/fuzz/corpus/READER) is taken or refused, in the build
// that users have: the fuzzers themselves need clang and are started by scripts/check/fuzz.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"

namespace weir::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path corpus = "tb/fuzz/corpus";

std::string text_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

class FuzzCorpus : public testing::TestWithParam<Reader> {};

TEST_P(FuzzCorpus, IsTakenOrRefused) {
  std::size_t inputs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus / GetParam().name)) {
    SCOPED_TRACE(entry.path());
    EXPECT_NO_THROW(GetParam().read(text_of(entry.path())));
    ++inputs;
  }
  EXPECT_NE(inputs, 0U) << "a reader without a corpus";
}

INSTANTIATE_TEST_SUITE_P(Of, FuzzCorpus, testing::ValuesIn(readers()),
                         [](const auto& test) { return std::string{test.param.name}; });

TEST(FuzzCorpusFolders, AreThoseOfTheReaders) {
  std::set<std::string> folders, names;
  for (const fs::directory_entry& entry : fs::directory_iterator(corpus))
    folders.insert(entry.path().filename().string());
  for (const Reader& reader : readers()) names.insert(std::string{reader.name});
  names.insert("run");  // scenarios that are run: tb/fuzz/run_scenarios.py
  EXPECT_EQ(folders, names);
}

TEST(FuzzOracle, TakesOnlyARefusalForARefusal) {
  EXPECT_TRUE(taken([] {}));
  EXPECT_FALSE(taken([] { throw ConfigError("key", "value", "must be legal"); }));
  EXPECT_THROW(static_cast<void>(taken([] { throw ModelError("broken"); })), ModelError);
  EXPECT_THROW(static_cast<void>(taken([] { throw std::out_of_range("map::at"); })),
               std::out_of_range);
}

TEST(FuzzOracle, KnowsWhatCommandsATerminal) {
  for (const char* const plain :
       {"", "a = \"b\"", "Br\xc3\xbc\x63ke", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(is_plain_text(plain)) << plain;
  for (const char* const command :
       {"\x1b[2J", "a\nb", "\x7f", "\xc2\x9b", "\xd8\x9c", "\xe2\x80\xae", "\xe2\x81\xa6"})
    EXPECT_FALSE(is_plain_text(command)) << testing::PrintToString(command);
  for (const char* const broken :
       {"\xff", "\xc2", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80"})
    EXPECT_FALSE(is_plain_text(broken)) << testing::PrintToString(broken);
  EXPECT_FALSE(is_plain_text(std::string_view{"a\0b", 3}));
  EXPECT_THROW(check_message(""), Broken);
}

TEST(FuzzFiles, AreDividedAtTheirNames) {
  using Files = std::vector<std::pair<std::string, std::string_view>>;
  const std::vector<std::string> names{"a", "b/c"};
  EXPECT_EQ(files_of("", names), Files{});
  EXPECT_EQ(files_of("one\n== d\n", names), (Files{{"a", "one\n== d\n"}}));
  EXPECT_EQ(files_of("one\n== b/c\ntwo", names), (Files{{"a", "one\n"}, {"b/c", "two"}}));
  EXPECT_EQ(files_of("== b/c\n\n== a\nx\n== a", names), (Files{{"b/c", "\n"}, {"a", ""}}));
}

}  // namespace
}  // namespace weir::fuzz
