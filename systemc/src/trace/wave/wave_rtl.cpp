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

WaveRtl::WaveRtl(std::string_view header, const std::string& path, const FieldsOf& fields_of,
                 WaveTree& tree) {
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
      const std::size_t fields = paths.size() <= 1 ? fields_of(name) : 1;
      declare(paths.empty() ? path : paths.back(), name, std::stoul(bits), fields, code, tree);
    } else if (word == "$enddefinitions") {
      return;
    }
    skip_to_end(in);
  }
}

// The same code again is another name of the same signal, and has the same parts.
void WaveRtl::declare(const std::string& path, const std::string& name, std::size_t bits,
                      std::size_t fields, std::string_view code, WaveTree& tree) {
  Parts& parts = parts_[key_of(code)];
  if (parts.variables.empty()) {
    parts.are_fields = 1 < fields && bits % fields == 0 && bits / fields <= part_bits;
    if (parts.are_fields) parts.bits = bits / fields;
    parts.variables.resize((bits + parts.bits - 1) / parts.bits, WaveTree::none);
  }
  for (std::size_t i = 0; i < parts.variables.size(); ++i) {
    const std::size_t low = i * parts.bits, high = std::min(bits, low + parts.bits) - 1;
    std::string part = name;
    if (parts.are_fields)
      part += "[" + std::to_string(i) + "]";
    else if (part_bits < bits)
      part += "_" + std::to_string(high) + "_" + std::to_string(low);
    parts.variables[i] =
        tree.add_alias(path, part, static_cast<unsigned>(high - low + 1), parts.variables[i]);
  }
}

}  // namespace weir
