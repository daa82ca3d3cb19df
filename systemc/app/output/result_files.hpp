// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "weir/core/errors.hpp"

namespace weir {

/// What makes the result folders of a command, for its messages.
inline constexpr std::string_view made_by_run = "weir run";
inline constexpr std::string_view made_by_any = "weir run, weir sweep or weir size";

/// Errors: ConfigError (key "DIR") when there is no such folder.
void check_result_folder(const std::filesystem::path& folder, std::string_view makers);
/// Contents of a file of a run's result folder that others may have changed: a JSON object as a run
/// writes it, with as many values and levels as can be worked with, and integers only.
/// Errors: ConfigError (key "DIR") when there is none, or anything else.
[[nodiscard]] std::string read_result(const std::filesystem::path& folder, const std::string& file,
                                      std::string_view makers);
/// Throws a ConfigError (key "DIR") about the results that `of` names.
[[noreturn]] void refuse_results(const std::string& of, const std::string& why);
[[noreturn]] void refuse_results(const std::string& of, const nlohmann::json::exception& why);

/// What `use` returns, which reads the contents of such files; `of` names these for a message.
/// Errors: ConfigError (key "DIR") when `use` throws because a value is absent or of another kind.
template <class Use>
[[nodiscard]] auto use_results(const std::string& of, const Use& use) {
  try {
    return use();
  } catch (const nlohmann::json::exception& error) {
    refuse_results(of, error);
  } catch (const ModelError& error) {
    refuse_results(of, error.what());
  }
}

}  // namespace weir
