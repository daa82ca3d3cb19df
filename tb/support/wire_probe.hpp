// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <systemc>
#include <vector>

#include "weir/model/network/frame_socket.hpp"

namespace weir::test {

/// An end of a wire outside every agenda: records what it receives and sends the frames that it is
/// given at their times.
class WireProbe final : public sc_core::sc_module, public FrameReceiver, private FrameSender {
 public:
  struct Seen {
    FrameKind kind{FrameKind::data};
    Priority priority;
    std::uint32_t length{0};
    PfcFrame pfc;
    Picoseconds start;
  };

  FrameInitiator tx{"tx"};
  FrameTarget rx{"rx"};
  std::vector<Seen> seen;
  std::function<void(const Seen&)> on_frame;  ///< Called for each frame that comes in.

  WireProbe(const sc_core::sc_module_name& name, FramePool& frames, BitRate rate)
      : sc_core::sc_module{name}, frames_{frames}, byte_{byte_time(rate)} {
    tx.bind(static_cast<FrameBackwardIf&>(*this));
    rx.bind(static_cast<FrameForwardIf&>(*this));
    SC_HAS_PROCESS(WireProbe);
    SC_METHOD(send_due);
    sensitive << due_;
    dont_initialize();
  }

  /// Sends a PFC frame for class 3 whose last bit is at the other end at `last_bit`.
  void pause(Picoseconds last_bit, Quanta quanta) {
    Frame* frame = frames_.take();
    frame->kind = FrameKind::pfc;
    frame->length = 64;
    frame->pfc.class_enable = 1U << 3;
    frame->pfc.time[3] = quanta;
    send(last_bit - frame_time(64, byte_), *frame);
  }
  /// Sends a data frame whose first preamble bit leaves at `start`.
  void data(Picoseconds start, std::uint32_t length, HostId destination) {
    Frame* frame = frames_.take();
    frame->length = length;
    frame->destination = destination;
    frame->created = start;
    send(start, *frame);
  }
  /// Starts of the data frames seen.
  [[nodiscard]] std::vector<Picoseconds> data_starts() const {
    std::vector<Picoseconds> starts;
    for (const Seen& frame : seen)
      if (frame.kind == FrameKind::data) starts.push_back(frame.start);
    return starts;
  }

 private:
  void send(Picoseconds start, Frame& frame) {
    queue_.emplace(start, &frame);
    arm();
  }
  void arm() {
    if (queue_.empty()) return;
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    const std::uint64_t first = queue_.begin()->first.count();
    due_.notify(sc_core::sc_time::from_value(first < now ? 0 : first - now));
  }
  void send_due() {
    const Picoseconds now{sc_core::sc_time_stamp().value()};
    while (!queue_.empty() && queue_.begin()->first <= now) {
      Frame* frame = queue_.begin()->second;
      queue_.erase(queue_.begin());
      send_frame(peer_of(tx), *frame, sc_core::SC_ZERO_TIME);
    }
    arm();
  }
  void receive(Frame& frame, const sc_core::sc_time& delay) override {
    seen.push_back({frame.kind, frame.priority, frame.length, frame.pfc,
                    Picoseconds{(sc_core::sc_time_stamp() + delay).value()}});
    frame.release();
    if (on_frame) on_frame(seen.back());
  }

  FramePool& frames_;
  const Picoseconds byte_;
  std::multimap<Picoseconds, Frame*> queue_;
  sc_core::sc_event due_;
};

}  // namespace weir::test
