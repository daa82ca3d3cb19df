// SPDX-License-Identifier: Apache-2.0
#include "files/draft.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr const char* draft_word = "draft";
constexpr const char* old_word = "old";

std::string prefix_of(const fs::path& target, const char* what) {
  constexpr std::size_t longest_name = 200;  // with the rest below the 255 of most file systems
  return "." + target.filename().string().substr(0, longest_name) + "." + what + "-";
}

bool is_gone(int descriptor, const fs::path& path) {
  struct stat held {
  }, there{};
  return fstat(descriptor, &held) != 0 || lstat(path.c_str(), &there) != 0 ||
         held.st_ino != there.st_ino || held.st_dev != there.st_dev;
}

// A new file or folder of that name, locked; none when the name is taken, or when a process that
// removes dead drafts has just taken this one for such.
Descriptor claim(const fs::path& path, DraftKind kind) {
  if (kind == DraftKind::folder && mkdir(path.c_str(), 0777) != 0) {
    if (errno == EEXIST) return {};
    throw_errno();
  }
  const int flags = kind == DraftKind::folder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL;
  Descriptor lock{open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)};
  if (!lock.good()) {
    // A folder that was there a moment ago has been taken for a dead one.
    if (errno == (kind == DraftKind::folder ? ENOENT : EEXIST)) return {};
    const int why = errno;
    if (kind == DraftKind::folder) rmdir(path.c_str());
    errno = why;
    throw_errno();
  }
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return {};
  if (is_gone(lock.number(), path)) return {};
  return lock;
}

// Holds the lock of what a dead process has left; none when its process lives.
Descriptor lock_of_dead(const fs::path& path) {
  Descriptor lock{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (!lock.good() || flock(lock.number(), LOCK_EX | LOCK_NB) != 0) return {};
  if (is_gone(lock.number(), path)) return {};
  return lock;
}

// The name of the draft that an entry belongs to: libraries add to it (".hier", "-journal").
std::string draft_name(const std::string& entry, const std::string& prefix) {
  return entry.substr(0, entry.find_first_not_of("0123456789-", prefix.size()));
}

std::vector<std::string> entries_with(const fs::path& folder, const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (name.compare(0, prefix.size(), prefix) == 0) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());  // a draft comes before what was added to its name
  return names;
}

void remove_dead(const fs::path& folder, const std::string& prefix) {
  std::error_code ignored;
  for (const std::string& name : entries_with(folder, prefix)) {
    const fs::path draft = folder / draft_name(name, prefix);
    if (draft.filename() == name) {
      const Descriptor lock = lock_of_dead(draft);
      if (lock.good()) fs::remove_all(draft, ignored);
    } else if (!fs::exists(fs::symlink_status(draft, ignored))) {
      fs::remove_all(folder / name, ignored);
    }
  }
}

void put_back(const fs::path& target) {
  const fs::path folder = target.parent_path();
  for (const std::string& name : entries_with(folder, prefix_of(target, old_word))) {
    const Descriptor lock = lock_of_dead(folder / name);
    if (!lock.good()) continue;
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(target, ignored)))
      fs::remove_all(folder / name, ignored);
    else
      fs::rename(folder / name, target, ignored);
  }
}

}  // namespace

bool Descriptor::reset() noexcept {
  const int number = number_;
  number_ = -1;
  return number < 0 || close(number) == 0;
}

void throw_errno() { throw std::system_error{errno, std::generic_category()}; }

fs::path free_sibling(const fs::path& target, const char* what) {
  const fs::path folder = target.parent_path();
  for (unsigned n = 0;; ++n) {
    fs::path path =
        folder / (prefix_of(target, what) + std::to_string(getpid()) + "-" + std::to_string(n));
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return path;
  }
}

Draft make_draft(const fs::path& target, DraftKind kind) {
  for (;;) {
    fs::path path = free_sibling(target, draft_word);
    Descriptor lock = claim(path, kind);
    if (lock.good()) return {std::move(path), std::move(lock)};
  }
}

void remove_draft(const fs::path& draft) noexcept {
  try {
    const fs::path folder = draft.parent_path();
    std::vector<std::string> names = entries_with(folder, draft.filename().string() + ".");
    names.push_back(draft.filename().string());  // the last: its lock says that this process lives
    std::error_code ignored;
    for (const std::string& name : names) fs::remove_all(folder / name, ignored);
  } catch (const std::exception&) {
    // The next writer of the target removes it.
  }
}

void clear_dead_drafts(const fs::path& target) noexcept {
  try {
    put_back(target);
    remove_dead(target.parent_path(), prefix_of(target, draft_word));
  } catch (const std::exception&) {
    // What cannot be removed does no harm.
  }
}

fs::path followed(const fs::path& path) {
  fs::path whole = fs::absolute(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  // A link whose end is not there yet leads to where that will be.
  constexpr int max_links = 40;
  std::error_code error;
  for (int n = 0; n < max_links && fs::is_symlink(fs::symlink_status(whole, error)); ++n) {
    const fs::path to = fs::read_symlink(whole, error);
    if (error) break;
    whole = (whole.parent_path() / to).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
  }
  const fs::path folder = fs::weakly_canonical(whole.parent_path(), error);
  return error ? whole : folder / whole.filename();
}

void sync_to_disk(const fs::path& path) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!file.good()) throw_errno();
  // A file system without it (EINVAL) has no disk to bring it to.
  if (fsync(file.number()) != 0 && errno != EINVAL && errno != EROFS) throw_errno();
}

}  // namespace weir
