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
  std::vector<ProbePg> pgs;         ///< Up to the last that got headroom.
  std::vector<std::uint64_t> xoff;  ///< For each of `pgs`, the packet that made it XOFF.
  std::uint64_t full{0};            ///< Packets in the headroom of the first PG.
  std::uint64_t partial{0};         ///< Packets in the headroom of the last PG.
  std::uint64_t equal_fill{0};      ///< First XOFF when these PGs are filled in turn.
};

/// What the QoS tests of sonic-mgmt count at a port.
struct QosCounts {
  std::vector<QosGroupCounts> groups;  ///< The first two lossless PGs of the port.
  std::optional<QosPoolCounts> pool;   ///< None: no shared headroom pool, or too few PGs for it.
  std::optional<std::uint64_t> lossy_drop;  ///< None: no lossy egress queue.
};

/// PGs that are filled one after the other, each to its XOFF.
struct QosFills {
  std::vector<ProbePg> pgs;
  std::vector<std::uint64_t> xoff;  ///< The packet that made it XOFF, of each.
};

/// Fills of PGs of several ports: all lossless PGs port by port, and the first PG of each port;
/// without those in which some PG has no XOFF, or the last has it at its first packet.
/// Errors: as probe_chip().
[[nodiscard]] std::vector<QosFills> count_fills(const Chip& chip, const ProbeBench& bench,
                                                Bytes packet, unsigned jobs);

/// Counts packets of `packet` on the running model, at most `jobs` simulations at a time.
/// Errors: as probe_chip().
[[nodiscard]] QosCounts count_qos(const Chip& chip, const ProbeBench& bench, Bytes packet,
                                  unsigned jobs);

}  // namespace weir
