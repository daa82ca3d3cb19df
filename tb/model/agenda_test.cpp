// SPDX-License-Identifier: Apache-2.0
#include "weir/model/agenda.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "weir/core/errors.hpp"

namespace weir::agenda_test {
namespace {

constexpr std::uint64_t second = 1'000'000'000'000;

struct Done {
  std::uint64_t time;
  std::size_t actor;
  std::uint32_t what;
  std::uint64_t argument;
  friend bool operator==(const Done& a, const Done& b) {
    return std::tie(a.time, a.actor, a.what, a.argument) ==
           std::tie(b.time, b.actor, b.what, b.argument);
  }
};
std::ostream& operator<<(std::ostream& out, const Done& d) {
  return out << d.time << " ps actor " << d.actor << " what " << d.what << " #" << d.argument;
}

class Recorder final : public Actor {
 public:
  Recorder(std::vector<Done>& log, std::size_t number) : log_{log}, number_{number} {}
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override {
    log_.push_back({now.count(), number_, what, argument});
    if (also) also(now);
  }
  std::function<void(Picoseconds)> also;

 private:
  std::vector<Done>& log_;
  std::size_t number_;
};

/// An agenda with four actors that record when they act.
struct Bench {
  std::vector<Done> log;
  std::vector<Recorder> actors;
  std::vector<Agenda::ActorId> ids;
  Agenda agenda{"agenda"};

