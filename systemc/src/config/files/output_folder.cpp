// SPDX-License-Identifier: Apache-2.0
#include "weir/config/files/output_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "files/draft.hpp"
#include "weir/config/files/output_error.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& target, const std::string& why) {
  throw ConfigError{"--out", target.string(), why};
}

bool is_missing(const fs::path& path) {
  std::error_code ignored;
  return !fs::exists(fs::symlink_status(path, ignored));
}

fs::path place_of(const fs::path& target) {
  if (target.empty()) refuse(target, "must name a folder");
  fs::path path = followed(target);
  if (!path.has_filename()) refuse(target, "must name a folder that can be replaced");
  return path;
}

// A folder may be replaced when it is on the way to a file that may be.
bool may_go(const std::string& name, bool folder, const std::vector<std::string>& files) {
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return folder ? file.compare(0, name.size() + 1, name + "/") == 0 : file == name;
  });
}

// The draft and the earlier folder change places, or where that cannot be done at once, one after
// the other: then the earlier one has its hidden name between two calls only, locked.
void exchange(const fs::path& draft, const fs::path& target) {
  if (renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP && errno != EXDEV) throw_errno();
  const Descriptor old{open(target.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!old.good()) throw_errno();
  flock(old.number(), LOCK_EX | LOCK_NB);
  const fs::path hidden = free_sibling(target, "old");
  fs::rename(target, hidden);
  fs::rename(draft, target);
  std::error_code ignored;
  fs::remove_all(hidden, ignored);
}

}  // namespace

class OutputFolder::State {
 public:
  State(const fs::path& target, Replaceable replaceable)
      : named_{target}, target_{place_of(target)}, replaceable_{std::move(replaceable)} {
    try {
      fs::create_directories(target_.parent_path());
      clear_dead_drafts(target_);
      check_replaceable();
      draft_ = make_draft(target_, DraftKind::folder);
      if (access(draft_.path.c_str(), W_OK | X_OK) != 0) throw_errno();
    } catch (const std::system_error& error) {
      refuse(named_, "cannot be made: " + error.code().message());
    }
  }
  ~State() {
    std::error_code ignored;
    if (draft_.lock.good()) fs::remove_all(draft_.path, ignored);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[nodiscard]] const fs::path& target() const noexcept { return target_; }
  [[nodiscard]] const fs::path& draft() const noexcept { return draft_.path; }

  void commit() {
    check_replaceable();
    try {
      if (is_missing(target_)) {
        fs::rename(draft_.path, target_);
      } else {
        sync_all();  // the earlier folder goes: this one has to be on the disk before
        exchange(draft_.path, target_);
        std::error_code ignored;
        fs::remove_all(draft_.path, ignored);
      }
    } catch (const std::system_error& error) {
      throw OutputError(named_.string() + ": cannot be put in place: " + error.code().message());
    }
    draft_.lock.reset();
  }

 private:
  void check_replaceable() const {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target_, error);
    if (status.type() == fs::file_type::none) throw std::system_error{error};  // a name too long
    if (!fs::exists(status)) return;
    if (!fs::is_directory(status)) refuse(named_, "is there already and is not a folder");
    fs::recursive_directory_iterator entry{target_, error};
    for (const fs::recursive_directory_iterator end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().lexically_relative(target_).generic_string();
      if (!may_go(name, entry->is_directory() && !entry->is_symlink(), replaceable_.files))
        refuse(named_, "holds \"" + name + "\", " + replaceable_.hint);
    }
    if (error) refuse(named_, "cannot be read: " + error.message());
  }
  void sync_all() const {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(draft_.path))
      if (entry.is_regular_file() || entry.is_directory()) sync_to_disk(entry.path());
    sync_to_disk(draft_.path);
  }

  const fs::path named_, target_;
  const Replaceable replaceable_;
  Draft draft_;
};

OutputFolder::OutputFolder(const fs::path& target, Replaceable replaceable)
    : state_{std::make_unique<State>(target, std::move(replaceable))} {}
OutputFolder::~OutputFolder() = default;

const fs::path& OutputFolder::target() const noexcept { return state_->target(); }

fs::path OutputFolder::path_of(std::string_view file) const { return state_->draft() / file; }

std::optional<std::string> OutputFolder::name_of(const fs::path& path) const {
  const fs::path name = followed(path).lexically_relative(target());
  if (name.empty() || name == "." || *name.begin() == "..") return std::nullopt;
  return name.generic_string();
}

void OutputFolder::add_file(std::string_view file, std::string_view contents) const {
  add_file(file, [&](const TextSink& write) { write(contents); });
}

void OutputFolder::add_file(std::string_view file,
                            const std::function<void(const TextSink&)>& write_all) const {
  const auto fail = [&](int error) {
    throw OutputError((target() / file).string() +
                      ": cannot be written: " + std::generic_category().message(error));
  };
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out{std::fopen(path_of(file).c_str(), "wb"),
                                                      &std::fclose};
  if (!out) fail(errno);
  write_all([&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), out.get()) != text.size()) fail(errno);
  });
  if (std::fclose(out.release()) != 0) fail(errno);
}

void OutputFolder::commit() { state_->commit(); }

void clear_dead_drafts_of(const fs::path& folder) { clear_dead_drafts(place_of(folder)); }

void free_name_of_folder(const fs::path& folder) {
  std::error_code ignored;
  if (is_missing(folder) || fs::is_directory(fs::symlink_status(folder, ignored))) return;
  // Never a folder that another process has made meanwhile.
  if (unlink(folder.c_str()) != 0 && errno != ENOENT && errno != EISDIR)
    refuse(folder, "cannot be replaced: " + std::generic_category().message(errno));
}

}  // namespace weir
