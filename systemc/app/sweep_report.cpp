// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.hpp"

#include <string>
#include <system_error>

#include "output_file.hpp"
#include "sweep_page.hpp"
#include "weir/trace/sweep_table.hpp"

namespace weir {
namespace fs = std::filesystem;

void write_sweep_report(const fs::path& database, const fs::path& page, const fs::path& pictures) {
  const SweepPage made = make_sweep_page(read_sweep_table(database));
  write_output("--out", page, made.html);
  if (pictures.empty()) return;
  std::error_code error;
  fs::create_directories(pictures, error);
  for (const auto& [name, svg] : made.pictures)
    write_output("--pictures", pictures / (name + ".svg"), svg);
}

}  // namespace weir