  Bench() {
    for (std::size_t i = 0; i < 4; ++i) actors.emplace_back(log, i);
    for (Recorder& actor : actors) ids.push_back(agenda.enroll(actor));
  }
  void post(std::uint64_t time, Rank rank, std::size_t actor, std::uint32_t what = 0,
            std::uint64_t argument = 0) {
    agenda.post(Picoseconds{time}, rank, ids[actor], what, argument);
  }
  void run_until(std::uint64_t time) {
    sc_core::sc_start(sc_core::sc_time::from_value(time) - sc_core::sc_time_stamp());
  }
};

TEST(Agenda, RunsByTimeThenRankThenActorThenWhatThenOrderOfPosting) {
  Bench bench;
  bench.post(20, Rank::input, 0);
  bench.post(10, Rank::edge, 0);
  bench.post(10, Rank::input, 3);
  bench.post(10, Rank::input, 1, 7);
  bench.post(10, Rank::input, 1, 5, 1);
  bench.post(10, Rank::input, 1, 5, 0);
  bench.post(10, Rank::output, 0);
  bench.run_until(30);
  const std::vector<Done> expected{{10, 1, 5, 1}, {10, 1, 5, 0}, {10, 1, 7, 0}, {10, 3, 0, 0},
                                   {10, 0, 0, 0}, {10, 0, 0, 0}, {20, 0, 0, 0}};
  EXPECT_EQ(bench.log, expected);
}

TEST(Agenda, APermutationChangesTheOrderOfActorsAndNothingElse) {
  Bench bench;
  bench.agenda.permute_ties(1);
  for (std::size_t actor = 0; actor < 4; ++actor) {
    bench.post(10, Rank::output, actor);
    bench.post(10, Rank::input, actor);
    bench.post(5, Rank::edge, actor);
  }
  bench.run_until(30);
  ASSERT_EQ(bench.log.size(), 12U);
  const std::vector<std::size_t> swapped{1, 0, 3, 2};  // actor xor 1
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(bench.log[i].actor, swapped[i % 4]) << "place " << i;
    EXPECT_EQ(bench.log[i].time, i < 4 ? 5U : 10U) << "time and rank still come first";
  }
}

TEST(Agenda, TasksFarAheadRunAtTheirTime) {
  Bench bench;
  bench.post(second, Rank::input, 0);
  bench.post(8'388'608 - 1, Rank::input, 1);  // the last picosecond of the calendar
  bench.post(8'388'608, Rank::input, 2);      // the first beyond it
  bench.post(8'388'608 + 1024, Rank::input, 3);
  bench.post(1, Rank::input, 0);
  bench.run_until(2 * second);
  const std::vector<Done> expected{{1, 0, 0, 0},
                                   {8'388'607, 1, 0, 0},
                                   {8'388'608, 2, 0, 0},
                                   {8'389'632, 3, 0, 0},
                                   {second, 0, 0, 0}};
  EXPECT_EQ(bench.log, expected);
}

TEST(Agenda, AChainOfTasksGoesRoundTheCalendarManyTimes) {
  Bench bench;
  std::uint64_t left = 5000;
  constexpr std::uint64_t step = 8'388'608 / 5 + 7;
  bench.actors[0].also = [&](Picoseconds now) {
    if (--left != 0) bench.post(now.count() + step, Rank::input, 0);
  };
  bench.post(step, Rank::input, 0);
  bench.run_until(5001 * step);
  ASSERT_EQ(bench.log.size(), 5000U);
  for (std::size_t i = 0; i < 5000; ++i)
    ASSERT_EQ(bench.log[i].time, (i + 1) * step) << "task " << i;
}

TEST(Agenda, PostingIntoThePastThrowsAndIntoThePresentDoesNot) {
  Bench bench;
  bool past_refused = false;
  bench.actors[0].also = [&](Picoseconds now) {
    bench.actors[0].also = nullptr;
    EXPECT_THROW(bench.post(now.count() - 1, Rank::edge, 1), ModelError);
    past_refused = true;
    bench.post(now.count(), Rank::input, 2);
  };
  bench.post(100, Rank::output, 0);
  bench.run_until(1000);
  EXPECT_TRUE(past_refused);
  ASSERT_EQ(bench.log.size(), 2U);
  EXPECT_EQ(bench.log[1], (Done{100, 2, 0, 0}));
  EXPECT_THROW(bench.post(999, Rank::input, 0), ModelError) << "the kernel is at 1000";
  EXPECT_EQ(bench.agenda.now(), Picoseconds{1000});
}

TEST(Agenda, RunsAheadOfTheKernelAsFarAsAllowedAndNoFurther) {
  Bench bench;
  bench.agenda.limit_lookahead(Picoseconds{50});
  bench.agenda.limit_lookahead(Picoseconds{70});
  std::vector<std::uint64_t> ahead;
  for (Recorder& actor : bench.actors)
    actor.also = [&](Picoseconds) { ahead.push_back(bench.agenda.ahead_of_kernel().value()); };
  bench.post(100, Rank::input, 0);
  bench.post(150, Rank::input, 1);  // 50 ps later: in the same wake-up
  bench.post(151, Rank::input, 2);  // 51 ps later: not
  bench.run_until(1000);
  EXPECT_EQ(ahead, (std::vector<std::uint64_t>{0, 50, 0}));
  EXPECT_EQ(bench.agenda.wake_ups(), 2U);
}

TEST(Agenda, NothingRunsAtTheEndOrAfterIt) {
  Bench bench;
  bench.agenda.stop_at(Picoseconds{200});
  bench.post(199, Rank::edge, 0);
  bench.post(200, Rank::input, 1);
  bench.run_until(1000);
  ASSERT_EQ(bench.log.size(), 1U);
  EXPECT_EQ(bench.log[0].time, 199U);
}

TEST(Agenda, CatchingUpRunsWhatIsDueNowAndNothingLater) {
  Bench bench;
  bench.agenda.limit_lookahead(Picoseconds{0});
  bench.post(500, Rank::edge, 0);
  bench.post(501, Rank::input, 1);
  bench.run_until(500);  // the kernel stops before the events at that time
  bench.agenda.catch_up();
  ASSERT_EQ(bench.log.size(), 1U);
  EXPECT_EQ(bench.log[0].time, 500U);
  bench.run_until(502);
  EXPECT_EQ(bench.log.size(), 2U);
}

TEST(Agenda, IdleTimeCostsNoWakeUp) {
  Bench bench;
  bench.post(10, Rank::input, 0);
  bench.post(3 * second, Rank::input, 0);
  bench.run_until(4 * second);
  EXPECT_EQ(bench.log.size(), 2U);
  EXPECT_LE(bench.agenda.wake_ups(), 3U);
}

// Tasks that follow each other without an end: 1 ps apart, as those of a monitor may be.
TEST(Agenda, AnInterruptedRunEndsWithinAFewThousandTasks) {
  Bench bench;
  std::uint64_t asked_at = 0;
  bench.agenda.interrupt_when([&] {
    asked_at = bench.agenda.tasks_run();
    return 100'000 < asked_at;
  });
  bench.actors[0].also = [&](Picoseconds now) { bench.post(now.count() + 1, Rank::input, 0); };
  bench.post(1, Rank::input, 0);
  EXPECT_FALSE(bench.agenda.interrupted_at());
  bench.run_until(second);
  ASSERT_TRUE(bench.agenda.interrupted_at());
  EXPECT_EQ(bench.agenda.interrupted_at()->count(), bench.agenda.tasks_run() + 1)
      << "the task of that moment has not run";
  EXPECT_LT(bench.agenda.tasks_run(), 120'000U);
  const std::uint64_t tasks = bench.agenda.tasks_run();
  bench.run_until(2 * second);
  EXPECT_EQ(bench.agenda.tasks_run(), tasks) << "it stays so";
}

struct Post {
  std::uint64_t delay;
  unsigned rank, actor;
  std::uint32_t what;
};

// One simulation for all cases: each continues where the previous one ended.
TEST(Agenda, AgreesWithASortedListOnRandomPosts) {
  Bench bench;
  std::size_t compared = 0;
  const auto delay = rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(0, 30),
                                    rc::gen::inRange<std::uint64_t>(0, 20'000),
                                    rc::gen::inRange<std::uint64_t>(8'380'000, 8'400'000),
                                    rc::gen::inRange<std::uint64_t>(0, 40'000'000));
  const auto post = rc::gen::build<Post>(
      rc::gen::set(&Post::delay, delay), rc::gen::set(&Post::rank, rc::gen::inRange(0U, 3U)),
      rc::gen::set(&Post::actor, rc::gen::inRange(0U, 4U)),
      rc::gen::set(&Post::what, rc::gen::inRange<std::uint32_t>(0, 3)));
  const bool held = rc::check("the order of a sorted list", [&] {
    const auto posts = *rc::gen::container<std::vector<Post>>(post);
    const std::uint64_t base = sc_core::sc_time_stamp().value() + 1;
    std::vector<std::tuple<std::uint64_t, unsigned, unsigned, std::uint32_t, std::size_t>> sorted;
    bench.log.clear();
    for (std::size_t i = 0; i < posts.size(); ++i) {
      const Post& p = posts[i];
      bench.post(base + p.delay, static_cast<Rank>(p.rank), p.actor, p.what, i);
      sorted.emplace_back(base + p.delay, p.rank, p.actor, p.what, i);
    }
    std::sort(sorted.begin(), sorted.end());
    bench.run_until(base + 50'000'000);
    RC_ASSERT(bench.log.size() == sorted.size());
    for (std::size_t i = 0; i < sorted.size(); ++i, ++compared)
      RC_ASSERT(bench.log[i].argument == std::get<4>(sorted[i]));
  });
  EXPECT_TRUE(held);
  EXPECT_GT(compared, 1000U) << "nothing was compared";
}

TEST(Agenda, RunsBeforeAHorizonWithoutTheKernelAndSaysWhatIsNext) {
  Bench bench;
  bench.post(100, Rank::input, 0);
  bench.post(200, Rank::input, 1);
  bench.post(8 * second, Rank::input, 2);
  EXPECT_EQ(bench.agenda.next(), Picoseconds{100});
  bench.agenda.run_before(Picoseconds{200});
  EXPECT_EQ(bench.log, (std::vector<Done>{{100, 0, 0, 0}})) << "what is due at the horizon waits";
  EXPECT_EQ(bench.agenda.next(), Picoseconds{200});
  bench.post(150, Rank::input, 3);
  bench.agenda.run_before(Picoseconds{201});
  EXPECT_EQ(bench.log.back(), (Done{200, 1, 0, 0}));
  EXPECT_EQ(bench.log.size(), 3U);
  EXPECT_EQ(bench.agenda.next(), Picoseconds{8 * second}) << "far beyond the calendar";
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

TEST(Agenda, ASilencedActorDoesNothing) {
  Bench bench;
  bench.post(100, Rank::input, 0);
  bench.post(100, Rank::input, 1);
  bench.agenda.silence(bench.ids[0]);
  bench.post(200, Rank::input, 0);
  bench.agenda.run_before(Picoseconds{300});
  EXPECT_EQ(bench.log, (std::vector<Done>{{100, 1, 0, 0}}));
  EXPECT_EQ(bench.agenda.next(), std::nullopt);
}

}  // namespace
}  // namespace weir::agenda_test
