// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/qos_probe.hpp"

#include <algorithm>
#include <string>

#include "probe/probe_job.hpp"

namespace weir {
namespace {

constexpr std::size_t max_groups = 2, max_fills = 8;

ProbeResult counted(const ChildResult& child) { return probe_result_of(child, "silicon test"); }

bool has_headroom_pool(const Chip& chip, const ProbePg& pg) {
  const auto& profile = chip.profile_of_pg[pg_index(pg.port, pg.pg)];
  return !chip.ingress_pools[chip.profiles[*profile].pool].dedicated_headroom;
}

// The lossless PGs of the port at which the bench begins.
std::vector<ProbePg> groups_of(const ProbeBench& bench) {
  std::vector<ProbePg> groups;
  for (const ProbePg& pg : bench.lossless)
    if (pg.port == bench.lossless.front().port && groups.size() < max_groups) groups.push_back(pg);
  return groups;
}

std::optional<QosPoolCounts> pool_counts(const Chip& chip, const ProbeBench& bench, Bytes packet,
                                         const ProbeResult& filled) {
  if (!filled.pool_was_empty) return std::nullopt;
  std::size_t count = 0;
  for (std::size_t i = 0; i < filled.pgs.size(); ++i)
    if (filled.pgs[i].headroom != 0) count = i + 1;
  if (count == 0) return std::nullopt;
  QosPoolCounts pool;
  for (std::size_t i = 0; i < count; ++i) {
    pool.pgs.push_back(bench.lossless[i]);
    pool.xoff.push_back(filled.pgs[i].xoff);
  }
  pool.full = filled.pgs.front().headroom;
  pool.partial = filled.pgs[count - 1].headroom;
  const ProbeRun in_turn = probe_equal_fill(pool.pgs, bench.egress, packet);
  for (const ProbePgResult& pg :
       counted(run_in_children({probe_job(chip, in_turn)}, 1).front()).pgs)
    if (pg.xoff != 0 && (pool.equal_fill == 0 || pg.xoff < pool.equal_fill))
      pool.equal_fill = pg.xoff;
  return pool;
}

// At most max_fills PGs: port by port, or the first of each port.
std::vector<ProbePg> pgs_to_fill(const ProbeBench& bench, bool one_a_port) {
  std::vector<ProbePg> pgs;
  for (const ProbePg& pg : bench.lossless) {
    const bool more = !pgs.empty() && pgs.back().port == pg.port;
    if (pgs.size() < max_fills && !(one_a_port && more)) pgs.push_back(pg);
  }
  return pgs;
}

}  // namespace

std::vector<QosFills> count_fills(const Chip& chip, const ProbeBench& bench, Bytes packet,
                                  unsigned jobs) {
  check_probe_packet(chip, packet);
  std::vector<QosFills> fills{{pgs_to_fill(bench, false), {}}, {pgs_to_fill(bench, true), {}}};
  std::vector<ChildJob> work;
  for (const QosFills& fill : fills)
    work.push_back(probe_job(chip, probe_each_to_xoff(fill.pgs, bench.egress, packet)));
  const std::vector<ChildResult> results = run_in_children(work, jobs);
  for (std::size_t i = 0; i < fills.size(); ++i)
    for (const ProbePgResult& pg : counted(results[i]).pgs) fills[i].xoff.push_back(pg.xoff);
  const auto without_end = [](const QosFills& fill) {
    return fill.xoff.back() < 2 || std::count(fill.xoff.begin(), fill.xoff.end(), 0U) != 0;
  };
  fills.erase(std::remove_if(fills.begin(), fills.end(), without_end), fills.end());
  return fills;
}

QosCounts count_qos(const Chip& chip, const ProbeBench& bench, Bytes packet, unsigned jobs) {
  check_probe_packet(chip, packet);
  const std::vector<ProbePg> groups = groups_of(bench);
  std::vector<ChildJob> work;
  for (const ProbePg& pg : groups) {
    work.push_back(probe_job(chip, probe_each_to_first_drop({pg}, bench.egress, packet)));
    work.push_back(probe_job(chip, probe_to_xon(pg, bench.egress, packet)));
  }
  const bool pool = has_headroom_pool(chip, groups.front());
  if (pool)
    work.push_back(
        probe_job(chip, probe_each_to_xoff_then_headroom(bench.lossless, bench.egress, packet)));
  if (bench.lossy)
    work.push_back(probe_job(chip, probe_each_to_first_drop({*bench.lossy}, bench.egress, packet)));
  const std::vector<ChildResult> results = run_in_children(work, jobs);
  auto next = results.begin();
  QosCounts counts;
  for (const ProbePg& pg : groups) {
    const ProbePgResult filled = counted(*next++).pgs.front();
    counts.groups.push_back({pg, filled.xoff, filled.first_drop, counted(*next++).xon_dismiss});
  }
  if (pool) counts.pool = pool_counts(chip, bench, packet, counted(*next++));
  if (bench.lossy) {
    const ProbePgResult lossy = counted(*next++).pgs.front();
    if (lossy.reason == Reason::egress_queue) counts.lossy_drop = lossy.first_drop;
  }
  return counts;
}

}  // namespace weir
