// SPDX-License-Identifier: Apache-2.0
// The RTL of stats_counters in the place of the built-in block.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_called.hpp"
#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/index_width.hpp"

namespace weir {
namespace {

/// What a verdict says of its PG.
struct CountedVerdict {
  PgIndex pg;
  Reason reason{Reason::admitted};
  Bytes length;
  bool lossless_empty{false}, xoff{false}, turned{false};
  Placement held;
  PoolNumber pool;
  PoolUse use;
  Cells threshold;
};

/// What became of a copy of a packet at its queue.
struct CountedCopy {
  QueueIndex queue;
  bool entered{false}, limited{false};  // not entered: the limit of the queue refused it
  Bytes length;
  QueueUse use;
};

/// The counters of one memory domain, and those of the core.
class StatsRtl {
 public:
  StatsRtl(CalledRtlUnit& unit, const RtlBlockLibrary& library, const Chip& chip, DomainId domain)
      : rows_{std::size_t{library.parameter("Ports")} * priorities},
        copies_{library.parameter("Copies")},
        pools_{library.parameter("Pools")},
        cell_width_{library.parameter("CellW")},
        byte_width_{library.parameter("ByteW")},
        rtl_{unit, chip, domain},
        core_{PgIndex{rows_}, PoolIndex{pools_}} {
    rtl_.reset();
  }

  /// A verdict, at the next edge; the copies of its packet come with it.
  void present(const CountedVerdict& verdict, const std::vector<CountedCopy>& copies) {
    drive(verdict);
    count(verdict);
    present_some(copies.begin(), copies.end(), verdict.length);
  }
  /// Copies whose verdict is another one: pins of a copy count without that of a verdict.
  void present(const std::vector<CountedCopy>& copies) {
    if (!copies.empty()) present_some(copies.begin(), copies.end(), copies.front().length);
  }
  void clear() {
    clear_.set(0, 1, 1);
    core_.clear();
    cycle();
    clear_.clear();
    rtl_.settle();
  }

  [[nodiscard]] PgCounters pg(PgIndex pg) {
    return read<PgCounters>(weir_pkg::TablePgStats, pg, pg_counter_table, core_.pg(pg));
  }
  [[nodiscard]] QueueCounters queue(QueueIndex queue) {
    return read<QueueCounters>(weir_pkg::TableQueueStats, queue, queue_counter_table,
                               core_.queue(queue));
  }
  [[nodiscard]] PoolWatermark pool(PoolNumber pool) {
    return read<PoolWatermark>(weir_pkg::TablePool, pool, pool_mark_table,
                               core_.pool(PoolIndex{pool.value()}));
  }

 private:
  using Copies = std::vector<CountedCopy>::const_iterator;
  static constexpr std::size_t cycles_of_a_read = 2;

  // More copies than the pins of a cycle take, or of another length, come in the next cycles.
  void present_some(Copies copy, Copies end, Bytes length) {
    for (;;) {
      bytes_.set(0, byte_width_, length.count());
      for (std::size_t slot = 0; slot < copies_ && copy != end; ++slot, ++copy) {
        if (copy->entered && copy->length != length) break;
        drive(slot, *copy);
        count(*copy);
      }
      cycle();
      for (RtlPin* const pin : {&valid_, &entered_, &refused_, &limited_}) pin->clear();
      if (copy == end) break;
      length = copy->length;
    }
    rtl_.settle();
    no_answer();
  }
  // Neither a verdict nor a copy brings an answer.
  void cycle() {
    rtl_.settle();
    no_answer();
    rtl_.edge();
  }
  void no_answer() { rtl_.same(last_, "rd_valid_o", 0, answers_.get(0, 1)); }

  void drive(const CountedVerdict& verdict) {
    last_ = verdict.pg;
    valid_.set(0, 1, 1);
    pg_.set(0, row_width(), verdict.pg.value());
    reason_.set(0, reason_width, static_cast<std::uint64_t>(verdict.reason));
    empty_.set(0, 1, verdict.lossless_empty ? 1 : 0);
    xoff_.set(0, 1, verdict.xoff ? 1 : 0);
    turned_.set(0, 1, verdict.turned ? 1 : 0);
    threshold_.set(0, threshold_width, verdict.threshold.count());
    pool_.set(0, pool_width(), verdict.pool.value());
    const auto cells = [this](RtlPin& pin, Cells n) { pin.set(0, cell_width_, n.count()); };
    cells(private_, verdict.held.private_cells);
    cells(shared_, verdict.held.shared);
    cells(headroom_, verdict.held.headroom);
    cells(pool_private_, verdict.use.private_cells);
    cells(pool_shared_, verdict.use.shared);
    cells(pool_headroom_, verdict.use.headroom);
  }
  void drive(std::size_t slot, const CountedCopy& copy) {
    queue_.set(slot * row_width(), row_width(), copy.queue.value());
    entered_.set(slot, 1, copy.entered ? 1 : 0);
    refused_.set(slot, 1, copy.entered ? 0 : 1);
    limited_.set(slot, 1, copy.limited ? 1 : 0);
    minimum_.set(slot * cell_width_, cell_width_, copy.use.minimum.count());
    queue_shared_.set(slot * cell_width_, cell_width_, copy.use.shared.count());
  }
  void count(const CountedVerdict& verdict) {
    if (verdict.reason == Reason::admitted)
      core_.admitted(verdict.pg, verdict.length, verdict.held, PoolIndex{verdict.pool.value()},
                     verdict.use, verdict.threshold);
    else
      core_.refused(verdict.pg, verdict.reason, verdict.lossless_empty, verdict.lossless_empty);
    core_.xoff_judged(verdict.pg, verdict.reason, {verdict.xoff, verdict.turned, false});
  }
  void count(const CountedCopy& copy) {
    if (!copy.entered) return core_.queue_refused(copy.queue);
    core_.queued(copy.queue, copy.length);
    if (copy.limited) core_.queue_filled(copy.queue, copy.use);
  }

