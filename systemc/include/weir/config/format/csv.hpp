// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// A CSV file: a header row with units in the names, then rows with as many values. No quoting.
struct CsvTable {
  struct Row {
    std::uint32_t line{0};
    std::vector<std::string> values;
  };

  std::string file;
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// The value of `row` as a count. Errors: FileError with file, line and column.
  [[nodiscard]] std::uint64_t count(const Row& row, std::size_t column) const;
  /// Throws a FileError about the value.
  [[noreturn]] void fail(const Row& row, std::size_t column, const std::string& legal) const;
};

/// Reads a CSV file with exactly these columns, in this order.
/// Errors: FileError: no such file (reported at `named`, the value that names it), another header,
/// a row with more or fewer values, a last line without a line break (the file is truncated), no
/// rows.
[[nodiscard]] CsvTable read_csv(const std::filesystem::path& file, const Node& named,
                                const std::vector<std::string>& columns);

/// The same file row by row, for files of many rows. Errors: as read_csv(); a row of more than
/// 64 KiB.
class CsvReader {
 public:
  CsvReader(const std::filesystem::path& file, const Node& named,
            const std::vector<std::string>& columns);

  /// The next row, until the next call; nullptr at the end.
  [[nodiscard]] const CsvTable::Row* next();
  /// File and columns, without rows.
  [[nodiscard]] const CsvTable& table() const noexcept { return table_; }

 private:
  bool read_line();
  [[nodiscard]] Origin here() const { return {table_.file, row_.line}; }

  CsvTable table_;
  CsvTable::Row row_;
  std::ifstream in_;
  std::vector<char> line_;
};

/// Message sizes: columns message_bytes, cdf_percent; both ascending, the last 100.
/// Rounding: shares to the nearest 1e-6.
[[nodiscard]] std::vector<SizePoint> read_sizes(const std::filesystem::path& file,
                                                const Node& named);

/// Packets of a replay: columns time_ps, from, to, priority, length_bytes; times never decrease.
/// `hosts` are the legal names in from and to; lengths are 64 B to `mtu`. More than `most` packets
/// are refused.
[[nodiscard]] std::vector<ReplayPacket> read_replay(const std::filesystem::path& file,
                                                    const Node& named,
                                                    const std::vector<HostSpec>& hosts, Bytes mtu,
                                                    std::size_t most = max_replay_packets);

}  // namespace weir
