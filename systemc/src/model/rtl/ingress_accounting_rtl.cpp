// SPDX-License-Identifier: Apache-2.0
// The RTL of ingress_accounting in the place of the built-in block.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_called.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/accounting/lagged_sum.hpp"
#include "weir/model/rtl/index_width.hpp"

namespace weir {
namespace {

/// A cycle of requests at one PG: a release, or a charge.
struct IngressStep {
  PgIndex pg;
  PoolIndex pool_domain;
  Cells leaves;
  Placement comes;  // shared or headroom is 0
  Cycle now;
};

/// The cells of one memory domain, by one instance with one lane. `core` has those of all domains,
/// and makes the same steps.
class IngressRtl {
 public:
  IngressRtl(CalledRtlUnit& unit, const RtlBlockLibrary& library, const MmuSettings& settings,
             DomainId domain, IngressAccounting& core)
      : settings_{settings},
        domain_{domain},
        core_{core},
        rows_{std::size_t{library.parameter("Ports")} * priorities},
        pools_{library.parameter("Pools")},
        cell_width_{library.parameter("CellW")},
        length_width_{library.parameter("LenW")},
        rtl_{unit, settings.chip(), domain} {
    load();
  }

  /// What a PG holds.
  [[nodiscard]] Placement pg(PgIndex pg) {
    read_pg_.set(0, row_width(), pg.value());
    rtl_.settle();
    rtl_.edge();
    rtl_.settle();
    return read_row(pg);
  }
  /// The sums of a pool after the last step.
  [[nodiscard]] PoolUse pool(PoolNumber pool) {
    same_ends(pool);
    return {cells(limit_of(pool) - limit_in(end_free_, pool)), cells(count_in(end_headroom_, pool)),
            cells(count_in(end_private_, pool))};
  }
  /// S of a pool.
  [[nodiscard]] Cells shared(PoolNumber pool) {
    rtl_.same(pool, "seen_o", free(pool), limit_in(seen_, pool));
    return cells(limit_of(pool) - limit_in(seen_, pool));
  }

  /// Requests at t and t + 1, the decision at t + 2, outputs at t + 3: three edges. Returns what a
  /// release takes from each segment.
  Placement step(const IngressStep& step) {
    for (RtlPin* const pin : {&release_pg_, &arrive_pg_, &read_pg_})
      pin->set(0, row_width(), step.pg.value());
    rtl_.settle();
    rtl_.edge();
    const Placement before = release(step);
    const bool error = before.total() < step.leaves;
    charge(step);
    rtl_.same(step.pg, "rel_error_o", error ? 1 : 0, error_.get(0, 1));
    return error ? Placement{} : given(before);
  }

 private:
  static constexpr std::size_t release_step = 0, arrival_step = 1, steps = 2;

  [[nodiscard]] static Cells cells(std::uint64_t count) {
    return Cells{static_cast<std::uint32_t>(count)};
  }

  // B goes in before the first request.
  void load() {
    rtl_.reset();
    load_.set(0, 1, 1);
    for (PoolNumber pool; pool < settings_.chip().ingress_pools.end_index(); ++pool)
      limits_.set(pool.value() * limit_width, limit_width, limit_of(pool));
    rtl_.wait_for(done_, "init_done_o");
    for (unsigned edge = 0; edge < 2; ++edge) {  // of the sums, and of the sums after a step
      rtl_.edge();
      rtl_.settle();
    }
    load_.clear();
    rtl_.settle();
  }

  // Cycle t + 1. Returns what the PG holds before.
  Placement release(const IngressStep& step) {
    const std::uint64_t pool = number(step).value();
    release_cells_.set(0, length_width_, step.leaves.count());
    release_pool_.set(0, pool_width(), pool);
    arrive_cells_.set(0, length_width_, step.comes.total().count());
    arrive_limit_.set(0, limit_width, settings_.of(step.pg).private_limit.count());
    rtl_.settle();
    const Placement before = read_row(step.pg);
    for (PoolNumber p; p < settings_.chip().ingress_pools.end_index(); ++p) same_ends(p);
    if (step.leaves != Cells{0} && step.leaves <= before.total())
      core_.release(step.pg, step.pool_domain, step.leaves, step.now);
    released_ = core_.pg(step.pg);
    rtl_.edge();
    release_cells_.clear();
    arrive_cells_.clear();
    return before;
  }
  // Cycle t + 2, and what the step has left, in t + 3.
  void charge(const IngressStep& step) {
    const bool high = step.comes.headroom != Cells{0};
    const Cells rest = high ? step.comes.headroom : step.comes.shared;
    const bool comes = step.comes.total() != Cells{0};
    charge_pool_.set(0, pool_width(), number(step).value());
    charge_to_.set(0, 2, !comes ? 0 : high ? weir_pkg::ToHeadroom : weir_pkg::ToShared);
    charge_private_.set(0, length_width_, step.comes.private_cells.count());
    charge_rest_.set(0, length_width_, rest.count());
    rtl_.settle();
    same_found(step);
    if (comes) core_.charge(step.pg, step.pool_domain, step.comes, step.now);
    rtl_.edge();
    charge_to_.clear();
    rtl_.settle();
    same_after(step);
  }

