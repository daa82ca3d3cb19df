// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/document.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

namespace weir {

std::string read_text(const std::filesystem::path& file, const Origin& origin,
                      const std::string& key) {
  const auto fail = [&](const std::string& why) {
    throw FileError{origin, key, "\"" + file.string() + "\"", why};
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail("no such file");
  if (std::filesystem::is_directory(status)) fail("must be a file, this is a directory");
  // A device such as /dev/zero may have no end; a pipe is fine.
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    fail("must be a file, this is a device");
  std::ifstream in{file, std::ios::binary};
  std::ostringstream contents;
  contents << in.rdbuf();
  // An empty file sets failbit on `contents`, not on `in`.
  if (!in.is_open() || in.bad()) fail("cannot be read: check its permissions");
  return contents.str();
}

Node read_document(const std::filesystem::path& file) { return read_document(file, Origin{}, ""); }

Node read_document(const std::filesystem::path& file, const Origin& origin,
                   const std::string& key) {
  const std::string text = read_text(file, origin, key);
  return file.extension() == ".json" ? parse_json(text, file.string())
                                     : parse_toml(text, file.string());
}

namespace {

using Paths = std::vector<std::filesystem::path>;

void add_document(Paths& files, const std::filesystem::path& file,
                  const std::vector<std::string>& overrides);

void add_named(Paths& files, const Node& node, const std::filesystem::path& folder) {
  if (node.kind == Node::Kind::text && !node.text.empty()) {
    const std::filesystem::path named = folder / node.text;
    if (std::find(files.begin(), files.end(), named) == files.end()) add_document(files, named, {});
  }
  for (const Node& child : node.children) add_named(files, child, folder);
}

void add_document(Paths& files, const std::filesystem::path& file,
                  const std::vector<std::string>& overrides) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;  // a pipe can be read only once
  files.push_back(file);
  if (file.extension() != ".toml" && file.extension() != ".json") return;
  try {
    Node document = read_document(file);
    apply_overrides(document, overrides);
    add_named(files, document, file.parent_path());
  } catch (const ConfigError&) {
    // The reader that needs the file reports it.
  }
}

}  // namespace

std::vector<std::filesystem::path> files_of_document(const std::filesystem::path& file,
                                                     const std::vector<std::string>& overrides) {
  Paths files;
  add_document(files, file, overrides);
  return files;
}

}  // namespace weir
