// SPDX-License-Identifier: Apache-2.0
#include "run_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

#include "output/screen.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {
namespace {

constexpr std::array<const char*, 4> names{"error", "warning", "info", "debug"};

LogLevel level_of(const LogArguments& arguments, bool quiet) {
  if (arguments.level.empty()) {
    if (!arguments.file.empty()) return LogLevel::info;
    return quiet ? LogLevel::error : LogLevel::warning;
  }
  const auto found = std::find(names.begin(), names.end(), arguments.level);
  return static_cast<LogLevel>(found - names.begin());
}

// Nanoseconds, exact: columns stay aligned and sort as text does.
std::string stamp(Picoseconds time) {
  return fmt::format("{:>12}.{:03} ns", time.count() / 1000, time.count() % 1000);
}

}  // namespace

void add_log_level(CLI::App& command, LogArguments& arguments) {
  command
      .add_option("--log-level", arguments.level,
                  fmt::format("How much to log: {} (warning on the screen, info in a file)",
                              fmt::join(names, ", ")))
      ->check(CLI::IsMember(names))
      ->type_name("LEVEL");
}

RunLog::RunLog(const LogArguments& arguments, bool quiet)
    : arguments_{arguments}, level_{level_of(arguments, quiet)} {
  if (arguments.file.empty()) return;
  file_.emplace("--log-file", arguments.file);
}

RunLog::~RunLog() {
  if (!file_ || finished_) return;
  try {
    file_->commit();
  } catch (const std::exception&) {
    // The error that ends the run is the one to report.
  }
}

void RunLog::line(LogLevel level, Picoseconds time, const std::string& text) {
  if (!wants(level)) return;
  const std::string whole =
      fmt::format("{}  {:<7}  {}\n", stamp(time), names[static_cast<std::size_t>(level)], text);
  if (file_)
    file_->write(whole);
  else
    print(stderr, "{}", whole);
}

void RunLog::finish() {
  finished_ = true;
  if (file_) file_->commit();
}

LogLevel RunLog::first_or_debug(std::string_view what, const std::string& node) {
  std::string said = std::string{what} + " " + node;
  if (std::find(said_.begin(), said_.end(), said) != said_.end()) return LogLevel::debug;
  said_.push_back(std::move(said));
  return LogLevel::info;
}

void RunLog::refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
                     Picoseconds time) {
  if (!wants(LogLevel::info)) return;
  const LogLevel level = first_or_debug("drop", switch_name);
  if (!wants(level)) return;
  line(
      level, time,
      fmt::format("{}.pg[{}] drops {} B of flow {}: {}", port_name(switch_name, frame.ingress_port),
                  frame.pg, frame.length, frame.flow, to_string(verdict.reason)));
}

void RunLog::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                      MacDrop reason, Picoseconds time) {
  if (!wants(LogLevel::info)) return;
  const LogLevel level = first_or_debug(to_string(reason), switch_name);
  if (!wants(level)) return;
  line(level, time,
       fmt::format("{} drops {} B of flow {}: {}", port_name(switch_name, port), frame.length,
                   frame.flow, to_string(reason)));
}

void RunLog::fcs_error(const std::string& node, PortId port, Picoseconds time) {
  if (!wants(LogLevel::info)) return;
  const LogLevel level = first_or_debug("fcs", node);
  if (wants(level)) line(level, time, port_name(node, port) + " ignores a frame with a wrong FCS");
}

void RunLog::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                   Picoseconds time) {
  if (!wants(LogLevel::info)) return;
  const LogLevel level = first_or_debug("level", switch_name);
  if (wants(level))
    line(level, time,
         fmt::format("{}.pg[{}] goes to {}", port_name(switch_name, port), pg.count(),
                     xoff ? "XOFF" : "XON"));
}

void RunLog::pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                      Picoseconds time) {
  if (!wants(LogLevel::debug)) return;
  std::string classes;
  for (std::size_t n = 0; n < priorities; ++n)
    if ((frame.class_enable >> n & 1U) != 0)
      classes += fmt::format(" {}:{}", n, frame.time[n].count());
  line(LogLevel::debug, time,
       fmt::format("{} sends PFC, class:quanta{}", port_name(node, port), classes));
}

}  // namespace weir
