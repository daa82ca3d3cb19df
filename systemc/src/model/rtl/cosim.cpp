// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/cosim.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cosim_marks.hpp"
#include "cosim_pfc.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/index.hpp"
#include "weir/model/rtl/register_shelf.hpp"
#include "weir/model/rtl/rtl_registers.hpp"

namespace weir {
namespace {

constexpr std::uint64_t cycles_a_reset = 20'000;  // on average
constexpr std::uint64_t cycles_a_write = 100;

std::uint32_t max_cells(const weir_rtl_shape& shape) { return (1U << shape.len_width) - 1; }
DomainId domain_id(std::size_t number) { return DomainId{static_cast<std::uint8_t>(number)}; }

}  // namespace

Cosim::Cosim(const Chip& chip, const RtlLibrary& library, std::uint64_t seed)
    : chip_{chip},
      library_{library},
      registers_{std::make_unique<RegisterShelf>(chip)},
      seed_{seed} {
  begin();
}

Cosim::~Cosim() = default;

std::uint64_t Cosim::compared() const noexcept { return compared_ + pfc_->compared(); }
std::uint64_t Cosim::frames_sent() const noexcept { return pfc_->sent(); }
std::uint64_t Cosim::frames_received() const noexcept { return pfc_->received(); }
std::uint64_t Cosim::marked() const noexcept { return marked_; }
std::uint64_t Cosim::wred_dropped() const noexcept { return dropped_; }

void Cosim::begin() {
  rtl_ = std::make_unique<RtlMmu>(library_, chip_, "weir_mmu");
  traffic_ = std::make_unique<StepTraffic>(chip_, seed_, library_.shape().copies,
                                           max_cells(library_.shape()));
  pfc_ = std::make_unique<CosimPfc>(chip_, *rtl_, seed_);
  engine_ = std::make_unique<LockstepEngine>(library_.shape(), domain_id(chip_.domains),
                                             port_id(chip_.ports.size()), rtl_->pins());
  no_marks_ = std::make_unique<MarkEngine>(rtl_->pins(), 0);
  cycles_ = compared_ = arrivals_ = releases_ = writes_ = marked_ = dropped_ = 0;
  drawing_ = true;
  restart();
  list_settings();
}

// Reset: nothing is held, the settings are those of the file.
void Cosim::restart() {
  marks_.reset();
  mmu_ = std::make_unique<Mmu>(chip_);
  registers_->restore(chip_);
  pfc_->reset();
  writing_.reset();
  domains_.clear();
  for (std::size_t d = 0; d < chip_.domains; ++d) domains_.emplace_back(chip_.ports.size());
  engine_->reset();
  if (!chip_.wred_profiles.empty())
    marks_ = std::make_unique<CosimMarks>(chip_, *mmu_, *rtl_, seed_ + cycles_);
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
    if (drawing_) draw(domain_id(d));
    drive_waiting(domain_id(d));
  }
  pfc_->drive(*rtl_);
  rtl_->settle();
  take_write();
  if (marks_) marks_->cycle(drawing_);
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    grant_releases(domain_id(d));
    grant_arrivals(domain_id(d));
  }
  compared_ += 2 * domains_.size() * library_.shape().lanes;  // what each lane grants
  engine_->compare_grants([this](const LockstepValue& value) { same(value); });
  engine_->clear_grants();
  move_frames();
  if (taker_) taker_();
  rtl_->clock();
  check_verdicts();
  ++cycles_;
}

void Cosim::draw(DomainId d) {
  Domain& domain = domains_[d.count()];
  const bool takes = domain.waiting < StepTraffic::backlog && !(marks_ && marks_->full());
  const std::size_t most = takes ? library_.shape().lanes + 1 : 0;
  for (ReleaseStep& step : traffic_->releases(d, most)) {
    const PortId port = port_of(step.queue);
    domain.releases.add(port);
    domain.leaving[port.count()].push_back(std::move(step));
    ++domain.waiting;
  }
  for (ArrivalStep& step : traffic_->arrivals(d, most)) {
    const PortId port = port_of(step.pg);
    domain.arrivals.add(port);
    domain.arriving[port.count()].push_back(std::move(step));
    ++domain.waiting;
  }
}

