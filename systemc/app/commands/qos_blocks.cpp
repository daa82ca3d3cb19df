// SPDX-License-Identifier: Apache-2.0
#include "qos_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weir/model/probe/qos_probe.hpp"

namespace weir {
namespace {

// Of pg_drop, whose test has no default for them: what the files of sonic-mgmt have most often.
constexpr std::uint64_t drop_margin = 4, drop_iterations = 100;

using Params = std::vector<QosParam>;

QosParam number(std::string key, std::uint64_t value,
                std::optional<SiliconQuantity> quantity = std::nullopt) {
  return {std::move(key), {static_cast<std::int64_t>(value)}, false, quantity};
}

QosParam list(std::string key, const std::vector<std::uint64_t>& values,
              std::optional<SiliconQuantity> quantity = std::nullopt) {
  return {std::move(key), {values.begin(), values.end()}, true, quantity};
}

// The classes of a switch's groups, and their DSCPs and queues.
class Classes {
 public:
  Classes(const SonicImport& import, const Chip& chip) : import_{import}, chip_{chip} {}

  // The first class of a group.
  [[nodiscard]] std::uint64_t of(Priority pg) const {
    const auto& map = chip_.pg_of_priority;
    return static_cast<std::uint64_t>(std::find(map.begin(), map.end(), pg.count()) - map.begin());
  }
  // The first DSCP of the class of a group, at its port.
  [[nodiscard]] std::uint64_t dscp(const ProbePg& pg) const {
    const Node* const map = import_.ports[pg.port.count()].dscp_map;
    const auto priority = static_cast<std::int64_t>(of(pg.pg));
    std::optional<std::uint64_t> not_mapped;  // maps to class 0
    for (std::uint64_t dscp = 0; map != nullptr && dscp < ClassifierSettings::dscps; ++dscp) {
      const Node* const tc = map->find(std::to_string(dscp));
      if (tc != nullptr && sonic_number(*tc, 0, 7) == priority) return dscp;
      if (tc == nullptr && !not_mapped) not_mapped = dscp;
    }
    // The stock map gives DSCP 3 and 4 to TC 3 and 4.
    return priority == 0 && not_mapped ? *not_mapped : of(pg.pg);
  }
  [[nodiscard]] std::uint8_t queue(Priority pg) const { return chip_.queue_of_priority[of(pg)]; }

 private:
  const SonicImport& import_;
  const Chip& chip_;
};

// Everything about one speed and cable that sections are made of.
class Block {
 public:
  Block(const SonicImport& import, const Chip& chip, PortId port, unsigned jobs)
      : import_{import},
        chip_{chip},
        port_{port},
        classes_{import, chip},
        bench_{probe_bench(chip, port)},
        counts_{count_qos(chip, bench_, qos_packet, jobs)} {}

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
  void add(const std::string& name, Params params) {
    block_.sections.push_back({name, std::move(params), {}});
  }
  [[nodiscard]] std::uint64_t cell() const { return chip_.cell.count(); }
  [[nodiscard]] const Profile& profile_of(const ProbePg& pg) const {
    return chip_.profiles[*chip_.profile_of_pg[pg_index(pg.port, pg.pg)]];
  }
  // Packets that the minimum of a PG or queue holds.
  [[nodiscard]] std::uint64_t packets_in(Cells cells) const {
    return cells.count() / chip_.cells(qos_packet).count();
  }

