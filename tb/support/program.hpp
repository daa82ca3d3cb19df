// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace weir::test {

/// Output of a command and its exit code.
struct Outcome {
  int exit_code{-1};
  std::string text;  ///< stdout and stderr in the order of output.

  [[nodiscard]] bool says(const std::string& words) const {
    return text.find(words) != std::string::npos;
  }
};

/// Runs a shell command to its end.
inline Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

/// The built program; ctest sets its path.
inline std::string program() {
  const char* const set = std::getenv("WEIR_PROGRAM");
  return set == nullptr ? "weir" : set;
}

/// The program with limits of time and memory: a hang or an endless growth is a failure, too.
inline Outcome limited_program(const std::string& arguments) {
#ifdef __SANITIZE_ADDRESS__  // which takes terabytes of addresses: only its own limit is one
  const std::string memory =
      "export ASAN_OPTIONS=\"${ASAN_OPTIONS:+$ASAN_OPTIONS:}hard_rss_limit_mb=2000\"; ";
#else
  const std::string memory = "ulimit -v 2000000; ";
#endif
  return shell(memory + "timeout --signal=KILL 60 '" + program() + "' " + arguments);
}

/// A folder of the build that the program is from.
inline std::filesystem::path build_folder(const std::string& name) {
  return std::filesystem::path{program()}.parent_path().parent_path() / name;
}

/// The small RTL libraries that are built for the tests: weir_mmu_test_<name>.
inline std::string rtl_library(const std::string& name) {
  return (build_folder("tb/rtl") / ("libweir_mmu_test_" + name + ".so")).string();
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// Every `from` in `text` becomes `to`.
inline std::string with_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// A test with a folder of its own, which is removed when the test ends.
class InFolder : public ::testing::Test {
 protected:
  InFolder()
      : InFolder{std::filesystem::temp_directory_path() /
                 ("weir-test-" + std::to_string(getpid()))} {}
  /// A folder whose name is the same each time, for what ccache is to find again.
  explicit InFolder(std::filesystem::path folder) : folder_{std::move(folder)} {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~InFolder() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace weir::test
