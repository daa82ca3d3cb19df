// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/wire_guard.hpp"

#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

// Half of what a time can hold: sums of a few such times do not wrap.
constexpr std::uint64_t end_of_time = 1ULL << 63;

}  // namespace

void refuse_phase(FramePhase phase) {
  throw ModelError("phase " + std::to_string(static_cast<unsigned>(phase)) +
                   " came in; the protocol has FramePhase::start alone");
}

void WireGuard::fail(const std::string& what) const { throw ModelError(where_ + ": " + what); }

void WireGuard::check_fields(const Frame& frame, FramePhase phase) const {
  if (phase != FramePhase::start)
    fail("phase " + std::to_string(static_cast<unsigned>(phase)) +
         " came in; the protocol has FramePhase::start alone");
  if (!frames_.lends(frame))
    fail("a frame came in that has been released, or was not taken from this simulation's pool");
  if (FrameKind::cnp < frame.kind)
    fail("a frame of kind " + std::to_string(static_cast<unsigned>(frame.kind)) +
         " came in; there is no such kind");
  if (priorities <= frame.priority.count())
    fail("a frame of priority " + std::to_string(frame.priority.count()) +
         " came in; priorities are 0 to 7");
  if (frame.length < min_frame_bytes.count())
    fail("a frame of " + std::to_string(frame.length) + " B came in; the shortest is " +
         std::to_string(min_frame_bytes.count()) + " B");
}

void WireGuard::check(const Frame& frame, FramePhase phase, const sc_core::sc_time& delay) {
  check_fields(frame, phase);
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  if (end_of_time - now <= delay.value())
    fail("a frame starts " + std::to_string(delay.value()) + " ps after " + std::to_string(now) +
         " ps, beyond the end of time");
  const Picoseconds start{now + delay.value()};
  if (start < wire_free_)
    fail("a frame starts at " + std::to_string(start.count()) +
         " ps, but the wire is taken until " + std::to_string(wire_free_.count()) + " ps");
  wire_free_ = start + slot_time(frame.length, byte_);
}

}  // namespace weir
