// SPDX-License-Identifier: Apache-2.0
#include "probe_qos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "output/screen.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/sonic/qos_params.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"
#include "weir/model/probe/qos_probe.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr Bytes probe_packet{64};

// Everything about one speed and cable that sections are made of.
class Block {
 public:
  Block(const SonicTables& tables, const SonicImport& import, const Chip& chip, PortId port,
        unsigned jobs)
      : tables_{tables},
        import_{import},
        chip_{chip},
        port_{port},
        bench_{probe_bench(chip, port)},
        counts_{count_qos(chip, bench_, probe_packet, jobs)} {}

  [[nodiscard]] QosBlock made() {
    const SonicPort& port = import_.ports[port_.count()];
    block_.name = fmt::format("{}_{}", port.rate.count() / 1'000'000, port.cable_text);
    add_sources();
    for (std::size_t i = 0; i < counts_.groups.size(); ++i) add_xoff(i);
    for (std::size_t i = 0; i < counts_.groups.size(); ++i) add_xon(i);
    add_pool();
    add_watermarks();
    add_lossy();
    return std::move(block_);
  }

 private:
  using Params = std::vector<QosParam>;

  [[nodiscard]] static QosParam number(std::string key, std::uint64_t value,
                                       std::optional<SiliconQuantity> quantity = std::nullopt) {
    return {std::move(key), {static_cast<std::int64_t>(value)}, false, quantity};
  }
  void add(const std::string& name, Params params) {
    block_.sections.push_back({name, std::move(params)});
  }
  [[nodiscard]] std::uint64_t cell() const { return chip_.cell.count(); }
  [[nodiscard]] const Profile& profile_of(const ProbePg& pg) const {
    return chip_.profiles[*chip_.profile_of_pg[pg_index(pg.port, pg.pg)]];
  }
  // Packets that the minimum of a PG or queue holds.
  [[nodiscard]] std::uint64_t packets_in(Cells cells) const {
    return cells.count() / chip_.cells(probe_packet).count();
  }

  // The first class of a group, and the first DSCP of that class.
  [[nodiscard]] std::uint64_t class_of(Priority pg) const {
    const auto& map = chip_.pg_of_priority;
    return static_cast<std::uint64_t>(std::find(map.begin(), map.end(), pg.count()) - map.begin());
  }
  [[nodiscard]] std::uint64_t dscp_of(std::uint64_t priority) const {
    const Node* named = nullptr;
    for (const std::string& row : {import_.ports[port_.count()].name, std::string{"global"}})
      if (const Node* const ports = tables_.row("PORT_QOS_MAP", row); named == nullptr && ports)
        named = ports->find("dscp_to_tc_map");
    if (named == nullptr) return priority;  // the stock map gives DSCP 3 and 4 to TC 3 and 4
    const Node* const map =
        tables_.row("DSCP_TO_TC_MAP", sonic_reference(*named, "DSCP_TO_TC_MAP"));
    std::optional<std::int64_t> first;
    for (std::int64_t dscp = 0; map != nullptr && dscp < 64; ++dscp) {
      const Node* const tc = map->find(std::to_string(dscp));
      if (!first && tc != nullptr && sonic_number(*tc, 0, 7) == static_cast<std::int64_t>(priority))
        first = dscp;
    }
    return first ? static_cast<std::uint64_t>(*first) : priority;
  }
  [[nodiscard]] Params start_of(const ProbePg& pg) const {
    const std::uint64_t priority = class_of(pg.pg);
    return {number("dscp", dscp_of(priority)), number("ecn", 1), number("pg", pg.pg.count())};
  }

  // "pool ingress_lossless_pool: BUFFER_POOL|... (buffers.json:3)"
  void add_source(const char* table, const std::string& name) {
    const Node* const tables = import_.chip.find(table);
    const Node* const row = tables == nullptr ? nullptr : tables->find(name);
    if (row == nullptr) return;
    std::map<std::pair<std::string, std::uint32_t>, std::string> places;
    for (const Node& value : row->children) {
      if (value.origin.file.empty()) continue;
      std::string& keys = places[{value.origin.file, value.origin.line}];
      keys += (keys.empty() ? "" : ", ") + value.name;
    }
    for (const auto& [place, keys] : places)
      block_.sources.push_back(fmt::format("{} {}: {} from {}:{}", table, name, keys,
                                           std::filesystem::path{place.first}.filename().string(),
                                           place.second));
  }
  void add_sources() {
    const Profile& profile = profile_of(counts_.groups.front().pg);
    add_source("profile", profile.name);
    add_source("pool", chip_.ingress_pools[profile.pool].name);
    if (!bench_.lossy) return;
    const QueueProfile& queue = lossy_queue();
    add_source("queue", queue.name);
    add_source("egress_pool", chip_.egress_pools[queue.pool].name);
  }
  [[nodiscard]] const QueueProfile& lossy_queue() const {
    const std::uint8_t queue = chip_.queue_of_priority[class_of(bench_.lossy->pg)];
    return chip_
        .queue_profiles[*chip_.profile_of_queue[queue_index(bench_.egress, Priority{queue})]];
  }

