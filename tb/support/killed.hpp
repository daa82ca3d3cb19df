// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace weir::test {

/// Whether a call of the system counts.
using CountedCall = std::function<bool(std::uint64_t number)>;

inline bool every_call(std::uint64_t) { return true; }
/// Calls by which a file or folder gets another name.
inline bool any_rename(std::uint64_t number) {
#ifdef SYS_rename
  if (number == SYS_rename) return true;
#endif
#ifdef SYS_renameat
  if (number == SYS_renameat) return true;
#endif
  return number == SYS_renameat2;
}

/// How a child process ended, and whether it got the signal before.
struct Signalled {
  int status;  ///< As of waitpid().
  bool got_it;
};

/// Lets `work` run in a child process, to which `sent` comes at its call number `n` (from 0) of
/// those that count.
inline Signalled with_signal_at_call(std::size_t n, const CountedCall& counts, int sent,
                                     const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    std::raise(SIGSTOP);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status) ||
      ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
    throw std::runtime_error{"a child cannot be traced here"};
  constexpr int call_stop = SIGTRAP | 0x80;
  int signal = 0;
  for (bool got_it = false;;) {
    ptrace(got_it ? PTRACE_CONT : PTRACE_SYSCALL, child, nullptr, signal);
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return {status, got_it};
    signal = WSTOPSIG(status) == call_stop || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    if (WSTOPSIG(status) != call_stop) continue;
    __ptrace_syscall_info info{};
    ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof info, &info);
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !counts(info.entry.nr) || n-- != 0) continue;
    kill(child, sent);
    got_it = true;
  }
}

/// The same for SIGKILL: that call is not made. True when `work` came to its end before it.
inline bool ends_before_call(std::size_t n, const CountedCall& counts,
                             const std::function<void()>& work) {
  return !with_signal_at_call(n, counts, SIGKILL, work).got_it;
}

/// From here on this process and its children cannot exchange two names in one call, as on file
/// systems that do not know how.
inline void refuse_exchange() {
  constexpr std::uint32_t flags_of_renameat2 = offsetof(seccomp_data, args[4]);
  std::array<sock_filter, 6> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags_of_renameat2),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RENAME_EXCHANGE, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    throw std::runtime_error{"a call of the system cannot be refused here"};
}

}  // namespace weir::test
