// SPDX-License-Identifier: Apache-2.0
// Writes the register map as a document, as a SystemVerilog package, in SystemRDL and as CSV, and
// the latencies of the pipeline as a package and as rows of pages. Usage: weir_registers_doc ROOT
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <systemc>

#include "weir/model/registers/register_description.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/registers/register_package.hpp"
#include "weir/model/rtl/latency_package.hpp"

namespace {

bool write(const std::string& path, const std::string& text) {
  std::ofstream file{path};
  file << text;
  if (file.flush()) return true;
  std::cerr << path << ": cannot be written\n";
  return false;
}

bool write_rows(const std::string& root, const std::string& page) {
  std::ifstream file{root + page};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (file) return write(root + page, weir::with_latency_rows(page, text));
  std::cerr << root + page << ": cannot be read\n";
  return false;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: weir_registers_doc ROOT\n";
    return 2;
  }
  const std::string root = std::string{argv[1]} + '/';
  bool written = write(root + "docs/reference/registers.md", weir::registers_markdown()) &&
                 write(root + "rtl/pkg/csr_map_pkg.sv", weir::registers_systemverilog()) &&
                 write(root + "rtl/weir_mmu.rdl", weir::registers_systemrdl()) &&
                 write(root + "rtl/weir_mmu.registers.csv", weir::registers_csv()) &&
                 write(root + "rtl/pkg/pipeline_latency_pkg.sv", weir::latency_systemverilog());
  for (const weir::PageRow& row : weir::latency_rows())
    written = written && write_rows(root, row.page);
  return written ? 0 : 2;
}
