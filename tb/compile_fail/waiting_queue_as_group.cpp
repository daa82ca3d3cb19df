// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/deadlock_detector.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  WaitGraph::Queue queue;
  queue.paused_by = WaitGraph::GroupNumber{0};
  queue.paused_by = WaitGraph::QueueNumber{0};  // must not compile
}
