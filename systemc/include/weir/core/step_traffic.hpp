// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/random.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// An arrival as the MMU gets it.
struct ArrivalStep {
  PgIndex pg;
  Cells cells;
  Bytes length;
  std::vector<QueueIndex> queues;
};
/// A release as the MMU gets it.
struct ReleaseStep {
  PgIndex pg;
  Cells cells;
  QueueIndex queue;
  bool last{true};
};

/// Random legal arrivals and releases: a packet leaves once from each queue that took it.
///
/// The mix changes every few hundred steps: bursts on one PG, all PGs of a domain, small and large
/// packets, filling and draining, so that limits are crossed in both directions.
///
/// Range:  a PG without a profile gets nothing. Errors: none. Source: none; a means of tests.
class StepTraffic {
 public:
  /// A test draws no more requests for a domain in which this many wait.
  static constexpr std::size_t backlog = 16;

  /// `copies`: greatest number of queues of a packet; `longest`: greatest number of its cells.
  StepTraffic(const Chip& chip, std::uint64_t seed, unsigned copies, std::uint32_t longest);

  /// Up to `most` releases of `domain` in one cycle. They count as done.
  [[nodiscard]] std::vector<ReleaseStep> releases(DomainId domain, std::size_t most);
  /// Up to `most` arrivals at `domain` in one cycle. Call admitted() for each that was admitted.
  [[nodiscard]] std::vector<ArrivalStep> arrivals(DomainId domain, std::size_t most);
  /// The queues of `queues` took the packet of `step`, which is held from now on.
  void admitted(const ArrivalStep& step, const std::vector<QueueIndex>& queues);
  /// Discards the held packets after a reset of the MMU.
  void reset();
  /// From now on draws long packets in long waves of filling and draining, so that even the largest
  /// segment is full and empty in turn.
  void in_waves() noexcept { waves_ = true; }

  /// Number of packets that `domain` holds.
  [[nodiscard]] std::size_t held(DomainId domain) const noexcept {
    return domains_[domain.count()].held.size();
  }
  /// A draw of 0 .. n-1 from the same stream, for other random choices of a test.
  [[nodiscard]] std::uint64_t draw(std::uint64_t n) noexcept { return random_.uniform(n); }

 private:
  static constexpr std::uint32_t usual_multicast = 30;

  struct Held {
    PgIndex pg;
    Cells cells;
    std::vector<QueueIndex> queues;
  };
  struct Domain {
    std::vector<PgIndex> pgs;
    std::deque<Held> held;
    std::uint64_t cycles_left{0};
    std::uint32_t arrive{0}, leave{0};  // percent of the lanes
    std::uint32_t longest{1};
    std::uint32_t newest_first{0};  // percent of the releases
    std::uint32_t on_hot{0};        // percent of the arrivals at hot_pg, and of their copies
    std::uint32_t multicast{usual_multicast};  // percent that may have copies
    PgIndex hot_pg;
    QueueIndex hot_queue;
  };

  void redraw(Domain& domain);
  void redraw_wave(Domain& domain);
  [[nodiscard]] bool percent(std::uint32_t share) noexcept { return random_.uniform(100) < share; }

  RandomStream random_;
  bool waves_{false};
  const std::size_t queues_;
  std::vector<QueueIndex> limited_;  // queues with a profile
  const unsigned copies_;
  const std::uint32_t longest_;
  const std::uint64_t cell_, overhead_, mtu_;
  IndexedVector<PgIndex, std::size_t> domain_of_pg_;
  std::vector<Domain> domains_;
};

}  // namespace weir
