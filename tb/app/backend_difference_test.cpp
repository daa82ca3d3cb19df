// SPDX-License-Identifier: Apache-2.0
// RTL that is wrong in one output is found by weir cosim and by a run with --backend lockstep, at
// every output of the table of pins that each of them compares.
#include <gtest/gtest.h>

#include <string>

#include "support/program.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"

namespace weir::test::backend_difference_test {
namespace {

class BackendDifference : public InFolder {
 protected:
  // A command with the library whose RTL is wrong at `pin`.
  [[nodiscard]] Outcome with_wrong(MmuPin pin, const std::string& command) const {
    return shell("WEIR_RIGHT_LIBRARY=" + rtl_library("l1") + " WEIR_WRONG_PIN=" + row_of(pin).name +
                 " " + program() + " " + command + " --rtl " + rtl_library("wrong"));
  }

  static bool is_grant(MmuPin pin) {
    for (const MmuPin grant : LockstepEngine::grant_pins)
      if (grant == pin) return true;
    return false;
  }

  static void expect_found(const Outcome& outcome, MmuPin pin, int exit_code) {
    EXPECT_EQ(outcome.exit_code, exit_code) << row_of(pin).name << "\n" << outcome.text;
    const std::string name = is_grant(pin) ? ": grant of a" : std::string{": "} + row_of(pin).name;
    EXPECT_TRUE(outcome.says("first difference") && outcome.says(name))
        << row_of(pin).name << " is wrong\n"
        << outcome.text;
  }
};

TEST_F(BackendDifference, CosimFindsEveryWrongOutput) {
  std::size_t tried = 0;
  for (std::size_t i = 0; i < mmu_pin_count; ++i) {
    const auto pin = static_cast<MmuPin>(i);
    // The handshake of registers is the RTL's own: cosim waits for it.
    if (mmu_pins[i].input || !mmu_pins[i].in_vector || pin == MmuPin::pready_o) continue;
    ++tried;
    expect_found(with_wrong(pin,
                            "cosim vectors/cosim/four_ports_shared_headroom.toml --cycles "
                            "20000 --seed 3"),
                 pin, 1);
  }
  EXPECT_GT(tried, 20U) << "outputs of the table";
}

TEST_F(BackendDifference, ARunInLockstepFindsEveryWrongGrantVerdictAndLevel) {
  for (std::size_t i = 0; i < mmu_pin_count; ++i) {
    const auto pin = static_cast<MmuPin>(i);
    if (mmu_pins[i].kind != MmuPinKind::verdict && !is_grant(pin) && pin != MmuPin::xoff_o)
      continue;
    expect_found(
        with_wrong(pin,
                   "run vectors/scenarios/incast_star4_dt_late_xoff.toml --until '200 us' "
                   "--set switch.tor.chip.lanes=1 --set switch.tor.chip.ports=4 "
                   "--set hosts.count=4 --set traffic.incast.from='h[0-2]' "
                   "--set traffic.incast.to=h3 --quiet --no-report --backend lockstep --out " +
                       at("lockstep")),
        pin, 3);
  }
}

}  // namespace
}  // namespace weir::test::backend_difference_test
