// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/go_back_n.hpp"

#include <gtest/gtest.h>

namespace weir::go_back_n_test {
namespace {

constexpr Bytes packet{1000};
constexpr Picoseconds timeout{1'000'000};
constexpr Picoseconds at(std::uint64_t ps) { return Picoseconds{ps}; }

GoBackNSender sender_with(std::uint64_t packets, Picoseconds when = at(0)) {
  GoBackNSender sender{Bytes{10'000}, timeout};
  for (std::uint64_t i = 0; i < packets; ++i) (void)sender.send({packet, false, when}, when);
  return sender;
}

TEST(GoBackNSender, TheWindowHoldsExactlyItsBytes) {
  GoBackNSender sender = sender_with(9);
  EXPECT_TRUE(sender.may_send(packet)) << "10,000 B";
  EXPECT_FALSE(sender.may_send(packet + Bytes{1}));
  EXPECT_EQ(sender.send({packet, false, at(0)}, at(0)), 9U);
  EXPECT_FALSE(sender.may_send(Bytes{1}));
  sender.acknowledged(1, at(5));
  EXPECT_TRUE(sender.may_send(packet));
  EXPECT_EQ(sender.in_flight(), Bytes{9000});
}

TEST(GoBackNSender, OnePacketPassesWhateverItsSize) {
  const GoBackNSender sender{Bytes{10}, timeout};
  EXPECT_TRUE(sender.may_send(packet));
}

TEST(GoBackNSender, ARefusalSendsAllFromThereOnAgainAndNothingBefore) {
  GoBackNSender sender = sender_with(5);
  sender.refused(2, at(10));
  ASSERT_TRUE(sender.must_resend());
  for (std::uint64_t number = 2; number < 5; ++number)
    EXPECT_EQ(sender.resend(at(20)).number, number);
  EXPECT_FALSE(sender.must_resend());
  EXPECT_EQ(sender.resent(), 3U);
  EXPECT_EQ(sender.send({packet, false, at(0)}, at(30)), 5U) << "then new ones";
}

TEST(GoBackNSender, AnAcknowledgementOfWhatWaitsToGoAgainSparesIt) {
  GoBackNSender sender = sender_with(5);
  sender.expire(at(2'000'000));
  ASSERT_TRUE(sender.must_resend());
  EXPECT_EQ(sender.resend(at(2'000'000)).number, 0U);
  sender.acknowledged(3, at(2'000'001));
  EXPECT_EQ(sender.resend(at(2'000'002)).number, 3U);
  sender.acknowledged(5, at(2'000'003));
  EXPECT_FALSE(sender.must_resend());
  EXPECT_EQ(sender.in_flight(), Bytes{});
}

TEST(GoBackNSender, StaleAndImpossibleAnswersChangeNothing) {
  GoBackNSender sender = sender_with(3);
  sender.acknowledged(2, at(1));
  sender.acknowledged(1, at(500));
  sender.acknowledged(4, at(500));
  sender.refused(1, at(500));
  EXPECT_FALSE(sender.must_resend());
  EXPECT_EQ(sender.in_flight(), packet);
  EXPECT_EQ(sender.deadline(), at(1) + timeout) << "none of them was progress";
}

TEST(GoBackNSender, SilenceIsCountedFromTheLastProgress) {
  GoBackNSender sender{Bytes{10'000}, timeout};
  EXPECT_EQ(sender.deadline(), GoBackNSender::never);
  (void)sender.send({packet, false, at(7)}, at(7));
  (void)sender.send({packet, false, at(9)}, at(9));
  EXPECT_EQ(sender.deadline(), at(7) + timeout);
  sender.acknowledged(1, at(100));
  EXPECT_EQ(sender.deadline(), at(100) + timeout);
  sender.expire(at(100) + timeout);
  EXPECT_EQ(sender.timeouts(), 1U);
  EXPECT_TRUE(sender.must_resend());
  EXPECT_EQ(sender.deadline(), at(100) + timeout * 2) << "it is patient once more";
  sender.acknowledged(2, at(200));
  EXPECT_EQ(sender.deadline(), GoBackNSender::never);
}

using Answer = GoBackNReceiver::Answer;

TEST(GoBackNReceiver, AnswersEveryFourthAndTheLastOfAMessage) {
  GoBackNReceiver receiver{4};
  for (std::uint64_t number = 0; number < 8; ++number)
    EXPECT_EQ(receiver.receive(number, false).answer,
              number % 4 == 3 ? Answer::acknowledge : Answer::none)
        << number;
  EXPECT_EQ(receiver.receive(8, true).answer, Answer::acknowledge);
  EXPECT_EQ(receiver.expected(), 9U);
  for (std::uint64_t number = 9; number < 12; ++number)
    EXPECT_EQ(receiver.receive(number, false).answer, Answer::none) << "the count began again";
  EXPECT_EQ(receiver.receive(12, false).answer, Answer::acknowledge);
}

TEST(GoBackNReceiver, RefusesAGapOnceUntilItIsClosed) {
  GoBackNReceiver receiver{1};
  EXPECT_TRUE(receiver.receive(0, false).accepted);
  for (std::uint64_t number = 2; number < 5; ++number) {
    const GoBackNReceiver::Result result = receiver.receive(number, false);
    EXPECT_FALSE(result.accepted);
    EXPECT_EQ(result.answer, number == 2 ? Answer::refuse : Answer::none);
  }
  EXPECT_EQ(receiver.expected(), 1U);
  EXPECT_TRUE(receiver.refusing());
  EXPECT_EQ(receiver.receive(1, false).answer, Answer::acknowledge);
  EXPECT_FALSE(receiver.refusing());
  EXPECT_EQ(receiver.receive(3, false).answer, Answer::refuse) << "a new gap";
}

TEST(GoBackNReceiver, AcknowledgesAgainWhatItHas) {
  GoBackNReceiver receiver{4};
  for (std::uint64_t number = 0; number < 3; ++number) (void)receiver.receive(number, false);
  const GoBackNReceiver::Result again = receiver.receive(0, false);
  EXPECT_FALSE(again.accepted);
  EXPECT_EQ(again.answer, Answer::acknowledge);
  EXPECT_EQ(receiver.expected(), 3U);
}

}  // namespace
}  // namespace weir::go_back_n_test
