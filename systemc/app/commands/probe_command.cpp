// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "probe_qos.hpp"
#include "sonic_arguments.hpp"
#include "text/exit_codes.hpp"
#include "text/json_document.hpp"
#include "text/probe_text.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/silicon/silicon_cases.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/model/probe/silicon_prediction.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

struct ProbeOptions {
  std::string chip, cases, one_case, qos_params, against, out;
  std::vector<std::string> overrides;
  SonicArguments sonic;
  std::uint16_t port{0};
  std::optional<std::uint8_t> pg;
  std::uint64_t packet{min_frame_bytes.count()};
  unsigned jobs{0};
  bool json{false};
};

constexpr const char* probe_about =
    "Count the packets until XOFF, drop and XON while nothing leaves a chip (the silicon test)";
constexpr const char* probe_footer =
    R"(The transmitter of an egress port is switched off. Packets enter one priority group until it sends
XOFF and then drops; then all groups of its memory domain in turn, the shared headroom pool, and a
lossy queue. With --cases, the counts are compared with those published for real chips (docs/measurements/silicon.md).
With --qos-params, the counts of each speed and cable of a SONiC folder are printed as a qos_params file of
sonic-net/sonic-mgmt (docs/guide/sonic.md); --against prints the numbers of such a file that are stale.

Examples (vectors/silicon is in the source tree):
  weir probe arista_7050qx_32
  weir probe CHIP.toml --port 4 --pg 3 --packet 1500 --json
  weir probe --cases vectors/silicon/public.json
  weir probe --cases vectors/silicon/public.json --case td2_any_40g_300m
  weir probe --qos-params DIR --out qos_params.yaml
  weir probe --qos-params DIR --against qos_params.td2.yaml)";

Json or_null(std::uint64_t packet) { return packet == 0 ? Json{} : Json(packet); }

Json to_json(const SiliconComparison& figure) {
  Json json;
  json["case"] = figure.case_id;
  json["quantity"] = figure.quantity;
  json["predicted"] = figure.predicted ? Json(*figure.predicted) : Json{};
  json["measured"] = figure.measured;
  json["difference"] = figure.predicted ? Json(*figure.predicted - figure.measured) : Json{};
  json["verdict"] = figure.verdict;
  return json;
}

Json to_json(const std::vector<ProbePg>& pgs, const ProbeResult& result) {
  Json list = Json::array();
  for (std::size_t i = 0; i < pgs.size(); ++i) {
    const ProbePgResult& pg = result.pgs[i];
    Json json;
    json["port"] = pgs[i].port.count();
    json["pg"] = pgs[i].pg.count();
    json["sent_packets"] = pg.sent;
    json["xoff_packet"] = or_null(pg.xoff);
    json["first_drop_packet"] = or_null(pg.first_drop);
    json["drop_reason"] = pg.first_drop == 0 ? Json{} : Json(std::string{to_string(pg.reason)});
    json["headroom_packets"] = pg.headroom;
    list.push_back(std::move(json));
  }
  return list;
}

Json to_json(const ChipProbe& probe, const Chip& chip, Bytes packet) {
  const std::vector<ProbePg>& all = probe.bench.lossless;
  std::uint64_t total = 0;
  for (const ProbePgResult& pg : probe.to_xoff_then_headroom.pgs) total += pg.headroom;
  Json json;
  json["chip"] = chip.name;
  json["packet_bytes"] = packet.count();
  json["packet_cells"] = chip.cells(packet).count();
  json["egress_port"] = probe.bench.egress.count();
  json["one_pg"] = to_json({all.front()}, probe.one_pg).front();
  const auto& xon = probe.to_xon.xon_dismiss;
  json["xon_dismiss_packets"] = xon ? Json(*xon) : Json{};
  json["each_to_xoff_then_headroom"] = to_json(all, probe.to_xoff_then_headroom);
  json["headroom_total_packets"] = total;
  json["headroom_pool_was_empty"] = probe.to_xoff_then_headroom.pool_was_empty;
  json["each_to_first_drop"] = to_json(all, probe.to_first_drop);
  json["equal_fill"] = to_json(all, probe.equal_fill);
  json["lossy"] = probe.lossy ? to_json({*probe.bench.lossy}, *probe.lossy).front() : Json{};
  return json;
}

// At least the two that every machine of today has room for.
unsigned jobs_of(const ProbeOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(2U, std::thread::hardware_concurrency());
}

std::vector<SiliconCase> chosen_cases(const ProbeOptions& options) {
  std::vector<SiliconCase> cases = read_silicon_cases(options.cases);
  if (options.one_case.empty()) return cases;
  std::vector<std::string> names;
  for (const SiliconCase& silicon : cases) {
    if (silicon.id == options.one_case) return {silicon};
    names.push_back(silicon.id);
  }
  throw ConfigError{"--case", options.one_case, "must be one of " + joined(names)};
}

