// SPDX-License-Identifier: Apache-2.0
// Rows E4 and E5 of docs/design/published-rows.md: each set-up of vectors/dcqcn/reference.csv as a
// network with a switch. The script has the measurement and the bounds; it makes the tables of
// docs/measurements/dcqcn.md too.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

namespace weir::dcqcn_rows_test {
namespace {

constexpr int first_line = 2, last_line = 13;  // of the file; its first line has the names

// Exit code of the script for one set-up; its output goes to `text`.
int run_row(const std::string& line, std::string& text) {
  FILE* const pipe = popen(("scripts/doc/dcqcn-reference --row " + line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return -1;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), count);
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

class DcqcnRows : public testing::TestWithParam<int> {};

TEST_P(DcqcnRows, ASetUpAsANetworkIsWithinTheBoundsOfTheReferenceAndOfTheFluidModel) {
  std::string text;
  EXPECT_EQ(run_row(std::to_string(GetParam()), text), 0) << text;
  EXPECT_NE(text.find("all within"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Line, DcqcnRows, testing::Range(first_line, last_line + 1));

TEST(DcqcnRowsOfTheFile, AllHaveATest) {
  std::ifstream file{"vectors/dcqcn/reference.csv"};
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_EQ(lines, last_line);
  std::string text;
  EXPECT_EQ(run_row(std::to_string(last_line + 1), text), 1) << text;
  EXPECT_NE(text.find("lines 2 to 13"), std::string::npos) << text;
}

}  // namespace
}  // namespace weir::dcqcn_rows_test
