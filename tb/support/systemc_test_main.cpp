// SPDX-License-Identifier: Apache-2.0
// The entry of every test that needs a simulation: libsystemc's own main() calls sc_main().
#include <gtest/gtest.h>

#include <systemc>

namespace {

/// Reports as usual, and lets the running test fail at a warning, an error or worse.
void fail_test_on_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) {
    ADD_FAILURE_AT(report.get_file_name(), report.get_line_number())
        << "SystemC warning: " << report.get_msg_type() << ": " << report.get_msg();
  }
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  ::testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_handler(fail_test_on_warning);
  return RUN_ALL_TESTS();
}
