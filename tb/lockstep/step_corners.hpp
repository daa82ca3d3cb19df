// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/random.hpp"
#include "weir/core/step_traffic.hpp"

namespace weir::test {

/// A chip of a few cells, so that every short sequence of steps reaches a limit: PG 0 lossless with
/// phi 1, alpha 1, eta 3 in a headroom pool of 2 cells; PG 1 lossy; B 6; queue 5 with a minimum of
/// 1 and B_e 4.
inline Chip corner_chip(const RtlShape& shape, XoffTrigger trigger, XonRule rule) {
  RandomStream random{1, "chip"};
  Chip chip = RandomChip{shape, random, 0}.make();
  chip.mtu = chip.cell * ((1U << shape.len_w) - 1);
  for (std::size_t port = 0; port < chip.ports.size(); ++port)
    chip.ports[port].domain = DomainId{static_cast<std::uint8_t>(port % shape.domains)};
  for (Pool& pool : chip.ingress_pools) pool = {pool.name, Cells{6}, Cells{2}, false};
  for (Pool& pool : chip.egress_pools) pool.shared = Cells{4};
  for (Profile& profile : chip.profiles) {
    profile.lossless = false;
    profile.pool = {};
    profile.private_cells = profile.headroom = Cells{0};
    profile.threshold.policy = Policy::dynamic;
    profile.threshold.alpha = Alpha::power_of_two(0);
  }
  Profile& lossless = chip.profiles.front();
  lossless.lossless = true;
  lossless.private_cells = Cells{1};
  lossless.headroom = Cells{3};
  lossless.xon = Cells{2};
  lossless.xon_offset = Cells{1};
  lossless.xoff_trigger = trigger;
  lossless.xon_rule = rule;
  QueueProfile& lossy = chip.queue_profiles.front();
  lossy.pool = {};
  lossy.minimum = Cells{1};
  lossy.threshold.policy = Policy::dynamic;
  lossy.threshold.alpha = Alpha::power_of_two(-1);
  std::fill(chip.profile_of_pg.begin(), chip.profile_of_pg.end(), ProfileIndex{1});
  chip.profile_of_pg[PgIndex{0}] = ProfileIndex{0};
  std::fill(chip.profile_of_queue.begin(), chip.profile_of_queue.end(), std::nullopt);
  chip.profile_of_queue[QueueIndex{5}] = QueueProfileIndex{0};
  chip.check();
  return chip;
}

/// Every sequence of four cycles out of eight kinds, at PG 0 of a corner_chip() and its neighbour;
/// afterwards all cells are released before the next sequence.
class StepCorners {
 public:
  StepCorners(Bytes cell, std::size_t lanes) : cell_{cell}, lanes_{lanes} {}

  /// Releases of the next cycle; its arrivals belong to the same cycle.
  [[nodiscard]] std::vector<ReleaseStep> releases() {
    std::vector<ReleaseStep> steps;
    if (at_ == length) {
      while (steps.size() < lanes_ && !held_.empty()) leave(steps, true);
      return steps;
    }
    const Kind kind = this->kind();
    if (kind == oldest_leaves || kind == oldest_leaves_two_come || kind == two_leave)
      leave(steps, true);
    if (kind == newest_leaves_lossy_comes || kind == two_leave) leave(steps, false);
    return steps;
  }
  [[nodiscard]] std::vector<ArrivalStep> arrivals() {
    std::vector<ArrivalStep> steps;
    switch (kind()) {
      case one_comes:
        steps = {arrival(PgIndex{0}, 1)};
        break;
      case four_come:
        steps = {arrival(PgIndex{0}, 4)};
        break;
      case oldest_leaves_two_come:
        steps = {arrival(PgIndex{0}, 2)};
        break;
      case newest_leaves_lossy_comes:
        steps = {arrival(PgIndex{1}, 2)};
        break;
      case three_and_two_come:
        steps = {arrival(PgIndex{0}, 3), arrival(PgIndex{0}, 2)};
        break;
      default:
        break;
    }
    steps.resize(std::min(steps.size(), lanes_));
    advance();
    return steps;
  }
  void admitted(const ArrivalStep& step, const std::vector<QueueIndex>& queues) {
    held_.push_back({step.pg, step.cells, queues.front(), true});
  }
  [[nodiscard]] bool done() const noexcept { return sequence_ == sequences; }

 private:
  // Cells that arrive at PG 0; what is released; lossy: two cells of PG 1. With one lane the second
  // of two arrivals or releases is left out.
  enum Kind : unsigned {
    nothing,
    one_comes,
    four_come,
    oldest_leaves,
    oldest_leaves_two_come,
    newest_leaves_lossy_comes,
    three_and_two_come,
    two_leave,
    kinds
  };
  static constexpr unsigned length = 4, sequences = kinds * kinds * kinds * kinds;

  // Of the cycle; empty at the end of the sequence.
  [[nodiscard]] Kind kind() const {
    unsigned rest = sequence_;
    for (unsigned n = 0; n < at_; ++n) rest /= kinds;
    return at_ == length || done() ? nothing : static_cast<Kind>(rest % kinds);
  }
  void advance() {
    if (at_ < length) {
      ++at_;
    } else if (held_.empty() && !done()) {
      ++sequence_;
      at_ = 0;
    }
  }
  void leave(std::vector<ReleaseStep>& steps, bool oldest) {
    if (steps.size() == lanes_ || held_.empty()) return;
    steps.push_back(oldest ? held_.front() : held_.back());
    oldest ? held_.pop_front() : held_.pop_back();
  }
  // Queue 0 has no limit.
  [[nodiscard]] ArrivalStep arrival(PgIndex pg, std::uint32_t cells) const {
    return {pg, Cells{cells}, cell_ * cells, {QueueIndex{pg == PgIndex{0} ? 0U : 5U}}};
  }

  const Bytes cell_;
  const std::size_t lanes_;
  std::deque<ReleaseStep> held_;
  unsigned sequence_{0}, at_{0};
};

/// The steps of a lockstep: random, or the corners.
class StepSource {
 public:
  StepSource(const Chip& chip, std::uint64_t seed, const RtlShape& shape)
      : random_{chip, seed, shape.copies, (1U << shape.len_w) - 1},
        cell_{chip.cell},
        lanes_{shape.lanes} {}

  /// From now on; for a corner_chip().
  void play_corners() { corners_.emplace(cell_, lanes_); }
  [[nodiscard]] bool in_corners() const noexcept { return corners_ && !corners_->done(); }
  void in_waves() noexcept { random_.in_waves(); }

  // As in StepTraffic; corners are steps of domain 0.
  [[nodiscard]] std::vector<ReleaseStep> releases(DomainId domain, std::size_t most) {
    if (!corners_) return random_.releases(domain, most);
    return domain == DomainId{0} && most != 0 ? corners_->releases() : std::vector<ReleaseStep>{};
  }
  [[nodiscard]] std::vector<ArrivalStep> arrivals(DomainId domain, std::size_t most) {
    if (!corners_) return random_.arrivals(domain, most);
    return domain == DomainId{0} && most != 0 ? corners_->arrivals() : std::vector<ArrivalStep>{};
  }
  void admitted(const ArrivalStep& step, const std::vector<QueueIndex>& queues) {
    if (corners_)
      corners_->admitted(step, queues);
    else
      random_.admitted(step, queues);
  }
  [[nodiscard]] std::uint64_t draw(std::uint64_t n) noexcept { return random_.draw(n); }

 private:
  StepTraffic random_;
  const Bytes cell_;
  const std::size_t lanes_;
  std::optional<StepCorners> corners_;
};

}  // namespace weir::test
