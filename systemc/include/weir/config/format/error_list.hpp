// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/config/format/node.hpp"

namespace weir {

/// Several errors of a configuration. As a FileError it is the first of them; what() is all of
/// them, one a line.
class FileErrors : public FileError {
 public:
  /// Range: at least one, in the order in which they are shown; `left_out`: how many more there
  /// are.
  explicit FileErrors(std::vector<FileError> errors, std::size_t left_out = 0);

  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] const std::vector<FileError>& errors() const noexcept { return errors_; }
  [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

 private:
  std::vector<FileError> errors_;
  std::size_t left_out_;
  std::string text_;
};

/// Collects the errors of a document, so that a reader reports all of them at once. After an error
/// a reader goes on with what does not depend on the refused value.
class ErrorList {
 public:
  /// Runs `read`; an error that it throws is added. Returns whether there was none.
  template <class Read>
  bool attempt(Read&& read) {
    try {
      std::forward<Read>(read)();
      return true;
    } catch (const FileErrors& several) {
      for (const FileError& error : several.errors()) add(error);
      left_out_ += several.left_out();
    } catch (const FileError& error) {
      add(error);
    }
    return false;
  }
  /// The same error of two readers, as of a table that several switches share, counts once. From
  /// the 1,000th on errors are only counted.
  void add(const FileError& error);

  [[nodiscard]] std::size_t size() const noexcept { return errors_.size() + left_out_; }
  /// Errors: FileError, or FileErrors where there are several: first those of --set, then file by
  /// file, sorted by line.
  void check() const;

 private:
  std::vector<FileError> errors_;
  std::set<std::string> texts_;
  std::size_t left_out_{0};
};

}  // namespace weir
