// SPDX-License-Identifier: Apache-2.0
#include "weir/model/kernel_messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <systemc>

#include "support/small_network.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network.hpp"

namespace weir::kernel_messages_test {
namespace {

using namespace test;

// SystemC prints warnings on stdout, where a user may expect JSON.
TEST(KernelMessages, GoToStderr) {
  kernel_messages_to_stderr();
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const sc_core::sc_module_name name{"a b"};
  struct Module final : sc_core::sc_module {
    explicit Module(const sc_core::sc_module_name&) {}
  };
  const Module module{name};
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("weir: SystemC: Warning: (W506)"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_THROW(SC_REPORT_ERROR("test", "an error"), sc_core::sc_report) << "still an exception";
}

TEST(ModuleNames, ANodeMayBeCalledLikeAModuleOfOurs) {
  Scenario scenario = star(small_chip(2, gbps(40)), ns(0), us(1));
  scenario.switches[0].name = "agenda";
  scenario.hosts[0].name = "deadlock_detector";
  Network network{scenario};
  network.run_until(scenario.until);
  EXPECT_STREQ(network.switch_at(0).name(), "agenda");
  EXPECT_STREQ(network.host(0).name(), "deadlock_detector");
}

TEST(ModuleNames, ANameThatTheKernelChangesIsAnError) {
  kernel_messages_to_stderr();  // a warning of the kernel fails a test otherwise
  Scenario scenario = star(small_chip(2, gbps(40)), ns(0), us(1));
  scenario.hosts[1].name = "a b";  // no scenario file can have it
  EXPECT_THROW(Network{scenario}, ConfigError);
}

TEST(ModuleNames, ANameThatIsTakenIsAnError) {
  kernel_messages_to_stderr();  // a warning of the kernel fails a test otherwise
  Scenario scenario = star(small_chip(2, gbps(40)), ns(0), us(1));
  scenario.hosts[1].name = scenario.hosts[0].name;
  EXPECT_THROW(Network{scenario}, ConfigError);
}

}  // namespace
}  // namespace weir::kernel_messages_test
