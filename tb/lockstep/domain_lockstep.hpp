// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <sstream>
#include <string>
#include <vector>

#include "lockstep/bench.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"

namespace weir::test {

// Fields of the configuration words and select codes: as weir_pkg.sv has them.
namespace words {
constexpr unsigned limit_w = 25, line_n = 2, line_m = 18, line_static = 23, line_partition = 48,
                   line_bits = 73;
constexpr unsigned profile_pool = 73, profile_private = 81, profile_headroom = 106,
                   profile_xon = 131, profile_xon_offset = 156, profile_lossless = 181,
                   profile_trigger = 182, profile_rule = 183, profile_bits = 184;
constexpr unsigned pool_headroom = 25, pool_dedicated = 50, pool_bits = 51;
constexpr unsigned queue_pool = 73, queue_minimum = 81, queue_bits = 106;
constexpr unsigned egress_bits = 25;
}  // namespace words

constexpr unsigned bits_for(std::uint64_t count) {
  unsigned width = 1;
  while ((std::uint64_t{1} << width) < count) ++width;
  return width;
}

/// One Verilated weir_domain and the core, fed with the same requests in every cycle.
template <class Model>
class DomainLockstep {
 public:
  explicit DomainLockstep(const RtlShape& shape)
      : shape_{shape},
        row_w_{bits_for(std::uint64_t{shape.ports} * priorities)},
        board_{"weir_domain", [this] { return inputs_in_words(); }} {}

  /// A chip of its own, from reset on, `cycles` long.
  void round(std::uint64_t seed, std::uint64_t number, std::uint64_t cycles) {
    RandomStream random{seed, "chip", number};
    chip_ = random_chip_of(shape_, random, number);
    mmu_ = std::make_unique<Mmu>(chip_);
    traffic_ = std::make_unique<StepTraffic>(chip_, seed * 1000 + number, shape_.copies,
                                             (1U << shape_.len_w) - 1);
    for (std::size_t pg = 0; pg < levels_size(); ++pg) level_[pg] = false;
    due_.clear();
    reads_.clear();
    history_.clear();
    update_of_ = -1;
    start();
    for (std::uint64_t n = 0; n < cycles; ++n) cycle();
  }

  [[nodiscard]] Scoreboard& board() noexcept { return board_; }
  [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }

 private:
  struct DueRelease {
    std::size_t pg;
    PfcLevel level;
  };
  struct DueArrival {
    std::size_t pg;
    Verdict verdict;
    std::uint32_t mask;
  };
  struct Due {
    std::vector<DueRelease> releases;
    std::vector<DueArrival> arrivals;
  };
  struct Read {
    unsigned table, field;
    std::size_t row;
    std::uint64_t value;
  };

  Model& rtl() { return bench_.model(); }
  [[nodiscard]] std::size_t levels_size() {
    level_.resize(std::size_t{shape_.ports} * priorities);
    return level_.size();
  }

  void set_line(std::uint64_t at, const ThresholdSetting& setting, std::uint64_t partition,
                bool queue) {
    const auto& policies = threshold_policies();
    std::uint64_t policy = 0;
    while (policies[policy].name != setting.policy) ++policy;
    const auto put = [&](std::size_t from, unsigned width, std::uint64_t value) {
      if (queue)
        set_bits(rtl().cfg_queue_profile_i, at + from, width, value);
      else
        set_bits(rtl().cfg_profile_i, at + from, width, value);
    };
    put(0, 2, policy);
    put(words::line_n, 16, setting.alpha.numerator);
    put(words::line_m, 5, setting.alpha.shift);
    put(words::line_static, words::limit_w, setting.static_limit.count());
    put(words::line_partition, words::limit_w, partition);
  }

