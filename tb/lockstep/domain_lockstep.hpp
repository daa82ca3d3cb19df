// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "lockstep/bench.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/domain_reads.hpp"
#include "lockstep/domain_settings.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/request_pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "lockstep/step_corners.hpp"
#include "lockstep/step_coverage.hpp"
#include "lockstep/verdicts.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir::test {

/// One Verilated weir_domain and the core, with the same requests in every cycle. Each cycle reads
/// a counter or row, usually one that has just been used; the end of a round reads all of them.
template <class Model>
class DomainLockstep {
 public:
  explicit DomainLockstep(const RtlShape& shape) : shape_{shape} {
    for_each_lane_pin(rtl(), [this](MmuPin pin, auto& port) { pins_.bind(pin, port); });
    pins_.bind(MmuPin::xoff_o, rtl().xoff_o);
  }

  /// One round with a chip of its own, from reset on, `cycles` long.
  void round(std::uint64_t seed, std::uint64_t number, std::uint64_t cycles) {
    RandomStream random{seed, "chip", number};
    RandomChip drawn{shape_, random, number};
    const Chip chip = drawn.make();
    run(chip, drawn.wide(), seed * 1000 + number, cycles);
  }

  /// The same with a given chip; `waves`: traffic fills and drains it.
  void run(const Chip& chip, bool waves, std::uint64_t seed, std::uint64_t cycles) {
    start(chip, seed);
    if (waves) traffic_->in_waves();
    for (std::uint64_t n = 0; n < cycles; ++n) cycle();
    read_everything();
  }

  /// Every short sequence of steps, with each pair of XOFF trigger and XON rule.
  void corners() {
    for (const XoffTrigger trigger : {XoffTrigger::on_crossing, XoffTrigger::on_headroom})
      for (const XonRule rule : {XonRule::sai, XonRule::paper}) {
        start(corner_chip(shape_, trigger, rule), 0);
        traffic_->play_corners();
        while (traffic_->in_corners()) cycle();
        read_everything();
      }
  }

  /// The same round of `cycles` once for each counter and row, which is read in every cycle.
  void round_of_every_counter(std::uint64_t seed, std::uint64_t cycles) {
    RandomStream random{seed, "chip"};
    RandomChip drawn{shape_, random, seed};
    const Chip chip = drawn.make();
    for (const DomainRead what : domain_reads())
      for (std::size_t row = 0; row < rows_of(what); ++row) {
        start(chip, seed);
        if (drawn.wide()) traffic_->in_waves();
        watched_ = Read{what, row, 0};
        for (std::uint64_t n = 0; n < cycles; ++n) cycle();
        finish_reads();
      }
    watched_.reset();
  }

  /// From now on each lane releases more than is held, in every cycle.
  void release_too_much() noexcept { releases_too_much_ = true; }
  /// From now on some releases are larger than their queue's content.
  void overdraw_queues() noexcept { overdraws_queues_ = true; }

  [[nodiscard]] Scoreboard& board() noexcept { return board_; }
  /// Number of releases so far that were larger than their queue's content.
  [[nodiscard]] std::uint64_t overdrawn_queues() const noexcept { return overdrawn_queues_; }
  /// Largest number of shared cells in the queue in this round.
  [[nodiscard]] Cells queue_watermark(QueueIndex queue) const {
    return mmu_->stats().queue(queue).shared_watermark;
  }

 private:
  struct Read {
    DomainRead what;
    std::size_t row;
    std::uint64_t value;
  };

  Model& rtl() { return bench_.model(); }

  void write_maps() {
    const auto write = [&](bool queue, std::size_t slot, std::uint64_t value) {
      rtl().map_we_i = 1;
      rtl().map_queue_i = queue;
      set_bits(rtl().map_addr_i, 0, shape_.row_w(), slot);
      set_bits(rtl().map_data_i, 0, 8 * sizeof(rtl().map_data_i), value);
      bench_.clock();
    };
    const auto code = [](const auto& profile) { return profile ? profile->value() + 1 : 0; };
    for (std::size_t slot = 0; slot < shape_.rows(); ++slot) {
      write(false, slot, code(chip_.profile_of_pg[PgIndex{slot}]));
      write(true, slot, code(chip_.profile_of_queue[QueueIndex{slot}]));
    }
    rtl().map_we_i = 0;
  }