  void add_xoff(std::size_t i) {
    const QosGroupCounts& group = counts_.groups[i];
    Params params = start_of(group.pg);
    params.push_back(number("pkts_num_trig_pfc", group.xoff, SiliconQuantity::xoff));
    params.push_back(
        number("pkts_num_trig_ingr_drp", group.first_drop, SiliconQuantity::first_drop));
    add(fmt::format("xoff_{}", i + 1), std::move(params));
  }
  void add_xon(std::size_t i) {
    const QosGroupCounts& group = counts_.groups[i];
    if (!group.xon_dismiss) return;
    Params params = start_of(group.pg);
    params.push_back(number("pkts_num_trig_pfc", group.xoff, SiliconQuantity::xoff));
    params.push_back(number("pkts_num_dismiss_pfc", *group.xon_dismiss, SiliconQuantity::xon));
    add(fmt::format("xon_{}", i + 1), std::move(params));
  }
  void add_pool() {
    if (!counts_.pool) return;
    const QosPoolCounts& pool = *counts_.pool;
    QosParam multi{"pkts_num_trig_pfc_multi", {}, true, SiliconQuantity::xoff};
    for (const std::uint64_t xoff : pool.xoff)
      multi.values.push_back(static_cast<std::int64_t>(xoff));
    add("hdrm_pool_size",
        {number("ecn", 1), number("pgs_num", pool.xoff.size()),
         number("pkts_num_trig_pfc", pool.equal_fill, SiliconQuantity::equal_fill),
         std::move(multi), number("pkts_num_hdrm_full", pool.full, SiliconQuantity::headroom),
         number("pkts_num_hdrm_partial", pool.partial, SiliconQuantity::headroom_last)});
  }
  void add_watermarks() {
    const QosGroupCounts& group = counts_.groups.front();
    const std::uint64_t in_minimum = packets_in(profile_of(group.pg).private_cells);
    const QosParam xoff = number("pkts_num_trig_pfc", group.xoff, SiliconQuantity::xoff);
    const QosParam drop =
        number("pkts_num_trig_ingr_drp", group.first_drop, SiliconQuantity::first_drop);
    const auto with = [&](Params more) {
      Params params = start_of(group.pg);
      params.insert(params.end(), more.begin(), more.end());
      params.push_back(number("cell_size", cell()));
      return params;
    };
    const QosParam size = number("packet_size", probe_packet.count());
    add("wm_pg_shared_lossless", with({number("pkts_num_fill_min", in_minimum), xoff, size}));
    add("wm_pg_headroom", with({xoff, drop}));
    add("wm_q_shared_lossless", with({number("pkts_num_fill_min", 0), drop}));
    add("wm_buf_pool_lossless", with({number("pkts_num_fill_ingr_min", in_minimum),
                                      number("pkts_num_fill_egr_min", 0), xoff, drop}));
    add("pg_drop", with({xoff, drop}));
  }
  void add_lossy() {
    if (!counts_.lossy_drop) return;
    const ProbePg& pg = *bench_.lossy;
    const QosParam drop =
        number("pkts_num_trig_egr_drp", *counts_.lossy_drop, SiliconQuantity::lossy_drop);
    add("lossy_queue_1", {number("dscp", dscp_of(class_of(pg.pg))), number("ecn", 1),
                          number("pg", pg.pg.count()), drop});
    Params shared = start_of(pg);
    shared.push_back(number("pkts_num_fill_min", packets_in(profile_of(pg).private_cells)));
    shared.push_back(drop);
    shared.push_back(number("packet_size", probe_packet.count()));
    shared.push_back(number("cell_size", cell()));
    add("wm_pg_shared_lossy", shared);
    Params queue{number("dscp", dscp_of(class_of(pg.pg))),
                 number("ecn", 1),
                 number("queue", chip_.queue_of_priority[class_of(pg.pg)]),
                 number("pkts_num_fill_min", packets_in(lossy_queue().minimum)),
                 drop,
                 number("cell_size", cell())};
    add("wm_q_shared_lossy", std::move(queue));
  }

