// SPDX-License-Identifier: Apache-2.0
#include "support/side_by_side.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "support/ledger_chip.hpp"

namespace weir::test {
namespace {

ledger::Count count(Cells cells) { return cells.count(); }

// Of all pools: the largest eta of the port's PGs under dsh.
ledger::Count insurance_of(const ledger::Chip& chip, std::size_t port) {
  std::vector<ledger::Count> largest(chip.ingress_pools.size(), 0);
  for (std::size_t pg = port * 8; pg < port * 8 + 8; ++pg)
    if (chip.pgs[pg] && chip.pgs[pg]->limit.policy == ledger::Policy::dsh)
      largest[chip.pgs[pg]->pool] = std::max(largest[chip.pgs[pg]->pool], chip.pgs[pg]->headroom);
  return std::accumulate(largest.begin(), largest.end(), ledger::Count{0});
}

// sum(phi) + B + H of one domain, with the dedicated headroom of its PGs in place of H.
ledger::Count memory_of(const ledger::Chip& chip, std::size_t domain) {
  ledger::Count cells = 0;
  for (const ledger::IngressPool& pool : chip.ingress_pools)
    cells += pool.shared + (pool.dedicated ? 0 : pool.headroom);
  for (std::size_t pg = 0; pg < chip.pgs.size(); ++pg) {
    if (!chip.pgs[pg] || chip.domain_of_port[pg / 8] != domain) continue;
    const ledger::Pg& settings = *chip.pgs[pg];
    cells += settings.reserved;
    if (chip.ingress_pools[settings.pool].dedicated && settings.limit.policy != ledger::Policy::dsh)
      cells += settings.headroom;
  }
  for (std::size_t port = 0; port < chip.domain_of_port.size(); ++port)
    if (chip.domain_of_port[port] == domain) cells += insurance_of(chip, port);
  return cells;
}

// The ledger has numbers of its own; they count the same things.
std::vector<std::size_t> numbers_of(const std::vector<QueueIndex>& queues) {
  std::vector<std::size_t> numbers;
  for (const QueueIndex queue : queues) numbers.push_back(queue.value());
  return numbers;
}

// The row of a counter in its table.
template <class Rows>
constexpr std::size_t row_of(const Rows& rows, std::string_view name) {
  std::size_t row = 0;
  while (rows.at(row).name != name) ++row;
  return row;
}
constexpr std::size_t pg_row(std::string_view name) { return row_of(pg_counter_table, name); }
constexpr std::size_t queue_row(std::string_view name) { return row_of(queue_counter_table, name); }

void raise(ledger::Count& mark, ledger::Count value) { mark = std::max(mark, value); }

}  // namespace

SideBySide::SideBySide(const Chip& chip, Coverage& coverage)
    : chip_{chip},
      mmu_{chip},
      ledger_{ledger_chip(chip)},
      coverage_{coverage},
      xoff_before_(chip.profile_of_pg.size()),
      off_before_(chip.ports.size(), false),
      tallies_(chip.profile_of_pg.size()),
      queue_tallies_(chip.profile_of_queue.size()),
      pool_peaks_(chip.ingress_pools.size() * chip.domains),
      pool_totals_(pool_peaks_.size()) {
  for (std::size_t domain = 0; domain < chip.domains; ++domain)
    memory_.push_back(memory_of(ledger_chip(chip), domain));
}

std::string SideBySide::format_place(Where where) const {
  const std::string kind = where.kind;
  std::string text = "step " + std::to_string(compared_ + 1) + ": ";
  if (kind == "PG" || kind == "queue")
    text += "port " + std::to_string(where.index / priorities) + " " + kind + " " +
            std::to_string(where.index % priorities) + " ";
  else if (!kind.empty())
    text += kind + " " + std::to_string(where.index / chip_.domains) + " domain " +
            std::to_string(where.index % chip_.domains) + " ";
  return text;
}

void SideBySide::expect_equal(Where where, const char* what, std::int64_t core,
                              std::int64_t ledger) const {
  if (core == ledger) return;
  throw Difference(format_place(where) + what + ": core " + std::to_string(core) + ", ledger " +
                   std::to_string(ledger));
}

void SideBySide::require(bool holds, Where where, const char* what) const {
  if (!holds) throw Difference(format_place(where) + what);
}

Verdict SideBySide::arrive(PgIndex pg, Bytes length, std::vector<QueueIndex> queues, Cycle now) {
  const Cells cells = chip_.cells(length);
  const bool empty = ledger_.pg(pg.value()).total() == 0;
  const auto cycle = static_cast<ledger::Count>(now.count());
  const ledger::Outcome outcome =
      ledger_.arrive(pg.value(), count(cells), numbers_of(queues), cycle);
  Verdict verdict;
  if (queues.size() == 1) {
    verdict = mmu_.arrive(pg, cells, length, queues.front(), now);
    if (!verdict.admitted()) queues.clear();
  } else {
    verdict = mmu_.arrive(pg, cells, length, queues, now);
    if (verdict.admitted() && queues.size() > 1) ++coverage_["multicast with several copies"];
  }
  compare_outcome(verdict, outcome);
  require(numbers_of(queues) == outcome.queues, pg, "queues that took the packet differ");
  check_first_drop(pg, outcome, empty);
  count_arrival(pg, outcome, length, empty);
  expect_equal(pg, "level changed", verdict.pfc.changed,
               ledger_.xoff(pg.value()) != (xoff_before_[pg] != 0));
  compare_port(pg, verdict.pfc);
  check_levels(pg);
  if (verdict.admitted()) held_.push_back({pg, cells, queues, outcome.packet});
  compare_state(now);
  return verdict;
}

PfcLevel SideBySide::release(std::size_t packet, std::size_t queue, Cycle now) {
  HeldPacket& leaving = held_[packet];
  const PgIndex pg = leaving.pg;
  const QueueIndex from = leaving.queues[queue];
  const bool last = leaving.queues.size() == 1;
  const auto cycle = static_cast<ledger::Count>(now.count());
  const PfcLevel level = mmu_.release(pg, leaving.cells, from, last, now);
  const bool xoff = ledger_.release(leaving.name, from.value(), last, cycle);
  expect_equal(pg, "XOFF after a release", level.xoff, xoff);
  expect_equal(pg, "level changed", level.changed, xoff != (xoff_before_[pg] != 0));
  if (level.changed && !level.xoff) ++coverage_["XON on release"];
  if (!last) ++coverage_["copy left before the last"];
  compare_port(pg, level);
  check_levels(pg);
  leaving.queues.erase(leaving.queues.begin() + static_cast<std::ptrdiff_t>(queue));
  if (last) held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(packet));
  compare_state(now);
  return level;
}

