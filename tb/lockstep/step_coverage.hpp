// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"

namespace weir::test {

/// Functional coverage of the steps: which case, which edge, which forwarding path. In each cycle:
/// release() and arrival() of its steps in order, then end_cycle().
class StepCoverage {
 public:
  StepCoverage(Scoreboard& board, const RtlShape& shape) : board_{board}, shape_{shape} {
    for (int code = -8; code < 8; ++code)
      alpha_.push_back(board_.point("alpha = 2^" + std::to_string(code)));
    for (std::size_t p = 0; p < rtl_policies(); ++p)
      policy_.push_back(board_.point("policy " + std::string{policy_table()[p].name}));
    for (const char* trigger : {"on_crossing", "on_headroom"})
      for (const char* rule : {"sai", "paper"})
        pair_.push_back(board_.point(std::string{"XOFF and XON by "} + trigger + ", " + rule));
  }

  /// Cells held before a step.
  struct View {
    Placement held;
    PoolUse use;
    Cells threshold, rest;
    bool xoff;
  };
  [[nodiscard]] static View look(const Mmu& mmu, const ArrivalStep& step, Cycle now) {
    const PgSettings& settings = mmu.settings_of(step.pg);
    const Placement& held = mmu.ingress().pg(step.pg);
    const Cells room = settings.private_limit - held.private_cells;
    return {held, mmu.ingress().pool(settings.pool_domain), mmu.threshold(step.pg, now),
            step.cells < room ? Cells{0} : step.cells - room, mmu.pfc().xoff(step.pg)};
  }

  void arrival(const Mmu& mmu, const ArrivalStep& step, const View& view, const Verdict& verdict,
               std::size_t copies) {
    const PgSettings& settings = mmu.settings_of(step.pg);
    const bool judged = verdict.reason != Reason::egress_queue && view.rest != Cells{0};
    board_.hit(reason_[static_cast<std::size_t>(verdict.reason)]);
    board_.hit_if(view.use.shared == Cells{0}, pool_empty_);
    board_.hit_if(verdict.admitted() && view.rest == Cells{0}, all_private_);
    if (judged) at_the_edges(view, settings, verdict);
    if (verdict.admitted()) placed(verdict.placement);
    board_.hit_if(!verdict.admitted() && settings.lossless && view.held.total() == Cells{0},
                  refused_empty_);
    level_after_arrival(view, verdict);
    board_.hit_if(verdict.admitted() && copies < step.queues.size(), masked_copy_);
    if (judged) settings_in_use(mmu, step.pg);
    meets(step.pg);
    arrived_.push_back(step.pg);
  }

  /// `before`: whether the PG was XOFF; `error`: it held less.
  void release(const Mmu& mmu, const ReleaseStep& step, bool before, PfcLevel level, bool error) {
    board_.hit_if(error, too_large_);
    if (error) return;
    const PgSettings& settings = mmu.settings_of(step.pg);
    const bool resumed = before && level.changed;
    const bool empty = mmu.ingress().pg(step.pg).total() == Cells{0};
    board_.hit_if(resumed && empty, xon_empty_);
    board_.hit_if(resumed && !empty && settings.xon_rule == XonRule::sai, xon_sai_);
    board_.hit_if(resumed && !empty && settings.xon_rule == XonRule::paper, xon_paper_);
    board_.hit_if(before && !level.changed, stays_xoff_);
    if (resumed) hit_pair(settings);
    if (shape_.copies > 1) board_.hit_if(!step.last, not_last_);
    board_.hit_if(shape_.lanes > 1 && in(released_, step.pg), two_releases_);
    released_.push_back(step.pg);
  }

  void end_cycle() {
    std::rotate(history_.begin(), history_.end() - 1, history_.end());  // reuse the oldest
    history_[0].assign(released_.begin(), released_.end());
    history_[0].insert(history_[0].end(), arrived_.begin(), arrived_.end());
    released_.clear();
    arrived_.clear();
  }
  void reset() {
    for (auto& pgs : history_) pgs.clear();
    released_.clear();
    arrived_.clear();
  }

  /// PGs of the steps of earlier cycles, newest first.
  void put_history(std::ostream& text) const {
    text << "steps of the cycles before:";
    for (const auto& pgs : history_) {
      text << " |";
      for (const PgIndex pg : pgs) text << " " << pg;
    }
  }

 private:
  using Point = Scoreboard::Point;

  [[nodiscard]] static bool in(const std::vector<PgIndex>& pgs, PgIndex pg) {
    return std::find(pgs.begin(), pgs.end(), pg) != pgs.end();
  }

  void at_the_edges(const View& view, const PgSettings& settings, const Verdict& verdict) {
    const std::int64_t w = view.held.shared.count(), t = view.threshold.count();
    const std::int64_t after = std::int64_t{view.use.shared.count()} + view.rest.count();
    const std::int64_t b = settings.shared_pool.count();
    board_.hit_if(w == t - 1, w_below_);
    board_.hit_if(w == t, w_at_);
    board_.hit_if(w == t + 1, w_above_);
    board_.hit_if(after == b, fills_pool_);
    board_.hit_if(after == b + 1, over_pool_);
    board_.hit_if(t == 0, t_zero_);
    board_.hit_if(view.held.headroom != Cells{0} && verdict.placement.shared != Cells{0},
                  shared_again_);
  }

  void placed(const Placement& cells) {
    board_.hit_if(cells.shared != Cells{0} && cells.private_cells != Cells{0}, split_shared_);
    board_.hit_if(cells.headroom != Cells{0}, to_headroom_);
    board_.hit_if(cells.headroom != Cells{0} && cells.private_cells != Cells{0}, split_headroom_);
  }

