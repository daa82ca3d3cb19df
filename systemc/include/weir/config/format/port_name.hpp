// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/core/units.hpp"

namespace weir {

/// Between the name of a switch and the number of its port.
inline constexpr std::string_view port_name_middle = ".port[";

/// "T0.port[2]": the port of a switch in scenarios, captures, results and messages.
[[nodiscard]] inline std::string port_name(std::string_view node, std::uint64_t port) {
  std::string text{node};
  return text.append(port_name_middle).append(std::to_string(port)).append(1, ']');
}
[[nodiscard]] inline std::string port_name(std::string_view node, PortId port) {
  return port_name(node, std::uint64_t{port.count()});
}

/// The parts of such a name, as written.
struct PortNameParts {
  std::string_view node, number;
};
/// Borrows from `text`. Errors: nullopt where it is no name of a port; what is no name of a node or
/// no number passes.
[[nodiscard]] inline std::optional<PortNameParts> parse_port_name(std::string_view text) noexcept {
  const std::size_t at = text.find(port_name_middle);
  if (at == std::string_view::npos || text.back() != ']') return std::nullopt;
  const std::size_t number = at + port_name_middle.size();
  return PortNameParts{text.substr(0, at), text.substr(number, text.size() - 1 - number)};
}

/// The node of an end of a link: "T0" of "T0.port[2]"; a host has its name alone.
[[nodiscard]] inline std::string_view node_of_end(std::string_view text) noexcept {
  return text.substr(0, text.find(port_name_middle));
}

}  // namespace weir
