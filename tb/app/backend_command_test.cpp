// SPDX-License-Identifier: Apache-2.0
// Drives the built program: scenarios decided by the core, by the RTL, and by both in lockstep give
// the same bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/program.hpp"
#include "weir/config/chip/chip_file.hpp"

namespace weir::test {
namespace {

class BackendCommand : public InFolder {
 protected:
  [[nodiscard]] Outcome run(const std::string& scenario, const std::string& backend,
                            const std::string& options) const {
    return shell(program() + " run " + scenario + " --quiet --no-report --out " + at(backend) +
                 " --backend " + backend + " " + options);
  }

  // `rtl`: options that name the library, if it is not that of the program.
  void expect_same(const std::string& name, const std::string& options,
                   const std::string& rtl = {}) const {
    const std::string scenario = "vectors/scenarios/" + name + ".toml";
    const Outcome model = run(scenario, "model", options);
    ASSERT_LE(model.exit_code, 1) << model.text;  // 1: an [expect] for the whole run
    const std::string expected = text_of(at("model/summary.json"));
    EXPECT_NE(expected.find("\"delivered_packets\""), std::string::npos) << "an empty summary";
    EXPECT_EQ(expected.find("\"delivered_packets\": 0,"), std::string::npos) << "nothing arrived";
    for (const char* const backend : {"rtl", "lockstep"}) {
      const Outcome outcome = run(scenario, backend, options + " " + rtl);
      EXPECT_EQ(outcome.exit_code, model.exit_code) << outcome.text;
      EXPECT_EQ(text_of(at(std::string{backend} + "/summary.json")), expected)
          << backend << " says something else";
    }
  }
};

TEST_F(BackendCommand, TheDefaultIncastGivesTheSameBytesWithModelRtlAndLockstep) {
  expect_same("incast_star16_dt_trident2", "--until '200 us'");
}

TEST_F(BackendCommand, ALossyMixGivesTheSameBytesWithModelRtlAndLockstep) {
  expect_same("lossy_mix_star8_dt_trident2", "--until '150 us'");
}

// 8 hosts at 60 % of 100G need no more than the two lanes that the library has.
TEST_F(BackendCommand, ASharedHeadroomPoolGivesTheSameBytesWithModelRtlAndLockstep) {
  expect_same("websearch_star8_dt_trident3", "--until '60 us' --set switch.tor.chip.lanes=2");
}

TEST_F(BackendCommand, OneLaneGivesTheSameBytes) {
  expect_same("incast_star4_dt_late_xoff",
              "--until '200 us' --set switch.tor.chip.lanes=1 --set switch.tor.chip.ports=4 "
              "--set hosts.count=4 --set traffic.incast.from='h[0-2]' --set traffic.incast.to=h3",
              "--rtl " + rtl_library("l1"));
}

TEST_F(BackendCommand, FourLanesGiveTheSameBytes) {
  const Chip chip = load_chip("vectors/cosim/eight_ports_four_lanes.toml");
  const auto set = [](const std::string& key, std::uint32_t cycles) {
    return " --set switch.tor.chip." + key + "='" + std::to_string(cycles) + " cycles'";
  };
  expect_same("incast_star4_dt_late_xoff",
              "--until '200 us' --set switch.tor.chip.lanes=4" + set("admit", chip.admit_latency) +
                  set("pfc", chip.pfc_latency) + set("threshold_lag", chip.threshold_lag),
              "--rtl " + rtl_library("l4"));
}

TEST_F(BackendCommand, AChipThatTheRtlCannotHoldLeavesNothingBehind) {
  const Outcome outcome = run("vectors/scenarios/incast_star16_dt_trident2.toml", "lockstep",
                              "--rtl " + rtl_library("l4"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("scripts/rtl/make-backend --lanes 2 --ports 32")) << outcome.text;
  EXPECT_FALSE(std::filesystem::exists(at("lockstep"))) << "a result folder of a run that was none";
}

TEST_F(BackendCommand, AChipThatMarksIsRefusedByTheRtl) {
  for (const char* const backend : {"rtl", "lockstep"}) {
    const Outcome outcome =
        run("vectors/scenarios/incast_star16_dt_trident2.toml", backend,
            "--set 'switch.tor.wred.red={priorities=[3], min=\"1 kB\", max=\"2 kB\", "
            "probability=\"5 %\"}'");
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(outcome.says("weir_mmu neither marks nor drops early")) << outcome.text;
    EXPECT_FALSE(std::filesystem::exists(at(backend)));
  }
}

}  // namespace
}  // namespace weir::test