  // A field a cycle; an answer comes some cycles after its field.
  template <class Counters, class Index, class Table>
  Counters read(std::uint64_t table, Index row, const Table& fields, const Counters& expected) {
    Counters counters;
    table_.set(0, 2, table);
    row_.set(0, row_width(), row.value());
    for (std::size_t n = 0; n < fields.size() + cycles_of_a_read; ++n) {
      const bool asks = n < fields.size(), answers = cycles_of_a_read <= n;
      reads_.set(0, 1, asks ? 1 : 0);
      if (asks) field_.set(0, 5, fields[n].offset / 4);
      rtl_.settle();
      rtl_.same(row, "rd_valid_o", answers ? 1 : 0, answers_.get(0, 1));
      if (answers) {
        const auto& field = fields[n - cycles_of_a_read];
        rtl_.same(row, "rd_data_o", field.read(expected), data());
        field.write(counters, data());
      }
      rtl_.edge();
    }
    rtl_.settle();
    rtl_.same(row, "rd_valid_o", 0, answers_.get(0, 1));
    return counters;
  }
  [[nodiscard]] std::uint64_t data() const { return data_.get(32, 32) << 32 | data_.get(0, 32); }

  [[nodiscard]] unsigned row_width() const { return index_width(rows_); }
  [[nodiscard]] unsigned pool_width() const { return index_width(pools_); }
  [[nodiscard]] RtlPin cells_pin(const char* name, std::size_t parts = 1) {
    return rtl_.input(name, static_cast<std::uint32_t>(parts * cell_width_));
  }

  static constexpr unsigned reason_width = weir_pkg::ReasonW,
                            threshold_width = weir_pkg::ThresholdW;
  const std::size_t rows_;
  const std::uint32_t copies_, pools_;
  const unsigned cell_width_, byte_width_;
  CalledRtl rtl_;
  RtlPin clear_{rtl_.input("clear_i", 1)}, valid_{rtl_.input("valid_i", 1)},
      pg_{rtl_.input("pg_i", row_width())}, reason_{rtl_.input("reason_i", reason_width)},
      bytes_{rtl_.input("bytes_i", byte_width_)}, empty_{rtl_.input("lossless_empty_i", 1)},
      xoff_{rtl_.input("xoff_i", 1)}, turned_{rtl_.input("turned_i", 1)},
      private_{cells_pin("private_i")}, shared_{cells_pin("shared_i")},
      headroom_{cells_pin("headroom_i")}, threshold_{rtl_.input("threshold_i", threshold_width)},
      pool_{rtl_.input("pool_i", pool_width())}, pool_private_{cells_pin("pool_private_i")},
      pool_shared_{cells_pin("pool_shared_i")}, pool_headroom_{cells_pin("pool_headroom_i")};
  RtlPin queue_{rtl_.input("queue_i", copies_*row_width())},
      entered_{rtl_.input("queue_entered_i", copies_)},
      refused_{rtl_.input("queue_refused_i", copies_)},
      limited_{rtl_.input("queue_limited_i", copies_)},
      minimum_{cells_pin("queue_minimum_i", copies_)},
      queue_shared_{cells_pin("queue_shared_i", copies_)};
  RtlPin reads_{rtl_.input("rd_valid_i", 1)}, table_{rtl_.input("rd_table_i", 2)},
      row_{rtl_.input("rd_row_i", row_width())}, field_{rtl_.input("rd_field_i", weir_pkg::FieldW)},
      answers_{rtl_.output("rd_valid_o", 1)}, data_{rtl_.output("rd_data_o", weir_pkg::ReadW)};
  StatsCounters core_;
  PgIndex last_;  // of a verdict
};

/// The counters of a switch, by one instance a memory domain with one lane. The calls of a verdict
/// are gathered, and presented in one cycle when the next verdict begins, or when counters are read
/// or cleared.
class StatsCountersRtl final : public MmuBlock<StatsCountersIf>, public CalledRtlUnit {
 public:
  StatsCountersRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name}, CalledRtlUnit{library, this->name(), settings.chip()}, settings_{settings} {
    const Chip& chip = settings.chip();
    require({{"chip.ports", "ports", "Ports", chip.ports.size()},
             {"number of pools", "pools", "Pools", chip.ingress_pools.size()},
             {"bits of chip.mtu in bytes", nullptr, "ByteW",
              index_width(chip.mtu.count() + std::uint64_t{1})},
             {"bits of a counter", nullptr, "StatW", 64}});
    domains_ = by_domain(chip, [&](DomainId domain) {
      return std::make_unique<StatsRtl>(*this, library, chip, domain);
    });
  }

