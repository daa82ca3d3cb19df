// SPDX-License-Identifier: Apache-2.0
// How busy links were, and how deep egress queues: from the samples of a monitor.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/network_events.hpp"

namespace weir {

/// Watches the samples of [monitor]; without one it stays empty. Memory: per class of a link end
/// that was ever sampled.
class TrafficHistory {
 public:
  static constexpr std::size_t bins = 240;
  using Bins = std::array<std::uint64_t, bins>;

  explicit TrafficHistory(const Scenario& scenario);

  void sample(const PortSample& sample, Picoseconds time);

  [[nodiscard]] Picoseconds bin_width() const noexcept { return width_; }
  /// By node and port: bytes on the wire, preamble and gap counted, in each bin.
  [[nodiscard]] const std::map<std::pair<std::string, std::uint16_t>, Bins>& sent() const noexcept {
    return sent_;
  }
  /// By switch, port and priority: most frames in the egress queue at a sample of each bin.
  [[nodiscard]] const std::map<std::tuple<std::string, std::uint16_t, std::uint8_t>, Bins>& depths()
      const noexcept {
    return depths_;
  }

 private:
  void add_bytes(Bins& to, std::uint64_t bytes, Picoseconds time) const;

  const Picoseconds width_, period_;
  std::map<std::pair<std::string, std::uint16_t>, Bins> sent_;
  std::map<std::tuple<std::string, std::uint16_t, std::uint8_t>, Bins> depths_;
  std::map<std::tuple<std::string, std::uint16_t, std::uint8_t>, std::uint64_t> seen_;
};

}  // namespace weir
