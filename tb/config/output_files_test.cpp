// SPDX-License-Identifier: Apache-2.0
// What is written is there as it was or whole: after a kill at any call of the system, too.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "support/killed.hpp"
#include "support/program.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/core/errors.hpp"

namespace weir::output_files_test {
namespace {

namespace fs = std::filesystem;
using test::text_of;

class OutputFiles : public test::InFolder {
 protected:
  // Names in a folder below that of the test, hidden ones too.
  [[nodiscard]] std::vector<std::string> entries(const std::string& folder) const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(at(folder)))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path{at(name)}.parent_path());
    std::ofstream{at(name)} << text;
  }
  static void write_pair(const std::string& folder, const std::string& text) {
    OutputFolder out{folder, {{"a", "b"}, "which is not ours"}};
    out.add_file("a", text);
    out.add_file("b", text);
    out.commit();
  }
  // The text of both files; "torn" when they differ or one is missing.
  [[nodiscard]] std::string pair_in(const std::string& folder) const {
    const std::string a = text_of(at(folder + "/a")), b = text_of(at(folder + "/b"));
    return !a.empty() && a == b ? a : "torn";
  }
};

using Names = std::vector<std::string>;

TEST_F(OutputFiles, AFileIsOldOrNewAfterAKillAtAnyCall) {
  std::size_t kills = 0;
  for (bool ended = false; !ended; ++kills) {
    put("d/f", "old");
    ended = test::ends_before_call(kills, test::every_call,
                                   [&] { write_file("--out", at("d/f"), "new"); });
    const std::string text = text_of(at("d/f"));
    ASSERT_TRUE(text == "old" || text == "new") << "\"" << text << "\" after call " << kills;
    ASSERT_TRUE(!ended || text == "new");
  }
  EXPECT_GT(kills, 10U);
  write_file("--out", at("d/f"), "newer");
  EXPECT_EQ(entries("d"), Names{"f"}) << "what killed writers have left is cleared up";
}

TEST_F(OutputFiles, AFolderIsOldOrNewAfterAKillAtAnyCall) {
  std::size_t kills = 0;
  for (bool ended = false; !ended; ++kills) {
    write_pair(at("d/f"), "old");
    ended = test::ends_before_call(kills, test::every_call, [&] { write_pair(at("d/f"), "new"); });
    const std::string text = pair_in("d/f");
    ASSERT_TRUE(text == "old" || text == "new") << text << " after call " << kills;
    ASSERT_TRUE(!ended || text == "new");
  }
  EXPECT_GT(kills, 20U);
  write_pair(at("d/f"), "newer");
  EXPECT_EQ(entries("d"), Names{"f"}) << "what killed writers have left is cleared up";
}

TEST_F(OutputFiles, WithoutAnExchangeTheNextWriterPutsTheEarlierFolderBack) {
  // Of renames, then of all calls: a process that asks for memory in between has others.
  for (const auto counts : {test::any_rename, test::every_call}) {
    std::size_t kills = 0, hidden = 0;
    for (bool ended = false; !ended; ++kills) {
      write_pair(at("d/f"), "old");
      ended = test::ends_before_call(kills, counts, [&] {
        test::refuse_exchange();
        write_pair(at("d/f"), "new");
      });
      hidden += fs::exists(at("d/f")) ? 0 : 1;
      { const OutputFolder next{at("d/f"), {{"a", "b"}, ""}}; }
      const std::string text = pair_in("d/f");
      ASSERT_TRUE(text == "old" || text == "new") << text << " after call " << kills;
      ASSERT_TRUE(!ended || text == "new");
    }
    EXPECT_TRUE(hidden == 1 || counts == test::every_call)
        << "a kill between the two renames was tried";
    EXPECT_GT(kills, 3U);
  }
  EXPECT_EQ(entries("d"), Names{"f"});
}

TEST_F(OutputFiles, ADraftOfALivingWriterIsLeftAlone) {
  put("d/f", "old");
  OutputFile one{"--out", at("d/f")};
  one.write("one");
  write_file("--out", at("d/f"), "two");
  EXPECT_EQ(text_of(at("d/f")), "two");
  one.commit();
  EXPECT_EQ(text_of(at("d/f")), "one");
  OutputFolder folder{at("d/g"), {{"a", "b"}, ""}};
  folder.add_file("a", "1");
  write_pair(at("d/g"), "2");
  folder.add_file("b", "1");
  folder.commit();
  EXPECT_EQ(pair_in("d/g"), "1");
  EXPECT_EQ(entries("d"), (Names{"f", "g"}));
}

TEST_F(OutputFiles, WhatALibraryMakesByNameIsClearedUpWithTheDraft) {
  fs::create_directories(at("d"));
  test::ends_before_call(1'000'000, test::every_call, [&] {
    OutputFile out{"--out", at("d/f")};
    std::ofstream{out.path_for_library()} << "half";
    std::ofstream{out.path_for_library().string() + ".index"} << "half";
    _exit(1);
  });
  EXPECT_EQ(entries("d").size(), 3U);
  OutputFile out{"--out", at("d/f")};
  std::ofstream{out.path_for_library()} << "whole";
  { const OutputFile other{"--out", at("d/f")}; }
  out.commit();
  EXPECT_EQ(text_of(at("d/f")), "whole") << "that of a living writer stays";
  EXPECT_EQ(entries("d"), Names{"f"});
}

