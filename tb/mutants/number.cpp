// SPDX-License-Identifier: Apache-2.0
//
// The number of the mutant in this program (scripts/rtl/mutants): the top module of the RTL reads
// it at the start.
#include <cstdlib>

extern "C" int weir_mutant() {
  const char* number = std::getenv("WEIR_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}
