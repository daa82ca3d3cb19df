// SPDX-License-Identifier: Apache-2.0
#include "support/step_vectors.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

namespace weir::test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// Grows a list so that entry `index` exists.
template <class T>
T& entry(std::vector<T>& list, std::size_t index) {
  if (list.size() <= index) list.resize(index + 1);
  return list[index];
}
template <class I, class T>
T& entry(IndexedVector<I, T>& list, std::size_t index) {
  if (list.size() <= index) list.resize(index + 1);
  return list[I{index}];
}

using Setter = std::function<void(Chip&, std::size_t index, const CsvTable::Row& row)>;

Cells cells_in(const CsvTable::Row& row) {
  return Cells{static_cast<std::uint32_t>(row.number("value"))};
}

void set_threshold(std::map<std::string, Setter>& setters, const std::string& record,
                   const std::function<ThresholdSetting&(Chip&, std::size_t)>& of) {
  setters[record + ".policy_name"] = [of](Chip& chip, std::size_t i, const CsvTable::Row& row) {
    of(chip, i).policy = find_policy(row.text("value"))->policy;
  };
  setters[record + ".alpha_numerator"] = [of](Chip& chip, std::size_t i, const CsvTable::Row& row) {
    of(chip, i).alpha.numerator = static_cast<std::uint32_t>(row.number("value"));
  };
  setters[record + ".alpha_shift_bits"] = [of](Chip& chip, std::size_t i,
                                               const CsvTable::Row& row) {
    of(chip, i).alpha.shift = static_cast<std::uint8_t>(row.number("value"));
  };
  setters[record + ".static_limit_cells"] = [of](Chip& chip, std::size_t i,
                                                 const CsvTable::Row& row) {
    of(chip, i).static_limit = cells_in(row);
  };
}

void set_profile(std::map<std::string, Setter>& setters) {
  using Row = CsvTable::Row;
  const auto profile = [](Chip& chip, std::size_t i) -> Profile& {
    return entry(chip.profiles, i);
  };
  setters["profile.lossless_flag"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).lossless = row.number("value") != 0;
  };
  setters["profile.pool_index"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).pool = PoolNumber{row.number("value")};
  };
  setters["profile.private_cells"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).private_cells = cells_in(row);
  };
  setters["profile.headroom_cells"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).headroom = cells_in(row);
  };
  setters["profile.xon_cells"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).xon = cells_in(row);
  };
  setters["profile.xon_offset_cells"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).xon_offset = cells_in(row);
  };
  setters["profile.xoff_trigger"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).xoff_trigger =
        row.text("value") == "on_headroom" ? XoffTrigger::on_headroom : XoffTrigger::on_crossing;
  };
  setters["profile.xon_rule"] = [=](Chip& c, std::size_t i, const Row& row) {
    profile(c, i).xon_rule = row.text("value") == "paper" ? XonRule::paper : XonRule::sai;
  };
  set_threshold(setters, "profile", [=](Chip& c, std::size_t i) -> ThresholdSetting& {
    return profile(c, i).threshold;
  });
}

void set_pools_and_queues(std::map<std::string, Setter>& setters) {
  using Row = CsvTable::Row;
  setters["pool.shared_cells"] = [](Chip& c, std::size_t i, const Row& row) {
    entry(c.ingress_pools, i).shared = cells_in(row);
  };
  setters["pool.headroom_cells"] = [](Chip& c, std::size_t i, const Row& row) {
    entry(c.ingress_pools, i).headroom = cells_in(row);
  };
  setters["pool.dedicated_flag"] = [](Chip& c, std::size_t i, const Row& row) {
    entry(c.ingress_pools, i).dedicated_headroom = row.number("value") != 0;
  };
  setters["egress_pool.shared_cells"] = [](Chip& c, std::size_t i, const Row& row) {
    entry(c.egress_pools, i).shared = cells_in(row);
  };
  setters["queue_profile.pool_index"] = [](Chip& c, std::size_t i, const Row& row) {
    entry(c.queue_profiles, i).pool = EgressPoolNumber{row.number("value")};
  };
  setters["queue_profile.minimum_cells"] = [](Chip& c, std::size_t i, const Row& row) {
    entry(c.queue_profiles, i).minimum = cells_in(row);
  };
  set_threshold(setters, "queue_profile", [](Chip& c, std::size_t i) -> ThresholdSetting& {
    return entry(c.queue_profiles, i).threshold;
  });
}

