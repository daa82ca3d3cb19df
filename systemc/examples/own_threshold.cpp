// SPDX-License-Identifier: Apache-2.0
// A threshold rule of your own in a running network, in the place of the built-in block.
// Explained in docs/guide/custom-module.md.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace mine {

/// T = alpha x (B - S) as configured, but never more than a sixteenth of the pool.
class CappedThreshold : public weir::MmuBlock<weir::DynamicThresholdIf> {
 public:
  CappedThreshold(const char* name, const weir::MmuSettings& settings)
      : MmuBlock{name}, settings_{settings} {}

  weir::Cells limit(weir::PgIndex pg, weir::Cells used, weir::Cycle) const override {
    const weir::PgSettings& group = settings_.of(pg);
    const weir::Cells cap{group.shared_pool.count() / 16};
    return std::min(group.threshold.at(used), cap);
  }

  weir::Cells queue_limit(weir::QueueIndex queue, weir::DomainId, weir::Cells used,
                          weir::Cycle) const override {
    const weir::Chip& chip = settings_.chip();
    return weir::queue_line(chip, *chip.profile_of_queue[queue]).at(used);
  }

 private:
  const weir::MmuSettings& settings_;
};

/// Runs the scenario in a process of its own (SystemC elaborates once); says what came of it.
std::string run(const weir::MmuBackend& backend) {
  return weir::run_in_child([&] {
    weir::Scenario scenario =
        weir::load_scenario("vectors/scenarios/incast_star16_dt_trident2.toml", {});
    weir::Network network{scenario, 0, backend};
    network.run_until(scenario.until);
    network.finish();
    const weir::StatsCounters& stats = network.switch_at(0).mmu.core().stats();
    return std::to_string(stats.pool(weir::PoolIndex{0}).shared.count()) +
           " cells at most in the shared segment";
  });
}

}  // namespace mine

int sc_main(int, char*[]) try {
  weir::MmuBackend own;
  own.blocks.dynamic_threshold = [](const char* name, const weir::MmuSettings& settings) {
    return std::make_unique<mine::CappedThreshold>(name, settings);
  };
  const std::string built_in = mine::run({}), capped = mine::run(own);
  std::cout << "built in: " << built_in << "\ncapped:   " << capped << '\n';
  return built_in != capped ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
