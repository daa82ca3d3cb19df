// SPDX-License-Identifier: Apache-2.0
#include "reference_mmu.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "refused.hpp"
#include "weir/core/accounting/sai_counters.hpp"
#include "weir/core/chip_limits.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir::c {
namespace {

// As large as any chip's memory: sums with what is held stay within 32 bit.
constexpr std::uint32_t max_cells = max_cells_counted.count();
constexpr std::uint64_t max_time = std::numeric_limits<std::uint64_t>::max() / 2;  // ps
constexpr std::uint64_t no_seed = 0;  // of draws, where the chip has none of its own
constexpr unsigned word_bytes = 4;

Cells some_cells(std::uint32_t cells) {
  require_range("cells", cells, 1, max_cells);
  return Cells{cells};
}

Ecn ecn_of(std::uint32_t bits) {
  require_range("ecn", bits, 0, 3);
  return static_cast<Ecn>(bits);
}

std::string place(const char* kind, std::size_t index) {
  return "port " + std::to_string(index / priorities) + " " + kind + " " +
         std::to_string(index % priorities);
}

}  // namespace

ReferenceMmu::ReferenceMmu(const Chip& chip)
    : mmu_{chip}, ports_(chip.ports.size()), quanta_{chip.quanta} {
  if (chip.wred_profiles.empty()) return;
  marker_.emplace(chip, no_seed);
  mmu_.set_marker_owner(marker_owner_.emplace(*marker_));
}

weir_mmu_chip_info ReferenceMmu::chip() const {
  const Chip& chip = mmu_.chip();
  weir_mmu_chip_info info{};
  info.size = sizeof info;
  info.ports = static_cast<std::uint32_t>(chip.ports.size());
  info.domains = chip.domains;
  info.lanes = chip.lanes;
  info.cell = static_cast<std::uint32_t>(chip.cell.count());
  info.cell_overhead = static_cast<std::uint32_t>(chip.cell_overhead.count());
  info.mtu = static_cast<std::uint32_t>(chip.mtu.count());
  info.admit_latency = chip.admit_latency;
  info.pfc_latency = chip.pfc_latency;
  info.threshold_lag = chip.threshold_lag;
  info.clock = chip.clock.min_time(Cycle{1}).count();
  return info;
}

std::uint32_t ReferenceMmu::cells(std::uint32_t bytes) const {
  return mmu_.chip().cells(Bytes{bytes}).count();
}

weir_mmu_verdict ReferenceMmu::arrive(const weir_mmu_arrival& arrival) {
  const PgIndex pg = used_group(arrival.pg);
  const QueueIndex queue = queue_of(arrival.queue);
  const Cells n = some_cells(arrival.cells);
  const Bytes length{arrival.bytes};
  const Ecn ecn = ecn_of(arrival.ecn);
  const Cycle now = cycle(arrival.now);
  last_step_ = now;
  const bool judged = is_judged(queue);
  if (judged && marker_->drops(queue, ecn, mmu_.settings_of(pg).lossless)) {
    Verdict dropped;
    dropped.reason = Reason::wred;
    dropped.threshold = mmu_.threshold(pg, now);
    dropped.pfc.xoff = mmu_.pfc().xoff(pg);
    return answer(dropped, pg);
  }
  const Verdict verdict = mmu_.arrive(pg, n, length, queue, now);
  weir_mmu_verdict result = answer(verdict, pg);
  result.marked = verdict.admitted() && enters(queue, n, length, ecn) ? 1 : 0;
  return result;
}

bool ReferenceMmu::enters(QueueIndex queue, Cells n, Bytes length, Ecn ecn) {
  return !enters_later_ && is_judged(queue) && marker_->enters(queue, n, length, ecn);
}

