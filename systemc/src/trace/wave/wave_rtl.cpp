// SPDX-License-Identifier: Apache-2.0
#include "wave_rtl.hpp"

#include <algorithm>
#include <sstream>

namespace weir {
namespace {

void skip_to_end(std::istream& in) {
  for (std::string word; in >> word && word != "$end";) {
  }
}

}  // namespace

WaveRtl::WaveRtl(std::string_view header, const std::string& path, WaveTree& tree) {
  std::istringstream in{std::string{header}};
  std::vector<std::string> paths;  // of the open scopes
  for (std::string word; in >> word;) {
    if (word == "$scope") {
      std::string name;
      in >> word >> name;
      paths.push_back(paths.empty() ? path : paths.back() + "." + name);
    } else if (word == "$upscope") {
      paths.pop_back();
    } else if (word == "$var") {
      std::string bits, code, name;
      in >> word >> bits >> code >> name;
      std::replace(name.begin(), name.end(), '.', '_');
      declare(paths.empty() ? path : paths.back(), name, std::stoul(bits), code, tree);
    } else if (word == "$enddefinitions") {
      return;
    }
    skip_to_end(in);
  }
}

// The same code again is another name of the same signal.
void WaveRtl::declare(const std::string& path, const std::string& name, std::size_t bits,
                      std::string_view code, WaveTree& tree) {
  Parts& parts = parts_[key_of(code)];
  parts.resize((bits + part_bits - 1) / part_bits, WaveTree::none);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t low = i * part_bits, high = std::min(bits, low + part_bits) - 1;
    const std::string part =
        bits <= part_bits ? name : name + "_" + std::to_string(high) + "_" + std::to_string(low);
    parts[i] = tree.add_alias(path, part, static_cast<unsigned>(high - low + 1), parts[i]);
  }
}

}  // namespace weir
