// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/error_list.hpp"

#include <algorithm>
#include <string_view>

namespace weir {
namespace {

constexpr std::string_view overrides = "--set";
constexpr std::size_t max_errors = 1000;  // that are shown

}  // namespace

FileErrors::FileErrors(std::vector<FileError> errors, std::size_t left_out)
    : FileError{errors.front()}, errors_{std::move(errors)}, left_out_{left_out} {
  for (const FileError& error : errors_)
    text_ += (text_.empty() ? "" : "\n") + std::string{error.what()};
  if (left_out_ != 0) text_ += "\n" + std::to_string(left_out_) + " more errors";
}

void ErrorList::add(const FileError& error) {
  if (errors_.size() == max_errors)
    ++left_out_;
  else if (texts_.insert(error.what()).second)
    errors_.push_back(error);
}

void ErrorList::check() const {
  if (errors_.empty()) return;
  if (errors_.size() == 1) throw FileError{errors_.front()};
  std::vector<std::string_view> files{overrides};  // in the order in which they were read
  for (const FileError& error : errors_)
    if (std::find(files.begin(), files.end(), error.origin().file) == files.end())
      files.emplace_back(error.origin().file);
  const auto place = [&](const FileError& error) {
    const auto file = std::find(files.begin(), files.end(), error.origin().file);
    return std::pair{file - files.begin(), error.origin().line};
  };
  std::vector<FileError> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const FileError& a, const FileError& b) { return place(a) < place(b); });
  throw FileErrors{std::move(sorted), left_out_};
}

}  // namespace weir
