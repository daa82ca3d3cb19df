// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// Which DSCP a host writes so that the switch that it is linked to takes its packets for a class.
///
/// Range:  hosts and switches of the scenario, which is borrowed.
/// Source: docs/reference/scenario-format.md, `dscp`.
class HostDscp {
 public:
  explicit HostDscp(const Scenario& scenario);

  /// The DSCP table of the switch port that a host is linked to; nullptr: no switch classifies by
  /// DSCP there.
  [[nodiscard]] const DscpTable* table_of(std::size_t host) const { return tables_[host]; }
  /// Whether some DSCP, or a field that the switch classifies by instead, maps to the class there.
  [[nodiscard]] bool can_mean(std::size_t host, Priority priority) const;
  /// The lowest DSCP that maps to a class, where the class selector maps to another one; none: the
  /// class selector, 8 x priority, maps to the class, or no DSCP does.
  [[nodiscard]] std::optional<std::uint8_t> instead(std::size_t host, Priority priority) const;
  /// The DSCP of the packets of a class: the class selector, or instead().
  [[nodiscard]] std::uint8_t of(std::size_t host, Priority priority) const;

 private:
  std::vector<const DscpTable*> tables_;
};

}  // namespace weir
