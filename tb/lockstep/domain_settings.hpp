// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "weir/core/chip.hpp"

namespace weir::test {

// Fields of the configuration words, as in weir_pkg.sv.
namespace words {
constexpr unsigned limit_w = 25, line_n = 2, line_m = 18, line_static = 23, line_partition = 48,
                   line_bits = 73;
constexpr unsigned profile_pool = 73, profile_private = 81, profile_headroom = 106,
                   profile_xon = 131, profile_xon_offset = 156, profile_lossless = 181,
                   profile_trigger = 182, profile_rule = 183, profile_bits = 184;
constexpr unsigned pool_headroom = 25, pool_dedicated = 50, pool_bits = 51;
constexpr unsigned queue_pool = 73, queue_minimum = 81, queue_bits = 106;
constexpr unsigned egress_bits = 25;
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
    put(words::profile_pool, 8, profile.pool.value());
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
    set_bits(rtl_.cfg_queue_profile_i, at + words::queue_pool, 8, profile.pool.value());
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
    put(0, 2, static_cast<std::uint64_t>(setting.policy));
    put(words::line_n, 16, setting.alpha.numerator);
    put(words::line_m, 5, setting.alpha.shift);
    put(words::line_static, words::limit_w, setting.static_limit.count());
    put(words::line_partition, words::limit_w, partition);
  }

  Model& rtl_;
};

}  // namespace weir::test
