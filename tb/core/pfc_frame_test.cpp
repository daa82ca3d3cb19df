// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pfc_frame.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace weir::pfc_frame_test {
namespace {

using Octets = std::vector<std::uint8_t>;

PfcFrame example() {
  PfcFrame frame;
  frame.source = {0x02, 0x00, 0x00, 0x00, 0x01, 0x02};
  frame.class_enable = 1U << 3 | 1U << 4;
  frame.time[3] = Quanta{65535};
  return frame;  // class 4: time 0 with its bit set, XON
}

Octets example_octets() {
  const PfcFrameBytes octets = encode(example());
  return {octets.begin(), octets.end()};
}

// Puts the right FCS at the end, so that the receiver gets to the field that was changed.
void seal(Octets& octets) {
  const std::uint32_t fcs = frame_check_sequence(octets.data(), octets.size() - 4);
  for (std::size_t k = 0; k < 4; ++k) {
    octets[octets.size() - 4 + k] = static_cast<std::uint8_t>(fcs >> (8 * k) & 0xffU);
  }
}

std::string outcome(const Octets& octets) {
  const DecodeResult result = decode(octets);
  if (const auto* error = std::get_if<DecodeError>(&result)) return std::string{to_string(*error)};
  return "frame";
}

TEST(PfcFrame, FcsIsTheCrcOfTheStandard) {
  const std::string check = "123456789";
  EXPECT_EQ(frame_check_sequence(reinterpret_cast<const std::uint8_t*>(check.data()), check.size()),
            0xcbf4'3926U);
}

TEST(PfcFrame, OctetsAreWhereTheStandardPutsThem) {
  const Octets expected{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01,  // destination
                        0x02, 0x00, 0x00, 0x00, 0x01, 0x02,  // source
                        0x88, 0x08, 0x01, 0x01,              // type, opcode
                        0x00, 0x18,                          // class-enable vector
                        0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // time 0 .. 2
                        0xff, 0xff, 0x00, 0x00,              // time 3, 4
                        0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // time 5 .. 7
                        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // 26 octets padding
                        0x03, 0xa6, 0x98, 0xa7};                         // FCS, from zlib's crc32
  EXPECT_EQ(example_octets(), expected);
}

TEST(PfcFrame, TimesAreBigEndian) {
  PfcFrame frame;
  frame.class_enable = 0x80;
  frame.time[7] = Quanta{0x1234};
  const PfcFrameBytes octets = encode(frame);
  EXPECT_EQ(octets[32], 0x12);
  EXPECT_EQ(octets[33], 0x34);
}

TEST(PfcFrame, TimeOfADisabledClassIsNeitherSentNorRead) {
  PfcFrame frame = example();
  frame.time[0] = Quanta{77};
  EXPECT_EQ(encode(frame), encode(example())) << "its bit is clear: nothing may leak to the wire";
  Octets octets = example_octets();
  octets[19] = 77;
  seal(octets);
  EXPECT_EQ(std::get<PfcFrame>(decode(octets)).time[0], Quanta{0}) << "ignored when received";
}

TEST(PfcFrame, ReservedBitsAndPaddingAreIgnored) {
  Octets octets = example_octets();
  octets[16] = 0xff;  // high octet of the class-enable vector
  for (std::size_t k = 34; k < 60; ++k) octets[k] = 0xa5;
  seal(octets);
  const DecodeResult result = decode(octets);
  ASSERT_TRUE(std::holds_alternative<PfcFrame>(result)) << outcome(octets);
  EXPECT_EQ(std::get<PfcFrame>(result), example());
}

TEST(PfcFrame, LengthIsCheckedOnBothSides) {
  EXPECT_EQ(outcome({}), "too short");
  Octets octets = example_octets();
  octets.pop_back();
  EXPECT_EQ(outcome(octets), "too short") << "63 octets";
  EXPECT_EQ(outcome(example_octets()), "frame") << "64 octets";
  octets = example_octets();
  octets.push_back(0);
  seal(octets);
  EXPECT_EQ(outcome(octets), "too long") << "65 octets";
}

TEST(PfcFrame, EveryFieldOfTheHeaderIsChecked) {
  const auto with = [](std::size_t at, std::uint8_t value) {
    Octets octets = example_octets();
    octets[at] = value;
    seal(octets);
    return outcome(octets);
  };
  for (std::size_t at = 0; at < 6; ++at) EXPECT_EQ(with(at, 0x55), "wrong address") << at;
  for (std::size_t at = 6; at < 12; ++at) EXPECT_EQ(with(at, 0x55), "frame") << "any source";
  EXPECT_EQ(with(12, 0x08), "not MAC control");
  EXPECT_EQ(with(13, 0x00), "not MAC control");
  EXPECT_EQ(with(14, 0x00), "wrong opcode") << "0x0001 is the PAUSE of all classes";
  EXPECT_EQ(with(15, 0x02), "wrong opcode");
}

TEST(PfcFrame, AnySingleBitErrorIsSeen) {
  for (std::size_t bit = 0; bit < 64 * 8; ++bit) {
    Octets octets = example_octets();
    octets[bit / 8] = static_cast<std::uint8_t>(octets[bit / 8] ^ (1U << bit % 8));
    EXPECT_EQ(outcome(octets), "bad FCS") << "bit " << bit;
  }
}

RC_GTEST_PROP(PfcFrame, DecodeGivesBackWhatWasEncoded, (std::uint8_t enable)) {
  PfcFrame frame;
  frame.class_enable = enable;
  for (auto& octet : frame.source) octet = *rc::gen::arbitrary<std::uint8_t>();
  for (std::size_t n = 0; n < priorities; ++n) {
    if ((enable >> n & 1U) != 0) frame.time[n] = Quanta{*rc::gen::arbitrary<std::uint16_t>()};
  }
  const DecodeResult result = decode(encode(frame));
  RC_ASSERT(std::holds_alternative<PfcFrame>(result));
  RC_ASSERT(std::get<PfcFrame>(result) == frame);
}

RC_GTEST_PROP(PfcFrame, AnyBytesAreSurvived, (Octets octets)) {
  RC_CLASSIFY(octets.size() >= 64);
  RC_ASSERT(octets.size() >= 64 || outcome(octets) == "too short");
  RC_ASSERT(outcome(octets) != "frame");  // random bytes do not carry a valid FCS
}

RC_GTEST_PROP(PfcFrame, AnyBytesAfterTheRightFcsAreSurvived, (Octets tail)) {
  Octets octets = example_octets();
  const auto from = *rc::gen::inRange<std::size_t>(0, octets.size());
  octets.erase(octets.begin() + static_cast<std::ptrdiff_t>(from), octets.end());
  octets.insert(octets.end(), tail.begin(), tail.end());
  octets.resize(std::max<std::size_t>(octets.size(), 64));
  seal(octets);
  const std::string result = outcome(octets);
  RC_TAG(result);
  RC_ASSERT(result != "too short" && result != "bad FCS");
}

}  // namespace
}  // namespace weir::pfc_frame_test
