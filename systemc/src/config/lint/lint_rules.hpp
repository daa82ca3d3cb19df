// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/lint/lint.hpp"
#include "weir/core/index.hpp"

/// The checks of the table of lint_rules(), by subject, and their common functions.
namespace weir::lint_checks {

using Findings = std::vector<LintFinding>;

// lint_headroom.cpp
void no_headroom(const LintSubject& subject, Findings& findings);
void headroom_below_cable(const LintSubject& subject, Findings& findings);
void mtu_above_headroom(const LintSubject& subject, Findings& findings);
void headroom_below_worst_case(const LintSubject& subject, Findings& findings);
void pool_below_one_headroom(const LintSubject& subject, Findings& findings);
void headroom_pool_over_committed(const LintSubject& subject, Findings& findings);

// lint_thresholds.cpp
void pool_over_committed(const LintSubject& subject, Findings& findings);
void alpha_over_committed(const LintSubject& subject, Findings& findings);
void lossy_limit_above_queue(const LintSubject& subject, Findings& findings);
void lossless_queue_refuses(const LintSubject& subject, Findings& findings);
void xon_never_comes(const LintSubject& subject, Findings& findings);
void xon_only_when_empty(const LintSubject& subject, Findings& findings);
void xon_chatters(const LintSubject& subject, Findings& findings);
void headroom_above_threshold(const LintSubject& subject, Findings& findings);
void alphas_far_apart(const LintSubject& subject, Findings& findings);
void pool_unused(const LintSubject& subject, Findings& findings);

// lint_classes.cpp
void lossless_without_pfc(const LintSubject& subject, Findings& findings);
void lossy_with_pfc(const LintSubject& subject, Findings& findings);
void lossy_after_lossless(const LintSubject& subject, Findings& findings);
void lossless_share(const LintSubject& subject, Findings& findings);
void lossless_flooded(const LintSubject& subject, Findings& findings);
void lanes_below_line_rate(const LintSubject& subject, Findings& findings);
void cnps_paused(const LintSubject& subject, Findings& findings);
void control_unused(const LintSubject& subject, Findings& findings);
void lossy_with_xon(const LintSubject& subject, Findings& findings);
void watchdog_below_pause(const LintSubject& subject, Findings& findings);
void lossless_without_watchdog(const LintSubject& subject, Findings& findings);

// lint_wred.cpp
void marks_above_xoff(const LintSubject& subject, Findings& findings);
void wred_drops_lossless(const LintSubject& subject, Findings& findings);
void marks_above_the_bound(const LintSubject& subject, Findings& findings);

// lint_sonic.cpp
void lossless_without_dscp(const LintSubject& subject, Findings& findings);

/// Where `key` of the chip is written; else the table around it; else the file.
[[nodiscard]] LintPlace place(const LintSubject& subject, const std::string& key);
/// A value with what is in it, as in headroom = { cable = "100 m", method = "worst_case" }.
[[nodiscard]] std::string written_whole(const Node& node);
void add(Findings& findings, std::vector<LintPlace> places, std::string what, std::string instead);

/// The key that says what T of a profile or queue is: `table` with alpha, dynamic_th or limit.
[[nodiscard]] std::string threshold_key(const LintSubject& subject, const std::string& table,
                                        const ThresholdSetting& setting);

/// Ports with a link whose PG has `profile` for some priority, and the bits of those priorities.
struct PortOfProfile {
  PortId port;
  std::uint8_t classes{0};
};
[[nodiscard]] std::vector<PortOfProfile> ports_of(const LintSubject& subject, ProfileIndex profile);
/// Profile of `priority` at `port`.
[[nodiscard]] const Profile& profile_of(const Chip& chip, PortId port, Priority priority);
/// Linked PGs of `profile` in the busiest domain.
[[nodiscard]] std::uint64_t groups_in_a_domain(const LintSubject& subject, ProfileIndex profile);
/// T of an empty pool, for a PG alone.
[[nodiscard]] Cells largest_threshold(const ThresholdSetting& setting, const Pool& pool,
                                      std::uint32_t sharers);
/// The most shared cells that one PG or queue alone can hold: it stops at w >= T(w).
[[nodiscard]] std::uint64_t max_shared(const ThresholdSetting& setting, const Pool& pool,
                                       std::uint32_t sharers);
/// PGs with a profile of that pool, per domain: what complete_partitioning divides by.
[[nodiscard]] std::uint32_t sharers_of(const Chip& chip, PoolNumber pool);
[[nodiscard]] std::string cells_text(std::uint64_t cells);
/// `key` = so many cells, in the form of the linted file: `headroom = "466 cells"`, or for SONiC
/// `"xoff": "96928"`.
[[nodiscard]] std::string setting_text(const LintSubject& subject, std::string_view key,
                                       std::uint64_t cells);
/// "port 3" or "ports 0-3,8"
[[nodiscard]] std::string ports_text(const std::vector<std::size_t>& ports);

}  // namespace weir::lint_checks
