// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/result_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

// What runs write; a folder that holds anything else is not ours to replace.
constexpr std::array<std::string_view, 6> known_files{
    "summary.json", "run.json", "events.sqlite", "pfc.pcapng", "report.json", "report.html"};

[[noreturn]] void refuse(const fs::path& target, const std::string& why) {
  throw ConfigError("--out", target.string(), why);
}

void check_replaceable(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse(target, "is there already and is no folder");
  for (const fs::directory_entry& entry : fs::directory_iterator(target, error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(known_files.begin(), known_files.end(), name) == known_files.end())
      refuse(target, "is no result folder of a run (it holds \"" + name +
                         "\"); name a folder that is new or that an earlier run has written");
  }
  if (error) refuse(target, "cannot be read: " + error.message());
}

// The path without a slash at its end, from the root: a sibling of it can be named.
fs::path cleaned(const fs::path& target) {
  if (target.empty()) refuse(target, "must name a folder");
  fs::path path = fs::absolute(target).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (!path.has_filename()) refuse(target, "must name a folder that can be replaced");
  return path;
}

fs::path sibling(const fs::path& target, const std::string& what) {
  return target.parent_path() /
         ("." + target.filename().string() + "." + what + "-" + std::to_string(getpid()));
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& target)
    : target_{cleaned(target)}, draft_{sibling(target_, "draft")} {
  check_replaceable(target_);
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (!error) fs::remove_all(draft_, error);
  if (!error) fs::create_directory(draft_, error);
  if (error) refuse(target, "cannot be made: " + error.message());
  try {
    add_file("run.json", "");  // a folder that exists may still refuse files
  } catch (const ModelError&) {
    fs::remove_all(draft_, error);
    refuse(target, "cannot be written");
  }
}

ResultFolder::~ResultFolder() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(draft_, ignored);
}

fs::path ResultFolder::path_of(std::string_view file) const { return draft_ / file; }

void ResultFolder::add_file(std::string_view file, const std::string& contents) const {
  std::ofstream out{path_of(file), std::ios::binary | std::ios::trunc};
  out << contents;
  out.close();
  if (!out) throw ModelError(path_of(file).string() + ": cannot be written");
}

void ResultFolder::commit() {
  std::error_code error;
  check_replaceable(target_);
  const fs::path old = sibling(target_, "old");
  const bool replaces = fs::exists(target_);
  if (replaces) fs::rename(target_, old, error);
  if (!error) fs::rename(draft_, target_, error);
  if (error) throw ModelError(target_.string() + ": cannot be put in place: " + error.message());
  committed_ = true;
  if (replaces) fs::remove_all(old, error);
}

}  // namespace weir