// Settings of the whole port, which only dsh pauses.
void SideBySide::compare_port(PgIndex pg, const PfcLevel& level) {
  const PortId port = port_of(pg);
  const bool off = ledger_.port_off(port.count());
  expect_equal(pg, "port off", mmu_.port_off(port), off);
  expect_equal(pg, "port changed", level.port_changed, off != off_before_[port.count()]);
  if (level.port_changed) ++coverage_[off ? "port off" : "port on"];
}

void SideBySide::drain(Cycle now) {
  while (!held_.empty()) release(held_.size() / 2, 0, now);
  for (PgIndex pg; pg < tallies_.end_index(); ++pg) {
    require(!mmu_.pfc().xoff(pg), pg, "is left paused after everything drained");
    require(!ledger_.port_off(port_of(pg).count()), pg, "its port is left off");
    expect_equal(pg, "cells after draining", count(mmu_.ingress().pg(pg).total()), 0);
  }
}

void SideBySide::compare_outcome(const Verdict& verdict, const ledger::Outcome& outcome) const {
  const std::string reason{to_string(verdict.reason)};
  if (reason != outcome.reason)
    throw Difference(format_place({}) + "reason: core " + reason + ", ledger " + outcome.reason);
  expect_equal({}, "T of the verdict", count(verdict.threshold), outcome.threshold);
  expect_equal({}, "cells placed in private", count(verdict.placement.private_cells),
               outcome.placed.reserved);
  expect_equal({}, "cells placed in shared", count(verdict.placement.shared),
               outcome.placed.shared);
  expect_equal({}, "cells placed in headroom", count(verdict.placement.headroom),
               outcome.placed.headroom);
  expect_equal({}, "XOFF of the verdict", verdict.pfc.xoff, outcome.xoff);
}

