// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>

#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"

namespace weir {
namespace {

// All senders at once: a burst of bytes as fast as the port allows, again every period.
class IncastSource final : public TrafficSource {
 public:
  IncastSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, left_{traffic.burst}, burst_start_{ready_} {
    if (traffic.burst != Bytes{0}) begin_message(burst_start_, left_, burst_);
  }

  SourcePacket take(Picoseconds now) override {
    const bool endless = traffic_->burst == Bytes{0};
    const SourcePacket made =
        endless ? packet(now, packet_)
                : packet(burst_start_, std::max(shortest_frame_bytes, std::min(left_, packet_)));
    next_connection();
    if (endless) {
      ready_ = now;
      return made;
    }
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
    ready_ = burst_start_;
    left_ = traffic_->burst;
    draw_destination();
    begin_message(burst_start_, left_, ++burst_);
  }

  Bytes left_;
  Picoseconds burst_start_;
  std::uint64_t burst_{0};
};

}  // namespace

std::unique_ptr<Source> make_incast_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<IncastSource>(traffic, place);
}

}  // namespace weir
