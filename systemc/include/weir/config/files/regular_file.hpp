// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace weir {

/// Whole contents of a file that this program wrote once and that others may have put something
/// else in the place of. A symbolic link is followed.
///
/// Errors: ConfigError (key "", the file as its value) when it is not a regular file or larger than
///         `max_bytes`; std::system_error when it cannot be read.
[[nodiscard]] std::string read_regular_file(const std::filesystem::path& file,
                                            std::uintmax_t max_bytes);

}  // namespace weir
