// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/files/output_folder.hpp"

namespace weir {

/// The folder of a run's results, complete or not there, as an OutputFolder. An earlier result
/// folder of the same name is replaced, with the traces that its run wrote into it: its run.json
/// names them.
///
/// Errors: as OutputFolder.
class ResultFolder {
 public:
  /// `files`: names that every result folder may hold.
  ResultFolder(const std::filesystem::path& target, const std::vector<std::string>& files);

  /// The folder as it is named once the run is over.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return folder_.target(); }
  /// Where a file of the results is to be written now. Range: one of the names given.
  [[nodiscard]] std::filesystem::path path_of(std::string_view file) const;
  /// Where a file that a user has named is to be written now: itself, but what is to be in this
  /// folder is written to its draft.
  [[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& file) const;
  void add_file(std::string_view file, const std::string& contents) const;
  /// A file that `write_all` writes piece by piece.
  void add_file(std::string_view file,
                const std::function<void(const OutputFolder::TextSink&)>& write_all) const;
  /// Names in the folder of all that is written by now.
  [[nodiscard]] std::vector<std::string> files() const;
  /// Puts the folder in its place.
  void commit();

 private:
  OutputFolder folder_;
};

}  // namespace weir