void SideBySide::compare_state(Cycle now) {
  const ledger::Census census = ledger_.census();
  compare_pgs(census, now);
  compare_pools(census);
  compare_queues(census, now);
  check_memory(census);
  check_conservation();
  count_peaks(census);
  for (PgIndex pg; pg < tallies_.end_index(); ++pg) {
    compare_stats(pg);
    xoff_before_[pg] = ledger_.xoff(pg.value()) ? 1 : 0;
    off_before_[port_of(pg).count()] = ledger_.port_off(port_of(pg).count());
  }
  for (QueueIndex queue; queue < queue_tallies_.end_index(); ++queue) compare_queue_stats(queue);
  for (PoolIndex row; row < pool_peaks_.end_index(); ++row) compare_pool_stats(row);
  ++compared_;
}

void SideBySide::compare_pgs(const ledger::Census& census, Cycle now) const {
  for (PgIndex pg; pg < tallies_.end_index(); ++pg) {
    const Where here{pg};
    const Placement& core = mmu_.ingress().pg(pg);
    expect_equal(here, "private", count(core.private_cells), census.pgs[pg.value()].reserved);
    expect_equal(here, "shared", count(core.shared), census.pgs[pg.value()].shared);
    expect_equal(here, "headroom", count(core.headroom), census.pgs[pg.value()].headroom);
    expect_equal(here, "XOFF", mmu_.pfc().xoff(pg), ledger_.xoff(pg.value()));
    require(!mmu_.pfc().xoff(pg) || core.total() != Cells{0}, here, "is empty and XOFF");
    if (!chip_.profile_of_pg[pg]) continue;
    const Profile& profile = chip_.profiles[*chip_.profile_of_pg[pg]];
    require(core.private_cells <= profile.private_cells, here, "private above phi");
    require(core.headroom <= profile.headroom, here, "headroom above eta");
    require(profile.lossless || !mmu_.pfc().xoff(pg), here, "is lossy and XOFF");
    // One PG in eight per step is enough: T needs a walk over the list.
    if (number_in_port(pg).count() != compared_ % priorities) continue;
    const auto cycle = static_cast<ledger::Count>(now.count());
    const ledger::Count limit = ledger_.threshold(pg.value(), cycle),
                        line = ledger_.line(pg.value(), cycle);
    expect_equal(here, "T", count(mmu_.threshold(pg, now)), limit);
    if (limit != line)
      ++coverage_[(limit < line ? "T lowered by " : "T raised by ") +
                  std::string{to_string(profile.threshold.policy)}];
  }
}

void SideBySide::compare_pools(const ledger::Census& census) const {
  for (PoolIndex row; row < pool_peaks_.end_index(); ++row) {
    const Where here{row};
    const PoolUse& core = mmu_.ingress().pool(row);
    expect_equal(here, "S", count(core.shared), census.pools[row.value()].shared);
    expect_equal(here, "Hp", count(core.headroom), census.pools[row.value()].headroom);
    expect_equal(here, "private", count(core.private_cells), census.pools[row.value()].reserved);
    const Pool& pool = chip_.ingress_pools[pool_number(chip_, row)];
    require(core.shared <= pool.shared, here, "S above B");
    require(pool.dedicated_headroom || core.headroom <= pool.headroom, here, "Hp above H");
  }
  for (std::size_t row = 0; row < census.egress.size(); ++row)
    expect_equal({"egress pool", row}, "S_e",
                 count(mmu_.egress().pool_shared(EgressPoolIndex{row})), census.egress[row]);
}

