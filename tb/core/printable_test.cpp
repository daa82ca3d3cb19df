// SPDX-License-Identifier: Apache-2.0
#include "weir/core/printable.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace weir::printable_test {
namespace {

using namespace std::string_literals;

TEST(Printable, TextStaysAsItIs) {
  for (const std::string text :
       {"", "plain ~", "two\nlines", "\u00a0\u00e9\u20ac\U0001f600", "a\u200db"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersBecomeQuestionMarks) {
  EXPECT_EQ(printable("a\0b"s), "a?b");
  EXPECT_EQ(printable("\x1b]0;owned\x07\x7f"), "?]0;owned??");
  EXPECT_EQ(printable("\u0080\u009b2J\u009f"), "??2J?") << "C1";
  EXPECT_EQ(printable("a\tb\r\nc"), "a b?\nc");
  EXPECT_EQ(printable_line("a\tb\r\nc"), "a b? c");
}

TEST(Printable, BidiControlsBecomeQuestionMarks) {
  for (const std::string mark :
       {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"})
    EXPECT_EQ(printable("a" + mark + "b"), "a?b") << mark;
  for (const std::string letter :
       {"\u061b", "\u200d", "\u2010", "\u2029", "\u202f", "\u2065", "\u206a"})
    EXPECT_EQ(printable(letter), letter) << "next to them";
}

TEST(Printable, BytesThatAreNoUtf8BecomeQuestionMarks) {
  EXPECT_EQ(printable("\x9b\x32"), "?2") << "CSI of Latin-1";
  EXPECT_EQ(printable("\xc2"), "?") << "cut off";
  EXPECT_EQ(printable("\xc0\x9b"), "??") << "longer than it has to be";
  EXPECT_EQ(printable("\xe0\x82\x9b"), "???");
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond the last code point";
}

TEST(Printable, JsonEscapesThem) {
  EXPECT_EQ(printable_json("{\n \"a\": \"\u009b\u202e\u00e9\x7f\"\n}\n"),
            "{\n \"a\": \"\\u009b\\u202e\u00e9\\u007f\"\n}\n");
  EXPECT_EQ(printable_json("\"\xff\""), "\"\\ufffd\"");
}

TEST(Printable, AnyBytesBecomeTextOnWhichAnotherPassChangesNothing) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const std::string once = printable(bytes);
    RC_ASSERT(printable(once) == once);
    for (const char letter : once)
      RC_ASSERT(letter == '\n' || (static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7f));
  }));
}

}  // namespace
}  // namespace weir::printable_test
