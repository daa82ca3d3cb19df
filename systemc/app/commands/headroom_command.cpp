// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "commands.hpp"
#include "headroom_against.hpp"
#include "headroom_verify.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "text/exit_codes.hpp"
#include "text/headroom_report.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/chip_memory.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/core/printable.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

constexpr const char* headroom_about =
    "Compute the headroom of a port by each method, every term with its source";
constexpr const char* headroom_footer =
    R"(--method sonic prints both forms of SONiC.
--memory, or a chip file, also shows what all ports take of the memory: dedicated headroom, a shared
pool, DSH's insurance, and what is left for Dynamic Threshold; and the DCQCN thresholds.

Examples:
  weir headroom --rate 100G --cable 300m
  weir headroom --rate "400 Gbps" --cable "40 km" --mtu 1500 --cell 254 --method worst_case --json
  weir headroom --rate 40G --cable 300m --mtu 1500 --memory 12MB --ports 32 --classes 8
  weir headroom --chip arista_7050qx_32 --cable 300m
  weir headroom --verify tomahawk1_32x100g --cable 300m
  weir headroom --against pg_profile_lookup.ini --cell 254)";

constexpr Millimetres verify_cable{300'000};
constexpr const char* sonic_group = "Only for sonic";
constexpr const char* share_group = "Share of the memory of a chip";

// As typed; empty where the option is not given.
struct HeadroomOptions {
  std::string against, verify, chip, rate, cable, ns_per_m, mtu, cell, overhead, clock, response;
  std::optional<std::uint32_t> port, admit, pfc;
  std::string method{"all"};
  std::string lossless_mtu, gearbox;
  std::optional<std::uint32_t> small_packets;
  std::string memory, private_buffer, flight;
  std::optional<std::uint32_t> ports, classes;
  std::uint32_t oversubscription{HeadroomPlan{}.oversubscription}, beta{8};
  bool json{false};
};

// Sets `target` to what `parse` makes of `text`, if the user typed anything.
template <class T, class Parse>
void read(T& target, const char* option, const std::string& text, Parse&& parse,
          std::string_view legal) {
  if (text.empty()) return;
  const auto value = parse(text);
  if (!value) throw ConfigError{option, "\"" + text + "\"", std::string{legal}};
  target = *value;
}

// "9216" means "9216 B".
std::optional<Bytes> to_size(const std::string& text) {
  const auto bytes = parse_bytes(text);
  return bytes ? bytes : parse_bytes(text + "B");
}

void read_port(const HeadroomOptions& options, HeadroomPort& port) {
  constexpr std::string_view size = "must be a size such as \"9216\" or \"9216 B\"";
  read(port.rate, "--rate", options.rate, parse_rate,
       "must be a rate such as \"100G\" or \"100 Gbps\"");
  read(port.cable, "--cable", options.cable, parse_cable, legal::cable);
  read(
      port.delay_per_metre, "--ns-per-m", options.ns_per_m,
      [](const std::string& text) { return parse_time(text + "ns"); },
      "must be a number of nanoseconds such as \"5\" or \"4.9\"");
  read(port.mtu, "--mtu", options.mtu, to_size, size);
  read(port.cell, "--cell", options.cell, to_size, size);
  read(port.cell_overhead, "--overhead", options.overhead, to_size, size);
  read(port.clock, "--clock", options.clock, parse_clock, legal::clock);
  if (options.admit) port.admit_latency = *options.admit;
  if (options.pfc) port.pfc_latency = *options.pfc;
  read(port.sonic.lossless_mtu, "--lossless-mtu", options.lossless_mtu, to_size, size);
  read(port.sonic.gearbox, "--gearbox", options.gearbox, parse_time, legal::time);
  if (options.small_packets) port.sonic.small_packets = *options.small_packets;
  // Quanta are worth a time only at a speed that is one; a chip's response is for its own speed.
  if (!options.rate.empty()) port.response.reset();
  if (!is_port_rate(port.rate))
    throw ConfigError{"--rate", "\"" + options.rate + "\"", legal_port_rates()};
  read(
      port.response, "--response", options.response,
      [&](const std::string& text) -> std::optional<Picoseconds> {
        const auto response = parse_response(text);
        if (!response) return std::nullopt;
        return response_at(*response, port.rate);
      },
      legal::response);
  port.check();
}

Bytes memory_of(const Chip& chip) {
  const std::uint64_t stated = std::uint64_t{chip.memory.count()} * chip.domains;
  return Bytes{(stated != 0 ? stated : cells_taken(chip)) * chip.cell.count()};
}

// What the chip file says; of a port's lossless classes the first.
void read_chip(const HeadroomOptions& options, HeadroomReport& report, HeadroomPlan& plan) {
  const Chip chip = load_chip(file_or_preset("--chip", options.chip, {presets::chips}));
  const std::uint32_t port = options.port.value_or(0);
  if (port >= chip.ports.size()) {
    throw ConfigError{"--port", std::to_string(port),
                      "must be from 0 to " + std::to_string(chip.ports.size() - 1)};
  }
  report.chip = printable_line(chip.name) + ", port " + std::to_string(port);
  report.port = headroom_port(chip, PortId{static_cast<std::uint16_t>(port)}, Millimetres{});
  plan.memory = memory_of(chip);
  plan.ports = static_cast<std::uint32_t>(chip.ports.size());
  plan.classes = 0;
  for (std::uint8_t pg = 0; pg < priorities; ++pg) {
    const auto& index =
        chip.profile_of_pg[pg_index(PortId{static_cast<std::uint16_t>(port)}, Priority{pg})];
    if (!index || !chip.profiles[*index].lossless) continue;
    const Profile& profile = chip.profiles[*index];
    if (plan.classes++ == 0) {
      report.configured = profile.headroom;
      plan.private_buffer = Bytes{profile.private_cells.count() * chip.cell.count()};
    }
  }
  if (plan.classes == 0) {
    throw ConfigError{"--chip", "\"" + options.chip + "\"",
                      "has no lossless profile on port " + std::to_string(port) +
                          ": only a class that pauses needs headroom"};
  }
}

void size_methods(const std::string& chosen, HeadroomReport& report) {
  std::string names = "all";
  for (const HeadroomMethod& method : headroom_methods()) {
    names.append(", ").append(method.name);
    if (chosen != "all" && chosen != method.name && chosen != method.family) continue;
    report.methods.push_back({&method, size_headroom(method.name, report.port), std::nullopt});
  }
  if (report.methods.empty())
    throw ConfigError{"--method", "\"" + chosen + "\"", "must be one of " + names};
}

void add_budget(const HeadroomOptions& options, HeadroomPlan plan, HeadroomReport& report) {
  constexpr std::string_view size = "must be a size such as \"12 MB\" or \"22.4 kB\"";
  read(plan.memory, "--memory", options.memory, to_size, size);
  read(plan.private_buffer, "--private", options.private_buffer, to_size, size);
  if (options.ports) plan.ports = *options.ports;
  if (options.classes) plan.classes = *options.classes;
  plan.oversubscription = options.oversubscription;
  for (SizedMethod& sized : report.methods) {
    plan.headroom = sized.result.bytes;
    sized.budget = headroom_budget(plan);
  }
  report.plan = plan;
  check_range("beta", options.beta, 1, 1024);
  Bytes flight = size_headroom("paper", report.port).bytes;
  read(flight, "--t-flight", options.flight, to_size, size);
  if (!options.flight.empty())
    check_range("t-flight", flight.count(), 0, plan.memory.count(), " B");
  report.dcqcn = {flight, options.beta,
                  dcqcn_thresholds(plan.memory, plan.ports, flight, options.beta)};
}

// Options of one purpose have no effect without it.
void check_purpose(const CLI::App& command, const std::string& group, bool has_it,
                   const std::string& needs) {
  for (const CLI::Option* option : command.get_options())
    if (!has_it && option->get_group() == group && option->count() != 0)
      throw CLI::RequiresError(option->get_name(), needs);
}

void check_purposes(const CLI::App& command, const HeadroomOptions& options) {
  check_purpose(command, share_group, !options.memory.empty() || !options.chip.empty(),
                "--memory or --chip");
  const auto is_sonic = [&](const HeadroomMethod& method) {
    return method.family == "sonic" && (options.method == "all" || options.method == method.name ||
                                        options.method == method.family);
  };
  const auto& methods = headroom_methods();
  const bool is_known = std::any_of(methods.begin(), methods.end(), [&](const auto& method) {
    return options.method == method.name || options.method == method.family;
  });
  // A method that is none has an error of its own.
  check_purpose(command, sonic_group,
                !is_known || std::any_of(methods.begin(), methods.end(), is_sonic),
                "--method sonic");
}

HeadroomReport make_report(const HeadroomOptions& options) {
  HeadroomReport report;
  HeadroomPlan plan;
  if (!options.chip.empty()) read_chip(options, report, plan);
  if (options.chip.empty() && options.rate.empty())
    throw ConfigError{"--rate", "none", std::string{legal::rate} + ", or a chip file with --chip"};
  if (options.cable.empty()) throw ConfigError{"--cable", "none", std::string{legal::cable}};
  try {
    read_port(options, report.port);
    size_methods(options.method, report);
    if (!options.memory.empty() || !options.chip.empty()) add_budget(options, plan, report);
  } catch (const FileError&) {
    throw;
  } catch (const ConfigError& error) {  // the core knows the value, not that it is an option
    if (error.key().rfind("--", 0) == 0) throw;
    throw ConfigError{"--" + error.key(), error.value(), error.legal()};
  }
  return report;
}

// The running model instead of the formulas: an attack on all ports of the chip.
int verify(const HeadroomOptions& options) {
  const Chip chip = load_chip(file_or_preset("--verify", options.verify, {presets::chips}));
  Millimetres cable = verify_cable;
  Picoseconds per_metre = HeadroomPort{}.delay_per_metre;
  read(cable, "--cable", options.cable, parse_cable, legal::cable);
  read(
      per_metre, "--ns-per-m", options.ns_per_m,
      [](const std::string& text) { return parse_time(text + "ns"); },
      "must be a number of nanoseconds such as \"5\" or \"4.9\"");
  const std::vector<HeadroomProof> proofs = verify_headroom(chip, cable, per_metre);
  if (options.json)
    print_json(verification_json(chip, proofs));
  else
    print("{}", verification_text(chip, proofs));
  return verification_exit_code(proofs);
}

void add_verify_option(CLI::App& command, HeadroomOptions& options) {
  command.add_option(
      "--verify", options.verify,
      fmt::format(
          "Chip file: attack it on the running model; exit 1 where its headroom is SHORT, or "
          "worst_case does not suffice or is not tight (--cable: default {}m)",
          verify_cable.count() / 1000));
}

void add_against_option(CLI::App& command, HeadroomOptions& options) {
  command
      .add_option(
          "--against", options.against,
          "Vendor's table (pg_profile_lookup.ini): grade each row by formula and by an attack "
          "on the running model; exit 1 if one drops (--cell: the chip's)")
      ->type_name("FILE");
}

// Speed and cable are those of the rows, and the peers are as slow as the standard allows.
void check_against(const CLI::App& command) {
  for (const CLI::Option* other : command.get_options()) {
    const std::string name = other->get_name();
    const bool fits = name == "--against" || name == "--mtu" || name == "--cell" ||
                      name == "--overhead" || name == "--clock" || name == "--ns-per-m" ||
                      name == "--json" || name == fmt::format("--{}", pipeline::admit.key) ||
                      name == fmt::format("--{}", pipeline::pfc.key);
    if (!fits && other->count() != 0) throw CLI::ExcludesError("--against", name);
  }
}

int grade_table(const HeadroomOptions& options) {
  HeadroomPort port;
  port.rate = BitRate{100'000'000'000};  // each row has its own
  read_port(options, port);
  const std::vector<GradedHeadroom> rows =
      graded(read_published_headroom(options.against, port.cell), port);
  if (options.json)
    print_json(grades_json(rows, port));
  else
    print("{}", grades_text(rows, port));
  return grades_exit_code(rows);
}

// Its attack knows the port from the chip file. Checked here, not with excludes(), which would put
// a list of them with each option in --help.
void check_verify(const CLI::App& command) {
  for (const CLI::Option* other : command.get_options()) {
    const std::string name = other->get_name();
    const bool fits =
        name == "--verify" || name == "--cable" || name == "--ns-per-m" || name == "--json";
    if (!fits && other->count() != 0) throw CLI::ExcludesError("--verify", name);
  }
}

std::string shown(Bytes size) { return std::to_string(size.count()); }
std::string shown(const std::string& text) { return "\"" + text + "\""; }
template <class Number>
std::string shown(Number number) {
  return fmt::format("{}", number);
}

// An option that shows its default, and is decimal where it is an integer.
template <class Value, class Default>
CLI::Option* add_defaulted(CLI::App& command, const std::string& name, Value& value,
                           const std::string& meaning, const Default& usual) {
  CLI::Option* const option =
      command.add_option(name, value, fmt::format("{} (default {})", meaning, shown(usual)));
  if constexpr (!std::is_same_v<Value, std::string>) option->check(whole_number());
  return option;
}

std::string frequency_text(const ClockPeriod& clock) {
  const double period_ps =
      static_cast<double>(clock.numerator()) / static_cast<double>(clock.denominator());
  return fmt::format("{:g} GHz", 1000 / period_ps);
}

void add_port_options(CLI::App& command, HeadroomOptions& options) {
  constexpr std::uint64_t giga = 1'000'000'000;
  command.add_option("--rate", options.rate,
                     fmt::format("Speed of the port, {}G to {}G", min_port_rate.count() / giga,
                                 max_port_rate.count() / giga));
  command.add_option("--cable", options.cable, "Length of the cable: 300m, \"40 km\"");
  const HeadroomPort usual{};
  add_defaulted(command, "--ns-per-m", options.ns_per_m, "Propagation on the cable",
                static_cast<double>(usual.delay_per_metre.count()) / 1000);
  add_defaulted(command, "--mtu", options.mtu, "Largest frame in bytes, FCS included", usual.mtu);
  add_defaulted(command, "--cell", options.cell, "Buffer cell in bytes", usual.cell);
  add_defaulted(command, "--overhead", options.overhead,
                "Metadata in the first cell of a packet, bytes", usual.cell_overhead);
  add_defaulted(command, "--clock", options.clock, "Core clock", frequency_text(usual.clock));
  const auto latency = [&](const PipelineLatency& row, std::optional<std::uint32_t>& value) {
    std::string text{row.meaning};
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    add_defaulted(command, fmt::format("--{}", row.key), value, text, row.usual);
  };
  latency(pipeline::admit, options.admit);
  latency(pipeline::pfc, options.pfc);
  command.add_option("--response", options.response,
                     "Response of the peer in quanta, or a time (default: the limit of the speed, "
                     "where one is known)");
  command.add_option("--method", options.method, "Method to use, or all")->capture_default_str();
  command.add_flag("--json", options.json, "JSON on stdout: bytes, cells and ps as plain numbers");
}

void add_share_options(CLI::App& command, HeadroomOptions& options) {
  const HeadroomPlan usual{};
  CLI::Option* const file =
      command.add_option("--chip", options.chip, "Chip file: gives all of the above but the cable");
  const std::vector<CLI::Option*> added{
      file,
      add_defaulted(command, "--port", options.port, "Port of the chip file", 0)->needs(file),
      command.add_option("--memory", options.memory, "Packet memory: 12MB"),
      add_defaulted(command, "--ports", options.ports, "Ports like this one", usual.ports),
      add_defaulted(command, "--classes", options.classes, "Lossless classes of a port",
                    usual.classes),
      add_defaulted(command, "--private", options.private_buffer, "Private buffer of a class",
                    usual.private_buffer),
      command
          .add_option("--oversubscription", options.oversubscription,
                      "Oversubscription of a shared headroom pool: N to 1")
          ->check(whole_number())
          ->capture_default_str(),
      command.add_option("--t-flight", options.flight, "Input of DCQCN (default: that of paper)"),
      command.add_option("--beta", options.beta, "beta of DCQCN")
          ->check(whole_number())
          ->capture_default_str()};
  for (CLI::Option* const option : added) option->group(share_group);
}

void add_sonic_options(CLI::App& command, HeadroomOptions& options) {
  const SonicSetting sonic{};
  add_defaulted(command, "--lossless-mtu", options.lossless_mtu, "Lossless MTU", sonic.lossless_mtu)
      ->group(sonic_group);
  add_defaulted(command, "--small-packets", options.small_packets,
                "Share of 64 B packets in percent", sonic.small_packets)
      ->group(sonic_group);
  add_defaulted(command, "--gearbox", options.gearbox, "Delay of a gearbox",
                fmt::format("{} ns", sonic.gearbox.count() / 1000))
      ->group(sonic_group);
}

std::string methods_in_order() {
  std::string names;
  for (const HeadroomMethod& method : headroom_methods())
    names += (names.empty() ? "" : ", ") + std::string{method.name};
  return "Methods (docs/guide/headroom.md): " + names + ".\n";
}

}  // namespace

void add_headroom_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<HeadroomOptions>();
  CLI::App& command = *app.add_subcommand("headroom", headroom_about);
  command.footer(
      with_exit_codes(methods_in_order() + headroom_footer,
                      {"good",
                       "--verify found the chip's headroom SHORT, or worst_case not enough "
                       "or not tight;\n    --against found a row that drops"}));
  add_port_options(command, *options);
  add_sonic_options(command, *options);
  add_share_options(command, *options);
  add_verify_option(command, *options);
  add_against_option(command, *options);
  command.callback([options, &command, &exit_code] {
    if (!options->against.empty()) {
      check_against(command);
      exit_code = grade_table(*options);
      return;
    }
    if (!options->verify.empty()) {
      check_verify(command);
      exit_code = verify(*options);
      return;
    }
    check_purposes(command, *options);
    const HeadroomReport report = make_report(*options);
    if (options->json)
      print_json(to_json(report));
    else
      print("{}", to_text(report));
    exit_code = 0;
  });
}

}  // namespace weir
