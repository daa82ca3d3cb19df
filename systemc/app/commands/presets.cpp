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

// An installed program is in PREFIX/bin, one that is built somewhere below its checkout.
fs::path folder_of_presets() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path installed = program.parent_path().parent_path() / "share/weir/vectors";
  if (is_folder_of_presets(installed)) return installed;
  for (fs::path at = program.parent_path(); at != at.parent_path(); at = at.parent_path())
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
                        " shows the presets"};
}

}  // namespace weir
