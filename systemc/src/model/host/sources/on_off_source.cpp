// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"

namespace weir {
namespace {

// Packets at a fixed rate while on, none while off.
class OnOffSource final : public TrafficSource {
 public:
  OnOffSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, pace_{slot_bytes(), rate_} {
    on_until_ = ready_ + length_of(traffic_->on_time);
  }

  SourcePacket take(Picoseconds) override {
    const SourcePacket made = packet(ready_, packet_);
    ready_ += pace_.next();
    while (on_until_ <= ready_) {
      ready_ = on_until_ + length_of(traffic_->off_time);
      on_until_ = ready_ + length_of(traffic_->on_time);
    }
    next_flow();
    return made;
  }

 private:
  Picoseconds length_of(Picoseconds mean) {
    const Picoseconds drawn = traffic_->random_periods ? random_.exponential(mean) : mean;
    return std::max(drawn, Picoseconds{1});
  }

  Pace pace_;
  Picoseconds on_until_;
};

}  // namespace

std::unique_ptr<Source> make_on_off_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<OnOffSource>(traffic, place);
}

}  // namespace weir
