// SPDX-License-Identifier: Apache-2.0
#include "weir/model/ranks/rank_library.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& why) {
  throw ConfigError("--ranks", "MPI",
                    "is not there: install openmpi-bin, libopenmpi-dev and libmetis-dev, then "
                    "build again (" +
                        why + ")");
}

// Next to the program: in the build tree, then installed.
fs::path find_library() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* const folder :
       {"../lib/weir/ranks", "../lib/x86_64-linux-gnu/weir/ranks", "../../lib/weir/ranks"}) {
    const fs::path file = (program / folder / "libweir_ranks.so").lexically_normal();
    if (fs::exists(file, ignored)) return file;
  }
  refuse("no libweir_ranks.so in " + (program / "../lib/weir/ranks").lexically_normal().string());
}

const RankLibraryTable& open_library() {
  const fs::path file = find_library();
  // Global: MPI looks for its own symbols from the components that it loads. It stays open, as MPI
  // cannot be left and joined again.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) refuse(dlerror());
  const void* const table = dlsym(library, rank_library_symbol);
  if (table == nullptr) refuse(dlerror());
  return *static_cast<const RankLibraryTable*>(table);
}

}  // namespace

const RankLibraryTable& rank_library() {
  static const RankLibraryTable& table = open_library();
  return table;
}

}  // namespace weir
