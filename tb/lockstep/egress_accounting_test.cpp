// SPDX-License-Identifier: Apache-2.0
// rtl: egress_1 = egress_accounting Ports=1 Lanes=1 Copies=1 Pools=1 CellW=8 LenW=8
// rtl: egress_3 = egress_accounting Ports=3 Lanes=2 Copies=3 Pools=2 CellW=10 LenW=5
// rtl: egress_5 = egress_accounting Ports=5 Lanes=4 Copies=1 Pools=3 CellW=24 LenW=14
// rtl: egress_8 = egress_accounting Ports=2 Lanes=8 Copies=1 Pools=2
#include "weir/core/accounting/egress_accounting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "Vegress_1.h"
#include "Vegress_3.h"
#include "Vegress_5.h"
#include "Vegress_8.h"
#include "lockstep/bench.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "support/small_chip.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

constexpr unsigned limit_w = 25;
constexpr std::uint32_t drawn = ~0U;  ///< Marks a release whose size is chosen when it is due.
constexpr DomainId domain{0};

struct Release {
  std::size_t queue{0};
  std::uint32_t cells{0};
};
/// A packet and the queues that take it, if it is admitted.
struct Arrival {
  std::uint32_t cells{0};
  bool admitted{false};
  std::vector<std::size_t> queues;
  std::vector<bool> enters;  ///< Of each queue.
};
struct Step {
  std::vector<Release> releases;
  std::vector<Arrival> arrivals;
};

/// Expected outputs for a step, filled in by the core.
struct Expected {
  bool known{false};
  std::vector<QueueUse> found;                ///< By the copies, after the releases.
  std::vector<std::uint64_t> free, end_free;  ///< B_e - S_e of the pools.
  std::vector<QueueUse> released, held;       ///< After each release, after each copy.
  std::vector<bool> error;
};

struct Shape {
  unsigned ports, lanes, copies, pools, cell_w, len_w;
};

/// egress_accounting next to the core. Step n begins in cycle n; its releases are presented in
/// cycle n + 1 and its copies charged in cycle n + 2.
template <class Model, const Shape& shape>
class EgressLockstep {
 public:
  explicit EgressLockstep(RandomStream& random) : random_{random} {}

  /// New pools and minima, `small` as corners() needs them. No cell is held.
  void reset(bool small) {
    chip_ = make_chip(small);
    core_ = EgressAccounting{chip_};
    for (unsigned p = 0; p < shape.pools; ++p)
      set_bits(bench_->pool_shared_i, p * limit_w, limit_w, shared_of(EgressPoolNumber{p}));
    memory_.assign(queues, {});
    under_way_.assign(stages, idle());
    expected_.assign(stages, {});
    clear_pin(bench_->rel_cells_i);
    clear_pin(bench_->chg_admit_i);
    bench_->load_i = 1;
    bench_.reset();
    for (std::size_t waited = 0; bench_->init_done_o == 0; ++waited) {
      if (waited > 2 * queues) throw Difference{"egress_accounting: init_done_o never rises"};
      bench_.clock();
    }
    bench_.clock();  // sums are loaded
    bench_->load_i = 0;
  }

  /// One cycle in which `step` begins; lanes without a request are idle.
  void cycle(Step step = {}) {
    board_.cycle(cycles_++);
    begin(std::move(step));
    charge(under_way_[2], expected_[2]);
    release(under_way_[1], expected_[1]);
    drive_rows(under_way_[0]);
    bench_.settle();
    if (expected_[2].known) compare_found(under_way_[2], expected_[2]);
    if (expected_[3].known) compare_after(under_way_[3], expected_[3]);
    bench_.clock();
  }

  /// Every small release from every small content of a queue, after delays that make the row come
  /// from the previous step, from the one before that, from the rows written last, and from the
  /// memory: with each kind of copy in the same step or none, after a refused packet or not, in the
  /// first lane and the last, as the first copy and the last.
  void corners() {
    for (std::size_t lane = 0; lane < lanes; lane += std::max(1U, lanes - 1))
      for (std::size_t copy = 0; copy < copies; copy += std::max(1U, copies - 1))
        for (std::size_t distance = 0; distance < 5; ++distance)
          for (const bool after_refused : {false, true})
            for (std::uint32_t held = 0; held < 6; ++held)
              for (std::uint32_t cells = 0; cells < 8; ++cells)
                for (const Companion companion : {Companion::nothing, Companion::refused,
                                                  Companion::left_out, Companion::charged})
                  corner({lane, copy, distance, after_refused, held, cells, companion});
  }

