// SPDX-License-Identifier: Apache-2.0
// How busy links were, and how deep egress queues: from the samples of a monitor.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/trace/summary/report_shape.hpp"

namespace weir {

/// Watches the samples of [monitor]; without one it stays empty. Memory: per class of a link end
/// that was ever sampled.
class TrafficHistory {
 public:
  static constexpr std::size_t bins = report_bins;
  using Bins = std::array<std::uint64_t, bins>;

  explicit TrafficHistory(const Scenario& scenario);

  void sample(const PortSample& sample, Picoseconds time);

  [[nodiscard]] Picoseconds bin_width() const noexcept { return width_; }
  /// By node and port: bytes on the wire, preamble and gap counted, in each bin.
  [[nodiscard]] const std::map<std::pair<std::string, std::uint16_t>, Bins>& sent() const noexcept {
    return sent_;
  }
  /// By switch, port and priority: most frames in the egress queue in each bin up to `end`, as
  /// samples saw it; what a sample saw holds until the next one.
  using Depths = std::map<std::tuple<std::string, std::uint16_t, std::uint8_t>, Bins>;
  [[nodiscard]] Depths depths(Picoseconds end) const;

 private:
  // Of an egress queue: most frames in each bin so far, and those of the last sample.
  struct Depth {
    Bins most{};
    std::uint64_t last{0};
    std::size_t bin{0};

    void hold_until(std::size_t end) noexcept;
  };

  [[nodiscard]] std::size_t bin_of(Picoseconds time) const noexcept {
    return std::min<std::uint64_t>(time.count() / width_.count(), bins - 1);
  }
  void add_bytes(Bins& to, std::uint64_t bytes, Picoseconds time) const;

  const Picoseconds width_, period_;
  std::map<std::pair<std::string, std::uint16_t>, Bins> sent_;
  std::map<std::tuple<std::string, std::uint16_t, std::uint8_t>, Depth> depths_;
  std::map<std::tuple<std::string, std::uint16_t, std::uint8_t>, std::uint64_t> seen_;
};

}  // namespace weir
