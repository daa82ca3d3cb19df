// SPDX-License-Identifier: Apache-2.0
#include "text/chip_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "text/clock_json.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

// A pool of one domain. Domains with the same figures are shown together.
struct PoolFigures {
  std::string name;
  std::uint32_t first_domain{0}, last_domain{0};
  Cells shared, headroom, reserved;
  bool dedicated{true};
  bool has_headroom{false};  // of its groups
};

// A profile of priority groups in one domain.
struct GroupFigures {
  std::string name, pool, policy;
  bool lossless{false};
  std::size_t groups{0};
  Cells private_cells, headroom, threshold;
};

struct QueueFigures {
  std::string name, pool, policy;
  std::size_t queues{0};
  Cells minimum, threshold;
};

Cells reserved_in(const Chip& chip, PoolNumber pool, std::uint32_t domain) {
  std::uint64_t cells = 0;
  for (std::size_t p = 0; p < chip.ports.size(); ++p)
    if (chip.ports[p].domain.count() == domain)
      cells += reserved_cells(chip, pool, PortId{static_cast<std::uint16_t>(p)});
  return Cells{static_cast<std::uint32_t>(cells)};
}

std::vector<PoolFigures> pools_of(const Chip& chip) {
  std::vector<PoolFigures> rows;
  for (PoolNumber pool; pool < chip.ingress_pools.end_index(); ++pool) {
    const Pool& from = chip.ingress_pools[pool];
    const bool has_headroom = std::any_of(
        chip.profiles.begin(), chip.profiles.end(),
        [&](const Profile& one) { return one.pool == pool && one.headroom != Cells{}; });
    for (std::uint32_t domain = 0; domain < chip.domains; ++domain) {
      const Cells reserved = reserved_in(chip, pool, domain);
      if (domain != 0 && rows.back().reserved == reserved) {
        rows.back().last_domain = domain;
        continue;
      }
      rows.push_back({from.name, domain, domain, from.shared, from.headroom, reserved,
                      from.dedicated_headroom, has_headroom});
    }
  }
  return rows;
}

