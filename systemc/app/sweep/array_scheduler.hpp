// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// What a scheduler is asked for: a script, run once for each task from 1 to `tasks`.
struct ArrayRequest {
  std::string name;               ///< Name of the job in the scheduler's queue.
  std::uint64_t tasks{1};         ///< 1 or more.
  unsigned at_a_time{0};          ///< 0: as many as the scheduler grants.
  std::filesystem::path attempt;  ///< Absolute: holds task.sh; task-<k>.log are written there.
};

/// What a command printed on stdout and stderr, and its status as of waitpid().
struct CommandAnswer {
  int status{-1};
  std::string text;
};

/// A scheduler with job arrays: which commands it takes, and how its answers are read.
struct ArrayScheduler {
  std::string_view engine;              ///< As --engine names it; so is its folder below --out.
  std::string_view package;             ///< Debian's, with its programs.
  std::array<const char*, 3> programs;  ///< Programs that submit, look and cancel.
  std::string_view task_number;         ///< The shell variable of a task, from 1.
  char after_id;                        ///< What may follow the number of the job.
  std::string (*submit)(const ArrayRequest& request);  ///< Prints the number of the job first.
  std::string (*look)(const std::string& job);         ///< Prints what is known of a job.
  std::string (*cancel)(const std::string& job);
  bool (*still_has)(const CommandAnswer& to_look);  ///< Whether tasks of it may still end.
};

/// Slurm (sbatch 22.05) and Grid Engine (Son of Grid Engine 8.1, SGE, UGE), in this order.
[[nodiscard]] const std::vector<ArrayScheduler>& array_schedulers();

/// That of an engine; nullptr where the engine is not a scheduler.
[[nodiscard]] const ArrayScheduler* array_scheduler(std::string_view engine);

}  // namespace weir
