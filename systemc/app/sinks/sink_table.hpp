// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sink.hpp"
#include "weir/config/files/file_roles.hpp"

namespace weir {

struct SinkRow;
using SinkMaker = std::unique_ptr<Sink> (*)(CLI::App& command, const SinkRow& row);

/// One thing that `weir run` can write. The command line, the observers of a run and the check of
/// an earlier result folder all come from the table of these.
struct SinkRow {
  const char* name;
  const char* option;  ///< Option that asks for the sink; nullptr: always written.
  const char* value;   ///< What the option takes, as help shows it.
  const char* help;
  /// Names of its files in a result folder, unless the option gives another.
  std::vector<std::string> files;
  SinkMaker make;
};

/// In the order in which sinks see events and are completed.
[[nodiscard]] const std::vector<SinkRow>& sink_table();

/// Names of a result folder that a run may replace.
[[nodiscard]] std::vector<std::string> files_of_sinks();

/// Who reads a result folder of weir run leaves all of its files as they are, those that it does
/// not look at as well, but for the file `own`, which it writes again (empty: none).
void keep_results(FileRoles& roles, const std::filesystem::path& folder, std::string_view own);

}  // namespace weir
