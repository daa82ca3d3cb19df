// SPDX-License-Identifier: Apache-2.0
#include "weir/config/lint/lint.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "lint_rules.hpp"

namespace weir {

const std::vector<LintRule>& lint_rules() {
  using namespace lint_checks;
  constexpr LintSeverity error = LintSeverity::error, warning = LintSeverity::warning;
  static const std::vector<LintRule> table{
      {"E101", error, "a lossless class without headroom",
       "Frames that are under way when the PAUSE is sent find no room and are dropped.",
       no_headroom, true},
      {"E102", error, "headroom too small for the cable",
       "Before the PAUSE takes effect, every legal peer can send more than the headroom holds: "
       "lossless packets are dropped.",
       headroom_below_cable, true},
      {"E103", error, "mtu above that of the headroom",
       "The headroom is enough for frames of 1500 B, and the chip lets larger ones in: the one "
       "that "
       "triggers the PAUSE, the one in its way and the last one are each larger.",
       mtu_above_headroom, true},
      {"E104", error, "headroom pool smaller than the headroom of one group",
       "Not even a single priority group can use its whole headroom.", pool_below_one_headroom,
       true},
      {"E105", error, "pool over-committed",
       "Private cells and dedicated headroom that are not taken out of the pool are promised "
       "twice: "
       "the chip would have to hold more cells than it has.",
       pool_over_committed, true},
      {"E106", error, "a lossless class without PFC at one end",
       "An end that does not obey PAUSE, or receives none, overruns the headroom.",
       lossless_without_pfc, true},
      {"E107", error, "a lossless class whose queue drops",
       "The queue refuses packets before the priority group pauses: the class pauses, and "
       "drops as well.",
       lossless_queue_refuses, true},
      {"E108", error, "a lossy class that pauses",
       "PFC is on for a class whose group has no headroom: the port can be paused for a class that "
       "drops anyway.",
       lossy_with_pfc, false},
      {"E109", error, "XON that can never come",
       "By the rule `paper` a group resumes at w < xon. With xon = 0 only a drained group does, by "
       "the exception for empty ones; the link is idle until then.",
       xon_never_comes, true},
      {"E110", error, "a lossy and a lossless class on one queue",
       "A PAUSE for the lossless class pauses the lossy one as well, and lossy packets fill the "
       "queue "
       "that pauses the lossless class.",
       lossy_after_lossless, true},
      {"E111", error, "watchdog shorter than a legal pause",
       "One PAUSE whose XON is lost may pause a class for 65535 quanta; the watchdog takes that "
       "for a storm, and lossless packets are dropped.",
       watchdog_below_pause, false},
      {"W201", warning, "headroom below the worst case of the cable",
       "Enough for large frames; small ones take more cells than bytes, and with a slow but legal "
       "peer some are dropped.",
       headroom_below_worst_case, true},
      {"W202", warning, "headroom pool over-committed",
       "When more groups pause at a time than the pool is sized for, lossless packets are dropped.",
       headroom_pool_over_committed, true},
      {"W203", warning, "thresholds over-committed",
       "When all groups are full, a newcomer finds no room for a frame: it pauses at once, or is "
       "dropped.",
       alpha_over_committed, true},
      {"W204", warning, "a lossy limit above that of its queue",
       "The queue refuses first: for traffic to one queue the limit at ingress does nothing.",
       lossy_limit_above_queue, false},
      {"W205", warning, "XON only when the group is empty",
       "The link is idle until the last cell has left, and a round trip longer.",
       xon_only_when_empty, true},
      {"W206", warning, "XON that chatters",
       "XOFF and XON alternate packet by packet: PFC frames without end.", xon_chatters, true},
      {"W207", warning, "two lossless classes on one queue or group",
       "A pause of one also pauses the other.", lossless_share, true},
      {"W208", warning, "lanes below line rate",
       "Small frames on all ports arrive faster than they are admitted; port FIFOs overrun.",
       lanes_below_line_rate, true},
      {"W209", warning, "lossless packets that are flooded",
       "Their copies wait in queues without a receiver, also towards other switches: buffers then "
       "wait for each other in a circle, and a network can deadlock.",
       lossless_flooded, true},
      {"W210", warning, "headroom above the threshold under `dsh`",
       "The group pauses at T - headroom, which is 0 even in an empty pool: each frame that goes "
       "past private pauses it.",
       headroom_above_threshold, true},
      {"W211", warning, "marks above XOFF",
       "A group that alone fills the queue pauses before a packet is marked: PFC comes first, and "
       "the sender never slows down.",
       marks_above_xoff, true},
      {"W212", warning, "early drop on a lossless queue",
       "A switch drops before it pauses: the class is lossless in name only. The model does not "
       "drop these packets.",
       wred_drops_lossless, false},
      {"W213", warning, "K_min above the t_ECN bound",
       "When all queues fill at once, a group can pause before any of them marks: K_min (`min`, "
       "t_ECN) is not below alpha B / (n (1 + alpha m)).",
       marks_above_the_bound, false},
      {"W214", warning, "CNPs in a class that pauses",
       "A congested switch pauses the packets that are to end its congestion: senders slow down "
       "late, and XOFF lasts longer.",
       cnps_paused, false},
      {"W215", warning, "a lossless port without a watchdog",
       "A NIC that sends PAUSE without end pauses the port permanently; in time the switches "
       "that send to it are paused as well.",
       lossless_without_watchdog, true},
      {"W216", warning, "thresholds of a class far apart",
       "Ports with the larger alpha take the pool before the others get a share: those pause early "
       "under the same load. One of the two is often a mistake.",
       alphas_far_apart, true},
      {"W217", warning, "a lossless class to which no DSCP maps",
       "A switch that classes by DSCP puts the packets of the class's applications into another "
       "one: congestion drops them, and no PAUSE is sent for them.",
       lossless_without_dscp, true},
      {"W218", warning, "rate control that no traffic uses",
       "Its parameters act on nothing: an entry that should name them has others, or none.",
       control_unused, false},
      {"W219", warning, "a lossy profile with keys of a lossless one",
       "Without `headroom` a profile is lossy: it drops where it should pause, and `xon`, "
       "`xon_offset`, `xoff_trigger` and `xon_rule` do nothing.",
       lossy_with_xon, true},
      {"W220", warning, "an ingress pool that nothing uses",
       "Its cells are taken from the memory and hold no packet; often a profile, or this table, "
       "has a wrong name.",
       pool_unused, false},
  };
  return table;
}

std::vector<LintFinding> lint(const LintSubject& subject) {
  std::vector<LintFinding> all;
  for (const LintRule& rule : lint_rules()) {
    std::vector<LintFinding> found;
    rule.check(subject, found);
    for (LintFinding& finding : found) {
      finding.rule = &rule;
      all.push_back(std::move(finding));
    }
  }
  return all;
}

std::vector<LintFinding> lint(const std::vector<LintSubject>& subjects) {
  const auto key_of = [](const LintFinding& finding) {
    std::string key = std::string{finding.rule->code} + finding.what + finding.instead;
    for (const LintPlace& place : finding.places)
      key += "\n" + place.origin.file + ":" + std::to_string(place.origin.line) + place.key;
    return key;
  };
  std::vector<LintFinding> all;
  std::set<std::string> seen;
  for (const LintSubject& subject : subjects)
    for (LintFinding& finding : lint(subject))
      if (seen.insert(key_of(finding)).second) all.push_back(std::move(finding));
  return all;
}

namespace lint_checks {

std::string written_whole(const Node& node) {
  if (!node.is_table()) return node.written();
  std::string keys;
  for (const Node& child : node.children)
    keys += (keys.empty() ? " " : ", ") + child.name + " = " + child.written();
  return "{" + keys + " }";
}

LintPlace place(const LintSubject& subject, const std::string& key) {
  std::string above = key;
  while (true) {
    if (const Node* const node = subject.find(above)) {
      const bool whole = above == key;
      const std::string path = node->path.empty() ? above : node->path;
      return {node->origin, whole ? path : path + key.substr(above.size()),
              whole ? written_whole(*node) : "not written"};
    }
    const std::size_t dot = above.rfind('.');
    if (dot == std::string::npos) break;
    above.resize(dot);
  }
  return {Origin{subject.name, 0}, key, "not written"};
}

void add(Findings& findings, std::vector<LintPlace> places, std::string what, std::string instead) {
  LintFinding finding;
  finding.places = std::move(places);
  finding.what = std::move(what);
  finding.instead = std::move(instead);
  findings.push_back(std::move(finding));
}

namespace {

// The PG of a priority at a port.
PgIndex pg_of(const Chip& chip, PortId port, Priority priority) {
  return pg_index(port, Priority{chip.pg_of_priority[priority.count()]});
}

}  // namespace

std::vector<PortOfProfile> ports_of(const LintSubject& subject, ProfileIndex profile) {
  const Chip& chip = subject.chip;
  std::vector<PortOfProfile> ports;
  for (std::size_t port = 0; port < chip.ports.size(); ++port) {
    if (!subject.ports[port].linked) continue;
    std::uint8_t classes = 0;
    for (std::size_t n = 0; n < priorities; ++n) {
      if (chip.profile_of_pg[pg_of(chip, port_id(port), priority_id(n))] == profile)
        classes = static_cast<std::uint8_t>(classes | 1U << n);
    }
    if (classes != 0) ports.push_back({port_id(port), classes});
  }
  return ports;
}

const Profile& profile_of(const Chip& chip, PortId port, Priority priority) {
  return chip.profiles[*chip.profile_of_pg[pg_of(chip, port, priority)]];
}

std::uint64_t groups_in_a_domain(const LintSubject& subject, ProfileIndex profile) {
  const Chip& chip = subject.chip;
  std::vector<std::uint64_t> groups(chip.domains, 0);
  for (PgIndex slot; slot < chip.profile_of_pg.end_index(); ++slot) {
    const std::size_t port = port_of(slot).count();
    if (chip.profile_of_pg[slot] == profile && subject.ports[port].linked)
      ++groups[chip.ports[port].domain.count()];
  }
  return *std::max_element(groups.begin(), groups.end());
}

std::uint32_t sharers_of(const Chip& chip, PoolNumber pool) {
  std::vector<std::uint32_t> groups(chip.domains, 0);
  for (PgIndex slot; slot < chip.profile_of_pg.end_index(); ++slot) {
    const auto& index = chip.profile_of_pg[slot];
    if (index && chip.profiles[*index].pool == pool)
      ++groups[chip.ports[port_of(slot).count()].domain.count()];
  }
  return std::max(1U, *std::max_element(groups.begin(), groups.end()));
}

Cells largest_threshold(const ThresholdSetting& setting, const Pool& pool, std::uint32_t sharers) {
  return make_threshold({setting, pool.shared, sharers}, "").at(Cells{0});
}

std::uint64_t max_shared(const ThresholdSetting& setting, const Pool& pool, std::uint32_t sharers) {
  const Threshold threshold = make_threshold({setting, pool.shared, sharers}, "");
  // The least w with w >= T(w): T never rises.
  std::uint32_t low = 0, high = pool.shared.count();
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (threshold.at(Cells{middle}).count() <= middle)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

std::string cells_text(std::uint64_t cells) {
  return std::to_string(cells) + (cells == 1 ? " cell" : " cells");
}

std::string setting_text(const LintSubject& subject, std::string_view key, std::uint64_t cells) {
  if (!subject.sonic) return std::string{key} + " = \"" + cells_text(cells) + "\"";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names{
      {{"headroom", "xoff"},
       {"headroom_pool", "xoff"},
       {"limit", "static_th"},
       {"min", "green_min_threshold"}}};
  for (const auto& [chip, sonic] : names) {
    if (chip == key) key = sonic;
  }
  return "\"" + std::string{key} + "\": \"" + std::to_string(cells * subject.chip.cell.count()) +
         "\"";
}

std::string ports_text(const std::vector<std::size_t>& ports) {
  std::string text;
  for (std::size_t i = 0; i < ports.size();) {
    std::size_t last = i;
    while (last + 1 < ports.size() && ports[last + 1] == ports[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(ports[i]);
    if (last != i) text += "-" + std::to_string(ports[last]);
    i = last + 1;
  }
  return (ports.size() == 1 ? "port " : "ports ") + text;
}

}  // namespace lint_checks

}  // namespace weir