int probe_cases(const ProbeOptions& options) {
  const std::vector<SiliconComparison> figures =
      predict_silicon(chosen_cases(options), jobs_of(options));
  if (options.json) {
    Json list = Json::array();
    for (const SiliconComparison& figure : figures) list.push_back(to_json(figure));
    print_json(json_document(list, 1));
  } else {
    print("{}", to_text(figures));
  }
  return std::all_of(figures.begin(), figures.end(),
                     [](const SiliconComparison& figure) { return figure.accepted; })
             ? 0
             : 1;
}

int probe_chip_file(const ProbeOptions& options) {
  const Chip chip =
      load_chip(file_or_preset("CHIP", options.chip, {presets::chips}), options.overrides);
  const std::optional<Priority> pg =
      options.pg ? std::optional<Priority>{Priority{*options.pg}} : std::nullopt;
  const Bytes packet{options.packet};
  const ProbeBench bench = probe_bench(chip, PortId{options.port}, pg);
  const ChipProbe probe = probe_chip(chip, bench, packet, jobs_of(options));
  if (options.json)
    print_json(json_document(to_json(probe, chip, packet), 1));
  else
    print("{}", to_text(probe, chip, packet));
  return 0;
}

// No two of a chip, a file of cases, and a SONiC folder; options of folders only with one.
void check_source(const ProbeOptions& options) {
  const int sources =
      int{!options.chip.empty()} + int{!options.cases.empty()} + int{!options.qos_params.empty()};
  if (sources == 0) throw CLI::RequiredError("CHIP.toml, --cases FILE.json or --qos-params DIR");
  if (sources > 1) throw CLI::ExcludesError("--qos-params", "CHIP.toml and --cases");
  if (!options.chip.empty()) options.sonic.refuse("a chip file has", "chip.");
  if (!options.cases.empty()) options.sonic.refuse("each case has its chip", "");
}

int probe(const ProbeOptions& options) {
  check_source(options);
  if (!options.cases.empty()) return probe_cases(options);
  if (options.qos_params.empty()) return probe_chip_file(options);
  return probe_qos({options.qos_params, options.against, options.out, options.sonic.options(),
                    jobs_of(options), options.json});
}

void add_qos_options(CLI::App& command, ProbeOptions& options) {
  auto* const folder =
      command
          .add_option(
              "--qos-params", options.qos_params,
              "SONiC folder: count what the QoS tests of sonic-mgmt count, by speed and cable")
          ->type_name("DIR");
  command
      .add_option("--against", options.against,
                  "Compare with this qos_params file; exit 1 if a number is stale")
      ->type_name("FILE.yaml")
      ->needs(folder);
  command.add_option("--out", options.out, "Write the qos_params file here")
      ->type_name("FILE.yaml")
      ->needs(folder);
  add_sonic_options(command, options.sonic);
}

}  // namespace

void add_probe_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("probe", probe_about);
  const auto options = std::make_shared<ProbeOptions>();
  command->footer(with_exit_codes(
      probe_footer,
      {"good", "a count is outside its bound or was not predicted, or a number is stale"}));
  auto* const chip =
      command->add_option("CHIP", options->chip, "Chip file (docs/reference/chip-format.md)")
          ->type_name("CHIP.toml");
  command
      ->add_option("--set", options->overrides, "Override a key of the chip file; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->needs(chip);
  auto* const cases =
      command->add_option("--cases", options->cases, "Cases with published counts to predict")
          ->type_name("FILE.json")
          ->excludes(chip);
  command->add_option("--case", options->one_case, "Only this case of the file")
      ->type_name("NAME")
      ->needs(cases);
  command
      ->add_option("--port", options->port,
                   fmt::format("Port to begin with (default {})", options->port))
      ->check(whole_number(0, 65'535))
      ->type_name("P")
      ->needs(chip);
  command
      ->add_option("--pg", options->pg, "Lossless priority group to begin with (default: lowest)")
      ->type_name("G")
      ->check(whole_number(0, 7))
      ->needs(chip);
  command
      ->add_option("--packet", options->packet,
                   fmt::format("Frame length in bytes (default {})", options->packet))
      ->type_name("BYTES")
      ->check(whole_number())
      ->needs(chip);
  command->add_option("--jobs", options->jobs, "Simulations at a time (default: processors)")
      ->type_name("N")
      ->check(whole_number(1, 1024));
  command->add_flag("--json", options->json, "For machines: JSON on stdout");
  add_qos_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = probe(*options); });
}

}  // namespace weir
