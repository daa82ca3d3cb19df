// SPDX-License-Identifier: Apache-2.0
// rtl: ingress_1 = ingress_accounting Ports=1 Lanes=1 Pools=1 CellW=8 LenW=8
// rtl: ingress_3 = ingress_accounting Ports=3 Lanes=4 Pools=2 CellW=10 LenW=5 ThresholdLag=2
// rtl: ingress_5 = ingress_accounting Ports=5 Lanes=2 Pools=3 CellW=24 LenW=14 ThresholdLag=3
// rtl: ingress_8 = ingress_accounting Ports=2 Lanes=8 Pools=2
#include "weir/core/accounting/ingress_accounting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "Vingress_1.h"
#include "Vingress_3.h"
#include "Vingress_5.h"
#include "Vingress_8.h"
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
constexpr std::uint32_t corner_limit = 2;  ///< phi in corners().
constexpr std::uint32_t drawn = ~0U;       ///< Marks a release whose size is chosen when it is due.

enum class To : std::uint8_t { nothing, shared, headroom };  // the numbers of chg_to_i

struct Release {
  std::size_t pg{0};
  std::uint32_t cells{0};
};
struct Arrival {
  std::size_t pg{0};
  std::uint32_t cells{0};
  To to{To::nothing};
};
struct Step {
  std::vector<Release> releases;
  std::vector<Arrival> arrivals;
};

/// Expected outputs for a step, filled in by the core.
struct Expected {
  bool known{false};
  std::vector<Placement> found;        ///< By the arrivals, after the releases.
  std::vector<std::uint64_t> free_at;  ///< B - S after each release.
  std::vector<std::uint64_t> free, seen, headroom, end_free, end_headroom, end_private;  // of pools
  std::vector<Placement> held;  ///< After each release, then after each arrival.
  std::vector<PoolUse> sums;    ///< Of its pool after each arrival.
  std::vector<bool> error;
};

struct Shape {
  unsigned ports, lanes, pools, cell_w, len_w, lag;
};

/// ingress_accounting next to the core. Step n begins in cycle n; its releases are presented in
/// cycle n + 1 and its arrivals charged in cycle n + 2.
template <class Model, const Shape& shape>
class IngressLockstep {
 public:
  explicit IngressLockstep(RandomStream& random) : random_{random} {}

