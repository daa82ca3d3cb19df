// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir::test {

/// Puts the settings of a chip on the configuration pins of a Verilated weir_domain.
template <class Model>
class DomainSettings {
 public:
  explicit DomainSettings(Model& rtl) : rtl_{rtl} {}

  /// Sets every pin that is a level.
  void set(const Chip& chip) {
    for (ProfileIndex p; p < chip.profiles.end_index(); ++p) set_profile(chip, p);
    for (PoolNumber i; i < chip.ingress_pools.end_index(); ++i) {
      const Pool& pool = chip.ingress_pools[i];
      const std::size_t at = i.value() * weir_pkg::PoolBits;
      set_bits(rtl_.cfg_pool_i, at + weir_pkg::PoolShared, weir_pkg::LimitW, pool.shared.count());
      set_bits(rtl_.cfg_pool_i, at + weir_pkg::PoolHeadroom, weir_pkg::LimitW,
               pool.headroom.count());
      set_bits(rtl_.cfg_pool_i, at + weir_pkg::PoolDedicated, 1, pool.dedicated_headroom);
    }
    for (QueueProfileIndex q; q < chip.queue_profiles.end_index(); ++q) set_queue_profile(chip, q);
    for (EgressPoolNumber i; i < chip.egress_pools.end_index(); ++i)
      set_bits(rtl_.cfg_egress_pool_i, i.value() * weir_pkg::EgressPoolBits, weir_pkg::LimitW,
               chip.egress_pools[i].shared.count());
  }

  void set_profile(const Chip& chip, ProfileIndex p) {
    const Profile& profile = chip.profiles[p];
    const std::uint64_t at = p.value() * weir_pkg::ProfileBits;
    const auto put = [&](std::size_t from, unsigned width, std::uint64_t value) {
      set_bits(rtl_.cfg_profile_i, at + from, width, value);
    };
    set_line(at + weir_pkg::ProfileLine, profile.threshold,
             chip.ingress_pools[profile.pool].shared.count() /
                 pg_sharers(chip, profile.pool, DomainId{0}),
             false);
    put(weir_pkg::ProfilePool, weir_pkg::PoolIndexW, profile.pool.value());
    put(weir_pkg::ProfilePrivate, weir_pkg::LimitW, profile.private_cells.count());
    put(weir_pkg::ProfileHeadroom, weir_pkg::LimitW, profile.headroom.count());
    put(weir_pkg::ProfileXon, weir_pkg::LimitW, profile.xon.count());
    put(weir_pkg::ProfileXonOffset, weir_pkg::LimitW, profile.xon_offset.count());
    put(weir_pkg::ProfileLossless, 1, profile.lossless);
    put(weir_pkg::ProfileTrigger, 1, profile.xoff_trigger == XoffTrigger::on_headroom);
    put(weir_pkg::ProfileRule, 1, profile.xon_rule == XonRule::paper);
  }

 private:
  void set_queue_profile(const Chip& chip, QueueProfileIndex q) {
    const QueueProfile& profile = chip.queue_profiles[q];
    const std::size_t at = q.value() * weir_pkg::QueueProfileBits;
    set_line(at + weir_pkg::QueueLine, profile.threshold,
             chip.egress_pools[profile.pool].shared.count() / queue_sharers(chip, profile.pool),
             true);
    set_bits(rtl_.cfg_queue_profile_i, at + weir_pkg::QueuePool, weir_pkg::PoolIndexW,
             profile.pool.value());
    set_bits(rtl_.cfg_queue_profile_i, at + weir_pkg::QueueMinimum, weir_pkg::LimitW,
             profile.minimum.count());
  }

  void set_line(std::uint64_t at, const ThresholdSetting& setting, std::uint64_t partition,
                bool queue) {
    const auto put = [&](std::size_t from, unsigned width, std::uint64_t value) {
      if (queue)
        set_bits(rtl_.cfg_queue_profile_i, at + from, width, value);
      else
        set_bits(rtl_.cfg_profile_i, at + from, width, value);
    };
    put(weir_pkg::LinePolicy, weir_pkg::PolicyW, static_cast<std::uint64_t>(setting.policy));
    put(weir_pkg::LineAlphaN, weir_pkg::AlphaNW, setting.alpha.numerator);
    put(weir_pkg::LineAlphaM, weir_pkg::AlphaMW, setting.alpha.shift);
    put(weir_pkg::LineStatic, weir_pkg::LimitW, setting.static_limit.count());
    put(weir_pkg::LinePartition, weir_pkg::LimitW, partition);
  }

  Model& rtl_;
};

}  // namespace weir::test
