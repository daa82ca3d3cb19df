// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "output/screen.hpp"

namespace weir {

using namespace std::chrono_literals;

bool ProgressLine::is_due() {
  if (style_ == Style::none) return false;
  const Clock::time_point now = Clock::now();
  if (now - shown_ < (style_ == Style::live ? Clock::duration{100ms} : Clock::duration{5s}))
    return false;
  shown_ = now;
  return true;
}

void ProgressLine::show(double share, const std::string& figures) {
  if (style_ == Style::plain) {
    print(stderr, "weir: {}\n", figures);
    return;
  }
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  show_live_line(fmt::format("[{}{}] {}", std::string(filled, '#'),
                             std::string(width - filled, '.'), figures));
  line_is_shown_ = true;
}

void ProgressLine::finish() {
  if (!line_is_shown_) return;
  show_live_line("");
  line_is_shown_ = false;
}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

ProgressLine::Style ProgressLine::style_of_stderr() {
  return isatty(STDERR_FILENO) != 0 ? Style::live : Style::plain;
}

std::string format_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s left", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min left", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h left", whole / 3600, whole / 60 % 60);
}

}  // namespace weir
