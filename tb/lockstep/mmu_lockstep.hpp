// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/apb_master.hpp"
#include "lockstep/bench.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/mark_side.hpp"
#include "lockstep/mmu_reference.hpp"
#include "lockstep/pfc_side.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/request_pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "lockstep/step_corners.hpp"
#include "lockstep/step_coverage.hpp"
#include "lockstep/verdicts.hpp"
#include "weir/core/random.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/mark_engine.hpp"

namespace weir::test {

/// A whole Verilated weir_mmu and the blocks of the core that correspond to it: requests of all
/// ports through the arbiters, registers through APB, PFC frames both ways, all at once. Every
/// output is compared in every cycle.
template <class Model>
class MmuLockstep {
 public:
  explicit MmuLockstep(const RtlShape& shape) : shape_{shape} {
    for_each_pin(rtl(), [this](MmuPin pin, auto& port) { pins_.bind(pin, port); });
    if (shape_.wred_profiles != 0)
      marks_.emplace(board_, shape_, pins_, pin_board_);
    else
      for (const MmuPin pin : MarkEngine::answer_pins)
        pin_board_.add_still(pin, "no WRED profile, no marker");
  }

  /// One round with a chip of its own, `cycles` long, starting with a reset in the middle of the
  /// round before.
  void round(std::uint64_t seed, std::uint64_t number, std::uint64_t cycles) {
    random_ = RandomStream{seed, "mmu", number};
    RandomChip drawn{shape_, random_, number};
    Chip chip = drawn.make();
    if (pfc_.hurries()) chip.quanta = Quanta{1};
    start(chip, seed * 1000 + number);
    if (drawn.wide()) traffic_->in_waves();
    apb_.only_read(pfc_.hurries());
    const std::uint64_t end = cycles_ + cycles;
    while (!apb_.program_done()) cycle();
    while (cycles_ + cycles / 8 < end) cycle();
    apb_.read_all(random_, cycles / 200);
    while (cycles_ < end) cycle();
    // Every other reset interrupts a frame, if one comes soon.
    while (number % 2 == 0 && !pfc_.sending() && cycles_ < end + cycles / 10) cycle();
  }

  /// Every short sequence of steps, with each pair of XOFF trigger and XON rule.
  void corners() {
    for (const XoffTrigger trigger : {XoffTrigger::on_crossing, XoffTrigger::on_headroom})
      for (const XonRule rule : {XonRule::sai, XonRule::paper}) {
        random_ = RandomStream{0, "mmu"};
        start(corner_chip(shape_, trigger, rule), 0);
        traffic_->play_corners();
        apb_.only_read(true);
        while (!apb_.program_done() || traffic_->in_corners()) cycle();
      }
  }

  [[nodiscard]] Scoreboard& board() noexcept { return board_; }
  [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }
  /// PFC frames in this round at the port and in the direction with the fewest.
  [[nodiscard]] std::uint64_t fewest_frames() const {
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const PortCounters& port : mmu_->shelf.counters)
      fewest = std::min({fewest, port.pfc_frames_sent, port.pfc_frames_received});
    return fewest;
  }
  [[nodiscard]] PfcSide<Model>& pfc() noexcept { return pfc_; }

 private:
  static constexpr Cells too_large{0};  // marks a release of more than is held

  Model& rtl() { return bench_.model(); }

  void start(const Chip& chip, std::uint64_t seed) {
    if (!shelf_) shelf_ = std::make_unique<RegisterShelf>(chip);
    reset();
    mmu_ = std::make_unique<MmuReference>(chip, shape_, *shelf_, pins_, seed);
    if (marks_) marks_->reset(*mmu_);
    traffic_ = std::make_unique<StepSource>(chip, seed, shape_);
    apb_.reset(*mmu_, random_);
    engine_.reset();
    releases_.assign(shape_.domains, {});
    arrivals_.assign(shape_.domains, {});
    requests_.assign(shape_.domains, {});
    granted_.clear();
  }

  void reset() {
    board_.hit_if(std::any_of(engine_.levels().begin(), engine_.levels().end(),
                              [](std::uint8_t level) { return level != 0; }),
                  reset_xoff_);
    pfc_.reset(rtl(), random_);
    clear_pin(rtl().rel_waiting_i);
    clear_pin(rtl().arr_waiting_i);
    clear_pin(rtl().dep_valid_i);
    rtl().psel_i = 0;
    rtl().penable_i = 0;
    bench_.reset(1 + static_cast<int>(random_.uniform(3)));
    coverage_.reset();
    now_ = 0;
  }

