// SPDX-License-Identifier: Apache-2.0
// The RTL of egress_accounting in the place of the built-in block.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_called.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/model/rtl/index_width.hpp"

namespace weir {
namespace {

/// A cycle of requests at one queue: a release, or a packet that is charged or only judged.
struct EgressStep {
  QueueIndex queue;
  Cells leaves, comes;
  bool charged{false};
};

/// What a packet finds at its queue.
struct EgressFound {
  Cells shared, rest;  // w_q; its cells beyond the minimum
};

/// The lossy queues by the cells of one memory domain: one instance with one lane and one copy.
/// `core` has those of all domains, and makes the same steps.
class EgressRtl {
 public:
  EgressRtl(CalledRtlUnit& unit, const RtlBlockLibrary& library, const Chip& chip, DomainId domain,
            EgressAccounting& core)
      : chip_{chip},
        domain_{domain},
        core_{core},
        rows_{std::size_t{library.parameter("Ports")} * priorities},
        pools_{library.parameter("Pools")},
        cell_width_{library.parameter("CellW")},
        length_width_{library.parameter("LenW")},
        rtl_{unit, chip, domain} {
    load();
  }

  /// What a queue holds.
  [[nodiscard]] QueueUse queue(QueueIndex queue) {
    read_queue_.set(0, row_width(), queue.value());
    rtl_.settle();
    rtl_.edge();
    rtl_.settle();
    return read_row(queue);
  }
  /// S_e of the pool of a queue.
  [[nodiscard]] Cells pool_of(QueueIndex queue) {
    const EgressPoolNumber pool = profile_of(queue).pool;
    same_free(pool, "free_o", free_);
    return cells((limit_of(pool) - free_in(free_, pool)) & mask(free_width));
  }

  /// Requests at t and t + 1, the decision at t + 2, outputs at t + 3: three edges. Returns what
  /// the packet found.
  EgressFound step(const EgressStep& step) {
    for (RtlPin* const pin : {&release_queue_, &arrive_queue_, &read_queue_})
      pin->set(0, row_width(), step.queue.value());
    rtl_.settle();
    rtl_.edge();
    const bool error = release(step);
    const EgressFound found = charge(step);
    rtl_.same(step.queue, "rel_error_o", error ? 1 : 0, error_.get(0, 1));
    return found;
  }

 private:
  static constexpr unsigned free_width = limit_width + 2;  // signed: S_e may pass B_e

  [[nodiscard]] static Cells cells(std::uint64_t count) {
    return Cells{static_cast<std::uint32_t>(count)};
  }
  [[nodiscard]] static constexpr std::uint64_t mask(unsigned width) {
    return (std::uint64_t{1} << width) - 1;
  }

  // B_e goes in before the first request.
  void load() {
    rtl_.reset();
    load_.set(0, 1, 1);
    for (EgressPoolNumber pool; pool < chip_.egress_pools.end_index(); ++pool)
      limits_.set(pool.value() * limit_width, limit_width, limit_of(pool));
    rtl_.wait_for(done_, "init_done_o");
    rtl_.edge();
    load_.clear();
    rtl_.settle();
  }

  // Cycle t + 1. Whether the queue holds less.
  bool release(const EgressStep& step) {
    release_cells_.set(0, length_width_, step.leaves.count());
    release_pool_.set(0, pool_width(), profile_of(step.queue).pool.value());
    arrive_cells_.set(0, length_width_, step.comes.count());
    arrive_limit_.set(0, limit_width, profile_of(step.queue).minimum.count());
    rtl_.settle();
    const QueueUse before = read_row(step.queue);
    same_all_free("end_free_o", end_free_);
    const bool error = before.minimum + before.shared < step.leaves;
    if (!error) core_.release(step.queue, domain_, step.leaves);
    rtl_.edge();
    release_cells_.clear();
    arrive_cells_.clear();
    return error;
  }
  // Cycle t + 2, and what the step has left, in t + 3.
  EgressFound charge(const EgressStep& step) {
    charge_pool_.set(0, pool_width(), profile_of(step.queue).pool.value());
    charge_cells_.set(0, length_width_, step.comes.count());
    charge_maybe_.set(0, 1, step.charged ? 1 : 0);
    charge_admit_.set(0, 1, step.charged ? 1 : 0);
    rtl_.settle();
    same_found(step);
    const EgressFound found{cells(arrive_shared_.get(0, cell_width_)),
                            cells(arrive_rest_.get(0, length_width_))};
    if (step.charged) core_.charge(step.queue, domain_, step.comes);
    rtl_.edge();
    charge_maybe_.clear();
    charge_admit_.clear();
    rtl_.settle();
    same_after(step.queue);
    return found;
  }

