// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.hpp"

#include <string>
#include <system_error>

#include "html/sweep_page.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/trace/sweep/sweep_table.hpp"

namespace weir {
namespace fs = std::filesystem;

void write_sweep_report(const std::vector<fs::path>& databases, const fs::path& page,
                        const fs::path& pictures) {
  std::vector<SweepTable> tables;
  for (const fs::path& database : databases) tables.push_back(read_sweep_table(database));
  const SweepPage made = make_sweep_page(tables);
  write_file("--out", page, made.html);
  if (pictures.empty()) return;
  std::error_code error;
  fs::create_directories(pictures, error);
  for (const auto& [name, svg] : made.pictures)
    write_file("--pictures", pictures / (name + ".svg"), svg);
}

}  // namespace weir
