// SPDX-License-Identifier: Apache-2.0
#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"

namespace weir {
namespace {

// Packets with exponentially distributed gaps.
class PoissonSource final : public TrafficSource {
 public:
  PoissonSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, pace_{slot_bytes(), rate_} {
    ready_ += random_.exponential(pace_.next());
  }

  SourcePacket take(Picoseconds) override {
    const SourcePacket made = packet(ready_, packet_);
    ready_ += random_.exponential(pace_.next());
    next_flow();
    return made;
  }

 private:
  Pace pace_;
};

}  // namespace

std::unique_ptr<Source> make_poisson_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<PoissonSource>(traffic, place);
}

}  // namespace weir
