// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/sonic/sonic_import.hpp"

namespace weir {

/// What import and lint take with a SONiC folder, as typed.
struct SonicArguments {
  std::string asic, cell, memory;
  std::optional<std::uint32_t> domains;
  std::vector<std::string> domain_ports;  ///< "0=0-15"

  /// Errors: ConfigError that names the option.
  [[nodiscard]] SonicOptions options() const;
  /// Where there is no folder: `owner` "a chip file has" what the option gives below `prefix`
  /// "chip."; an empty one leaves the key out. Errors: ConfigError that names the first option
  /// given.
  void refuse(const std::string& owner, const std::string& prefix) const;
};

void add_sonic_options(CLI::App& command, SonicArguments& arguments);

}  // namespace weir
