// SPDX-License-Identifier: Apache-2.0
// docs/guide/custom-module.md shows code of the example as it is built.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string text_of(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(CustomModuleDocument, EveryPieceOfCodeStandsInTheExample) {
  const std::string document = text_of("docs/guide/custom-module.md");
  const std::string example = text_of("systemc/examples/user_module.cpp");
  const std::string fence = "```cpp\n", omission = "  // ...\n";
  std::size_t pieces = 0;
  for (std::size_t at = document.find(fence); at != std::string::npos;
       at = document.find(fence, at + 1), ++pieces) {
    const std::size_t begin = at + fence.size();
    std::string piece = document.substr(begin, document.find("```", begin) - begin);
    const std::size_t omitted = piece.find(omission);
    if (omitted != std::string::npos) piece.resize(omitted);
    EXPECT_NE(example.find(piece), std::string::npos)
        << "not in systemc/examples/user_module.cpp:\n"
        << piece;
  }
  EXPECT_EQ(pieces, 2U);
}

}  // namespace
