// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/sonic/sonic_tables.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// How a switch chip uses the sizes that SONiC configures; CONFIG_DB does not contain it.
struct SonicAsic {
  std::string_view name;
  Bytes cell;
  std::uint32_t domains{1};
  bool net{false};  ///< Published pool sizes are net of reservations and headroom.
  bool queue_minimums_reserved{false};  ///< Minimums of lossy queues come out of the ingress pool.
  std::uint32_t reserved_cells_per_port{0};  ///< Taken out of the ingress pool for each port.
  std::vector<std::string_view> words;       ///< Words in hwsku or platform, lower case.
  std::string_view source;
  std::string_view params;  ///< Key of the chip in the qos_params files of sonic-mgmt.
};

/// All chips that are known by name.
[[nodiscard]] const std::vector<SonicAsic>& sonic_asics();
/// "trident2, trident3, ..."
[[nodiscard]] std::string sonic_asic_names();

/// Options of the user in addition to the files.
struct SonicOptions {
  std::string asic;                       ///< Name of one of sonic_asics(); "": by hwsku, platform.
  std::optional<Bytes> cell;              ///< Buffer cell in place of the chip's.
  std::optional<std::uint32_t> domains;   ///< Memory domains in place of the chip's.
  std::vector<std::string> domain_ports;  ///< "0=0-15": other ports than an equal split gives.
  std::optional<Bytes> memory;  ///< Memory for pools without a size (dynamic buffer model).
};

struct SonicPort {
  std::string name;
  const Node* row{nullptr};  ///< Row of the port in PORT.
  BitRate rate;
  Bytes mtu;  ///< Largest frame: the mtu of PORT plus Ethernet header, VLAN tag and FCS.
  bool up{false};
  std::string cable_text;                  ///< Length of the cable as written; empty: unknown.
  std::optional<Millimetres> cable;        ///< None: unknown, or "0m".
  std::optional<std::uint8_t> pfc_enable;  ///< Bit n: class n; none: not in PORT_QOS_MAP.
  const Node* pfc_node{nullptr};           ///< Where `pfc_enable` is written.
  const Node* dscp_map{nullptr};  ///< Row of the port in DSCP_TO_TC_MAP; null: no port has any.
  std::optional<Picoseconds> watchdog;  ///< Detection time of the PFC watchdog; none: no watchdog.
  const Node* watchdog_node{nullptr};   ///< Where `watchdog` is written.
  std::optional<Picoseconds> restoration;  ///< Restoration time of the watchdog; none: the default.
  std::string watchdog_action;             ///< `drop`, `forward`, `alert`; empty: the default.
};

/// A setting that is not in the chip file, or that is in it without a source.
struct SonicNote {
  Origin origin;  ///< Where the first of these settings is written.
  std::string table, field;
  std::vector<std::string>
      keys;  ///< Rows that it is about; empty: the whole table, or something missing.
  std::string why;
};

struct SonicImport {
  /// Chip document (docs/reference/chip-format.md). Each value has the origin and path of the value
  /// of the SONiC files that it comes from; build_chip() errors name those.
  Node chip;
  std::vector<SonicPort> ports;     ///< In the order of the chip's ports.
  std::vector<SonicNote> unmapped;  ///< Read, but neither in the chip nor in the scenario.
  std::vector<SonicNote> assumed;   ///< In the chip, but not read.
  std::string asic;                 ///< Name of the chip, or "cell of N B".
  std::string params;               ///< SonicAsic::params; empty for another chip.
  std::array<std::uint8_t, priorities> pg_of_priority{}, queue_of_priority{};
};

/// Makes a chip of `tables`, which must outlive the result.
///
/// Errors: FileError at the first value that is impossible or contradicts another one: a profile or
/// pool that does not exist, two profiles for one priority group, a threshold of both kinds, a
/// cable without a row in pg_profile_lookup.ini ...; ConfigError about an option (--asic, --cell,
/// --domain-ports, --memory) that is missing or wrong.
[[nodiscard]] SonicImport import_sonic(const SonicTables& tables, const SonicOptions& options);

/// The chip file, with the source of each value.
[[nodiscard]] std::string sonic_chip_toml(const SonicImport& import, const SonicTables& tables);
/// A small scenario on that chip: each port that is up has a host and its watchdog, and an incast
/// goes to the first of them.
[[nodiscard]] std::string sonic_scenario_toml(const SonicImport& import,
                                              const std::string& chip_file);

}  // namespace weir
