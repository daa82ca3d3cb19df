// SPDX-License-Identifier: Apache-2.0
#include <systemc>

#include "weir/config/scenario/scenario.hpp"

int sc_main(int, char**) {
  const weir::SwitchSpec empty{};
  sc_core::sc_start(1, sc_core::SC_NS);
  return empty.name.empty() ? 0 : 1;
}
