// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace weir {

/// The files that one command reads and writes: no output may be an input or a second output. Links
/// to one file are that file; devices and pipes may be named as often as one likes.
class FileRoles {
 public:
  void reads(const std::filesystem::path& file);
  /// The same for a file that counts each time that it is named. Errors: ConfigError (key `option`)
  /// when the file is named already.
  void reads_once(const std::string& option, const std::filesystem::path& file);
  /// Errors: ConfigError (key `option`) when the file is read, or written for another option.
  void writes(const std::string& option, const std::filesystem::path& file);

 private:
  struct Role {
    std::string file;    // the same text for every name of it
    std::string option;  // of an output; empty: an input
  };
  std::vector<Role> roles_;
};

}  // namespace weir
