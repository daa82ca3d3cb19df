// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lint_rules.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/headroom_need.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::lint_checks {
namespace {

// The frame size that a headroom calculation without jumbo frames assumes.
constexpr Bytes ethernet_mtu{1500};

// The worst-case port of a profile, and the number of its ports.
struct Need {
  HeadroomPort sized;
  PortId port;
  std::size_t ports{0};
  Cells standard, worst_case;
  bool cable_known{false};
};

HeadroomPort sized_port(const LintSubject& subject, PortId id) {
  const LintPort& port = subject.ports[id.count()];
  return linked_headroom_port(subject.chip, id, port.delay.value_or(Picoseconds{0}),
                              port.peer_response);
}

std::optional<Need> need_of(const LintSubject& subject, ProfileIndex profile) {
  std::optional<Need> most;
  std::optional<HeadroomPort> last;
  const auto ports = ports_of(subject, profile);
  for (const PortOfProfile& entry : ports) {
    const HeadroomPort sized = sized_port(subject, entry.port);
    if (last && same_need(*last, sized)) continue;
    last = sized;
    const Cells worst = size_headroom("worst_case", sized).cells;
    if (most && worst <= most->worst_case) continue;
    most = Need{sized,        entry.port,
                ports.size(), size_headroom("standard", sized).cells,
                worst,        subject.ports[entry.port.count()].delay.has_value()};
  }
  return most;
}

std::string by_all_methods(const HeadroomPort& port) {
  std::string text;
  for (const HeadroomMethod& method : headroom_methods())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", method.name,
                        size_headroom(method.name, port).cells.count());
  return text;
}

std::string metres(Millimetres cable) {
  const std::uint64_t mm = cable.count();
  return mm % 1000 == 0 ? fmt::format("{} m", mm / 1000) : fmt::format("{} mm", mm);
}

std::vector<LintPlace> places_of(const LintSubject& subject, const std::string& key,
                                 const Need& need) {
  std::vector<LintPlace> places{place(subject, key)};
  const LintPort& port = subject.ports[need.port.count()];
  if (need.cable_known && !port.cable_key.empty())
    places.push_back({port.cable, port.cable_key,
                      port.cable_value.empty() ? metres(need.sized.cable) : port.cable_value});
  return places;
}

std::string headroom_wanted(const LintSubject& subject, const Need& need) {
  if (subject.sonic)
    return setting_text(subject, "headroom", need.worst_case.count()) + ", by worst_case";
  return need.cable_known
             ? fmt::format("headroom = {{ cable = \"{}\", method = \"worst_case\" }}, which is {}",
                           metres(need.sized.cable), cells_text(need.worst_case.count()))
             : fmt::format(
                   "headroom = {{ cable = \"...\", method = \"worst_case\" }}: at least {} "
                   "without any cable",
                   cells_text(need.worst_case.count()));
}

std::string what_is_there(const LintSubject& subject, const Profile& profile, const Need& need) {
  return fmt::format(
      "profile {} has {} of headroom; port {} ({} as much or less) at {} with {} "
      "and "
      "frames of {} B needs, by method: {}",
      profile.name, cells_text(profile.headroom.count()), need.port.count(),
      need.ports == 1 ? "1 port needs" : fmt::format("{} ports need", need.ports),
      rate_text(need.sized.rate),
      need.cable_known ? metres(need.sized.cable) + " of cable" : "no cable at all",
      subject.chip.mtu.count(), by_all_methods(need.sized));
}

// Applies `judge` to each lossless profile that has headroom and a port with a link.
template <class Judge>
void each_sized(const LintSubject& subject, Judge&& judge) {
  const Chip& chip = subject.chip;
  for (ProfileIndex i; i < chip.profiles.end_index(); ++i) {
    const Profile& profile = chip.profiles[i];
    if (!profile.lossless || profile.headroom == Cells{0}) continue;
    if (const auto need = need_of(subject, i)) judge(profile, *need);
  }
}

bool enough_for_usual_frames(const Profile& profile, const Need& need) {
  HeadroomPort smaller = need.sized;
  smaller.mtu = std::min(smaller.mtu, ethernet_mtu);
  return size_headroom("standard", smaller).cells <= profile.headroom;
}

// The largest mtu for which the headroom holds by `standard`.
std::uint64_t largest_mtu(const Profile& profile, HeadroomPort port) {
  std::uint64_t low = 64, high = port.mtu.count();
  while (low < high) {
    port.mtu = Bytes{(low + high + 1) / 2};
    if (size_headroom("standard", port).cells <= profile.headroom)
      low = port.mtu.count();
    else
      high = port.mtu.count() - 1;
  }
  return low;
}

// Headroom of all linked lossless PGs of a pool in the domain with the largest sum, and of one PG.
struct Demand {
  std::uint64_t all{0}, one{0};
  std::vector<ProfileIndex> profiles;
};

