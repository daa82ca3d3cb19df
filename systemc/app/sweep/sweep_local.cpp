// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <optional>
#include <vector>

#include "sweep_engine.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double processor_seconds(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

ChildJob job_of(const Sweep& sweep, std::uint64_t point) {
  return [&sweep, point] { return to_line(run_sweep_point(sweep, sweep_point(sweep, point))); };
}

SweepOutcome failure(std::uint64_t point, const ChildResult& result) {
  SweepOutcome outcome;
  outcome.point = point;
  outcome.exit_code = result.exit_code == 0 ? 3 : result.exit_code;
  outcome.error = result.error;
  return outcome;
}

SweepOutcome outcome_of(std::uint64_t point, const ChildResult& result) {
  if (!result.ok) return failure(point, result);
  const std::optional<SweepOutcome> outcome = parse_outcome(result.output);
  if (!outcome) throw ModelError("point " + std::to_string(point) + " ended without a result");
  return *outcome;
}

}  // namespace

SweepCost run_local(const SweepWork& work, unsigned jobs) {
  const double own_before = processor_seconds(RUSAGE_SELF);
  const double children_before = processor_seconds(RUSAGE_CHILDREN);
  std::vector<std::uint64_t> started;  // point of each job
  ChildQueue queue;
  queue.next = [&]() -> std::optional<ChildJob> {
    const std::optional<std::uint64_t> point = work.pending.next();
    if (!point) return std::nullopt;
    started.push_back(*point);
    return job_of(work.sweep, *point);
  };
  queue.ended = [&](std::size_t index, const ChildResult& result) {
    work.ended(outcome_of(started[index], result));
  };
  queue.stop = work.stop;
  run_child_queue(queue, jobs);
  return {processor_seconds(RUSAGE_CHILDREN) - children_before,
          processor_seconds(RUSAGE_SELF) - own_before};
}

SweepOutcome run_isolated(const Sweep& sweep, std::uint64_t point) {
  return outcome_of(point, run_in_children({job_of(sweep, point)}, 1).front());
}

}  // namespace weir
