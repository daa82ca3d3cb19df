// SPDX-License-Identifier: Apache-2.0
#include "sweep_progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "output/screen.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

using namespace std::chrono_literals;

std::string format_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s left", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min left", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h left", whole / 3600, whole / 60 % 60);
}

}  // namespace

SweepProgress::SweepProgress(Style style, std::uint64_t points, std::uint64_t finished)
    : style_{style}, points_{points}, at_start_{finished} {}

void SweepProgress::add(bool failed) noexcept {
  ++done_;
  if (failed) ++failed_;
}

void SweepProgress::update() {
  if (style_ == Style::none) return;
  const Clock::time_point now = Clock::now();
  if (now - shown_ < (style_ == Style::live ? Clock::duration{100ms} : Clock::duration{5s})) return;
  shown_ = now;
  const double run = std::chrono::duration<double>(now - start_).count();
  const std::uint64_t there = at_start_ + done_;
  const double share = static_cast<double>(there) / static_cast<double>(points_);
  std::string figures = fmt::format("{:3.0f} %  {} of {} points", share * 100,
                                    format_quantity(there), format_quantity(points_));
  if (failed_ != 0) figures += fmt::format(", {} failed", format_quantity(failed_));
  if (done_ != 0) {
    const double each = run / static_cast<double>(done_);
    figures += fmt::format("  {:.1f} points/s  {}", 1 / each,
                           format_left(each * static_cast<double>(points_ - there)));
  }
  if (style_ == Style::plain) {
    print(stderr, "weir: {}\n", figures);
    return;
  }
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  show_live_line(fmt::format("[{}{}] {}", std::string(filled, '#'),
                             std::string(width - filled, '.'), figures));
  line_stands_ = true;
}

void SweepProgress::finish() {
  if (!line_stands_) return;
  show_live_line("");
  line_stands_ = false;
}

}  // namespace weir
