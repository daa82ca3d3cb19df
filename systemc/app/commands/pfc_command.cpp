// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "html/graph_layout.hpp"
#include "html/pfc_page.hpp"
#include "output/screen.hpp"
#include "text/exit_codes.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "text/pfc_text.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/headroom/cable.hpp"
#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir {
namespace {

// Values of --stamps.
constexpr const char* of_first_bit = "first";
constexpr const char* of_last_bit = "last";

struct PfcOptions {
  std::vector<std::string> captures, dscp;
  std::string rate, response, delay, storm, history, stamps{of_first_bit}, html;
  bool json{false}, timeline{false};
};

constexpr std::size_t flows_of_a_page = 2000;

constexpr const char* pfc_about =
    "Find out from captures (pcap, pcapng) who paused whom, for how long, and what is wrong";
constexpr const char* pfc_footer =
    R"(Captures of a switch's or NIC's port, both directions: each class's pauses as the paused end counts
them, who paused whom first, frames after the response limit, XON that never came, storms, illegal
frames (docs/guide/pfc.md). Captures of weir run --pcap say speed, cable and clocks themselves.

Examples:
  weir pfc tor-eth0.pcapng nic.pcapng --rate 100G --delay "50 ns"
  weir pfc capture.pcap --rate 25G --dscp 26=3 --timeline
  weir pfc results/incast_star16_dt_trident2/pfc.pcapng --html pfc.html)";

template <class T, class Parse>
std::optional<T> value_of(const char* option, const std::string& text, Parse&& parse,
                          std::string_view legal) {
  if (text.empty()) return std::nullopt;
  const std::optional<T> value = parse(text);
  if (!value) throw ConfigError{option, "\"" + text + "\"", std::string{legal}};
  return value;
}

std::optional<Picoseconds> time_of_option(const char* option, const std::string& text) {
  const auto time = value_of<Picoseconds>(option, text, parse_time, legal::time);
  if (time && max_duration < *time) throw ConfigError(option, text, std::string{legal::duration});
  return time;
}

// "26=3"
std::pair<int, Priority> dscp_rule(const std::string& text) {
  const std::size_t at = text.find('=');
  const auto dscp = parse_count(text.substr(0, at));
  const auto priority = at == std::string::npos ? std::nullopt : parse_count(text.substr(at + 1));
  if (!dscp || !priority || 63 < *dscp || priorities <= *priority)
    throw ConfigError{"--dscp", "\"" + text + "\"",
                      "must be a DSCP from 0 to 63 and a class from 0 to 7, such as \"26=3\""};
  return {static_cast<int>(*dscp), Priority{static_cast<std::uint8_t>(*priority)}};
}

void add_dscp_rule(const std::string& text, std::map<int, Priority>& class_of_dscp) {
  const auto [dscp, priority] = dscp_rule(text);
  const auto [place, is_new] = class_of_dscp.emplace(dscp, priority);
  if (!is_new && place->second != priority)
    throw ConfigError{"--dscp", "\"" + text + "\"",
                      "contradicts \"" + std::to_string(dscp) + "=" +
                          std::to_string(place->second.count()) + "\", which is given, too"};
}

PfcAssumptions assumptions_of(const PfcOptions& options) {
  PfcAssumptions assumptions;
  assumptions.rate = value_of<BitRate>("--rate", options.rate, parse_rate, legal::rate);
  assumptions.response =
      value_of<ResponseTime>("--response", options.response, parse_response, legal::response);
  assumptions.delay = time_of_option("--delay", options.delay);
  assumptions.storm = time_of_option("--storm", options.storm);
  assumptions.poll = time_of_option("--history", options.history);
  if (assumptions.poll == Picoseconds{0})
    throw ConfigError{"--history", "\"" + options.history + "\"", "must be longer than 0"};
  assumptions.stamps_are_of_last_bit = options.stamps == of_last_bit;
  for (const std::string& rule : options.dscp) add_dscp_rule(rule, assumptions.class_of_dscp);
  return assumptions;
}

std::string title_of(const PfcOptions& options) {
  const auto name_of = [](const std::string& capture) {
    return std::filesystem::path{capture}.filename().string();
  };
  std::map<std::string, std::size_t> times;
  for (const std::string& capture : options.captures) ++times[name_of(capture)];
  std::string title = "PFC in";
  for (const std::string& capture : options.captures) {
    const std::string name = name_of(capture);
    title += (title == "PFC in" ? " " : ", ") + (times[name] == 1 ? name : capture);
  }
  return title;
}

// A page of more would not be read to its end.
PfcReport for_page(PfcReport report) {
  report.flows.resize(std::min(report.flows.size(), flows_of_a_page));
  report.findings.resize(std::min(report.findings.size(), flows_of_a_page));
  return report;
}

int analyse(const PfcOptions& options) {
  FileRoles roles;
  for (const std::string& capture : options.captures) roles.reads_once("CAPTURE", capture);
  if (!options.html.empty()) roles.writes("--html", options.html);
  PfcForensics forensics{assumptions_of(options)};
  for (const std::string& capture : options.captures) forensics.read(capture);
  const PfcReport report = forensics.finish();
  if (!options.html.empty())
    write_file("--html", options.html,
               pfc_page(title_of(options),
                        JsonTree::parse(json_document(to_json(for_page(report)), -1)).root(),
                        {report.flows.size(), report.findings.size()}, lay_out_by_dot));
  if (options.json)
    print_json(json_document(to_json(report), 1));
  else
    print("{}", to_text(report, options.timeline));
  return report.bad() ? 1 : 0;
}

}  // namespace

void add_pfc_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("pfc", pfc_about);
  command->footer(with_exit_codes(pfc_footer, {"good", "a fault was found"}));
  const auto options = std::make_shared<PfcOptions>();
  command->add_option("CAPTURE", options->captures, "Captures with one clock")->required();
  command->add_option("--rate", options->rate, "Speed of interfaces whose capture does not say it")
      ->type_name("RATE");
  command
      ->add_option(
          "--response", options->response,
          "Response time of the paused ends in quanta, or a time (default: limit of the speed)")
      ->type_name("QUANTA|TIME");
  command
      ->add_option("--delay", options->delay,
                   fmt::format("From end to end of the cable, {} a metre (default: 0)",
                               format_quantity(usual_delay_per_metre)))
      ->type_name("TIME");
  command
      ->add_option(
          "--stamps", options->stamps,
          fmt::format("Which bit of a frame its time stamp refers to ({})", options->stamps))
      ->check(CLI::IsMember({of_first_bit, of_last_bit}));
  command
      ->add_option("--dscp", options->dscp,
                   "Class of untagged frames with this DSCP (default: its upper three bits)")
      ->type_name("DSCP=CLASS");
  command
      ->add_option("--storm", options->storm,
                   fmt::format("Shortest pause without XON that is a storm (default: two frames "
                               "of {} quanta)",
                               max_quanta.count()))
      ->type_name("TIME");
  command
      ->add_option(
          "--history", options->history,
          "Compare with the PFC history of SONiC, which polls so often; its period is 100 ms")
      ->type_name("TIME");
  command->add_flag("--timeline", options->timeline, "Print each pause");
  command->add_option("--html", options->html, "Write a page as well")->type_name("FILE.html");
  command->add_flag("--json", options->json, "For machines: JSON on stdout");
  command->callback([options, &exit_code] { exit_code = analyse(*options); });
}

}  // namespace weir
