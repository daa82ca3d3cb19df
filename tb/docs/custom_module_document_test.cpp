// SPDX-License-Identifier: Apache-2.0
// docs/guide/custom-module.md shows code of the examples as it is built.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string text_of(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(CustomModuleDocument, EveryPieceOfCodeStandsInAnExample) {
  const std::string document = text_of("docs/guide/custom-module.md");
  const std::string examples = text_of("systemc/examples/user_module.cpp") +
                               text_of("systemc/examples/own_threshold.cpp") +
                               text_of("systemc/examples/rtl_threshold.cpp");
  const std::string fence = "```cpp\n", omission = "  // ...\n";
  std::size_t pieces = 0;
  for (std::size_t at = document.find(fence); at != std::string::npos;
       at = document.find(fence, at + 1), ++pieces) {
    const std::size_t begin = at + fence.size();
    std::string piece = document.substr(begin, document.find("```", begin) - begin);
    const std::size_t omitted = piece.find(omission);
    if (omitted != std::string::npos) piece.resize(omitted);
    EXPECT_NE(examples.find(piece), std::string::npos)
        << "not in user_module.cpp, own_threshold.cpp or rtl_threshold.cpp of systemc/examples:\n"
        << piece;
  }
  EXPECT_EQ(pieces, 5U);
}

}  // namespace