  /// What a step found in its place: after a release, before a packet.
  void same_found(const EgressStep& step) {
    const QueueUse& use = core_.queue(step.queue, domain_);
    const std::uint64_t room = profile_of(step.queue).minimum.count() - use.minimum.count(),
                        all = step.comes.count();
    rtl_.same(step.queue, "init_done_o", 1, done_.get(0, 1));
    rtl_.same(step.queue, "arr_shared_o", use.shared.count(), arrive_shared_.get(0, cell_width_));
    rtl_.same(step.queue, "arr_room_o", room, arrive_room_.get(0, limit_width));
    rtl_.same(step.queue, "arr_rest_o", all < room ? 0 : all - room,
              arrive_rest_.get(0, length_width_));
    same_all_free("free_o", free_);
  }
  void same_after(QueueIndex queue) {
    const QueueUse& use = core_.queue(queue, domain_);
    rtl_.same(queue, "held_minimum_o", use.minimum.count(), held_minimum_.get(0, cell_width_));
    rtl_.same(queue, "held_shared_o", use.shared.count(), held_shared_.get(0, cell_width_));
    static_cast<void>(read_row(queue));
    same_all_free("free_o", free_);
    same_all_free("end_free_o", end_free_);
  }
  void same_all_free(const char* name, const RtlPin& pin) {
    for (EgressPoolNumber pool; pool < chip_.egress_pools.end_index(); ++pool)
      same_free(pool, name, pin);
  }
  void same_free(EgressPoolNumber pool, const char* name, const RtlPin& pin) {
    const Cells shared = core_.pool_shared(egress_pool_index(chip_, pool, domain_));
    rtl_.same(pool, name, (limit_of(pool) - shared.count()) & mask(free_width), free_in(pin, pool));
  }
  /// The row that was asked for at the edge before: {shared, minimum}.
  QueueUse read_row(QueueIndex queue) {
    const QueueUse& use = core_.queue(queue, domain_);
    const std::uint64_t minimum = row_.get(0, cell_width_),
                        shared = row_.get(cell_width_, cell_width_);
    rtl_.same(queue, "rd_row_o", use.minimum.count(), minimum);
    rtl_.same(queue, "rd_row_o", use.shared.count(), shared);
    return {cells(minimum), cells(shared)};
  }

  /// Range: a limited queue.
  [[nodiscard]] const QueueProfile& profile_of(QueueIndex queue) const {
    return chip_.queue_profiles[*chip_.profile_of_queue[queue]];
  }
  [[nodiscard]] std::uint64_t limit_of(EgressPoolNumber pool) const {
    return chip_.egress_pools[pool].shared.count();
  }
  [[nodiscard]] static std::uint64_t free_in(const RtlPin& pin, EgressPoolNumber pool) {
    return pin.get(pool.value() * free_width, free_width);
  }
  [[nodiscard]] unsigned row_width() const { return index_width(rows_); }
  [[nodiscard]] unsigned pool_width() const { return index_width(pools_); }

