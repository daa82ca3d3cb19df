// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/go_back_n.hpp"

namespace weir {

std::uint64_t GoBackNSender::send(const Packet& packet, Picoseconds now) {
  if (unacknowledged_.empty()) heard_ = now;
  unacknowledged_.push_back(packet);
  in_flight_ += packet.length;
  next_ = unacknowledged_.size();
  return first_ + unacknowledged_.size() - 1;
}

GoBackNSender::Numbered GoBackNSender::resend(Picoseconds now) noexcept {
  if (next_ == 0) heard_ = now;
  ++resent_;
  const std::size_t index = next_++;
  return {first_ + index, unacknowledged_[index]};
}

void GoBackNSender::acknowledged(std::uint64_t expected, Picoseconds now) noexcept {
  if (expected <= first_ || first_ + unacknowledged_.size() < expected) return;
  heard_ = now;
  while (first_ < expected) {
    in_flight_ -= unacknowledged_.front().length;
    unacknowledged_.pop_front();
    ++first_;
    if (next_ != 0) --next_;
  }
}

void GoBackNSender::refused(std::uint64_t expected, Picoseconds now) noexcept {
  acknowledged(expected, now);
  if (expected == first_) next_ = 0;
}

void GoBackNSender::expire(Picoseconds now) noexcept {
  ++timeouts_;
  heard_ = now;
  next_ = 0;
}

GoBackNReceiver::Result GoBackNReceiver::receive(std::uint64_t number, bool last) noexcept {
  if (expected_ < number) {
    const Answer answer = refused_ ? Answer::none : Answer::refuse;
    refused_ = true;
    return {false, answer};
  }
  if (number < expected_) return {false, Answer::acknowledge};
  refused_ = false;
  ++expected_;
  ++unanswered_;
  if (!last && unanswered_ < ack_every_) return {true, Answer::none};
  unanswered_ = 0;
  return {true, Answer::acknowledge};
}

}  // namespace weir
