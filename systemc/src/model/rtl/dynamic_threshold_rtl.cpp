// SPDX-License-Identifier: Apache-2.0
// The RTL of dynamic_threshold in the place of the built-in block.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_combinational.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir {
namespace {

/// T of all groups and queues, by one instance: its inputs are those of the call.
class DynamicThresholdRtl final : public MmuBlock<DynamicThresholdIf>, public CombinationalRtlUnit {
 public:
  DynamicThresholdRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name},
        CombinationalRtlUnit{library, this->name(), "mmu.dynamic_threshold", settings.chip()},
        settings_{settings},
        cell_width_{library.parameter("CellW")} {
    require_no_other_pins();
    require_policies();
  }

  [[nodiscard]] Cells limit(PgIndex pg, Cells used, Cycle now) const override {
    const PgSettings& group = settings_.of(pg);
    const auto held = held_.find(pg.value());
    return ask(group.threshold, saturating_subtract(group.shared_pool, used), used,
               held == held_.end() ? Cells{} : held->second, pg, now);
  }
  [[nodiscard]] Cells queue_limit(QueueIndex queue, DomainId domain, Cells used,
                                  Cycle now) const override {
    const Chip& chip = settings_.chip();
    const QueueProfileIndex number = *chip.profile_of_queue[queue];
    const Cells pool = chip.egress_pools[chip.queue_profiles[number].pool].shared;
    const auto held = queued_.find({queue.value(), domain.count()});
    return ask(queue_line(chip, number), saturating_subtract(pool, used), used,
               held == queued_.end() ? Cells{} : held->second, queue, now);
  }
  void pg_moved(PgIndex pg, const Placement& held, Cells, Cells, Cycle) override {
    held_[pg.value()] = held.shared;
  }
  void queue_moved(QueueIndex queue, DomainId domain, const QueueUse& held, Cells, Cells,
                   Cycle) override {
    queued_[{queue.value(), domain.count()}] = held.shared;
  }

 private:
  void require_policies() const {
    const auto require = [&](const std::string& table, const ThresholdSetting& setting) {
      if (row_of(setting.policy).in_rtl) return;
      throw ConfigError(fmt::format("{}: {}.policy", node(), table),
                        std::string{row_of(setting.policy).name},
                        fmt::format("must be one of {} with --block dynamic_threshold",
                                    fmt::join(policy_names(true), ", ")));
    };
    for (const Profile& profile : settings_.chip().profiles)
      require("profile." + profile.name, profile.threshold);
    for (const QueueProfile& profile : settings_.chip().queue_profiles)
      require("queue." + profile.name, profile.threshold);
  }

  template <class Index>
  Cells ask(const Threshold& line, Cells free, Cells used, Cells held, Index at, Cycle now) const {
    free_.set(0, limit_width, free.count());
    slope_n_.set(0, 16, line.slope().numerator);
    slope_m_.set(0, 5, line.slope().shift);
    constant_.set(0, limit_width, line.constant().count());
    held_pin_.set(0, cell_width_, held.count());
    settle(now);
    const Cells expected = line.at(used);
    same(at, "threshold_o", expected.count(), threshold_.get(0, weir_pkg::ThresholdW), now);
    same(at, "below_o", held < expected ? 1 : 0, below_.get(0, 1), now);
    return Cells{static_cast<std::uint32_t>(threshold_.get(0, weir_pkg::ThresholdW))};
  }

  const MmuSettings& settings_;
  const unsigned cell_width_;
  mutable RtlPin free_{input("free_i", limit_width)},
      slope_n_{input("slope_n_i", weir_pkg::AlphaNW)},
      slope_m_{input("slope_m_i", weir_pkg::AlphaMW)}, constant_{input("constant_i", limit_width)},
      held_pin_{input("held_i", cell_width_)};
  RtlPin threshold_{output("threshold_o", weir_pkg::ThresholdW)}, below_{output("below_o", 1)};
  std::map<std::size_t, Cells> held_;                            // w of groups
  std::map<std::pair<std::size_t, std::size_t>, Cells> queued_;  // w of queues, by domain
};

}  // namespace

std::unique_ptr<MmuBlock<DynamicThresholdIf>> make_dynamic_threshold_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library) {
  return std::make_unique<DynamicThresholdRtl>(name, settings, library);
}

}  // namespace weir
