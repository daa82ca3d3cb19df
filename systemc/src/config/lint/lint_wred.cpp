// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "chip/lossless_classes.hpp"
#include "lint_rules.hpp"

namespace weir::lint_checks {
namespace {

// Whether a class of `profile` leaves through a queue with WRED profile `wred` at a linked port.
bool meets(const LintSubject& subject, ProfileIndex profile, WredProfileIndex wred) {
  const Chip& chip = subject.chip;
  for (const PortOfProfile& entry : ports_of(subject, profile))
    for (std::size_t n = 0; n < priorities; ++n) {
      const QueueIndex queue = queue_index(entry.port, Priority{chip.queue_of_priority[n]});
      if ((entry.classes >> n & 1U) != 0 && chip.wred_of_queue[queue] == wred) return true;
    }
  return false;
}

// Applies `judge` to each WRED profile and each lossless profile whose classes it is for.
template <class Judge>
void each_lossless_queue(const LintSubject& subject, Judge&& judge) {
  const Chip& chip = subject.chip;
  for (WredProfileIndex w; w < chip.wred_profiles.end_index(); ++w)
    for (ProfileIndex p; p < chip.profiles.end_index(); ++p)
      if (chip.profiles[p].lossless && meets(subject, p, w))
        judge(chip.wred_profiles[w], chip.profiles[p], p);
}

// What a group alone holds, in a pool that is empty but for it, when it goes XOFF.
std::uint64_t xoff_occupancy(const LintSubject& subject, const Profile& profile) {
  const Pool& pool = subject.chip.ingress_pools[profile.pool];
  return profile.private_cells.count() +
         max_shared(profile.threshold, pool, sharers_of(subject.chip, profile.pool));
}

// Lossless classes of a port, at most.
std::uint64_t max_lossless_classes(const Chip& chip) {
  std::size_t most = 0;
  for (std::size_t port = 0; port < chip.ports.size(); ++port)
    most = std::max(most, std::bitset<priorities>{lossless_classes(chip, port_id(port))}.count());
  return most;
}

LintPlace min_place(const LintSubject& subject, const WredProfile& wred) {
  return place(subject, "wred." + wred.name + ".min");
}

}  // namespace

void marks_above_xoff(const LintSubject& subject, Findings& findings) {
  each_lossless_queue(subject, [&](const WredProfile& wred, const Profile& profile, ProfileIndex) {
    const std::uint64_t xoff = xoff_occupancy(subject, profile);
    if (!wred.mark || wred.min.count() < xoff) return;
    add(findings,
        {min_place(subject, wred), place(subject, "profile." + profile.name + ".private")},
        fmt::format("{} marks from {} on; a group of {} that alone fills the queue pauses at {}",
                    wred.name, cells_text(wred.min.count()), profile.name, cells_text(xoff)),
        setting_text(subject, "min", xoff / 2) + ", or a larger alpha");
  });
}

void wred_drops_lossless(const LintSubject& subject, Findings& findings) {
  each_lossless_queue(subject, [&](const WredProfile& wred, const Profile& profile, ProfileIndex) {
    const std::uint64_t xoff = xoff_occupancy(subject, profile);
    if (!wred.drop || xoff <= wred.min.count()) return;
    add(findings, {place(subject, "wred." + wred.name + ".drop"), min_place(subject, wred)},
        fmt::format("{} drops from {} on; profile {} is lossless and pauses at {}", wred.name,
                    cells_text(wred.min.count()), profile.name, cells_text(xoff)),
        std::string{subject.sonic ? "\"wred_green_enable\": \"false\"" : "drop = false"} +
            " for queues of lossless classes");
  });
}

// t_ECN < alpha B / (n (1 + alpha m)): with every queue of all n ports and m classes at t_ECN, and
// n of them filled by one group, this group has not reached T.
void marks_above_the_bound(const LintSubject& subject, Findings& findings) {
  each_lossless_queue(subject, [&](const WredProfile& wred, const Profile& profile,
                                   ProfileIndex index) {
    if (!wred.mark || !row_of(profile.threshold.policy).reads("alpha")) return;
    const Alpha alpha = profile.threshold.alpha;
    const std::uint64_t n = ports_of(subject, index).size(), m = max_lossless_classes(subject.chip);
    const std::uint64_t shared = subject.chip.ingress_pools[profile.pool].shared.count();
    const std::uint64_t bound =
        alpha.numerator * shared / (n * ((std::uint64_t{1} << alpha.shift) + alpha.numerator * m));
    if (wred.min.count() < bound) return;
    add(findings,
        {min_place(subject, wred),
         place(subject, threshold_key(subject, "profile." + profile.name, profile.threshold))},
        fmt::format("{} marks from {} on; with {} ports and {} lossless classes a group of {} "
                    "can pause before any queue is above {}",
                    wred.name, cells_text(wred.min.count()), n, m, profile.name, cells_text(bound)),
        setting_text(subject, "min", bound == 0 ? 0 : bound - 1) + " or less");
  });
}

}  // namespace weir::lint_checks
