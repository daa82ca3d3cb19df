// SPDX-License-Identifier: Apache-2.0
#include "rtl/shared_library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

// The loader maps what the headers promise; memory beyond the end of the file is a SIGBUS. What is
// no library of this machine it refuses itself.
bool is_cut_off(const fs::path& file, std::uintmax_t size) {
  std::ifstream in{file, std::ios::binary};
  Elf64_Ehdr header{};
  if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!in.read(reinterpret_cast<char*>(&part), sizeof part)) return true;
    if (part.p_type == PT_LOAD && (size < part.p_offset || size - part.p_offset < part.p_filesz))
      return true;
  }
  return false;
}

std::string why_not(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return "";  // the loader says why
  if (!fs::is_regular_file(status)) return "it is not a regular file";
  const std::uintmax_t size = fs::file_size(file, error);
  return !error && is_cut_off(file, size) ? "it is cut off" : "";
}

}  // namespace

std::shared_ptr<void> open_library(const char* option, const std::string& path,
                                   const char* made_by) {
  const fs::path file = fs::absolute(path);  // else the loader searches its folders
  const auto refuse = [&](const std::string& why) {
    throw ConfigError(option, path, fmt::format("{} ({})", made_by, why));
  };
  if (const std::string why = why_not(file); !why.empty()) refuse(why);
  std::shared_ptr<void> library{dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
                                  if (handle != nullptr) dlclose(handle);
                                }};
  if (!library) refuse(dlerror());
  return library;
}

}  // namespace weir
