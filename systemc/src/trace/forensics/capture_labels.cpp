// SPDX-License-Identifier: Apache-2.0
#include "forensics/capture_labels.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace weir {
namespace {

namespace fs = std::filesystem;

// The last `parts` parts of a path.
std::string tail(const fs::path& path, std::ptrdiff_t parts) {
  fs::path kept;
  const auto length = std::distance(path.begin(), path.end());
  for (auto part = std::next(path.begin(), std::max<std::ptrdiff_t>(0, length - parts));
       part != path.end(); ++part)
    kept /= *part;
  return kept.string();
}

// The labels that a file may have, the shortest first.
std::vector<std::string> labels_of(const fs::path& file) {
  const fs::path whole = fs::absolute(file).lexically_normal();
  const fs::path no_ending = whole.parent_path() / whole.stem();
  std::vector<std::string> labels{whole.stem().string(), whole.filename().string()};
  const auto parts = std::distance(whole.begin(), whole.end());
  for (std::ptrdiff_t kept = 2; kept <= parts; ++kept) labels.push_back(tail(no_ending, kept));
  labels.push_back(whole.string());
  return labels;
}

}  // namespace

std::vector<std::string> capture_labels(const std::vector<fs::path>& files) {
  std::vector<std::vector<std::string>> all;
  std::multiset<std::string> used;  // how many files may have a label
  for (const fs::path& file : files) {
    all.push_back(labels_of(file));
    const std::set<std::string> own{all.back().begin(), all.back().end()};
    used.insert(own.begin(), own.end());
  }
  std::vector<std::string> chosen;
  for (const std::vector<std::string>& labels : all) {
    const auto free = std::find_if(labels.begin(), labels.end(), [&](const std::string& label) {
      return used.count(label) == 1;
    });
    chosen.push_back(free == labels.end() ? labels.back() : *free);
  }
  return chosen;
}

}  // namespace weir