  /// Bursts on one queue, or anywhere; copies of a packet may go to the same queue.
  void draw() {
    Step step;
    if (random_.uniform(50) == 0) favourite_ = random_.uniform(queues);
    const auto any = [&] { return random_.uniform(2) == 0 ? favourite_ : random_.uniform(queues); };
    for (unsigned k = 0; k < shape.lanes; ++k) {
      step.releases.push_back({any(), random_.uniform(4) != 0 ? drawn : 0});
      const unsigned width = 1 + static_cast<unsigned>(random_.uniform(len_w));
      Arrival arrival = idle_arrival();
      arrival.cells = static_cast<std::uint32_t>(1 + random_.uniform(low_bits(width)));
      arrival.admitted = random_.uniform(3) != 0;
      for (unsigned c = 0; c < copies; ++c) {
        arrival.queues[c] = any();
        arrival.enters[c] = random_.uniform(4) != 0;
      }
      step.arrivals.push_back(std::move(arrival));
    }
    cycle(std::move(step));
  }

  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  static constexpr std::size_t queues = std::size_t{shape.ports} * priorities, stages = 4,
                               profiles = 6;
  static constexpr unsigned row_w = bits_for(queues), pool_w = bits_for(shape.pools),
                            lanes = shape.lanes, copies = shape.copies, cell_w = shape.cell_w,
                            len_w = shape.len_w, free_w = limit_w + (copies > 1 ? 2 : 0) + 2;
  static_assert(copies == 1 || copies == 3 || copies == 4, "free_w has clog2(copies)");

  [[nodiscard]] Chip make_chip(bool small) {
    const std::uint64_t most = low_bits(cell_w);
    Chip chip = small_chip(shape.ports, Cells{1});
    chip.egress_pools = {};
    for (unsigned p = 0; p < shape.pools; ++p)
      chip.egress_pools.push_back({"egress" + std::to_string(p),
                                   Cells{small ? 4U
                                               : static_cast<std::uint32_t>(random_.uniform(
                                                     random_.uniform(2) == 0 ? 40 : most))},
                                   Cells{0}, true});
    for (std::size_t n = 0; n < profiles; ++n) {
      QueueProfile profile;
      profile.name = "lossy" + std::to_string(n);
      profile.minimum = Cells{
          static_cast<std::uint32_t>(random_.uniform(4) == 0 ? random_.uniform(most) : n % 4)};
      if (small) profile.minimum = Cells{2};
      profile.pool = EgressPoolNumber{random_.uniform(shape.pools)};
      profile.threshold.alpha = Alpha::power_of_two(0);
      chip.queue_profiles.push_back(profile);
    }
    for (std::size_t queue = 0; queue < queues; ++queue)
      chip.profile_of_queue[QueueIndex{queue}] = QueueProfileIndex{random_.uniform(profiles)};
    return chip;
  }
  [[nodiscard]] std::uint64_t shared_of(EgressPoolNumber pool) const {
    return chip_.egress_pools[pool].shared.count();
  }
  [[nodiscard]] const QueueProfile& profile_of(std::size_t queue) const {
    return chip_.queue_profiles[*chip_.profile_of_queue[QueueIndex{queue}]];
  }
  [[nodiscard]] std::uint64_t minimum_of(std::size_t queue) const {
    return profile_of(queue).minimum.count();
  }
  [[nodiscard]] std::uint64_t free(std::size_t pool) const {
    return (shared_of(EgressPoolNumber{pool}) - core_.pool_shared(EgressPoolIndex{pool}).count()) &
           low_bits(free_w);
  }

  static Arrival idle_arrival() {
    return {0, false, std::vector<std::size_t>(copies), std::vector<bool>(copies)};
  }
  static Step idle() {
    return {std::vector<Release>(lanes), std::vector<Arrival>(lanes, idle_arrival())};
  }

  enum class Companion : std::uint8_t { nothing, refused, left_out, charged };
  struct Corner {
    std::size_t lane, copy, distance;
    bool after_refused;
    std::uint32_t held, cells;
    Companion companion;
  };