  void admitted(PgIndex pg, Bytes length, const Placement& held, PoolIndex pool_domain,
                const PoolUse& use, Cells threshold) override {
    CountedVerdict& verdict = begin(pg);
    verdict.length = length;
    verdict.held = held;
    verdict.pool = pool_number(settings_.chip(), pool_domain);
    verdict.use = use;
    verdict.threshold = threshold;
  }
  void refused(PgIndex pg, Reason reason, bool lossless, bool empty) override {
    CountedVerdict& verdict = begin(pg);
    verdict.reason = reason;
    verdict.lossless_empty = lossless && empty;
  }
  void xoff_judged(PgIndex pg, Reason, const PfcLevel& level) override {
    require_order(open_ && verdict_.pg == pg);
    verdict_.xoff = level.xoff;
    verdict_.turned = level.changed;
  }
  void queue_filled(QueueIndex queue, const QueueUse& use) override {
    require_order(!filled_);
    filled_ = CountedCopy{queue, true, true, {}, use};
  }
  void queued(QueueIndex queue, Bytes length) override {
    require_order(!filled_ || filled_->queue == queue);
    copies_.push_back(filled_ ? *filled_ : CountedCopy{queue, true, false, {}, {}});
    copies_.back().length = length;
    filled_.reset();
  }
  // Queues are asked before the verdict, which says the domain.
  void queue_refused(QueueIndex queue) override {
    refused_.push_back({queue, false, false, {}, {}});
  }
  void clear() override {
    present_all();
    for (const auto& domain : domains_) domain->clear();
  }

  [[nodiscard]] PgCounters pg(PgIndex pg) const override {
    present_all();
    return domains_[settings_.domain_of_pg(pg).count()]->pg(pg);
  }
  /// A queue has copies of packets of every domain.
  [[nodiscard]] QueueCounters queue(QueueIndex queue) const override {
    present_all();
    QueueCounters all;
    for (const auto& domain : domains_) {
      const QueueCounters part = domain->queue(queue);
      for (const auto& field : queue_counter_table)
        field.write(all, field.is_watermark() ? std::max(field.read(all), field.read(part))
                                              : field.read(all) + field.read(part));
    }
    return all;
  }
  [[nodiscard]] PoolWatermark pool(PoolIndex pool_domain) const override {
    present_all();
    const Chip& chip = settings_.chip();
    return domains_[domain_of(chip, pool_domain).count()]->pool(pool_number(chip, pool_domain));
  }

  /// Every row once more: none was written in the place of another.
  void finish(Picoseconds) override {
    if (!counted_ || difference()) return;
    const Chip& chip = settings_.chip();
    for (PgIndex index; index < PgIndex{chip.ports.size() * priorities}; ++index) {
      static_cast<void>(pg(index));
      static_cast<void>(queue(QueueIndex{index.value()}));
    }
    for (PoolIndex row; row < PoolIndex{chip.ingress_pools.size() * chip.domains}; ++row)
      static_cast<void>(pool(row));
  }

 private:
  CountedVerdict& begin(PgIndex pg) {
    present();
    copies_ = std::exchange(refused_, {});
    domain_ = settings_.domain_of_pg(pg);
    open_ = counted_ = true;
    verdict_ = {};
    verdict_.pg = pg;
    return verdict_;
  }
  /// The open verdict and its copies.
  void present() const {
    require_order(!filled_);
    StatsRtl& rtl = *domains_[domain_.count()];
    if (open_)
      rtl.present(verdict_, copies_);
    else
      rtl.present(copies_);
    open_ = false;
    copies_.clear();
  }
  // What queues have refused counts the same in any domain.
  void present_all() const {
    present();
    copies_ = std::exchange(refused_, {});
    present();
  }
  // The pins take a verdict in one cycle. Its calls come as MmuStep makes them: refusals of queues;
  // the verdict; its level; each queue that it enters, filled where it has a limit.
  static void require_order(bool right) {
    if (!right) throw ModelError("stats_counters: calls of a verdict in another order: not in RTL");
  }

  const MmuSettings& settings_;
  std::vector<std::unique_ptr<StatsRtl>> domains_;
  // What is gathered; a read presents it.
  mutable bool open_{false};  // a verdict
  mutable CountedVerdict verdict_;
  mutable std::vector<CountedCopy> copies_, refused_;  // of the open verdict; of the next one
  std::optional<CountedCopy> filled_;                  // a queue, by a copy that is to be counted
  DomainId domain_;                                    // of the last verdict
  bool counted_{false};
};

}  // namespace

std::unique_ptr<MmuBlock<StatsCountersIf>> make_stats_counters_rtl(const char* name,
                                                                   const MmuSettings& settings,
                                                                   const RtlBlockLibrary& library) {
  return std::make_unique<StatsCountersRtl>(name, settings, library);
}

}  // namespace weir
