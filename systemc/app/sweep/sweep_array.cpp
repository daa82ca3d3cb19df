// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "sweep_engine.hpp"
#include "sweep_outcomes.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"

// Files of an array, in OUT/slurm/<attempt>/: `points` (first line: number of tasks; then the
// points, task k takes lines k, k + tasks ...), `task.sh`, `job` (its id), `task-<k>.jsonl` (an
// outcome a line; a line counts when it is whole), `task-<k>.log` (what the task printed).
namespace weir {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t max_tasks = 1000;  // Slurm's own default limit is 1001

struct Answer {
  int status{-1};
  std::string text;  // stdout and stderr
};

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? std::string{"'\\''"} : std::string{letter};
  return text + "'";
}

Answer ask(const std::string& command) {
  Answer answer;
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

// Whether Slurm still has the job; a controller that does not answer may be back later.
bool is_known_job(const std::string& job) {
  const Answer answer = ask("squeue --noheader --jobs=" + quoted(job) + " --format=%T");
  if (answer.status == 0) return !answer.text.empty();
  return answer.text.find("Invalid job id") == std::string::npos;
}

void cancel(const std::string& job) {
  if (job.empty()) return;
  static_cast<void>(ask("scancel " + quoted(job)));
  for (int i = 0; i < 100 && is_known_job(job); ++i) std::this_thread::sleep_for(200ms);
}

// Cancels and collects what earlier processes left. Returns the number of a new attempt.
unsigned clear_up(const fs::path& folder, OutcomeCollector& collector) {
  std::error_code error;
  std::uint64_t last = 0;
  std::vector<fs::path> attempts;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    attempts.push_back(entry.path());
    last = std::max(last, parse_count(entry.path().filename().string()).value_or(0));
  }
  for (const fs::path& attempt : attempts) {
    cancel(job_of(attempt));
    collector.collect(attempt);
    fs::remove_all(attempt, error);
  }
  return static_cast<unsigned>(last + 1);
}

std::string task_script(const SweepWork& work, const fs::path& attempt) {
  return fmt::format(
      "#!/bin/sh\nexec {} sweep {} --slurm-attempt {} --slurm-task \"$SLURM_ARRAY_TASK_ID\"\n",
      quoted(fs::read_symlink("/proc/self/exe").string()), quoted(work.sweep.file.string()),
      quoted(attempt.string()));
}

// Hands the array in. Returns its id.
std::string submit(const SweepWork& work, const SlurmOptions& options, const fs::path& attempt,
                   const std::set<std::uint64_t>& points) {
  const std::uint64_t wished = options.tasks == 0 ? max_tasks : options.tasks;
  const std::uint64_t tasks = std::min<std::uint64_t>(wished, points.size());
  std::string list = std::to_string(tasks) + "\n";
  for (const std::uint64_t point : points) list += std::to_string(point) + "\n";
  fs::create_directories(attempt);
  write_file("--out", attempt / "points", list, NamedBy::program);
  write_file("--out", attempt / "task.sh", task_script(work, attempt), NamedBy::program);
  const Answer answer =
      ask(fmt::format("sbatch --parsable --job-name={} --array=0-{}{} --output={} --chdir={} {}",
                      quoted("weir-" + work.sweep.name), tasks - 1,
                      options.jobs == 0 ? "" : "%" + std::to_string(options.jobs),
                      quoted((attempt / "task-%a.log").string()),
                      quoted(fs::current_path().string()), quoted((attempt / "task.sh").string())));
  const std::string job = first_line(answer.text);
  const std::string id = job.substr(0, job.find(';'));  // a cluster's name may follow
  if (answer.status != 0 || !parse_count(id))
    throw ConfigError("--engine", "slurm", "sbatch says: " + first_line(answer.text));
  write_file("--out", attempt / "job", id + "\n", NamedBy::program);
  return id;
}

// Collects until every point is there, the array has ended or the user ends it.
void watch(const SweepWork& work, const fs::path& attempt, const std::string& job,
           const std::set<std::uint64_t>& wanted, OutcomeCollector& collector) {
  Clock::time_point asked = Clock::now();
  // Files of other nodes may show up a little after the array has ended.
  int rounds_left = 20;
  while (!wanted.empty() && rounds_left > 0) {
    collector.collect(attempt);
    if (work.stop()) {
      cancel(job);
      collector.collect(attempt);
      return;
    }
    if (Clock::now() - asked > 2s) {
      asked = Clock::now();
      if (rounds_left == 20 && !is_known_job(job)) --rounds_left;
    }
    if (rounds_left < 20) --rounds_left;
    std::this_thread::sleep_for(100ms);
  }
}

}  // namespace

void check_slurm() {
  for (const char* program : {"sbatch", "squeue", "scancel"})
    if (ask(std::string{"command -v "} + program).status != 0)
      throw ConfigError(
          "--engine", "slurm",
          std::string{"needs the program "} + program + " on the path (Debian: slurm-client)");
}

SweepCost run_slurm(const SweepWork& work, const SlurmOptions& options) {
  std::set<std::uint64_t> wanted = all_of(work.pending);
  OutcomeCollector collector{wanted, work};
  const fs::path folder = options.folder / "slurm";
  free_name_of_folder(folder);
  const unsigned number = clear_up(folder, collector);
  if (wanted.empty()) return {};
  const fs::path attempt = folder / std::to_string(number);
  const std::string job = submit(work, options, attempt, wanted);
  watch(work, attempt, job, wanted, collector);
  std::error_code ignored;
  if (wanted.empty()) fs::remove_all(folder, ignored);
  return {};
}

int run_slurm_task(const Sweep& sweep, const fs::path& attempt, std::uint64_t task) {
  std::istringstream list{text_or_nothing(attempt / "points")};
  std::uint64_t tasks = 0, point = 0;
  list >> tasks;
  if (!list || tasks <= task)
    throw ConfigError("--slurm-task", std::to_string(task), "is no task of " + attempt.string());
  const fs::path file = attempt / fmt::format("task-{}.jsonl", task);
  // Slurm may start a task again, on another node.
  const std::set<std::uint64_t> there = points_in(sweep, file);
  std::ofstream out{file, std::ios::binary | std::ios::app};
  out << "\n";  // a line that was cut off ends here
  for (std::uint64_t line = 0; list >> point; ++line) {
    if (line % tasks != task || there.count(point) != 0) continue;
    out << to_line(run_isolated(sweep, point)) + "\n" << std::flush;
    if (!out) throw ModelError(file.string() + ": cannot be written");
  }
  return 0;
}

}  // namespace weir
