// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/run_in_child.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <systemc>

#include "weir/config/format/node.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

enum class Outcome : char {
  returned = 'r',
  config_error = 'c',
  file_error = 'f',
  model_error = 'm',
  killed = 'k',
};

// What a child says of its job; it crosses the pipe as the outcome and "length:bytes" per field.
struct Message {
  Outcome outcome{Outcome::killed};
  std::vector<std::string> fields;
  int signal{0};
};

std::string pack(const Message& message) {
  std::string bytes(1, static_cast<char>(message.outcome));
  for (const std::string& field : message.fields)
    bytes += std::to_string(field.size()) + ':' + field;
  return bytes;
}

Message unpack(const std::string& bytes) {
  Message message{static_cast<Outcome>(bytes.at(0)), {}, 0};
  for (std::size_t at = 1; at < bytes.size();) {
    const std::size_t colon = bytes.find(':', at);
    const std::size_t length = std::stoull(bytes.substr(at, colon - at));
    message.fields.push_back(bytes.substr(colon + 1, length));
    at = colon + 1 + length;
  }
  return message;
}

Message message_of(const ChildJob& job) {
  try {
    return {Outcome::returned, {job()}, 0};
  } catch (const FileError& error) {
    return {Outcome::file_error,
            {error.origin().file, std::to_string(error.origin().line), error.key(), error.value(),
             error.legal()},
            0};
  } catch (const ConfigError& error) {
    return {Outcome::config_error, {error.key(), error.value(), error.legal()}, 0};
  } catch (const std::exception& error) {
    return {Outcome::model_error, {error.what()}, 0};
  }
}

[[noreturn]] void live_as_child(const ChildJob& job, int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A child's terminal is not read: what SystemC warns of has to come back with the result.
  sc_core::sc_report_handler::set_handler(nullptr);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  const std::string bytes = pack(message_of(job));
  std::cout.flush();
  std::fflush(nullptr);
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = write(pipe, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno != EINTR) break;
    if (0 < count) sent += static_cast<std::size_t>(count);
  }
  _exit(0);
}

struct Child {
  pid_t pid{-1};
  int pipe{-1};
  std::size_t job{0};
  std::string bytes;  // received so far
};

[[noreturn]] void fail(const char* what) {
  throw ModelError(std::string{"child process: "} + what + ": " + std::strerror(errno));
}

void require_no_elaboration() {
  if (!sc_core::sc_get_top_level_objects().empty())
    throw ModelError("child process: a simulation was already elaborated in this process");
}

// SystemC has a heap for temporaries, 3 MiB that it fills with zeros when the program starts. They
// would be most of what a fork has to copy the page tables of; untouched pages read as zeros, too.
void forget_pages_of_zeros() {
  const sc_core::sc_byte_heap& heap = sc_core::sc_temp_heap;
  if (heap.m_next_p != heap.m_bgn_p) return;  // in use
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = [](const char* place) { return reinterpret_cast<std::uintptr_t>(place); };
  const std::uintptr_t begin = (address(heap.m_bgn_p) + page - 1) / page * page;
  const std::uintptr_t end = address(heap.m_end_p) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

Child start(const ChildJob& job, std::size_t index) {
  // What waits in a buffer would be written twice.
  std::cout.flush();
  std::fflush(nullptr);
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    close(ends[0]);
    live_as_child(job, ends[1]);
  }
  close(ends[1]);
  return {pid, ends[0], index, {}};
}

// Takes what the child has sent; true when it has closed its end.
bool read_some(Child& child) {
  char buffer[65536];
  const ssize_t count = read(child.pipe, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return false;
  if (0 < count) child.bytes.append(buffer, static_cast<std::size_t>(count));
  return count <= 0;
}

Message finish(const Child& child) {
  close(child.pipe);
  int status = 0;
  while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return {Outcome::killed, {std::string{"child process killed: "} + strsignal(signal)}, signal};
  }
  if (child.bytes.empty()) return {Outcome::model_error, {"child process ended early"}, 0};
  return unpack(child.bytes);
}

// Kills and collects what still runs when an error ends the run of many.
struct Children {
  std::vector<Child> running;

  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (const Child& child : running) {
      kill(child.pid, SIGKILL);
      close(child.pipe);
      waitpid(child.pid, nullptr, 0);
    }
  }
};

