// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "weir/config/files/file_roles.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/config/sweep/sweep.hpp"

namespace weir {

/// The folder of a sweep's results, held by one process at a time. It is made when it is not there.
///
/// Errors: ConfigError (key "--out"): it cannot be made, holds what no sweep has written, or
/// another
///         process is at it.
class SweepFolder {
 public:
  explicit SweepFolder(const std::filesystem::path& folder);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return path_ / result_names::sweep; }
  [[nodiscard]] std::filesystem::path page() const { return path_ / result_names::page; }
  /// Takes away what an earlier sweep has left.
  void clear() const;
  /// Takes the folder away again if this process made it: nothing is left of a sweep that did not
  /// start.
  void abandon() noexcept;

 private:
  void check_contents() const;
  void lock();

  const std::filesystem::path path_;
  bool made_{false};
  int lock_{-1};
};

/// What a sweep reads, and, as `--out`, what it writes into its folder and takes away there.
/// Errors: ConfigError when both are one file.
[[nodiscard]] FileRoles roles_of_sweep(const Sweep& sweep, const std::filesystem::path& folder);
/// Who reads the folder of a sweep leaves all of its files as they are, those that it does not look
/// at as well, but for the file `own`, which it writes again (empty: none).
void keep_sweep(FileRoles& roles, const std::filesystem::path& folder, std::string_view own);

}  // namespace weir
