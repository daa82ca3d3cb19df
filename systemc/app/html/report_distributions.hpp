// SPDX-License-Identifier: Apache-2.0
// Distributions of the report page.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "report_parts.hpp"

namespace weir {

/// Number and count of buckets of class Latency, as report.json has them.
using LatencyBuckets = std::vector<std::pair<std::size_t, std::uint64_t>>;

/// Errors: ModelError when they do not ascend, or class Latency has no such bucket.
[[nodiscard]] LatencyBuckets latency_buckets(const JsonValue& list);

/// A line of a chart of shares.
struct Distribution {
  std::string name;
  LatencyBuckets buckets;  ///< At least one.
};

/// Which share of each stayed within what value (CDF), over a logarithmic scale, with the shares
/// 50 %, 90 % and 99 % marked. `text`: a value of the scale as people read it. Nothing without
/// lines; the first eight are drawn.
[[nodiscard]] std::string share_chart(const std::string& title,
                                      const std::vector<Distribution>& lines,
                                      const std::function<std::string(std::uint64_t)>& text);

}  // namespace weir
