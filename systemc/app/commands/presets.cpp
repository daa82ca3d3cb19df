// SPDX-License-Identifier: Apache-2.0
#include "presets.hpp"

#include <algorithm>
#include <system_error>

#include "weir/config/format/document.hpp"
#include "weir/config/format/error_list.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

bool is_folder_of_presets(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / presets::chips.name, ignored) &&
         fs::is_directory(folder / presets::scenarios.name, ignored);
}

// Of this program; empty where the system does not say.
fs::path program_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path{} : program.parent_path();
}

// Of a program that is installed as PREFIX/bin/weir.
fs::path installed_presets() { return program_folder().parent_path() / "share/weir/vectors"; }

// A program that is not installed is somewhere below its checkout.
fs::path folder_of_presets() {
  const fs::path program = program_folder();
  if (program.empty()) return {};
  if (is_folder_of_presets(installed_presets())) return installed_presets();
  for (fs::path at = program; at != at.parent_path(); at = at.parent_path())
    if (is_folder_of_presets(at / "vectors")) return at / "vectors";
  return {};
}

bool is_bare_name(const std::string& text) {
  return !text.empty() && text.find_first_of("/.") == std::string::npos;
}

}  // namespace

std::vector<Preset> presets_of(const PresetKind& kind) {
  std::vector<Preset> list;
  const fs::path folder = folder_of_presets();
  std::error_code error;
  if (folder.empty()) return list;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder / kind.name, error})
    if (entry.path().extension() == ".toml")
      list.push_back({entry.path().stem().string(), entry.path()});
  std::sort(list.begin(), list.end(),
            [](const Preset& a, const Preset& b) { return a.name < b.name; });
  return list;
}

std::string why_no_presets() {
  if (!folder_of_presets().empty()) return {};
  return "there are no presets: looked in " + installed_presets().string() +
         " and in the folder vectors of " + program_folder().string() + " and of all above it";
}

std::string line_about(const Preset& preset, const PresetKind& kind) {
  std::string line;
  ErrorList unreadable;  // a list shows what there is
  unreadable.attempt([&] {
    const Node document = read_document(preset.file);
    const Node* const table = document.find(kind.table);
    const Node* const text = table == nullptr ? nullptr : table->find(kind.says);
    if (text != nullptr) line = text->text;
  });
  std::replace(line.begin(), line.end(), '\n', ' ');
  const std::size_t stop = line.find(". ");
  return stop == std::string::npos ? line : line.substr(0, stop);
}

fs::path file_or_preset(const std::string& argument, const std::string& text,
                        std::initializer_list<PresetKind> kinds) {
  std::error_code ignored;
  if (!is_bare_name(text) || text == "-" || fs::exists(text, ignored)) return text;
  if (const std::string why = why_no_presets(); !why.empty())
    throw ConfigError{argument, "\"" + text + "\"", "no such file, and " + why};
  std::vector<std::string> names;
  std::string lists;
  for (const PresetKind& kind : kinds) {
    for (const Preset& preset : presets_of(kind)) {
      if (preset.name == text) return preset.file;
      names.push_back(preset.name);
    }
    lists += (lists.empty() ? "" : " and ") + std::string{"weir list "} + kind.name;
  }
  const std::string meant = nearest(text, names);
  throw ConfigError{argument, "\"" + text + "\"",
                    "no such file or preset" +
                        (meant.empty() ? "" : ", did you mean " + meant + "?") + "; " + lists +
                        (kinds.size() == 1 ? " shows" : " show") + " the presets"};
}

}  // namespace weir
