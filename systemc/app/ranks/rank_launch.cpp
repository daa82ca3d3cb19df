// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_launch.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <systemc>
#include <vector>

#include "commands/whole_number.hpp"
#include "output/interrupt.hpp"
#include "ranks/rank_limits.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

// The words of this program, but that each rank joins the others.
std::vector<std::string> command_of_ranks(std::size_t ranks) {
  // Ranks may be more than the processors, and need not stay on one.
  std::vector<std::string> words{"mpirun",          "--quiet",   "-n",   std::to_string(ranks),
                                 "--oversubscribe", "--bind-to", "none", "/proc/self/exe"};
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  if (0 < length) words.back().assign(program, static_cast<std::size_t>(length));
  for (int i = 1; i < sc_core::sc_argc(); ++i) {
    std::string word = sc_core::sc_argv()[i];
    if (word == "--ranks" && i + 1 < sc_core::sc_argc()) {
      words.push_back(word);
      word = sc_core::sc_argv()[++i];
      word = "mpi";
    } else if (word.rfind("--ranks=", 0) == 0) {
      word = "--ranks=mpi";
    }
    words.push_back(word);
  }
  return words;
}

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // Ctrl-C comes to the parent alone, which asks the ranks to end. Who is not in the foreground
  // must not read from the terminal, and mpirun would.
  setpgid(0, 0);
  if (std::freopen("/dev/null", "r", stdin) == nullptr) std::_Exit(127);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (geteuid() == 0) {  // as in a container
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  // Memory that processes share, or TCP. To look for other networks takes Open MPI 0.2 s.
  constexpr int keep_what_is_set = 0;
  setenv("OMPI_MCA_pml", "ob1", keep_what_is_set);
  execvp(arguments.front(), arguments.data());
  std::_Exit(127);
}

// Until mpirun has ended; a signal to this process is handed on, once.
int wait_for(pid_t child) {
  bool handed_on = false;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) return 127;
    if (interrupt_signal() != 0 && !handed_on) {
      handed_on = true;
      kill(child, rank_interrupt);  // mpirun sends it to all ranks
    }
    usleep(20'000);
  }
}

// mpirun may end before the ranks that it has killed. They are this process's children then, and
// hold the draft that they were writing until they are gone.
void wait_for_orphans() {
  constexpr unsigned tries = 500, pause_us = 20'000;
  for (unsigned n = 0; n < tries && waitpid(-1, nullptr, WNOHANG) != -1; ++n) usleep(pause_us);
}

// Whether ranks end so after a signal, with results.
bool is_clean_end(int code) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, rank_interrupt})
    if (code == 128 + signal) return true;
  return false;
}

int exit_code_of(int code, std::size_t ranks, const RunPlan& plan) {
  if (code == 127)
    throw ConfigError("--ranks", std::to_string(ranks),
                      "mpirun cannot be started: install openmpi-bin");
  if (code < 128) return code;
  if (is_clean_end(code)) return interrupt_signal() == 0 ? code : 128 + interrupt_signal();
  wait_for_orphans();
  clear_dead_drafts_of(plan.out);
  throw ModelError(
      fmt::format("a rank was ended by signal {} ({}), and the others with it; there "
                  "are no results",
                  code - 128, strsignal(code - 128)));
}

}  // namespace

RankWish rank_wish_of(const std::string& ranks) {
  if (ranks.empty()) return RankWish::none;
  if (ranks == "mpi") return RankWish::join;
  const std::optional<std::uint64_t> number = decimal_integer(ranks);
  if (!number || *number == 0)
    throw ConfigError("--ranks", ranks, "must be a number of processes, or mpi");
  return *number == 1 ? RankWish::none : RankWish::start;
}

int start_ranks(const RunOptions& options, const RunPlan& plan) {
  const std::size_t ranks = *decimal_integer(options.ranks);
  refuse_what_ranks_cannot(options);
  // Here, so that an error is said once.
  static_cast<void>(partition_of(options, plan.scenario, ranks));
  catch_interrupts();
  const std::vector<std::string> words = command_of_ranks(ranks);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // for wait_for_orphans()
  const pid_t child = fork();
  if (child < 0) throw ModelError("no process can be started for the ranks");
  if (child == 0) become(words);
  return exit_code_of(wait_for(child), ranks, plan);
}

}  // namespace weir
