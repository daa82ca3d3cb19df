// SPDX-License-Identifier: Apache-2.0
#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"

namespace weir {
namespace {

// Packets at a fixed rate; as fast as the port allows when no rate is given.
class ConstantSource final : public TrafficSource {
 public:
  ConstantSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place},
        paced_{traffic.rate != BitRate{0}},
        pace_{slot_bytes(), rate_} {}

  SourcePacket take(Picoseconds now) override {
    const SourcePacket made = packet(paced_ ? ready_ : now, packet_);
    ready_ = paced_ ? ready_ + pace_.next() : now;
    next_flow();
    return made;
  }

 private:
  const bool paced_;
  Pace pace_;
};

}  // namespace

std::unique_ptr<Source> make_constant_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<ConstantSource>(traffic, place);
}

}  // namespace weir
