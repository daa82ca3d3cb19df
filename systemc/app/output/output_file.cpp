// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "weir/core/errors.hpp"

namespace weir {

std::string read_result(const std::filesystem::path& folder, const std::string& file) {
  std::ifstream in{folder / file, std::ios::binary};
  std::string contents{std::istreambuf_iterator<char>{in}, {}};
  if (!in || contents.empty())
    throw ConfigError("DIR", folder.string(),
                      "must be a result folder of weir run; " + file + " is not in it");
  return contents;
}

void write_output(const std::string& option, const std::filesystem::path& file,
                  const std::string& contents) {
  // Beside it first: who reads the file sees the old one or the new one.
  const std::filesystem::path draft = file.string() + ".draft-" + std::to_string(getpid());
  std::ofstream out{draft, std::ios::binary | std::ios::trunc};
  out << contents;
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(draft, file, error);
  if (out && !error) return;
  const std::string why = error ? error.message() : std::strerror(errno);
  std::filesystem::remove(draft, error);
  throw ConfigError(option, file.string(), "cannot be written: " + why);
}

}  // namespace weir
