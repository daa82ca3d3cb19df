// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "weir/core/errors.hpp"

namespace weir {

/// Contents of a file of a run's result folder that others may have changed: JSON as a run writes
/// it, with as many values and levels as can be worked with, and integers only.
/// Errors: ConfigError (key "DIR") when there is none, or anything else.
[[nodiscard]] std::string read_result(const std::filesystem::path& folder, const std::string& file);
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
