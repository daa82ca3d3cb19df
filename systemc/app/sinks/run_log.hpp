// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/files/output_file.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// How much is logged; each level holds those before it.
enum class LogLevel : std::uint8_t { error, warning, info, debug };

/// What `weir run` is to log, as written on the command line.
struct LogArguments {
  std::string level;  ///< Empty: warning on the screen, info in a file.
  std::string file;   ///< Empty: stderr.
};

/// The option --log-level.
void add_log_level(CLI::App& command, LogArguments& arguments);

/// Logs what happens in a run, in lines with the simulated time: at `warning` what spoils it
/// (an early end, a trigger that never came), at `info` its beginning and end and the first XOFF,
/// drop and wrong FCS of each node, at `debug` every level, drop and PFC frame.
///
/// The same run gives the same bytes; nothing of the machine's own time is in it.
///
/// A file is written when the log ends, also when that is by an error: then it says what went
/// before.
///
/// Errors: ConfigError (key "--log-file") when the file cannot be made; ModelError from finish()
///         when it cannot be written.
class RunLog final : public Observer {
 public:
  /// `quiet`: nothing below an error goes to stderr.
  RunLog(const LogArguments& arguments, bool quiet);
  ~RunLog() override;

  void line(LogLevel level, Picoseconds time, const std::string& text);
  void finish();

  void refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override;
  void mac_drop(const std::string& switch_name, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override;
  void fcs_error(const std::string& node, PortId port, Picoseconds time) override;
  void level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
             Picoseconds time) override;
  void pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                Picoseconds time) override;

 private:
  [[nodiscard]] bool wants(LogLevel level) const noexcept { return level <= level_; }
  // `info` the first time that this is logged of the node, then `debug`.
  [[nodiscard]] LogLevel first_or_debug(std::string_view what, const std::string& node);

  const LogArguments arguments_;
  LogLevel level_;
  bool finished_{false};
  std::optional<OutputFile> file_;
  std::vector<std::string> said_;
};

}  // namespace weir
