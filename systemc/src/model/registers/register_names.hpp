// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "weir/model/registers/register_map.hpp"

namespace weir {

/// "shared_size" as SharedSize: how the RTL names a constant or a parameter.
inline std::string camel(std::string_view name) {
  std::string text;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    text += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return text;
}

/// What a chip has several of, as a name.
inline std::string_view count_name(RegisterCount count) {
  constexpr std::array<std::string_view, register_counts> names{
      "",          "ports",          "domains",      "profiles",
      "pools",     "queue_profiles", "egress_pools", "wred_profiles",
      "wred_ports"};
  return names[static_cast<std::size_t>(count)];
}

}  // namespace weir
