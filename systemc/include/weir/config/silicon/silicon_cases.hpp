// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Cells that a configuration reserves out of a published pool.
struct SiliconReservation {
  std::uint64_t count{0}, cells_each{0};
};

/// How the lossy egress queues of a case are limited.
struct SiliconEgressQueue {
  bool same_as_ingress{false};      ///< The pool has the B of the ingress pool.
  Bytes pool;                       ///< Published size, when it has its own.
  std::uint64_t reserved_cells{0};  ///< Taken out of it, over all domains.
  int dynamic_th{0};
  Bytes minimum;
};

/// The configuration of a switch in a case: all inputs of the chip. Measured figures, and figures
/// that the authors of the file derived from them, are left out on purpose.
struct SiliconConfig {
  BitRate rate;
  Bytes cell;
  std::uint32_t domains{1};
  std::vector<std::uint32_t> domain_of_port;  ///< Empty: an equal split.
  Bytes pool;
  bool pool_is_net{false};     ///< The headroom pool is not part of `pool`.
  Bytes shared_headroom_pool;  ///< 0: each PG's headroom is its own.
  std::vector<SiliconReservation> reserved;
  Bytes pg_minimum, headroom, xon, xon_offset;
  int dynamic_th{0};
  Bytes packet{64};
  std::optional<SiliconEgressQueue> egress_lossy;
};

/// A published packet count, or a list of them, one per PG.
struct PublishedCount {
  std::string quantity;  ///< Name as the file has it.
  bool is_list{false};
  std::vector<std::int64_t> measured;  ///< One value unless is_list.
};

/// A case of a file in the form of vectors/silicon/public.json.
struct SiliconCase {
  std::string id, asic;
  Origin origin;     ///< Where the case begins in its file.
  std::string path;  ///< `cases[3]`
  SiliconConfig config;
  std::vector<PublishedCount> expected;
};

/// Lossless priorities of every port of a case, as everywhere in SONiC.
constexpr std::uint8_t silicon_lossless_priorities[] = {3, 4};

/// Reads the cases of a file. The configuration of each case goes into SiliconCase::config, the
/// published counts into SiliconCase::expected; notes and derived figures are ignored. A null
/// counts as a missing key.
/// Errors: FileError with file, line, case and key at the first error.
[[nodiscard]] std::vector<SiliconCase> read_silicon_cases(const std::filesystem::path& file);

/// The same from text; `name` is used as the file name in messages.
[[nodiscard]] std::vector<SiliconCase> parse_silicon_cases(std::string_view json,
                                                           const std::string& name);

/// The chip file for `config`. The published reservations are part of it, so the number of ports is
/// free: `domain_of_port` where it is given, otherwise in each domain as many as have
/// `lossless_pgs` lossless PGs, and one more as the destination. Units: TOML text for parse_chip().
[[nodiscard]] std::string silicon_chip_file(const SiliconConfig& config, std::size_t lossless_pgs);

/// The chip of a case, by the same arithmetic as any chip file.
/// Errors: FileError that names the case.
[[nodiscard]] Chip silicon_chip(const SiliconCase& silicon, std::size_t lossless_pgs);

}  // namespace weir
