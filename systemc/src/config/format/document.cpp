// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/document.hpp"

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

}  // namespace weir
