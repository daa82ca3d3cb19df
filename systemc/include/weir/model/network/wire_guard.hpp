// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>
#include <utility>

#include "weir/core/units.hpp"
#include "weir/model/network/frame_socket.hpp"

namespace weir {

/// Checks what a module of the user's sends into a port: the rules of the wire and of the frame
/// sockets. A port has one only where such a module sends, so nothing else pays for it.
///
/// Errors:  ModelError that names the port, for: a frame that is shorter than 64 B, that starts
///          before the one before it has left, or beyond the end of time; a phase, kind or priority
///          that there is not; a frame that has been released, or is not of the simulation's pool.
class WireGuard {
 public:
  /// `where` names the port; `byte` is how long a byte takes there.
  WireGuard(std::string where, const FramePool& frames, Picoseconds byte)
      : where_{std::move(where)}, frames_{frames}, byte_{byte} {}

  /// A frame comes in whose first preamble bit is there `delay` after the kernel's now.
  void check(const Frame& frame, FramePhase phase, const sc_core::sc_time& delay);

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_fields(const Frame& frame, FramePhase phase) const;

  const std::string where_;
  const FramePool& frames_;
  const Picoseconds byte_;
  Picoseconds wire_free_;  // from when the next frame may start
};

}  // namespace weir
