// SPDX-License-Identifier: Apache-2.0
// The events of the model for the waveform, small enough to be recorded for every packet.
#pragma once
#include <cstdint>

namespace weir {

enum class WaveEvent : std::uint8_t {
  step,     ///< PG `index` holds a, b, c cells (private, shared, headroom); `flag`: XOFF.
  limit,    ///< T of PG `index` is `a`: after its step, by a rule of a user's own.
  queued,   ///< A frame becomes visible to queue `index`.
  data,     ///< A data frame of `a` bytes and priority `b` starts at port `index`, from queue `c`.
  control,  ///< A PFC frame starts at port `index`: classes `a` XOFF, `b` XON.
  pause,    ///< Class index % 8 at port index / 8 got `a` quanta.
  waiting,  ///< `a` cells wait in queue `index`, which has a WRED profile.
  // The following ones are rare.
  drop,      ///< A packet is dropped.
  left,      ///< A frame has left queue `index`, but was not sent.
  deadlock,  ///< Found; it had formed at a + 2^32 b.
  watchdog,  ///< An action of a watchdog.
  mismatch,  ///< RTL and core disagree.
  rtl,       ///< Variable `index`, a signal inside an RTL, is a + 2^32 b.
};

struct WaveRecord {
  std::uint64_t time;   ///< ps
  std::uint32_t index;  ///< port, or port * 8 + number
  std::uint32_t a, b, c;
  std::uint16_t node;  ///< Switches first, then hosts.
  WaveEvent event;
  bool flag;
};

}  // namespace weir