  void start(const Chip& chip, std::uint64_t seed) {
    chip_ = chip;
    mmu_ = std::make_unique<Mmu>(chip_);
    traffic_ = std::make_unique<StepSource>(chip_, seed, shape_);
    engine_.reset();
    reads_.clear();
    releases_.clear();
    arrivals_.clear();
    coverage_.reset();
    cycles_ = errors_ = 0;
    charged_pg_ = PgIndex{};
    update_of_.reset();
    requested_ = false;
    clear_inputs();
    rtl().cfg_update_i = 0;
    bench_.reset();
    settings_.set(chip_);
    for (int waited = 0; rtl().init_done_o == 0; ++waited) {
      if (waited > 100'000) throw Difference{"weir_domain: init_done_o never rises"};
      bench_.clock();
    }
    write_maps();
    for (int n = 0; n < 8; ++n) bench_.clock();
  }

  void clear_inputs() {
    clear_pin(rtl().rel_valid_i);
    clear_pin(rtl().arr_valid_i);
    rtl().rd_valid_i = 0;
    rtl().map_we_i = 0;
  }

  // One cycle: compares the verdicts that are due, then gives new requests to core and RTL.
  void cycle() {
    if (!arrivals_.empty()) charged_pg_ = arrivals_.back().pg;
    releases_ = traffic_->releases(DomainId{0}, shape_.lanes);
    arrivals_ = traffic_->arrivals(DomainId{0}, shape_.lanes);
    if (releases_too_much_) {
      releases_.clear();
      while (releases_.size() < shape_.lanes) draw_too_large();
    }
    requested_ = requested_ || !releases_.empty() || !arrivals_.empty();
    // More often where a step may have put cells in headroom in the cycle before.
    const bool headroom = mmu_->ingress().pg(charged_pg_).headroom != Cells{0};
    const bool corners = traffic_->in_corners();
    if (!corners && releases_.size() < shape_.lanes && traffic_->draw(headroom ? 60 : 300) == 0)
      draw_too_large();
    if (!corners && overdraws_queues_ && releases_.size() < shape_.lanes &&
        traffic_->draw(100) == 0)
      draw_overdrawn_queue();
    clear_inputs();
    if (cycles_ % anything_period == 0)
      for (std::size_t lane = 0; lane < shape_.lanes; ++lane)
        present_anything(pins_, lane, [&](std::uint64_t n) { return traffic_->draw(n); });
    present_all();
    draw_update();
    read(draw_read());
    step();
  }

  // Queues of the lower half have no limit.
  void draw_too_large() {
    const auto draw = [&](std::uint64_t n) { return traffic_->draw(n); };
    const QueueIndex queue{draw(shape_.ports) * priorities + draw(priorities / 2)};
    releases_.insert(releases_.begin() + static_cast<std::ptrdiff_t>(draw(releases_.size() + 1)),
                     too_large_release(*mmu_, shape_, DomainId{0}, queue, charged_pg_, draw));
  }

  // Of any PG, which gives up these cells instead of those of the queue: afterwards the queue may
  // hold more than the memory, but no more than its limit.
  void draw_overdrawn_queue() {
    const PgIndex pg =
        traffic_->draw(2) == 0 ? charged_pg_ : PgIndex{traffic_->draw(shape_.rows())};
    const bool last = max_of_a_queue() <= low_bits(shape_.cell_w) && traffic_->draw(2) == 0;
    if (const auto step = overdrawn_queue(*mmu_, shape_, traffic_->draw(shape_.rows()), pg, last)) {
      releases_.push_back(*step);
      ++overdrawn_queues_;
    }
  }

  [[nodiscard]] std::uint64_t max_of_a_queue() const {
    std::uint32_t minimum = 0, shared = 0;
    for (const QueueProfile& queue : chip_.queue_profiles)
      minimum = std::max(minimum, queue.minimum.count());
    for (const Pool& pool : chip_.egress_pools) shared = std::max(shared, pool.shared.count());
    return std::uint64_t{minimum} + shared + low_bits(shape_.len_w);
  }

  void read_everything() {
    releases_.clear();
    arrivals_.clear();
    rtl().cfg_update_i = 0;
    for (const DomainRead what : domain_reads())
      for (std::size_t row = 0; row < rows_of(what); ++row) {
        clear_inputs();
        read({what, row, 0});
        step();
      }
    finish_reads();
  }
  void finish_reads() {
    releases_.clear();
    arrivals_.clear();
    clear_inputs();
    rtl().cfg_update_i = 0;
    while (!reads_.empty()) step();
  }
  [[nodiscard]] std::size_t rows_of(DomainRead what) const {
    if (what.table == DomainRead::domain) return 1;
    if (!what.by_pool()) return shape_.rows();
    return what.table == DomainRead::pool ? chip_.ingress_pools.size() : chip_.egress_pools.size();
  }

  void step() {
    board_.cycle(cycles_);
    bench_.settle();
    compare();
    step_core();
    finish_read();
    take_update();
    bench_.clock();
    ++cycles_;
  }

  void present_all() {
    std::size_t lane = 0;
    for (const ReleaseStep& step : releases_) {
      set_bits(rtl().rel_valid_i, lane, 1, 1);
      present(pins_, lane++, request_of(step));
    }
    lane = 0;
    for (const ArrivalStep& step : arrivals_) {
      set_bits(rtl().arr_valid_i, lane, 1, 1);
      present(pins_, lane++, request_of(step));
    }
  }

  void compare() {
    engine_.compare_verdicts(cycles_, pin_board_, [](DomainId, const auto&) {});
    engine_.compare_levels(pin_board_);
  }

  void step_core() {
    const Cycle now{cycles_};
    const std::uint64_t due = cycles_ + shape_.admit;
    for (const ReleaseStep& step : releases_) {
      const bool before = mmu_->pfc().xoff(step.pg);
      const RtlReleaseVerdict expected = decide(*mmu_, step, now);
      engine_.expect(DomainId{0}, due, expected);
      errors_ += expected.error ? 1 : 0;
      coverage_.release(*mmu_, step, before, expected.level, expected.error);
    }
    for (const ArrivalStep& step : arrivals_) {
      const StepCoverage::View view = StepCoverage::look(*mmu_, step, now);
      const RtlArrivalVerdict expected = decide(*mmu_, step, queues_, now);
      engine_.expect(DomainId{0}, due, expected);
      if (expected.verdict.admitted()) traffic_->admitted(step, queues_);
      coverage_.arrival(*mmu_, step, view, expected.verdict, queues_.size());
    }
    coverage_.end_cycle();
  }

  // ---- Counters and rows, one read per cycle.
  [[nodiscard]] Read draw_read() {
    if (watched_) return *watched_;
    Read drawn{domain_reads()[traffic_->draw(domain_reads().size())], 0, 0};
    if (drawn.what.by_row() && !arrivals_.empty() && traffic_->draw(4) != 0)
      drawn.row = drawn.what.by_queue() ? arrivals_[0].queues[0].value() : arrivals_[0].pg.value();
    else
      drawn.row = traffic_->draw(rows_of(drawn.what));
    return drawn;
  }

  // Reads the state after the requests of earlier cycles.
  void read(Read asked) {
    asked.value = DomainValues{*mmu_, Cycle{cycles_}, errors_}.of(asked.what, asked.row);
    rtl().rd_valid_i = 1;
    set_bits(rtl().rd_select_i, 0, weir_pkg::SelectW,
             unsigned{asked.what.table} << weir_pkg::FieldW | asked.what.field);
    set_bits(rtl().rd_addr_i, 0, shape_.row_w(), asked.row);
    reads_.push_back(asked);
  }

  void finish_read() {
    if (rtl().rd_valid_o == 0) return;
    if (reads_.empty()) throw Difference{"weir_domain: rd_valid_o without a read"};
    const Read& asked = reads_.front();
    board_.compare(read_, asked.value, bits(rtl().rd_data_o, 0, 64),
                   asked.what.table * 1'000'000U + asked.what.field * 10'000U + asked.row);
    reads_.pop_front();
  }

  // ---- Register writes while requests continue.
  void draw_update() {
    rtl().cfg_update_i = 0;
    // Before the first request settings are levels: no write while running.
    if (update_of_ || traffic_->draw(200) != 0 || !requested_ || traffic_->in_corners()) return;
    const ProfileIndex index{traffic_->draw(chip_.profiles.size())};
    update_of_ = index;
    change(chip_.profiles[index]);
    settings_.set_profile(chip_, index);
    rtl().cfg_update_i = 1;
    set_bits(rtl().cfg_update_profile_i, 0, bits_for(shape_.profiles), index.value());
  }
  void change(Profile& profile) {
    switch (traffic_->draw(4)) {
      case 0:
        profile.threshold.alpha = Alpha::power_of_two(static_cast<int>(traffic_->draw(16)) - 8);
        break;
      case 1:
        profile.threshold.static_limit = mark(150);
        break;
      case 2:
        profile.xon = mark(40);
        break;
      default:
        profile.xon_offset = mark(40);
    }
  }
  // Usually below `below`.
  Cells mark(std::uint64_t below) {
    const std::uint64_t most =
        traffic_->draw(8) != 0 ? below : std::uint64_t{1} << (1 + traffic_->draw(24));
    return Cells{static_cast<std::uint32_t>(traffic_->draw(most))};
  }

  // After this cycle's requests: those of the next one use it.
  void take_update() {
    if (!update_of_ || rtl().cfg_taken_o == 0) return;
    mmu_->set_profile(*update_of_, chip_.profiles[*update_of_]);
    update_of_.reset();
    board_.hit(update_);
  }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    for (const ReleaseStep& s : releases_)
      text << "release pg " << s.pg << " cells " << s.cells.count() << " queue " << s.queue
           << (s.last ? " last; " : "; ");
    for (const ArrivalStep& s : arrivals_) {
      text << "arrive pg " << s.pg << " cells " << s.cells.count() << " queues";
      for (const QueueIndex queue : s.queues) text << " " << queue;
      text << "; ";
    }
    coverage_.put_history(text);
    return text.str();
  }

  const RtlShape shape_;
  Bench<Model> bench_;
  DomainSettings<Model> settings_{bench_.model()};
  Scoreboard board_{"weir_domain " + std::to_string(shape_.ports) + " ports, " +
                        std::to_string(shape_.lanes) + " lanes",
                    [this] { return format_inputs(); }};
  RtlPins pins_{shape_.built()};
  LockstepEngine engine_{shape_.built(), DomainId{1},
                         PortId{static_cast<std::uint16_t>(shape_.ports)}, pins_};
  PinBoard pin_board_{board_, false};
  StepCoverage coverage_{board_, shape_};
  const Scoreboard::Output read_{board_.output("rd_data_o")};
  const Scoreboard::Point update_{board_.point("register write while running")};
  Chip chip_;
  std::unique_ptr<Mmu> mmu_;
  std::unique_ptr<StepSource> traffic_;
  std::vector<ReleaseStep> releases_;
  std::vector<ArrivalStep> arrivals_;
  std::vector<QueueIndex> queues_;  // scratch: queues that took a packet
  std::deque<Read> reads_;
  std::optional<Read> watched_;  // read in every cycle
  PgIndex charged_pg_;           // PG of the previous arrival
  std::optional<ProfileIndex> update_of_;
  bool requested_{false}, releases_too_much_{false}, overdraws_queues_{false};
  std::uint64_t cycles_{0}, errors_{0};  // of this round
  std::uint64_t overdrawn_queues_{0};
};

}  // namespace weir::test
