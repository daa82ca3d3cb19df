// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir cosim, and the example of docs/cosimulation.md.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code{-1};
  std::string text;  // stdout, and stderr behind it
};

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

std::string program() {
  const char* const set = std::getenv("WEIR_PROGRAM");
  return set == nullptr ? "weir" : set;
}

Outcome cosim(const std::string& arguments) { return shell(program() + " cosim " + arguments); }

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.text.find(text) != std::string::npos;
}

constexpr const char* trident2 = "vectors/chips/arista_7050qx_32.toml";

TEST(CosimCommand, CoreAndRtlOfAChipFileAreTheSame) {
  const Outcome first = cosim(std::string{trident2} + " --cycles 6000 --seed 7");
  EXPECT_EQ(first.exit_code, 0) << first.text;
  EXPECT_TRUE(says(first, "compared ")) << first.text;
  EXPECT_FALSE(says(first, "compared 0 ")) << first.text;
  EXPECT_EQ(cosim(std::string{trident2} + " --cycles 6000 --seed 7").text, first.text)
      << "the same seed makes the same requests";
  EXPECT_NE(cosim(std::string{trident2} + " --cycles 6000 --seed 8").text, first.text);
}

TEST(CosimCommand, WhatIsNoLibraryIsAConfigurationError) {
  const Outcome outcome = cosim(std::string{trident2} + " --rtl README.md");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(says(outcome, "make-rtl-backend")) << outcome.text;
}

TEST(CosimCommand, LanesThatTheRtlDoesNotKnowAreAConfigurationError) {
  const Outcome outcome = cosim("vectors/chips/arista_7050cx3_32.toml");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(says(outcome, "must be 1, 2 or 4")) << outcome.text;
}

// The commands of the example, in the order of the page, and the line that it shows.
TEST(CosimDocument, ItsWrongCopyIsNoticedAsItShows) {
  std::ifstream file{"docs/cosimulation.md"};
  const std::string page{std::istreambuf_iterator<char>{file}, {}};
  std::vector<std::string> commands;
  const std::string fence = "```text\n$ ";
  std::size_t at = page.find(fence);
  ASSERT_NE(at, std::string::npos);
  at += fence.size() - 2;
  while (page.compare(at, 2, "$ ") == 0) {
    const std::size_t end = page.find('\n', at);
    commands.push_back(page.substr(at + 2, end - at - 2));
    at = end + 1;
  }
  ASSERT_EQ(commands.size(), 4U);
  const fs::path folder = fs::temp_directory_path() / "weir_cosim_document";
  fs::create_directories(folder);
  Outcome outcome;
  for (std::string command : commands) {
    const bool wrong = command.find("# exit 1") != std::string::npos;
    for (std::size_t n = command.find("build/"); n != std::string::npos;
         n = command.find("build/", n + folder.string().size()))
      command.replace(n, 5, folder.string());
    if (command.rfind("weir ", 0) == 0) command.replace(0, 4, program());
    outcome = shell(command);
    ASSERT_EQ(outcome.exit_code, wrong ? 1 : 0) << command << "\n" << outcome.text;
  }
  EXPECT_GT(fs::file_size(folder / "wrong_mmu.vcd"), 1000U);
  for (std::size_t n = outcome.text.find(folder.string()); n != std::string::npos;
       n = outcome.text.find(folder.string()))
    outcome.text.replace(n, folder.string().size(), "build");
  EXPECT_NE(page.find(outcome.text), std::string::npos) << "docs/cosimulation.md does not show:\n"
                                                        << outcome.text;
  fs::remove_all(folder);
}

}  // namespace
