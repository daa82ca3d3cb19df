// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <csignal>
#include <ctime>

#include "weir/config/files/patient_write.hpp"

namespace weir {
namespace {

// A handler can reach nothing but these.
volatile std::sig_atomic_t caught = 0;
volatile std::time_t caught_at = 0;

// The first signal asks for a clean end. Who sends one may send it to the process and to its group
// at once (timeout does), so only one that comes clearly later ends the program on the spot.
void note(int signal) {
  constexpr std::time_t same_request = 1;
  const std::time_t now = std::time(nullptr);
  if (caught != 0 && now - caught_at > same_request) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  if (caught != 0) return;
  caught = signal;
  caught_at = now;
  hurry_outputs();
}

}  // namespace

void catch_interrupt(int signal) {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

void catch_interrupts() {
  catch_interrupt(SIGINT);
  catch_interrupt(SIGTERM);
  // The terminal is gone; who started the program with nohup wants it to go on.
  struct sigaction hangup {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
    catch_interrupt(SIGHUP);
}

int interrupt_signal() noexcept { return caught; }

}  // namespace weir
