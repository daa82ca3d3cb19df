// SPDX-License-Identifier: Apache-2.0
// Writes the register map as a document and as a SystemVerilog package.
// Usage: weir_registers_doc DOCUMENT PACKAGE
#include <fstream>
#include <iostream>
#include <string>
#include <systemc>

#include "weir/model/registers/register_map.hpp"
#include "weir/model/registers/register_package.hpp"

namespace {

bool write(const char* path, const std::string& text) {
  std::ofstream file{path};
  file << text;
  if (file.flush()) return true;
  std::cerr << path << ": cannot be written\n";
  return false;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 3) {
    std::cerr << "usage: weir_registers_doc DOCUMENT PACKAGE\n";
    return 2;
  }
  const bool written =
      write(argv[1], weir::registers_markdown()) && write(argv[2], weir::registers_systemverilog());
  return written ? 0 : 2;
}
