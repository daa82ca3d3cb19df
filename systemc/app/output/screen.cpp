// SPDX-License-Identifier: Apache-2.0
#include "output/screen.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "weir/config/files/patient_write.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

// A reader may be there and read nothing.
bool has_reader(std::FILE* stream) {
  struct stat end {};
  return fstat(fileno(stream), &end) == 0 &&
         (S_ISFIFO(end.st_mode) || S_ISSOCK(end.st_mode) || isatty(fileno(stream)) == 1);
}

// Results that cannot be shown are an error; messages that cannot be shown have no other place. A
// signal that the program notes does not wait for a reader of either.
void write_to(std::FILE* stream, const std::string& text) {
  if (has_reader(stream)) {
    std::fflush(stream);  // what others have left there comes first
    const int failure = patient_write(fileno(stream), text);
    if (failure == 0 || failure == ETIMEDOUT || stream != stdout) return;
    throw std::system_error{failure, std::generic_category(), "standard output"};
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!written && stream == stdout)
    throw std::system_error{errno, std::generic_category(), "standard output"};
}

bool shows_colour(std::FILE* stream) {
  const char* const refused = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view{terminal} == "dumb";
  return (refused == nullptr || *refused == '\0') && !dumb && isatty(fileno(stream)) == 1;
}

}  // namespace

void show(std::FILE* stream, std::string_view text) { write_to(stream, printable(text)); }

void show_painted(std::FILE* stream, Paint paint, std::string_view text) {
  const std::string shown = printable(text);
  if (!shows_colour(stream)) return write_to(stream, shown);
  const char* const start = paint == Paint::error ? "\033[1;31m" : "\033[1;33m";
  write_to(stream, start + shown + "\033[0m");
}

void print_json(std::string_view json) { write_to(stdout, printable_json(json)); }

void show_live_line(std::string_view text) {
  write_to(stderr, "\r" + printable_line(text) + "\033[K");
  std::fflush(stderr);
}

}  // namespace weir
