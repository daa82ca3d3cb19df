// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/model/rtl/index_width.hpp"

namespace weir::test {

// Fields of the configuration words, in the order of weir_pkg.sv.
namespace words {
constexpr unsigned alpha_n_w = 16, alpha_m_w = 5, limit_w = 25, pool_w = 8;
inline const unsigned policy_w = index_width(policy_names(true).size());
inline const unsigned line_n = policy_w, line_m = line_n + alpha_n_w,
                      line_static = line_m + alpha_m_w, line_partition = line_static + limit_w,
                      line_bits = line_partition + limit_w;
inline const unsigned profile_pool = line_bits, profile_private = profile_pool + pool_w,
                      profile_headroom = profile_private + limit_w,
                      profile_xon = profile_headroom + limit_w,
                      profile_xon_offset = profile_xon + limit_w,
                      profile_lossless = profile_xon_offset + limit_w,
                      profile_trigger = profile_lossless + 1, profile_rule = profile_trigger + 1,
                      profile_bits = profile_rule + 1;
constexpr unsigned pool_headroom = limit_w, pool_dedicated = pool_headroom + limit_w,
                   pool_bits = pool_dedicated + 1;
inline const unsigned queue_pool = line_bits, queue_minimum = queue_pool + pool_w,
                      queue_bits = queue_minimum + limit_w;
constexpr unsigned egress_bits = limit_w;
}  // namespace words

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
      const std::size_t at = i.value() * words::pool_bits;
      set_bits(rtl_.cfg_pool_i, at, words::limit_w, pool.shared.count());
      set_bits(rtl_.cfg_pool_i, at + words::pool_headroom, words::limit_w, pool.headroom.count());
      set_bits(rtl_.cfg_pool_i, at + words::pool_dedicated, 1, pool.dedicated_headroom);
    }
    for (QueueProfileIndex q; q < chip.queue_profiles.end_index(); ++q) set_queue_profile(chip, q);
    for (EgressPoolNumber i; i < chip.egress_pools.end_index(); ++i)
      set_bits(rtl_.cfg_egress_pool_i, i.value() * words::egress_bits, words::limit_w,
               chip.egress_pools[i].shared.count());
  }

  void set_profile(const Chip& chip, ProfileIndex p) {
    const Profile& profile = chip.profiles[p];
    const std::uint64_t at = p.value() * words::profile_bits;
    const auto put = [&](std::size_t from, unsigned width, std::uint64_t value) {
      set_bits(rtl_.cfg_profile_i, at + from, width, value);
    };
    set_line(at, profile.threshold,
             chip.ingress_pools[profile.pool].shared.count() /
                 pg_sharers(chip, profile.pool, DomainId{0}),
             false);
    put(words::profile_pool, words::pool_w, profile.pool.value());
    put(words::profile_private, words::limit_w, profile.private_cells.count());
    put(words::profile_headroom, words::limit_w, profile.headroom.count());
    put(words::profile_xon, words::limit_w, profile.xon.count());
    put(words::profile_xon_offset, words::limit_w, profile.xon_offset.count());
    put(words::profile_lossless, 1, profile.lossless);
    put(words::profile_trigger, 1, profile.xoff_trigger == XoffTrigger::on_headroom);
    put(words::profile_rule, 1, profile.xon_rule == XonRule::paper);
  }

 private:
  void set_queue_profile(const Chip& chip, QueueProfileIndex q) {
    const QueueProfile& profile = chip.queue_profiles[q];
    const std::size_t at = q.value() * words::queue_bits;
    set_line(at, profile.threshold,
             chip.egress_pools[profile.pool].shared.count() / queue_sharers(chip, profile.pool),
             true);
    set_bits(rtl_.cfg_queue_profile_i, at + words::queue_pool, words::pool_w, profile.pool.value());
    set_bits(rtl_.cfg_queue_profile_i, at + words::queue_minimum, words::limit_w,
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
    put(0, words::policy_w, static_cast<std::uint64_t>(setting.policy));
    put(words::line_n, words::alpha_n_w, setting.alpha.numerator);
    put(words::line_m, words::alpha_m_w, setting.alpha.shift);
    put(words::line_static, words::limit_w, setting.static_limit.count());
    put(words::line_partition, words::limit_w, partition);
  }

  Model& rtl_;
};

}  // namespace weir::test