std::vector<QueueIndex> ReferenceMmu::queues_of(const weir_mmu_copy* copies,
                                                std::uint32_t count) const {
  require_range("count", count, 1, groups());
  std::vector<QueueIndex> queues;
  for (std::uint32_t i = 0; i < count; ++i) {
    require_size("copies->size", copies[i].size, sizeof(weir_mmu_copy));
    const QueueIndex queue = queue_of(copies[i].queue);
    if (std::find(queues.begin(), queues.end(), queue) != queues.end())
      throw Refused{WEIR_MMU_RANGE, place("queue", queue.value()) + " is there twice"};
    queues.push_back(queue);
  }
  return queues;
}

weir_mmu_verdict ReferenceMmu::arrive(const weir_mmu_arrival& arrival, weir_mmu_copy* copies,
                                      std::uint32_t count) {
  const PgIndex pg = used_group(arrival.pg);
  const Cells n = some_cells(arrival.cells);
  const Bytes length{arrival.bytes};
  const Ecn ecn = ecn_of(arrival.ecn);
  const Cycle now = cycle(arrival.now);
  std::vector<QueueIndex> queues = queues_of(copies, count);
  last_step_ = now;
  const Verdict verdict = mmu_.arrive(pg, n, length, queues, now);
  for (std::uint32_t i = 0; i < count; ++i) {
    const QueueIndex queue{copies[i].queue};
    const bool accepted = std::find(queues.begin(), queues.end(), queue) != queues.end();
    copies[i].accepted = accepted ? 1 : 0;
    copies[i].marked = accepted && enters(queue, n, length, ecn) ? 1 : 0;
  }
  return answer(verdict, pg);
}

ReferenceMmu::QueueStep ReferenceMmu::step_of(std::uint32_t queue, std::uint32_t cells,
                                              std::uint32_t ecn, std::uint64_t now,
                                              Require require) {
  const QueueStep step{queue_of(queue), some_cells(cells), ecn_of(ecn)};
  const Cycle when = cycle(now);
  (this->*require)(step.queue, step.cells);
  last_step_ = when;
  return step;
}

bool ReferenceMmu::mark(std::uint32_t queue, std::uint32_t cells, std::uint32_t bytes,
                        std::uint32_t ecn, std::uint64_t now) {
  const QueueStep step = step_of(queue, cells, ecn, now, &ReferenceMmu::require_waiting);
  return is_judged(step.queue) && marker_->leaves(step.queue, step.cells, Bytes{bytes}, step.ecn);
}

void ReferenceMmu::discard(std::uint32_t queue, std::uint32_t cells, std::uint64_t now) {
  const QueueStep step = step_of(queue, cells, 0, now, &ReferenceMmu::require_waiting);
  if (is_judged(step.queue)) marker_->discards(step.queue, step.cells);
}

bool ReferenceMmu::enter(std::uint32_t queue, std::uint32_t cells, std::uint32_t bytes,
                         std::uint32_t ecn, std::uint64_t now) {
  const QueueStep step = step_of(queue, cells, ecn, now, &ReferenceMmu::require_room);
  return is_judged(step.queue) && marker_->enters(step.queue, step.cells, Bytes{bytes}, step.ecn);
}

void ReferenceMmu::require_room(QueueIndex queue, Cells n) const {
  if (!enters_later_)
    throw Refused{WEIR_MMU_ORDER, "packets enter as they arrive, without weir_mmu_enter_later()"};
  if (is_judged(queue))
    require_range("cells that wait", (marker_->waiting(queue) + n).count(), 1, max_cells);
}

void ReferenceMmu::require_waiting(QueueIndex queue, Cells n) const {
  if (!is_judged(queue) || n <= marker_->waiting(queue)) return;
  throw Refused{WEIR_MMU_ORDER, std::to_string(n.count()) + " cells leave " +
                                    place("queue", queue.value()) + ", where " +
                                    std::to_string(marker_->waiting(queue).count()) + " wait"};
}

