// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace weir {

// Names and values come from files that others may have written. On a terminal, control characters
// command it, and those that turn the direction of text hide what is there: C0, DEL, C1, the
// characters for bidirectional text, and bytes that are no UTF-8 (a terminal of Latin-1 takes some
// for C1).

/// `text` with a question mark for each character that commands a terminal or hides text, but the
/// newline, and a blank for a tab.
[[nodiscard]] std::string printable(std::string_view text);

/// printable() on one line: a blank for each newline, too.
[[nodiscard]] std::string printable_line(std::string_view text);

/// `json` with an escape of four digits for each character that commands a terminal or hides text.
/// They are in its strings alone; the newlines between its values stay.
[[nodiscard]] std::string printable_json(std::string_view json);

}  // namespace weir