  void corner(const Corner& at) {
    const std::size_t queue = cycles_ % queues;
    const auto arrives = [&](std::uint32_t cells, Companion kind) {
      Step step = idle();
      put(step, at, queue, cells, kind);
      return step;
    };
    if (at.held != 0) cycle(arrives(at.held, Companion::charged));
    for (std::size_t n = 0; n < at.distance; ++n)
      cycle(at.after_refused ? arrives(3, Companion::refused) : idle());
    Step step = arrives(3, at.companion);
    step.releases[at.lane] = {queue, at.cells};
    cycle(std::move(step));
    empty(queue);
  }
  static void put(Step& step, const Corner& at, std::size_t queue, std::uint32_t cells,
                  Companion kind) {
    if (kind == Companion::nothing) return;
    Arrival& arrival = step.arrivals[at.lane];
    arrival.cells = cells;
    arrival.admitted = kind != Companion::refused;
    arrival.queues[at.copy] = queue;
    arrival.enters[at.copy] = kind != Companion::left_out;
  }
  void empty(std::size_t queue) {
    const auto comes = [&] {
      for (std::size_t n = 0; n < stages; ++n) cycle();
    };
    comes();
    const QueueUse& use = core_.queue(QueueIndex{queue}, domain);
    if (use.minimum + use.shared == Cells{0}) return;
    cycle({{{queue, (use.minimum + use.shared).count()}}, {}});
    comes();
  }

  void begin(Step step) {
    step.releases.resize(lanes);
    step.arrivals.resize(lanes, idle_arrival());
    under_way_.push_front(std::move(step));
    expected_.push_front({});
    under_way_.pop_back();
    expected_.pop_back();
  }

  // ---- t
  void drive_rows(const Step& step) {
    for (unsigned k = 0; k < lanes; ++k) {
      set_bits(bench_->rel_queue_i, k * row_w, row_w, step.releases[k].queue);
      for (unsigned c = 0; c < copies; ++c)
        set_bits(bench_->arr_queue_i, (k * copies + c) * row_w, row_w, step.arrivals[k].queues[c]);
    }
    read_ = random_.uniform(4) == 0 ? random_.uniform(queues) : step.releases[0].queue;
    set_bits(bench_->rd_queue_i, 0, row_w, read_);
  }

  // ---- t + 1: the core releases, in lane order.
  void release(Step& step, Expected& expected) {
    expected.known = true;
    for (std::size_t p = 0; p < shape.pools; ++p) expected.end_free.push_back(free(p));
    for (unsigned k = 0; k < lanes; ++k) {
      Release& release = step.releases[k];
      const QueueUse before = core_.queue(QueueIndex{release.queue}, domain);
      const Cells held = before.minimum + before.shared;
      if (release.cells == drawn) release.cells = amount(held.count());
      const Cells cells{release.cells};
      const bool error = held < cells;
      if (!error) core_.release(QueueIndex{release.queue}, domain, cells);
      note_release(release, before);
      for (const Arrival& arrival : step.arrivals)
        board_.hit_if(release.cells != 0 && arrival.admitted && arrival.enters[0] &&
                          arrival.queues[0] == release.queue,
                      both_);
      expected.error.push_back(error);
      expected.released.push_back(core_.queue(QueueIndex{release.queue}, domain));
      set_bits(bench_->rel_cells_i, k * len_w, len_w, release.cells);
      set_bits(bench_->rel_pool_i, k * pool_w, pool_w, profile_of(release.queue).pool.value());
    }
    for (unsigned k = 0; k < lanes; ++k) {
      const Arrival& arrival = step.arrivals[k];
      set_bits(bench_->arr_cells_i, k * len_w, len_w, arrival.cells);
      for (unsigned c = 0; c < copies; ++c) {
        expected.found.push_back(core_.queue(QueueIndex{arrival.queues[c]}, domain));
        set_bits(bench_->arr_limit_i, (k * copies + c) * limit_w, limit_w,
                 minimum_of(arrival.queues[c]));
      }
    }
    for (std::size_t p = 0; p < shape.pools; ++p) expected.free.push_back(free(p));
  }
  // Usually a part, sometimes all, or one more.
  std::uint32_t amount(std::uint64_t held) {
    const std::uint64_t cells =
        random_.uniform(8) == 0 ? held + random_.uniform(2) : random_.uniform(held + 1);
    return static_cast<std::uint32_t>(std::min(cells, low_bits(len_w)));
  }

