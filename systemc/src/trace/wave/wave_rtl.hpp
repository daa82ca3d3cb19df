// SPDX-License-Identifier: Apache-2.0
// Signals inside an RTL, read from the text of its value change dump.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wave_tree.hpp"

namespace weir {

/// Declares the signals of an RTL in a waveform and reads their changes.
///
/// Range: an outermost signal that is made of several fields is one signal for each of them,
///        "arr_pg_i[0]", "arr_pg_i[1]"; where a field, or another signal, is wider than 64 bits, it
///        is split into "arr_pg_i_127_64" and "arr_pg_i_63_0".
class WaveRtl {
 public:
  /// Fields of an outermost signal of that name.
  using FieldsOf = std::function<std::size_t(std::string_view name)>;

  /// Declares what `header` names below `path`; its outermost scope is `path` itself.
  WaveRtl(std::string_view header, const std::string& path, const FieldsOf& fields_of,
          WaveTree& tree);

  /// Calls change(variable, value) for every change in `text` of a variable in the tree.
  template <class F>
  void read(std::string_view text, F&& change) const {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      read_line(text.substr(0, end), change);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

 private:
  static constexpr std::size_t part_bits = 64;

  /// From the lowest part up, each of so many bits; the last may have fewer.
  struct Parts {
    std::size_t bits{part_bits};
    bool are_fields{false};
    std::vector<std::uint32_t> variables;
  };
  [[nodiscard]] static std::uint64_t key_of(std::string_view code) noexcept {
    std::uint64_t key = 0;
    for (const char c : code) key = key << 8 | static_cast<unsigned char>(c);
    return key;
  }
  void declare(const std::string& path, const std::string& name, std::size_t bits,
               std::size_t fields, std::string_view code, WaveTree& tree);

  template <class F>
  void read_line(std::string_view line, F& change) const {
    if (line.empty() || line[0] == '#') return;
    const bool vector = line[0] == 'b';
    const std::size_t blank = vector ? line.find(' ') : 1;
    if (blank == std::string_view::npos) return;
    const auto found = parts_.find(key_of(line.substr(blank + (vector ? 1 : 0))));
    if (found == parts_.end()) return;
    std::string_view digits = line.substr(vector ? 1 : 0, vector ? blank - 1 : 1);
    for (const std::uint32_t part : found->second.variables) {
      const std::size_t taken = std::min(digits.size(), found->second.bits);
      std::uint64_t value = 0;
      for (const char digit : digits.substr(digits.size() - taken))
        value = value << 1 | (digit == '1' ? 1U : 0U);
      digits.remove_suffix(taken);
      if (part != WaveTree::none) change(part, value);
    }
  }

  std::unordered_map<std::uint64_t, Parts> parts_;  // by code
};

}  // namespace weir
