// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace weir {

/// Parts of a run, or of a capture, in each of which a drawing of the page has one shade.
inline constexpr std::size_t report_bins = 240;
/// Receivers whose connections have a chart of their rates, and connections of each.
inline constexpr std::size_t rate_receivers = 8, rates_of_receiver = 8;

}  // namespace weir