// What run_all() runs: as a ChildQueue, but with the words of a child as they came.
struct MessageQueue {
  std::function<std::optional<ChildJob>()> next;
  std::function<void(std::size_t, const Message&)> ended;
  std::function<bool()> stop;
};

// Waits until a child has something to say, or it is time to ask `stop` again.
std::vector<pollfd> poll_pipes(const std::vector<Child>& running, bool ask_again) {
  constexpr int tenth_of_a_second = 100;
  std::vector<pollfd> polls;
  for (const Child& child : running) polls.push_back({child.pipe, POLLIN, 0});
  if (poll(polls.data(), polls.size(), ask_again ? tenth_of_a_second : -1) < 0) {
    if (errno != EINTR) fail("poll");
    for (pollfd& entry : polls) entry.revents = 0;
  }
  return polls;
}

void run_all(const MessageQueue& queue, std::size_t parallel) {
  require_no_elaboration();
  forget_pages_of_zeros();
  Children children;
  std::vector<Child>& running = children.running;
  bool more = true;
  std::size_t started = 0;
  const auto fill = [&] {
    while (more && running.size() < parallel) {
      const std::optional<ChildJob> job = queue.next();
      more = job.has_value();
      if (more) running.push_back(start(*job, started++));
    }
  };
  for (fill(); !running.empty(); fill()) {
    if (queue.stop && queue.stop()) return;
    const std::vector<pollfd> polls = poll_pipes(running, static_cast<bool>(queue.stop));
    std::vector<Child> ended;
    for (std::size_t i = running.size(); i-- != 0;) {
      if (polls[i].revents == 0 || !read_some(running[i])) continue;
      ended.push_back(std::move(running[i]));
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    fill();  // the next ones run while these are dealt with
    std::vector<Message> messages;
    for (const Child& child : ended) messages.push_back(finish(child));
    for (std::size_t i = 0; i < ended.size(); ++i) queue.ended(ended[i].job, messages[i]);
  }
}

std::vector<Message> run_all(const std::vector<ChildJob>& jobs, std::size_t parallel) {
  std::vector<Message> messages(jobs.size());
  std::size_t next = 0;
  run_all({[&] { return next < jobs.size() ? std::optional{jobs[next++]} : std::nullopt; },
           [&](std::size_t index, const Message& message) { messages[index] = message; },
           {}},
          parallel);
  return messages;
}

// The error that a message holds, thrown as what it was.
[[noreturn]] void rethrow(const Message& message) {
  const std::vector<std::string>& f = message.fields;
  if (message.outcome == Outcome::file_error)
    throw FileError({f.at(0), static_cast<std::uint32_t>(std::stoul(f.at(1)))}, f.at(2), f.at(3),
                    f.at(4));
  if (message.outcome == Outcome::config_error) throw ConfigError(f.at(0), f.at(1), f.at(2));
  throw ModelError(f.at(0));
}

ChildResult result_of(const Message& message) {
  if (message.outcome == Outcome::returned) return {true, message.fields.at(0), {}, 0};
  try {
    rethrow(message);
  } catch (const ConfigError& error) {
    return {false, {}, error.what(), 2};
  } catch (const std::exception& error) {
    const int exit_code = message.outcome == Outcome::killed ? 128 + message.signal : 3;
    return {false, {}, error.what(), exit_code};
  }
}

}  // namespace

std::string run_in_child(const ChildJob& job) {
  const Message message = run_all({job}, 1).front();
  if (message.outcome != Outcome::returned) rethrow(message);
  return message.fields.at(0);
}

std::vector<ChildResult> run_in_children(const std::vector<ChildJob>& jobs, unsigned parallel) {
  std::vector<ChildResult> results;
  for (const Message& message : run_all(jobs, std::max(parallel, 1U)))
    results.push_back(result_of(message));
  return results;
}

void run_child_queue(const ChildQueue& queue, unsigned parallel) {
  run_all(
      {queue.next,
       [&](std::size_t index, const Message& message) { queue.ended(index, result_of(message)); },
       queue.stop},
      std::max(parallel, 1U));
}

}  // namespace weir
