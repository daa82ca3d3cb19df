// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/core/index.hpp"
#include "weir/core/policies/dynamic_threshold.hpp"
#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The sharing policies. The value is the number of the policy in registers, in the RTL and in
/// policy_table(). Those that the RTL has come first.
enum class Policy : std::uint8_t {
  dynamic,
  fixed,  ///< `static` in files
  complete_sharing,
  complete_partitioning,
  two_level,
  dsh,
  abm,
  edt
};

/// Defaults of ThresholdSetting::window and burst, 25 us and 1 ms; rounded up to cycles of the
/// chip.
inline constexpr Picoseconds default_window{25'000'000}, default_burst{1'000'000'000};

/// The policy of a profile, and the values of the keys. A policy ignores keys that it does not
/// read.
struct ThresholdSetting {
  Policy policy{Policy::dynamic};
  Alpha alpha;
  Cells static_limit;
  Alpha port_alpha;
  Cycle window = default_clock.edges_before(default_window);
  Cycle burst = default_clock.edges_before(default_burst);
};

/// A key of [profile.NAME] and [queue.NAME] that some policy reads.
struct PolicyKey {
  /// The value, by its kind: Alpha n/2^m with n from 1 to 65535 and m from 0 to 16, a count of
  /// cells, or a time from 1 to 2^32 cycles.
  using Member =
      std::variant<Alpha ThresholdSetting::*, Cells ThresholdSetting::*, Cycle ThresholdSetting::*>;

  std::string_view name;
  Member member;
  bool required{true};          ///< False: a time that a profile may leave out.
  Picoseconds otherwise{};      ///< Value of a time left out, before it is rounded up to cycles.
  std::string_view exponent{};  ///< Other key of an Alpha, 2^value, -8 to 7; empty: none.
};

/// The inputs of the part of T that follows S.
struct ThresholdContext {
  ThresholdSetting setting;
  Cells pool;                ///< B of the (pool, domain).
  std::uint32_t sharers{1};  ///< PGs (or queues) of that (pool, domain) that hold a threshold.
};

using SlotIndex = Index<struct SlotTag>;     ///< A PG, or domain x queues + queue.
using PortRow = Index<struct PortRowTag>;    ///< port x pools + pool, at egress in each domain
using ClassRow = Index<struct ClassRowTag>;  ///< (pool, domain) x 8 + class
using PoolRow = Index<struct PoolRowTag>;    ///< (pool, domain)

/// A PG, or a queue's part of one memory domain, as its policy sees it.
struct SharingSlot {
  SlotIndex index;
  /// Rows of the sums that slots share.
  struct Rows {
    PortRow port;
    ClassRow priority;
    PoolRow pool;
  } rows;
  ThresholdSetting setting;
  Threshold line;                    ///< The part of T that follows S.
  Cells pool;                        ///< B
  Cells headroom;                    ///< eta
  Cells xon_offset;                  ///< delta, of the PG and of its port
  Cells insurance;                   ///< What the port reserves for its insured groups.
  std::uint32_t insured_groups{0};   ///< N_q, PGs of the port whose policy is `insured`.
  std::uint32_t cells_in_window{1};  ///< Cells that the line carries in a setting.window.

  /// Cells that the slot holds now.
  struct Held {
    Cells shared, headroom, total;
  } held;
};

/// The sums and the time that a policy sees at a step of a slot.
struct SharingView {
  Cells used;         ///< S as the policy sees it.
  Cells port_shared;  ///< Shared cells of all slots of the port in the pool.
  Cycle now;          ///< Never goes back.
};

/// Number of slots, and of rows of the sums that slots share.
struct SharingShape {
  std::size_t slots{0}, ports{0}, classes{0}, pools{0};
};

/// A policy that looks at more than S, with the state that it keeps of its slots: one object for
/// the PGs of an MMU, one for its queues.
///
/// Units:  whole cells, rounded down; `now` in cycles.
/// Timing: state moves when cells of a slot move; limits are functions of it and of the view.
/// Errors: none; total for slots that were given a setting.
class SharingPolicy {
 public:
  SharingPolicy() = default;
  SharingPolicy& operator=(const SharingPolicy&) = delete;
  virtual ~SharingPolicy() = default;

  /// A copy with the same state.
  [[nodiscard]] virtual std::unique_ptr<SharingPolicy> clone() const = 0;

  /// T: the slot is full, and a PG is XOFF, at w >= T.
  [[nodiscard]] virtual Cells limit(const SharingSlot& slot,
                                    const SharingView& view) const noexcept = 0;
  /// The limit of admission in place of T: w must be below it.
  [[nodiscard]] virtual Cells admission_limit(const SharingSlot& slot,
                                              const SharingView& view) const noexcept {
    return limit(slot, view);
  }
  /// The slot held `before` and now holds slot.held. `left`: cells of a release, 0 at an arrival.
  virtual void moved(const SharingSlot& slot, const SharingSlot::Held& before, Cells left,
                     const SharingView& view) noexcept {
    static_cast<void>(slot), static_cast<void>(before), static_cast<void>(left),
        static_cast<void>(view);
  }

  /// A step of a slot, for XOFF of its whole port.
  struct PortStep {
    bool arrival{false};
    bool pressed{false};         ///< A cell went to headroom, or the ingress refused the packet.
    bool next_is_shared{false};  ///< Private is full.
  };
  /// Decides after a step of the slot whether its whole port goes to XOFF or back to XON.
  virtual void judge_port(const SharingSlot& slot, const PortStep& step, Cells used) noexcept {
    static_cast<void>(slot), static_cast<void>(step), static_cast<void>(used);
  }
  /// Whether a port row is paused as a whole.
  [[nodiscard]] virtual bool port_off(PortRow port_row) const noexcept {
    static_cast<void>(port_row);
    return false;
  }
  /// Cells of the insurance of a port row that are in use.
  [[nodiscard]] virtual Cells insurance_used(PortRow port_row) const noexcept {
    static_cast<void>(port_row);
    return Cells{};
  }

 protected:
  SharingPolicy(const SharingPolicy&) = default;  // for clone()
};

/// One row of the policy table.
struct PolicyRow {
  Policy policy;
  std::string_view name;
  std::string_view summary;
  std::vector<const PolicyKey*> keys;          ///< Keys that the policy reads.
  Threshold (*line)(const ThresholdContext&);  ///< T; with a `rule`, the part that follows S.
  /// Makes the rest of T and its state; nullptr: T is the line.
  std::unique_ptr<SharingPolicy> (*rule)(const SharingShape&){nullptr};
  bool for_lossy{true};  ///< Lossy priority groups and queues may have it.
  /// Headroom is inside the shared segment, but for an insurance that each port reserves; XOFF is
  /// at T, whichever trigger the profile names. Needs dedicated headroom.
  bool insured{false};
  bool in_rtl{false};

  [[nodiscard]] bool reads(std::string_view key) const noexcept;
};

/// All policies in the order of their numbers. Code that parses, checks, compares or
/// documents a policy walks this table.
[[nodiscard]] const std::vector<PolicyRow>& policy_table();
/// The row of a policy. Errors: ConfigError when the value is none of the table.
[[nodiscard]] const PolicyRow& row_of(Policy policy);
/// The row called `name`, or nullptr.
[[nodiscard]] const PolicyRow* find_policy(std::string_view name) noexcept;
/// The name of a policy in files and documents.
[[nodiscard]] std::string_view to_string(Policy policy);
/// The names of all policies, or of those that the RTL has.
[[nodiscard]] std::vector<std::string> policy_names(bool only_in_rtl);
/// Every key that some policy reads, once, in the order of the table.
[[nodiscard]] const std::vector<const PolicyKey*>& policy_keys();

/// T of a slot, or the part of it that follows S.
/// Errors: ConfigError when the policy is none of the table, a value of a key that it reads is out
/// of range, or B exceeds 2^24 cells. `key` is the dotted path to name in the error.
[[nodiscard]] Threshold make_threshold(const ThresholdContext& context, const std::string& key);

}  // namespace weir
