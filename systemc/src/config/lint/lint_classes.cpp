// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "chip/lossless_classes.hpp"
#include "lint_rules.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/nic_spec.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/ethernet.hpp"

namespace weir::lint_checks {
namespace {

std::string classes_text(std::uint8_t mask) {
  std::string text;
  for (unsigned n = 0; n < priorities; ++n) {
    if ((mask >> n & 1U) != 0) text += (text.empty() ? "" : ", ") + std::to_string(n);
  }
  return text;
}

// Ports with the same fault, reported once.
struct FaultyPorts {
  std::vector<std::size_t> ports;
  std::uint8_t classes{0};
  LintPlace first;
};

template <class Fault>
FaultyPorts ports_with(const LintSubject& subject, Fault&& fault) {
  FaultyPorts found;
  for (std::size_t p = 0; p < subject.ports.size(); ++p) {
    const LintPort& port = subject.ports[p];
    const auto classes = static_cast<std::uint8_t>(port.linked ? fault(p, port) : 0);
    if (classes == 0) continue;
    if (found.ports.empty()) found.first = {port.pfc, port.pfc_key, ""};
    found.classes = static_cast<std::uint8_t>(found.classes | classes);
    found.ports.push_back(p);
  }
  return found;
}

std::uint64_t greatest_rate(const Chip& chip) {
  std::vector<std::uint64_t> rate(chip.domains, 0);
  for (const PortSetting& port : chip.ports) rate[port.domain.count()] += port.rate.count();
  return *std::max_element(rate.begin(), rate.end());
}

// Two classes that share a queue or a group of a linked port, one of which is lossless.
struct Shared {
  std::size_t a{0}, b{0}, number{0};
  bool any{false};
};

template <class Wanted>
Shared shared_number(const LintSubject& subject, const std::array<std::uint8_t, priorities>& map,
                     Wanted&& wanted) {
  const Chip& chip = subject.chip;
  for (std::size_t port = 0; port < chip.ports.size(); ++port) {
    if (!subject.ports[port].linked) continue;
    for (std::size_t a = 0; a < priorities; ++a) {
      for (std::size_t b = a + 1; b < priorities; ++b) {
        if (map[a] == map[b] && wanted(profile_of(chip, port_id(port), priority_id(a)).lossless,
                                       profile_of(chip, port_id(port), priority_id(b)).lossless))
          return {a, b, map[a], true};
      }
    }
  }
  return {};
}

bool is_one_lossless(bool a, bool b) { return a != b; }
bool are_both_lossless(bool a, bool b) { return a && b; }

}  // namespace

void lossless_without_pfc(const LintSubject& subject, Findings& findings) {
  const auto peer = ports_with(subject, [&](std::size_t p, const LintPort& port) {
    return lossless_classes(subject.chip, port_id(p)) & port.sends & ~port.pfc_of_peer;
  });
  if (!peer.ports.empty())
    add(findings, {peer.first},
        fmt::format("class {} is lossless at {}, and the peer does not stop when it is paused",
                    classes_text(peer.classes), ports_text(peer.ports)),
        "obeys_pfc = true, or a lossy class for what this host sends");
  const auto own = ports_with(subject, [&](std::size_t p, const LintPort& port) {
    return lossless_classes(subject.chip, port_id(p)) & ~port.pfc_of_port;
  });
  if (!own.ports.empty())
    add(findings, {own.first},
        fmt::format("class {} is lossless at {} (its priority group has headroom), and pfc_enable "
                    "leaves it out",
                    classes_text(own.classes), ports_text(own.ports)),
        fmt::format("pfc_enable with {}, or a lossy profile for the group",
                    classes_text(own.classes)));
}

void lossy_with_pfc(const LintSubject& subject, Findings& findings) {
  const auto faulty = ports_with(subject, [&](std::size_t p, const LintPort& port) {
    // 0xff: not configured.
    if (port.pfc_key.empty() || port.pfc_of_port == 0xff) return 0;
    return port.pfc_of_port & ~lossless_classes(subject.chip, port_id(p));
  });
  if (faulty.ports.empty()) return;
  add(findings, {faulty.first},
      fmt::format("pfc_enable has class {} at {}, whose priority group is lossy",
                  classes_text(faulty.classes), ports_text(faulty.ports)),
      fmt::format("pfc_enable without {}, or a profile with headroom for the group",
                  classes_text(faulty.classes)));
}

void lossy_after_lossless(const LintSubject& subject, Findings& findings) {
  const Shared found = shared_number(subject, subject.chip.queue_of_priority, is_one_lossless);
  if (!found.any) return;
  add(findings, {place(subject, "map.queue_of_priority")},
      fmt::format("classes {} and {} leave through queue {}, and one of them is lossless", found.a,
                  found.b, found.number),
      "a queue of its own for each lossless class");
}

void lossless_share(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  const Shared queue = shared_number(subject, chip.queue_of_priority, are_both_lossless);
  const Shared group = shared_number(subject, chip.pg_of_priority, are_both_lossless);
  if (queue.any)
    add(findings, {place(subject, "map.queue_of_priority")},
        fmt::format("lossless classes {} and {} leave through queue {}", queue.a, queue.b,
                    queue.number),
        "a queue of its own for each lossless class");
  if (group.any)
    add(findings, {place(subject, "map.pg_of_priority")},
        fmt::format("lossless classes {} and {} have priority group {} together", group.a, group.b,
                    group.number),
        "a priority group of its own for each lossless class");
}

// Without neighbour tables no packet is flooded.
void lossless_flooded(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  if (!chip.neighbours) return;
  const auto lossless = [](const Profile& profile) { return profile.lossless; };
  if (std::none_of(chip.profiles.begin(), chip.profiles.end(), lossless)) return;
  const NeighbourSettings& tables = *chip.neighbours;
  if (tables.incomplete == IncompleteArp::flood && tables.mac_timeout < tables.arp_timeout)
    add(findings, {place(subject, "neighbours.incomplete")},
        "a host that has been silent for the mac_timeout is flooded to until the arp_timeout, in "
        "every class",
        "incomplete = \"drop_lossless\", or a mac_timeout no shorter than the arp_timeout");
  const auto& group = chip.classifier.group_priority;
  if (!group)
    return add(findings, {place(subject, "neighbours")},
               "broadcast and multicast packets may be in a lossless class",
               "group = a lossy priority, in [classify]");
  for (std::size_t port = 0; port < chip.ports.size(); ++port) {
    if (!subject.ports[port].linked || !profile_of(chip, port_id(port), *group).lossless) continue;
    return add(findings, {place(subject, "classify.group")},
               fmt::format("broadcast and multicast packets have class {}, which is lossless",
                           group->count()),
               "group = a lossy priority, in [classify]");
  }
}

void cnps_paused(const LintSubject& subject, Findings& findings) {
  for (std::size_t n = 0; n < priorities; ++n) {
    std::vector<std::size_t> ports;
    for (std::size_t port = 0; port < subject.ports.size(); ++port)
      if (subject.ports[port].linked && (subject.ports[port].cnps >> n & 1U) != 0 &&
          profile_of(subject.chip, port_id(port), priority_id(n)).lossless)
        ports.push_back(port);
    if (ports.empty()) continue;
    const LintPort& first = subject.ports[ports.front()];
    add(findings, {{first.control, first.control_key, first.control_value}},
        fmt::format("the hosts at {} send CNPs in class {}, which is lossless", ports_text(ports),
                    n),
        "cnp_priority = a lossy class, in [dcqcn.NAME], with a strict queue of its own");
  }
}

// The layers of a switch begin with its scenario.
void control_unused(const LintSubject& subject, Findings& findings) {
  const Node* const scenario = subject.layers.empty() ? nullptr : &subject.layers.front().first;
  const Node* const tables = scenario == nullptr ? nullptr : scenario->find("dcqcn");
  if (tables == nullptr) return;
  std::set<std::string> named;
  if (const Node* const entries = scenario->find("traffic"))
    for (const Node& entry : entries->children)
      if (const Node* const name = entry.find("dcqcn")) named.insert(name->text);
  for (const Node& table : tables->children)
    if (named.count(table.name) == 0)
      add(findings, {{table.origin, table.path, written_whole(table)}},
          "no traffic has dcqcn = \"" + table.name + "\"",
          "dcqcn = \"" + table.name + "\" in an entry with control = \"dcqcn\", or no such table");
}

// A row of SONiC is lossless by its xoff, and those that the switch makes have all of these.
void lossy_with_xon(const LintSubject& subject, Findings& findings) {
  if (subject.sonic != nullptr) return;
  for (const Profile& profile : subject.chip.profiles) {
    const std::string table = "profile." + profile.name + ".";
    if (profile.lossless || subject.find(table + "lossless") != nullptr) continue;
    for (const char* const key : {"xon", "xon_offset", "xoff_trigger", "xon_rule"}) {
      if (subject.find(table + key) == nullptr) continue;
      add(findings, {place(subject, table + key)},
          fmt::format("profile {} has {} and no headroom, so it is lossy", profile.name, key),
          "write headroom, or lossless = false");
      break;
    }
  }
}

void lanes_below_line_rate(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  const std::uint32_t needed = default_lanes(chip);
  if (needed <= chip.lanes) return;
  // Minimum time of a frame and its gap on all ports together: rate x clock / lanes bits.
  const std::uint64_t bits_per_second = greatest_rate(chip);
  const Wide per_lane = Wide{8} * picoseconds_per_second * chip.lanes * chip.clock.denominator();
  const auto slot = static_cast<std::uint64_t>(
      (Wide{bits_per_second} * chip.clock.numerator() + per_lane - 1) / per_lane);
  const Bytes frame =
      std::max(min_frame_bytes, saturating_subtract(Bytes{slot}, slot_overhead_bytes));
  add(findings, {place(subject, "chip.lanes")},
      fmt::format(
          "{} lanes; frames of 64 B on all ports need {}. The chip keeps line rate from {} B "
          "on",
          chip.lanes, needed, frame.count()),
      fmt::format("lanes = {}, or none: that is the default", needed));
}

// A chip file does not say which ports have a watchdog, and few scenarios are about storms.
void lossless_without_watchdog(const LintSubject& subject, Findings& findings) {
  if (subject.sonic == nullptr) return;
  const FaultyPorts found = ports_with(subject, [&](std::size_t p, const LintPort& port) {
    return port.watchdog ? std::uint8_t{0} : lossless_classes(subject.chip, port_id(p));
  });
  if (found.ports.empty()) return;
  add(findings, {found.first},
      fmt::format("{} with lossless {} and no row of PFC_WD", ports_text(found.ports),
                  classes_text(found.classes)),
      fmt::format("for each port a row of PFC_WD: \"detection_time\": \"{0}\", "
                  "\"restoration_time\": \"{0}\", \"action\": \"drop\"",
                  usual_switch_watchdog_time.count() / picoseconds_per_ms));
}

void watchdog_below_pause(const LintSubject& subject, Findings& findings) {
  for (std::size_t p = 0; p < subject.ports.size(); ++p) {
    const LintPort& port = subject.ports[p];
    if (!port.watchdog) continue;
    const BitRate rate = subject.chip.ports[p].rate;
    const Picoseconds pause = quanta_time(max_quanta, rate);
    if (pause <= *port.watchdog) continue;
    add(findings, {{port.watchdog_place, port.watchdog_key, port.watchdog_value}},
        fmt::format("a storm is found after {} us; one PAUSE of {} quanta lasts {} us at {}",
                    port.watchdog->count() / 1'000'000, max_quanta.count(),
                    pause.count() / 1'000'000, rate_text(rate)),
        fmt::format("a detection time of several pauses: {} is usual",
                    milliseconds_text(usual_switch_watchdog_time)));
  }
}

}  // namespace weir::lint_checks
