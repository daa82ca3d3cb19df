// SPDX-License-Identifier: Apache-2.0
// The MMU core against the ledger on random chips and random legal traces.
// RC_PARAMS="max_success=5000 seed=7" in the environment runs more tests, or others.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "support/random_chip.hpp"
#include "support/side_by_side.hpp"

namespace weir::test::mmu_property_test {
namespace {

constexpr int longest_trace = 500;
constexpr std::size_t chips_a_pair = 12;  // so that a draw of all of them leaves no pair out

// The same chips and traces every time, unless the environment asks for others.
class MmuProperty : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::size_t chips = std::max<std::size_t>(600, chips_a_pair * policy_pairs().size());
    setenv("RC_PARAMS", ("max_success=" + std::to_string(chips) + " seed=20260").c_str(), 0);
  }
};

// Turns raw steps into legal ones: an arrival at some PG, or the release of a held copy.
class Player {
 public:
  Player(const Chip& chip, std::uint32_t arrivals_percent, bool mixed, Coverage& coverage)
      : chip_{chip}, arrivals_percent_{arrivals_percent}, mixed_{mixed}, pair_{chip, coverage} {}

  void play(const RawStep& step) {
    now_ += Cycle{step.cycles};
    if (step.action < arrivals_percent_ || pair_.held().empty()) {
      arrive(step);
    } else {
      const std::size_t packet = step.size % pair_.held().size();
      pair_.release(packet, step.queue % pair_.held()[packet].queues.size(), now_);
    }
  }
  std::uint64_t finish() {
    now_ += Cycle{1};
    pair_.drain(now_);
    return pair_.compared();
  }

 private:
  void arrive(const RawStep& step) {
    // Few PGs, so that they fill; small frames as often as all sizes.
    const PgIndex pg{step.pg % std::min<std::size_t>(chip_.profile_of_pg.size(), 12)};
    const std::uint64_t shortest = 64;
    const std::uint64_t longest =
        step.size % 3 == 0 ? std::min<std::uint64_t>(chip_.mtu.count(), 600) : chip_.mtu.count();
    const Bytes length{shortest + step.size / 3 % (longest - shortest + 1)};
    pair_.arrive(pg, length, queues_of(step, pg), now_);
  }

  // Lossless packets go to unlimited queues, lossy ones anywhere, unless the chip is `mixed`.
  std::vector<QueueIndex> queues_of(const RawStep& step, PgIndex pg) const {
    const bool lossless = chip_.profiles[*chip_.profile_of_pg[pg]].lossless;
    std::vector<QueueIndex> queues;
    for (std::size_t copy = 0; copy <= (step.copies < 3 ? 0 : step.copies - 2); ++copy) {
      QueueIndex queue{(step.queue + copy * 3) % chip_.profile_of_queue.size()};
      if (lossless && !mixed_ && chip_.profile_of_queue[queue])
        queue = QueueIndex{queue.value() & ~std::size_t{4}};
      if (std::find(queues.begin(), queues.end(), queue) == queues.end()) queues.push_back(queue);
    }
    return queues;
  }

  Chip chip_;
  std::uint32_t arrivals_percent_;
  bool mixed_;
  SideBySide pair_;
  Cycle now_{0};
};

void print(const Coverage& coverage) {
  for (const auto& [what, times] : coverage) std::cout << "  " << what << ": " << times << "\n";
}

void expect_seen(const Coverage& coverage, const std::vector<std::string>& things) {
  for (const std::string& what : things)
    EXPECT_NE(coverage.find(what), coverage.end()) << "no random trace reached: " << what;
}

TEST_F(MmuProperty, AgreesWithTheLedgerAfterEveryStepOfRandomTraces) {
  Coverage coverage;
  std::uint64_t chips = 0, compared = 0;
  const bool held = rc::check("core = ledger", [&] {
    const Chip chip = random_chip();
    const auto percent = *rc::gen::element<std::uint32_t>(50, 60, 75, 90);
    const bool mixed = *rc::gen::element(false, false, false, true);
    Player player{chip, percent, mixed, coverage};
    for (const RawStep& step : random_trace(longest_trace)) player.play(step);
    compared += player.finish();
    ++chips;
    ++coverage["lag " + std::to_string(chip.threshold_lag)];
    for (const Profile& ingress : chip.profiles)
      for (const QueueProfile& egress : chip.queue_profiles)
        ++coverage["pair " + std::string{to_string(ingress.threshold.policy)} + " + " +
                   std::string{to_string(egress.threshold.policy)}];
  });
  EXPECT_TRUE(held) << "core and ledger differ, or an invariant broke: see the trace above";
  std::cout << "compared " << compared << " steps of " << chips << " chips\n";
  print(coverage);
  EXPECT_GE(chips, 100U) << "too few chips to mean anything";
  EXPECT_GT(compared, 10'000U) << "too few steps to mean anything";

  for (std::size_t reason = 0; reason < step_reasons; ++reason)
    expect_seen(coverage, {"reason " + std::string(to_string(static_cast<Reason>(reason)))});
  expect_seen(coverage, {"placed private ",
                         "placed shared ",
                         "placed headroom",
                         "placed private shared ",
                         "placed private headroom",
                         "XOFF on_crossing",
                         "XOFF on_headroom",
                         "XON on release",
                         "XON on arrival",
                         "refusal at an empty lossless PG",
                         "drop that XOFF must precede",
                         "multicast with several copies",
                         "copy left before the last",
                         "lag 0",
                         "lag 1",
                         "lag 2",
                         "lag 3",
                         "port off",
                         "port on",
                         "T lowered by two_level",
                         "T lowered by dsh",
                         "T lowered by abm",
                         "T raised by edt"});
  for (const PolicyRow& row : policy_table())
    expect_seen(coverage, {"admitted under " + std::string{row.name},
                           "refused under " + std::string{row.name}});
  for (const PolicyPair& pair : policy_pairs())
    expect_seen(coverage, {"pair " + std::string{to_string(pair.ingress)} + " + " +
                           std::string{to_string(pair.egress)}});
}

}  // namespace
}  // namespace weir::test::mmu_property_test
