// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/host_context.hpp"
#include "weir/model/host/host_streams.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// When a host is dead, and when it starts again.
///
/// A dead host (HostSpec::dead_from to dead_until) starts no frame and takes none; its sources go
/// on with what is due after the restart. A reboot takes no time: what it empties belongs to
/// others.
class HostLife {
 public:
  HostLife(const HostContext& host, const HostSpec& spec, HostStreams& streams);

  /// It reboots at `when`. Before the simulation starts.
  void add_reboot(Picoseconds when) { reboots_.push_back(when); }
  /// The simulation starts: posts HostTask::death, restart and reboot.
  void start();
  /// The task HostTask::death.
  void die();

  [[nodiscard]] bool dead_at(Picoseconds time) const noexcept {
    return dead_from_ <= time && time < dead_until_;
  }
  [[nodiscard]] Picoseconds dead_until() const noexcept { return dead_until_; }
  /// A frame came to a dead host: counted and dropped.
  void swallow(Frame& frame, Picoseconds last_bit);

 private:
  const Picoseconds dead_from_, dead_until_;
  std::vector<Picoseconds> reboots_;
  HostStreams& streams_;
  Agenda& agenda_;
  const Agenda::ActorId actor_;
  PortCounters& counters_;
  const Observers& observers_;
  const std::string& name_;
};

}  // namespace weir