  /// What the steps found in their place: after a release, before an arrival.
  void same_found(const IngressStep& step) {
    const PgIndex pg = step.pg;
    const std::uint64_t all = step.comes.total().count(),
                        room = settings_.of(pg).private_limit.count() -
                               released_.private_cells.count(),
                        to_private = std::min(all, room);
    rtl_.same(pg, "init_done_o", 1, done_.get(0, 1));
    rtl_.same(pg, "arr_shared_o", released_.shared.count(), count_in(arrive_shared_));
    rtl_.same(pg, "arr_headroom_o", released_.headroom.count(), count_in(arrive_headroom_));
    rtl_.same(pg, "arr_room_o", room, arrive_room_.get(0, limit_width));
    rtl_.same(pg, "arr_private_o", to_private, arrive_private_.get(0, length_width_));
    rtl_.same(pg, "arr_rest_o", all - to_private, arrive_rest_.get(0, length_width_));
    rtl_.same(pg, "arr_empty_o", released_.total() == Cells{0} ? 1 : 0, arrive_empty_.get(0, 1));
    rtl_.same(pg, "rel_free_o", free(number(step)), release_free_.get(0, limit_width));
    same_sums();
  }
  void same_after(const IngressStep& step) {
    same_held(step.pg, released_, release_step);
    same_held(step.pg, core_.pg(step.pg), arrival_step);
    static_cast<void>(read_row(step.pg));
    const PoolUse& use = core_.pool(step.pool_domain);
    rtl_.same(step.pg, "sum_private_o", use.private_cells.count(), count_in(sum_private_));
    rtl_.same(step.pg, "sum_shared_o", use.shared.count(), count_in(sum_shared_));
    rtl_.same(step.pg, "sum_headroom_o", use.headroom.count(), count_in(sum_headroom_));
    same_sums();
    for (PoolNumber p; p < settings_.chip().ingress_pools.end_index(); ++p) same_ends(p);
  }
  void same_held(PgIndex pg, const Placement& held, std::size_t part) {
    rtl_.same(pg, "held_private_o", held.private_cells.count(), count_in(held_private_, part));
    rtl_.same(pg, "held_shared_o", held.shared.count(), count_in(held_shared_, part));
    rtl_.same(pg, "held_headroom_o", held.headroom.count(), count_in(held_headroom_, part));
  }
  void same_sums() {
    for (PoolNumber p; p < settings_.chip().ingress_pools.end_index(); ++p) {
      rtl_.same(p, "free_o", free(p), limit_in(free_, p));
      rtl_.same(p, "seen_o", free(p), limit_in(seen_, p));
      rtl_.same(p, "headroom_sum_o", use(p).headroom.count(), count_in(headroom_sum_, p));
    }
  }
  void same_ends(PoolNumber pool) {
    rtl_.same(pool, "end_free_o", free(pool), limit_in(end_free_, pool));
    rtl_.same(pool, "end_headroom_o", use(pool).headroom.count(), count_in(end_headroom_, pool));
    rtl_.same(pool, "end_private_o", use(pool).private_cells.count(), count_in(end_private_, pool));
  }
  /// The row that was asked for at the edge before: {headroom, shared, private}.
  Placement read_row(PgIndex pg) {
    const Placement& held = core_.pg(pg);
    const Cells expected[]{held.private_cells, held.shared, held.headroom};
    for (std::size_t part = 0; part < std::size(expected); ++part)
      rtl_.same(pg, "rd_row_o", expected[part].count(), count_in(row_, part));
    return {cells(count_in(row_, 0)), cells(count_in(row_, 1)), cells(count_in(row_, 2))};
  }
  [[nodiscard]] Placement given(const Placement& before) const {
    return {before.private_cells - cells(count_in(held_private_, release_step)),
            before.shared - cells(count_in(held_shared_, release_step)),
            before.headroom - cells(count_in(held_headroom_, release_step))};
  }