  void set_profile_word(std::size_t p) {
    const Profile& profile = chip_.profiles[p];
    const std::uint64_t at = p * words::profile_bits;
    const auto put = [&](std::size_t from, unsigned width, std::uint64_t value) {
      set_bits(rtl().cfg_profile_i, at + from, width, value);
    };
    set_line(at, profile.threshold,
             chip_.ingress_pools[profile.pool].shared.count() /
                 pg_sharers(chip_, profile.pool, DomainId{0}),
             false);
    put(words::profile_pool, 8, profile.pool);
    put(words::profile_private, words::limit_w, profile.private_cells.count());
    put(words::profile_headroom, words::limit_w, profile.headroom.count());
    put(words::profile_xon, words::limit_w, profile.xon.count());
    put(words::profile_xon_offset, words::limit_w, profile.xon_offset.count());
    put(words::profile_lossless, 1, profile.lossless);
    put(words::profile_trigger, 1, profile.xoff_trigger == XoffTrigger::on_headroom);
    put(words::profile_rule, 1, profile.xon_rule == XonRule::paper);
  }

  void configure() {
    for (std::size_t p = 0; p < chip_.profiles.size(); ++p) set_profile_word(p);
    for (std::size_t i = 0; i < chip_.ingress_pools.size(); ++i) {
      const Pool& pool = chip_.ingress_pools[i];
      const std::size_t at = i * words::pool_bits;
      set_bits(rtl().cfg_pool_i, at, words::limit_w, pool.shared.count());
      set_bits(rtl().cfg_pool_i, at + words::pool_headroom, words::limit_w, pool.headroom.count());
      set_bits(rtl().cfg_pool_i, at + words::pool_dedicated, 1, pool.dedicated_headroom);
    }
    for (std::size_t q = 0; q < chip_.queue_profiles.size(); ++q) {
      const QueueProfile& profile = chip_.queue_profiles[q];
      const std::size_t at = q * words::queue_bits;
      set_line(at, profile.threshold,
               chip_.egress_pools[profile.pool].shared.count() / queue_sharers(chip_, profile.pool),
               true);
      set_bits(rtl().cfg_queue_profile_i, at + words::queue_pool, 8, profile.pool);
      set_bits(rtl().cfg_queue_profile_i, at + words::queue_minimum, words::limit_w,
               profile.minimum.count());
    }
    for (std::size_t i = 0; i < chip_.egress_pools.size(); ++i)
      set_bits(rtl().cfg_egress_pool_i, i * words::egress_bits, words::limit_w,
               chip_.egress_pools[i].shared.count());
  }

  void write_maps() {
    const auto write = [&](bool queue, std::size_t slot, std::uint64_t value) {
      rtl().map_we_i = 1;
      rtl().map_queue_i = queue;
      set_bits(rtl().map_addr_i, 0, row_w_, slot);
      set_bits(rtl().map_data_i, 0, 8 * sizeof(rtl().map_data_i), value);
      bench_.clock();
    };
    for (std::size_t slot = 0; slot < levels_size(); ++slot) {
      write(false, slot, *chip_.profile_of_pg[slot] + 1);
      write(true, slot, chip_.profile_of_queue[slot] ? *chip_.profile_of_queue[slot] + 1 : 0);
    }
    rtl().map_we_i = 0;
  }

