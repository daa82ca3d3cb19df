// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/cosim.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cosim_pfc.hpp"
#include "cosim_registers.hpp"
#include "rtl_compare.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/rtl_registers.hpp"

namespace weir {
namespace {

constexpr std::size_t backlog = 16;               // requests of a domain that wait at most
constexpr std::uint64_t cycles_a_reset = 20'000;  // on average
constexpr std::uint64_t cycles_a_write = 100;

std::uint32_t max_cells(const weir_rtl_shape& shape) { return (1U << shape.len_width) - 1; }

}  // namespace

Cosim::Cosim(const Chip& chip, const RtlLibrary& library, std::uint64_t seed)
    : chip_{chip},
      library_{library},
      registers_{std::make_unique<Registers>(chip)},
      seed_{seed},
      levels_(chip.ports.size()),
      changed_(chip.ports.size()) {
  begin();
}

Cosim::~Cosim() = default;

std::uint64_t Cosim::compared() const noexcept { return compared_ + pfc_->compared(); }
std::uint64_t Cosim::frames_sent() const noexcept { return pfc_->sent(); }
std::uint64_t Cosim::frames_received() const noexcept { return pfc_->received(); }

void Cosim::begin() {
  rtl_ = std::make_unique<RtlMmu>(library_, chip_, "weir_mmu");
  traffic_ = std::make_unique<StepTraffic>(chip_, seed_, library_.shape().copies,
                                           max_cells(library_.shape()));
  pfc_ = std::make_unique<CosimPfc>(chip_, library_.shape(), seed_);
  cycles_ = compared_ = arrivals_ = releases_ = writes_ = 0;
  drawing_ = true;
  restart();
  list_settings();
}

// Reset: nothing is held, the settings are those of the file.
void Cosim::restart() {
  mmu_ = std::make_unique<Mmu>(chip_);
  registers_->restore(chip_);
  pfc_->reset();
  writing_.reset();
  domains_.clear();
  for (std::size_t d = 0; d < chip_.domains; ++d) domains_.emplace_back(chip_.ports.size());
  std::fill(levels_.begin(), levels_.end(), std::uint8_t{0});
  std::fill(changed_.begin(), changed_.end(), false);
  rtl_->start(registers_->target(*mmu_, 0));
}

void Cosim::run(std::uint64_t cycles) {
  for (const std::uint64_t end = cycles_ + cycles; cycles_ < end;) {
    if (!taker_) reset_now_and_then();
    cycle();
  }
}

// In the middle of what is under way, or when all of it is decided and every register is the same.
void Cosim::reset_now_and_then() {
  if (traffic_->draw(cycles_a_reset) != 0) return;
  if (traffic_->draw(2) == 0) finish();
  traffic_->reset();
  restart();
}

void Cosim::cycle() {
  if (drawing_ && !writing_ && traffic_->draw(cycles_a_write) == 0) begin_write();
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    if (drawing_) draw(d);
    drive_waiting(d);
  }
  pfc_->drive(*rtl_);
  rtl_->settle();
  take_write();
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    grant_releases(d);
    grant_arrivals(d);
  }
  move_frames();
  if (taker_) taker_();
  rtl_->clock();
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    check_releases(d);
    check_arrivals(d);
  }
  check_levels();
  ++cycles_;
}

void Cosim::draw(std::size_t d) {
  Domain& domain = domains_[d];
  const std::size_t most = domain.waiting < backlog ? library_.shape().lanes + 1 : 0;
  for (ReleaseStep& step : traffic_->releases(d, most)) {
    const std::size_t port = step.queue / priorities;
    domain.releases.add(PortId{static_cast<std::uint16_t>(port)});
    domain.leaving[port].push_back(std::move(step));
    ++domain.waiting;
  }
  for (ArrivalStep& step : traffic_->arrivals(d, most)) {
    const std::size_t port = step.pg / priorities;
    domain.arrivals.add(PortId{static_cast<std::uint16_t>(port)});
    domain.arriving[port].push_back(std::move(step));
    ++domain.waiting;
  }
}

void Cosim::drive_waiting(std::size_t d) {
  const Domain& domain = domains_[d];
  if (domain.waiting == 0) return;
  for (std::size_t port = 0; port < chip_.ports.size(); ++port) {
    const PortId id{static_cast<std::uint16_t>(port)};
    if (domain.releases.pending(id) + domain.arrivals.pending(id) != 0)
      rtl_->set_waiting(d, port, domain.releases.pending(id), domain.arrivals.pending(id));
  }
}

void Cosim::grant_releases(std::size_t d) {
  Domain& domain = domains_[d];
  const std::size_t lanes = library_.shape().lanes;
  std::size_t lane = 0;
  domain.releases.grant(static_cast<unsigned>(lanes), [&](PortId port) {
    same_grant(d, lane, "grant of a release", port.count(), rtl_->granted_release(d, lane));
    const ReleaseStep step = domain.leaving[port.count()].front();
    domain.leaving[port.count()].pop_front();
    --domain.waiting;
    ++releases_;
    const RtlRelease request = request_of(step);
    rtl_->present(d, lane++, request);
    const PfcLevel level =
        mmu_->release(step.pg, step.cells, step.queue, step.last, Cycle{rtl_->cycle()});
    domain.freed.push_back({rtl_->cycle() + chip_.admit_latency, {request.pg, level, false}});
  });
  for (; lane < lanes; ++lane)
    same_grant(d, lane, "grant of a release", chip_.ports.size(), rtl_->granted_release(d, lane));
}