// T while nothing is held; of the first group of the profile, as all have the same.
std::vector<GroupFigures> groups_of(const Chip& chip, const Mmu& mmu) {
  std::vector<GroupFigures> rows;
  for (ProfileIndex i; i < chip.profiles.end_index(); ++i) {
    const Profile& profile = chip.profiles[i];
    GroupFigures row{profile.name,
                     chip.ingress_pools[profile.pool].name,
                     std::string{to_string(profile.threshold.policy)},
                     profile.lossless,
                     0,
                     profile.private_cells,
                     profile.headroom,
                     Cells{}};
    for (PgIndex pg; pg < chip.profile_of_pg.end_index(); ++pg) {
      if (chip.profile_of_pg[pg] != i) continue;
      if (row.groups++ == 0) row.threshold = mmu.threshold(pg, Cycle{0});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<QueueFigures> queues_of(const Chip& chip, const Mmu& mmu) {
  std::vector<QueueFigures> rows;
  for (QueueProfileIndex i; i < chip.queue_profiles.end_index(); ++i) {
    const QueueProfile& profile = chip.queue_profiles[i];
    QueueFigures row{profile.name,
                     chip.egress_pools[profile.pool].name,
                     std::string{to_string(profile.threshold.policy)},
                     0,
                     profile.minimum,
                     Cells{}};
    for (QueueIndex queue; queue < chip.profile_of_queue.end_index(); ++queue) {
      if (chip.profile_of_queue[queue] != i) continue;
      if (row.queues++ == 0) row.threshold = mmu.queue_threshold(queue, DomainId{0}, Cycle{0});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string size(Cells cells, const Chip& chip) {
  return fmt::format("{} cells, {} B", format_quantity(cells.count()),
                     format_quantity(std::uint64_t{cells.count()} * chip.cell.count()));
}

// Of what every domain has for itself; what that is of the chip.
std::string size_per_domain(Cells cells, const Chip& chip) {
  if (chip.domains == 1) return size(cells, chip);
  return fmt::format("{} per domain; {} cells of the chip", size(cells, chip),
                     format_quantity(std::uint64_t{cells.count()} * chip.domains));
}

// ", in each of domains 0 to 3": nothing of a chip with one.
std::string domains_text(std::uint32_t first, std::uint32_t last, const Chip& chip) {
  if (chip.domains == 1) return "";
  return first == last ? fmt::format(", in domain {}", first)
                       : fmt::format(", in each of domains {} to {}", first, last);
}

// "32 x 100 Gbps, 8 x 400 Gbps"
std::string ports_text(const Chip& chip) {
  std::vector<std::pair<BitRate, std::size_t>> rates;
  for (const PortSetting& port : chip.ports) {
    const auto known = std::find_if(rates.begin(), rates.end(),
                                    [&](const auto& row) { return row.first == port.rate; });
    if (known == rates.end())
      rates.emplace_back(port.rate, 1);
    else
      ++known->second;
  }
  std::string text;
  for (const auto& [rate, count] : rates)
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count, rate_text(rate));
  return text;
}

std::string pool_text(const PoolFigures& row, const Chip& chip) {
  std::string text = fmt::format("pool {}{}\n  B, shared      {}\n", printable_line(row.name),
                                 domains_text(row.first_domain, row.last_domain, chip),
                                 size_per_domain(row.shared, chip));
  const std::string dedicated = row.has_headroom ? "none: every group has its own" : "none";
  text += fmt::format("  headroom pool  {}\n",
                      row.dedicated ? dedicated : size_per_domain(row.headroom, chip));
  return text + fmt::format("  reserved       {}{} (by groups: private, and dedicated headroom)\n",
                            size(row.reserved, chip), chip.domains == 1 ? "" : " per domain");
}

std::string group_text(const GroupFigures& row, const Chip& chip) {
  return fmt::format(
      "profile {}: {} groups, {}, pool {}, {}; of each group\n"
      "  private        {}\n  eta, headroom  {}\n  T, empty       {}\n",
      printable_line(row.name), row.groups, row.lossless ? "lossless" : "lossy",
      printable_line(row.pool), row.policy, size(row.private_cells, chip), size(row.headroom, chip),
      size(row.threshold, chip));
}

std::string queue_text(const QueueFigures& row, const Chip& chip) {
  return fmt::format(
      "queue {}: {} queues, pool {}, {}; of each queue\n"
      "  minimum        {}\n  T, empty       {}\n",
      printable_line(row.name), row.queues, printable_line(row.pool), row.policy,
      size(row.minimum, chip), size(row.threshold, chip));
}

Json to_json(Cells cells, const Chip& chip) {
  return {{"cells", cells.count()}, {"bytes", std::uint64_t{cells.count()} * chip.cell.count()}};
}

}  // namespace

std::string chip_text(const Chip& chip) {
  const Mmu mmu{chip};
  std::string text = fmt::format(
      "{}: {} ports ({}), cell {} B, {} {}\nlanes {}, clock {}, admit {}, pfc {}, threshold_lag "
      "{} cycles\n",
      printable_line(chip.name), chip.ports.size(), ports_text(chip), chip.cell.count(),
      chip.domains, chip.domains == 1 ? "domain" : "domains", chip.lanes, format_clock(chip.clock),
      chip.admit_latency, chip.pfc_latency, chip.threshold_lag);
  for (const PoolFigures& row : pools_of(chip)) text += "\n" + pool_text(row, chip);
  for (const GroupFigures& row : groups_of(chip, mmu)) text += "\n" + group_text(row, chip);
  for (const Pool& pool : chip.egress_pools)
    text +=
        fmt::format("\negress pool {}{}\n  B, shared      {}\n", printable_line(pool.name),
                    domains_text(0, chip.domains - 1, chip), size_per_domain(pool.shared, chip));
  for (const QueueFigures& row : queues_of(chip, mmu)) text += "\n" + queue_text(row, chip);
  return text;
}

std::string chip_json(const Chip& chip) {
  const Mmu mmu{chip};
  Json json{{"chip", chip.name},
            {"ports", chip.ports.size()},
            {"cell_bytes", chip.cell.count()},
            {"domains", chip.domains},
            {"lanes", chip.lanes},
            {"clock_ps", clock_json(chip.clock)},
            {"admit_cycles", chip.admit_latency},
            {"pfc_cycles", chip.pfc_latency},
            {"threshold_lag_cycles", chip.threshold_lag},
            {"pools", Json::array()},
            {"profiles", Json::array()},
            {"egress_pools", Json::array()},
            {"queues", Json::array()}};
  for (const PoolFigures& row : pools_of(chip))
    json["pools"].push_back({{"name", row.name},
                             {"first_domain", row.first_domain},
                             {"last_domain", row.last_domain},
                             {"shared", to_json(row.shared, chip)},
                             {"dedicated_headroom", row.dedicated},
                             {"headroom_pool", to_json(row.headroom, chip)},
                             {"reserved", to_json(row.reserved, chip)}});
  for (const GroupFigures& row : groups_of(chip, mmu))
    json["profiles"].push_back({{"name", row.name},
                                {"pool", row.pool},
                                {"policy", row.policy},
                                {"lossless", row.lossless},
                                {"groups", row.groups},
                                {"private", to_json(row.private_cells, chip)},
                                {"headroom", to_json(row.headroom, chip)},
                                {"threshold_empty", to_json(row.threshold, chip)}});
  for (const Pool& pool : chip.egress_pools)
    json["egress_pools"].push_back({{"name", pool.name},
                                    {"first_domain", 0},
                                    {"last_domain", chip.domains - 1},
                                    {"shared", to_json(pool.shared, chip)}});
  for (const QueueFigures& row : queues_of(chip, mmu))
    json["queues"].push_back({{"name", row.name},
                              {"pool", row.pool},
                              {"policy", row.policy},
                              {"queues", row.queues},
                              {"minimum", to_json(row.minimum, chip)},
                              {"threshold_empty", to_json(row.threshold, chip)}});
  return json_document(json, 2);
}

}  // namespace weir