  void cycle() {
    board_.cycle(cycles_);
    apb_.drive(rtl(), random_, now_, touched_pg_.value(), touched_queue_.value());
    const bool ready = now_ >= shape_.rows();
    if (cycles_ % anything_period == 0)
      for (std::size_t slot = 0; slot < std::size_t{shape_.domains} * shape_.lanes; ++slot)
        present_anything(pins_, slot, [&](std::uint64_t n) { return random_.uniform(n); });
    for (std::size_t d = 0; d < shape_.domains; ++d) {
      draw(d);
      grant(d, ready && apb_.started());
    }
    pfc_.drive(rtl(), random_, apb_.started());
    if (marks_) marks_->drive(random_, now_);
    bench_.settle();
    board_.compare(init_done_, ready, rtl().init_done_o);
    engine_.compare_verdicts(now_, pin_board_, [](DomainId, const auto&) {});
    engine_.compare_levels(pin_board_);
    engine_.compare_grants(pin_board_);
    engine_.clear_grants();
    if (marks_)
      marks_->compare(now_, pin_board_);
    else
      no_marks_.compare(now_, [this](const LockstepValue& value) { pin_board_(value); });
    apb_.compare(rtl());
    pfc_.compare(rtl(), *mmu_, engine_, now_);
    const bool requests = step_core();
    apb_.end(random_, requests);
    pfc_.end(*mmu_, now_);
    bench_.clock();
    show_granted();
    ++cycles_;
    ++now_;
  }

  // ---- Requests.
  void draw(std::size_t d) {
    MmuReference::Domain& domain = *mmu_->domains[d];
    const bool waits = traffic_->in_corners() && !apb_.started();
    const bool takes =
        domain.waiting < StepTraffic::backlog && !waits && !(marks_ && marks_->full());
    const std::size_t most = takes ? shape_.lanes + 1 : 0;
    for (ReleaseStep& step : traffic_->releases(domain_id(d), most)) wait(d, step);
    if (most != 0 && !traffic_->in_corners() && random_.uniform(500) == 0)
      wait(d, {PgIndex{}, too_large,
               QueueIndex{random_.uniform(shape_.ports) * priorities + random_.uniform(4)}, true});
    for (ArrivalStep& step : traffic_->arrivals(domain_id(d), most)) {
      const std::size_t port = port_of(step.pg).count();
      domain.arrivals.add(id(port));
      domain.arriving[port].push_back(std::move(step));
      ++domain.waiting;
      show_arrivals(d, port);
    }
  }

  void wait(std::size_t d, ReleaseStep step) {
    MmuReference::Domain& domain = *mmu_->domains[d];
    const std::size_t port = port_of(step.queue).count();
    domain.releases.add(id(port));
    domain.leaving[port].push_back(std::move(step));
    ++domain.waiting;
    show_releases(d, port);
  }

  // Puts the requests that the core's arbiters choose on the lanes.
  void grant(std::size_t d, bool granting) {
    MmuReference::Domain& domain = *mmu_->domains[d];
    releases_[d].clear();
    arrivals_[d].clear();
    requests_[d].clear();
    if (!granting || domain.waiting == 0) return;
    domain.releases.grant(shape_.lanes, [&](PortId port) {
      ReleaseStep& step = domain.leaving[port.count()].front();
      if (step.cells == too_large)
        step = too_large_release(domain.mmu, shape_, domain_id(d), step.queue, touched_pg_,
                                 [&](std::uint64_t n) { return random_.uniform(n); });
      engine_.present(pins_, domain_id(d), port, request_of(step));
      take(domain.leaving[port.count()], releases_[d]);
      granted_.push_back({d, port.count(), true});
    });
    domain.arrivals.grant(shape_.lanes, [&](PortId port) {
      const ArrivalStep& step = domain.arriving[port.count()].front();
      requests_[d].push_back(request_of(step));
      if (marks_) marks_->draw(random_, step, requests_[d].back());
      engine_.present(pins_, domain_id(d), port, requests_[d].back());
      take(domain.arriving[port.count()], arrivals_[d]);
      granted_.push_back({d, port.count(), false});
    });
    domain.waiting -= releases_[d].size() + arrivals_[d].size();
    board_.hit_if(arrivals_[d].size() == shape_.lanes && !domain.arrivals.empty(), wait_);
    if (!arrivals_[d].empty()) {
      touched_pg_ = arrivals_[d].back().pg;
      touched_queue_ = arrivals_[d].back().queues.front();
    }
  }
  template <class Step>
  static void take(std::deque<Step>& from, std::vector<Step>& to) {
    to.push_back(std::move(from.front()));
    from.pop_front();
  }

  void show_releases(std::size_t d, std::size_t port) {
    show_waiting(rtl().rel_waiting_i, d, port, mmu_->domains[d]->releases.pending(id(port)));
  }
  void show_arrivals(std::size_t d, std::size_t port) {
    show_waiting(rtl().arr_waiting_i, d, port, mmu_->domains[d]->arrivals.pending(id(port)));
  }
  // The pins can hold counts above `lanes`; these mean `lanes`.
  template <class Pin>
  void show_waiting(Pin& pin, std::size_t d, std::size_t port, std::uint64_t pending) {
    const unsigned width = bits_for(shape_.lanes + 1);
    set_bits(pin, (d * shape_.ports + port) * width, width, std::min(pending, low_bits(width)));
  }
  void show_granted() {
    for (const Granted& one : granted_)
      one.release ? show_releases(one.domain, one.port) : show_arrivals(one.domain, one.port);
    granted_.clear();
  }

