// SPDX-License-Identifier: Apache-2.0
// S saturated queues each hold alpha*B/(1 + alpha*S), and B/(1 + alpha*S) stay unused. Checked on
// the running model, with queues that drain and hosts that are paused and resumed by XOFF and XON.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "support/closed_loop_hosts.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::dt_steady_state_test {
namespace {

using test::ClosedLoopHosts;
using test::DynamicThresholdBench;

constexpr std::uint64_t pool = 12'000;  // cells of 100 B

// Records the queues when the first of them goes XOFF after `from`.
class FirstXoffAfter final : public ClosedLoopHosts {
 public:
  FirstXoffAfter(Network& network, const DynamicThresholdBench& bench, Picoseconds from)
      : ClosedLoopHosts{network, bench},
        agenda_{network.agenda()},
        from_{from},
        senders_{bench.senders.size()} {}

  std::vector<std::uint64_t> held;  // shared cells by queue
  std::uint64_t unused{0};

 private:
  void at_xoff(std::size_t) override {
    if (agenda_.now() < from_ || !held.empty()) return;
    for (std::size_t i = 0; i < senders_; ++i) held.push_back(shared(i));
    unused = pool - shared_of_all();
  }

  Agenda& agenda_;
  const Picoseconds from_;
  const std::size_t senders_;
};

// Unused cells and then the cells of each queue, in a steady state that the queues reach one after
// the other: the first is at its threshold before the last begins.
std::vector<std::uint64_t> steady_state(Alpha alpha, std::size_t queues) {
  const std::string text = run_in_child([&] {
    constexpr Picoseconds apart{200'000'000}, settled{5'000'000'000};
    DynamicThresholdBench bench{alpha, Cells{pool}, {}};
    for (std::size_t i = 0; i < queues; ++i) bench.senders.push_back({apart * i, Picoseconds{0}});
    Network network{bench.scenario(settled + apart)};
    FirstXoffAfter hosts{network, bench, settled};
    network.run_until(network.scenario().until);
    std::ostringstream out;
    out << hosts.unused;
    for (const std::uint64_t cells : hosts.held) out << ' ' << cells;
    return out.str();
  });
  std::istringstream in{text};
  std::vector<std::uint64_t> figures;
  for (std::uint64_t figure = 0; in >> figure;) figures.push_back(figure);
  return figures;
}

// |cells - n/d| <= bound, in integers.
::testing::AssertionResult within(std::uint64_t cells, std::uint64_t n, std::uint64_t d,
                                  std::uint64_t bound) {
  const auto difference = static_cast<std::int64_t>(cells * d) - static_cast<std::int64_t>(n);
  if (std::llabs(difference) <= static_cast<std::int64_t>(bound * d))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << cells << " cells, not " << n << "/" << d << " = " << n / d;
}

void expect_shares(Alpha alpha, std::size_t queues) {
  SCOPED_TRACE("alpha " + std::to_string(alpha.numerator) + "/2^" + std::to_string(alpha.shift) +
               ", " + std::to_string(queues) + " queues");
  const std::vector<std::uint64_t> figures = steady_state(alpha, queues);
  ASSERT_EQ(figures.size(), queues + 1) << "no XOFF in the steady state";
  // With alpha = a/2^k: share = a B / (2^k + a S), unused = 2^k B / (2^k + a S).
  const std::uint64_t one = std::uint64_t{1} << alpha.shift;
  const std::uint64_t divisor = one + alpha.numerator * queues;
  // One packet of any queue moves T by alpha packets, so a queue gets that close to T, at best one
  // packet.
  const std::uint64_t step = std::max<std::uint64_t>(1, alpha.numerator / one);
  for (std::size_t i = 0; i < queues; ++i)
    EXPECT_TRUE(within(figures[1 + i], alpha.numerator * pool, divisor, step)) << "queue " << i;
  EXPECT_TRUE(within(figures[0], one * pool, divisor, queues)) << "unused: one packet a queue";
}

TEST(DtSteadyState, OneQueueTakesItsShareAndLeavesTheRest) {
  for (const Alpha alpha : {Alpha{1, 4}, Alpha{1, 3}, Alpha{1, 1}, Alpha{1, 0}, Alpha{2, 0}})
    expect_shares(alpha, 1);
}

TEST(DtSteadyState, QueuesThatCameOneAfterTheOtherEndWithEqualShares) {
  for (const std::size_t queues : {2, 4, 16}) expect_shares(Alpha{1, 0}, queues);
}

TEST(DtSteadyState, ASmallAlphaLeavesMoreUnused) {
  for (const std::size_t queues : {2, 8}) expect_shares(Alpha{1, 3}, queues);
}

TEST(DtSteadyState, ALargeAlphaLeavesLittleUnused) {
  for (const std::size_t queues : {2, 8}) expect_shares(Alpha{8, 0}, queues);
}

}  // namespace
}  // namespace weir::dt_steady_state_test