void set_chip(std::map<std::string, Setter>& setters) {
  using Row = CsvTable::Row;
  setters["chip.domains_count"] = [](Chip& c, std::size_t, const Row& row) {
    c.domains = static_cast<std::uint32_t>(row.number("value"));
  };
  setters["chip.threshold_lag_cycles"] = [](Chip& c, std::size_t, const Row& row) {
    c.threshold_lag = static_cast<std::uint32_t>(row.number("value"));
  };
  setters["chip.priorities_map_to_pg_index"] = [](Chip& c, std::size_t, const Row& row) {
    c.pg_of_priority.fill(static_cast<std::uint8_t>(row.number("value")));
  };
  setters["port.domain_index"] = [](Chip& c, std::size_t i, const Row& row) {
    PortSetting& port = entry(c.ports, i);
    port.rate = BitRate{100'000'000'000};
    port.domain = DomainId{static_cast<std::uint8_t>(row.number("value"))};
    c.profile_of_pg.resize(c.ports.size() * priorities);
    c.profile_of_queue.resize(c.ports.size() * priorities);
  };
  setters["pg.profile_index"] = [](Chip& c, std::size_t i, const Row& row) {
    c.profile_of_pg.at(PgIndex{i}) = ProfileIndex{row.number("value")};
  };
  setters["queue.profile_index"] = [](Chip& c, std::size_t i, const Row& row) {
    c.profile_of_queue.at(QueueIndex{i}) = QueueProfileIndex{row.number("value")};
  };
}

}  // namespace

const std::string& CsvTable::Row::text(const std::string& column) const {
  const auto field = fields.find(column);
  if (field == fields.end()) throw std::runtime_error("no column " + column);
  return field->second;
}

std::uint64_t CsvTable::Row::number(const std::string& column) const {
  const std::string& field = text(column);
  std::size_t used = 0;
  const std::uint64_t value = field.empty() ? 0 : std::stoull(field, &used);
  if (field.empty() || used != field.size())
    throw std::runtime_error("line " + std::to_string(line) + ", " + column + " = '" + field +
                             "': must be a number");
  return value;
}

std::vector<std::size_t> CsvTable::Row::list(const std::string& column) const {
  std::vector<std::size_t> numbers;
  if (!empty(column))
    for (const std::string& part : split(text(column), '+')) numbers.push_back(std::stoul(part));
  return numbers;
}

CsvTable read_csv(const std::string& path) {
  std::ifstream file{path};
  if (!file) throw std::runtime_error("cannot read " + path);
  CsvTable table;
  std::vector<std::string> columns;
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    if (text.empty() || text.front() == '#') continue;
    const std::vector<std::string> fields = split(text, ',');
    if (columns.empty()) {
      columns = fields;
      continue;
    }
    if (fields.size() != columns.size())
      throw std::runtime_error(path + ":" + std::to_string(line) + ": " +
                               std::to_string(fields.size()) + " fields, the header has " +
                               std::to_string(columns.size()));
    CsvTable::Row row{line, {}};
    for (std::size_t i = 0; i < fields.size(); ++i) row.fields[columns[i]] = fields[i];
    table.rows.push_back(std::move(row));
  }
  return table;
}

Chip read_chip(const std::string& path) {
  std::map<std::string, Setter> setters;
  set_chip(setters);
  set_pools_and_queues(setters);
  set_profile(setters);
  Chip chip;
  chip.name = path;
  const CsvTable table = read_csv(path);
  for (const CsvTable::Row& row : table.rows) {
    const std::string key = row.text("record") + "." + row.text("key");
    const auto setter = setters.find(key);
    if (setter == setters.end())
      throw std::runtime_error(path + ":" + std::to_string(row.line) + ": unknown key " + key);
    setter->second(chip, row.number("index"), row);
  }
  return chip;
}

std::vector<std::string> step_vector_cases(const std::string& folder) {
  const std::string ending = ".steps.csv";
  std::vector<std::string> cases;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (name.size() > ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      cases.push_back(name.substr(0, name.size() - ending.size()));
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

}  // namespace weir::test