  // Returns whether there was any request.
  bool step_core() {
    bool any = false;
    const Cycle now{now_};
    const std::uint64_t due = now_ + shape_.admit;
    for (std::size_t d = 0; d < shape_.domains; ++d) {
      Mmu& mmu = mmu_->domains[d]->mmu;
      for (const ReleaseStep& step : releases_[d]) {
        const bool before = mmu.pfc().xoff(step.pg);
        const RtlReleaseVerdict expected = decide(mmu, step, now);
        engine_.expect(domain_id(d), due, expected);
        coverage_.release(mmu, step, before, expected.level, expected.error);
      }
      for (std::size_t lane = 0; lane < arrivals_[d].size(); ++lane) arrive(d, lane);
      any = any || !releases_[d].empty() || !arrivals_[d].empty();
    }
    coverage_.end_cycle();
    return any;
  }

  void arrive(std::size_t d, std::size_t lane) {
    Mmu& mmu = mmu_->domains[d]->mmu;
    const Cycle now{now_};
    const std::uint64_t due = now_ + shape_.admit;
    const ArrivalStep& step = arrivals_[d][lane];
    if (marks_ && marks_->drops(step, requests_[d][lane], now_)) {
      engine_.expect(domain_id(d), due, refused_by_wred(step));
      return;
    }
    const StepCoverage::View view = StepCoverage::look(mmu, step, now);
    const RtlArrivalVerdict expected = decide(mmu, step, queues_, now);
    engine_.expect(domain_id(d), due, expected);
    if (expected.verdict.admitted()) traffic_->admitted(step, queues_);
    if (marks_ && expected.verdict.admitted())
      marks_->admitted(step, requests_[d][lane], expected.mask, d * shape_.lanes + lane, due);
    coverage_.arrival(mmu, step, view, expected.verdict, queues_.size());
  }

  static PortId id(std::size_t port) { return PortId{static_cast<std::uint16_t>(port)}; }
  static DomainId domain_id(std::size_t d) { return DomainId{static_cast<std::uint8_t>(d)}; }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    text << "cycle " << now_ << " since the reset; ";
    apb_.put(text);
    for (const auto& domain : releases_)
      for (const ReleaseStep& s : domain)
        text << "release pg " << s.pg << " cells " << s.cells.count() << " queue " << s.queue
             << (s.last ? " last; " : "; ");
    for (const auto& domain : arrivals_)
      for (const ArrivalStep& s : domain) {
        text << "arrive pg " << s.pg << " cells " << s.cells.count() << " queues";
        for (const QueueIndex queue : s.queues) text << " " << queue;
        text << "; ";
      }
    coverage_.put_history(text);
    return text.str();
  }

  struct Granted {
    std::size_t domain, port;
    bool release;
  };

  const RtlShape shape_;
  Bench<Model> bench_;
  RandomStream random_{0, "mmu"};
  Scoreboard board_{"weir_mmu " + std::to_string(shape_.ports) + " ports, " +
                        std::to_string(shape_.domains) + " domains, " +
                        std::to_string(shape_.lanes) + " lanes",
                    [this] { return format_inputs(); }};
  RtlPins pins_{shape_.built()};
  LockstepEngine engine_{shape_.built(), domain_id(shape_.domains), id(shape_.ports), pins_};
  PinBoard pin_board_{board_, true};
  StepCoverage coverage_{board_, shape_};
  ApbMaster<Model> apb_{board_, shape_};
  PfcSide<Model> pfc_{board_, shape_};
  std::optional<MarkSide> marks_;  // with WRED profiles
  MarkEngine no_marks_{pins_, 0};  // without: all answers are 0
  std::unique_ptr<RegisterShelf> shelf_;
  std::unique_ptr<MmuReference> mmu_;
  std::unique_ptr<StepSource> traffic_;
  std::vector<std::vector<ReleaseStep>> releases_;  // granted in this cycle
  std::vector<std::vector<ArrivalStep>> arrivals_;
  std::vector<std::vector<RtlArrival>> requests_;  // as the pins say them
  std::vector<Granted> granted_;
  std::vector<QueueIndex> queues_;  // scratch
  PgIndex touched_pg_;
  QueueIndex touched_queue_;
  std::uint64_t cycles_{0}, now_{0};  // in all; since the reset

  const Scoreboard::Output init_done_{board_.output("init_done_o")};
  const Scoreboard::Point wait_{board_.point("requests wait for full lanes")},
      reset_xoff_{board_.point("reset while a PG is XOFF")};
};

}  // namespace weir::test
