// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip.hpp"

#include <algorithm>
#include <array>

#include "weir/core/bits.hpp"
#include "weir/core/chip_limits.hpp"
#include "weir/core/chip_memory.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"

namespace weir {
namespace {

// Practical limits: a value beyond them is a mistake.
constexpr std::uint32_t max_pool_cells = max_cells_counted.count();
constexpr std::uint32_t max_probability = 1U << 16;

constexpr std::uint64_t max_timeout = 1'000'000'000'000'000'000;  // 11 days

std::string indexed(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

void check_timing(const Chip& chip) {
  check_range("chip.cell", chip.cell.count(), 1, max_cell.count(), " B");
  check_range("chip.cell_overhead", chip.cell_overhead.count(), 0, max_cell.count(), " B");
  check_clock("chip.clock", chip.clock);
  check_range("chip.domains", chip.domains, 1, max_domains);
  check_range("chip.lanes", chip.lanes, 1, max_lanes);
  check_latency("chip.", pipeline::admit, chip.admit_latency);
  check_latency("chip.", pipeline::pfc, chip.pfc_latency);
  check_latency("chip.", pipeline::threshold_lag, chip.threshold_lag);
  check_latency("chip.", pipeline::mark, chip.mark_latency);
  check_range("chip.quanta", chip.quanta.count(), 1, max_quanta.count());
  check_range("chip.mtu", chip.mtu.count(), min_frame_bytes.count(), max_mtu.count(), " B");
  check_range("chip.port_fifo", chip.port_fifo, 1, max_port_fifo, " frames");
}

void check_dscp_table(const std::string& name, const DscpTable& table) {
  for (std::size_t dscp = 0; dscp < table.size(); ++dscp)
    check_range(indexed(name, dscp), table[dscp].count(), 0, priorities - 1);
}

void check_dscp_maps(const Chip& chip) {
  for (const DscpMap& map : chip.dscp_maps)
    check_dscp_table("dscp_map." + map.name, map.priority_of_dscp);
  if (chip.dscp_map_of_port.empty()) return;
  check_range("dscp_map_of_port", chip.dscp_map_of_port.size(), chip.ports.size(),
              chip.ports.size());
  for (const auto& map : chip.dscp_map_of_port)
    if (map) check_range("dscp_map_of_port", *map + 1, 1, chip.dscp_maps.size());
}

void check_classifier(const ClassifierSettings& classifier) {
  check_range("classify.untagged", classifier.untagged.count(), 0, priorities - 1);
  if (classifier.group_priority)
    check_range("classify.group", classifier.group_priority->count(), 0, priorities - 1);
  check_dscp_table("classify.dscp", classifier.priority_of_dscp);
}

void check_neighbours(const NeighbourSettings& neighbours) {
  check_range("neighbours.arp_timeout", neighbours.arp_timeout.count(), 1, max_timeout, " ps");
  check_range("neighbours.mac_timeout", neighbours.mac_timeout.count(), 1, max_timeout, " ps");
  check_range("neighbours.cpu_queue", neighbours.cpu_queue, 1, max_port_fifo, " frames");
  check_range("neighbours.cpu_packet_time", neighbours.cpu_packet_time.count(), 1, max_timeout,
              " ps");
}

void check_ports(const Chip& chip) {
  check_range("chip.ports", chip.ports.size(), 1, ArrivalArbiter::max_ports);
  for (std::size_t p = 0; p < chip.ports.size(); ++p) {
    const PortSetting& port = chip.ports[p];
    if (!is_port_rate(port.rate)) {
      throw ConfigError{indexed("port", p) + ".rate", std::to_string(port.rate.count()) + " bps",
                        legal_port_rates()};
    }
    check_range(indexed("chip.domain_of_port", p), port.domain.count(), 0, chip.domains - 1);
  }
}

void check_pools(const Chip& chip) {
  for (const Pool& pool : chip.ingress_pools) {
    const std::string key = "pool." + pool.name;
    check_range(key + ".size", pool.shared.count(), 0, max_pool_cells, " cells per domain");
    check_range(key + ".headroom_pool", pool.headroom.count(), 0, max_pool_cells,
                " cells per domain");
    if (pool.dedicated_headroom && pool.headroom.count() != 0) {
      throw ConfigError{key + ".headroom_pool", std::to_string(pool.headroom.count()) + " cells",
                        "must be 0 where headroom is dedicated to each priority group"};
    }
  }
  for (const Pool& pool : chip.egress_pools) {
    check_range("egress_pool." + pool.name + ".size", pool.shared.count(), 0, max_pool_cells,
                " cells per domain");
  }
}

template <class I>
void check_pool_index(const std::string& key, I pool, const IndexedVector<I, Pool>& pools) {
  if (pool < pools.end_index()) return;
  throw ConfigError{key + ".pool", std::to_string(pool.value()),
                    "must name one of the " + std::to_string(pools.size()) + " pools"};
}

void check_lossy_policy(const std::string& key, const ThresholdSetting& setting) {
  const PolicyRow& policy = row_of(setting.policy);
  if (policy.for_lossy) return;
  throw ConfigError{key + ".policy", std::string{policy.name},
                    "must be another for what is lossy: this one is a rule of when to pause"};
}

void check_profile(const Chip& chip, const Profile& profile) {
  const std::string key = "profile." + profile.name;
  check_pool_index(key, profile.pool, chip.ingress_pools);
  check_range(key + ".private", profile.private_cells.count(), 0, max_pool_cells, " cells");
  check_range(key + ".headroom", profile.headroom.count(), 0, max_pool_cells, " cells");
  if (!profile.lossless && profile.headroom.count() != 0) {
    throw ConfigError{key + ".headroom", std::to_string(profile.headroom.count()) + " cells",
                      "must be 0 in a lossy profile: only a class that pauses needs headroom"};
  }
  static_cast<void>(
      make_threshold({profile.threshold, chip.ingress_pools[profile.pool].shared, 1}, key));
  if (!profile.lossless) check_lossy_policy(key, profile.threshold);
  const PolicyRow& policy = row_of(profile.threshold.policy);
  if (policy.insured && !chip.ingress_pools[profile.pool].dedicated_headroom) {
    const std::string name{policy.name};
    throw ConfigError{key + ".policy", name,
                      "must be another with a headroom pool: " + name +
                          " keeps headroom in the shared segment, and an insurance for each port"};
  }
}

void check_queue_profile(const Chip& chip, const QueueProfile& profile) {
  const std::string key = "queue." + profile.name;
  check_pool_index(key, profile.pool, chip.egress_pools);
  check_range(key + ".minimum", profile.minimum.count(), 0, max_pool_cells, " cells");
  static_cast<void>(
      make_threshold({profile.threshold, chip.egress_pools[profile.pool].shared, 1}, key));
  check_lossy_policy(key, profile.threshold);
}

void check_wred_profile(const WredProfile& profile) {
  const std::string key = "wred." + profile.name;
  check_range(key + ".min", profile.min.count(), 0, max_pool_cells, " cells");
  check_range(key + ".max", profile.max.count(), 1, max_pool_cells, " cells");
  if (profile.max < profile.min)
    throw ConfigError{
        key + ".max", std::to_string(profile.max.count()) + " cells",
        "must be at least the " + std::to_string(profile.min.count()) + " cells of min"};
  check_range(key + ".probability", profile.probability, 1, max_probability, "/65536");
  if (!profile.mark && !profile.drop)
    throw ConfigError{key + ".mark", "false", "must be true where drop is false"};
}

void check_draws(const Chip& chip) {
  if (is_primitive_polynomial(chip.draw_polynomial)) return;
  throw ConfigError{"draw.polynomial", std::to_string(chip.draw_polynomial),
                    "must be primitive, of degree 32, such as 2734686208 (0xa3000000): the "
                    "register passes through all 4294967295 states"};
}

// A list of one optional profile for each (port, PG) or (port, queue).
template <class I, class P, class Row>
void check_assignment(const std::string& key, const IndexedVector<I, std::optional<P>>& assigned,
                      std::size_t slots, const IndexedVector<P, Row>& profiles) {
  check_range(key + " (number of entries)", assigned.size(), slots, slots);
  for (I slot; slot < assigned.end_index(); ++slot) {
    if (!assigned[slot] || *assigned[slot] < profiles.end_index()) continue;
    throw ConfigError{
        indexed(key, slot.value()), std::to_string(assigned[slot]->value()),
        "must be the index of one of " + std::to_string(profiles.size()) + " profiles"};
  }
}

void check_maps(const Chip& chip) {
  const std::size_t slots = chip.ports.size() * priorities;
  check_assignment("profile_of_pg", chip.profile_of_pg, slots, chip.profiles);
  check_assignment("profile_of_queue", chip.profile_of_queue, slots, chip.queue_profiles);
  if (!chip.wred_profiles.empty())
    check_assignment("wred_of_queue", chip.wred_of_queue, slots, chip.wred_profiles);
  for (std::size_t n = 0; n < priorities; ++n) {
    check_range(indexed("map.pg_of_priority", n), chip.pg_of_priority[n], 0, priorities - 1);
    check_range(indexed("map.queue_of_priority", n), chip.queue_of_priority[n], 0, priorities - 1);
    const bool weighted =
        chip.scheduler == SchedulerKind::dwrr && (chip.strict_queues >> n & 1U) == 0;
    if (weighted)
      check_range(indexed("scheduler.weights", n), chip.dwrr_weight[n], 1, max_dwrr_weight);
  }
  for (PgIndex slot; slot < chip.profile_of_pg.end_index(); ++slot) {
    const std::uint8_t pg = number_in_port(slot).count();
    const auto& map = chip.pg_of_priority;
    if (chip.profile_of_pg[slot] || std::find(map.begin(), map.end(), pg) == map.end()) continue;
    throw ConfigError{indexed("profile_of_pg", slot.value()), "none",
                      "priority group " + std::to_string(pg) + " of port " +
                          std::to_string(port_of(slot).count()) +
                          " receives a priority and needs a profile"};
  }
}

// Priority groups of a port.
std::array<PgIndex, priorities> groups_of(PortId port) {
  std::array<PgIndex, priorities> groups{};
  for (std::uint8_t n = 0; n < priorities; ++n) groups[n] = pg_index(port, Priority{n});
  return groups;
}

bool is_insured(const Chip& chip, PgIndex pg, PoolNumber pool) {
  const auto& index = chip.profile_of_pg[pg];
  return index && chip.profiles[*index].pool == pool &&
         row_of(chip.profiles[*index].threshold.policy).insured;
}

void check_memory(const Chip& chip) {
  if (chip.memory.count() == 0) return;
  for (std::uint32_t d = 0; d < chip.domains; ++d) {
    const std::uint64_t taken = cells_taken(chip, DomainId{static_cast<std::uint8_t>(d)});
    if (taken <= chip.memory.count()) continue;
    throw ConfigError{"chip.memory", std::to_string(chip.memory.count()) + " cells per domain",
                      "must hold the " + std::to_string(taken) + " cells that domain " +
                          std::to_string(d) +
                          " is asked for: private cells of all priority "
                          "groups, headroom and shared segments"};
  }
}

}  // namespace

void Chip::check() const {
  check_timing(*this);
  check_ports(*this);
  check_classifier(classifier);
  check_dscp_maps(*this);
  if (neighbours) check_neighbours(*neighbours);
  check_pools(*this);
  for (const Profile& profile : profiles) check_profile(*this, profile);
  for (const QueueProfile& profile : queue_profiles) check_queue_profile(*this, profile);
  for (const WredProfile& profile : wred_profiles) check_wred_profile(profile);
  if (draw_polynomial != default_draw_polynomial) check_draws(*this);
  check_maps(*this);
  check_memory(*this);
}

std::uint32_t pg_sharers(const Chip& chip, PoolNumber pool, DomainId domain) {
  std::uint32_t count = 0;
  for (PgIndex pg; pg < chip.profile_of_pg.end_index(); ++pg) {
    const auto& profile = chip.profile_of_pg[pg];
    if (profile && chip.profiles[*profile].pool == pool &&
        chip.ports[port_of(pg).count()].domain == domain)
      ++count;
  }
  return count == 0 ? 1 : count;
}

std::uint32_t queue_sharers(const Chip& chip, EgressPoolNumber pool) {
  std::uint32_t count = 0;
  for (const auto& profile : chip.profile_of_queue)
    if (profile && chip.queue_profiles[*profile].pool == pool) ++count;
  return count == 0 ? 1 : count;
}

std::uint32_t default_lanes(const Chip& chip) {
  std::vector<std::uint64_t> rate_of_domain(max_domains, 0);
  for (const PortSetting& port : chip.ports) {
    rate_of_domain[port.domain.count()] += port.rate.count();
  }
  const std::uint64_t busiest = *std::max_element(rate_of_domain.begin(), rate_of_domain.end());

  // ceil(busiest x period / frame)
  const std::uint64_t shortest = 8 * (min_frame_bytes + slot_overhead_bytes).count();
  const Wide frame = Wide{shortest} * picoseconds_per_second * chip.clock.denominator();
  const Wide lanes = (Wide{busiest} * chip.clock.numerator() + frame - 1) / frame;
  return static_cast<std::uint32_t>(std::max<Wide>(lanes, 1));
}

Cells insurance_of(const Chip& chip, PoolNumber pool, PortId port) {
  Cells insurance;
  for (const PgIndex pg : groups_of(port))
    if (is_insured(chip, pg, pool))
      insurance = std::max(insurance, chip.profiles[*chip.profile_of_pg[pg]].headroom);
  return insurance;
}

std::uint32_t insured_groups(const Chip& chip, PoolNumber pool, PortId port) {
  std::uint32_t groups = 0;
  for (const PgIndex pg : groups_of(port))
    if (is_insured(chip, pg, pool)) ++groups;
  return groups;
}

std::uint64_t reserved_cells(const Chip& chip, PoolNumber pool, PortId port) {
  const bool dedicated = chip.ingress_pools[pool].dedicated_headroom;
  std::uint64_t cells = dedicated ? insurance_of(chip, pool, port).count() : 0;
  for (const PgIndex pg : groups_of(port)) {
    const auto& index = chip.profile_of_pg[pg];
    if (!index || chip.profiles[*index].pool != pool) continue;
    const Profile& profile = chip.profiles[*index];
    cells += profile.private_cells.count();
    if (dedicated && !is_insured(chip, pg, pool)) cells += profile.headroom.count();
  }
  return cells;
}

}  // namespace weir