  [[nodiscard]] Params start_of(const ProbePg& pg) const {
    return {number("dscp", classes_.dscp(pg)), number("ecn", 1), number("pg", pg.pg.count())};
  }
  [[nodiscard]] Params with_queue(const ProbePg& pg) const {
    Params params = start_of(pg);
    params.push_back(number("queue", classes_.queue(pg.pg)));
    return params;
  }
  // The test of a queue does not read `pg`.
  [[nodiscard]] Params queue_alone(const ProbePg& pg) const {
    return {number("dscp", classes_.dscp(pg)), number("ecn", 1),
            number("queue", classes_.queue(pg.pg))};
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
    const std::uint8_t queue = classes_.queue(bench_.lossy->pg);
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
  // Groups of the headroom pool as the test goes through them: all DSCPs of a port, port by port.
  [[nodiscard]] Params pool_groups(const QosPoolCounts& pool) const {
    std::vector<std::uint64_t> ports, pgs, dscps;
    for (const ProbePg& pg : pool.pgs) {
      const std::uint64_t port = pg.port.count();
      if (ports.empty() || ports.back() != port) ports.push_back(port);
      if (ports.size() > 1) continue;
      pgs.push_back(pg.pg.count());
      dscps.push_back(classes_.dscp(pg));
    }
    return {list("dscps", dscps), number("ecn", 1), list("pgs", pgs), list("src_port_ids", ports),
            number("dst_port_id", bench_.egress.count())};
  }
  void add_pool() {
    if (!counts_.pool) return;
    const QosPoolCounts& pool = *counts_.pool;
    Params params = pool_groups(pool);
    for (QosParam& param :
         Params{number("pgs_num", pool.xoff.size()),
                number("pkts_num_trig_pfc", pool.equal_fill, SiliconQuantity::equal_fill),
                list("pkts_num_trig_pfc_multi", pool.xoff, SiliconQuantity::xoff),
                number("pkts_num_hdrm_full", pool.full, SiliconQuantity::headroom),
                number("pkts_num_hdrm_partial", pool.partial, SiliconQuantity::headroom_last)})
      params.push_back(std::move(param));
    add("hdrm_pool_size", std::move(params));
  }
  void add_with_cell(const std::string& name, Params params, const Params& more) {
    params.insert(params.end(), more.begin(), more.end());
    params.push_back(number("cell_size", cell()));
    add(name, std::move(params));
  }
  void add_watermarks() {
    const QosGroupCounts& group = counts_.groups.front();
    const std::uint64_t in_minimum = packets_in(profile_of(group.pg).private_cells);
    const QosParam xoff = number("pkts_num_trig_pfc", group.xoff, SiliconQuantity::xoff);
    const QosParam drop =
        number("pkts_num_trig_ingr_drp", group.first_drop, SiliconQuantity::first_drop);
    add_with_cell(
        "wm_pg_shared_lossless", start_of(group.pg),
        {number("pkts_num_fill_min", in_minimum), xoff, number("packet_size", qos_packet.count())});
    add_with_cell("wm_pg_headroom", start_of(group.pg), {xoff, drop});
    add_with_cell("wm_q_shared_lossless", queue_alone(group.pg),
                  {number("pkts_num_fill_min", 0), drop});
    add_with_cell("wm_buf_pool_lossless", with_queue(group.pg),
                  {number("pkts_num_fill_ingr_min", in_minimum), number("pkts_num_fill_egr_min", 0),
                   xoff, drop});
    add_with_cell("pg_drop", with_queue(group.pg),
                  {xoff, drop, number("pkts_num_margin", drop_margin),
                   number("iterations", drop_iterations)});
  }
  void add_lossy() {
    if (!counts_.lossy_drop) return;
    const ProbePg& pg = *bench_.lossy;
    const QosParam drop =
        number("pkts_num_trig_egr_drp", *counts_.lossy_drop, SiliconQuantity::lossy_drop);
    const std::uint64_t in_group = packets_in(profile_of(pg).private_cells),
                        in_queue = packets_in(lossy_queue().minimum);
    Params params = start_of(pg);
    params.push_back(drop);
    add("lossy_queue_1", std::move(params));
    add_with_cell(
        "wm_pg_shared_lossy", start_of(pg),
        {number("pkts_num_fill_min", in_group), drop, number("packet_size", qos_packet.count())});
    add_with_cell("wm_q_shared_lossy", queue_alone(pg),
                  {number("pkts_num_fill_min", in_queue), drop});
    add_with_cell("wm_buf_pool_lossy", with_queue(pg),
                  {number("pkts_num_fill_ingr_min", in_group),
                   number("pkts_num_fill_egr_min", in_queue), drop});
  }

  const SonicImport& import_;
  const Chip& chip_;
  const PortId port_;
  const Classes classes_;
  const ProbeBench bench_;
  const QosCounts counts_;
  QosBlock block_;
};

// The fills as the test makes them: the last packet is a fill of its own.
QosSection section_of(const QosFills& fills, const Classes& classes, const Chip& chip,
                      PortId egress) {
  std::vector<ProbePg> pgs = fills.pgs;
  std::vector<std::uint64_t> counts = fills.xoff;
  --counts.back();
  pgs.push_back(pgs.back());
  counts.push_back(1);
  std::vector<std::uint64_t> dscps, groups, queues, from;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < pgs.size(); ++i) {
    dscps.push_back(classes.dscp(pgs[i]));
    groups.push_back(pgs[i].pg.count());
    queues.push_back(classes.queue(pgs[i].pg));
    from.push_back(pgs[i].port.count());
    sum += counts[i];
  }
  const std::vector<std::uint64_t> to(pgs.size(), egress.count());
  QosSection section;
  section.params = {
      list("dscps", dscps),
      number("ecn", 1),
      list("pgs", groups),
      list("queues", queues),
      list("src_port_i", from),
      list("dst_port_i", to),
      list("pkt_counts", counts, SiliconQuantity::xoff),
      number("shared_limit_bytes", sum * chip.cells(qos_packet).count() * chip.cell.count()),
      number("packet_size", qos_packet.count()),
      number("cell_size", chip.cell.count())};
  section.conditions = {"pgs", "src_port_i", "packet_size"};
  return section;
}

}  // namespace

QosBlock make_qos_block(const SonicImport& import, const Chip& chip, PortId port, unsigned jobs) {
  return Block{import, chip, port, jobs}.made();
}

std::vector<QosSection> make_qos_topology(const SonicImport& import, const Chip& chip, PortId port,
                                          unsigned jobs) {
  const ProbeBench bench = probe_bench(chip, port);
  std::vector<QosSection> sections{{"", {number("cell_size", chip.cell.count())}, {}}};
  for (const QosFills& fills : count_fills(chip, bench, qos_packet, jobs)) {
    QosSection section = section_of(fills, Classes{import, chip}, chip, bench.egress);
    section.name = fmt::format("shared_res_size_{}", sections.size());
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace weir