void ReferenceMmu::require_held(PgIndex pg, QueueIndex queue, Cells n, bool last) const {
  const auto require = [&](const char* kind, std::size_t index, Cells held) {
    if (n <= held) return;
    throw Refused{WEIR_MMU_ORDER, "release of " + std::to_string(n.count()) + " cells from " +
                                      place(kind, index) + ", which holds " +
                                      std::to_string(held.count())};
  };
  if (last) require("PG", pg.value(), mmu_.ingress().pg(pg).total());
  if (!mmu_.egress().limited(queue)) return;
  const QueueUse& use = mmu_.egress().queue(queue, mmu_.domain_of_pg(pg));
  require("queue", queue.value(), use.minimum + use.shared);
}

weir_mmu_level ReferenceMmu::release(const weir_mmu_departure& departure) {
  const PgIndex pg = used_group(departure.pg);
  const QueueIndex queue = queue_of(departure.queue);
  const Cells n = some_cells(departure.cells);
  require_range("last", departure.last, 0, 1);
  const bool last = departure.last == 1;
  const Cycle now = cycle(departure.now);
  require_held(pg, queue, n, last);
  last_step_ = now;
  const PfcLevel level = mmu_.release(pg, n, queue, last, now);
  weir_mmu_level result{};
  result.size = sizeof result;
  result.xoff = level.xoff ? 1 : 0;
  result.changed = level.changed ? 1 : 0;
  result.port_off = mmu_.port_off(port_of(pg)) ? 1 : 0;
  return result;
}

weir_mmu_verdict ReferenceMmu::answer(const Verdict& verdict, PgIndex pg) const {
  weir_mmu_verdict result{};
  result.size = sizeof result;
  result.reason = static_cast<std::uint32_t>(verdict.reason);
  result.private_cells = verdict.placement.private_cells.count();
  result.shared_cells = verdict.placement.shared.count();
  result.headroom_cells = verdict.placement.headroom.count();
  result.threshold = verdict.threshold.count();
  result.xoff = verdict.pfc.xoff ? 1 : 0;
  result.changed = verdict.pfc.changed ? 1 : 0;
  result.port_off = mmu_.port_off(port_of(pg)) ? 1 : 0;
  return result;
}

std::uint32_t ReferenceMmu::threshold(std::uint32_t pg, std::uint64_t now) const {
  return mmu_.threshold(used_group(pg), cycle(now)).count();
}

std::uint32_t ReferenceMmu::queue_threshold(std::uint32_t queue, std::uint32_t domain,
                                            std::uint64_t now) const {
  const QueueIndex wanted = queue_of(queue);
  require_range("domain", domain, 0, mmu_.chip().domains - 1);
  const Cycle when = cycle(now);
  if (!mmu_.egress().limited(wanted)) return std::numeric_limits<std::uint32_t>::max();
  return mmu_.queue_threshold(wanted, DomainId{static_cast<DomainId::rep>(domain)}, when).count();
}

std::uint8_t ReferenceMmu::xoff_classes(std::uint32_t port) const {
  require_range("port", port, 0, mmu_.chip().ports.size() - 1);
  return mmu_.xoff_classes(port_id(port));
}

std::uint64_t ReferenceMmu::counter(const std::string& sai_name, std::uint32_t index) const {
  std::string legal;
  for (const SaiCounter& counter : sai_counters()) {
    if (counter.name == sai_name) {
      require_range("index", index, 0, sai_instances(mmu_, counter.object) - 1);
      return counter.read(mmu_, index);
    }
    legal += (legal.empty() ? "" : ", ") + std::string{counter.name};
  }
  throw Refused{WEIR_MMU_NAME, printable_line(sai_name) + " is not a counter; there are " + legal};
}

std::uint32_t ReferenceMmu::register_at(const std::string& name, std::uint32_t index) const {
  const std::optional<std::uint64_t> address = register_address(name, index);
  if (!address) throw Refused{WEIR_MMU_NAME, printable_line(name) + " is not a register"};
  const std::optional<RegisterWord> found = find_register(mmu_.chip(), *address);
  const std::string_view block = std::string_view{name}.substr(0, name.find('.'));
  if (!found || found->block->name != block || found->index != index)
    throw Refused{WEIR_MMU_RANGE, "index = " + std::to_string(index) + ": this chip has fewer " +
                                      printable_line(name)};
  return static_cast<std::uint32_t>(*address);
}

