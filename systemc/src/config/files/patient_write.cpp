// SPDX-License-Identifier: Apache-2.0
#include "weir/config/files/patient_write.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>

namespace weir {
namespace {

constexpr int look_ms = 50;

// A signal handler can reach nothing but these.
std::atomic<bool> hurry{false};
std::atomic<int> looks_left{5};
static_assert(std::atomic<bool>::is_always_lock_free);

// True when it takes something, or when writing says what is wrong.
bool ready(int descriptor) noexcept {
  if (descriptor < 0) return true;  // poll() would wait for nothing
  pollfd entry{descriptor, POLLOUT, 0};
  for (;;) {
    const bool waits = !hurry || 0 < looks_left;
    const int count = poll(&entry, 1, waits ? look_ms : 0);
    if (0 < count || (count < 0 && errno != EINTR)) return true;
    if (count < 0 || !hurry) continue;
    if (!waits) return false;
    --looks_left;
  }
}

}  // namespace

void hurry_outputs() noexcept { hurry = true; }
bool outputs_hurry() noexcept { return hurry; }

int patient_write(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    if (!ready(descriptor)) return ETIMEDOUT;
    // As much as a pipe that is ready takes at once.
    const ssize_t written = write(descriptor, text.data(), text.substr(0, PIPE_BUF).size());
    if (0 <= written)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR && errno != EAGAIN)
      return errno;
  }
  return 0;
}

}  // namespace weir
