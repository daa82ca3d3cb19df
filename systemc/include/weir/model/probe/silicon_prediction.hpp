// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/silicon/silicon_cases.hpp"
#include "weir/model/probe/silicon_probe.hpp"

namespace weir {

/// Where on a chip the silicon test is made.
struct ProbeBench {
  std::vector<ProbePg> lossless;  ///< Lossless PGs of one memory domain; the first one begins.
  PortId egress;  ///< Outside that domain or at the end of it, where there is a choice.
  std::optional<ProbePg> lossy;  ///< A lossy PG whose packets enter a lossy egress queue.
};

/// The bench on `chip` that begins at PG `pg` (default: the first lossless one) of port `first`.
/// Errors: ConfigError when the port does not exist, or has no such lossless PG.
[[nodiscard]] ProbeBench probe_bench(const Chip& chip, PortId first,
                                     std::optional<Priority> pg = std::nullopt);

/// One prediction and its published count; a list has one for each entry.
struct SiliconComparison {
  std::string case_id;
  std::string quantity;                   ///< As published, with `[entry]` after it for a list.
  std::optional<std::int64_t> predicted;  ///< None: the test does not count this.
  std::int64_t measured{0};
  bool accepted{false};
  std::string verdict;  ///< exact, within N, bound holds, outside, not run, or unknown.
};

/// Runs, for each case, the tests that its published counts call for, each in a process of its own,
/// at most `jobs` at a time; returns the figures in the order of the file.
///
/// A chip is built from SiliconCase::config alone. SiliconCase::expected says which tests to run,
/// and is compared with what came out.
/// Errors: FileError when a case is not a possible chip or too large (check_probe_size), ModelError
///         when a simulation fails.
[[nodiscard]] std::vector<SiliconComparison> predict_silicon(const std::vector<SiliconCase>& cases,
                                                             unsigned jobs);

/// The same tests on a chip of one's own.
struct ChipProbe {
  ProbeBench bench;
  ProbeResult one_pg;                 ///< The first PG to its first drop.
  ProbeResult to_xon;                 ///< The first PG to XOFF, and back to XON.
  ProbeResult to_xoff_then_headroom;  ///< All PGs to XOFF one by one, then the headroom pool.
  ProbeResult to_first_drop;          ///< All PGs, each to its first drop before the next.
  ProbeResult equal_fill;             ///< All PGs in turn.
  std::optional<ProbeResult> lossy;   ///< The lossy queue.
};

/// Errors: ConfigError for the bench, the packet or the size (check_probe_size), ModelError when a
///         simulation fails.
[[nodiscard]] ChipProbe probe_chip(const Chip& chip, const ProbeBench& bench, Bytes packet,
                                   unsigned jobs);

}  // namespace weir
