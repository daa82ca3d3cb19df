// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

namespace weir {

/// Opens a shared library for as long as the result lives.
///
/// Errors: ConfigError (key `option`, the path as its value), which begins with `made_by`: what is
///         expected. So are a pipe, which opening would wait for, and a file that is cut off, which
///         would end the program by a signal.
[[nodiscard]] std::shared_ptr<void> open_library(const char* option, const std::string& path,
                                                 const char* made_by);

}  // namespace weir