  const Chip& chip_;
  const DomainId domain_;
  EgressAccounting& core_;
  const std::size_t rows_;
  const std::uint32_t pools_;
  const unsigned cell_width_, length_width_;
  CalledRtl rtl_;
  RtlPin done_{rtl_.output("init_done_o", 1)}, load_{rtl_.input("load_i", 1)},
      limits_{rtl_.input("pool_shared_i", pools_*limit_width)},
      release_queue_{rtl_.input("rel_queue_i", row_width())},
      arrive_queue_{rtl_.input("arr_queue_i", row_width())},
      release_cells_{rtl_.input("rel_cells_i", length_width_)},
      release_pool_{rtl_.input("rel_pool_i", pool_width())},
      arrive_cells_{rtl_.input("arr_cells_i", length_width_)},
      arrive_limit_{rtl_.input("arr_limit_i", limit_width)},
      charge_pool_{rtl_.input("chg_pool_i", pool_width())},
      charge_cells_{rtl_.input("chg_cells_i", length_width_)},
      charge_maybe_{rtl_.input("chg_maybe_i", 1)}, charge_admit_{rtl_.input("chg_admit_i", 1)},
      read_queue_{rtl_.input("rd_queue_i", row_width())};
  RtlPin arrive_shared_{rtl_.output("arr_shared_o", cell_width_)},
      arrive_room_{rtl_.output("arr_room_o", limit_width)},
      arrive_rest_{rtl_.output("arr_rest_o", length_width_)},
      free_{rtl_.output("free_o", pools_*free_width)}, error_{rtl_.output("rel_error_o", 1)},
      held_minimum_{rtl_.output("held_minimum_o", cell_width_)},
      held_shared_{rtl_.output("held_shared_o", cell_width_)},
      end_free_{rtl_.output("end_free_o", pools_*free_width)},
      row_{rtl_.output("rd_row_o", 2 * cell_width_)};
};

/// The lossy queues of a switch. A copy of a packet is a step of its own: all are judged before one
/// is charged, as the MMU calls.
class EgressAccountingRtl final : public MmuBlock<EgressAccountingIf>, public CalledRtlUnit {
 public:
  EgressAccountingRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name},
        CalledRtlUnit{library, this->name(), settings.chip()},
        queues_end_{settings.chip().profile_of_queue.end_index()},
        max_packet_cells_{(1U << built("LenW")) - 1},
        core_{settings.chip()} {
    const Chip& chip = settings.chip();
    require({{"chip.ports", "ports", "Ports", chip.ports.size()},
             {"number of egress pools", "egress-pools", "Pools",
              std::max<std::size_t>(1, chip.egress_pools.size())}});
    domains_ = by_domain(chip, [&](DomainId domain) {
      return std::make_unique<EgressRtl>(*this, library, chip, domain, core_);
    });
  }

  [[nodiscard]] bool limited(QueueIndex queue) const override { return core_.limited(queue); }
  [[nodiscard]] bool accepts(QueueIndex queue, DomainId domain, Cells n,
                             Cells threshold) const override {
    const EgressFound found = domains_[domain.count()]->step({queue, Cells{}, n, false});
    return found.rest == Cells{0} || found.shared < threshold;
  }
  void charge(QueueIndex queue, DomainId domain, Cells n) override {
    domains_[domain.count()]->step({queue, Cells{}, n, true});
  }
  void release(QueueIndex queue, DomainId domain, Cells n) override {
    const QueueUse held = core_.queue(queue, domain);
    if (n <= max_packet_cells_) domains_[domain.count()]->step({queue, n, Cells{}, false});
    if (held.minimum + held.shared < n) core_.release(queue, domain, n);  // throws
  }
  [[nodiscard]] QueueUse queue(QueueIndex queue, DomainId domain) const override {
    return domains_[domain.count()]->queue(queue);
  }
  [[nodiscard]] Cells pool_of(QueueIndex queue, DomainId domain) const override {
    return domains_[domain.count()]->pool_of(queue);
  }

  /// Every row once more: none was written in the place of another.
  void finish(Picoseconds) override {
    if (compared() == 0 || difference()) return;
    for (QueueIndex index; index < queues_end_; ++index)
      for (const auto& domain : domains_)
        if (limited(index)) static_cast<void>(domain->queue(index));
  }

 private:
  const QueueIndex queues_end_;
  const Cells max_packet_cells_;
  EgressAccounting core_;
  std::vector<std::unique_ptr<EgressRtl>> domains_;
};

}  // namespace

std::unique_ptr<MmuBlock<EgressAccountingIf>> make_egress_accounting_rtl(
    const char* name, const MmuSettings& settings, const RtlBlockLibrary& library) {
  return std::make_unique<EgressAccountingRtl>(name, settings, library);
}

}  // namespace weir
