// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/host/mtt_cache.hpp"
#include "weir/core/pfc/pfc_watchdog.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The receiving half of a NIC: buffer, pipeline, translation cache, and the pauses it sends.
struct NicSpec {
  BitRate pipeline{64'000'000'000};  ///< What the pipeline moves to memory; PCIe Gen3 x8.
  Bytes buffer{512'000};             ///< Receive buffer; what does not fit is dropped.
  Bytes xoff{256'000};               ///< Pauses from so much held on ...
  Bytes xon{128'000};                ///< ... until no more than this is.
  std::uint8_t classes{0};           ///< Bit n: class n is paused.
  Quanta quanta{65535};              ///< Of the PAUSE frames.
  std::uint32_t mtt_entries{2048};
  Bytes page{4096};
  MttReplacement replacement{MttReplacement::lru};
  Picoseconds miss_time{1'000'000};     ///< The pipeline waits so long for a missing entry.
  Bytes memory;                         ///< Where messages go, at random; 0: no translation.
  std::optional<Picoseconds> watchdog;  ///< How long the pipeline may stand while pausing.
};

enum class HostFaultKind : std::uint8_t {
  stuck,   ///< The receive pipeline stops for good.
  storm,   ///< So, and the NIC sends PAUSE after PAUSE whatever it holds.
  reboot,  ///< The server starts anew: what was wrong with its NIC is gone.
};

/// What happens to a host at a chosen time.
struct HostFaultSpec {
  std::size_t host{0};
  HostFaultKind kind{HostFaultKind::storm};
  Picoseconds at;
  Picoseconds interval;  ///< storm: from PAUSE to PAUSE; 0: half of their quanta.
};

/// A watchdog at some ports of a switch, one for each class.
struct PfcWatchdogSpec {
  std::size_t node{0};           ///< Index into Scenario::switches.
  std::vector<PortId> ports;     ///< Ascending.
  std::uint8_t classes{0};       ///< Bit n: class n is watched.
  PfcWatchdog::Setting setting;  ///< 200 ms each unless told otherwise.
  WatchdogAction action{WatchdogAction::drop};
};

}  // namespace weir
