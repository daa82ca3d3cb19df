// SPDX-License-Identifier: Apache-2.0
#include "weir/model/cosim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "weir/core/errors.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/pfc_generator_unit.hpp"
#include "weir/model/pfc_receiver_unit.hpp"
#include "weir/model/register_map.hpp"
#include "weir/model/rtl_registers.hpp"

namespace weir {
namespace {

constexpr std::size_t backlog = 16;               // requests of a domain that wait at most
constexpr std::uint64_t cycles_a_reset = 20'000;  // on average
constexpr std::uint64_t cycles_a_write = 500;

std::uint32_t most_cells(const weir_rtl_shape& shape) { return (1U << shape.len_width) - 1; }

}  // namespace

/// What the register map reads beside the core: nothing moves there.
struct Cosim::Registers {
  explicit Registers(const Chip& chip)
      : generator{"cosim_pfc_generator", chip, agenda, nobody, name},
        counters(chip.ports.size()),
        receiver{"cosim_pfc_receiver", chip, agenda, counters, nobody, name} {}

  [[nodiscard]] RegisterTarget target(Mmu& mmu, std::uint64_t cycle) {
    return {mmu, generator, receiver, counters, Cycle{cycle}};
  }

  Agenda agenda{"cosim_agenda"};
  Observers nobody;
  std::string name{"cosim"};
  PfcGeneratorUnit generator;
  std::vector<PortCounters> counters;
  PfcReceiverUnit receiver;
};

Cosim::Cosim(const Chip& chip, const RtlLibrary& library, std::uint64_t seed)
    : chip_{chip},
      original_{chip},
      library_{library},
      registers_{std::make_unique<Registers>(chip)},
      seed_{seed},
      levels_(chip.ports.size()) {
  begin();
}

Cosim::~Cosim() = default;

void Cosim::begin() {
  rtl_ = std::make_unique<RtlMmu>(library_, original_, "weir_mmu");
  traffic_ = std::make_unique<StepTraffic>(original_, seed_, library_.shape().copies,
                                           most_cells(library_.shape()));
  cycles_ = 0;
  drawing_ = true;
  restart();
}

// Reset: nothing is held, the settings are those of the file.
void Cosim::restart() {
  chip_ = original_;
  mmu_ = std::make_unique<Mmu>(chip_);
  domains_.clear();
  for (std::size_t d = 0; d < chip_.domains; ++d) domains_.emplace_back(chip_.ports.size());
  std::fill(levels_.begin(), levels_.end(), std::uint8_t{0});
  rtl_->start(registers_->target(*mmu_, 0));
}

void Cosim::run(std::uint64_t cycles) {
  for (const std::uint64_t end = cycles_ + cycles; cycles_ < end;) {
    if (traffic_->draw(cycles_a_reset) == 0) {  // in the middle of what is under way
      traffic_->reset();
      restart();
    }
    if (traffic_->draw(cycles_a_write) == 0) write_setting();
    cycle();
  }
}

void Cosim::cycle() {
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    if (drawing_) draw(d);
    tell_waiting(d);
  }
  rtl_->settle();
  for (std::size_t d = 0; d < domains_.size(); ++d) {
    grant_releases(d);
    grant_arrivals(d);
  }
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

void Cosim::tell_waiting(std::size_t d) {
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
    const auto pg = static_cast<std::uint32_t>(step.pg);
    rtl_->present(
        d, lane++,
        RtlRelease{pg, step.cells.count(), static_cast<std::uint32_t>(step.queue), step.last});
    const PfcLevel level =
        mmu_->release(step.pg, step.cells, step.queue, step.last, Cycle{rtl_->cycle()});
    domain.freed.push_back({rtl_->cycle() + chip_.admit_latency, pg, level});
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
    RtlArrival request;
    request.pg = static_cast<std::uint32_t>(step.pg);
    request.cells = step.cells.count();
    request.bytes = static_cast<std::uint32_t>(step.length.count());
    for (std::size_t copy = 0; copy < step.queues.size(); ++copy)
      request.queue[copy] = static_cast<std::uint32_t>(step.queues[copy]);
    request.mask = static_cast<std::uint8_t>((1U << step.queues.size()) - 1);
    rtl_->present(d, lane++, request);
    std::vector<std::size_t> taken = step.queues;
    const Verdict verdict =
        mmu_->arrive(step.pg, step.cells, step.length, taken, Cycle{rtl_->cycle()});
    std::uint8_t mask = 0;
    for (std::size_t copy = 0; copy < step.queues.size(); ++copy)
      if (std::find(taken.begin(), taken.end(), step.queues[copy]) != taken.end())
        mask = static_cast<std::uint8_t>(mask | 1U << copy);
    if (verdict.admitted()) traffic_->admitted(step, taken);
    domain.verdicts.push_back({rtl_->cycle() + chip_.admit_latency, request.pg, verdict, mask});
  });
  for (; lane < lanes; ++lane)
    same_grant(d, lane, "grant of an arrival", chip_.ports.size(), rtl_->granted_arrival(d, lane));
}