  void level_after_arrival(const View& view, const Verdict& verdict) {
    const bool entered = verdict.pfc.changed && verdict.pfc.xoff;
    board_.hit_if(entered && !verdict.admitted(), xoff_refused_);
    if (entered && !verdict.admitted())
      board_.hit(xoff_by_[static_cast<std::size_t>(verdict.reason) - 1]);
    board_.hit_if(entered && verdict.placement.headroom != Cells{0}, xoff_headroom_);
    board_.hit_if(entered && verdict.admitted() && verdict.placement.headroom == Cells{0},
                  xoff_crossing_);
    board_.hit_if(verdict.pfc.changed && !verdict.pfc.xoff, xon_arrival_);
    board_.hit_if(view.xoff && !verdict.pfc.changed && verdict.admitted(), admitted_xoff_);
  }

  void settings_in_use(const Mmu& mmu, PgIndex pg) {
    const Chip& chip = mmu.chip();
    const Profile& profile = chip.profiles[*chip.profile_of_pg[pg]];
    const std::uint64_t policy = static_cast<std::uint64_t>(profile.threshold.policy);
    board_.hit(policy_[policy]);
    if (policy != 0) return;
    if (const std::optional<int> code = power_of_two(profile.threshold.alpha))
      board_.hit(alpha_[static_cast<std::size_t>(*code + 8)]);
  }
  [[nodiscard]] static std::optional<int> power_of_two(Alpha alpha) {
    if ((alpha.numerator & (alpha.numerator - 1)) != 0) return std::nullopt;
    for (int code = -8; code < 8; ++code) {
      const Alpha power = Alpha::power_of_two(code);
      if (power.numerator == alpha.numerator && power.shift == alpha.shift) return code;
    }
    return std::nullopt;
  }
  void hit_pair(const PgSettings& settings) {
    board_.hit(pair_[(settings.xoff_trigger == XoffTrigger::on_headroom ? 2U : 0U) +
                     (settings.xon_rule == XonRule::paper ? 1U : 0U)]);
  }

  // Steps that used the PG of an arrival just before it.
  void meets(PgIndex pg) {
    board_.hit_if(in(released_, pg), release_and_arrival_);
    board_.hit_if(shape_.lanes > 1 && in(arrived_, pg), two_arrivals_);
    for (std::size_t age = 0; age < history_.size(); ++age)
      board_.hit_if(in(history_[age], pg), forwarded_[age]);
  }

  [[nodiscard]] Point when(bool possible, const char* name) {
    return possible ? board_.point(name) : unused_;
  }

  Scoreboard& board_;
  const RtlShape& shape_;
  const std::array<Point, step_reasons> reason_{board_.point("admitted"),
                                                board_.point("refused: shared_threshold"),
                                                board_.point("refused: shared_pool"),
                                                board_.point("refused: headroom_limit"),
                                                board_.point("refused: headroom_pool"),
                                                board_.point("refused: egress_queue")};
  const Point unused_ = reason_[0];  // for points that the shape cannot reach
  const Point all_private_ = board_.point("all cells private"),
              split_shared_ = board_.point("part private, part shared"),
              to_headroom_ = board_.point("cells to headroom"),
              split_headroom_ = board_.point("part private, part headroom"),
              w_below_ = board_.point("w = T - 1"), w_at_ = board_.point("w = T"),
              w_above_ = board_.point("w = T + 1"), fills_pool_ = board_.point("S + rest = B"),
              over_pool_ = board_.point("S + rest = B + 1"), t_zero_ = board_.point("T = 0"),
              pool_empty_ = board_.point("pool empty"),
              shared_again_ = board_.point("shared again while headroom is held"),
              refused_empty_ = board_.point("refused at an empty PG"),
              xoff_refused_ = board_.point("XOFF: refused"),
              xoff_headroom_ = board_.point("XOFF: cells in headroom"),
              xoff_crossing_ = board_.point("XOFF: crossing"),
              admitted_xoff_ = board_.point("admitted while XOFF"),
              xon_arrival_ = board_.point("XON by an arrival");
  const std::array<Point, 5> xoff_by_{
      board_.point("XOFF: refused by its threshold, without headroom"),
      board_.point("XOFF: refused by the shared pool, without headroom"),
      board_.point("XOFF: refused by its headroom limit"),
      board_.point("XOFF: refused by the headroom pool"),
      board_.point("XOFF: refused by an egress queue")};
  const Point release_and_arrival_ = board_.point("release and arrival of one PG in one cycle"),
              two_releases_ = when(shape_.lanes > 1, "two releases of one PG in one cycle"),
              two_arrivals_ = when(shape_.lanes > 1, "two arrivals of one PG in one cycle");
  const std::array<Point, 4> forwarded_{board_.point("forwarding from 1 cycle before"),
                                        board_.point("forwarding from 2 cycles before"),
                                        board_.point("forwarding from 3 cycles before"),
                                        board_.point("forwarding from 4 cycles before")};
  const Point too_large_ = board_.point("release of more than is held");
  const Point xon_empty_ = board_.point("XON: empty"), xon_sai_ = board_.point("XON: sai"),
              xon_paper_ = board_.point("XON: paper"),
              stays_xoff_ = board_.point("release that leaves XOFF"),
              masked_copy_ = when(shape_.copies > 1, "masked copy"),
              not_last_ = when(shape_.copies > 1, "release that is not the last");
  std::vector<Point> alpha_, policy_, pair_;
  std::vector<PgIndex> released_, arrived_;      // PGs of this cycle's steps
  std::array<std::vector<PgIndex>, 4> history_;  // newest first
};

}  // namespace weir::test