  [[nodiscard]] PoolNumber number(const IngressStep& step) const {
    return pool_number(settings_.chip(), step.pool_domain);
  }
  [[nodiscard]] const PoolUse& use(PoolNumber pool) const {
    return core_.pool(pool_index(settings_.chip(), pool, domain_));
  }
  [[nodiscard]] std::uint64_t limit_of(PoolNumber pool) const {
    return settings_.chip().ingress_pools[pool].shared.count();
  }
  [[nodiscard]] std::uint64_t free(PoolNumber pool) const {
    return limit_of(pool) - use(pool).shared.count();
  }
  [[nodiscard]] static std::uint64_t limit_in(const RtlPin& pin, PoolNumber pool) {
    return pin.get(pool.value() * limit_width, limit_width);
  }
  [[nodiscard]] std::uint64_t count_in(const RtlPin& pin, PoolNumber pool) const {
    return count_in(pin, pool.value());
  }
  [[nodiscard]] std::uint64_t count_in(const RtlPin& pin, std::size_t part = 0) const {
    return pin.get(part * cell_width_, cell_width_);
  }
  [[nodiscard]] unsigned row_width() const { return index_width(rows_); }
  [[nodiscard]] unsigned pool_width() const { return index_width(pools_); }

  const MmuSettings& settings_;
  const DomainId domain_;
  IngressAccounting& core_;
  const std::size_t rows_;
  const std::uint32_t pools_;
  const unsigned cell_width_, length_width_;
  CalledRtl rtl_;
  RtlPin done_{rtl_.output("init_done_o", 1)}, load_{rtl_.input("load_i", 1)},
      limits_{rtl_.input("pool_shared_i", pools_*limit_width)},
      release_pg_{rtl_.input("rel_pg_i", row_width())},
      arrive_pg_{rtl_.input("arr_pg_i", row_width())},
      release_cells_{rtl_.input("rel_cells_i", length_width_)},
      release_pool_{rtl_.input("rel_pool_i", pool_width())},
      arrive_cells_{rtl_.input("arr_cells_i", length_width_)},
      arrive_limit_{rtl_.input("arr_limit_i", limit_width)},
      charge_pool_{rtl_.input("chg_pool_i", pool_width())}, charge_to_{rtl_.input("chg_to_i", 2)},
      charge_private_{rtl_.input("chg_private_i", length_width_)},
      charge_rest_{rtl_.input("chg_rest_i", length_width_)},
      read_pg_{rtl_.input("rd_pg_i", row_width())};
  RtlPin arrive_shared_{rtl_.output("arr_shared_o", cell_width_)},
      arrive_headroom_{rtl_.output("arr_headroom_o", cell_width_)},
      arrive_room_{rtl_.output("arr_room_o", limit_width)},
      arrive_private_{rtl_.output("arr_private_o", length_width_)},
      arrive_rest_{rtl_.output("arr_rest_o", length_width_)},
      arrive_empty_{rtl_.output("arr_empty_o", 1)},
      release_free_{rtl_.output("rel_free_o", limit_width)},
      free_{rtl_.output("free_o", pools_*limit_width)},
      seen_{rtl_.output("seen_o", pools_*limit_width)},
      headroom_sum_{rtl_.output("headroom_sum_o", pools_*cell_width_)};
  RtlPin error_{rtl_.output("rel_error_o", 1)},
      held_private_{rtl_.output("held_private_o", steps*cell_width_)},
      held_shared_{rtl_.output("held_shared_o", steps*cell_width_)},
      held_headroom_{rtl_.output("held_headroom_o", steps*cell_width_)},
      sum_private_{rtl_.output("sum_private_o", cell_width_)},
      sum_shared_{rtl_.output("sum_shared_o", cell_width_)},
      sum_headroom_{rtl_.output("sum_headroom_o", cell_width_)},
      end_free_{rtl_.output("end_free_o", pools_*limit_width)},
      end_headroom_{rtl_.output("end_headroom_o", pools_*cell_width_)},
      end_private_{rtl_.output("end_private_o", pools_*cell_width_)},
      row_{rtl_.output("rd_row_o", 3 * cell_width_)};
  Placement released_;  // the PG after the release of the step
};

/// The cells of a switch. S with a lag follows the cycles of the chip, which the clock of the block
/// does not: the RTL says the live S, and its history by cycles is kept here.
class IngressAccountingRtl final : public MmuBlock<IngressAccountingIf>, public CalledRtlUnit {
 public:
  IngressAccountingRtl(const char* name, const MmuSettings& settings,
                       const RtlBlockLibrary& library)
      : MmuBlock{name},
        CalledRtlUnit{library, this->name(), settings.chip()},
        settings_{settings},
        max_packet_cells_{(1U << built("LenW")) - 1},
        core_{settings.chip()} {
    const Chip& chip = settings.chip();
    require({{"chip.ports", "ports", "Ports", chip.ports.size()},
             {"number of pools", "pools", "Pools", chip.ingress_pools.size()}});
    domains_ = by_domain(chip, [&](DomainId domain) {
      return std::make_unique<IngressRtl>(*this, library, settings, domain, core_);
    });
    if (chip.threshold_lag != 0)
      lagged_.assign(chip.ingress_pools.size() * chip.domains, LaggedSum{chip.threshold_lag});
  }