void Cosim::check_releases(std::size_t d) {
  std::deque<ExpectedRelease>& queue = domains_[d].freed;
  for (std::size_t lane = 0; lane < library_.shape().lanes; ++lane) {
    const auto actual = rtl_->released(d, lane);
    const bool due = !queue.empty() && queue.front().due == rtl_->cycle();
    if (!actual && !due) continue;
    const ExpectedRelease expected = due ? queue.front() : ExpectedRelease{};
    same(due ? expected.pg : actual->pg, "rel_valid_o", due, actual.has_value());
    if (!due || !actual) continue;  // when not comparing
    queue.pop_front();
    same(expected.pg, "rel_pg_o", expected.pg, actual->pg);
    same(expected.pg, "rel_error_o", 0, actual->error);
    same(expected.pg, "rel_xoff_o", expected.level.xoff, actual->level.xoff);
    same(expected.pg, "rel_changed_o", expected.level.changed, actual->level.changed);
    if (expected.level.changed)
      RtlPin{levels_.data(), levels_.size()}.set(expected.pg, 1, expected.level.xoff);
  }
}

void Cosim::check_arrivals(std::size_t d) {
  std::deque<ExpectedArrival>& queue = domains_[d].verdicts;
  for (std::size_t lane = 0; lane < library_.shape().lanes; ++lane) {
    const auto actual = rtl_->arrived(d, lane);
    const bool due = !queue.empty() && queue.front().due == rtl_->cycle();
    if (!actual && !due) continue;
    const ExpectedArrival expected = due ? queue.front() : ExpectedArrival{};
    same(due ? expected.pg : actual->pg, "arr_valid_o", due, actual.has_value());
    if (!due || !actual) continue;
    queue.pop_front();
    const Verdict& core = expected.verdict;
    const Verdict& rtl = actual->verdict;
    const std::uint32_t pg = expected.pg;
    same(pg, "arr_pg_o", pg, actual->pg);
    same(pg, "arr_reason_o", static_cast<std::uint64_t>(core.reason),
         static_cast<std::uint64_t>(rtl.reason));
    same(pg, "arr_private_o", core.placement.private_cells.count(),
         rtl.placement.private_cells.count());
    same(pg, "arr_shared_o", core.placement.shared.count(), rtl.placement.shared.count());
    same(pg, "arr_headroom_o", core.placement.headroom.count(), rtl.placement.headroom.count());
    same(pg, "arr_threshold_o", core.threshold.count(), rtl.threshold.count());
    same(pg, "arr_xoff_o", core.pfc.xoff, rtl.pfc.xoff);
    same(pg, "arr_changed_o", core.pfc.changed, rtl.pfc.changed);
    same(pg, "arr_mask_o", expected.mask, actual->mask);
    if (core.pfc.changed) RtlPin{levels_.data(), levels_.size()}.set(pg, 1, core.pfc.xoff);
  }
}

void Cosim::check_levels() {
  ++compared_;
  if (rtl_->same_levels(levels_)) return;
  for (std::uint32_t pg = 0; pg < priorities * levels_.size(); ++pg)
    same(pg, "xoff_o", levels_[pg / 8] >> pg % 8 & 1U, rtl_->xoff(pg));
}

bool Cosim::idle() const {
  return std::all_of(domains_.begin(), domains_.end(), [](const Domain& domain) {
    return domain.waiting == 0 && domain.verdicts.empty() && domain.freed.empty();
  });
}

void Cosim::drain() {
  drawing_ = false;
  while (!idle()) cycle();
  drawing_ = true;
}

// One RW field of a profile, while cells are held. Requests stand still for the transfer.
void Cosim::write_setting() {
  drain();
  const std::size_t index = traffic_->draw(chip_.profiles.size());
  constexpr std::array<std::string_view, 2> names{"profile.xon", "profile.xon_offset"};
  const std::string_view name = names[traffic_->draw(names.size())];
  const auto value = static_cast<std::uint32_t>(traffic_->draw(40));
  Profile& profile = chip_.profiles[index];
  (name == "profile.xon" ? profile.xon : profile.xon_offset) = Cells{value};
  mmu_->set_profile(index, profile);
  rtl_->write(register_address(name, index).value(), value);
}

void Cosim::finish() {
  drain();
  check_registers();
}

void Cosim::check_registers() {
  const auto found = first_difference(*rtl_, registers_->target(*mmu_, rtl_->cycle()));
  ++compared_;
  if (found)
    differ(found->where, found->name, std::to_string(found->expected),
           std::to_string(found->actual));
}

void Cosim::same(std::uint32_t pg, const char* what, std::uint64_t expected, std::uint64_t actual) {
  ++compared_;
  if (expected != actual && comparing_)
    differ(fmt::format("port {}, PG {}", pg / priorities, pg % priorities), what,
           std::to_string(expected), std::to_string(actual));
}

void Cosim::same_grant(std::size_t domain, std::size_t lane, const char* what, std::size_t expected,
                       std::optional<std::size_t> actual) {
  ++compared_;
  const std::size_t none = chip_.ports.size();
  const auto words = [&](std::size_t port) {
    return port == none ? std::string{"no port"} : fmt::format("port {}", port);
  };
  const std::size_t got = actual.value_or(none);
  if (expected != got && comparing_)
    differ(fmt::format("domain {}, lane {}", domain, lane), what, words(expected), words(got));
}

void Cosim::differ(const std::string& where, const std::string& what, const std::string& expected,
                   const std::string& actual) const {
  throw RtlDifference(
      fmt::format("{}: first difference in cycle {}, {}: {}: expected {}, actual {}",
                  library_.path(), cycles_, where, what, expected, actual),
      chip_.clock * cycles_);
}

void Cosim::write_wave(const std::string& path, std::uint64_t first, std::uint64_t last) {
  begin();
  comparing_ = false;
  run(first);
  std::ofstream file{path};
  file << rtl_->open_wave([&](std::uint64_t, std::string_view changes) { file << changes; });
  run(last - first);
  rtl_->close_wave();
  if (!file.flush()) throw ModelError("cannot write the waveform " + path);
}

}  // namespace weir
