// SPDX-License-Identifier: Apache-2.0
#include "weir/config/files/file_roles.hpp"

#include <sys/stat.h>

#include "files/draft.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

// One text for all names of a file; none for what is not a file.
std::string identity_of(const std::filesystem::path& file) {
  struct stat there {};
  if (stat(file.c_str(), &there) != 0) return followed(file).string();
  if (!S_ISREG(there.st_mode)) return {};
  return std::to_string(there.st_dev) + ":" + std::to_string(there.st_ino);
}

}  // namespace

void FileRoles::reads(const std::filesystem::path& file) {
  if (std::string identity = identity_of(file); !identity.empty())
    roles_.push_back({std::move(identity), {}});
}

void FileRoles::reads_once(const std::string& option, const std::filesystem::path& file) {
  const std::string identity = identity_of(file);
  for (const Role& role : roles_)
    if (!identity.empty() && role.file == identity)
      throw ConfigError(option, file.string(), "is named twice: its frames would count twice");
  reads(file);
}

void FileRoles::writes(const std::string& option, const std::filesystem::path& file) {
  std::string identity = identity_of(file);
  if (identity.empty()) return;
  for (const Role& role : roles_) {
    if (role.file != identity) continue;
    throw ConfigError(option, file.string(),
                      role.option.empty() ? "is a file that this command reads; name another"
                                          : "is what " + role.option + " writes; name another");
  }
  roles_.push_back({std::move(identity), option});
}

}  // namespace weir
