// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "array_scheduler.hpp"
#include "commands/command_line.hpp"
#include "sweep_engine.hpp"
#include "sweep_outcomes.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"

// Files of an array, in OUT/<engine>/<attempt>/: `points` (first line: number of tasks; then the
// points, task k takes lines k, k + tasks ...), `task.sh`, `job` (its id), `task-<k>.jsonl` (an
// outcome a line; a line counts when it is whole), `task-<k>.log` (what the task printed).
namespace weir {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

CommandAnswer ask(const std::string& command) {
  CommandAnswer answer;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return answer;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    answer.text.append(buffer.data(), count);
  answer.status = pclose(pipe);
  return answer;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The id of the job of an attempt, a number; nothing where there is none.
std::string job_of(const fs::path& attempt) {
  const std::string id = first_line(text_or_nothing(attempt / "job"));
  return parse_count(id) ? id : "";
}

bool still_has(const ArrayScheduler& scheduler, const std::string& job) {
  return scheduler.still_has(ask(scheduler.look(job)));
}

void cancel(const ArrayScheduler& scheduler, const std::string& job) {
  if (job.empty()) return;
  static_cast<void>(ask(scheduler.cancel(job)));
  for (int i = 0; i < 100 && still_has(scheduler, job); ++i) std::this_thread::sleep_for(200ms);
}

// Cancels and collects what earlier processes left. Returns the number of a new attempt.
unsigned clear_up(const ArrayScheduler& scheduler, const fs::path& folder,
                  OutcomeCollector& collector) {
  std::error_code error;
  std::uint64_t last = 0;
  std::vector<fs::path> attempts;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    attempts.push_back(entry.path());
    last = std::max(last, parse_count(entry.path().filename().string()).value_or(0));
  }
  for (const fs::path& attempt : attempts) {
    cancel(scheduler, job_of(attempt));
    collector.collect(attempt);
    fs::remove_all(attempt, error);
  }
  return static_cast<unsigned>(last + 1);
}

std::string task_script(const ArrayScheduler& scheduler, const SweepWork& work,
                        const fs::path& attempt) {
  return fmt::format("#!/bin/sh\nexec {} sweep {} --array-attempt {} --array-task \"${}\"\n",
                     quoted_for_shell(fs::read_symlink("/proc/self/exe").string()),
                     quoted_for_shell(work.sweep.file.string()), quoted_for_shell(attempt.string()),
                     scheduler.task_number);
}

// Hands the array in. Returns its id.
std::string submit(const ArrayScheduler& scheduler, const SweepWork& work,
                   const ArrayOptions& options, const fs::path& attempt,
                   const std::set<std::uint64_t>& points) {
  const std::uint64_t wished = options.tasks == 0 ? usual_tasks : options.tasks;
  const std::uint64_t tasks = std::min<std::uint64_t>(wished, points.size());
  std::string list = std::to_string(tasks) + "\n";
  for (const std::uint64_t point : points) list += std::to_string(point) + "\n";
  fs::create_directories(attempt);
  write_file("--out", attempt / "points", list, NamedBy::program);
  write_file("--out", attempt / "task.sh", task_script(scheduler, work, attempt), NamedBy::program);
  const CommandAnswer answer =
      ask(scheduler.submit({"weir-" + work.sweep.name, tasks, options.jobs, attempt}));
  const std::string job = first_line(answer.text);
  const std::string id = job.substr(0, job.find(scheduler.after_id));
  if (answer.status != 0 || !parse_count(id))
    throw ConfigError(
        "--engine", std::string{scheduler.engine},
        std::string{scheduler.programs.front()} + " says: " + first_line(answer.text));
  write_file("--out", attempt / "job", id + "\n", NamedBy::program);
  return id;
}

// Collects until every point is there, the array has ended or the user ends it.
void watch(const ArrayScheduler& scheduler, const SweepWork& work, const fs::path& attempt,
           const std::string& job, const std::set<std::uint64_t>& wanted,
           OutcomeCollector& collector) {
  Clock::time_point asked = Clock::now();
  // Files of other nodes may show up a little after the array has ended.
  int rounds_left = 20;
  while (!wanted.empty() && rounds_left > 0) {
    collector.collect(attempt);
    if (work.stop()) {
      cancel(scheduler, job);
      collector.collect(attempt);
      return;
    }
    if (Clock::now() - asked > 2s) {
      asked = Clock::now();
      if (rounds_left == 20 && !still_has(scheduler, job)) --rounds_left;
    }
    if (rounds_left < 20) --rounds_left;
    std::this_thread::sleep_for(100ms);
  }
  if (!wanted.empty()) cancel(scheduler, job);  // what can no longer end
}

}  // namespace

void check_scheduler(const ArrayScheduler& scheduler) {
  for (const char* const program : scheduler.programs)
    if (ask(std::string{"command -v "} + program).status != 0)
      throw ConfigError(
          "--engine", std::string{scheduler.engine},
          fmt::format("needs the program {} on the path (Debian: {})", program, scheduler.package));
}

SweepCost run_array(const ArrayScheduler& scheduler, const SweepWork& work,
                    const ArrayOptions& options) {
  std::set<std::uint64_t> wanted = all_of(work.pending);
  OutcomeCollector collector{wanted, work};
  const fs::path folder = options.folder / scheduler.engine;
  free_name_of_folder(folder);
  const unsigned number = clear_up(scheduler, folder, collector);
  if (wanted.empty()) return {};
  const fs::path attempt = folder / std::to_string(number);
  const std::string job = submit(scheduler, work, options, attempt, wanted);
  watch(scheduler, work, attempt, job, wanted, collector);
  std::error_code ignored;
  if (wanted.empty()) fs::remove_all(folder, ignored);
  return {};
}

int run_array_task(const Sweep& sweep, const fs::path& attempt, std::uint64_t task) {
  std::istringstream list{text_or_nothing(attempt / "points")};
  std::uint64_t tasks = 0, point = 0;
  list >> tasks;
  if (!list || task == 0 || tasks < task)
    throw ConfigError("--array-task", std::to_string(task), "is not a task of " + attempt.string());
  const fs::path file = attempt / fmt::format("task-{}.jsonl", task);
  // A scheduler may start a task again, on another node.
  const std::set<std::uint64_t> there = points_in(sweep, file);
  std::ofstream out{file, std::ios::binary | std::ios::app};
  out << "\n";  // a line that was cut off ends here
  for (std::uint64_t line = 0; list >> point; ++line) {
    if (line % tasks + 1 != task || there.count(point) != 0) continue;
    out << to_line(run_isolated(sweep, point)) + "\n" << std::flush;
    if (!out) throw ModelError(file.string() + ": cannot be written");
  }
  return 0;
}

}  // namespace weir
