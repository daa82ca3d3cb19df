// SPDX-License-Identifier: Apache-2.0
// The names and the hierarchy of the waveform of a scenario.
#include <utility>

#include "wave_signals.hpp"

namespace weir {
namespace {

constexpr unsigned quanta_bits = 16;

// Bits that `most` needs: narrow values cost less to write.
unsigned bits_for(std::uint64_t most) {
  unsigned bits = 1;
  while (most >> bits != 0) ++bits;
  return bits;
}

std::string indexed(const std::string& name, std::size_t index) {
  return name + "[" + std::to_string(index) + "]";
}

// Most headroom that a pool can have in use.
std::uint64_t headroom_of(const Chip& chip, PoolNumber pool) {
  if (!chip.ingress_pools[pool].dedicated_headroom)
    return chip.ingress_pools[pool].headroom.count();
  std::uint64_t cells = 0;
  for (const auto& profile : chip.profile_of_pg)
    if (profile && chip.profiles[*profile].pool == pool)
      cells += chip.profiles[*profile].headroom.count();
  return cells;
}

// The most cells that a queue can hold, and so the most frames.
std::uint64_t max_cells(const Chip& chip, const Mmu& mmu) {
  std::uint64_t cells = 0;
  for (PoolNumber pool; pool < chip.ingress_pools.end_index(); ++pool)
    cells += chip.domains * (chip.ingress_pools[pool].shared.count() + headroom_of(chip, pool));
  for (PgIndex pg; pg < PgIndex{chip.ports.size() * priorities}; ++pg)
    if (mmu.has_profile(pg)) cells += mmu.settings_of(pg).private_limit.count();
  return cells;
}

// T is largest when nothing is shared.
unsigned limit_bits(const PgSettings& settings) {
  return bits_for(settings.threshold.at(Cells{0}).count());
}

// Names of profiles and pools are the user's; a dot in them would begin a scope.
std::string plain(std::string name) {
  for (char& c : name)
    if (c == '.' || c <= ' ' || c > '~') c = '_';
  return name;
}

}  // namespace

WaveSignals::WaveSignals(const Scenario& scenario, WaveTree& tree,
                         const std::function<void(const std::string& node)>& inside_mmu)
    : tree_{tree} {
  std::vector<std::vector<bool>> linked;
  for (const SwitchSpec& spec : scenario.switches) linked.emplace_back(spec.chip.ports.size());
  for (const LinkSpec& link : scenario.links)
    for (const LinkEnd& end : {link.a, link.b})
      if (!end.is_host) linked[end.node][end.port.count()] = true;
  for (std::size_t i = 0; i < scenario.switches.size(); ++i)
    add_switch(scenario.switches[i], linked[i], tree, inside_mmu);
  for (const HostSpec& host : scenario.hosts) add_host(host, tree);
}

void WaveSignals::add_switch(const SwitchSpec& spec, const std::vector<bool>& linked,
                             WaveTree& tree,
                             const std::function<void(const std::string& node)>& inside_mmu) {
  const Mmu mmu{spec.chip};
  nodes_.emplace_back();
  Node& node = nodes_.back();
  node.lag = spec.chip.clock.max_time(Cycle{spec.chip.threshold_lag}).count();
  node.groups.resize(spec.chip.ports.size() * priorities);
  node.ports.resize(spec.chip.ports.size());
  add_rows(node, spec, mmu, tree);
  inside_mmu(spec.name);
  for (std::size_t port = 0; port < spec.chip.ports.size(); ++port)
    if (linked[port]) add_port(node, spec, mmu, port, tree);
  for (Row& row : node.rows) {
    tree.set(row.free_variable, row.limit);
    show_thresholds(row, 0);
  }
}

// Sums of a (pool, domain), and the limit T of every profile that uses it.
void WaveSignals::add_rows(Node& node, const SwitchSpec& spec, const Mmu& mmu, WaveTree& tree) {
  const Chip& chip = spec.chip;
  node.rows.resize(chip.ingress_pools.size() * chip.domains);
  for (PoolIndex i; i < node.rows.end_index(); ++i) {
    const PoolNumber number = pool_number(chip, i);
    const Pool& pool = chip.ingress_pools[number];
    const std::string path = spec.name + ".mmu.ingress_accounting.domain[" +
                             std::to_string(domain_of(chip, i).count()) + "]." + plain(pool.name);
    node.rows[i].limit = pool.shared.count();
    node.rows[i].shared_variable = tree.add(path, "shared", bits_for(pool.shared.count()));
    node.rows[i].headroom_variable =
        tree.add(path, "headroom", bits_for(headroom_of(chip, number)));
    node.rows[i].free_variable = tree.add(path, "free", bits_for(pool.shared.count()));
  }
  // One variable per domain and profile; the priority groups show which of them exist. `known`: its
  // place among the thresholds of its row, plus one.
  std::vector<std::uint32_t> known(chip.profiles.size() * chip.domains);
  for (std::size_t domain = 0; domain < chip.domains; ++domain)
    for (PgIndex pg; pg < node.groups.end_index(); ++pg) {
      if (!mmu.has_profile(pg) || mmu.domain_of_pg(pg).count() != domain) continue;
      const ProfileIndex profile = *chip.profile_of_pg[pg];
      if (known[profile.value() * chip.domains + domain] != 0) continue;
      const PgSettings& settings = mmu.settings_of(pg);
      const std::string path = spec.name + ".mmu.dynamic_threshold." + indexed("domain", domain);
      node.rows[settings.pool_domain].thresholds.push_back(
          {settings.threshold,
           tree.add(path, "threshold_" + plain(chip.profiles[profile].name), limit_bits(settings)),
           (std::uint64_t{1} << limit_bits(settings)) - 1});
      known[profile.value() * chip.domains + domain] =
          static_cast<std::uint32_t>(node.rows[settings.pool_domain].thresholds.size());
    }
  for (PgIndex pg; pg < node.groups.end_index(); ++pg) {
    if (!mmu.has_profile(pg)) continue;
    node.groups[pg].row = mmu.settings_of(pg).pool_domain;
    node.groups[pg].threshold =
        known[chip.profile_of_pg[pg]->value() * chip.domains + mmu.domain_of_pg(pg).count()] - 1;
  }
}

void WaveSignals::add_port(Node& node, const SwitchSpec& spec, const Mmu& mmu, std::size_t number,
                           WaveTree& tree) {
  const Chip& chip = spec.chip;
  const std::string path = spec.name + "." + indexed("port", number);
  const PortId id{static_cast<std::uint16_t>(number)};
  for (std::uint8_t n = 0; n < priorities; ++n) {
    const PgIndex pg = pg_index(id, Priority{n});
    if (!mmu.has_profile(pg)) continue;
    const PgSettings& settings = mmu.settings_of(pg);
    const std::string place = path + "." + indexed("pg", n);
    Group& group = node.groups[pg];
    group.name = static_cast<std::uint32_t>(groups_.size());
    groups_.emplace_back();
    groups_.back().path = place;
    group.private_cells = tree.add(place, "private", bits_for(settings.private_limit.count()));
    group.shared = tree.add(place, "shared", bits_for(settings.shared_pool.count()));
    std::uint32_t& limit = node.rows[group.row].thresholds[group.threshold].variable;
    limit = tree.add_alias(place, "threshold", limit_bits(settings), limit);
    group.headroom = tree.add(place, "headroom", bits_for(settings.headroom_limit.count()));
    group.xoff = tree.add(place, "xoff", 1);
    group.at_limit = tree.add(place, "at_threshold", 1);
  }
  const unsigned depth_bits = bits_for(max_cells(chip, mmu));
  Port port;
  port.byte = byte_time(chip.ports[number].rate).count();
  port.queue_of = chip.queue_of_priority;
  port.timers = static_cast<std::uint32_t>(switch_timers_.size());
  switch_timers_.emplace_back(CycleTimeBase{chip.ports[number].rate, chip.clock},
                              chip.ports[number].response);
  for (std::uint8_t n = 0; n < priorities; ++n) {
    const std::string place = path + "." + indexed("queue", n);
    port.depth[n] = tree.add(place, "depth", depth_bits);
    port.pause[n] = tree.add(place, "pause", 0, WaveKind::pause);
    add_waiting(node, chip, queue_index(id, Priority{n}), place, depth_bits, tree);
  }
  port.frame = tree.add(path + ".tx", "frame", 0, WaveKind::frame);
  for (std::size_t n = 0; n < priorities; ++n)
    port.timer[n] = tree.add(path + ".tx", indexed("pause_timer", n), quanta_bits);
  node.ports[number] = static_cast<std::uint32_t>(ports_.size());
  ports_.push_back(port);
}

// q of a queue that marks or drops, and its thresholds, which are constant.
void WaveSignals::add_waiting(Node& node, const Chip& chip, QueueIndex queue,
                              const std::string& path, unsigned bits, WaveTree& tree) {
  if (chip.wred_profiles.empty() || !chip.wred_of_queue[queue]) return;
  const WredProfile& profile = chip.wred_profiles[*chip.wred_of_queue[queue]];
  node.waiting.resize(chip.ports.size() * priorities);
  node.waiting[queue] = {tree.add(path, "waiting", bits),
                         static_cast<std::uint32_t>(queues_.size())};
  queues_.push_back({path});
  for (const auto& [name, cells] : {std::pair{"min", profile.min}, std::pair{"max", profile.max}})
    tree.set(tree.add(path, name, bits_for(cells.count())), cells.count());
}

void WaveSignals::add_host(const HostSpec& spec, WaveTree& tree) {
  Port port;
  port.is_host = true;
  port.obeys = spec.obeys_pfc;
  port.byte = byte_time(spec.rate).count();
  port.timers = static_cast<std::uint32_t>(host_timers_.size());
  host_timers_.emplace_back(WireTimeBase{spec.rate}, spec.response);
  port.frame = tree.add(spec.name + ".tx", "frame", 0, WaveKind::frame);
  for (std::size_t n = 0; n < priorities; ++n) {
    port.pause[n] = tree.add(spec.name + ".tx", indexed("pause", n), 0, WaveKind::pause);
    port.timer[n] = tree.add(spec.name + ".tx", indexed("pause_timer", n), quanta_bits);
  }
  nodes_.emplace_back();
  nodes_.back().ports = {static_cast<std::uint32_t>(ports_.size())};
  ports_.push_back(port);
}

}  // namespace weir