void SideBySide::compare_queues(const ledger::Census& census, Cycle now) const {
  const std::size_t queues = chip_.profile_of_queue.size();
  for (std::size_t row = 0; row < census.queues.size(); ++row) {
    const DomainId domain{static_cast<std::uint8_t>(row / queues)};
    const QueueIndex queue{row % queues};
    const Where here{queue};
    const QueueUse& core = mmu_.egress().queue(queue, domain);
    expect_equal(here, "minimum", count(core.minimum), census.queues[row].minimum);
    expect_equal(here, "w_q", count(core.shared), census.queues[row].shared);
    if (!chip_.profile_of_queue[queue] || row % priorities != compared_ % priorities) continue;
    expect_equal(here, "T_q", count(mmu_.queue_threshold(queue, domain, now)),
                 ledger_.queue_threshold(queue.value(), domain.count(),
                                         static_cast<ledger::Count>(now.count())));
  }
}

void SideBySide::compare_stats(PgIndex pg) const {
  for (std::size_t row = 0; row < pg_counter_table.size(); ++row) {
    const auto& counter = pg_counter_table[row];
    expect_equal(pg, counter.name.data(),
                 static_cast<std::int64_t>(counter.read(mmu_.stats().pg(pg))), tallies_[pg][row]);
  }
}

void SideBySide::check_memory(const ledger::Census& census) const {
  for (std::size_t domain = 0; domain < chip_.domains; ++domain) {
    ledger::Count used = 0;
    for (std::size_t row = domain; row < census.pools.size(); row += chip_.domains)
      used += census.pools[row].total();
    require(used <= memory_[domain], {"memory", domain}, "holds more cells than it has");
  }
}

// The PGs and pools must hold exactly the cells of the packets in flight.
void SideBySide::check_conservation() const {
  std::int64_t packets = 0, pgs = 0, pools = 0;
  for (const HeldPacket& packet : held_) packets += packet.cells.count();
  for (PgIndex pg; pg < tallies_.end_index(); ++pg) pgs += count(mmu_.ingress().pg(pg).total());
  for (PoolIndex row; row < pool_peaks_.end_index(); ++row) {
    const PoolUse& use = mmu_.ingress().pool(row);
    pools += count(use.shared + use.headroom + use.private_cells);
  }
  expect_equal({}, "cells of all PGs against packets in flight", pgs, packets);
  expect_equal({}, "cells of all pools against packets in flight", pools, packets);
}

// A step evaluates only the PG that it uses.
void SideBySide::check_levels(PgIndex touched) const {
  for (PgIndex pg; pg < xoff_before_.end_index(); ++pg)
    require(pg == touched || mmu_.pfc().xoff(pg) == (xoff_before_[pg] != 0), pg,
            "changed its level in another PG's step");
}

// XOFF never comes later than the first drop of a lossless PG, and strictly earlier with dedicated
// headroom of at least one largest frame. This does not hold where a lossless packet goes to a
// limited queue.
void SideBySide::check_first_drop(PgIndex pg, const ledger::Outcome& outcome, bool empty) {
  const Profile& profile = chip_.profiles[*chip_.profile_of_pg[pg]];
  if (!profile.lossless || outcome.reason == "admitted") return;
  if (empty) {
    ++coverage_["refusal at an empty lossless PG"];
  } else {
    require(outcome.xoff, pg, "refused a packet and is not XOFF");
  }
  const bool early = chip_.ingress_pools[profile.pool].dedicated_headroom &&
                     chip_.cells(chip_.mtu) <= profile.headroom;
  if (!early || outcome.reason == "egress_queue") return;
  ++coverage_["drop that XOFF must precede"];
  require(xoff_before_[pg] != 0 || off_before_[port_of(pg).count()], pg,
          "dropped before it was XOFF");
}

