// SPDX-License-Identifier: Apache-2.0
#include "weir/config/sonic/published_headroom.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "weir/config/format/csv.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/sonic/sonic_tables.hpp"
#include "weir/core/headroom/cable.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir {
namespace {

constexpr std::uint64_t max_xoff = 1ULL << 32;

BitRate checked_rate(std::uint64_t mbps, const Origin& place) {
  constexpr std::uint64_t max_mbps = std::numeric_limits<std::uint64_t>::max() / bps_per_mbps;
  const BitRate rate{mbps < max_mbps ? mbps * bps_per_mbps : 0};
  if (!is_port_rate(rate))
    throw FileError{place, "speed", std::to_string(mbps) + " Mbps", legal_port_rates()};
  if (find_port_speed(rate) == nullptr)
    throw FileError{place, "speed", std::to_string(mbps) + " Mbps", unknown_response(rate)};
  return rate;
}

void check_value(const Origin& place, const char* what, std::uint64_t value, std::uint64_t low,
                 std::uint64_t high) {
  if (value < low || high < value)
    throw FileError{place, what, std::to_string(value),
                    "must be from " + std::to_string(low) + " to " + std::to_string(high)};
}

std::vector<PublishedHeadroom> from_csv(const std::filesystem::path& file) {
  const CsvTable table =
      read_csv(file, Node{},
               {"platform", "asic", "cell_bytes", "speed_mbps", "cable_m", "size", "xon",
                "xoff_published", "threshold", "xon_offset", "source"});
  std::vector<PublishedHeadroom> rows;
  for (const CsvTable::Row& row : table.rows) {
    const Origin place{table.file, row.line};
    PublishedHeadroom published{place,
                                row.values[0],
                                checked_rate(table.count(row, 3), place),
                                {},
                                {},
                                Bytes{table.count(row, 7)}};
    check_value(place, "cell_bytes", table.count(row, 2), 1, max_cell.count());
    check_value(place, "cable_m", table.count(row, 4), 0, max_cable.count() / 1000);
    check_value(place, "xoff_published", table.count(row, 7), 1, max_xoff);
    published.cell = Bytes{table.count(row, 2)};
    published.cable = Millimetres{table.count(row, 4) * 1000};
    rows.push_back(std::move(published));
  }
  return rows;
}

std::vector<PublishedHeadroom> from_lookup(const std::filesystem::path& file, Bytes cell) {
  std::vector<PublishedHeadroom> rows;
  for (const SonicLookupRow& row : read_sonic_lookup(file)) {
    const Origin& place = row.size.origin;
    const auto cable = parse_cable(row.cable);
    if (!cable) throw FileError{place, "cable", row.cable, std::string{legal::cable}};
    const auto xoff = static_cast<std::uint64_t>(row.xoff.integer);
    check_value(place, "xoff", xoff, 1, max_xoff);
    // read_sonic_lookup() has checked that the speed is a number.
    rows.push_back(
        {place, "", checked_rate(*parse_count(row.speed), place), *cable, cell, Bytes{xoff}});
  }
  if (rows.empty()) throw FileError{Origin{file.string(), 0}, "", "", "has no rows"};
  return rows;
}

}  // namespace

std::vector<PublishedHeadroom> read_published_headroom(const std::filesystem::path& file,
                                                       Bytes cell) {
  std::error_code ignored;  // what is not a file is opened neither here nor below
  if (std::filesystem::is_fifo(file, ignored))
    throw FileError{Origin{file.string(), 0}, "", "", "must be a file, this is a pipe"};
  constexpr std::string_view csv = "platform,";
  std::string begin(csv.size(), '\0');
  open_text(file, Origin{}, "").read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == csv ? from_csv(file) : from_lookup(file, cell);
}

}  // namespace weir
