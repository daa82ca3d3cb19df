// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lint_rules.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/chip_memory.hpp"

namespace weir::lint_checks {

std::string threshold_key(const LintSubject& subject, const std::string& table,
                          const ThresholdSetting& setting) {
  const PolicyRow& policy = row_of(setting.policy);
  if (policy.reads("limit")) return table + ".limit";
  if (!policy.reads("alpha")) return table + ".policy";
  return table + (subject.find(table + ".dynamic_th") != nullptr ? ".dynamic_th" : ".alpha");
}

namespace {

std::string key_of(const LintSubject& subject, const Profile& profile) {
  return threshold_key(subject, "profile." + profile.name, profile.threshold);
}

const Pool& pool_of(const Chip& chip, const Profile& profile) {
  return chip.ingress_pools[profile.pool];
}

// Applies `judge` to each profile of that kind that a linked port has.
template <class Judge>
void each_profile(const LintSubject& subject, bool lossless, Judge&& judge) {
  for (ProfileIndex i; i < subject.chip.profiles.end_index(); ++i) {
    const Profile& profile = subject.chip.profiles[i];
    if (profile.lossless == lossless && !ports_of(subject, i).empty()) judge(profile, i);
  }
}

bool is_insured(const Profile& profile) { return row_of(profile.threshold.policy).insured; }

// Where a PG alone goes XOFF in an empty pool: T; where headroom is inside the shared segment,
// T - eta.
Cells top_threshold(const LintSubject& subject, const Profile& profile) {
  const Cells line = largest_threshold(profile.threshold, pool_of(subject.chip, profile),
                                       sharers_of(subject.chip, profile.pool));
  return is_insured(profile) ? saturating_subtract(line, profile.headroom) : line;
}

// sum of alpha_i in 2^-16 and of static limits, over the linked lossless PGs of the busiest domain.
struct Promise {
  std::uint64_t alphas{0}, limits{0}, groups{0};
  std::vector<LintPlace> places;
};

Promise promise_of(const LintSubject& subject, PoolNumber pool, bool by_alpha) {
  Promise promise;
  each_profile(subject, true, [&](const Profile& profile, ProfileIndex index) {
    const bool counts = row_of(profile.threshold.policy).reads(by_alpha ? "alpha" : "limit");
    if (profile.pool != pool || !counts) return;
    const std::uint64_t groups = groups_in_a_domain(subject, index);
    const Alpha& alpha = profile.threshold.alpha;
    promise.alphas += groups * (std::uint64_t{alpha.numerator} << (16U - alpha.shift));
    promise.limits += groups * profile.threshold.static_limit.count();
    promise.groups += groups;
    promise.places.push_back(place(subject, key_of(subject, profile)));
  });
  return promise;
}

void check_alphas(const LintSubject& subject, PoolNumber index, Findings& findings) {
  const Pool& pool = subject.chip.ingress_pools[index];
  Promise promise = promise_of(subject, index, true);
  if (promise.groups < 2) return;
  // B / (1 + sum of alphas): the free cells that remain when all of them are full.
  const std::uint64_t free =
      (std::uint64_t{pool.shared.count()} << 16U) / ((1U << 16U) + promise.alphas);
  const Cells frame = subject.chip.cells(subject.chip.mtu);
  if (frame.count() <= free) return;
  add(findings, std::move(promise.places),
      fmt::format(
          "{} lossless priority groups share the {} of pool {} in a domain; full, they leave "
          "{} free, and a largest frame takes {}",
          promise.groups, cells_text(pool.shared.count()), pool.name, cells_text(free),
          frame.count()),
      fmt::format("a smaller alpha: with alpha = 1/8, {} stay free",
                  cells_text(std::uint64_t{pool.shared.count()} * 8 / (8 + promise.groups))));
}

void check_limits(const LintSubject& subject, PoolNumber index, Findings& findings) {
  const Pool& pool = subject.chip.ingress_pools[index];
  Promise promise = promise_of(subject, index, false);
  if (promise.limits <= pool.shared.count()) return;
  add(findings, std::move(promise.places),
      fmt::format(
          "static limits of {} lossless priority groups add up to {}; pool {} shares {} in a "
          "domain",
          promise.groups, cells_text(promise.limits), pool.name, cells_text(pool.shared.count())),
      setting_text(subject, "limit", pool.shared.count() / promise.groups) +
          " at most, or a dynamic threshold");
}

// Cells of a list `reserved`.
std::uint64_t listed_cells(const Node& list, Bytes cell) {
  std::uint64_t sum = 0;
  for (const Node& entry : list.children)
    sum += static_cast<std::uint64_t>(entry.find("count")->integer) *
           to_cells_up(*entry.find("size"), cell).count();
  return sum;
}

// The first profile of a queue that a class of `profile` uses at `port`.
const QueueProfile* queue_of(const Chip& chip, PortId port, std::uint8_t classes) {
  for (std::size_t n = 0; n < priorities; ++n) {
    if ((classes >> n & 1U) == 0) continue;
    const auto& index =
        chip.profile_of_queue[queue_index(port, Priority{chip.queue_of_priority[n]})];
    if (index) return &chip.queue_profiles[*index];
  }
  return nullptr;
}

std::uint64_t queue_holds(const Chip& chip, const QueueProfile& queue) {
  return queue.minimum.count() + max_shared(queue.threshold, chip.egress_pools[queue.pool], 1);
}

// The most cells that all linked groups of a lossless profile can hold for one queue, in one
// domain.
std::uint64_t ingress_holds(const LintSubject& subject, const Profile& profile,
                            ProfileIndex index) {
  const Pool& pool = pool_of(subject.chip, profile);
  const std::uint64_t groups = groups_in_a_domain(subject, index);
  const std::uint64_t headroom = groups * profile.headroom.count();
  const std::uint64_t one =
      max_shared(profile.threshold, pool, sharers_of(subject.chip, profile.pool));
  const std::uint64_t shared = std::min<std::uint64_t>(groups * one, pool.shared.count());
  return shared + groups * profile.private_cells.count() +
         (pool.dedicated_headroom ? headroom
                                  : std::min<std::uint64_t>(headroom, pool.headroom.count()));
}

}  // namespace

void pool_over_committed(const LintSubject& subject, Findings& findings) {
  for (PoolNumber i; i < subject.chip.ingress_pools.end_index(); ++i) {
    const std::string key = "pool." + subject.chip.ingress_pools[i].name + ".reserved";
    const Node* const list = subject.find(key);
    if (list == nullptr || !list->is_array()) continue;
    const std::uint64_t listed = listed_cells(*list, subject.chip.cell);
    const std::uint64_t held = cells_apart(subject.chip, i);
    if (held <= listed) continue;
    add(findings, {place(subject, key)},
        fmt::format(
            "the list takes {} out of the pool; private cells and dedicated headroom of its "
            "priority groups are {}",
            cells_text(listed), cells_text(held)),
        "no list: what the groups hold is then taken out; or a list that covers it");
  }
}

void alpha_over_committed(const LintSubject& subject, Findings& findings) {
  for (PoolNumber i; i < subject.chip.ingress_pools.end_index(); ++i) {
    check_alphas(subject, i, findings);
    check_limits(subject, i, findings);
  }
}

void lossy_limit_above_queue(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  each_profile(subject, false, [&](const Profile& profile, ProfileIndex index) {
    const Pool& pool = pool_of(chip, profile);
    // A limit as large as the pool is how SONiC switches it off.
    if (!row_of(profile.threshold.policy).reads("limit") ||
        pool.shared <= profile.threshold.static_limit)
      return;
    const PortOfProfile first = ports_of(subject, index).front();
    const QueueProfile* const queue = queue_of(chip, first.port, first.classes);
    if (queue == nullptr) return;
    const std::uint64_t holds = queue_holds(chip, *queue);
    if (profile.threshold.static_limit.count() <= holds) return;
    add(findings,
        {place(subject, key_of(subject, profile)),
         place(subject, threshold_key(subject, "queue." + queue->name, queue->threshold))},
        fmt::format("lossy profile {} may share {}, and its queue ({}) refuses at {}", profile.name,
                    cells_text(profile.threshold.static_limit.count()), queue->name,
                    cells_text(holds)),
        setting_text(subject, "limit", holds) +
            " or less, or the size of the pool for no limit at ingress");
  });
}

void lossless_queue_refuses(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  each_profile(subject, true, [&](const Profile& profile, ProfileIndex index) {
    for (const PortOfProfile& entry : ports_of(subject, index)) {
      const QueueProfile* const queue = queue_of(chip, entry.port, entry.classes);
      if (queue == nullptr) continue;
      const std::uint64_t holds = queue_holds(chip, *queue);
      const std::uint64_t ingress = ingress_holds(subject, profile, index);
      if (ingress <= holds) continue;
      add(findings,
          {place(subject, threshold_key(subject, "queue." + queue->name, queue->threshold)),
           place(subject, "queue." + queue->name + ".priorities"),
           place(subject, key_of(subject, profile))},
          fmt::format("profile {} is lossless and takes up to {} before all its groups pause; its "
                      "queue ({}) drops from {} on",
                      profile.name, cells_text(ingress), queue->name, cells_text(holds)),
          "no [queue] for lossless classes: they are limited at ingress");
      return;
    }
  });
}

void xon_never_comes(const LintSubject& subject, Findings& findings) {
  each_profile(subject, true, [&](const Profile& profile, ProfileIndex) {
    if (profile.xon_rule != XonRule::paper || profile.xon != Cells{0}) return;
    const std::string table = "profile." + profile.name;
    add(findings, {place(subject, table + ".xon"), place(subject, table + ".xon_rule")},
        fmt::format("profile {}: w < 0 is never true", profile.name),
        fmt::format("xon = \"{} cells\", twice a largest frame, or xon_rule = \"sai\" with an "
                    "xon_offset",
                    2 * subject.chip.cells(subject.chip.mtu).count()));
  });
}

void xon_only_when_empty(const LintSubject& subject, Findings& findings) {
  each_profile(subject, true, [&](const Profile& profile, ProfileIndex) {
    const Cells top = top_threshold(subject, profile);
    if (profile.xon_rule != XonRule::sai || profile.xon != Cells{0} || profile.xon_offset < top ||
        top == Cells{0})
      return;
    const std::string table = "profile." + profile.name;
    add(findings, {place(subject, table + ".xon_offset"), place(subject, key_of(subject, profile))},
        fmt::format("profile {}: T is at most {}, the offset {}: max(xon, T - xon_offset) is 0",
                    profile.name, cells_text(top.count()), cells_text(profile.xon_offset.count())),
        setting_text(subject, "xon_offset",
                     std::min(top.count() / 2, 2 * subject.chip.cells(subject.chip.mtu).count())));
  });
}

void headroom_above_threshold(const LintSubject& subject, Findings& findings) {
  each_profile(subject, true, [&](const Profile& profile, ProfileIndex) {
    if (!is_insured(profile) || top_threshold(subject, profile) != Cells{0}) return;
    const Pool& pool = pool_of(subject.chip, profile);
    const Cells line =
        largest_threshold(profile.threshold, pool, sharers_of(subject.chip, profile.pool));
    add(findings,
        {place(subject, key_of(subject, profile)),
         place(subject, "profile." + profile.name + ".headroom")},
        fmt::format("profile {}: T is at most {}, headroom {}: XOFF at w >= T - headroom = 0",
                    profile.name, cells_text(line.count()), cells_text(profile.headroom.count())),
        fmt::format(
            "a larger alpha: with 1/8, XOFF at {}",
            cells_text(
                saturating_subtract(Cells{pool.shared.count() / 8}, profile.headroom).count())));
  });
}

void xon_chatters(const LintSubject& subject, Findings& findings) {
  each_profile(subject, true, [&](const Profile& profile, ProfileIndex) {
    const Cells top = top_threshold(subject, profile);
    const bool no_gap = profile.xon_rule == XonRule::sai && profile.xon_offset == Cells{0};
    const bool above = top <= profile.xon && top != Cells{0};
    if (!no_gap && !above) return;
    const std::string table = "profile." + profile.name;
    add(findings, {place(subject, table + (above ? ".xon" : ".xon_offset"))},
        above ? fmt::format("profile {}: xon = {} is not below T, at most {}", profile.name,
                            cells_text(profile.xon.count()), cells_text(top.count()))
              : fmt::format("profile {}: xon_offset is 0: XOFF at w >= T, XON at w <= T as soon as "
                            "headroom is empty",
                            profile.name),
        setting_text(subject, "xon_offset",
                     std::uint64_t{2} * subject.chip.cells(subject.chip.mtu).count()) +
            ", twice a largest frame, and xon well below T");
  });
}

// alpha = 2^dynamic_th; a factor of 8 is three steps of it.
void alphas_far_apart(const LintSubject& subject, Findings& findings) {
  constexpr std::uint64_t far_apart = 8;
  const Chip& chip = subject.chip;
  const auto scaled = [](const Profile& profile) {  // alpha x 2^16
    const Alpha alpha = profile.threshold.alpha;
    return (std::uint64_t{alpha.numerator} << 16) >> alpha.shift;
  };
  std::vector<std::pair<const Profile*, const Profile*>> reported;
  for (std::size_t n = 0; n < priorities; ++n) {
    const Profile *least = nullptr, *most = nullptr;
    for (std::size_t p = 0; p < subject.ports.size(); ++p) {
      const Profile& profile = profile_of(chip, port_id(p), priority_id(n));
      const bool counts = subject.ports[p].linked && profile.lossless &&
                          row_of(profile.threshold.policy).reads("alpha");
      if (!counts) continue;
      if (least == nullptr || scaled(profile) < scaled(*least)) least = &profile;
      if (most == nullptr || scaled(*most) < scaled(profile)) most = &profile;
    }
    if (least == nullptr || scaled(*most) < scaled(*least) * far_apart) continue;
    if (std::find(reported.begin(), reported.end(), std::pair{least, most}) != reported.end())
      continue;
    reported.emplace_back(least, most);
    const auto written = [&](const Profile& profile) {
      const std::string table = "profile." + profile.name;
      const bool exponent = subject.find(table + ".dynamic_th") != nullptr;
      return place(subject, table + (exponent ? ".dynamic_th" : ".alpha"));
    };
    add(findings, {written(*most), written(*least)},
        fmt::format("class {}: alpha of {} is {} times that of {}", n, most->name,
                    scaled(*most) / std::max<std::uint64_t>(1, scaled(*least)), least->name),
        "one alpha for a class, or a reason for the difference in a comment");
  }
}

void pool_unused(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  std::set<std::string> used;
  for (const Profile& profile : chip.profiles) used.insert(pool_of(chip, profile).name);
  for (const Pool& pool : chip.egress_pools)
    if (const Node* const other = subject.find("egress_pool." + pool.name + ".same_as"))
      used.insert(other->text);
  for (const Pool& pool : chip.ingress_pools)
    if (used.count(pool.name) == 0)
      add(findings, {place(subject, "pool." + pool.name)}, "no profile has the pool " + pool.name,
          "a profile with pool = \"" + pool.name + "\", or no such pool");
}

}  // namespace weir::lint_checks
