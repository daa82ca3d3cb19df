// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/model/probe/silicon_prediction.hpp"

namespace weir {

/// Packets that one lossless PG takes, counted from 1; 0: it did not happen.
struct QosGroupCounts {
  ProbePg pg;
  std::uint64_t xoff{0}, first_drop{0};
  std::optional<std::uint64_t> xon_dismiss;
};

/// Packets that it takes to empty a shared headroom pool.
struct QosPoolCounts {
  std::vector<std::uint64_t> xoff;  ///< By PG, up to the last that got headroom.
  std::uint64_t full{0};            ///< Headroom of the first PG.
  std::uint64_t partial{0};         ///< Of the last one.
  std::uint64_t equal_fill{0};      ///< First XOFF when these PGs are filled in turn.
};

/// What the QoS tests of sonic-mgmt count at a port.
struct QosCounts {
  std::vector<QosGroupCounts> groups;  ///< The first two lossless PGs of the port.
  std::optional<QosPoolCounts> pool;   ///< None: no shared headroom pool, or too few PGs for it.
  std::optional<std::uint64_t> lossy_drop;  ///< None: no lossy egress queue.
};

/// Counts packets of `packet` on the running model, at most `jobs` simulations at a time.
/// Errors: as probe_chip().
[[nodiscard]] QosCounts count_qos(const Chip& chip, const ProbeBench& bench, Bytes packet,
                                  unsigned jobs);

}  // namespace weir
