// SPDX-License-Identifier: Apache-2.0
#include "fuzz/scratch.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <stdexcept>
#include <string>

namespace weir::fuzz {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::string_view contents) {
  std::ofstream out{file, std::ios::binary | std::ios::trunc};
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!out.flush()) throw std::runtime_error{file.string() + ": cannot be written"};
}

// As long for every process: readers go through the characters of a path, and the gate of
// scripts/check/fuzz reaches the same code each time.
std::string name_of_this_process() {
  constexpr long above_all_processes = 10'000'000;
  return "weir-fuzz-" + std::to_string(above_all_processes + getpid());
}

}  // namespace

const Scratch& Scratch::folder() {
  static const Scratch scratch;
  return scratch;
}

Scratch::Scratch() : root_{fs::temp_directory_path() / name_of_this_process()} {
  const fs::path vectors = fs::absolute("vectors");
  if (!fs::exists(vectors / "chips"))
    throw std::runtime_error{"the source tree must be the working directory: no vectors/chips"};
  fs::remove_all(root_);
  fs::create_directories(root_ / "fuzzed");
  for (const char* const name : {"chips", "scenarios", "workloads"})
    fs::create_directory_symlink(vectors / name, root_ / name);
  fs::copy_file(vectors / "scenarios/replay_star4.csv", root_ / "fuzzed/replay_star4.csv");
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

fs::path Scratch::file(const std::string& name, std::string_view contents) const {
  fs::path path = root_ / "fuzzed" / name;
  write(path, contents);
  return path;
}

fs::path Scratch::folder_of(
    const std::string& name,
    const std::vector<std::pair<std::string, std::string_view>>& files) const {
  fs::path folder = root_ / "fuzzed" / name;
  fs::remove_all(folder);
  fs::create_directory(folder);
  for (const auto& [file, contents] : files) {
    fs::create_directories((folder / file).parent_path());
    write(folder / file, contents);
  }
  return folder;
}

std::vector<std::pair<std::string, std::string_view>> files_of(
    std::string_view input, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string_view>> files;
  std::string name = names.front();
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    const std::string_view contents = input.substr(begin, end - begin);
    const auto known = std::find_if(files.begin(), files.end(),
                                    [&](const auto& file) { return file.first == name; });
    if (known != files.end())
      known->second = contents;
    else if (!contents.empty() || begin != 0)
      files.emplace_back(name, contents);
  };
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t end = std::min(input.find('\n', at), input.size());
    const std::string_view line = input.substr(at, end - at);
    const std::size_t next = std::min(end + 1, input.size());
    if (line.substr(0, 3) == "== ") {
      const auto named = std::find(names.begin(), names.end(), line.substr(3));
      if (named != names.end()) {
        close(at);
        name = *named;
        begin = next;
      }
    }
    at = next;
  }
  close(input.size());
  return files;
}

}  // namespace weir::fuzz
