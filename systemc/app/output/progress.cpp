// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "output/screen.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

using namespace std::chrono_literals;

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string format_left(double seconds_left) {
  const auto whole = static_cast<std::uint64_t>(seconds_left + 0.5);
  if (whole < 60) return fmt::format("{} s left", whole);
  return fmt::format("{}:{:02} min left", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress(Style style, Picoseconds end) : style_{style}, end_{end} {}

void Progress::update(Picoseconds now, std::uint64_t packets) {
  if (style_ == Style::none) return;
  const Clock::time_point wall = Clock::now();
  if (wall - shown_ < (style_ == Style::live ? Clock::duration{100ms} : Clock::duration{5s}))
    return;
  shown_ = wall;
  const double done = static_cast<double>(now.count()) / static_cast<double>(end_.count());
  const double run = seconds(wall - start_);
  const std::string figures =
      fmt::format("{:3.0f} %  {} of {}  {} packets/s  {}", done * 100, format_quantity(now),
                  format_quantity(end_),
                  format_quantity(static_cast<std::uint64_t>(static_cast<double>(packets) / run)),
                  format_left(done == 0 ? 0 : run / done - run));
  if (style_ == Style::plain) {
    print(stderr, "weir: {}\n", figures);
    return;
  }
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(done * static_cast<double>(width));
  show_live_line(fmt::format("[{}{}] {}", std::string(filled, '#'),
                             std::string(width - filled, '.'), figures));
  line_stands_ = true;
}

void Progress::finish() {
  if (!line_stands_) return;
  show_live_line("");
  line_stands_ = false;
}

Progress::Style Progress::style_of_stderr() {
  return isatty(STDERR_FILENO) != 0 ? Style::live : Style::plain;
}

}  // namespace weir
