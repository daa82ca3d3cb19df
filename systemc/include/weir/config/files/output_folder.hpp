// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// A folder that is there as it was or whole, at every moment and after a crash: its files are
/// written to a hidden folder next to it, `.NAME.draft-*`, and commit() exchanges the two by one
/// call of the system. A draft whose process was killed is removed by the next OutputFolder of the
/// same name; a lock on it says that its process lives.
///
/// An earlier folder is replaced if it holds nothing but files that may be replaced; what holds
/// anything else, and what is not a folder, is refused and not touched. A symbolic link is
/// followed.
///
/// A file system that cannot exchange two folders (some network and FUSE ones) gets two renames: a
/// crash between them leaves the earlier folder as `.NAME.old-*`, which the next OutputFolder of
/// the same name puts back.
///
/// Errors: ConfigError (key "--out") from the constructor when the folder cannot be made or not
///         replaced; ModelError from add_file() and commit().
class OutputFolder {
 public:
  /// What may be replaced: files of these names, relative to the folder; `hint` ends the message
  /// about any other.
  struct Replaceable {
    std::vector<std::string> files;
    std::string hint;
  };

  OutputFolder(const std::filesystem::path& target, Replaceable replaceable);
  /// Without commit() nothing is left.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Where the folder will be, from the root, links followed.
  [[nodiscard]] const std::filesystem::path& target() const noexcept;
  /// Where a file of the folder is to be written until commit(), by its name in the folder.
  [[nodiscard]] std::filesystem::path path_of(std::string_view file) const;
  /// The name in the folder of a path that leads into its future place; nothing of any other.
  [[nodiscard]] std::optional<std::string> name_of(const std::filesystem::path& path) const;
  void add_file(std::string_view file, std::string_view contents) const;
  /// Takes the next piece of a text.
  using TextSink = std::function<void(std::string_view)>;
  /// A file that `write_all` writes piece by piece, so that it is never in memory as a whole.
  void add_file(std::string_view file, const std::function<void(const TextSink&)>& write_all) const;
  /// Puts the folder in its place.
  void commit();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Removes what processes that were killed have left of `folder`, as the next OutputFolder of the
/// name would.
void clear_dead_drafts_of(const std::filesystem::path& folder);

/// Before the program writes into a folder whose name it has chosen: what has the name and is not
/// a folder is removed, a link, a pipe or a file, as another user may have put it there.
///
/// Errors: ConfigError (key "--out") when it cannot be removed.
void free_name_of_folder(const std::filesystem::path& folder);

}  // namespace weir