Demand demand_on(const LintSubject& subject, PoolNumber pool) {
  const Chip& chip = subject.chip;
  std::vector<std::uint64_t> by_domain(chip.domains, 0);
  Demand demand;
  for (ProfileIndex i; i < chip.profiles.end_index(); ++i) {
    const Profile& profile = chip.profiles[i];
    if (profile.pool != pool || !profile.lossless || profile.headroom == Cells{0}) continue;
    const auto ports = ports_of(subject, i);
    if (ports.empty()) continue;
    demand.profiles.push_back(i);
    demand.one = std::max<std::uint64_t>(demand.one, profile.headroom.count());
    for (PgIndex slot; slot < chip.profile_of_pg.end_index(); ++slot) {
      const std::size_t port = port_of(slot).count();
      if (chip.profile_of_pg[slot] != i || !subject.ports[port].linked) continue;
      by_domain[chip.ports[port].domain.count()] += profile.headroom.count();
    }
  }
  demand.all = *std::max_element(by_domain.begin(), by_domain.end());
  return demand;
}

std::vector<LintPlace> places_of(const LintSubject& subject, const Pool& pool,
                                 const Demand& demand) {
  std::vector<LintPlace> places{place(subject, "pool." + pool.name + ".headroom_pool")};
  for (const ProfileIndex profile : demand.profiles)
    places.push_back(
        place(subject, "profile." + subject.chip.profiles[profile].name + ".headroom"));
  return places;
}

}  // namespace

void no_headroom(const LintSubject& subject, Findings& findings) {
  const Chip& chip = subject.chip;
  for (ProfileIndex i; i < chip.profiles.end_index(); ++i) {
    const Profile& profile = chip.profiles[i];
    if (!profile.lossless || profile.headroom != Cells{0}) continue;
    const auto need = need_of(subject, i);
    if (!need) continue;
    add(findings, places_of(subject, "profile." + profile.name + ".headroom", *need),
        fmt::format("profile {} is lossless and has no headroom", profile.name),
        headroom_wanted(subject, *need));
  }
}

void headroom_below_cable(const LintSubject& subject, Findings& findings) {
  each_sized(subject, [&](const Profile& profile, const Need& need) {
    if (need.standard <= profile.headroom || enough_for_usual_frames(profile, need)) return;
    add(findings, places_of(subject, "profile." + profile.name + ".headroom", need),
        what_is_there(subject, profile, need), headroom_wanted(subject, need));
  });
}

void mtu_above_headroom(const LintSubject& subject, Findings& findings) {
  each_sized(subject, [&](const Profile& profile, const Need& need) {
    if (need.standard <= profile.headroom || !enough_for_usual_frames(profile, need)) return;
    auto places = places_of(subject, "profile." + profile.name + ".headroom", need);
    places.push_back(place(subject, "chip.mtu"));
    const std::uint64_t mtu = largest_mtu(profile, need.sized);
    add(findings, std::move(places), what_is_there(subject, profile, need),
        fmt::format("{}; or mtu = \"{} B\", the most that this headroom is for",
                    headroom_wanted(subject, need), mtu));
  });
}

void headroom_below_worst_case(const LintSubject& subject, Findings& findings) {
  each_sized(subject, [&](const Profile& profile, const Need& need) {
    if (!need.cable_known || profile.headroom < need.standard ||
        need.worst_case <= profile.headroom)
      return;
    add(findings, places_of(subject, "profile." + profile.name + ".headroom", need),
        what_is_there(subject, profile, need), headroom_wanted(subject, need));
  });
}

void pool_below_one_headroom(const LintSubject& subject, Findings& findings) {
  for (PoolNumber i; i < subject.chip.ingress_pools.end_index(); ++i) {
    const Pool& pool = subject.chip.ingress_pools[i];
    const Demand demand = demand_on(subject, i);
    if (pool.dedicated_headroom || demand.one <= pool.headroom.count()) continue;
    add(findings, places_of(subject, pool, demand),
        fmt::format("pool {} has {} of headroom in a memory domain, one priority group may need {}",
                    pool.name, cells_text(pool.headroom.count()), cells_text(demand.one)),
        setting_text(subject, "headroom_pool", demand.one * subject.chip.domains) + " at least");
  }
}

void headroom_pool_over_committed(const LintSubject& subject, Findings& findings) {
  for (PoolNumber i; i < subject.chip.ingress_pools.end_index(); ++i) {
    const Pool& pool = subject.chip.ingress_pools[i];
    const Demand demand = demand_on(subject, i);
    const std::uint64_t held = pool.headroom.count();
    if (pool.dedicated_headroom || held < demand.one || demand.all <= held) continue;
    add(findings, places_of(subject, pool, demand),
        fmt::format(
            "pool {} has {} of headroom in a memory domain, its priority groups may need {}: "
            "{}.{:02} times as much; {} groups at once are safe",
            pool.name, cells_text(held), cells_text(demand.all), demand.all / held,
            demand.all % held * 100 / held, held / demand.one),
        setting_text(subject, "headroom_pool", demand.all * subject.chip.domains) +
            ", or fewer lossless groups");
  }
}

}  // namespace weir::lint_checks
