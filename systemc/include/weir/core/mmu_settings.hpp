// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A checked chip, with the settings of each PG resolved for its memory domain: what the blocks of
/// an MMU are configured by. It holds no packet.
///
/// Errors: the constructor throws ConfigError (Chip::check).
class MmuSettings {
 public:
  explicit MmuSettings(const Chip& chip);

  [[nodiscard]] const Chip& chip() const noexcept { return chip_; }
  [[nodiscard]] const PgSettings& of(PgIndex pg) const noexcept {
    return settings_[settings_of_pg_[pg]];
  }
  [[nodiscard]] bool has_profile(PgIndex pg) const noexcept { return settings_of_pg_[pg] != 0; }
  [[nodiscard]] DomainId domain_of_pg(PgIndex pg) const noexcept { return domain_of_pg_[pg]; }
  /// Whether some T follows more than S: a policy with a state of its own.
  [[nodiscard]] bool has_policies() const noexcept { return has_policies_; }
  /// Whether every T follows the live S, and nothing else.
  [[nodiscard]] bool is_plain() const noexcept {
    return !has_policies_ && chip_.threshold_lag == 0;
  }

  /// Changes what may change while packets are held: threshold, xon and xon_offset of a profile.
  ///
  /// Errors: ConfigError, and nothing has changed, when a setting is impossible or another one of
  ///         the profile differs.
  void set_profile(ProfileIndex index, const Profile& profile);

 private:
  Chip chip_;
  IndexedVector<PgIndex, DomainId> domain_of_pg_;
  std::vector<PgSettings> settings_;  // [0]: no profile; else profile x domain
  IndexedVector<PgIndex, std::uint16_t> settings_of_pg_;
  bool has_policies_{false};
};

}  // namespace weir