void SideBySide::count_arrival(PgIndex pg, const ledger::Outcome& outcome, Bytes length,
                               bool empty) {
  Tally& tally = tallies_[pg];
  const Profile& profile = chip_.profiles[*chip_.profile_of_pg[pg]];
  for (const std::size_t queue : outcome.refused_queues)
    ++queue_tallies_[QueueIndex{queue}][queue_row("dropped")];
  for (const std::size_t queue : outcome.queues) {
    QueueTally& of_queue = queue_tallies_[QueueIndex{queue}];
    ++of_queue[queue_row("packets")];
    of_queue[queue_row("bytes")] += static_cast<ledger::Count>(length.count());
  }
  ++coverage_["reason " + outcome.reason];
  if (outcome.reason == "admitted") {
    ++tally[pg_row("packets")];
    tally[pg_row("bytes")] += static_cast<ledger::Count>(length.count());
    if (tally[pg_row("shared_watermark")] < ledger_.pg(pg.value()).shared)
      tally[pg_row("limit_at_peak")] = outcome.threshold;
    const std::string kind = std::string(outcome.placed.reserved > 0 ? "private " : "") +
                             (outcome.placed.shared > 0 ? "shared " : "") +
                             (outcome.placed.headroom > 0 ? "headroom" : "");
    ++coverage_["placed " + kind];
    ++coverage_["admitted under " + std::string{to_string(profile.threshold.policy)}];
  } else {
    ++tally[pg_row("refused_" + outcome.reason)];
    if (profile.lossless && empty) ++tally[pg_row("refused_empty")];
    ++coverage_["refused under " + std::string{to_string(profile.threshold.policy)}];
  }
  const bool entered = outcome.xoff && xoff_before_[pg] == 0;
  if (entered) ++tally[pg_row("xoff_entered")];
  if (entered)
    ++coverage_[profile.xoff_trigger == XoffTrigger::on_crossing ? "XOFF on_crossing"
                                                                 : "XOFF on_headroom"];
  if (!outcome.xoff && xoff_before_[pg] != 0) ++coverage_["XON on arrival"];
}

void SideBySide::count_peaks(const ledger::Census& census) {
  for (PgIndex pg; pg < tallies_.end_index(); ++pg) {
    const ledger::Held& held = census.pgs[pg.value()];
    raise(tallies_[pg][pg_row("shared_watermark")], held.shared);
    raise(tallies_[pg][pg_row("headroom_watermark")], held.headroom);
    raise(tallies_[pg][pg_row("total_watermark")], held.total());
  }
  for (PoolIndex row; row < pool_peaks_.end_index(); ++row) {
    raise(pool_peaks_[row].shared, census.pools[row.value()].shared);
    raise(pool_peaks_[row].headroom, census.pools[row.value()].headroom);
    raise(pool_totals_[row], census.pools[row.value()].total());
  }
  for (std::size_t row = 0; row < census.queues.size(); ++row) {
    QueueTally& tally = queue_tallies_[QueueIndex{row % queue_tallies_.size()}];
    raise(tally[queue_row("shared_watermark")], census.queues[row].shared);
    raise(tally[queue_row("total_watermark")],
          census.queues[row].shared + census.queues[row].minimum);
  }
}

void SideBySide::compare_queue_stats(QueueIndex queue) const {
  for (std::size_t row = 0; row < queue_counter_table.size(); ++row) {
    const auto& counter = queue_counter_table[row];
    expect_equal(queue, counter.name.data(),
                 static_cast<std::int64_t>(counter.read(mmu_.stats().queue(queue))),
                 queue_tallies_[queue][row]);
  }
}

void SideBySide::compare_pool_stats(PoolIndex row) const {
  const PoolWatermark& core = mmu_.stats().pool(row);
  expect_equal(row, "shared watermark", count(core.shared), pool_peaks_[row].shared);
  expect_equal(row, "headroom watermark", count(core.headroom), pool_peaks_[row].headroom);
  expect_equal(row, "total watermark", count(core.total), pool_totals_[row]);
}

}  // namespace weir::test