TEST_F(OutputFiles, WithoutCommitAllIsAsItWas) {
  put("d/f", "old");
  { OutputFile{"--out", at("d/f")}.write("new"); }
  { OutputFolder{at("d/g"), {{"a"}, ""}}.add_file("a", "new"); }
  EXPECT_EQ(text_of(at("d/f")), "old");
  EXPECT_EQ(entries("d"), Names{"f"});
}

TEST_F(OutputFiles, ALinkIsFollowed) {
  put("far/f", "old");
  fs::create_symlink("far/f", at("link"));
  write_file("--out", at("link"), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(text_of(at("far/f")), "new");
  fs::create_symlink("far/later", at("ahead"));
  write_file("--out", at("ahead"), "there");
  EXPECT_EQ(text_of(at("far/later")), "there") << "a link whose end is not there yet";
  write_pair(at("far/g"), "old");
  fs::create_symlink("far/g", at("folder"));
  write_pair(at("folder"), "new");
  EXPECT_TRUE(fs::is_symlink(at("folder")));
  EXPECT_EQ(pair_in("far/g"), "new");
}

TEST_F(OutputFiles, APipeAndADeviceAreWritten) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0666), 0);
  std::string read;
  std::thread reader{[&] { read = text_of(at("pipe")); }};
  write_file("--out", at("pipe"), "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  write_file("--out", "/dev/null", "away");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  OutputFile null{"--out", "/dev/null"};
  EXPECT_THROW(static_cast<void>(null.path_for_library()), ConfigError)
      << "a library would take the device away";
}

TEST_F(OutputFiles, WhatStdoutLeadsToIsWrittenWhereItIs) {
  put("log", "");
  const int saved = dup(1);
  ASSERT_NE(std::freopen(at("log").c_str(), "w", stdout), nullptr);
  std::printf("before\n");
  write_file("--out", "/dev/stdout", "between\n");
  write_file("--out", at("log"), "again\n");
  std::printf("after\n");
  std::fflush(stdout);
  dup2(saved, 1);
  close(saved);
  EXPECT_EQ(text_of(at("log")), "before\nbetween\nagain\nafter\n");
}

TEST_F(OutputFiles, AFailedWriteIsAModelErrorAndChangesNothing) {
  put("d/f", "old");
  const std::string much(300'000, 'x');
  EXPECT_THROW(write_file("--out", "/dev/full", much), ModelError);
  EXPECT_THROW(write_file("--out", "/dev/full", "x"), ModelError);
  const rlimit before = [] {
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    return limit;
  }();
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(write_file("--out", at("d/f"), much), ModelError);
  EXPECT_THROW(write_pair(at("d/g"), much), ModelError);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(text_of(at("d/f")), "old");
  EXPECT_EQ(entries("d"), Names{"f"});
}

TEST_F(OutputFiles, WhatCannotBeMadeIsRefused) {
  put("f", "");
  for (const std::string& file : {at("f/below"), at("missing/f"), at(""), std::string{}})
    EXPECT_THROW(write_file("--out", file, "x"), ConfigError) << file;
  const std::string too_long = at(std::string(300, 'a'));  // to be known before anything is made
  EXPECT_THROW(static_cast<void>(OutputFolder(too_long, {})), ConfigError);
  for (const std::string& folder : {at("f"), at("f/below"), std::string{}, std::string{"/"}})
    EXPECT_THROW(write_pair(folder, "x"), ConfigError) << folder;
}

TEST_F(OutputFiles, AFolderWithSomethingElseIsNotTouched) {
  put("mine/thesis.txt", "irreplaceable");
  EXPECT_THROW(write_pair(at("mine"), "x"), ConfigError);
  put("deep/a/b", "a folder in the place of a file");
  EXPECT_THROW(write_pair(at("deep"), "x"), ConfigError);
  EXPECT_EQ(text_of(at("mine/thesis.txt")), "irreplaceable");
  EXPECT_EQ(entries(""), (Names{"deep", "mine"}));
}

TEST_F(OutputFiles, ANameInTheFutureFolderIsFoundByAnyPathToIt) {
  const OutputFolder out{at("o"), {{"a"}, ""}};
  EXPECT_EQ(out.name_of(at("o/x.fst")), "x.fst");
  EXPECT_EQ(out.name_of(at("o/deep/../deep/x.fst")), "deep/x.fst");
  EXPECT_EQ(out.name_of(at("./o/../o/x.fst")), "x.fst");
  EXPECT_EQ(out.name_of(at("other/x.fst")), std::nullopt);
  EXPECT_EQ(out.name_of(at("o.fst")), std::nullopt);
}

TEST_F(OutputFiles, AnOutputIsNeitherAnInputNorASecondOutput) {
  put("in", "");
  fs::create_symlink("in", at("link"));
  FileRoles roles;
  roles.reads(at("in"));
  EXPECT_THROW(roles.writes("--csv", at("in")), ConfigError);
  EXPECT_THROW(roles.writes("--csv", at("link")), ConfigError);
  roles.writes("--csv", at("new"));
  EXPECT_THROW(roles.writes("--html", at("./new")), ConfigError);
  roles.writes("--csv", "/dev/null");
  roles.writes("--html", "/dev/null");
}

}  // namespace
}  // namespace weir::output_files_test
