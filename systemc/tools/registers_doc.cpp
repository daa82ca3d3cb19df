// SPDX-License-Identifier: Apache-2.0
// Writes the register map as a document. Usage: weir_registers_doc FILE
#include <fstream>
#include <iostream>
#include <systemc>

#include "weir/model/register_map.hpp"

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: weir_registers_doc FILE\n";
    return 2;
  }
  std::ofstream file{argv[1]};
  file << weir::registers_markdown();
  if (file.flush()) return 0;
  std::cerr << argv[1] << ": cannot be written\n";
  return 2;
}
