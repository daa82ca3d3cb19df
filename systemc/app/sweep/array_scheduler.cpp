// SPDX-License-Identifier: Apache-2.0
#include "array_scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "commands/command_line.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

std::string log_of(const ArrayRequest& request, std::string_view number) {
  return quoted_for_shell((request.attempt / fmt::format("task-{}.log", number)).string());
}

std::string script_of(const ArrayRequest& request) {
  return quoted_for_shell((request.attempt / "task.sh").string());
}

std::string sbatch(const ArrayRequest& request) {
  return fmt::format("sbatch --parsable --job-name={} --array=1-{}{} --output={} --chdir={} {}",
                     quoted_for_shell(request.name), request.tasks,
                     request.at_a_time == 0 ? "" : "%" + std::to_string(request.at_a_time),
                     log_of(request, "%a"), quoted_for_shell(fs::current_path().string()),
                     script_of(request));
}

std::string squeue(const std::string& job) {
  return "squeue --noheader --jobs=" + quoted_for_shell(job) + " --format=%T";
}

// A controller that does not answer may be back later.
bool slurm_still_has(const CommandAnswer& to_look) {
  if (to_look.status == 0) return !to_look.text.empty();
  return to_look.text.find("Invalid job id") == std::string::npos;
}

std::string scancel(const std::string& job) { return "scancel " + quoted_for_shell(job); }

// Grid Engine refuses some characters in names; the colon before a path ends the name of a host,
// so that those of the path do not.
std::string qsub(const ArrayRequest& request) {
  std::string name = request.name;
  for (char& letter : name)
    if (std::string_view{"/:@\\*?,\n\t\r"}.find(letter) != std::string_view::npos) letter = '_';
  return fmt::format("qsub -terse -N {} -t 1-{}{} -j y -o :{} -wd {} -S /bin/sh {}",
                     quoted_for_shell(name), request.tasks,
                     request.at_a_time == 0 ? "" : " -tc " + std::to_string(request.at_a_time),
                     log_of(request, "$TASK_ID"), quoted_for_shell(fs::current_path().string()),
                     script_of(request));
}

std::string qstat(const std::string& job) { return "qstat -j " + quoted_for_shell(job); }

// It keeps a task that could not be started until its error is cleared by hand: nothing will come.
bool grid_engine_still_has(const CommandAnswer& to_look) {
  if (to_look.status == 0) return to_look.text.find("\nerror reason") == std::string::npos;
  return to_look.text.find("do not exist") == std::string::npos;
}

std::string qdel(const std::string& job) { return "qdel " + quoted_for_shell(job); }

}  // namespace

const std::vector<ArrayScheduler>& array_schedulers() {
  static const std::vector<ArrayScheduler> all{{"slurm",
                                                "slurm-client",
                                                {"sbatch", "squeue", "scancel"},
                                                "SLURM_ARRAY_TASK_ID",
                                                ';',  // the name of a cluster
                                                sbatch,
                                                squeue,
                                                scancel,
                                                slurm_still_has},
                                               {"sge",
                                                "gridengine-client",
                                                {"qsub", "qstat", "qdel"},
                                                "SGE_TASK_ID",
                                                '.',  // the tasks
                                                qsub,
                                                qstat,
                                                qdel,
                                                grid_engine_still_has}};
  return all;
}

const ArrayScheduler* array_scheduler(std::string_view engine) {
  const auto& all = array_schedulers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ArrayScheduler& scheduler) {
    return scheduler.engine == engine;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace weir
