// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/dcqcn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "weir/core/bits.hpp"
#include "weir/core/random.hpp"

namespace weir::dcqcn_test {
namespace {

constexpr BitRate line{40'000'000'000};
constexpr Picoseconds us(std::uint64_t n) { return Picoseconds{n * 1'000'000}; }
constexpr Picoseconds ps(std::uint64_t n) { return Picoseconds{n}; }
constexpr BitRate mbps(std::uint64_t n) { return BitRate{n * 1'000'000}; }
constexpr Bytes packet{1000};

DcqcnSettings without_timers() {
  DcqcnSettings settings;
  settings.increase_time = us(1'000'000);
  return settings;
}

TEST(DcqcnRate, StartsAtTheLineRateAndStaysThereWithoutACnp) {
  const DcqcnSettings settings;
  DcqcnRate rate{settings, line};
  for (std::uint64_t n = 0; n < 30'000; ++n)
    ASSERT_EQ(rate.sent(packet, us(n)), us(n) + ps(200'000)) << "1000 B at 40G take 200 ns";
  EXPECT_EQ(rate.rate(us(30'000)), line);
  EXPECT_EQ(rate.alpha(us(30'000)), DcqcnSettings::whole);
  EXPECT_EQ(rate.cnps(), 0U);
}

TEST(DcqcnRate, TheFirstCnpHalvesTheRateAndKeepsTheOldOneAsTarget) {
  const DcqcnSettings settings;
  DcqcnRate rate{settings, line};
  rate.notified(us(7));
  EXPECT_EQ(rate.rate(us(7)), mbps(20'000));
  EXPECT_EQ(rate.target(us(7)), line);
  EXPECT_EQ(rate.alpha(us(7)), DcqcnSettings::whole) << "(1 - g) 1 + g";
  rate.notified(us(8));
  EXPECT_EQ(rate.rate(us(8)), mbps(10'000));
  EXPECT_EQ(rate.target(us(8)), mbps(20'000));
}

TEST(DcqcnRate, AlphaFallsByGEveryKWithoutACnpAndAFurtherCnpUsesIt) {
  const DcqcnSettings settings = without_timers();
  DcqcnRate rate{settings, line};
  rate.notified(us(100));
  EXPECT_EQ(rate.alpha(us(155) - ps(1)), DcqcnSettings::whole);
  EXPECT_EQ(rate.alpha(us(155)), DcqcnSettings::whole / 256 * 255);
  EXPECT_EQ(rate.alpha(us(210) - ps(1)), DcqcnSettings::whole / 256 * 255);
  EXPECT_EQ(rate.alpha(us(210)), 4'261'478'400U) << "2^32 (255 / 256)^2";
  rate.notified(us(210));
  EXPECT_EQ(rate.rate(us(210)), BitRate{10'077'972'412}) << "20 Gb/s (1 - alpha / 2), rounded down";
  EXPECT_EQ(rate.alpha(us(210)), 4'261'609'216U) << "255 / 256 of 4261478400, and 2^24";
  EXPECT_EQ(rate.alpha(us(265) - ps(1)), 4'261'609'216U) << "K begins again";
  EXPECT_LT(rate.alpha(us(265)), 4'261'609'216U);
}

struct Step {
  std::uint64_t at_us;
  std::uint64_t current, target;  // bit/s
};

// Two CNPs at 0 leave 10 Gb/s and a target of 20 Gb/s.
void expect_steps(const DcqcnSettings& settings, const std::vector<Step>& steps) {
  DcqcnRate rate{settings, line};
  rate.notified(us(0));
  rate.notified(us(0));
  for (const Step& step : steps) {
    const Picoseconds at = us(step.at_us);
    EXPECT_EQ(rate.rate(at), BitRate{step.current}) << step.at_us << " us";
    EXPECT_EQ(rate.target(at), BitRate{step.target}) << step.at_us << " us";
  }
}

TEST(DcqcnRate, FastRecoveryHalvesTheDistanceFourTimesAndTheFifthIncreaseMovesTheTarget) {
  expect_steps({}, {{54, 10'000'000'000, 20'000'000'000},
                    {55, 15'000'000'000, 20'000'000'000},
                    {109, 15'000'000'000, 20'000'000'000},
                    {110, 17'500'000'000, 20'000'000'000},
                    {165, 18'750'000'000, 20'000'000'000},
                    {220, 19'375'000'000, 20'000'000'000},
                    {275, 19'707'500'000, 20'040'000'000},
                    {330, 19'893'750'000, 20'080'000'000}});
}

TEST(DcqcnRate, WithoutFastRecoveryTheFirstIncreaseIsAdditive) {
  DcqcnSettings settings;
  settings.fast_recovery = 1;
  expect_steps(settings, {{55, 15'020'000'000, 20'040'000'000}});
}

TEST(DcqcnRate, NeitherRateExceedsTheLineAndTheCurrentRateReachesIt) {
  DcqcnSettings settings;
  settings.additive_rate = mbps(15'000);
  expect_steps(settings, {{275, 27'187'500'000, 35'000'000'000},
                          {330, 33'593'750'000, 40'000'000'000},
                          {385, 36'796'875'000, 40'000'000'000},
                          {55 * 200, 40'000'000'000, 40'000'000'000}});
}

TEST(DcqcnRate, TheRateIsNeverBelowTheMinimum) {
  const DcqcnSettings settings = without_timers();
  DcqcnRate rate{settings, line};
  for (int n = 0; n < 11; ++n) rate.notified(us(0));
  EXPECT_EQ(rate.rate(us(0)), BitRate{19'531'250}) << "40 Gb/s by 2^11";
  rate.notified(us(0));
  EXPECT_EQ(rate.rate(us(0)), mbps(10)) << "not 9,765,625";
  EXPECT_EQ(rate.target(us(0)), BitRate{19'531'250});
  rate.notified(us(0));
  EXPECT_EQ(rate.rate(us(0)), mbps(10));
  EXPECT_EQ(rate.target(us(0)), mbps(10));
}

TEST(DcqcnRate, BytesCountFromTheCnpOnAndEachBOfThemIsAnIncrease) {
  DcqcnSettings settings = without_timers();
  settings.increase_bytes = Bytes{3000};
  DcqcnRate rate{settings, line};
  (void)rate.sent(packet, us(0));
  (void)rate.sent(packet, us(0));
  rate.notified(us(0));
  (void)rate.sent(packet, us(0));
  (void)rate.sent(packet, us(0));
  EXPECT_EQ(rate.rate(us(0)), mbps(20'000)) << "two since the CNP";
  EXPECT_EQ(rate.sent(packet, us(0)), ps(266'667)) << "1000 B at the new 30 Gb/s, rounded up";
  EXPECT_EQ(rate.rate(us(0)), mbps(30'000));
  (void)rate.sent(packet, us(0));
  rate.notified(us(0));
  (void)rate.sent(packet, us(0));
  (void)rate.sent(packet, us(0));
  EXPECT_EQ(rate.rate(us(0)), mbps(15'000)) << "the counter started again";
}

TEST(DcqcnRate, APacketOfSeveralBIsAsManyIncreases) {
  DcqcnSettings settings = without_timers();
  settings.increase_bytes = Bytes{500};
  DcqcnRate rate{settings, line};
  rate.notified(us(0));
  (void)rate.sent(packet, us(0));
  EXPECT_EQ(rate.rate(us(0)), mbps(35'000));
}

// R_T rises by R_HAI (min(T, BC) - F) where both counts are above F, else by R_AI.
TEST(DcqcnRate, HyperIncreaseNeedsBothCountsAboveFAndGrowsWithTheSmaller) {
  DcqcnSettings settings;
  settings.increase_bytes = packet;
  DcqcnRate rate{settings, line};
  rate.notified(us(0));
  rate.notified(us(0));
  EXPECT_EQ(rate.target(us(55 * 7)), mbps(20'120)) << "T = 7: three additive increases";
  const Picoseconds now = us(55 * 7);
  std::uint64_t target = 20'120;
  for (int count = 1; count <= 5; ++count) {
    (void)rate.sent(packet, now);
    EXPECT_EQ(rate.target(now), mbps(target += 40)) << "BC = " << count;
  }
  (void)rate.sent(packet, now);
  EXPECT_EQ(rate.target(now), mbps(target += 400)) << "BC = 6: 1 x R_HAI";
  (void)rate.sent(packet, now);
  EXPECT_EQ(rate.target(now), mbps(target += 800)) << "BC = 7: 2 x R_HAI";
  (void)rate.sent(packet, now);
  EXPECT_EQ(rate.target(now), mbps(target += 800)) << "BC = 8, T = 7";
}

TEST(DcqcnRate, ACnpStartsBothCountsAgain) {
  DcqcnSettings settings;
  settings.increase_bytes = packet;
  DcqcnRate rate{settings, line};
  rate.notified(us(0));
  for (int n = 0; n < 10; ++n) (void)rate.sent(packet, us(550));
  rate.notified(us(551));
  const BitRate target = rate.target(us(551));
  EXPECT_EQ(rate.target(us(551 + 4 * 55)), target) << "fast recovery";
  EXPECT_NE(rate.target(us(551 + 5 * 55)), target + mbps(400)) << "no hyper increase";
}

TEST(DcqcnRate, TheTimerFiresBeforeACnpAndAPacketOfItsMoment) {
  const DcqcnSettings settings;
  DcqcnRate rate{settings, line};
  rate.notified(us(0));
  DcqcnRate sender = rate;
  rate.notified(us(55));
  EXPECT_EQ(rate.target(us(55)), mbps(30'000));
  EXPECT_EQ(sender.sent(packet, us(55)), us(55) + ps(266'667)) << "at 30 Gb/s";
}

TEST(DcqcnRate, AMinimumAboveTheLineIsTheLine) {
  DcqcnSettings settings;
  settings.min_rate = mbps(100'000);
  DcqcnRate rate{settings, line};
  rate.notified(us(0));
  EXPECT_EQ(rate.rate(us(0)), line);
}

TEST(DcqcnNotifier, MakesACnpAtOnceAndTheNextNotBeforeTheInterval) {
  DcqcnNotifier notifier;
  EXPECT_TRUE(notifier.marked(us(0), us(50)));
  EXPECT_FALSE(notifier.marked(us(0), us(50)));
  EXPECT_FALSE(notifier.marked(us(50) - ps(1), us(50)));
  EXPECT_TRUE(notifier.marked(us(50), us(50)));
  EXPECT_TRUE(notifier.marked(us(170), us(50)));
  EXPECT_FALSE(notifier.marked(us(219), us(50))) << "it counts from the last one";
  EXPECT_TRUE(notifier.marked(us(220), us(50)));
}

TEST(DcqcnPresets, TheFirstIsThePapersAndAllNamesAndSourcesAreThere) {
  EXPECT_EQ(dcqcn_presets().front().name, "paper");
  std::set<std::string_view> names;
  for (const DcqcnPreset& preset : dcqcn_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_EQ(preset.source.front(), '[') << preset.name << " has a source of references.md";
  }
}

// The same rules with timers that fire, each in its moment: an independent second form.
class EagerRate {
 public:
  EagerRate(const DcqcnSettings& settings, BitRate line_rate)
      : s_{settings}, line_{line_rate.count()}, current_{line_}, target_{line_} {}

  void advance(std::uint64_t now) {
    while (running_ && std::min(alpha_at_, increase_at_) <= now) {
      if (alpha_at_ <= increase_at_) {
        alpha_ = alpha_ * (DcqcnSettings::whole - s_.g) / DcqcnSettings::whole;  // fits 64 bits
        alpha_at_ += s_.alpha_time.count();
      } else {
        ++t_;
        increase_at_ += s_.increase_time.count();
        increase();
      }
    }
  }
  void notified(std::uint64_t now) {
    advance(now);
    target_ = current_;
    current_ = static_cast<std::uint64_t>(
        (Wide{current_} * 2 * DcqcnSettings::whole - Wide{current_} * alpha_) /
        (2 * DcqcnSettings::whole));
    current_ = std::max(current_, s_.min_rate.count());
    alpha_ = alpha_ * (DcqcnSettings::whole - s_.g) / DcqcnSettings::whole + s_.g;
    alpha_at_ = now + s_.alpha_time.count();
    increase_at_ = now + s_.increase_time.count();
    bytes_ = t_ = bc_ = 0;
    running_ = true;
  }
  void sent(std::uint64_t wire, std::uint64_t now) {
    advance(now);
    if (!running_) return;
    for (bytes_ += wire; s_.increase_bytes.count() <= bytes_; bytes_ -= s_.increase_bytes.count()) {
      ++bc_;
      increase();
    }
  }
  [[nodiscard]] std::uint64_t current() const { return current_; }
  [[nodiscard]] std::uint64_t target() const { return target_; }
  [[nodiscard]] std::uint64_t alpha() const { return alpha_; }

 private:
  void increase() {
    if (std::min(t_, bc_) > s_.fast_recovery)
      target_ += (std::min(t_, bc_) - s_.fast_recovery) * s_.hyper_rate.count();
    else if (std::max(t_, bc_) >= s_.fast_recovery)
      target_ += s_.additive_rate.count();
    target_ = std::min(target_, line_);
    current_ = (target_ + current_ + 1) / 2;
  }

  DcqcnSettings s_;
  std::uint64_t line_, current_, target_, alpha_{DcqcnSettings::whole};
  std::uint64_t alpha_at_{0}, increase_at_{0}, bytes_{0}, t_{0}, bc_{0};
  bool running_{false};
};

DcqcnSettings random_settings(RandomStream& draws) {
  DcqcnSettings settings;
  settings.g = DcqcnSettings::whole / (1 + draws.uniform(1024));
  settings.alpha_time = ps(1 + draws.uniform(100'000'000));
  settings.increase_time = ps(1'000'000 + draws.uniform(400'000'000));
  settings.increase_bytes = Bytes{500 + draws.uniform(200'000)};
  settings.fast_recovery = static_cast<std::uint32_t>(1 + draws.uniform(7));
  settings.additive_rate = BitRate{1 + draws.uniform(200'000'000)};
  settings.hyper_rate = BitRate{1 + draws.uniform(2'000'000'000)};
  settings.min_rate = BitRate{1'000'000 + draws.uniform(100'000'000)};
  return settings;
}

// Packets at the pace of the rate, CNPs in bursts and long silences, rates looked at now and then.
TEST(DcqcnRate, LooksAtTimersLateWithTheResultOfTimersThatFire) {
  std::uint64_t compared = 0, below_line = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream draws{seed, "dcqcn"};
    const DcqcnSettings settings = random_settings(draws);
    DcqcnRate lazy{settings, line};
    EagerRate eager{settings, line};
    std::uint64_t next_packet = 0, next_cnp = draws.uniform(1'000'000'000);
    for (int n = 0; n < 400; ++n) {
      const std::uint64_t now = std::min(next_packet, next_cnp);
      if (next_cnp <= next_packet) {
        lazy.notified(ps(now));
        eager.notified(now);
        next_cnp = now + (draws.uniform(4) != 0 ? draws.uniform(60'000'000)
                                                : draws.uniform(20'000'000'000));
      } else {
        const std::uint64_t wire = 84 + draws.uniform(9'000);
        next_packet = lazy.sent(Bytes{wire}, ps(now)).count();
        eager.sent(wire, now);
        if (draws.uniform(20) == 0) next_packet += draws.uniform(5'000'000'000);
      }
      ++compared;
      if (eager.current() < line.count()) ++below_line;
      ASSERT_EQ(lazy.rate(ps(now)).count(), eager.current()) << "seed " << seed << ", step " << n;
      ASSERT_EQ(lazy.target(ps(now)).count(), eager.target()) << "seed " << seed << ", step " << n;
      ASSERT_EQ(lazy.alpha(ps(now)), eager.alpha()) << "seed " << seed << ", step " << n;
    }
  }
  EXPECT_EQ(compared, 80'000U);
  EXPECT_GT(below_line, compared / 2) << "most of what is compared is in a control's range";
}

}  // namespace
}  // namespace weir::dcqcn_test