  // ---- t + 2: the core charges the copies of admitted packets that fit the widths.
  void charge(Step& step, Expected& expected) {
    for (unsigned k = 0; k < lanes; ++k) {
      Arrival& arrival = step.arrivals[k];
      set_bits(bench_->chg_cells_i, k * len_w, len_w, arrival.cells);
      set_bits(bench_->chg_admit_i, k, 1, arrival.admitted);
      for (unsigned c = 0; c < copies; ++c) {
        const std::size_t queue = arrival.queues[c], at = k * copies + c;
        arrival.enters[c] = arrival.enters[c] && fits(queue, arrival.cells);
        if (arrival.admitted && arrival.enters[c]) charge_copy(queue, arrival.cells);
        board_.hit_if(!arrival.admitted && arrival.enters[c], refused_);
        board_.hit_if(arrival.admitted && !arrival.enters[c] && arrival.cells != 0, left_out_);
        expected.held.push_back(core_.queue(QueueIndex{queue}, domain));
        set_bits(bench_->chg_pool_i, at * pool_w, pool_w, profile_of(queue).pool.value());
        set_bits(bench_->chg_maybe_i, at, 1, arrival.enters[c]);
      }
    }
  }
  void charge_copy(std::size_t queue, std::uint32_t cells) {
    const QueueUse before = core_.queue(QueueIndex{queue}, domain);
    core_.charge(QueueIndex{queue}, domain, Cells{cells});
    const QueueUse& after = core_.queue(QueueIndex{queue}, domain);
    const EgressPoolNumber pool = profile_of(queue).pool;
    board_.hit_if(after.minimum != before.minimum && after.shared != before.shared, split_);
    board_.hit_if(core_.pool_shared(EgressPoolIndex{pool.value()}).count() > shared_of(pool),
                  past_the_pool_);
  }
  [[nodiscard]] bool fits(std::size_t queue, std::uint32_t cells) const {
    const QueueUse& use = core_.queue(QueueIndex{queue}, domain);
    return use.shared.count() + use.minimum.count() + cells <= low_bits(cell_w) &&
           core_.pool_shared(EgressPoolIndex{profile_of(queue).pool.value()}).count() + cells <=
               low_bits(limit_w);
  }

  // ---- Outputs of the block
  template <class Pin>
  void compare(Scoreboard::Output output, std::uint64_t expected, const Pin& pin, unsigned width,
               std::size_t at) {
    board_.compare(output, expected, bits(pin, at * width, width), at);
  }

  void compare_found(const Step& step, const Expected& now) {
    for (unsigned s = 0; s < lanes * copies; ++s) {
      const Arrival& arrival = step.arrivals[s / copies];
      const std::uint64_t room =
          minimum_of(arrival.queues[s % copies]) - now.found[s].minimum.count();
      compare(arr_shared_, now.found[s].shared.count(), bench_->arr_shared_o, cell_w, s);
      compare(arr_room_, room, bench_->arr_room_o, limit_w, s);
      compare(arr_rest_, arrival.cells < room ? 0 : arrival.cells - room, bench_->arr_rest_o, len_w,
              s);
    }
    for (std::size_t p = 0; p < shape.pools; ++p) {
      compare(free_, now.free[p], bench_->free_o, free_w, p);
      compare(end_free_, now.end_free[p], bench_->end_free_o, free_w, p);
    }
  }

  void compare_after(const Step& step, const Expected& then) {
    for (unsigned s = 0; s < lanes * copies; ++s) {
      compare(held_minimum_, then.held[s].minimum.count(), bench_->held_minimum_o, cell_w, s);
      compare(held_shared_, then.held[s].shared.count(), bench_->held_shared_o, cell_w, s);
    }
    for (unsigned k = 0; k < lanes; ++k)
      compare(rel_error_, then.error[k], bench_->rel_error_o, 1, k);
    // A read of the previous cycle, with the step that was in t + 2 then: this one.
    for (unsigned k = 0; k < lanes; ++k) memory_[step.releases[k].queue] = then.released[k];
    for (unsigned s = 0; s < lanes * copies; ++s)
      memory_[step.arrivals[s / copies].queues[s % copies]] = then.held[s];
    compare(rd_row_, memory_[last_read_].minimum.count(), bench_->rd_row_o, cell_w, 0);
    compare(rd_row_, memory_[last_read_].shared.count(), bench_->rd_row_o, cell_w, 1);
    last_read_ = read_;
  }