  [[nodiscard]] Placement pg(PgIndex pg) const override {
    return domains_[settings_.domain_of_pg(pg).count()]->pg(pg);
  }
  [[nodiscard]] PoolUse pool(PoolIndex pool_domain) const override {
    return rtl_of(pool_domain).pool(number_of(pool_domain));
  }
  [[nodiscard]] Cells shared_seen(PoolIndex pool_domain, Cycle now) const override {
    if (!lagged_.empty()) return lagged_[pool_domain].at(now);
    return rtl_of(pool_domain).shared(number_of(pool_domain));
  }
  // A packet goes to shared or to headroom, and so it is on the pins; both are two packets there.
  void charge(PgIndex pg, PoolIndex pool_domain, const Placement& cells, Cycle now) override {
    IngressRtl& rtl = rtl_of(pool_domain);
    if (cells.shared == Cells{0} || cells.headroom == Cells{0}) {
      rtl.step({pg, pool_domain, Cells{}, cells, now});
    } else {
      rtl.step({pg, pool_domain, Cells{}, {cells.private_cells, cells.shared, Cells{}}, now});
      rtl.step({pg, pool_domain, Cells{}, {Cells{}, Cells{}, cells.headroom}, now});
    }
    record(pool_domain, now);
  }
  Placement release(PgIndex pg, PoolIndex pool_domain, Cells n, Cycle now) override {
    if (max_packet_cells_ < n) core_.check_held(pg, n);  // more than the pins say
    const Placement given = rtl_of(pool_domain).step({pg, pool_domain, n, {}, now});
    if (given.total() != n) core_.check_held(pg, n);
    record(pool_domain, now);
    return given;
  }

  /// Every row once more: none was written in the place of another.
  void finish(Picoseconds) override {
    if (compared() == 0 || difference()) return;
    const Chip& chip = settings_.chip();
    for (PgIndex index; index < PgIndex{chip.ports.size() * priorities}; ++index)
      static_cast<void>(pg(index));
    for (PoolIndex row; row < PoolIndex{chip.ingress_pools.size() * chip.domains}; ++row)
      static_cast<void>(pool(row));
  }

 private:
  [[nodiscard]] IngressRtl& rtl_of(PoolIndex pool_domain) const {
    return *domains_[domain_of(settings_.chip(), pool_domain).count()];
  }
  [[nodiscard]] PoolNumber number_of(PoolIndex pool_domain) const {
    return pool_number(settings_.chip(), pool_domain);
  }
  void record(PoolIndex pool_domain, Cycle now) {
    if (!lagged_.empty())
      lagged_[pool_domain].record(now, rtl_of(pool_domain).shared(number_of(pool_domain)));
  }

  const MmuSettings& settings_;
  const Cells max_packet_cells_;
  IngressAccounting core_;
  std::vector<std::unique_ptr<IngressRtl>> domains_;
  IndexedVector<PoolIndex, LaggedSum> lagged_;  // empty: T sees the live S
};

}  // namespace

std::unique_ptr<MmuBlock<IngressAccountingIf>> make_ingress_accounting_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library) {
  return std::make_unique<IngressAccountingRtl>(name, settings, library);
}

}  // namespace weir
