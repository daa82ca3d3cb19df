// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/policies/dynamic_threshold.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The settings of one PG or queue for its policy, resolved for its pool and domain.
struct SharingSetting {
  PolicyRule rule{PolicyRule::line};
  Threshold line;                ///< The part of T that follows S; all of it for `line`.
  Threshold port_line;           ///< two_level: alpha_port x (B - S)
  Cells pool;                    ///< B
  Cells headroom;                ///< dsh: eta
  Cells insurance;               ///< dsh: what the port reserves
  Cells xon_offset;              ///< dsh: delta, of the PG and of its port
  std::uint32_t port_queues{0};  ///< dsh: N_q, PGs of the port under dsh
  std::uint32_t capacity{1};     ///< abm: cells that the line carries in a window
  Cycle window{1};               ///< abm
  Cycle burst{1};                ///< edt
};

/// Limits of the policies that use more than S, and their state: one object for the PGs of an MMU,
/// one for its queues. A slot is a PG, or a queue's part of one memory domain.
///
/// two_level  T = min(line, w + max(0, line_port - W)), W = shared cells of the port in the pool: a
///            slot is full when it reaches its own limit, or its port the port's.
/// dsh        XOFF at T = line - eta; a packet may use the shared segment while its port is on and
///            W < N_q x line, then the insurance of its port. W, and the port's state: PGs under
///            dsh.
/// abm        T = line x d / (c n): d of c cells left in the last whole window (all of them unless
///            the slot was backlogged throughout); n = congested slots of the class, w >= 0.9 T.
/// edt        T = line; a slot that reaches it becomes a burst and has T = max(line, B / bursts)
///            until it is empty, or `burst` is over; then it must be empty before the next.
///
/// Units:  whole cells, rounded down; `now` in cycles.
/// Timing: state moves when cells of the slot move; limits are functions of it, of S and of `now`.
/// Errors: none; total for slots that were given a setting.
/// Source: [SMARTBUF] two_level, [DSH], [ABM], [EDT]; docs/design/decisions/0003.
class SharingPolicy {
 public:
  SharingPolicy() = default;
  /// `ports`, `classes` and `pools`: rows of the sums that slots share.
  SharingPolicy(std::size_t slots, std::size_t ports, std::size_t classes, std::size_t pools);

  /// Where a slot belongs.
  struct Rows {
    std::size_t port{0}, priority{0}, pool{0};
  };
  /// Gives a slot its setting; a later one changes the limits, and nothing that is held.
  void set(std::size_t slot, const SharingSetting& setting, Rows rows);

  /// T: the slot is full, and a PG is XOFF, at w >= T. `used` is S as the policy sees it.
  [[nodiscard]] Cells limit(std::size_t slot, Cells used, Cycle now) const noexcept;
  /// What admission asks instead: w below it. Differs from T under dsh alone.
  [[nodiscard]] Cells admission_limit(std::size_t slot, Cells used, Cycle now) const noexcept;
  [[nodiscard]] bool has_insurance(std::size_t slot) const noexcept {
    return slots_[slot].setting.rule == PolicyRule::dsh;
  }
  [[nodiscard]] std::size_t slots() const noexcept { return slots_.size(); }
  /// The cells that the port of a slot reserves under dsh, and those of them in use.
  [[nodiscard]] Cells insurance(std::size_t slot) const noexcept {
    return slots_[slot].setting.insurance;
  }
  [[nodiscard]] Cells insurance_used(std::size_t slot) const noexcept {
    return ports_[slots_[slot].rows.port].headroom;
  }

  /// Cells have moved: the slot now holds `shared` and `headroom` of `total`; `left` of them left.
  void moved(std::size_t slot, Cells shared, Cells headroom, Cells total, Cells left, Cells used,
             Cycle now) noexcept;

  /// After a step of a slot under dsh: whether its port goes off or on. `pressed`: a cell went to
  /// the insurance, or the ingress refused the packet; `next_is_shared`: private is full.
  void judge_port(std::size_t slot, bool arrival, bool pressed, bool next_is_shared,
                  Cells used) noexcept;
  /// Whether a port row is paused as a whole.
  [[nodiscard]] bool port_off(std::size_t row) const noexcept { return ports_[row].off; }

 private:
  enum class Phase : std::uint8_t { ready, burst, spent };
  struct Slot {
    SharingSetting setting;
    Rows rows;
    Cells shared, headroom, total;
    Cycle busy_since;                       // abm: w > 0 from here on
    std::uint64_t window{0};                // abm: number of the window of the last move
    std::uint64_t left{0}, left_before{0};  // abm: cells that left in it, and in the one before
    Cycle burst_start;                      // edt
    Phase phase{Phase::ready};
    bool congested{false};  // abm
  };
  struct Port {
    Cells shared;                       // all slots
    Cells dsh_shared, headroom, total;  // slots under dsh
    bool off{false};
  };

  [[nodiscard]] Cells drained_share(const Slot& slot, Cells line, Cycle now) const noexcept;
  [[nodiscard]] Cells burst_limit(const Slot& slot, Cells line, Cycle now) const noexcept;
  [[nodiscard]] Phase phase_at(const Slot& slot, Cells line, Cycle now) const noexcept;
  [[nodiscard]] static std::uint64_t port_limit(const Slot& slot, Cells line) noexcept {
    return std::uint64_t{slot.setting.port_queues} * line.count();
  }
  void count_window(Slot& slot, Cells left, Cycle now) noexcept;
  void settle_congestion(Slot& slot, Cells used, Cycle now) noexcept;
  void settle_burst(Slot& slot, Cells used, Cycle now) noexcept;

  std::vector<Slot> slots_;
  std::vector<Port> ports_;
  std::vector<std::uint32_t> congested_;  // of each class row
  std::vector<std::uint32_t> bursts_;     // of each pool row
  Cycle last_;                            // of the latest move
};

}  // namespace weir
