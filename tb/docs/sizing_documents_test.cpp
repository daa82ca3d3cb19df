// SPDX-License-Identifier: Apache-2.0
// The tables of docs/guide/sizing.md (its short part), docs/guide/ecn.md and
// docs/measurements/late.md agree with the output of the program; of docs/measurements/dcqcn.md a
// command of the page says so.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace weir::sizing_documents_test {
namespace {

// Exit code of the command; its output goes to `text`.
int run(const std::string& command, std::string& text) {
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return -1;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), count);
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

TEST(SizingDocuments, TheTablesOfSizingAreWhatTheProgramSays) {
  std::string text;
  EXPECT_EQ(run("scripts/doc/sizing-tables --check", text), 0) << text;
}

TEST(SizingDocuments, TheTablesOfLateAreWhatTheProgramSays) {
  std::string text;
  EXPECT_EQ(run("scripts/doc/late-tables --check", text), 0) << text;
}

TEST(SizingDocuments, TheTablesOfEcnAreWhatTheProgramSays) {
  std::string text;
  EXPECT_EQ(run("scripts/doc/ecn-tables --check", text), 0) << text;
}

}  // namespace
}  // namespace weir::sizing_documents_test