  const SonicTables& tables_;
  const SonicImport& import_;
  const Chip& chip_;
  const PortId port_;
  const ProbeBench bench_;
  const QosCounts counts_;
  QosBlock block_;
};

bool has_lossless(const Chip& chip, PortId port) {
  for (std::uint8_t pg = 0; pg < priorities; ++pg) {
    const auto& profile = chip.profile_of_pg[pg_index(port, Priority{pg})];
    const auto& map = chip.pg_of_priority;
    if (profile && chip.profiles[*profile].lossless &&
        std::find(map.begin(), map.end(), pg) != map.end())
      return true;
  }
  return false;
}

// The first port of each speed and cable that has a lossless group.
std::vector<PortId> ports_to_probe(const SonicImport& import, const Chip& chip) {
  std::vector<PortId> ports;
  for (std::size_t i = 0; i < import.ports.size(); ++i) {
    const PortId port{static_cast<std::uint16_t>(i)};
    const bool seen = std::any_of(ports.begin(), ports.end(), [&](PortId other) {
      const SonicPort &a = import.ports[other.count()], &b = import.ports[i];
      return a.rate == b.rate && a.cable_text == b.cable_text;
    });
    if (!seen && has_lossless(chip, port)) ports.push_back(port);
  }
  return ports;
}

QosParams count_all(const ProbeQosOptions& options) {
  const SonicTables tables = read_sonic(options.folder);
  const SonicImport import = import_sonic(tables, options.sonic);
  const Chip chip = build_chip(import.chip);
  QosParams params;
  params.folder = options.folder;
  params.asic = import.params.empty() ? "chip" : import.params;
  params.cells_per_packet = chip.cells(probe_packet).count();
  for (const PortId port : ports_to_probe(import, chip))
    params.blocks.push_back(Block{tables, import, chip, port, options.jobs}.made());
  if (params.blocks.empty())
    throw ConfigError{"--qos-params", options.folder, "has no port with a lossless priority group"};
  return params;
}

Json to_json(const QosParams& params) {
  Json blocks = Json::object();
  for (const QosBlock& block : params.blocks) {
    Json& sections = blocks[block.name] = Json::object();
    for (const QosSection& section : block.sections)
      for (const QosParam& param : section.params)
        sections[section.name][param.key] =
            param.is_list ? Json(param.values) : Json(param.values.front());
  }
  return {{"asic", params.asic}, {"packet_bytes", probe_packet.count()}, {"blocks", blocks}};
}

std::string stale_text(const QosDifference& stale, std::uint64_t cells) {
  const std::int64_t difference = stale.predicted - stale.published;
  return fmt::format("{}:{}: {} = {}: Weir counts {}, {:+} packets, {:+} cells\n",
                     printable_line(stale.place.file), stale.place.line, printable_line(stale.path),
                     stale.published, stale.predicted, difference,
                     difference * static_cast<std::int64_t>(cells));
}

int compare_with(const ProbeQosOptions& options, const QosParams& params) {
  const QosComparison comparison = compare_qos(params, read_qos_params(options.against));
  if (comparison.compared == 0)
    throw ConfigError{"--against", options.against,
                      "has no number of " + params.asic + " " + params.blocks.front().name};
  for (const QosDifference& stale : comparison.stale)
    print("{}", stale_text(stale, params.cells_per_packet));
  print("{} numbers compared, {} stale\n", comparison.compared, comparison.stale.size());
  return comparison.stale.empty() ? 0 : 1;
}

}  // namespace

int probe_qos(const ProbeQosOptions& options) {
  FileRoles roles;
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(options.folder, ignored))
    roles.reads(file.path());
  if (!options.against.empty()) roles.reads(options.against);
  if (!options.out.empty()) roles.writes("--out", options.out);
  const QosParams params = count_all(options);
  if (!options.out.empty()) write_file("--out", options.out, to_yaml(params));
  if (!options.against.empty()) return compare_with(options, params);
  if (options.json)
    print_json(to_json(params).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  else if (options.out.empty())
    print("{}", to_yaml(params));
  else
    print("{}\n", options.out);
  return 0;
}

}  // namespace weir
