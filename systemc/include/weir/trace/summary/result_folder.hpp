// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace weir {

/// The folder of a run's results, complete or not there: everything is written to a hidden folder
/// beside it, and commit() gives that its name. Without commit() nothing is left behind.
///
/// An earlier result folder of the same name is replaced. Anything else in its place (a file, a
/// folder that holds what no run has written) is refused, never touched.
///
/// Errors: the constructor throws ConfigError (key "--out") when the folder cannot be made;
/// add_file()
///         and commit() throw ModelError.
class ResultFolder {
 public:
  explicit ResultFolder(const std::filesystem::path& target);
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  /// Where a file of the results is to be written now. Range: one of the names in
  /// docs/reference/results.md.
  [[nodiscard]] std::filesystem::path path_of(std::string_view file) const;
  void add_file(std::string_view file, const std::string& contents) const;
  /// Puts the folder in its place.
  void commit();

 private:
  std::filesystem::path target_, draft_;
  bool committed_{false};
};

}  // namespace weir
