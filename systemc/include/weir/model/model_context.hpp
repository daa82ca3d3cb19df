// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/model/agenda.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// What all modules of one simulation share. It owns nothing: agenda, pool and observers are
/// declared before the modules and outlive them.
///
/// A module takes what it needs of it in its constructor; the context itself may end with the call.
struct ModelContext {
  Agenda& agenda;              ///< Runs the tasks of all modules.
  FramePool& frames;           ///< Where the frames come from.
  const Observers& observers;  ///< See what happens.
  std::uint64_t seed;          ///< Of everything random.
};

}  // namespace weir
