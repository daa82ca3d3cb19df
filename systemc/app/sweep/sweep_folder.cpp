// SPDX-License-Identifier: Apache-2.0
#include "sweep_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "sweep/array_scheduler.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/config/format/document.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::vector<std::string> all_files() {
  namespace names = result_names;
  std::vector<std::string> files{names::sweep, names::run,   names::page,
                                 names::plan,  names::tasks, names::points};
  for (const char* const ending : {names::log_ending, names::index_ending, names::journal_ending})
    files.push_back(std::string{names::sweep} + ending);
  for (const ArrayScheduler& scheduler : array_schedulers()) files.emplace_back(scheduler.engine);
  return files;
}

const std::vector<std::string>& known_files() {
  static const std::vector<std::string> files = all_files();
  return files;
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw ConfigError("--out", folder.string(), why);
}

// What a killed sweep was about to write.
bool is_draft(const std::string& name) {
  return std::any_of(known_files().begin(), known_files().end(), [&](const std::string& file) {
    return name.rfind("." + file + ".draft-", 0) == 0;
  });
}

bool is_known_file(const std::string& name) {
  return std::find(known_files().begin(), known_files().end(), name) != known_files().end() ||
         is_draft(name);
}

}  // namespace

SweepFolder::SweepFolder(const fs::path& folder) : path_{folder} {
  if (folder.empty()) refuse(folder, "must name a folder");
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (fs::exists(status) && !fs::is_directory(status))
    refuse(path_, "is there already and is not a folder");
  made_ = !fs::exists(status);
  if (made_ && (!fs::create_directories(path_, error) || error))
    refuse(path_, "cannot be made: " + error.message());
  try {
    lock();
    check_contents();
  } catch (...) {
    abandon();
    throw;
  }
}

SweepFolder::~SweepFolder() {
  if (lock_ >= 0) close(lock_);
}

// The children of a sweep that was killed hold its lock until they are gone, too: a moment.
void SweepFolder::lock() {
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) refuse(path_, "cannot be read");
  for (int tries = 0; flock(lock_, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (tries == 100) refuse(path_, "another sweep is writing to it");
    std::this_thread::sleep_for(20ms);
  }
  if (access(path_.c_str(), W_OK | X_OK) != 0) refuse(path_, "cannot be written");
}

void SweepFolder::check_contents() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (!is_known_file(name))
      refuse(path_, "is not a result folder of a sweep (it holds \"" + name + "\"); name another");
  }
  if (error) refuse(path_, "cannot be read: " + error.message());
}

void SweepFolder::clear() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error))
    fs::remove_all(entry.path(), error);
  if (error) refuse(path_, "cannot be cleared: " + error.message());
}

void SweepFolder::abandon() noexcept {
  std::error_code ignored;
  if (made_) fs::remove(path_, ignored);  // only when it is empty
}

FileRoles roles_of_sweep(const Sweep& sweep, const fs::path& folder) {
  FileRoles roles;
  for (const fs::path& file : files_of_document(sweep.file, {})) roles.reads(file);
  for (const SweepScenario& scenario : sweep.scenarios)
    for (const fs::path& file : files_of_document(scenario.file, {})) roles.reads(file);
  for (const std::string& file : known_files()) roles.writes("--out", folder / file);
  return roles;
}

void keep_sweep(FileRoles& roles, const fs::path& folder, std::string_view own) {
  for (const std::string& file : known_files())
    if (file != own) roles.reads(folder / file);
}

}  // namespace weir
