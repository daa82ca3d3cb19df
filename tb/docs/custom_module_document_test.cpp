// SPDX-License-Identifier: Apache-2.0
// docs/guide/custom-module.md shows code of the examples as it is built, and a wrong block that a
// running scenario finds.
#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"
#include "support/vcd_reader.hpp"

namespace weir::test::custom_module_document_test {
namespace {

class CustomModuleDocument : public InFolder {
 protected:
  const std::string page_{text_of("docs/guide/custom-module.md")};
};

TEST_F(CustomModuleDocument, EveryPieceOfCodeIsInAnExample) {
  const std::string examples = text_of("systemc/examples/user_module.cpp") +
                               text_of("systemc/examples/own_threshold.cpp") +
                               text_of("systemc/examples/rtl_threshold.cpp");
  const std::string fence = "```cpp\n", omission = "  // ...\n";
  std::size_t pieces = 0;
  for (std::size_t at = page_.find(fence); at != std::string::npos;
       at = page_.find(fence, at + 1), ++pieces) {
    const std::size_t begin = at + fence.size();
    std::string piece = page_.substr(begin, page_.find("```", begin) - begin);
    const std::size_t omitted = piece.find(omission);
    if (omitted != std::string::npos) piece.resize(omitted);
    EXPECT_NE(examples.find(piece), std::string::npos)
        << "not in user_module.cpp, own_threshold.cpp or rtl_threshold.cpp of systemc/examples:\n"
        << piece;
  }
  EXPECT_EQ(pieces, 7U);
}

TEST_F(CustomModuleDocument, ItsWrongBlockIsFoundAsItShows) {
  const std::string fence = "```text\n$ ";
  std::size_t place = page_.find(fence);
  ASSERT_NE(place, std::string::npos);
  place += fence.size() - 2;
  std::size_t run = 0;
  Outcome last;
  for (; page_.compare(place, 2, "$ ") == 0; ++run) {
    const std::size_t end = page_.find('\n', place);
    std::string command = with_all(page_.substr(place + 2, end - place - 2), "build/", at(""));
    if (command.rfind("weir ", 0) == 0) command.replace(0, 4, program());
    last = shell(command);
    ASSERT_EQ(last.exit_code, command.find("# exit 3") == std::string::npos ? 0 : 3)
        << command << "\n"
        << last.text;
    place = end + 1;
  }
  EXPECT_EQ(run, 4U) << "commands of the page";
  const std::string shown = with_all(last.text, at(""), "build/");
  EXPECT_NE(page_.find(shown), std::string::npos) << "the page does not show:\n" << shown;

  // The frame that resumes the class: its vector of classes is octet 17, bits 136 to 143.
  const VcdReader wave = VcdReader::from_fst(at("block.fst"));
  ASSERT_FALSE(wave.times().empty());
  const std::uint64_t edge = 44'798'000;
  const std::string pins = "tor.mmu.pfc_generator.port[2].pfc_generator.";
  EXPECT_EQ(wave.at(pins + "m_axis_pfc_tvalid_o", edge), "1");
  EXPECT_EQ(wave.at(pins + "m_axis_pfc_tvalid_o", edge - 1), "0");
  EXPECT_LE(wave.times().front(), edge - 9'900'000) << "10 us before";
  EXPECT_EQ(wave.times().back(), edge + 20'000) << "20 cycles after it";
}

}  // namespace
}  // namespace weir::test::custom_module_document_test
