// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/result_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "weir/config/files/regular_file.hpp"
#include "weir/config/files/result_names.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_run_bytes = std::uintmax_t{1} << 24;

// What the run of an earlier folder says that it has written. What cannot be read says nothing.
std::vector<std::string> named_by_run(const fs::path& folder) {
  std::vector<std::string> names;
  std::string text;
  try {
    text = read_regular_file(folder / result_names::run, max_run_bytes);
  } catch (const std::exception&) {
    return names;
  }
  const nlohmann::json run = nlohmann::json::parse(text, nullptr, false);
  if (!run.is_object() || !run.contains("files") || !run.at("files").is_array()) return names;
  for (const nlohmann::json& name : run.at("files"))
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

OutputFolder::Replaceable replaceable(const fs::path& target, std::vector<std::string> files) {
  for (std::string& name : named_by_run(target)) files.push_back(std::move(name));
  return {std::move(files),
          "which no run has written; name a folder that is new or the result folder of a run"};
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& target, const std::vector<std::string>& files)
    : folder_{target, replaceable(target, files)} {}

fs::path ResultFolder::path_of(std::string_view file) const { return folder_.path_of(file); }

fs::path ResultFolder::place_of(const fs::path& file) const {
  const std::optional<std::string> name = folder_.name_of(file);
  if (!name) return file;
  fs::path place = folder_.path_of(*name);
  std::error_code ignored;  // opening the file reports it
  fs::create_directories(place.parent_path(), ignored);
  return place;
}

void ResultFolder::add_file(std::string_view file, const std::string& contents) const {
  folder_.add_file(file, contents);
}

void ResultFolder::add_file(
    std::string_view file,
    const std::function<void(const OutputFolder::TextSink&)>& write_all) const {
  folder_.add_file(file, write_all);
}

std::vector<std::string> ResultFolder::files() const {
  std::vector<std::string> names;
  const fs::path draft = folder_.path_of("").parent_path();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(draft))
    if (!entry.is_directory())
      names.push_back(entry.path().lexically_relative(draft).generic_string());
  std::sort(names.begin(), names.end());
  return names;
}

void ResultFolder::commit() { folder_.commit(); }

}  // namespace weir
