// SPDX-License-Identifier: Apache-2.0
// The RTL of dynamic_threshold in the place of the built-in block.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_block_makers.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

/// What a limit is computed from, and what the core says it is.
struct Line {
  const ThresholdSetting& setting;
  Threshold line;
  Cells pool;
};

/// T of all groups and queues, by one instance: its inputs are those of the call.
class DynamicThresholdRtl final : public MmuBlock<DynamicThresholdIf>, public RtlBlockUnit {
 public:
  DynamicThresholdRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name},
        settings_{settings},
        path_{library.path()},
        node_{node_of_block(this->name())},
        cell_width_{library.parameter("CellW")},
        rtl_{library, node_, "mmu.dynamic_threshold", [](Picoseconds) {},
             settings.chip().clock.most(Cycle{1})} {
    rtl_.require_no_other_pins();
    require_policies();
  }

  [[nodiscard]] Cells limit(PgIndex pg, Cells used, Cycle now) const override {
    const Chip& chip = settings_.chip();
    const PgSettings& group = settings_.of(pg);
    const Line line{chip.profiles[*chip.profile_of_pg[pg]].threshold, group.threshold,
                    group.shared_pool};
    const auto held = held_.find(pg.value());
    return ask(line, used, held == held_.end() ? Cells{} : held->second, now,
               {port_of(pg), number_in_port(pg), "PG"});
  }
  [[nodiscard]] Cells queue_limit(QueueIndex queue, DomainId domain, Cells used,
                                  Cycle now) const override {
    const Chip& chip = settings_.chip();
    const QueueProfileIndex number = *chip.profile_of_queue[queue];
    const QueueProfile& profile = chip.queue_profiles[number];
    const Line line{profile.threshold, queue_line(chip, number),
                    chip.egress_pools[profile.pool].shared};
    const auto held = queued_.find({queue.value(), domain.count()});
    return ask(line, used, held == queued_.end() ? Cells{} : held->second, now,
               {port_of(queue), number_in_port(queue), "queue"});
  }
  void pg_moved(PgIndex pg, const Placement& held, Cells, Cells, Cycle) override {
    held_[pg.value()] = held.shared;
  }
  void queue_moved(QueueIndex queue, DomainId domain, const QueueUse& held, Cells, Cells,
                   Cycle) override {
    queued_[{queue.value(), domain.count()}] = held.shared;
  }

  [[nodiscard]] const std::optional<RtlDifference>& difference() const override {
    return difference_;
  }
  [[nodiscard]] std::string block() const override { return "dynamic_threshold"; }
  [[nodiscard]] std::vector<RtlWave*> waves() override { return {&rtl_}; }
  [[nodiscard]] std::uint64_t compared() const override { return compared_; }
  void finish(Picoseconds) override {}

 private:
  /// Whose limit it is.
  struct Whose {
    PortId port;
    Priority number;
    const char* kind;
  };

  void require_policies() const {
    const auto require = [&](const std::string& table, const ThresholdSetting& setting) {
      if (row_of(setting.policy).in_rtl) return;
      throw ConfigError(fmt::format("{}: {}.policy", node_, table),
                        std::string{row_of(setting.policy).name},
                        fmt::format("must be one of {} with --block dynamic_threshold",
                                    fmt::join(policy_names(true), ", ")));
    };
    for (const Profile& profile : settings_.chip().profiles)
      require("profile." + profile.name, profile.threshold);
    for (const QueueProfile& profile : settings_.chip().queue_profiles)
      require("queue." + profile.name, profile.threshold);
  }

  // The part that does not follow S is what is left where S has reached B.
  Cells ask(const Line& of, Cells used, Cells held, Cycle now, const Whose& whose) const {
    const bool slopes = of.setting.policy == Policy::dynamic;
    free_.set(0, limit_width, saturating_subtract(of.pool, used).count());
    slope_n_.set(0, 16, slopes ? of.setting.alpha.numerator : 0);
    slope_m_.set(0, 5, slopes ? of.setting.alpha.shift : 0);
    constant_.set(0, limit_width, of.line.at(of.pool).count());
    held_pin_.set(0, cell_width_, held.count());
    rtl_.settle();
    show(now);
    const Cells expected = of.line.at(used);
    same("threshold_o", expected.count(), threshold_.get(0, 32), now, whose);
    same("below_o", held < expected ? 1 : 0, below_.get(0, 1), now, whose);
    return Cells{static_cast<std::uint32_t>(threshold_.get(0, 32))};
  }
  // The calls of a cycle follow each other by a picosecond.
  void show(Cycle now) const {
    if (!rtl_.waving()) return;
    const Picoseconds edge = time_of(now, settings_.chip().clock);
    shown_ = std::max(edge, shown_ + Picoseconds{1});
    rtl_.show(shown_);
  }
  void same(const char* pin, std::uint64_t expected, std::uint64_t actual, Cycle now,
            const Whose& whose) const {
    ++compared_;
    if (expected == actual) return;
    const LockstepDifference difference{
        fmt::format("port {}, {} {}", whose.port.count(), whose.kind, whose.number.count()), pin,
        std::to_string(expected), std::to_string(actual)};
    difference_.emplace(
        difference_of(path_, node_, now.count(), difference, time_of(now, settings_.chip().clock)));
    throw *difference_;
  }

  const MmuSettings& settings_;
  const std::string path_, node_;
  const unsigned cell_width_;
  // A limit is a function of its arguments; the pins are how it is asked for.
  mutable RtlBlock rtl_;
  mutable RtlPin free_{rtl_.input("free_i", limit_width)}, slope_n_{rtl_.input("slope_n_i", 16)},
      slope_m_{rtl_.input("slope_m_i", 5)}, constant_{rtl_.input("constant_i", limit_width)},
      held_pin_{rtl_.input("held_i", cell_width_)};
  RtlPin threshold_{rtl_.output("threshold_o", 32)}, below_{rtl_.output("below_o", 1)};
  std::map<std::size_t, Cells> held_;                            // w of groups
  std::map<std::pair<std::size_t, std::size_t>, Cells> queued_;  // w of queues, by domain
  mutable Picoseconds shown_;
  mutable std::uint64_t compared_{0};
  mutable std::optional<RtlDifference> difference_;
};

}  // namespace

std::unique_ptr<MmuBlock<DynamicThresholdIf>> make_dynamic_threshold_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library) {
  return std::make_unique<DynamicThresholdRtl>(name, settings, library);
}

}  // namespace weir
