// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "weir/model/switch/port_counters.hpp"

// Which rows of a long table matter most: the screen, report.html and what a run leaves for it
// choose the same ones.
namespace weir {

/// A priority at one or more ports: drops, then pauses, then load.
struct ClassWeight {
  std::uint64_t drops{0}, pauses{0}, bytes{0};

  [[nodiscard]] friend bool operator<(const ClassWeight& a, const ClassWeight& b) noexcept {
    return std::tie(a.drops, a.pauses, a.bytes) < std::tie(b.drops, b.pauses, b.bytes);
  }
};

/// `read` gives the count of a row of for_each_class_counter(). Each packet is dropped once over
/// all ports: where it came in, or at its egress queue.
template <class Read>
[[nodiscard]] ClassWeight class_weight(Read&& read) {
  using C = PortCounters::ByPriority;
  ClassWeight weight;
  for_each_class_counter([&](const auto& row) {
    const auto is = [&](auto... members) { return ((row.count == members) || ...); };
    if constexpr (std::is_same_v<std::decay_t<decltype(row.count)>, Bytes C::*>) {
      if (is(&C::rx_bytes, &C::tx_bytes)) weight.bytes += read(row);
    } else {
      if (is(&C::mac_drops, &C::ingress_drops, &C::egress_drops, &C::watchdog_egress_drops))
        weight.drops += read(row);
      if (is(&C::pauses_sent, &C::pauses_received)) weight.pauses += read(row);
    }
  });
  return weight;
}
[[nodiscard]] inline ClassWeight class_weight(const PortCounters::ByPriority& counters) {
  return class_weight([&](const auto& row) { return count_of(row, counters); });
}

/// An egress queue with a WRED profile: marks and drops, then packets.
struct MarkWeight {
  std::uint64_t marked_or_dropped{0}, packets{0};

  [[nodiscard]] friend bool operator<(const MarkWeight& a, const MarkWeight& b) noexcept {
    return std::tie(a.marked_or_dropped, a.packets) < std::tie(b.marked_or_dropped, b.packets);
  }
};

/// Compares rows by their weight(), the most first.
struct MoreWeight {
  template <class Row>
  [[nodiscard]] bool operator()(const Row& a, const Row& b) const {
    return b.weight() < a.weight();
  }
};

}  // namespace weir
