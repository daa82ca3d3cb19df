// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace weir {

// All that the program writes to stdout and stderr passes here, so that no text of a file reaches a
// terminal with control characters in it (weir/core/printable.hpp).

/// Text of our own lines, to stdout or stderr.
void show(std::FILE* stream, std::string_view text);
template <class... T>
void print(fmt::format_string<T...> format, T&&... values) {
  show(stdout, fmt::format(format, std::forward<T>(values)...));
}
template <class... T>
void print(std::FILE* stream, fmt::format_string<T...> format, T&&... values) {
  show(stream, fmt::format(format, std::forward<T>(values)...));
}

enum class Paint { error, warning };

/// Text of our own, bold and in a colour on a terminal; plain elsewhere, on a dumb terminal, and
/// where NO_COLOR is set (no-color.org).
void show_painted(std::FILE* stream, Paint paint, std::string_view text);

/// JSON to stdout.
void print_json(std::string_view json);

/// The line of a terminal that is written again and again, on stderr; "" takes it away.
void show_live_line(std::string_view text);

}  // namespace weir
