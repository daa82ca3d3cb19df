// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// From here on the first SIGINT (Ctrl-C), SIGTERM or SIGHUP (the terminal is closed, and nohup has
/// not said to go on) is noted instead of ending the program; a further one, more than a second
/// later, ends it at once.
void catch_interrupts();

/// The same for one more signal.
void catch_interrupt(int signal);

/// The signal that asked for the end; 0: none.
[[nodiscard]] int interrupt_signal() noexcept;

}  // namespace weir