  void start() {
    clear_inputs();
    rtl().cfg_update_i = 0;
    bench_.reset();
    configure();
    for (int waited = 0; rtl().init_done_o == 0; ++waited) {
      if (waited > 100'000) throw Difference{"weir_domain: init_done_o never rises"};
      bench_.clock();
    }
    write_maps();
    for (int n = 0; n < 8; ++n) bench_.clock();
    for (unsigned n = 0; n < shape_.admit; ++n) due_.emplace_back();
  }

  void clear_inputs() {
    clear_pin(rtl().rel_valid_i);
    clear_pin(rtl().arr_valid_i);
    rtl().rd_valid_i = 0;
    rtl().map_we_i = 0;
  }

  // One cycle: outputs of the verdicts that are due, then new requests into core and RTL.
  void cycle() {
    board_.cycle(cycles_);
    clear_inputs();
    Due due;
    releases_ = traffic_->releases(0, shape_.lanes);
    arrivals_ = traffic_->arrivals(0, shape_.lanes);
    present();
    draw_update();
    draw_read();
    bench_.settle();
    compare(due_.front());
    due_.pop_front();
    step_core(due);
    due_.push_back(std::move(due));
    finish_read();
    take_update();
    bench_.clock();
    ++cycles_;
  }

  void present() {
    std::size_t lane = 0;
    for (const ReleaseStep& step : releases_) {
      set_bits(rtl().rel_valid_i, lane, 1, 1);
      set_bits(rtl().rel_pg_i, lane * row_w_, row_w_, step.pg);
      set_bits(rtl().rel_cells_i, lane * shape_.len_w, shape_.len_w, step.cells.count());
      set_bits(rtl().rel_queue_i, lane * row_w_, row_w_, step.queue);
      set_bits(rtl().rel_last_i, lane, 1, step.last);
      ++lane;
    }
    lane = 0;
    for (const ArrivalStep& step : arrivals_) {
      set_bits(rtl().arr_valid_i, lane, 1, 1);
      set_bits(rtl().arr_pg_i, lane * row_w_, row_w_, step.pg);
      set_bits(rtl().arr_cells_i, lane * shape_.len_w, shape_.len_w, step.cells.count());
      set_bits(rtl().arr_bytes_i, lane * shape_.byte_w, shape_.byte_w, step.length.count());
      for (std::size_t copy = 0; copy < shape_.copies; ++copy) {
        const bool used = copy < step.queues.size();
        set_bits(rtl().arr_queue_i, (lane * shape_.copies + copy) * row_w_, row_w_,
                 used ? step.queues[copy] : 0);
        set_bits(rtl().arr_mask_i, lane * shape_.copies + copy, 1, used);
      }
      ++lane;
    }
  }

  void step_core(Due& due) {
    const Cycle now{cycles_};
    std::vector<std::size_t> touched;
    for (const ReleaseStep& step : releases_) {
      const bool before = mmu_->pfc().xoff(step.pg);
      const PfcLevel level = mmu_->release(step.pg, step.cells, step.queue, step.last, now);
      // A lossy PG, or one that is XON, says nothing; what it would say is its level.
      due.releases.push_back({step.pg, level});
      cover_release(step, before, level);
      touched.push_back(step.pg);
    }
    for (const ArrivalStep& step : arrivals_) {
      const ArrivalView view = look(step);
      std::vector<std::size_t> queues = step.queues;
      const Verdict verdict = mmu_->arrive(step.pg, step.cells, step.length, queues, now);
      std::uint32_t mask = 0;
      for (std::size_t c = 0; c < step.queues.size(); ++c)
        if (std::find(queues.begin(), queues.end(), step.queues[c]) != queues.end())
          mask |= 1U << c;
      due.arrivals.push_back({step.pg, verdict, mask});
      if (verdict.admitted()) traffic_->admitted(step, queues);
      cover_arrival(step, view, verdict, queues.size(), touched);
      touched.push_back(step.pg);
    }
    history_.push_front(touched);
    if (history_.size() > 4) history_.pop_back();
  }

  void compare(const Due& due) {
    for (std::size_t lane = 0; lane < shape_.lanes; ++lane) {
      const bool valid = lane < due.releases.size();
      board_.compare(out_.rel_valid, valid, bits(rtl().rel_valid_o, lane, 1), lane);
      if (!valid) continue;
      const DueRelease& expected = due.releases[lane];
      board_.compare(out_.rel_pg, expected.pg, bits(rtl().rel_pg_o, lane * row_w_, row_w_), lane);
      board_.compare(out_.rel_xoff, expected.level.xoff, bits(rtl().rel_xoff_o, lane, 1), lane);
      board_.compare(out_.rel_changed, expected.level.changed, bits(rtl().rel_changed_o, lane, 1),
                     lane);
      board_.compare(out_.rel_error, 0, bits(rtl().rel_error_o, lane, 1), lane);
      if (expected.level.changed) level_[expected.pg] = expected.level.xoff;
    }
    for (std::size_t lane = 0; lane < shape_.lanes; ++lane) compare_arrival(due, lane);
    for (std::size_t pg = 0; pg < level_.size(); pg += 32) {
      std::uint64_t expected = 0;
      const unsigned width = static_cast<unsigned>(std::min<std::size_t>(32, level_.size() - pg));
      for (unsigned i = 0; i < width; ++i) expected |= std::uint64_t{level_[pg + i]} << i;
      board_.compare(out_.xoff, expected, bits(rtl().xoff_o, pg, width), pg);
    }
  }

  void compare_arrival(const Due& due, std::size_t lane) {
    const bool valid = lane < due.arrivals.size();
    board_.compare(out_.arr_valid, valid, bits(rtl().arr_valid_o, lane, 1), lane);
    if (!valid) return;
    const DueArrival& expected = due.arrivals[lane];
    const Verdict& verdict = expected.verdict;
    const unsigned len = shape_.len_w;
    board_.compare(out_.arr_pg, expected.pg, bits(rtl().arr_pg_o, lane * row_w_, row_w_), lane);
    board_.compare(out_.reason, static_cast<std::uint64_t>(verdict.reason),
                   bits(rtl().arr_reason_o, lane * 3, 3), lane);
    board_.compare(out_.to_private, verdict.placement.private_cells.count(),
                   bits(rtl().arr_private_o, lane * len, len), lane);
    board_.compare(out_.to_shared, verdict.placement.shared.count(),
                   bits(rtl().arr_shared_o, lane * len, len), lane);
    board_.compare(out_.to_headroom, verdict.placement.headroom.count(),
                   bits(rtl().arr_headroom_o, lane * len, len), lane);
    board_.compare(out_.threshold, verdict.threshold.count(),
                   bits(rtl().arr_threshold_o, lane * 32, 32), lane);
    board_.compare(out_.arr_xoff, verdict.pfc.xoff, bits(rtl().arr_xoff_o, lane, 1), lane);
    board_.compare(out_.arr_changed, verdict.pfc.changed, bits(rtl().arr_changed_o, lane, 1), lane);
    board_.compare(out_.mask, expected.mask,
                   bits(rtl().arr_mask_o, lane * shape_.copies, shape_.copies), lane);
    if (verdict.pfc.changed) level_[expected.pg] = verdict.pfc.xoff;
  }

  // ---- Counters and rows, one read a cycle, mostly of what was touched just now.
  void draw_read() {
    struct Choice {
      unsigned table, field;
    };
    constexpr std::array<Choice, 31> choices{
        {{0, 0},  {0, 2},  {0, 6},  {0, 8},  {0, 10}, {0, 12}, {0, 14}, {0, 16},
         {0, 18}, {0, 20}, {0, 21}, {0, 22}, {0, 23}, {1, 0},  {1, 2},  {1, 4},
         {1, 6},  {1, 7},  {2, 3},  {2, 4},  {2, 5},  {2, 6},  {2, 7},  {2, 8},
         {3, 0},  {3, 1},  {3, 2},  {3, 3},  {3, 4},  {4, 0},  {4, 1}}};
    const std::uint64_t draw = traffic_->draw(choices.size() + 1);
    const Choice choice = draw == choices.size() ? Choice{5, 0} : choices[draw];
    Read read{choice.table, choice.field, 0, 0};
    if (read.table == 2)
      read.row = traffic_->draw(chip_.ingress_pools.size());
    else if (read.table == 5)
      read.row = traffic_->draw(chip_.egress_pools.size());
    else if (!arrivals_.empty() && traffic_->draw(4) != 0)
      read.row = read.table == 1 || read.table == 4 ? arrivals_[0].queues[0] : arrivals_[0].pg;
    else
      read.row = traffic_->draw(level_.size());
    read.value = value_of(read);
    rtl().rd_valid_i = 1;
    set_bits(rtl().rd_select_i, 0, 8, read.table << 5 | read.field);
    set_bits(rtl().rd_addr_i, 0, row_w_, read.row);
    reads_.push_back(read);
  }

  void finish_read() {
    if (rtl().rd_valid_o == 0) return;
    if (reads_.empty()) throw Difference{"weir_domain: rd_valid_o without a read"};
    const Read read = reads_.front();
    reads_.pop_front();
    board_.compare(out_.read, read.value, bits(rtl().rd_data_o, 0, 64),
                   read.table * 1'000'000 + read.field * 10'000 + read.row);
  }

  // The state after the requests of the cycles before.
  [[nodiscard]] std::uint64_t value_of(const Read& read) const {
    const std::size_t row = read.row;
    switch (read.table) {
      case 0:
        return pg_counter(mmu_->stats().pg(row), read.field);
      case 1:
        return queue_counter(mmu_->stats().queue(row), read.field);
      case 2:
        return pool_value(row, read.field);
      case 3:
        return pg_value(row, read.field);
      case 4: {
        const QueueUse& use = mmu_->egress().queue(row, DomainId{0});
        return (read.field == 0 ? use.minimum : use.shared).count();
      }
      default:
        return mmu_->egress().pool_shared(row).count();
    }
  }
  [[nodiscard]] static std::uint64_t pg_counter(const PgCounters& pg, unsigned field) {
    if (6 <= field && field <= 14) return pg.refused[field / 2 - 2];
    switch (field) {
      case 0:
        return pg.packets;
      case 2:
        return pg.bytes.count();
      case 16:
        return pg.refused_empty;
      case 18:
        return pg.xoff_entered;
      case 20:
        return pg.shared_watermark.count();
      case 21:
        return pg.limit_at_peak.count();
      case 22:
        return pg.headroom_watermark.count();
      default:
        return pg.total_watermark.count();
    }
  }
  [[nodiscard]] static std::uint64_t queue_counter(const QueueCounters& queue, unsigned field) {
    switch (field) {
      case 0:
        return queue.packets;
      case 2:
        return queue.bytes.count();
      case 4:
        return queue.dropped;
      case 6:
        return queue.shared_watermark.count();
      default:
        return queue.total_watermark.count();
    }
  }
  [[nodiscard]] std::uint64_t pool_value(std::size_t row, unsigned field) const {
    const PoolUse& use = mmu_->ingress().pool(row);
    const PoolWatermark& marks = mmu_->stats().pool(row);
    const std::array<Cells, 6> values{use.shared,   use.headroom,   use.private_cells,
                                      marks.shared, marks.headroom, marks.total};
    return values[field - 3].count();
  }
  [[nodiscard]] std::uint64_t pg_value(std::size_t row, unsigned field) const {
    const Placement& held = mmu_->ingress().pg(row);
    const std::array<std::uint64_t, 5> values{
        held.private_cells.count(), held.shared.count(), held.headroom.count(),
        mmu_->threshold(row, Cycle{cycles_}).count(), std::uint64_t{mmu_->pfc().xoff(row)}};
    return values[field];
  }

  // ---- Register writes while requests go on.
  void draw_update() {
    rtl().cfg_update_i = 0;
    if (update_of_ >= 0 || traffic_->draw(200) != 0) return;
    update_of_ = static_cast<int>(traffic_->draw(chip_.profiles.size()));
    Profile& profile = chip_.profiles[static_cast<std::size_t>(update_of_)];
    switch (traffic_->draw(4)) {
      case 0:
        profile.threshold.alpha = Alpha::power_of_two(static_cast<int>(traffic_->draw(16)) - 8);
        break;
      case 1:
        profile.threshold.static_limit = Cells{static_cast<std::uint32_t>(traffic_->draw(150))};
        break;
      case 2:
        profile.xon = Cells{static_cast<std::uint32_t>(traffic_->draw(40))};
        break;
      default:
        profile.xon_offset = Cells{static_cast<std::uint32_t>(traffic_->draw(40))};
    }
    set_profile_word(static_cast<std::size_t>(update_of_));
    rtl().cfg_update_i = 1;
    set_bits(rtl().cfg_update_profile_i, 0, bits_for(shape_.profiles),
             static_cast<std::uint64_t>(update_of_));
  }

  // After this cycle's requests: those of the next one use it.
  void take_update() {
    if (update_of_ < 0 || rtl().cfg_taken_o == 0) return;
    const auto profile = static_cast<std::size_t>(update_of_);
    mmu_->set_profile(profile, chip_.profiles[profile]);
    update_of_ = -1;
    board_.hit(points_.update);
  }

  // ---- Functional coverage.
  struct ArrivalView {
    Placement held;
    PoolUse use;
    Cells threshold, rest;
    bool xoff;
  };
  [[nodiscard]] ArrivalView look(const ArrivalStep& step) const {
    const PgSettings& settings = mmu_->settings_of(step.pg);
    const Placement& held = mmu_->ingress().pg(step.pg);
    const Cells room = settings.private_limit - held.private_cells;
    return {held, mmu_->ingress().pool(settings.pool_domain),
            mmu_->threshold(step.pg, Cycle{cycles_}),
            step.cells < room ? Cells{0} : step.cells - room, mmu_->pfc().xoff(step.pg)};
  }

  void cover_arrival(const ArrivalStep& step, const ArrivalView& view, const Verdict& verdict,
                     std::size_t copies, const std::vector<std::size_t>& touched) {
    const PgSettings& settings = mmu_->settings_of(step.pg);
    const std::int64_t w = view.held.shared.count(), t = view.threshold.count();
    const std::int64_t after = std::int64_t{view.use.shared.count()} + view.rest.count();
    const std::int64_t b = settings.shared_pool.count();
    const bool judged = verdict.reason != Reason::egress_queue && view.rest != Cells{0};
    board_.hit(points_.reason[static_cast<std::size_t>(verdict.reason)]);
    board_.hit_if(verdict.admitted() && view.rest == Cells{0}, points_.all_private);
    board_.hit_if(
        verdict.placement.shared != Cells{0} && verdict.placement.private_cells != Cells{0},
        points_.split_shared);
    board_.hit_if(verdict.placement.headroom != Cells{0}, points_.to_headroom);
    board_.hit_if(judged && w == t - 1, points_.w_below);
    board_.hit_if(judged && w == t, points_.w_at);
    board_.hit_if(judged && w == t + 1, points_.w_above);
    board_.hit_if(judged && after == b, points_.fills_pool);
    board_.hit_if(judged && after == b + 1, points_.over_pool);
    board_.hit_if(judged && t == 0, points_.t_zero);
    board_.hit_if(view.use.shared == Cells{0}, points_.pool_empty);
    board_.hit_if(judged && view.held.headroom != Cells{0} && verdict.placement.shared != Cells{0},
                  points_.shared_again);
    board_.hit_if(!verdict.admitted() && settings.lossless && view.held.total() == Cells{0},
                  points_.refused_empty);
    const bool entered = verdict.pfc.changed && verdict.pfc.xoff;
    board_.hit_if(entered && !verdict.admitted(), points_.xoff_refused);
    board_.hit_if(entered && verdict.placement.headroom != Cells{0}, points_.xoff_headroom);
    board_.hit_if(entered && verdict.admitted() && verdict.placement.headroom == Cells{0},
                  points_.xoff_crossing);
    board_.hit_if(verdict.pfc.changed && !verdict.pfc.xoff, points_.xon_arrival);
    if (shape_.copies > 1)
      board_.hit_if(verdict.admitted() && copies < step.queues.size(), points_.masked_copy);
    cover_forwarding(step.pg, touched);
  }

  void cover_forwarding(std::size_t pg, const std::vector<std::size_t>& touched) {
    const auto in = [&](const std::vector<std::size_t>& pgs) {
      return std::find(pgs.begin(), pgs.end(), pg) != pgs.end();
    };
    board_.hit_if(in(touched), points_.same_cycle);
    for (std::size_t age = 0; age < history_.size(); ++age)
      board_.hit_if(in(history_[age]), points_.forwarded[age]);
  }

  void cover_release(const ReleaseStep& step, bool before, PfcLevel level) {
    const PgSettings& settings = mmu_->settings_of(step.pg);
    const bool resumed = before && level.changed;
    const bool empty = mmu_->ingress().pg(step.pg).total() == Cells{0};
    board_.hit_if(resumed && empty, points_.xon_empty);
    board_.hit_if(resumed && !empty && settings.xon_rule == XonRule::sai, points_.xon_sai);
    board_.hit_if(resumed && !empty && settings.xon_rule == XonRule::paper, points_.xon_paper);
    board_.hit_if(before && !level.changed, points_.stays_xoff);
    if (shape_.copies > 1) board_.hit_if(!step.last, points_.not_last);
  }

  [[nodiscard]] std::string inputs_in_words() const {
    std::ostringstream text;
    for (const ReleaseStep& s : releases_)
      text << "release pg " << s.pg << " cells " << s.cells.count() << " queue " << s.queue
           << (s.last ? " last; " : "; ");
    for (const ArrivalStep& s : arrivals_) {
      text << "arrive pg " << s.pg << " cells " << s.cells.count() << " queues";
      for (const std::size_t queue : s.queues) text << " " << queue;
      text << "; ";
    }
    text << "steps of the cycles before:";
    for (const auto& pgs : history_) {
      text << " |";
      for (const std::size_t pg : pgs) text << " " << pg;
    }
    return text.str();
  }

  const RtlShape shape_;
  const unsigned row_w_;
  Bench<Model> bench_;
  Scoreboard board_;
  struct Outputs {
    Scoreboard::Output rel_valid, rel_pg, rel_xoff, rel_changed, rel_error, arr_valid, arr_pg,
        reason, to_private, to_shared, to_headroom, threshold, arr_xoff, arr_changed, mask, xoff,
        read;
  };
  struct Points {
    std::array<Scoreboard::Point, reasons> reason;
    Scoreboard::Point all_private, split_shared, to_headroom, w_below, w_at, w_above, fills_pool,
        over_pool, t_zero, pool_empty, shared_again, refused_empty, xoff_refused, xoff_headroom,
        xoff_crossing, xon_arrival, same_cycle, xon_empty, xon_sai, xon_paper, stays_xoff, update;
    std::array<Scoreboard::Point, 4> forwarded;
    Scoreboard::Point masked_copy, not_last;
  };
  Outputs out_{board_.output("rel_valid_o"),
               board_.output("rel_pg_o"),
               board_.output("rel_xoff_o"),
               board_.output("rel_changed_o"),
               board_.still_output("rel_error_o", "no release is too large here"),
               board_.output("arr_valid_o"),
               board_.output("arr_pg_o"),
               board_.output("arr_reason_o"),
               board_.output("arr_private_o"),
               board_.output("arr_shared_o"),
               board_.output("arr_headroom_o"),
               board_.output("arr_threshold_o"),
               board_.output("arr_xoff_o"),
               board_.output("arr_changed_o"),
               board_.output("arr_mask_o"),
               board_.output("xoff_o"),
               board_.output("rd_data_o")};
  Points points_{{board_.point("admitted"), board_.point("refused: shared_threshold"),
                  board_.point("refused: shared_pool"), board_.point("refused: headroom_limit"),
                  board_.point("refused: headroom_pool"), board_.point("refused: egress_queue")},
                 board_.point("all cells private"),
                 board_.point("part private, part shared"),
                 board_.point("cells to headroom"),
                 board_.point("w = T - 1"),
                 board_.point("w = T"),
                 board_.point("w = T + 1"),
                 board_.point("S + rest = B"),
                 board_.point("S + rest = B + 1"),
                 board_.point("T = 0"),
                 board_.point("pool empty"),
                 board_.point("shared again while headroom is held"),
                 board_.point("refused at an empty PG"),
                 board_.point("XOFF: refused"),
                 board_.point("XOFF: cells in headroom"),
                 board_.point("XOFF: crossing"),
                 board_.point("XON by an arrival"),
                 board_.point("arrival at the PG of a step before it in its cycle"),
                 board_.point("XON: empty"),
                 board_.point("XON: sai"),
                 board_.point("XON: paper"),
                 board_.point("release that leaves XOFF"),
                 board_.point("register write while running"),
                 {board_.point("forwarding from 1 cycle before"),
                  board_.point("forwarding from 2 cycles before"),
                  board_.point("forwarding from 3 cycles before"),
                  board_.point("forwarding from 4 cycles before")},
                 shape_.copies > 1 ? board_.point("masked copy") : 0,
                 shape_.copies > 1 ? board_.point("release that is not the last") : 0};
  Chip chip_;
  std::unique_ptr<Mmu> mmu_;
  std::unique_ptr<StepTraffic> traffic_;
  std::vector<ReleaseStep> releases_;
  std::vector<ArrivalStep> arrivals_;
  std::deque<Due> due_;
  std::deque<Read> reads_;
  std::deque<std::vector<std::size_t>> history_;
  std::vector<bool> level_;
  int update_of_{-1};
  std::uint64_t cycles_{0};
};

/// Cycles of a test: `normal`, or as many times more as WEIR_LOCKSTEP_TIMES says.
inline std::uint64_t lockstep_cycles(std::uint64_t normal) {
  const char* times = std::getenv("WEIR_LOCKSTEP_TIMES");
  return times == nullptr ? normal : normal * std::strtoull(times, nullptr, 10);
}

}  // namespace weir::test
