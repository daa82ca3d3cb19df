// SPDX-License-Identifier: Apache-2.0
#include "output/screen.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include "weir/core/printable.hpp"

namespace weir {
namespace {

// Results that cannot be shown are an error; messages that cannot be shown have no other place.
void write_to(std::FILE* stream, const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!written && stream == stdout)
    throw std::system_error{errno, std::generic_category(), "standard output"};
}

}  // namespace

void show(std::FILE* stream, std::string_view text) { write_to(stream, printable(text)); }

void print_json(std::string_view json) { write_to(stdout, printable_json(json)); }

void show_live_line(std::string_view text) {
  write_to(stderr, "\r" + printable_line(text) + "\033[K");
  std::fflush(stderr);
}

}  // namespace weir
