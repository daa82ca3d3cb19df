// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::fuzz {

/// The folder of this process for inputs that are read from files, in the temporary folder; it is
/// removed when the process ends. chips, scenarios and workloads lead to those of vectors, so that
/// a file in `fuzzed` may name "../chips/arista_7050qx_32.toml" as those of vectors do.
///
/// Errors: std::runtime_error when the process was not started in the source tree.
class Scratch {
 public:
  [[nodiscard]] static const Scratch& folder();

  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// The file `name` of `fuzzed`, with these contents.
  [[nodiscard]] std::filesystem::path file(const std::string& name,
                                           std::string_view contents) const;
  /// A folder in `fuzzed` that holds these files and no others.
  [[nodiscard]] std::filesystem::path folder_of(
      const std::string& name,
      const std::vector<std::pair<std::string, std::string_view>>& files) const;

 private:
  Scratch();

  const std::filesystem::path root_;
};

/// Several files in one input: each begins after a line "== NAME" of one of `names`; what is before
/// the first such line belongs to the first name. Any input is legal. A file that is named twice is
/// there once, as the last one.
[[nodiscard]] std::vector<std::pair<std::string, std::string_view>> files_of(
    std::string_view input, const std::vector<std::string>& names);

}  // namespace weir::fuzz