  /// New pools and private limits, `roomy` as corners() needs them. No cell is held.
  void reset(bool roomy) {
    const std::uint64_t most = low_bits(cell_w);
    for (unsigned p = 0; p < shape.pools; ++p) {
      shared_[p] = static_cast<std::uint32_t>(
          roomy || random_.uniform(3) == 0 ? most
                                           : random_.uniform(std::min<std::uint64_t>(most, 60)));
      set_bits(bench_->pool_shared_i, p * limit_w, limit_w, shared_[p]);
    }
    for (std::size_t pg = 0; pg < pgs; ++pg) {
      limit_[pg] = static_cast<std::uint32_t>(random_.uniform(4) == 0 ? random_.uniform(most / 4)
                                                                      : random_.uniform(4));
      if (roomy) limit_[pg] = corner_limit;
      pool_[pg] = random_.uniform(shape.pools);
    }
    core_ = IngressAccounting{chip()};
    memory_.assign(pgs, {});
    under_way_.assign(stages, idle());
    expected_.assign(stages, {});
    now_ = stages;
    clear_pin(bench_->rel_cells_i);
    clear_pin(bench_->chg_to_i);
    bench_->load_i = 1;
    bench_.reset();
    for (std::size_t waited = 0; bench_->init_done_o == 0; ++waited) {
      if (waited > 2 * pgs) throw Difference{"ingress_accounting: init_done_o never rises"};
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
    ++now_;
  }

  /// Every small release from every small content of a PG, after delays that make the row come from
  /// the previous step, from the one before that, from the rows written last, and from the memory:
  /// with each kind of arrival in the same step or none, after a refused packet or not, in the
  /// first lane and in the last.
  void corners() {
    std::vector<Placement> contents{{}, {Cells{1}, {}, {}}};
    for (std::uint32_t shared = 0; shared < 3; ++shared)
      for (std::uint32_t headroom = 0; headroom < 3; ++headroom)
        contents.push_back({Cells{corner_limit}, Cells{shared}, Cells{headroom}});
    for (std::size_t lane = 0; lane < lanes; lane += std::max(1U, lanes - 1))
      for (std::size_t distance = 0; distance < 5; ++distance)
        for (const bool after_refused : {false, true})
          for (const Placement& held : contents)
            for (std::uint32_t cells = 0; cells < 8; ++cells) {
              corner({lane, distance, after_refused, held, cells, {}});
              for (const To to : {To::nothing, To::shared, To::headroom})
                corner({lane, distance, after_refused, held, cells, to});
            }
  }

  /// Bursts on one PG, or anywhere.
  void draw() {
    Step step;
    if (random_.uniform(50) == 0) favourite_ = random_.uniform(pgs);
    const auto any = [&] { return random_.uniform(2) == 0 ? favourite_ : random_.uniform(pgs); };
    for (unsigned k = 0; k < shape.lanes; ++k) {
      const bool leaves = random_.uniform(4) != 0;
      step.releases.push_back({any(), leaves ? drawn : 0});
      const std::uint64_t longest = low_bits(1 + static_cast<unsigned>(random_.uniform(len_w)));
      step.arrivals.push_back({any(), static_cast<std::uint32_t>(1 + random_.uniform(longest)),
                               static_cast<To>(random_.uniform(3))});
    }
    cycle(std::move(step));
  }

  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  static constexpr std::size_t pgs = std::size_t{shape.ports} * priorities, stages = 4;
  static constexpr unsigned row_w = bits_for(pgs), pool_w = bits_for(shape.pools),
                            lanes = shape.lanes, cell_w = shape.cell_w, len_w = shape.len_w;

  struct Corner {
    std::size_t lane, distance;
    bool after_refused;
    Placement held;
    std::uint32_t cells;
    std::optional<To> companion;
  };

  void corner(const Corner& at) {
    const std::size_t pg = cycles_ % pgs;
    const auto arrives = [&](std::uint32_t cells, To to) {
      cycle(in_lane(at.lane, {}, {pg, cells, to}));
    };
    const Cells low = at.held.private_cells + at.held.shared;
    if (low != Cells{0}) arrives(low.count(), To::shared);
    if (at.held.headroom != Cells{0}) arrives(at.held.headroom.count(), To::headroom);
    for (std::size_t n = 0; n < at.distance; ++n)
      at.after_refused ? arrives(3, To::nothing) : cycle();
    const Arrival companion = at.companion ? Arrival{pg, 3, *at.companion} : Arrival{};
    cycle(in_lane(at.lane, {pg, at.cells}, companion));
    empty(pg);
  }
  static Step in_lane(std::size_t lane, const Release& release, const Arrival& arrival) {
    Step step = idle();
    step.releases[lane] = release;
    step.arrivals[lane] = arrival;
    return step;
  }
  void empty(std::size_t pg) {
    const auto comes = [&] {
      for (std::size_t n = 0; n < stages; ++n) cycle();
    };
    comes();
    if (core_.pg(PgIndex{pg}).total() == Cells{0}) return;
    cycle({{{pg, core_.pg(PgIndex{pg}).total().count()}}, {}});
    comes();
  }

  static Step idle() { return {std::vector<Release>(lanes), std::vector<Arrival>(lanes)}; }
  static Chip chip() {
    Chip chip = small_chip(shape.ports, Cells{1});
    while (chip.ingress_pools.size() < shape.pools)
      chip.ingress_pools.push_back(Pool{chip.ingress_pools.front()});
    chip.threshold_lag = shape.lag;
    return chip;
  }

  void begin(Step step) {
    step.releases.resize(lanes);
    step.arrivals.resize(lanes);
    under_way_.push_front(std::move(step));
    expected_.push_front({});
    under_way_.pop_back();
    expected_.pop_back();
  }

  // ---- t
  void drive_rows(const Step& step) {
    for (unsigned k = 0; k < lanes; ++k) {
      set_bits(bench_->rel_pg_i, k * row_w, row_w, step.releases[k].pg);
      set_bits(bench_->arr_pg_i, k * row_w, row_w, step.arrivals[k].pg);
    }
    read_ = random_.uniform(4) == 0 ? random_.uniform(pgs) : step.releases[0].pg;
    set_bits(bench_->rd_pg_i, 0, row_w, read_);
  }

  // ---- t + 1: the core releases, in lane order.
  void release(Step& step, Expected& expected) {
    expected.known = true;
    expected.end_free = of_pools([&](std::size_t p) { return free(p); });
    expected.end_headroom =
        of_pools([&](std::size_t p) { return core_.pool(PoolIndex{p}).headroom.count(); });
    expected.end_private =
        of_pools([&](std::size_t p) { return core_.pool(PoolIndex{p}).private_cells.count(); });
    for (unsigned k = 0; k < lanes; ++k) {
      Release& release = step.releases[k];
      const std::size_t pool = pool_[release.pg];
      const Placement before = core_.pg(PgIndex{release.pg});
      if (release.cells == drawn) release.cells = amount(before.total().count());
      const bool error = before.total() < Cells{release.cells};
      if (!error)
        note(before,
             core_.release(PgIndex{release.pg}, PoolIndex{pool}, Cells{release.cells}, step_of(1)));
      board_.hit_if(error, overdrawn_);
      note_source(release);
      for (const Arrival& arrival : step.arrivals)
        board_.hit_if(release.cells != 0 && arrival.cells != 0 && arrival.pg == release.pg, both_);
      expected.error.push_back(error);
      expected.free_at.push_back(free(pool));
      expected.held.push_back(core_.pg(PgIndex{release.pg}));
      set_bits(bench_->rel_cells_i, k * len_w, len_w, release.cells);
      set_bits(bench_->rel_pool_i, k * pool_w, pool_w, pool);
    }
    for (unsigned k = 0; k < lanes; ++k) {
      const Arrival& arrival = step.arrivals[k];
      expected.found.push_back(core_.pg(PgIndex{arrival.pg}));
      set_bits(bench_->arr_cells_i, k * len_w, len_w, arrival.cells);
      set_bits(bench_->arr_limit_i, k * limit_w, limit_w, limit_[arrival.pg]);
    }
    expected.free = of_pools([&](std::size_t p) { return free(p); });
    expected.headroom =
        of_pools([&](std::size_t p) { return core_.pool(PoolIndex{p}).headroom.count(); });
    expected.seen = of_pools([&](std::size_t p) {
      return shared_[p] - core_.shared_seen(PoolIndex{p}, step_of(1)).count();
    });
  }
  // Usually a part, sometimes all, or one more.
  std::uint32_t amount(std::uint64_t held) {
    const std::uint64_t drawn_cells =
        random_.uniform(8) == 0 ? held + random_.uniform(2) : random_.uniform(held + 1);
    return static_cast<std::uint32_t>(std::min(drawn_cells, low_bits(len_w)));
  }

  // ---- t + 2: the core charges what fits.
  void charge(Step& step, Expected& expected) {
    for (unsigned k = 0; k < lanes; ++k) {
      Arrival& arrival = step.arrivals[k];
      const std::size_t pool = pool_[arrival.pg];
      const std::uint32_t room = limit_[arrival.pg] -
                                 core_.pg(PgIndex{arrival.pg}).private_cells.count(),
                          to_private = std::min(arrival.cells, room),
                          rest = arrival.cells - to_private;
      if (!fits(arrival, pool, to_private, rest)) arrival.to = To::nothing;
      const bool high = arrival.to == To::headroom;
      if (arrival.to != To::nothing)
        core_.charge(PgIndex{arrival.pg}, PoolIndex{pool},
                     {Cells{to_private}, Cells{high ? 0 : rest}, Cells{high ? rest : 0}},
                     step_of(2));
      board_.hit_if(arrival.cells != 0 && arrival.to == To::nothing, refused_);
      board_.hit_if(arrival.to == To::shared && to_private != 0 && rest != 0, split_);
      board_.hit_if(arrival.to == To::headroom && rest != 0, to_headroom_);
      board_.hit_if(arrival.to == To::shared && rest != 0 && free(pool) == 0, pool_full_);
      expected.held.push_back(core_.pg(PgIndex{arrival.pg}));
      expected.sums.push_back(core_.pool(PoolIndex{pool}));
      set_bits(bench_->chg_pool_i, k * pool_w, pool_w, pool);
      set_bits(bench_->chg_to_i, 2 * k, 2, static_cast<std::uint64_t>(arrival.to));
      set_bits(bench_->chg_private_i, k * len_w, len_w, to_private);
      set_bits(bench_->chg_rest_i, k * len_w, len_w, rest);
    }
  }
  [[nodiscard]] bool fits(const Arrival& arrival, std::size_t pool, std::uint32_t to_private,
                          std::uint32_t rest) const {
    const std::uint64_t most = low_bits(cell_w);
    const Placement& held = core_.pg(PgIndex{arrival.pg});
    const PoolUse& use = core_.pool(PoolIndex{pool});
    return use.private_cells.count() + to_private <= most &&
           (arrival.to != To::shared || rest <= free(pool)) &&
           (arrival.to != To::headroom || use.headroom.count() + rest <= most) &&
           held.total().count() + arrival.cells <= most;
  }

  // ---- Outputs of the block
  template <class Pin>
  void compare(Scoreboard::Output output, std::uint64_t expected, const Pin& pin, unsigned width,
               std::size_t at) {
    board_.compare(output, expected, bits(pin, at * width, width), at);
  }

  void compare_found(const Step& step, const Expected& now) {
    for (unsigned k = 0; k < lanes; ++k) {
      const Arrival& arrival = step.arrivals[k];
      const Placement& found = now.found[k];
      const std::uint32_t room = limit_[arrival.pg] - found.private_cells.count(),
                          to_private = std::min(arrival.cells, room);
      compare(arr_shared_, found.shared.count(), bench_->arr_shared_o, cell_w, k);
      compare(arr_headroom_, found.headroom.count(), bench_->arr_headroom_o, cell_w, k);
      compare(arr_room_, room, bench_->arr_room_o, limit_w, k);
      compare(arr_private_, to_private, bench_->arr_private_o, len_w, k);
      compare(arr_rest_, arrival.cells - to_private, bench_->arr_rest_o, len_w, k);
      compare(arr_empty_, found.total() == Cells{0}, bench_->arr_empty_o, 1, k);
      compare(rel_free_, now.free_at[k], bench_->rel_free_o, limit_w, k);
    }
    for (unsigned p = 0; p < shape.pools; ++p) {
      compare(free_, now.free[p], bench_->free_o, limit_w, p);
      compare(seen_, now.seen[p], bench_->seen_o, limit_w, p);
      compare(headroom_sum_, now.headroom[p], bench_->headroom_sum_o, cell_w, p);
      compare(end_free_, now.end_free[p], bench_->end_free_o, limit_w, p);
      compare(end_headroom_, now.end_headroom[p], bench_->end_headroom_o, cell_w, p);
      compare(end_private_, now.end_private[p], bench_->end_private_o, cell_w, p);
    }
  }

  void compare_after(const Step& step, const Expected& then) {
    for (unsigned x = 0; x < 2 * lanes; ++x) {
      const Placement& held = then.held[x];
      compare(held_private_, held.private_cells.count(), bench_->held_private_o, cell_w, x);
      compare(held_shared_, held.shared.count(), bench_->held_shared_o, cell_w, x);
      compare(held_headroom_, held.headroom.count(), bench_->held_headroom_o, cell_w, x);
    }
    for (unsigned k = 0; k < lanes; ++k) {
      const PoolUse& sums = then.sums[k];
      compare(rel_error_, then.error[k], bench_->rel_error_o, 1, k);
      compare(sum_private_, sums.private_cells.count(), bench_->sum_private_o, cell_w, k);
      compare(sum_shared_, sums.shared.count(), bench_->sum_shared_o, cell_w, k);
      compare(sum_headroom_, sums.headroom.count(), bench_->sum_headroom_o, cell_w, k);
    }
    // A read of the previous cycle, with the step that was in t + 2 then: this one.
    for (unsigned k = 0; k < lanes; ++k) memory_[step.releases[k].pg] = then.held[k];
    for (unsigned k = 0; k < lanes; ++k) memory_[step.arrivals[k].pg] = then.held[lanes + k];
    const Placement& row = memory_[last_read_];
    compare(rd_row_, row.private_cells.count(), bench_->rd_row_o, cell_w, 0);
    compare(rd_row_, row.shared.count(), bench_->rd_row_o, cell_w, 1);
    compare(rd_row_, row.headroom.count(), bench_->rd_row_o, cell_w, 2);
    last_read_ = read_;
  }

  // ---- Coverage
  void note(const Placement& before, const Placement& given) {
    const bool more = given.total() < before.total();
    board_.hit_if(more && given.headroom != Cells{0} && given.shared == Cells{0}, from_headroom_);
    board_.hit_if(more && given.shared != Cells{0} && given.private_cells == Cells{0},
                  from_shared_);
    board_.hit_if(
        given.private_cells != Cells{0} && given.shared != Cells{0} && given.headroom != Cells{0},
        from_all_);
  }
  // Where the row of a release comes from: the latest step at the PG in the cycles before.
  void note_source(const Release& release) {
    if (release.cells == 0) return;
    const auto touches = [&](const Step& step) {
      const auto here = [&](const auto& one) { return one.pg == release.pg && one.cells != 0; };
      return std::any_of(step.releases.begin(), step.releases.end(), here) ||
             std::any_of(step.arrivals.begin(), step.arrivals.end(), here);
    };
    const Arrival& open = under_way_[2].arrivals.back();
    board_.hit_if(open.pg == release.pg && open.cells != 0 && open.to != To::nothing, after_last_);
    if (touches(under_way_[2])) return board_.hit(after_previous_);
    if (touches(under_way_[3])) return board_.hit(after_older_);
    board_.hit(from_memory_);
  }

  [[nodiscard]] std::uint64_t free(std::size_t pool) const {
    return shared_[pool] - core_.pool(PoolIndex{pool}).shared.count();
  }
  template <class Of>
  static std::vector<std::uint64_t> of_pools(Of&& of) {
    std::vector<std::uint64_t> all;
    for (std::size_t p = 0; p < shape.pools; ++p) all.push_back(of(p));
    return all;
  }
  /// Number of the step that is in stage t + `stage`.
  [[nodiscard]] Cycle step_of(std::uint64_t stage) const { return Cycle{now_ - stage}; }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    for (std::size_t n = 0; n < stages; ++n) {
      text << "\n  t + " << n << ":";
      for (const Release& one : under_way_[n].releases)
        text << " release of " << one.cells << " at PG " << one.pg << ";";
      for (const Arrival& one : under_way_[n].arrivals)
        text << " arrival of " << one.cells << " at PG " << one.pg << " to "
             << static_cast<int>(one.to) << ";";
    }
    return text.str();
  }

