// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The fields of a frame that decide its class.
struct ClassFields {
  Priority pcp;          ///< Of the 802.1Q tag; ignored unless `tagged`.
  std::uint8_t dscp{0};  ///< Of the IP header, 0 to 63.
  bool tagged{true};
  bool group{false};  ///< Broadcast or multicast.
};

/// The class of a received frame: by PCP or by DSCP, with an exception for group-addressed frames.
///
/// Range:  dscp above 63 counts by its lower 6 bits. Errors: none; total.
/// Source: IEEE 802.1Q (PCP), RFC 2474 (DSCP); [RDMA16] sections 3 and 4.2.
class Classifier {
 public:
  explicit Classifier(const ClassifierSettings& settings) noexcept : settings_{settings} {}
  /// Uses `table` in place of the DSCP table of `settings`.
  Classifier(const ClassifierSettings& settings, const DscpTable& table) noexcept
      : settings_{settings} {
    settings_.priority_of_dscp = table;
  }

  [[nodiscard]] Priority classify(const ClassFields& frame) const noexcept {
    if (frame.group && settings_.group_priority) return *settings_.group_priority;
    if (settings_.trust == ClassTrust::dscp)
      return settings_.priority_of_dscp[frame.dscp % ClassifierSettings::dscps];
    return frame.tagged ? frame.pcp : settings_.untagged;
  }

 private:
  ClassifierSettings settings_;
};

}  // namespace weir
