// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

// All senders at once: a burst of bytes, again every period. Its packets are there together, or
// come at the rate; a burst that is longer than the period is followed by the next at once.
class IncastSource final : public TrafficSource {
 public:
  IncastSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place},
        paced_{traffic.rate != BitRate{0}},
        pace_{slot_bytes(), rate_},
        left_{traffic.burst},
        burst_start_{ready_} {
    if (traffic.burst != Bytes{0}) begin_message(burst_start_, left_, burst_);
  }

  SourcePacket take(Picoseconds now) override {
    const bool endless = traffic_->burst == Bytes{0};
    const Picoseconds together = endless ? now : burst_start_;
    const SourcePacket made =
        packet(paced_ ? ready_ : together,
               endless ? packet_ : std::max(min_frame_bytes, std::min(left_, packet_)));
    next_connection();
    if (paced_)
      ready_ += pace_.next();
    else if (endless)
      ready_ = now;
    if (endless) return made;
    left_ = saturating_subtract(left_, made.length);
    if (left_ == Bytes{0}) next_burst();
    return made;
  }

 private:
  void next_burst() {
    if (traffic_->period == Picoseconds{0}) {
      ready_ = never;
      return;
    }
    burst_start_ += traffic_->period;
    ready_ = paced_ ? std::max(ready_, burst_start_) : burst_start_;
    left_ = traffic_->burst;
    draw_destination();
    begin_message(burst_start_, left_, ++burst_);
  }

  const bool paced_;
  Pace pace_;
  Bytes left_;
  Picoseconds burst_start_;
  std::uint64_t burst_{0};
};

}  // namespace

std::unique_ptr<Source> make_incast_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<IncastSource>(traffic, place);
}

}  // namespace weir