  RandomStream& random_;
  Bench<Model> bench_;
  std::array<std::uint32_t, shape.pools> shared_{};
  std::array<std::uint32_t, pgs> limit_{};
  std::array<std::size_t, pgs> pool_{};
  IngressAccounting core_{chip()};
  std::deque<Step> under_way_;  ///< By stage: [n] is in t + n.
  std::deque<Expected> expected_;
  std::vector<Placement> memory_;  ///< Rows without the steps in progress.
  std::size_t read_{0}, last_read_{0}, favourite_{0};
  std::uint64_t now_{0}, cycles_{0};
  Scoreboard board_{"ingress_accounting " + std::to_string(shape.ports) + " ports, " +
                        std::to_string(lanes) + " lanes",
                    [this] { return format_inputs(); }};
  const Scoreboard::Output arr_shared_{board_.output("arr_shared_o")},
      arr_headroom_{board_.output("arr_headroom_o")}, arr_room_{board_.output("arr_room_o")},
      arr_private_{board_.output("arr_private_o")}, arr_rest_{board_.output("arr_rest_o")},
      arr_empty_{board_.output("arr_empty_o")}, rel_free_{board_.output("rel_free_o")},
      free_{board_.output("free_o")}, seen_{board_.output("seen_o")},
      headroom_sum_{board_.output("headroom_sum_o")}, end_free_{board_.output("end_free_o")},
      end_headroom_{board_.output("end_headroom_o")}, end_private_{board_.output("end_private_o")},
      held_private_{board_.output("held_private_o")}, held_shared_{board_.output("held_shared_o")},
      held_headroom_{board_.output("held_headroom_o")}, rel_error_{board_.output("rel_error_o")},
      sum_private_{board_.output("sum_private_o")}, sum_shared_{board_.output("sum_shared_o")},
      sum_headroom_{board_.output("sum_headroom_o")}, rd_row_{board_.output("rd_row_o")};
  const Scoreboard::Point from_headroom_{board_.point("release of headroom alone")},
      from_shared_{board_.point("release as far as shared")},
      from_all_{board_.point("release of all three segments")},
      overdrawn_{board_.point("release of more than the PG holds")},
      both_{board_.point("release and arrival at one PG in one cycle")},
      after_previous_{board_.point("row of the step before")},
      after_last_{board_.point("after a charge of the last lane")},
      after_older_{board_.point("row of the step before that")},
      from_memory_{board_.point("row of the memory")}, refused_{board_.point("refused")},
      split_{board_.point("to private and to shared")}, to_headroom_{board_.point("to headroom")},
      pool_full_{board_.point("pool full")};
};

constexpr Shape one_port{1, 1, 1, 8, 8, 0}, three_ports{3, 4, 2, 10, 5, 2},
    five_ports{5, 2, 3, 24, 14, 3}, eight_lanes{2, 8, 2, 17, 8, 0};

/// The first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model, const Shape& shape>
std::string complaints(std::uint64_t cycles) {
  RandomStream random{lockstep_first_round() + 1, "ingress_accounting", shape.ports};
  IngressLockstep<Model, shape> lockstep{random};
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

TEST(IngressAccountingLockstep, OnePortOneLaneAndTheNarrowestCounts) {
  EXPECT_EQ((complaints<Vingress_1, one_port>(200'000)), "");
}
TEST(IngressAccountingLockstep, FourLanesTwoPoolsAndALag) {
  EXPECT_EQ((complaints<Vingress_3, three_ports>(100'000)), "");
}
TEST(IngressAccountingLockstep, TwoLanesThreePoolsAndTheWidestCounts) {
  EXPECT_EQ((complaints<Vingress_5, five_ports>(100'000)), "");
}
TEST(IngressAccountingLockstep, EightLanes) {
  EXPECT_EQ((complaints<Vingress_8, eight_lanes>(50'000)), "");
}

}  // namespace
}  // namespace weir::test
