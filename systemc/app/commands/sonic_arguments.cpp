// SPDX-License-Identifier: Apache-2.0
#include "sonic_arguments.hpp"

#include <fmt/format.h>

#include <array>

#include "weir/config/format/units.hpp"
#include "weir/core/chip_limits.hpp"
#include "weir/core/errors.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

// "208" means "208 B".
std::optional<Bytes> to_size(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto bytes = parse_bytes(text);
  if (!bytes) bytes = parse_bytes(text + "B");
  if (!bytes || *bytes == Bytes{0})
    throw ConfigError{option, "\"" + text + "\"", std::string{legal::bytes}};
  return bytes;
}

}  // namespace

SonicOptions SonicArguments::options() const {
  SonicOptions options;
  options.asic = asic;
  options.cell = to_size("--cell", cell);
  options.memory = to_size("--memory", memory);
  options.domains = domains;
  options.domain_ports = domain_ports;
  return options;
}

void SonicArguments::refuse(const std::string& owner, const std::string& prefix) const {
  struct Row {
    const char* option;
    std::string value;
    const char* key;
  };
  const std::string first_ports = domain_ports.empty() ? "" : domain_ports.front();
  const std::array<Row, 5> table{{{"--asic", asic, "cell and domains"},
                                  {"--cell", cell, "cell"},
                                  {"--domains", domains ? std::to_string(*domains) : "", "domains"},
                                  {"--domain-ports", first_ports, "domain_of_port"},
                                  {"--memory", memory, "memory"}}};
  for (const Row& row : table)
    if (!row.value.empty())
      throw ConfigError{
          row.option, row.value,
          "is for SONiC folders; " + owner + (prefix.empty() ? "" : " " + prefix + row.key)};
}

void add_sonic_options(CLI::App& command, SonicArguments& arguments) {
  const char* group = "SONiC folders";
  command
      .add_option("--asic", arguments.asic,
                  "Switch chip, where hwsku and platform do not name it: " + sonic_asic_names())
      ->group(group);
  command.add_option("--cell", arguments.cell, "Buffer cell, for a chip that is none of these")
      ->group(group);
  command
      .add_option("--domains", arguments.domains,
                  fmt::format("Memory domains of such a chip (default {})", SonicAsic{}.domains))
      ->check(whole_number(1, max_domains))
      ->group(group);
  command
      .add_option("--domain-ports", arguments.domain_ports,
                  "Ports of a memory domain, by number in the order of PORT, such as 0=0-15,20 "
                  "(default: the same number in each); may be repeated")
      ->type_name("DOMAIN=PORTS")
      ->allow_extra_args(false)
      ->group(group);
  command
      .add_option("--memory", arguments.memory,
                  "For pools without a size (dynamic buffer model): \"16 MB\"")
      ->group(group);
}

}  // namespace weir
