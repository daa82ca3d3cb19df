// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>

#include "text/format.hpp"

namespace weir {

void Progress::update(Picoseconds now, std::uint64_t packets) {
  if (!line_.is_due()) return;
  const double done = static_cast<double>(now.count()) / static_cast<double>(end_.count());
  const double run = line_.seconds();
  line_.show(
      done,
      fmt::format("{:3.0f} %  {} of {}  {} packets/s  {}", done * 100, format_quantity(now),
                  format_quantity(end_),
                  format_quantity(static_cast<std::uint64_t>(static_cast<double>(packets) / run)),
                  format_left(done == 0 ? 0 : run / done - run)));
}

}  // namespace weir