void Cosim::grant_arrivals(std::size_t d) {
  Domain& domain = domains_[d];
  const std::size_t lanes = library_.shape().lanes;
  std::size_t lane = 0;
  domain.arrivals.grant(static_cast<unsigned>(lanes), [&](PortId port) {
    same_grant(d, lane, "grant of an arrival", port.count(), rtl_->granted_arrival(d, lane));
    const ArrivalStep step = domain.arriving[port.count()].front();
    domain.arriving[port.count()].pop_front();
    --domain.waiting;
    ++arrivals_;
    const RtlArrival request = request_of(step);
    rtl_->present(d, lane++, request);
    std::vector<std::size_t> taken = step.queues;
    const Verdict verdict =
        mmu_->arrive(step.pg, step.cells, step.length, taken, Cycle{rtl_->cycle()});
    if (verdict.admitted()) traffic_->admitted(step, taken);
    domain.verdicts.push_back(
        {rtl_->cycle() + chip_.admit_latency, {request.pg, verdict, mask_of(step.queues, taken)}});
  });
  for (; lane < lanes; ++lane)
    same_grant(d, lane, "grant of an arrival", chip_.ports.size(), rtl_->granted_arrival(d, lane));
}

void Cosim::move_frames() {
  const auto found =
      pfc_->step(*rtl_, levels_, changed_, registers_->generator.quanta(), registers_->counters);
  if (found && comparing_)
    differ(fmt::format("port {}", found->port), found->pin, std::to_string(found->expected),
           std::to_string(found->actual));
  std::fill(changed_.begin(), changed_.end(), false);
}

void Cosim::take_level(std::uint32_t pg, const PfcLevel& level) {
  if (!level.changed) return;
  RtlPin{levels_.data(), levels_.size()}.set(pg, 1, level.xoff);
  changed_[pg / priorities] = true;
}

void Cosim::check_releases(std::size_t d) {
  std::deque<ExpectedRelease>& queue = domains_[d].freed;
  for (std::size_t lane = 0; lane < library_.shape().lanes; ++lane) {
    const auto actual = rtl_->released(d, lane);
    const bool due = !queue.empty() && queue.front().due == rtl_->cycle();
    if (!actual && !due) continue;
    const RtlReleaseVerdict expected = due ? queue.front().verdict : *actual;
    const auto compare = [&](const char* pin, std::uint64_t core, std::uint64_t rtl) {
      same(expected.pg, pin, core, rtl);
    };
    if (due) queue.pop_front();
    compare("rel_valid_o", due, actual.has_value());
    if (!due || !actual) continue;  // when not comparing
    compare_verdict(expected, rtl_->pins(), d * library_.shape().lanes + lane, compare);
    take_level(expected.pg, expected.level);
  }
}

void Cosim::check_arrivals(std::size_t d) {
  std::deque<ExpectedArrival>& queue = domains_[d].verdicts;
  for (std::size_t lane = 0; lane < library_.shape().lanes; ++lane) {
    const auto actual = rtl_->arrived(d, lane);
    const bool due = !queue.empty() && queue.front().due == rtl_->cycle();
    if (!actual && !due) continue;
    const RtlArrivalVerdict expected = due ? queue.front().verdict : *actual;
    const auto compare = [&](const char* pin, std::uint64_t core, std::uint64_t rtl) {
      same(expected.pg, pin, core, rtl);
    };
    if (due) queue.pop_front();
    compare("arr_valid_o", due, actual.has_value());
    if (!due || !actual) continue;
    compare_verdict(expected, rtl_->pins(), d * library_.shape().lanes + lane, compare);
    take_level(expected.pg, expected.verdict.pfc);
  }
}

void Cosim::check_levels() {
  ++compared_;
  compare_levels(*rtl_, levels_, [&](std::uint32_t pg, bool expected, bool actual) {
    same(pg, "xoff_o", expected, actual);
  });
}

bool Cosim::idle() const {
  return !writing_ && std::all_of(domains_.begin(), domains_.end(), [](const Domain& domain) {
    return domain.waiting == 0 && domain.verdicts.empty() && domain.freed.empty();
  });
}

void Cosim::drain() {
  drawing_ = false;
  while (!idle()) cycle();
  drawing_ = true;
  pfc_->count_received(registers_->counters);
}

void Cosim::finish() {
  drain();
  check_registers();
}

void Cosim::check_registers() {
  const auto found = first_difference(*rtl_, registers_->target(*mmu_, rtl_->cycle()), true);
  ++compared_;
  if (found && comparing_)
    differ(found->where, found->name, std::to_string(found->expected),
           std::to_string(found->actual));
}

void Cosim::same(std::uint32_t pg, const char* what, std::uint64_t expected, std::uint64_t actual) {
  ++compared_;
  if (expected != actual && comparing_)
    differ(place_of_pg(pg), what, std::to_string(expected), std::to_string(actual));
}

void Cosim::same_grant(std::size_t domain, std::size_t lane, const char* what, std::size_t expected,
                       std::optional<std::size_t> actual) {
  ++compared_;
  const std::size_t none = chip_.ports.size(), got = actual.value_or(none);
  if (expected != got && comparing_)
    differ(place_of_lane(domain, lane), what, format_grant(expected, none),
           format_grant(got, none));
}

void Cosim::differ(const std::string& where, const std::string& what, const std::string& expected,
                   const std::string& actual) const {
  throw RtlDifference(
      fmt::format("{}: first difference in cycle {}, {}: {}: expected {}, actual {}",
                  library_.path(), cycles_, where, what, expected, actual),
      chip_.clock * cycles_);
}

}  // namespace weir
