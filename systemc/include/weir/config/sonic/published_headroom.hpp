// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The headroom that a vendor publishes for a priority group of a port.
struct PublishedHeadroom {
  Origin place;
  std::string platform;  ///< Empty in a pg_profile_lookup.ini.
  BitRate rate;
  Millimetres cable;
  Bytes cell;
  Bytes xoff;
};

/// The rows of a pg_profile_lookup.ini, or of a CSV file with the columns of
/// vectors/published/vendor_headroom.csv, which gives each row a platform and a cell of its own.
/// `cell`: of the chip, for a pg_profile_lookup.ini.
///
/// Errors: FileError with the line: no such file, a bad row, a speed that no port has, no rows.
[[nodiscard]] std::vector<PublishedHeadroom> read_published_headroom(
    const std::filesystem::path& file, Bytes cell);

}  // namespace weir
