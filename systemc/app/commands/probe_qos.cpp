// SPDX-License-Identifier: Apache-2.0
#include "probe_qos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "output/screen.hpp"
#include "qos_blocks.hpp"
#include "text/counted.hpp"
#include "text/json_document.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/sonic/qos_params.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

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
  params.cells_per_packet = chip.cells(qos_packet).count();
  const std::vector<PortId> ports = ports_to_probe(import, chip);
  if (ports.empty())
    throw ConfigError{"--qos-params", options.folder, "has no port with a lossless priority group"};
  for (const PortId port : ports)
    params.blocks.push_back(make_qos_block(import, chip, port, options.jobs));
  params.topology = make_qos_topology(import, chip, ports.front(), options.jobs);
  return params;
}

Json to_json(const std::vector<QosSection>& sections) {
  Json all = Json::object();
  for (const QosSection& section : sections) {
    Json& keys = section.name.empty() ? all : all[section.name];
    for (const QosParam& param : section.params)
      keys[param.key] = param.is_list ? Json(param.values) : Json(param.values.front());
  }
  return all;
}

Json to_json(const QosParams& params) {
  Json blocks = Json::object();
  for (const QosBlock& block : params.blocks) blocks[block.name] = to_json(block.sections);
  return {{"asic", params.asic},
          {"packet_bytes", qos_packet.count()},
          {"topology", to_json(params.topology)},
          {"blocks", blocks}};
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
  print("{} compared, {} stale\n", counted(comparison.compared, "number"), comparison.stale.size());
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
    print_json(json_document(to_json(params), 1));
  else if (options.out.empty())
    print("{}", to_yaml(params));
  else
    print("{}\n", options.out);
  return 0;
}

}  // namespace weir
