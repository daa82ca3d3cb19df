// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/probe_size.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"

namespace weir {
namespace {

// What a slot can hold of a shared segment of `pool` cells: T falls as S grows where it is a line,
// so `empty`, T of the empty chip, is its most; another T may rise.
std::uint64_t max_shared(const ThresholdSetting& threshold, Cells empty, Cells pool) {
  const bool is_line = row_of(threshold.policy).rule == nullptr;
  return is_line ? std::min(empty, pool).count() : pool.count();
}

// Adds up what the groups of a run can fill.
class Demand {
 public:
  Demand(const Chip& chip, const ProbeRun& run)
      : chip_{chip}, mmu_{chip}, egress_{run.egress}, in_packet_{chip.cells(run.packet).count()} {
    for (const ProbePg& pg : run.pgs)
      if (const auto& profile = chip.profile_of_pg[pg_index(pg.port, pg.pg)])
        add(pg, chip.profiles[*profile]);
  }

  [[nodiscard]] std::uint64_t packets() const {
    std::uint64_t cells = apart_;
    for (const auto& [where, pool] : pools_)
      cells +=
          std::min(pool.shared, pool.shared_there) + std::min(pool.headroom, pool.headroom_there);
    return cells / in_packet_;
  }

 private:
  // Of an ingress pool in one domain: what the groups may ask for, and what there is.
  struct PoolDemand {
    std::uint64_t shared{0}, headroom{0};
    std::uint64_t shared_there{0}, headroom_there{0};
  };

  void add(const ProbePg& pg, const Profile& profile) {
    const Pool& from = chip_.ingress_pools[profile.pool];
    const Cells empty = mmu_.threshold(pg_index(pg.port, pg.pg), Cycle{0});
    const std::uint64_t queue = max_in_queue(pg);
    const auto within = [&](std::uint64_t most) { return std::min(most, queue); };
    PoolDemand& pool = pools_[pool_index(chip_, profile.pool, chip_.ports[pg.port.count()].domain)];
    pool.shared_there = from.shared.count();
    pool.headroom_there = from.headroom.count();
    pool.shared += within(max_shared(profile.threshold, empty, from.shared) + in_packet_);
    (from.dedicated_headroom ? apart_ : pool.headroom) += within(profile.headroom.count());
    apart_ += within(profile.private_cells.count());
  }

  // What the queue can hold at which the packets of a group wait; a lossless one has no limit.
  [[nodiscard]] std::uint64_t max_in_queue(const ProbePg& pg) const {
    std::uint64_t most = 0;
    for (std::size_t n = 0; n < priorities; ++n) {
      if (chip_.pg_of_priority[n] != pg.pg.count()) continue;
      const QueueIndex queue = queue_index(egress_, Priority{chip_.queue_of_priority[n]});
      const auto& named = chip_.profile_of_queue[queue];
      if (!named) return std::numeric_limits<std::uint64_t>::max();
      const QueueProfile& profile = chip_.queue_profiles[*named];
      const Cells empty =
          mmu_.queue_threshold(queue, chip_.ports[pg.port.count()].domain, Cycle{0});
      const Cells there = chip_.egress_pools[profile.pool].shared;
      most += profile.minimum.count() + max_shared(profile.threshold, empty, there) + in_packet_;
    }
    return most;
  }

  const Chip& chip_;
  const Mmu mmu_;
  const PortId egress_;
  const std::uint64_t in_packet_;
  std::map<PoolIndex, PoolDemand> pools_;
  std::uint64_t apart_{0};  // cells that a group has for itself
};

}  // namespace

std::uint64_t max_probe_packets(const Chip& chip, const ProbeRun& run) {
  return Demand{chip, run}.packets() + run.stages.size();  // each stage ends with one refused
}

void check_probe_size(const Chip& chip, const ProbeRun& run) {
  const std::uint64_t most = max_probe_packets(chip, run);
  if (most <= probe_packet_limit) return;
  throw ConfigError{
      "packet", std::to_string(run.packet.count()) + " B",
      std::to_string(most) + " such packets may fit into what a test fills, and it sends at most " +
          std::to_string(probe_packet_limit) + ": longer packets or smaller pools are needed"};
}

}  // namespace weir
