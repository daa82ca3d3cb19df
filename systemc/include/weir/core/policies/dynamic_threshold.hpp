// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// alpha = numerator / 2^shift, as the field writes it: 2^k for k = -8..7, or n/2^m.
struct Alpha {
  std::uint32_t numerator{1};  ///< 1 .. 65535
  std::uint8_t shift{0};       ///< 0 .. 16

  /// alpha = 2^exponent; SAI dynamic_th. Range: -8..7.
  [[nodiscard]] static constexpr Alpha power_of_two(int exponent) noexcept {
    return exponent < 0 ? Alpha{1, static_cast<std::uint8_t>(-exponent)}
                        : Alpha{1U << static_cast<unsigned>(exponent), 0};
  }
  friend constexpr bool operator==(Alpha a, Alpha b) noexcept {
    return a.numerator == b.numerator && a.shift == b.shift;
  }
};

/// What a profile asks for, by name of the policy table. A policy leaves the keys of others aside.
struct ThresholdSetting {
  std::string policy{"dynamic"};
  Alpha alpha;             ///< `dynamic`, `two_level`, `dsh`, `abm`, `edt`.
  Cells static_limit;      ///< `static`.
  Alpha port_alpha;        ///< `two_level`: of the whole port.
  Cycle window{25'000};    ///< `abm`: over which the drain is measured.
  Cycle burst{1'000'000};  ///< `edt`: how long a burst may go past its share.
};

/// The limit T of the shared part of one queue or PG, ready for use: a line in the free cells,
/// T(S) = floor(slope * (B - S)) + constant, slope = n/2^m; S >= B leaves the constant.
///
/// Units:  cells in, cells out, rounded down.
/// Range:  B up to 2^24 cells, n up to 65535, m up to 16; T saturates at 2^32 - 1.
/// Errors: none; at() is total. make_threshold() throws ConfigError.
/// Source: Choudhury and Hahne 1998 [CH98] for `dynamic`; n = 0 gives the policies with a fixed T.
class Threshold {
 public:
  constexpr Threshold() noexcept = default;
  constexpr Threshold(Cells pool, Alpha slope, Cells constant) noexcept
      : pool_{pool}, numerator_{slope.numerator}, constant_{constant}, shift_{slope.shift} {}

  [[nodiscard]] constexpr Cells at(Cells used) const noexcept {
    const std::uint64_t free = saturating_subtract(pool_, used).count();
    const std::uint64_t limit = ((free * numerator_) >> shift_) + constant_.count();
    return Cells{limit > 0xffff'ffffU ? 0xffff'ffffU : static_cast<std::uint32_t>(limit)};
  }

 private:
  Cells pool_;
  std::uint32_t numerator_{0};
  Cells constant_;
  std::uint8_t shift_{0};
};

/// What a policy may know when it makes a Threshold.
struct ThresholdContext {
  ThresholdSetting setting;
  Cells pool;                ///< B of the (pool, domain).
  std::uint32_t sharers{1};  ///< PGs (or queues) of that (pool, domain) that hold a threshold.
};

/// What a policy looks at. All but `line` look at more than S: core/sharing_policy.hpp.
enum class PolicyRule : std::uint8_t { line, two_level, dsh, abm, edt };

/// One row of the policy table: name -> maker.
struct ThresholdPolicy {
  std::string_view name;
  Threshold (*make)(const ThresholdContext&);  ///< T; where `rule` is not `line`, its part in S.
  PolicyRule rule;
  bool uses_alpha;
  bool for_lossy;  ///< Lossy priority groups and queues may have it.
  std::string_view summary;
};

/// All policies, in one place. Tests and documents walk this table.
[[nodiscard]] const std::vector<ThresholdPolicy>& threshold_policies();

/// The row of that name; nullptr: there is none.
[[nodiscard]] const ThresholdPolicy* find_policy(std::string_view name) noexcept;
/// Range: a name of the table.
[[nodiscard]] PolicyRule policy_rule(std::string_view name) noexcept;

/// Errors: ConfigError when the policy is unknown, alpha is outside n/2^m with n in 1..65535 and
/// m in 0..16, or B exceeds 2^24 cells. `key` is the dotted path to name in the error.
[[nodiscard]] Threshold make_threshold(const ThresholdContext& context, const std::string& key);

}  // namespace weir
