// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "weir/core/errors.hpp"

namespace weir {

/// A pipe or a device takes nothing and the end of the program is asked for (hurry_outputs): what
/// it has got is not whole. Other outputs may well be.
class OutputGivenUp : public ModelError {
 public:
  using ModelError::ModelError;
};

/// Who has chosen the name of a file, and so what a link, a pipe or a device of that name means.
enum class NamedBy : bool {
  user,     ///< A link is followed, a pipe or device is written to.
  program,  ///< Whatever has the name is replaced: another user may have put it there.
};

/// A file that is there as it was or whole, at every moment and after a crash: it is written under
/// a hidden name in the same folder, `.NAME.draft-*`, and commit() gives it its name by one rename.
/// A draft whose process was killed is removed by the next OutputFile of the same name; a lock on
/// it says that its process lives.
///
/// A symbolic link that a user names is followed; what exists and is not a regular file (a device,
/// a pipe), and what stdout or stderr leads to, is opened and written. Of a name that the program
/// has chosen the entry itself is replaced, whatever it is; a folder is refused.
///
/// Errors: ConfigError (key `option`) from the constructor when the file cannot be made; ModelError
///         from commit() when anything could not be written, OutputGivenUp when it is given up.
class OutputFile {
 public:
  OutputFile(std::string option, const std::filesystem::path& file, NamedBy by);
  /// Of a name that the user has chosen.
  OutputFile(std::string option, const std::filesystem::path& file);
  /// Without commit() the draft is removed and the file is as it was.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;

  void write(std::string_view text);
  /// For a library that makes the file by a name: where it has to write, in place of write(), and
  /// be done before commit(). Names that it makes by adding to this one are cleared up like the
  /// draft. Errors: ConfigError when there is no such place: a device or a pipe.
  [[nodiscard]] std::filesystem::path path_for_library();
  void commit();

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// The whole file in one go. Errors: as OutputFile.
void write_file(const std::string& option, const std::filesystem::path& file,
                std::string_view contents, NamedBy by);
/// Of a name that the user has chosen.
void write_file(const std::string& option, const std::filesystem::path& file,
                std::string_view contents);

}  // namespace weir