RegisterWord ReferenceMmu::word_at(std::uint32_t address) const {
  const auto found = address % word_bytes == 0 ? find_register(mmu_.chip(), address) : std::nullopt;
  if (!found) throw Refused{WEIR_MMU_ADDRESS, "there is no register at " + std::to_string(address)};
  return *found;
}

RegisterTarget ReferenceMmu::target(Cycle now) { return {mmu_, *this, *this, ports_, now}; }

std::uint32_t ReferenceMmu::read(std::uint32_t address, std::uint64_t now) {
  const RegisterWord where = word_at(address);
  const std::uint64_t value = where.reg->read(target(cycle(now)), where.index);
  const auto high = static_cast<std::uint32_t>(value >> 32);
  if (where.reg->words == 2 && where.word == 0) {
    latched_for_ = address + word_bytes;
    latched_ = high;
  } else if (latched_for_ == address) {
    latched_for_.reset();
    return latched_;
  }
  return where.word == 0 ? static_cast<std::uint32_t>(value) : high;
}

void ReferenceMmu::write(std::uint32_t address, std::uint64_t now, std::uint32_t value) {
  const RegisterWord where = word_at(address);
  const std::string name = std::string{where.block->name} + "." + std::string{where.reg->name};
  const Cycle when = cycle(now);
  if (where.reg->write == nullptr) throw Refused{WEIR_MMU_ACCESS, name + " is read-only"};
  if (!is_legal(*where.reg, mmu_.chip(), value))
    throw Refused{WEIR_MMU_VALUE, name + " does not take " + std::to_string(value)};
  RegisterTarget registers = target(when);
  try {
    where.reg->write(registers, where.index, value);
  } catch (const ConfigError& impossible) {
    throw Refused{WEIR_MMU_VALUE, name + ": " + impossible.what()};
  }
  last_step_ = when;
}

std::uint32_t ReferenceMmu::groups() const noexcept {
  return static_cast<std::uint32_t>(mmu_.chip().ports.size() * priorities);
}

std::vector<weir_mmu_group> ReferenceMmu::snapshot(std::uint64_t now) const {
  const Cycle when = cycle(now);
  std::vector<weir_mmu_group> all;
  for (PgIndex pg; pg < PgIndex{groups()}; ++pg) {
    const Placement& held = mmu_.ingress().pg(pg);
    const Cells limit = mmu_.has_profile(pg) ? mmu_.threshold(pg, when) : Cells{};
    all.push_back({held.private_cells.count(), held.shared.count(), held.headroom.count(),
                   limit.count(), mmu_.pfc().xoff(pg) ? 1U : 0U});
  }
  return all;
}

Cycle ReferenceMmu::cycle(std::uint64_t now) const {
  require_range("now", now, 0, max_time / mmu_.chip().clock.max_time(Cycle{1}).count());
  if (Cycle{now} < last_step_)
    throw Refused{WEIR_MMU_ORDER, "now = " + std::to_string(now) + ": the last step was in cycle " +
                                      std::to_string(last_step_.count())};
  return Cycle{now};
}

PgIndex ReferenceMmu::group(std::uint32_t pg) const {
  require_range("pg", pg, 0, groups() - 1);
  return PgIndex{pg};
}

PgIndex ReferenceMmu::used_group(std::uint32_t pg) const {
  const PgIndex wanted = group(pg);
  if (!mmu_.has_profile(wanted)) throw Refused{WEIR_MMU_RANGE, place("PG", pg) + " has no profile"};
  return wanted;
}

QueueIndex ReferenceMmu::queue_of(std::uint32_t queue) const {
  require_range("queue", queue, 0, groups() - 1);
  return QueueIndex{queue};
}

}  // namespace weir::c
