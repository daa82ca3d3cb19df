// SPDX-License-Identifier: Apache-2.0
#include "weir/config/files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <system_error>

#include "files/draft.hpp"
#include "weir/config/files/output_error.hpp"
#include "weir/config/files/patient_write.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 16;

// The stream of this process that leads to the same file, as /dev/stdout does: two that write to
// one file each from its own place would overwrite each other.
std::FILE* stream_of(const struct stat& file) {
  for (std::FILE* const stream : {stdout, stderr}) {
    struct stat own {};
    if (fstat(fileno(stream), &own) == 0 && own.st_dev == file.st_dev && own.st_ino == file.st_ino)
      return stream;
  }
  return nullptr;
}

}  // namespace

class OutputFile::State {
 public:
  State(std::string option, const fs::path& file, NamedBy by)
      : option_{std::move(option)}, file_{file} {
    try {
      by == NamedBy::user ? open_named() : open_own();
    } catch (const std::system_error& error) {
      refuse("cannot be written: " + error.code().message());
    }
  }
  ~State() {
    if (out_.good() && !in_place_) remove_draft(draft_);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void write(std::string_view text) {
    if (buffer_size < buffer_.size() + text.size()) flush();
    if (buffer_size < text.size())
      write_through(text);
    else
      buffer_ += text;
  }
  // Not the draft itself: a library may remove what is there, and the lock with it.
  fs::path path_for_library() {
    if (in_place_) refuse("must be a file, no device, no pipe and no stream of this program");
    if (written_ == draft_) written_ += ".whole";
    return written_;
  }
  void commit() {
    flush();
    if (failure_ == 0 && in_place_ && !out_.reset()) failure_ = errno;
    if (in_place_ && failure_ == ETIMEDOUT)
      throw OutputGivenUp(file_.string() +
                          " is given up: its reader takes no data, and a signal ends the program");
    if (failure_ != 0) fail(std::strerror(failure_));
    if (in_place_) return;
    try {
      sync_to_disk(written_);
      fs::rename(written_, target_);
      if (written_ != draft_) remove_draft(draft_);
      out_.reset();
    } catch (const fs::filesystem_error& error) {
      fail(error.code().message());
    } catch (const std::system_error& error) {
      fail(error.code().message());
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw ConfigError(option_, file_.string(), why);
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw OutputError(file_.string() + ": cannot be written: " + why);
  }
  void open_named() {
    struct stat there {};
    const bool exists = stat(file_.c_str(), &there) == 0;
    if (!exists && errno != ENOENT) throw_errno();
    if (exists && S_ISDIR(there.st_mode)) refuse("must be a file, this is a directory");
    std::FILE* const stream = exists ? stream_of(there) : nullptr;
    in_place_ = exists && (!S_ISREG(there.st_mode) || stream != nullptr);
    if (in_place_) return open_in_place(stream);
    open_draft(followed(file_), exists ? &there : nullptr);
  }
  void open_own() {
    struct stat there {};
    const bool exists = lstat(file_.c_str(), &there) == 0;
    if (!exists && errno != ENOENT) throw_errno();
    if (exists && S_ISDIR(there.st_mode)) refuse("must be a file, this is a directory");
    const bool regular = exists && S_ISREG(there.st_mode);
    const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path{"."};
    open_draft(followed(folder) / file_.filename(), regular ? &there : nullptr);
  }
  // `earlier`: of the regular file that is replaced.
  void open_draft(fs::path target, const struct stat* earlier) {
    if (earlier != nullptr && access(file_.c_str(), W_OK) != 0) throw_errno();
    target_ = std::move(target);
    if (!target_.has_filename()) refuse("must name a file");
    clear_dead_drafts(target_);
    Draft draft = make_draft(target_, DraftKind::file);
    written_ = draft_ = std::move(draft.path);
    out_ = std::move(draft.lock);
    if (earlier != nullptr) fchmod(out_.number(), earlier->st_mode & 0777U);
  }
  void open_in_place(std::FILE* stream) {
    written_ = file_;
    if (stream != nullptr) std::fflush(stream);
    out_ = stream != nullptr ? Descriptor{fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0)} : reached();
    if (!out_.good()) throw_errno();
  }
  // A pipe may wait for its reader, but not for ever, nor past a signal that the program only
  // notes.
  [[nodiscard]] Descriptor reached() const {
    constexpr timespec pause{0, 10'000'000};
    constexpr int max_pauses = 1000;
    for (int pauses = 0;; ++pauses) {
      Descriptor out{open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK)};
      if (out.good() || errno != ENXIO) return out;
      if (pauses == max_pauses || outputs_hurry() || nanosleep(&pause, nullptr) != 0)
        refuse("is a pipe without a reader for 10 s, or until a signal came");
    }
  }
  void flush() {
    write_through(buffer_);
    buffer_.clear();
  }
  // The first failure is kept for commit(): who writes need not look after every line.
  void write_through(std::string_view text) noexcept {
    if (failure_ != 0) return;
    if (in_place_) {
      failure_ = patient_write(out_.number(), text);
      return;
    }
    while (failure_ == 0 && !text.empty()) {
      const ssize_t written = ::write(out_.number(), text.data(), text.size());
      if (written >= 0)
        text.remove_prefix(static_cast<std::size_t>(written));
      else if (errno != EINTR)
        failure_ = errno;
    }
  }

  const std::string option_;
  const fs::path file_;
  fs::path target_, draft_, written_;
  Descriptor out_;
  std::string buffer_;
  int failure_{0};
  bool in_place_{false};
};

OutputFile::OutputFile(std::string option, const fs::path& file, NamedBy by)
    : state_{std::make_unique<State>(std::move(option), file, by)} {}
OutputFile::OutputFile(std::string option, const fs::path& file)
    : OutputFile{std::move(option), file, NamedBy::user} {}
OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;

void OutputFile::write(std::string_view text) { state_->write(text); }
fs::path OutputFile::path_for_library() { return state_->path_for_library(); }
void OutputFile::commit() { state_->commit(); }

void write_file(const std::string& option, const fs::path& file, std::string_view contents) {
  write_file(option, file, contents, NamedBy::user);
}

void write_file(const std::string& option, const fs::path& file, std::string_view contents,
                NamedBy by) {
  OutputFile out{option, file, by};
  out.write(contents);
  out.commit();
}

}  // namespace weir
