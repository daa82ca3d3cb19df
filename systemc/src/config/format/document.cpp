// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/document.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "format/document_limits.hpp"

namespace weir {

namespace {

constexpr std::size_t max_text_bytes = std::size_t{1} << 30;

[[noreturn]] void fail_to_read(const std::filesystem::path& file, const Origin& origin,
                               const std::string& key, const std::string& why) {
  throw FileError{origin, key, "\"" + file.string() + "\"", why};
}

bool is_stdin(const std::filesystem::path& file) { return file == "-"; }

// It can be read once, and a command reads a document several times.
const std::string& text_of_stdin() {
  static const std::string text = [] {
    std::string contents;
    std::array<char, 1 << 16> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), stdin)) {
      contents.append(part.data(), count);
      if (max_document_bytes < contents.size()) fail_to_read("-", Origin{}, "", too_large());
    }
    if (std::ferror(stdin) != 0) fail_to_read("-", Origin{}, "", "cannot be read");
    return contents;
  }();
  return text;
}

bool is_json(const std::filesystem::path& file, const std::string& text) {
  if (!is_stdin(file)) return file.extension() == ".json";
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

}  // namespace

std::ifstream open_text(const std::filesystem::path& file, const Origin& origin,
                        const std::string& key) {
  const auto fail = [&](const std::string& why) { fail_to_read(file, origin, key, why); };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail("no such file");
  if (std::filesystem::is_directory(status)) fail("must be a file, this is a directory");
  // A device such as /dev/zero may have no end; a pipe is fine.
  if (std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status))
    fail("must be a file, this is a device");
  errno = 0;
  std::ifstream in{file, std::ios::binary};
  if (!in.is_open()) fail("cannot be read: " + std::generic_category().message(errno));
  return in;
}

std::string read_text(const std::filesystem::path& file, const Origin& origin,
                      const std::string& key) {
  if (is_stdin(file)) return text_of_stdin();
  std::ifstream in = open_text(file, origin, key);
  std::error_code no_size;  // of a pipe
  const std::uintmax_t size = std::filesystem::file_size(file, no_size);
  if (!no_size && max_text_bytes < size)
    fail_to_read(file, origin, key, "must not be larger than 1 GiB");
  std::string contents;
  std::array<char, 1 << 16> part{};
  while (in.read(part.data(), part.size()) || in.gcount() > 0) {
    contents.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (max_text_bytes < contents.size())
      fail_to_read(file, origin, key, "must not be larger than 1 GiB");
  }
  if (in.bad()) fail_to_read(file, origin, key, "cannot be read");
  return contents;
}

Node read_document(const std::filesystem::path& file) { return read_document(file, Origin{}, ""); }

Node read_document(const std::filesystem::path& file, const Origin& origin,
                   const std::string& key) {
  const std::string text = read_text(file, origin, key);
  const std::string name = is_stdin(file) ? "stdin" : file.string();
  return is_json(file, text) ? parse_json(text, name) : parse_toml(text, name);
}

namespace {

using Paths = std::vector<std::filesystem::path>;

void add_document(Paths& files, const std::filesystem::path& file,
                  const std::vector<std::string>& overrides);

void add_named(Paths& files, const Node& node, const std::filesystem::path& folder) {
  if (node.kind == Node::Kind::text && !node.text.empty()) {
    const std::filesystem::path named = folder / node.text;
    if (!is_stdin(named) && std::find(files.begin(), files.end(), named) == files.end())
      add_document(files, named, {});
  }
  for (const Node& child : node.children) add_named(files, child, folder);
}

void add_document(Paths& files, const std::filesystem::path& file,
                  const std::vector<std::string>& overrides) {
  std::error_code ignored;
  if (is_stdin(file)) {
    files.emplace_back("/dev/stdin");  // which the shell may have made a file
  } else {
    if (!std::filesystem::is_regular_file(file, ignored)) return;  // a pipe can be read only once
    files.push_back(file);
    if (file.extension() != ".toml" && file.extension() != ".json") return;
  }
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
