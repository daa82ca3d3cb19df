// SPDX-License-Identifier: Apache-2.0
#include "weir/config/files/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "files/draft.hpp"
#include "weir/core/errors.hpp"

namespace weir {

std::string read_regular_file(const std::filesystem::path& file, std::uintmax_t max_bytes) {
  const auto refuse = [&](const std::string& why) { throw ConfigError("", file.string(), why); };
  // A pipe without a writer would stop open().
  const Descriptor in{open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!in.good()) throw_errno();
  struct stat status {};
  if (fstat(in.number(), &status) != 0) throw_errno();
  if (!S_ISREG(status.st_mode)) refuse("must be a regular file");
  const auto check_size = [&](std::uintmax_t bytes) {
    if (max_bytes < bytes)
      refuse("must not be larger than " + std::to_string(max_bytes) + " bytes");
  };
  check_size(static_cast<std::uintmax_t>(status.st_size));
  std::string contents;
  std::array<char, 1 << 16> part{};
  for (;;) {  // it may grow while it is read
    const ssize_t count = read(in.number(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_errno();
    if (count == 0) return contents;
    contents.append(part.data(), static_cast<std::size_t>(count));
    check_size(contents.size());
  }
}

}  // namespace weir