void Cosim::drive_waiting(DomainId d) {
  const Domain& domain = domains_[d.count()];
  if (domain.waiting == 0) return;
  for (std::size_t port = 0; port < chip_.ports.size(); ++port) {
    const PortId id = port_id(port);
    if (domain.releases.pending(id) + domain.arrivals.pending(id) != 0)
      rtl_->set_waiting(d, id, domain.releases.pending(id), domain.arrivals.pending(id));
  }
}

void Cosim::grant_releases(DomainId d) {
  Domain& domain = domains_[d.count()];
  domain.releases.grant(library_.shape().lanes, [&](PortId port) {
    const ReleaseStep step = domain.leaving[port.count()].front();
    domain.leaving[port.count()].pop_front();
    --domain.waiting;
    ++releases_;
    engine_->present(rtl_->requests(), d, port, request_of(step));
    engine_->expect(d, rtl_->cycle() + chip_.admit_latency,
                    decide(*mmu_, step, Cycle{rtl_->cycle()}));
  });
}

void Cosim::grant_arrivals(DomainId d) {
  Domain& domain = domains_[d.count()];
  std::size_t lane = 0;
  domain.arrivals.grant(library_.shape().lanes, [&](PortId port) {
    const ArrivalStep step = domain.arriving[port.count()].front();
    domain.arriving[port.count()].pop_front();
    --domain.waiting;
    ++arrivals_;
    const std::size_t slot = d.count() * library_.shape().lanes + lane++;
    RtlArrival request = request_of(step);
    const bool dropped = marks_ && marks_->drops(step, request);
    engine_->present(rtl_->requests(), d, port, request);
    if (dropped) {
      ++dropped_;
      return engine_->expect(d, rtl_->cycle() + chip_.admit_latency, refused_by_wred(step));
    }
    const RtlArrivalVerdict expected = decide(*mmu_, step, taken_, Cycle{rtl_->cycle()});
    if (expected.verdict.admitted()) traffic_->admitted(step, taken_);
    if (marks_ && expected.verdict.admitted()) marks_->admitted(step, request, expected.mask, slot);
    engine_->expect(d, rtl_->cycle() + chip_.admit_latency, expected);
  });
}

void Cosim::move_frames() {
  const auto found =
      pfc_->step(*rtl_, *engine_, registers_->generator.quanta(), registers_->counters);
  if (found && comparing_) differ(*found);
}

// Lanes without a verdict are compared too, but not counted.
void Cosim::check_verdicts() {
  const auto compare = [this](const LockstepValue& value) {
    const bool idle = !row_of(value.pin).valid && value.expected == 0 && value.actual == 0;
    compared_ += idle ? 0 : 1;
    same(value);
  };
  engine_->compare_verdicts(rtl_->cycle(), compare, [](DomainId, const auto&) {});
  ++compared_;
  engine_->compare_levels([this](const LockstepValue& value) { same(value); });
  MarkEngine& marks = marks_ ? marks_->engine() : *no_marks_;
  marks.compare(rtl_->cycle(), [&](const LockstepValue& value) {
    compared_ += value.expected == 0 && value.actual == 0 ? 0 : 1;
    marked_ += value.pin == MmuPin::dep_error_o ? 0 : value.expected;
    if (value.expected != value.actual && comparing_) differ(marks.describe(value));
  });
}

bool Cosim::idle() const {
  return !writing_ && engine_->nothing_expected() && (!marks_ || marks_->idle()) &&
         std::all_of(domains_.begin(), domains_.end(),
                     [](const Domain& domain) { return domain.waiting == 0; });
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
    differ({found->where, found->name, std::to_string(found->expected),
            std::to_string(found->actual)});
}

// A user's RTL may drive anything on a pin whose valid bit is 0.
void Cosim::same(const LockstepValue& value) {
  if (value.counts && value.expected != value.actual && comparing_)
    differ(engine_->describe(value));
}

void Cosim::differ(const LockstepDifference& difference) const {
  throw RtlDifference(
      fmt::format("{}: first difference {}", library_.path(), difference.in_cycle(cycles_)),
      time_of(Cycle{cycles_}, chip_.clock));
}

}  // namespace weir
