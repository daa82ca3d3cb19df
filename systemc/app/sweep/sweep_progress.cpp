// SPDX-License-Identifier: Apache-2.0
#include "sweep_progress.hpp"

#include <fmt/format.h>

#include <string>

#include "text/counted.hpp"
#include "text/format.hpp"

namespace weir {

void SweepProgress::add(bool failed) noexcept {
  ++done_;
  if (failed) ++failed_;
}

void SweepProgress::update() {
  if (!line_.is_due()) return;
  const std::uint64_t there = at_start_ + done_;
  const double share = static_cast<double>(there) / static_cast<double>(points_);
  std::string figures = fmt::format("{:3.0f} %  {} of {}", share * 100, format_quantity(there),
                                    counted(points_, "point"));
  if (failed_ != 0) figures += fmt::format(", {} failed", format_quantity(failed_));
  if (done_ != 0) {
    const double each = line_.seconds() / static_cast<double>(done_);
    figures += fmt::format("  {:.1f} points/s  {}", 1 / each,
                           format_left(each * static_cast<double>(points_ - there)));
  }
  line_.show(share, figures);
}

}  // namespace weir
