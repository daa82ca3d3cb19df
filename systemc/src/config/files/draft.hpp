// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace weir {

/// A descriptor that is closed when its owner goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_{number} {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_{other.number_} { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool good() const noexcept { return number_ >= 0; }
  /// Closes it; false when that failed: what was written may not be there.
  bool reset() noexcept;

 private:
  int number_{-1};
};

/// What is written under a hidden name next to its target until it is whole. The descriptor holds a
/// lock (flock) as long as the process lives.
struct Draft {
  std::filesystem::path path;
  Descriptor lock;  ///< Of a file: open for writing.
};

enum class DraftKind : bool { file, folder };

/// Makes a draft of `target`, a path with a file name. Errors: std::system_error.
[[nodiscard]] Draft make_draft(const std::filesystem::path& target, DraftKind kind);

/// A name next to `target` that is not taken: `.NAME.<what>-<process>-<n>`.
[[nodiscard]] std::filesystem::path free_sibling(const std::filesystem::path& target,
                                                 const char* what);

/// Removes a draft of this process, with what libraries have written next to it.
void remove_draft(const std::filesystem::path& draft) noexcept;

/// Removes drafts of `target` that no living process holds, with what libraries have written next
/// to them, and puts back an earlier folder that a crash between two renames has left under a
/// hidden name. Where locks are not supported nothing is removed.
void clear_dead_drafts(const std::filesystem::path& target) noexcept;

/// `path` from the root, with links followed as far as it exists.
[[nodiscard]] std::filesystem::path followed(const std::filesystem::path& path);

/// Brings what is written to the disk, so that a rename after it never leads to half a file when
/// the power fails.
/// Errors: std::system_error.
void sync_to_disk(const std::filesystem::path& path);

/// errno as an exception. Errors: std::system_error, always.
[[noreturn]] void throw_errno();

}  // namespace weir
