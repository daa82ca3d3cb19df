// SPDX-License-Identifier: Apache-2.0
//
// Which mutant the RTL of this program is (scripts/rtl/mutants): its top module asks when it
// starts.
#include <cstdlib>

extern "C" int weir_mutant() {
  const char* number = std::getenv("WEIR_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}
