// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/csv.hpp"

#include <algorithm>
#include <unordered_map>

#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr std::size_t max_line_bytes = 1 << 16;

std::vector<std::string> split(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    values.emplace_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return values;
}

// A share such as 10.8913 percent in 1e-6, to the nearest. Decimals after the ninth are ignored.
std::optional<std::uint32_t> parse_share(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto whole = parse_count(text.substr(0, point));
  std::string decimals{text.substr(std::min(point + 1, text.size()))};
  if (!whole || *whole > 100 || (point < text.size() && decimals.empty())) return std::nullopt;
  decimals.resize(std::max<std::size_t>(decimals.size(), 9), '0');
  if (decimals.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto billionths = parse_count(std::string_view{decimals}.substr(0, 9));
  const std::uint64_t ppm = *whole * 10'000 + (*billionths + 50'000) / 100'000;
  if (ppm > whole_ppm) return std::nullopt;
  return static_cast<std::uint32_t>(ppm);
}

// Hosts by name: a replay names two a row.
class HostNames {
 public:
  explicit HostNames(const std::vector<HostSpec>& hosts) {
    for (std::size_t h = 0; h < hosts.size(); ++h) index_.emplace(hosts[h].name, h);
  }
  [[nodiscard]] std::size_t at(const CsvTable& table, const CsvTable::Row& row,
                               std::size_t column) const {
    const auto host = index_.find(row.values[column]);
    if (host == index_.end()) table.fail(row, column, "there is no such host in the scenario");
    return host->second;
  }

 private:
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace

std::uint64_t CsvTable::count(const Row& row, std::size_t column) const {
  const auto number = parse_count(row.values[column]);
  if (!number) fail(row, column, "must be a whole number");
  return *number;
}

void CsvTable::fail(const Row& row, std::size_t column, const std::string& legal) const {
  throw FileError{Origin{file, row.line}, columns[column], "\"" + row.values[column] + "\"", legal};
}

CsvReader::CsvReader(const std::filesystem::path& file, const Node& named,
                     const std::vector<std::string>& columns)
    : table_{file.string(), columns, {}},
      in_{open_text(file, named.origin, named.path)},
      line_(max_line_bytes) {
  if (read_line() && row_.values != columns)
    throw FileError{here(), "header", joined(row_.values), "must be " + joined(columns)};
}

bool CsvReader::read_line() {
  in_.getline(line_.data(), static_cast<std::streamsize>(line_.size()));
  const auto length = static_cast<std::size_t>(in_.gcount());
  if (in_.bad()) throw FileError{here(), "", "", "cannot be read"};
  if (in_.eof() && length == 0) return false;
  ++row_.line;
  if (in_.eof())
    throw FileError{here(), "", "", "the last line has no line break: the file is cut off"};
  if (in_.fail())
    throw FileError{here(), "", "",
                    "is longer than " + std::to_string(max_line_bytes - 1) + " bytes"};
  row_.values = split({line_.data(), length - 1});
  return true;
}

const CsvTable::Row* CsvReader::next() {
  const std::size_t columns = table_.columns.size();
  if (!read_line()) {
    if (row_.line < 2) throw FileError{here(), "", "", "holds no row"};
    return nullptr;
  }
  if (row_.values.size() != columns)
    throw FileError{here(), "row", joined(row_.values),
                    "has " + std::to_string(row_.values.size()) + " values, must have " +
                        std::to_string(columns) + ": " + joined(table_.columns)};
  return &row_;
}

CsvTable read_csv(const std::filesystem::path& file, const Node& named,
                  const std::vector<std::string>& columns) {
  CsvReader reader{file, named, columns};
  CsvTable table = reader.table();
  while (const CsvTable::Row* const row = reader.next()) table.rows.push_back(*row);
  return table;
}

std::vector<SizePoint> read_sizes(const std::filesystem::path& file, const Node& named) {
  const CsvTable table = read_csv(file, named, {"message_bytes", "cdf_percent"});
  std::vector<SizePoint> points;
  for (const CsvTable::Row& row : table.rows) {
    const auto share = parse_share(row.values[1]);
    if (!share) table.fail(row, 1, "must be a share from 0 to 100 percent");
    const SizePoint point{Bytes{table.count(row, 0)}, *share};
    if (!points.empty() && point.size <= points.back().size) {
      table.fail(row, 0, "must be larger than in the row before");
    }
    if (!points.empty() && point.share_ppm < points.back().share_ppm) {
      table.fail(row, 1, "must not be smaller than in the row before");
    }
    points.push_back(point);
  }
  if (points.back().share_ppm != whole_ppm) {
    table.fail(table.rows.back(), 1, "the last row must reach 100 percent; is the file cut off?");
  }
  if (points.back().size == Bytes{}) table.fail(table.rows.back(), 0, "must be at least 1");
  return points;
}

std::vector<ReplayPacket> read_replay(const std::filesystem::path& file, const Node& named,
                                      const std::vector<HostSpec>& hosts, Bytes mtu,
                                      std::size_t most) {
  CsvReader reader{file, named, {"time_ps", "from", "to", "priority", "length_bytes"}};
  const CsvTable& table = reader.table();
  const HostNames names{hosts};
  std::vector<ReplayPacket> packets;
  while (const CsvTable::Row* const next = reader.next()) {
    const CsvTable::Row& row = *next;
    if (packets.size() == most)
      table.fail(row, 0, "is one packet too many: a replay has at most " + std::to_string(most));
    ReplayPacket packet;
    packet.time = Picoseconds{table.count(row, 0)};
    packet.from = names.at(table, row, 1);
    packet.to = names.at(table, row, 2);
    const std::uint64_t priority = table.count(row, 3);
    packet.length = Bytes{table.count(row, 4)};
    if (!packets.empty() && packet.time < packets.back().time) {
      table.fail(row, 0, "must not be earlier than in the row before");
    }
    if (packet.from == packet.to) table.fail(row, 2, "a host cannot send to itself");
    if (priority >= priorities) table.fail(row, 3, "must be from 0 to 7");
    if (packet.length < min_frame_bytes || mtu < packet.length) {
      table.fail(row, 4,
                 "must be from " + std::to_string(min_frame_bytes.count()) + " to the " +
                     std::to_string(mtu.count()) + " bytes of the chip's mtu");
    }
    packet.priority = Priority{static_cast<std::uint8_t>(priority)};
    packets.push_back(packet);
  }
  return packets;
}

}  // namespace weir
