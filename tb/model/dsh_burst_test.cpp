// SPDX-License-Identifier: Apache-2.0
// The measurement of the DSH paper on a Tomahawk [DSH]: the largest 16-to-1 burst that pauses none
// of its senders, as a share of the buffer, with headroom inside the shared segment and with static
// headroom. No parameter is fitted: the chip is the paper's, the rules are those of
// docs/blocks/sharing_policy.md.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <string>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::dsh_burst_test {
namespace {

constexpr std::uint64_t buffer = 16ULL << 20;
constexpr std::uint64_t senders = 16, frame = 1500;

// Counts PAUSE frames to the senders of the burst.
class Pauses final : public Observer {
 public:
  std::uint64_t any{0};

  void pfc_sent(const std::string& node, PortId port, const PfcFrame& sent, Picoseconds) override {
    if (node != "tor" || port.count() >= senders) return;
    bool pauses = false;
    for (const Quanta time : sent.time) pauses = pauses || time.count() != 0;
    if (pauses) ++any;
  }
};

// Whether a burst of `frames` a sender pauses one of them.
bool pauses(const std::string& policy, std::uint64_t frames) {
  const std::string answer = run_in_child([&] {
    const Scenario scenario =
        load_scenario("vectors/scenarios/burst_star20_dsh_tomahawk.toml",
                      {"switch.tor.profile.lossless.policy=" + policy,
                       "traffic.burst.burst=" + std::to_string(frames * frame) + " B"});
    Network network{scenario};
    Pauses seen;
    network.watch(seen);
    network.run_until(scenario.until);
    network.finish();
    return std::to_string(seen.any);
  });
  return answer != "0";
}

// Bytes of the largest burst of all senders that pauses none.
std::uint64_t largest_burst(const std::string& policy) {
  std::uint64_t good = 1, bad = buffer / senders / frame;
  EXPECT_FALSE(pauses(policy, good)) << policy << ": one frame a sender";
  EXPECT_TRUE(pauses(policy, bad)) << policy << ": a burst as large as the buffer";
  while (good + 1 < bad) {
    const std::uint64_t middle = (good + bad) / 2;
    (pauses(policy, middle) ? bad : good) = middle;
  }
  return good * frame * senders;
}

TEST(DshBurst, PausesAreDelayedAsFarAsThePaperSays) {
  const std::uint64_t dsh = largest_burst("dsh"), fixed = largest_burst("dynamic");
  std::cout << "largest burst without a pause: dsh " << dsh << " B, static headroom " << fixed
            << " B, of " << buffer << " B\n";
  EXPECT_GE(dsh * 100, buffer * 37) << "the paper: 37 to 42 % of the buffer";
  EXPECT_LE(dsh * 100, buffer * 42) << "the paper: 37 to 42 % of the buffer";
  EXPECT_GE(fixed * 100, buffer * 8) << "the paper: 8 to 11 % of the buffer";
  EXPECT_LE(fixed * 100, buffer * 11) << "the paper: 8 to 11 % of the buffer";
  EXPECT_GE(dsh * 10, fixed * 36) << "the paper: 3.6 to 4.9 times as much";
  EXPECT_LE(dsh * 10, fixed * 49) << "the paper: 3.6 to 4.9 times as much";
}

}  // namespace
}  // namespace weir::dsh_burst_test
