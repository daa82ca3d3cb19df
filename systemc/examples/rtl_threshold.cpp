// SPDX-License-Identifier: Apache-2.0
// rtl: threshold_17 = dynamic_threshold CellW=17
// The Verilated rtl/domain/dynamic_threshold.sv as the threshold block of a running network.
// Explained in docs/guide/custom-module.md.
// clang-format off: Verilator's headers come before those of SystemC; otherwise they call it for
// the time
#include "Vthreshold_17.h"
// clang-format on
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace mine {

/// T by the RTL: its inputs are driven at every call, and its output is read.
class RtlThreshold : public weir::MmuBlock<weir::DynamicThresholdIf> {
 public:
  RtlThreshold(const char* name, const weir::MmuSettings& settings)
      : MmuBlock{name}, settings_{settings}, rtl_{std::make_unique<Vthreshold_17>()} {}

  weir::Cells limit(weir::PgIndex pg, weir::Cells used, weir::Cycle) const override {
    const weir::Chip& chip = settings_.chip();
    const weir::Profile& profile = chip.profiles[*chip.profile_of_pg[pg]];
    return at(profile.threshold, chip.ingress_pools[profile.pool].shared, used);
  }

  weir::Cells queue_limit(weir::QueueIndex queue, weir::DomainId, weir::Cells used,
                          weir::Cycle) const override {
    const weir::Chip& chip = settings_.chip();
    const weir::QueueProfile& profile = chip.queue_profiles[*chip.profile_of_queue[queue]];
    return at(profile.threshold, chip.egress_pools[profile.pool].shared, used);
  }

 private:
  // Policies `dynamic` and `static`: a slope, or a constant.
  weir::Cells at(const weir::ThresholdSetting& setting, weir::Cells pool, weir::Cells used) const {
    const bool dynamic = setting.policy == weir::Policy::dynamic;
    rtl_->free_i = weir::saturating_subtract(pool, used).count();
    rtl_->slope_n_i = static_cast<std::uint16_t>(dynamic ? setting.alpha.numerator : 0);
    rtl_->slope_m_i = setting.alpha.shift;
    rtl_->constant_i = dynamic ? 0 : setting.static_limit.count();
    rtl_->held_i = 0;
    rtl_->eval();
    return weir::Cells{rtl_->threshold_o};
  }

  const weir::MmuSettings& settings_;
  const std::unique_ptr<Vthreshold_17> rtl_;
};

/// summary.json of the scenario, run in a process of its own.
std::string run(const weir::MmuBackend& backend) {
  return weir::run_in_child([&] {
    const weir::Scenario scenario =
        weir::load_scenario("vectors/scenarios/lossy_mix_star8_dt_trident2.toml", {});
    weir::Network network{scenario, 0, backend};
    network.run_until(scenario.until);
    network.finish();
    return weir::to_json(weir::summarize(network));
  });
}

}  // namespace mine

int sc_main(int, char*[]) try {
  weir::MmuBackend rtl;
  rtl.blocks.dynamic_threshold = [](const char* name, const weir::MmuSettings& settings) {
    return std::make_unique<mine::RtlThreshold>(name, settings);
  };
  const bool same = mine::run({}) == mine::run(rtl);
  std::cout << "summary.json with the threshold by RTL: "
            << (same ? "the same bytes" : "it differs") << '\n';
  return same ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
