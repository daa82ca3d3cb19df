// SPDX-License-Identifier: Apache-2.0
#include "sweep_report.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>

#include "sweep_page.hpp"
#include "weir/core/errors.hpp"
#include "weir/trace/sweep_table.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

// A file that is there whole or not at all.
void write_whole(const fs::path& file, const std::string& text) {
  const fs::path draft =
      file.parent_path() / ("." + file.filename().string() + ".draft-" + std::to_string(getpid()));
  std::ofstream out{draft, std::ios::binary | std::ios::trunc};
  out << text;
  out.close();
  std::error_code error;
  if (out) fs::rename(draft, file, error);
  if (out && !error) return;
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw ModelError(file.string() + ": cannot be written");
}

}  // namespace

void write_sweep_report(const fs::path& database, const fs::path& page, const fs::path& pictures) {
  const SweepPage made = make_sweep_page(read_sweep_table(database));
  write_whole(page, made.html);
  if (pictures.empty()) return;
  std::error_code error;
  fs::create_directories(pictures, error);
  for (const auto& [name, svg] : made.pictures) write_whole(pictures / (name + ".svg"), svg);
}

}  // namespace weir
