// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/sonic/sonic_import.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Data of a port that is not in the chip.
struct LintPort {
  bool linked{true};                 ///< false: no cable, nothing arrives.
  std::optional<Picoseconds> delay;  ///< Propagation one way; none: the cable is not known.
  std::optional<Picoseconds> peer_response;
  Origin cable;                        ///< Where the cable is written.
  std::string cable_key, cable_value;  ///< Key of the cable there, and its value as written.
  std::uint8_t sends{0xff};            ///< Classes that the peer sends; bit n = class n.
  std::uint8_t pfc_of_peer{0xff};      ///< Classes that the peer stops on PFC.
  std::uint8_t pfc_of_port{0xff};      ///< Classes on which the port itself takes part in PFC.
  Origin pfc;                          ///< Where the classes with PFC are written.
  std::string pfc_key;
  std::uint8_t cnps{0};  ///< Classes of the congestion notification packets that the peer sends.
  Origin control;        ///< Where the rate control of those connections is written.
  std::string control_key, control_value;
  std::optional<Picoseconds> watchdog;  ///< Detection time of a PFC watchdog.
  Origin watchdog_place;
  std::string watchdog_key, watchdog_value;
};

/// The subject of lint: a chip, the peers of its ports, and where all of it is written.
struct LintSubject {
  std::string name;  ///< File or folder, as given.
  Chip chip;
  std::vector<LintPort> ports;
  /// Documents with keys of the chip, the one with the highest precedence first, each with the path
  /// of the chip's root in it.
  std::vector<std::pair<Node, std::string>> layers;
  std::unique_ptr<SonicTables> sonic;  ///< A SONiC folder; its nodes are pointed to.

  /// The value of a key of the chip, such as "profile.lossless.headroom"; nullptr: not written.
  [[nodiscard]] const Node* find(const std::string& key) const;
};

/// Reads a chip file, a scenario (it has a table [scenario]), or a SONiC folder. A scenario gives
/// one subject for each of its switches, the others give one.
///
/// `cable` is the cable of every port, for files that do not contain it. `overrides` are those of
/// --set, for chip files and scenarios.
/// Errors: FileError as the readers of these formats; ConfigError when `cable` is given for a file
/// that contains cables, or an override for a SONiC folder.
[[nodiscard]] std::vector<LintSubject> read_lint_subjects(
    const std::filesystem::path& path, std::optional<Millimetres> cable, const SonicOptions& sonic,
    const std::vector<std::string>& overrides = {});

}  // namespace weir
