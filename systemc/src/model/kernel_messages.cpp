// SPDX-License-Identifier: Apache-2.0
#include "weir/model/kernel_messages.hpp"

#include <cstdio>
#include <string>
#include <systemc>

namespace weir {
namespace {

void report(const sc_core::sc_report& message, const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0) {
    std::string text = sc_core::sc_report_compose_message(message);
    for (char& letter : text)
      if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7f) letter = ' ';
    std::fprintf(stderr, "weir: SystemC: %s\n", text.c_str());
  }
  sc_core::sc_report_handler::default_handler(message, actions & ~unsigned{sc_core::SC_DISPLAY});
}

}  // namespace

void kernel_messages_to_stderr() { sc_core::sc_report_handler::set_handler(report); }

}  // namespace weir