  // ---- Coverage
  void note_release(const Release& release, const QueueUse& before) {
    if (release.cells == 0) return;
    const Cells cells{release.cells};
    board_.hit_if(before.minimum + before.shared < cells, overdrawn_);
    board_.hit_if(cells < before.shared, from_shared_);
    board_.hit_if(before.shared != Cells{0} && before.shared < cells, from_both_);
    const auto touches = [&](const Step& step) {
      for (const Release& one : step.releases)
        if (one.queue == release.queue && one.cells != 0) return true;
      for (const Arrival& one : step.arrivals)
        for (unsigned c = 0; c < copies; ++c)
          if (one.queues[c] == release.queue && one.enters[c]) return true;
      return false;
    };
    const Arrival& open = under_way_[2].arrivals.back();
    board_.hit_if(open.queues.back() == release.queue && open.enters.back() && open.admitted,
                  after_last_);
    if (touches(under_way_[2])) return board_.hit(after_previous_);
    if (touches(under_way_[3])) return board_.hit(after_older_);
    board_.hit(from_memory_);
  }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    for (std::size_t n = 0; n < stages; ++n) {
      text << "\n  t + " << n << ":";
      for (const Release& one : under_way_[n].releases)
        text << " release of " << one.cells << " at queue " << one.queue << ";";
      for (const Arrival& one : under_way_[n].arrivals) {
        text << " arrival of " << one.cells << (one.admitted ? "" : ", refused,") << " at";
        for (unsigned c = 0; c < copies; ++c)
          text << " queue " << one.queues[c] << (one.enters[c] ? "" : " (not)");
        text << ";";
      }
    }
    return text.str();
  }

  RandomStream& random_;
  Bench<Model> bench_;
  Chip chip_{small_chip(shape.ports, Cells{1})};
  EgressAccounting core_{chip_};
  std::deque<Step> under_way_;  ///< By stage: [n] is in t + n.
  std::deque<Expected> expected_;
  std::vector<QueueUse> memory_;  ///< Rows without the steps in progress.
  std::size_t read_{0}, last_read_{0}, favourite_{0};
  std::uint64_t cycles_{0};
  Scoreboard board_{"egress_accounting " + std::to_string(shape.ports) + " ports, " +
                        std::to_string(lanes) + " lanes, " + std::to_string(copies) + " copies",
                    [this] { return format_inputs(); }};
  const Scoreboard::Output arr_shared_{board_.output("arr_shared_o")},
      arr_room_{board_.output("arr_room_o")}, arr_rest_{board_.output("arr_rest_o")},
      free_{board_.output("free_o")}, end_free_{board_.output("end_free_o")},
      held_minimum_{board_.output("held_minimum_o")}, held_shared_{board_.output("held_shared_o")},
      rel_error_{board_.output("rel_error_o")}, rd_row_{board_.output("rd_row_o")};
  const Scoreboard::Point from_shared_{board_.point("release of shared alone")},
      from_both_{board_.point("release beyond shared")},
      overdrawn_{board_.point("release of more than the queue holds")},
      both_{board_.point("release and copy at one queue in one cycle")},
      after_previous_{board_.point("row of the step before")},
      after_last_{board_.point("after a charge of the last copy")},
      after_older_{board_.point("row of the step before that")},
      from_memory_{board_.point("row of the memory")},
      refused_{board_.point("copy of a packet that is refused")},
      left_out_{board_.point("queue that the packet does not enter")},
      split_{board_.point("to minimum and to shared")},
      past_the_pool_{board_.point("S_e past B_e")};
};

constexpr Shape one_port{1, 1, 1, 1, 8, 8}, three_ports{3, 2, 3, 2, 10, 5},
    five_ports{5, 4, 1, 3, 24, 14}, eight_lanes{2, 8, 1, 2, 17, 8};

/// The first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model, const Shape& shape>
std::string complaints(std::uint64_t cycles) {
  RandomStream random{lockstep_first_round() + 1, "egress_accounting", shape.ports};
  EgressLockstep<Model, shape> lockstep{random};
  const std::string difference = difference_in([&] {
    lockstep.reset(true);
    lockstep.corners();
    for (std::uint64_t n = 0; n < lockstep_cycles(cycles); ++n) {
      if (n % 2'000 == 0) lockstep.reset(false);
      lockstep.draw();
    }
  });
  return difference.empty() ? lockstep.complaints() : difference;
}

TEST(EgressAccountingLockstep, OnePortOneLaneAndTheNarrowestCounts) {
  EXPECT_EQ((complaints<Vegress_1, one_port>(200'000)), "");
}
TEST(EgressAccountingLockstep, TwoLanesThreeCopiesTwoPools) {
  EXPECT_EQ((complaints<Vegress_3, three_ports>(100'000)), "");
}
TEST(EgressAccountingLockstep, FourLanesThreePoolsAndTheWidestCounts) {
  EXPECT_EQ((complaints<Vegress_5, five_ports>(100'000)), "");
}
TEST(EgressAccountingLockstep, EightLanes) {
  EXPECT_EQ((complaints<Vegress_8, eight_lanes>(50'000)), "");
}

}  // namespace
}  // namespace weir::test
