// SPDX-License-Identifier: Apache-2.0
#include "output_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& target, const std::string& why) {
  throw ConfigError{"--out", target.string(), why};
}

void check_replaceable(const fs::path& target,
                       const std::vector<std::pair<std::string, std::string>>& files) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) refuse(target, "is there already and is no folder");
  for (const fs::directory_entry& entry : fs::directory_iterator(target, error)) {
    const std::string name = entry.path().filename().string();
    const bool known = std::any_of(files.begin(), files.end(),
                                   [&](const auto& file) { return file.first == name; });
    if (!known)
      refuse(target, "holds \"" + name + "\", which an import does not write; name another folder");
  }
  if (error) refuse(target, "cannot be read: " + error.message());
}

}  // namespace

void write_folder(const fs::path& target,
                  const std::vector<std::pair<std::string, std::string>>& files) {
  fs::path whole = fs::absolute(target).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  if (!whole.has_filename()) refuse(target, "must name a folder");
  check_replaceable(whole, files);
  const fs::path draft = whole.parent_path() /
                         ("." + whole.filename().string() + ".draft-" + std::to_string(getpid()));
  std::error_code error;
  fs::create_directories(draft, error);
  bool good = !error;
  for (const auto& [name, contents] : files) {
    std::ofstream out{draft / name, std::ios::binary};
    out << contents;
    out.close();
    good = good && static_cast<bool>(out);
  }
  if (good) fs::remove_all(whole, error);
  if (good && !error) fs::rename(draft, whole, error);
  if (!good || error) {
    std::error_code ignored;
    fs::remove_all(draft, ignored);
    refuse(target, "cannot be written");
  }
}

}  // namespace weir
