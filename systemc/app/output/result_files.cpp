// SPDX-License-Identifier: Apache-2.0
#include "result_files.hpp"

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

}  // namespace weir
