// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// Work for a child process, usually: build a Network, run it, say in text what came out.
using ChildJob = std::function<std::string()>;

/// How a child ended.
struct ChildResult {
  bool ok{false};      ///< The job returned.
  std::string output;  ///< What it returned.
  std::string error;   ///< Text of what it threw, or the signal that killed it.
  int exit_code{0};    ///< 0 good, 2 ConfigError, 3 any other error, 128 + n killed by signal n.
};

/// Runs `job` in a child process and returns what it returned: SystemC allows one elaboration per
/// process, so a program with several simulations runs each of them here.
///
/// The child sees the parent's memory as it is now and changes none of it; it ends without running
/// destructors or atexit handlers. It dies with its parent. A SystemC warning in it is an error.
///
/// Errors:  what the job throws is thrown here with the same text: ConfigError (FileError) as it
///          was, anything else, or the signal that killed the child, as ModelError. ModelError when
///          this process has elaborated something already.
[[nodiscard]] std::string run_in_child(const ChildJob& job);

/// The same for many jobs, at most `parallel` (at least 1) children at a time. Never throws what a
/// job threw. Returns one result per job, in the order of `jobs`.
[[nodiscard]] std::vector<ChildResult> run_in_children(const std::vector<ChildJob>& jobs,
                                                       unsigned parallel);

/// Jobs whose results come one by one, while others still run.
struct ChildQueue {
  /// The next job; none: there are no more, and it is not asked again.
  std::function<std::optional<ChildJob>()> next;
  /// The job of that index has ended: from 0, in the order in which next() gave them.
  std::function<void(std::size_t index, const ChildResult& result)> ended;
  /// Asked some ten times a second; true: kill what still runs and return. May be empty: never.
  std::function<bool()> stop;
};

/// Runs the jobs of `queue`, at most `parallel` (at least 1) children at a time.
/// Errors:  what a function of `queue` throws ends it, after the running children were killed.
///          ModelError when this process has elaborated something already.
void run_child_queue(const ChildQueue& queue, unsigned parallel);

}  // namespace weir
