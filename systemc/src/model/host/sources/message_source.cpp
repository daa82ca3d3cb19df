// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/model/host/message_sizes.hpp"

namespace weir {
namespace {

// Messages with sizes from a distribution, arriving as a Poisson process at the mean rate.
class MessageSource final : public TrafficSource {
 public:
  MessageSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, gap_{mean_wire_bytes(), rate_} {
    ready_ += random_.exponential(gap_.next());
    left_ = draw_size();
    begin_message(ready_, left_, std::nullopt);
  }

  SourcePacket take(Picoseconds) override {
    const SourcePacket made = packet(ready_, std::max(min_frame_bytes, std::min(left_, packet_)));
    left_ = saturating_subtract(left_, made.length);
    if (left_ == Bytes{0}) {
      ready_ += random_.exponential(gap_.next());
      left_ = draw_size();
      next_flow();
      begin_message(ready_, left_, std::nullopt);
    }
    return made;
  }

 private:
  Bytes draw_size() { return draw_message_size(traffic_->sizes, random_); }
  std::uint64_t mean_wire_bytes() const {
    return MessageFrames::of(mean_message_size(traffic_->sizes), packet_).wire_bytes().count();
  }

  Pace gap_;
  Bytes left_;
};

}  // namespace

std::unique_ptr<Source> make_message_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<MessageSource>(traffic, place);
}

}  // namespace weir
