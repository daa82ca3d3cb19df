// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host/sources/source_makers.hpp"
#include "host/sources/traffic_source.hpp"

namespace weir {
namespace {

// Exactly the packets of a list, at their times (or as soon after as the port allows).
class ReplaySource final : public Source {
 public:
  ReplaySource(const TrafficSpec& traffic, const SourcePlace& place) {
    for (const ReplayPacket& packet : traffic.replay)
      if (packet.from == place.host) packets_.push_back(packet);
    std::stable_sort(packets_.begin(), packets_.end(),
                     [](const ReplayPacket& a, const ReplayPacket& b) { return a.time < b.time; });
  }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return next_ < packets_.size() ? packets_[next_].time : never;
  }
  [[nodiscard]] Priority priority() const noexcept override {
    return next_ < packets_.size() ? packets_[next_].priority : Priority{0};
  }
  [[nodiscard]] bool open_loop() const noexcept override { return true; }
  SourcePacket take(Picoseconds) override {
    const ReplayPacket& packet = packets_[next_++];
    return {packet.time,
            packet.length,
            static_cast<HostId>(packet.to),
            packet.priority,
            0,
            packet.dscp.value_or(class_selector(packet.priority)),
            mark_of(packet.ecn)};
  }

 private:
  std::vector<ReplayPacket> packets_;
  std::size_t next_{0};
};

}  // namespace

std::unique_ptr<Source> make_replay_source(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<ReplaySource>(traffic, place);
}

}  // namespace weir
